// The share card: what it says is what the page computes, at its size, in every format, and it opens its
// scene again.
#include "pictures/share_figure.h"

#include <gmock/gmock.h>

#include "app/program.h"
#include "app/render.h"
#include "draw/record_canvas.h"
#include "io/files.h"
#include "io/png.h"
#include "pictures/first_start_lines.h"
#include "pictures/first_start_picture.h"
#include "pictures/pages.h"
#include "scene/figure_scene.h"
#include "session/session.h"
#include "support/scratch_folder.h"
#include "support/xml.h"

namespace headlight::app {
namespace {

using scene::Scene;
using testing::HasSubstr;
using testing::Not;

/// “cat” attends most to “sat” with weight 0.31, of the numbers themselves.
std::string strongest_of(const Scene& scene, int head, int query) {
  Session session({.scene = scene, .autosave = {}});
  session.wait();
  const auto row = session.results().attention.weights.row(head, query);
  const auto most = std::max_element(row.begin(), row.end());
  const auto& tokens = session.results().tokens;
  return "“" + tokens[static_cast<std::size_t>(query)].text + "” attends " +
         (*most >= 0.9f ? "to “" : "most to “") + tokens[static_cast<std::size_t>(most - row.begin())].text +
         "” with weight " + base::weight_text(static_cast<double>(*most), 2);
}

std::string rendered(const Scene& scene, RenderOptions options, const std::string& name) {
  const tests::ScratchFolder folder;
  options.share = true, options.out = folder / name;
  const base::Status status = render_page(scene, options);
  EXPECT_TRUE(status) << status.error();
  return status ? *io::read_file(options.out) : "";
}

TEST(ShareCard, SaysWhatTheHeadAndTheQueryOfTheSceneCompute) {
  Scene scene;
  scene.head = {3, 1}, scene.query = {4};
  const std::string svg = rendered(scene, {}, "card.svg");
  EXPECT_EQ(tests::check_xml(svg).error, "");
  EXPECT_THAT(svg, HasSubstr("Headlight: " + strongest_of(scene, 0, 4))) << "of several heads the first one";
  scene.head = {3};
  EXPECT_THAT(rendered(scene, {}, "card.svg"), HasSubstr("Headlight: " + strongest_of(scene, 2, 4)));
  EXPECT_THAT(svg, Not(HasSubstr("Take lesson 1"))) << "nobody can press it there";
}

TEST(ShareCard, HasTheSizeOfALinksPictureInEveryFormat) {
  const std::string svg = rendered({}, {}, "card.svg");
  EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 800 420\""));
  const auto image = io::decode_png(rendered({}, {}, "card.png"), "card.png");
  ASSERT_TRUE(image) << image.error();
  EXPECT_EQ(image->image.width, 1200);
  EXPECT_EQ(image->image.height, 630);
  const auto twice = io::decode_png(rendered({}, {.scale = 2}, "card.png"), "card.png");
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->image.width, 2400);
  const auto requested =
      io::decode_png(rendered({}, {.width = 800, .height = 800, .sized = true}, "card.png"), "card.png");
  ASSERT_TRUE(requested);
  EXPECT_EQ(requested->image.height, 800);
  EXPECT_THAT(rendered({}, {}, "card.pdf"), testing::StartsWith("%PDF"));
}

TEST(ShareCard, OpensItsSceneAgain) {
  Scene scene;
  scene.sentence = "one beam", scene.query = {1}, scene.head = {2};
  const tests::ScratchFolder folder;
  for (const char* name : {"card.png", "card.svg", "card.pdf"}) {
    RenderOptions options;
    options.share = true, options.out = folder / name;
    ASSERT_TRUE(render_page(scene, options));
    const auto opened = scene::scene_in_file(options.out);
    ASSERT_TRUE(opened) << opened.error();
    EXPECT_EQ(opened->sentence, "one beam") << name;
    EXPECT_EQ(opened->head, (scene::IndexList{2})) << name;
    EXPECT_EQ(opened->query, (scene::IndexList{1})) << name;
  }
}

