// The picture of the first start fits every window and sentence, and is a file too.
#include "pictures/first_start_picture.h"

#include <gmock/gmock.h>

#include <cmath>

#include "app/render.h"
#include "app/shell.h"
#include "draw/record_canvas.h"
#include "io/files.h"
#include "lecture/first_scene.h"
#include "pictures/pages.h"
#include "session/session.h"
#include "support/scratch_folder.h"
#include "support/xml.h"

namespace headlight::app::first_start_picture_test {
namespace {

using draw::Box;
using draw::RecordCanvas;
using scene::Scene;
using testing::HasSubstr;
using testing::Not;

std::string long_sentence(int words) {
  static const char* const some[] = {"the", "animal", "did",     "not", "cross",
                                     "the", "street", "because", "it"};
  std::string out;
  for (int i = 0; i < words; ++i) out += std::string(i > 0 ? " " : "") + some[i % 9];
  return out;
}

class FirstStartPicture : public testing::Test {
 protected:
  RecordCanvas picture(const std::string& sentence, Box window, FirstStartLook look = {}, bool dark = true) {
    Scene scene = first_scene_of(sentence);
    scene.key = -1;
    Session session({.scene = scene, .autosave = {}});
    session.wait();
    tokens_ = session.results().attention.T;
    RecordCanvas canvas;
    const draw::Theme& theme = draw::theme(dark);
    places_ = draw_first_start({canvas, theme}, window, page_input(session, theme), look);
    return canvas;
  }
  FirstStartPlaces places_;
  int tokens_ = 0;
};

bool apart(const Box& a, const Box& b) {
  constexpr float touch = 0.5f;
  return a.right() <= b.x + touch || b.right() <= a.x + touch || a.bottom() <= b.y + touch ||
         b.bottom() <= a.y + touch;
}

TEST_F(FirstStartPicture, FitsEveryWindowAndEverySentence) {
  const std::string sentences[] = {tired,
                                   "it",
                                   "",
                                   long_sentence(6),
                                   long_sentence(60),
                                   long_sentence(120),
                                   "החיה לא חצתה את הרחוב כי it הייתה עייפה",
                                   "动物没有过马路因为它太累了",
                                   "incomprehensibilities" + std::string(200, 'x')};
  for (const auto& [w, h] : {std::pair{640.f, 360.f},
                             {800.f, 420.f},
                             {1280.f, 720.f},
                             {1600.f, 1000.f},
                             {3840.f, 2160.f},
                             {640.f, 1200.f},
                             {1900.f, 360.f}}) {
    for (const std::string& sentence : sentences) {
      for (const FirstStartLook& look :
           {FirstStartLook{}, FirstStartLook{.editing = true}, FirstStartLook{.to_click = false}}) {
        const Box window{0, 0, w, h};
        const RecordCanvas canvas = picture(sentence, window, look);
        const bool editing = look.editing;
        const std::string where = sentence.substr(0, 30) + " in " + std::to_string(static_cast<int>(w)) +
                                  (look.to_click ? "" : ", on paper");
        for (const auto& text : canvas.texts) {
          EXPECT_GE(text.style.size, 12) << where << ": " << text.words;
          EXPECT_GE(text.box.x, 0) << where << ": " << text.words;
          EXPECT_GE(text.box.y, 0) << where << ": " << text.words;
          EXPECT_LE(text.box.right(), w + 0.5f) << where << ": " << text.words;
          EXPECT_LE(text.box.bottom(), h + 0.5f) << where << ": " << text.words;
        }
        for (std::size_t i = 0; i < canvas.texts.size(); ++i) {
          for (std::size_t j = 0; j < i; ++j) {
            // Line boxes are higher than letters.
            const auto letters = [](const RecordCanvas::Text& text) {
              const float middle = text.box.centre().y;
              return Box{text.box.x, middle - 0.45f * text.style.size, text.box.w, 0.9f * text.style.size};
            };
            EXPECT_TRUE(apart(letters(canvas.texts[i]), letters(canvas.texts[j])))
                << where << ": " << canvas.texts[i].words << " over " << canvas.texts[j].words;
          }
        }
        for (const draw::Mark& mark : canvas.marks) {
          if (mark.part != draw::Part::control) continue;
          EXPECT_TRUE(mark.area.x >= 0 && mark.area.y >= 0 && mark.area.right() <= w &&
                      mark.area.bottom() <= h)
              << where << ": " << mark.name;
          EXPECT_TRUE(!editing || apart(mark.area, places_.field)) << where << ": " << mark.name;
        }
      }
    }
  }
}

TEST_F(FirstStartPicture, TheBeamEndsOverItsTwoWords) {
  const RecordCanvas canvas = picture(tired, {0, 0, 1600, 1000});
  ASSERT_TRUE(places_.beam.there);
  int found = 0;
  for (const auto& text : canvas.texts) {
    if (text.words == "it") {
      EXPECT_NEAR(places_.beam.query.x, text.box.centre().x, 1);
    } else if (text.words == "animal") {
      EXPECT_NEAR(places_.beam.key.x, text.box.centre().x, 1);
    } else {
      continue;
    }
    ++found;
  }
  EXPECT_EQ(found, 2);
  EXPECT_NEAR(places_.beam.weight, 0.998f, 0.002f);
}

// Where all of the weight is on the word itself, the beam is a ring above it: it leaves and arrives at one
// height.
TEST_F(FirstStartPicture, ABeamToTheWordItselfIsARing) {
  (void)picture("it", {0, 0, 1200, 630}, {.to_click = false});
  ASSERT_TRUE(places_.beam.there);
  EXPECT_FLOAT_EQ(places_.beam.weight, 1);
  EXPECT_EQ(places_.beam.query, places_.beam.key);
}

TEST_F(FirstStartPicture, OtherKeysHaveArcsOfTheirOwn) {
  const auto arcs = [](const RecordCanvas& canvas) {
    return std::count_if(canvas.lines.begin(), canvas.lines.end(),
                         [](const std::string& line) { return line.starts_with("polyline"); });
  };
  Scene scene = first_scene_of();
  scene.query = {11};  // "tired" spreads its weight
  Session session({.scene = scene, .autosave = {}});
  session.wait();
  RecordCanvas spread;
  draw_first_start({spread, draw::theme(true)}, {0, 0, 1600, 1000}, page_input(session, draw::theme(true)),
                   {});
  const auto row = session.results().attention.weights.row(0, 11);
  const auto drawn = std::count_if(row.begin(), row.end(), [](float weight) { return weight >= 0.001f; });
  ASSERT_GT(drawn, 5);
  // All but the strongest; the lamp and the sign of the laboratory are lines, too.
  EXPECT_EQ(arcs(spread), drawn - 1 + 2);
}

TEST(FirstStartPlace, IsOnTheWayBetweenTwoBeams) {
  const BeamPlace a{{0, 0}, {100, 0}, 10, 20, 0.2f, true}, b{{50, 0}, {300, 10}, 20, 40, 0.6f, true};
  EXPECT_EQ(between(a, b, 0), a);
  EXPECT_EQ(between(a, b, 1), b);
  const BeamPlace half = between(a, b, 0.5f);
  EXPECT_GT(half.key.x, 200) << "it is faster at first";
  EXPECT_LT(half.key.x, 300);
  EXPECT_EQ(between({}, b, 0.2f), b) << "from nowhere: at once";
}

TEST(FirstStartFile, IsWrittenAsAVectorFigureWithItsScene) {
  const tests::ScratchFolder folder;
  RenderOptions options{.width = 1600, .height = 1000, .out = folder / "first.svg"};
  options.first_start = true;
  ASSERT_TRUE(render_page(first_scene_of(wide), options));
  const std::string svg = *io::read_file(folder / "first.svg");
  EXPECT_EQ(tests::check_xml(svg).error, "");
  EXPECT_THAT(svg, HasSubstr("street"));
  EXPECT_THAT(svg, Not(HasSubstr("Take lesson 1"))) << "nobody can press it there";
  options.out = folder / "first.pdf";
  EXPECT_TRUE(render_page(first_scene_of(wide), options));
}

// As vectors and as pixels it is the same picture, whatever query and heads the scene names.
TEST(FirstStartFile, EveryFormatSaysWhatTheWindowSays) {
  const tests::ScratchFolder folder;
  for (const scene::IndexList& heads : {scene::IndexList{}, scene::IndexList{2, 3}}) {
    Scene scene = first_scene_of(wide);
    scene.query = {}, scene.key = -1, scene.head = heads;
    RenderOptions options{.width = 1600, .height = 1000, .out = folder / "first.svg"};
    options.first_start = true;
    ASSERT_TRUE(render_page(scene, options));
    std::string window;
    options.out = folder / "first.png";
    options.prepare = [&](Shell& shell) {
      window = first_start_finding(shell.first_start().input(draw::theme(true)));
    };
    ASSERT_TRUE(render_page(scene, options));
    EXPECT_THAT(window, testing::StartsWith("“it” attends"));
    EXPECT_THAT(*io::read_file(folder / "first.svg"), HasSubstr("Headlight: " + window));
  }
}

}  // namespace
}  // namespace headlight::app::first_start_picture_test