// The way of the light between any two words, of a sentence on one, two and many lines.
TEST(ShareCard, NoBeamCrossesAWord) {
  const std::string words =
      "The river bank was muddy after the flood, but the savings bank on the corner was open ";
  for (const std::string& sentence :
       {std::string("the cat sat on the mat"), words, words + words, words + words + words + words}) {
    Scene scene;
    scene.sentence = sentence;
    Session session({.scene = scene, .autosave = {}});
    session.wait();
    draw::RecordCanvas canvas;
    const views::Pen pen{canvas, draw::theme(true)};
    const views::PageInput in = page_input(session, draw::theme(true));
    Lines lines = lines_of(pen, in, 30, 760, 200);
    const int count = static_cast<int>(lines.words.size());
    leave_out(lines, 230, 0, count - 1);
    constexpr float thick = 0.9f, first_line = 300;
    const WordPlaces places{lines, {0, 0, 800, 1000}, first_line, 200, 500, std::min(thick, lines.size / 44)};
    for (int query = 0; query < count; ++query) {
      for (int key = 0; key < count; ++key) {
        if (!lines.words[static_cast<std::size_t>(query)].shown ||
            !lines.words[static_cast<std::size_t>(key)].shown)
          continue;
        const BeamPlace beam = places.beam(query, key, 0.9f);
        const Light light = light_of(draw::theme(true), beam, places.thick, 1);
        ASSERT_GT(beam.path.size(), 2U);
        EXPECT_NEAR(beam.path.front().x, beam.query.x, 0.01);
        EXPECT_NEAR(beam.path.back().x, beam.key.x, 0.01);
        EXPECT_NEAR(beam.path.back().y, beam.key.y, 0.01);
        for (int i = 0; i < count; ++i) {
          if (!lines.words[static_cast<std::size_t>(i)].shown) continue;
          const draw::Box box = places.box(i);
          const draw::Box letters{box.x, box.centre().y - 0.4f * lines.size, box.w, 0.66f * lines.size};
          for (std::size_t n = 0; n < beam.path.size(); ++n) {
            const float part = static_cast<float>(n) / static_cast<float>(beam.path.size() - 1);
            const float half = (light.narrow + (light.wide - light.narrow) * part) / 2;
            ASSERT_FALSE(letters.inset(-half).has(beam.path[n]))
                << lines.widths.size() << " lines: from " << query << " to " << key << " over " << i;
          }
        }
      }
    }
  }
}

class ShareCardInWindow : public tests::ProgramTest {};

TEST_F(ShareCardInWindow, IsWrittenByTheExportCard) {
  const tests::ScratchFolder folder;
  Scene scene;
  scene.head = {2}, scene.query = {3};
  start(scene);
  shell_->exporter().folder = folder.path();
  done(pilot_.click("top/export"));
  pilot_.frames(3);
  done(pilot_.click("export/share card"));
  done(pilot_.click("export/format/SVG"));
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("export/width/85 mm column")) << "it has a size of its own";
  done(pilot_.click("export/write"));
  shell_->exporter().wait();
  pilot_.frames(2);
  const auto svg = io::read_file(folder / "headlight-attention-share.svg");
  ASSERT_TRUE(svg) << session_->message();
  EXPECT_THAT(*svg, HasSubstr("Headlight: " + strongest_of(scene, 1, 3)));
  // Its numbers are those of the map.
  done(pilot_.click("top/export"));
  pilot_.frames(3);
  done(pilot_.click("export/share card"));
  done(pilot_.click("export/format/CSV"));
  done(pilot_.click("export/write"));
  shell_->exporter().wait();
  pilot_.frames(2);
  EXPECT_TRUE(io::read_file(folder / "headlight-attention-share.csv")) << session_->message();
}

}  // namespace
}  // namespace headlight::app
