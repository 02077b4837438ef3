// A card alone in the window: on every page and for every card its words can be read from the last row, and
// nothing of it lies outside; what is left out of a card without room for all its words; the sentence and the
// finding around it.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <regex>
#include <set>
#include <sstream>

#include "draw/both_canvas.h"
#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "pages/compare/compare.h"
#include "pages/presets/presets.h"
#include "pictures/pages.h"
#include "pictures/present_figure.h"
#include "pictures/present_picture.h"
#include "scene/settings.h"
#include "session/session.h"
#include "support/sanitized.h"
#include "support/xml.h"
#include "views/page_checks.h"

namespace headlight::app {
namespace {

using draw::Box;
using draw::RecordCanvas;
using draw::TextStyle;
using scene::Scene;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> words_on(const RecordCanvas& canvas) {
  std::vector<std::string> out;
  for (const auto& text : canvas.texts) out.push_back(text.words);
  return out;
}

/// Everything on it together.
std::string all_words(const RecordCanvas& canvas) {
  std::string out;
  for (const auto& text : canvas.texts) out += text.words;
  return out;
}

TEST(PresentCanvas, MovesShapesAndMakesSmallTextAsLargeAsItMustBe) {
  RecordCanvas paper;
  PresentCanvas canvas(paper, {{100, 100, 200, 100}, 2, {-150, -180}, 15});
  canvas.rect({110, 110, 10, 10}, {}, 1);
  canvas.rect({0, 0, 50, 50}, {}, 0);  // beside the card
  canvas.text({150, 150}, "small", {.size = 10});
  canvas.text({150, 180}, "large", {.size = 20});
  canvas.finish();
  EXPECT_THAT(paper.lines, Contains(HasSubstr("rect 70")));
  ASSERT_EQ(paper.texts.size(), 2u);
  EXPECT_EQ(paper.texts[0].style.size, 30);  // 15 units, twice as large
  EXPECT_EQ(paper.texts[1].style.size, 40);
  EXPECT_EQ(paper.texts[0].at, (draw::Point{150, 120}));
  EXPECT_EQ(std::count_if(paper.lines.begin(), paper.lines.end(),
                          [](const std::string& line) { return line.starts_with("rect"); }),
            1);
}

TEST(PresentCanvas, MeasuresWordsAsItWritesThem) {
  RecordCanvas paper;
  PresentCanvas canvas(paper, {{0, 0, 200, 100}, 3, {}, 16});
  EXPECT_FLOAT_EQ(canvas.text_width("four", {.size = 8}), paper.text_width("four", {.size = 16}));
  EXPECT_FLOAT_EQ(canvas.text_width("four", {.size = 20}), paper.text_width("four", {.size = 20}));
}

TEST(PresentCanvas, LeavesWholeRowsOfATableOut) {
  RecordCanvas paper;
  PresentCanvas canvas(paper, {{0, 0, 400, 400}, 1, {}, 24});
  for (int row = 0; row < 6; ++row) {
    const float y = 40 + 16 * static_cast<float>(row);
    // The names of every other row are a little larger, so that they would be written first.
    canvas.text({10, y}, "name " + std::to_string(row), {.size = row % 2 == 1 ? 13.f : 12.f});
    canvas.text({300, y}, std::to_string(row), {.size = 12});
  }
  canvas.finish();
  for (int row = 0; row < 6; ++row) {
    const std::string number = std::to_string(row);
    const auto said = words_on(paper);
    EXPECT_EQ(std::count(said.begin(), said.end(), "name " + number),
              std::count(said.begin(), said.end(), number))
        << row;
  }
  EXPECT_EQ(paper.texts.size(), 6u);
  EXPECT_GT(canvas.left_out(), 0);
}

TEST(PresentCanvas, AMapHasAllItsNumbersOrNone) {
  const auto written = [](float cell) {
    RecordCanvas paper;
    PresentCanvas canvas(paper, {{0, 0, 1000, 400}, 1, {}, 24});
    const float values[4] = {};
    canvas.heatmap({0, 0, 4 * cell, 40}, {.values = values, .rows = 1, .cols = 4, .row_stride = 4});
    const TextStyle style{.size = 12, .font = draw::Font::mono, .align = draw::Align::centre};
    for (const char* number : {"0.1", "0.2", "0.33333", "0.4"}) {
      canvas.text({static_cast<float>(number[2] - '1') * cell + cell / 2, 26}, number, style);
    }
    canvas.finish();
    return paper.texts.size();
  };
  EXPECT_EQ(written(120), 4u);
  EXPECT_EQ(written(60), 0u);  // the third one touches its neighbours
}

class Present : public testing::Test {
 protected:
  void compute(Scene scene) {
    scene.training.steps = 12, scene.training.batch = 8;
    session_ = std::make_unique<Session>(Session::Start{.scene = scene, .autosave = {}});
    session_->wait();
  }
  views::PageInput in() const { return page_input(*session_, draw::theme(true)); }
  const PageInfo& page() const { return page_info(session_->scene().page); }

  /// The card as it is shown in a window of this size; empty when it is not on the page.
  RecordCanvas picture(const std::string& card, Box window) {
    RecordCanvas canvas;
    const views::PageInput now = in();
    layout_ = present_layout(card, page().view, now, window, canvas);
    if (layout_.page.w <= 0) return canvas;
    present_frame(canvas, window, page().view, now, {page().room.title, 0, 3, true, card});
    PresentCanvas placed(canvas, layout_.placing);
    draw_cards(page().view, now)(placed, layout_.page, layout_.column);
    placed.finish();
    return canvas;
  }

  /// Large enough, and nothing of it outside of the window.
  void check(const RecordCanvas& canvas, Box window, const std::string& where) {
    ASSERT_FALSE(canvas.texts.empty()) << where;
    for (const auto& text : canvas.texts) {
      EXPECT_GE(text.style.size, least_text(window.h) * 0.999f) << where << ": " << text.words;
      EXPECT_GE(text.box.x, 0) << where << ": " << text.words;
      EXPECT_GE(text.box.y, 0) << where << ": " << text.words;
      EXPECT_LE(text.box.right(), window.right()) << where << ": " << text.words;
      EXPECT_LE(text.box.bottom(), window.bottom()) << where << ": " << text.words;
    }
    for (const draw::Mark& mark : canvas.marks) {
      if (mark.area.w <= 0) continue;
      EXPECT_GE(mark.area.x, 0) << where << ": " << mark.name;
      EXPECT_GE(mark.area.y, 0) << where << ": " << mark.name;
      EXPECT_LE(mark.area.right(), window.right() + 0.1f) << where << ": " << mark.name;
      EXPECT_LE(mark.area.bottom(), window.bottom() + 0.1f) << where << ": " << mark.name;
    }
  }

  std::unique_ptr<Session> session_;
  CardLayout layout_;
};

const Box sizes[] = {{0, 0, 1280, 720}, {0, 0, 1600, 1000}, {0, 0, 3840, 2160}};

TEST_F(Present, EveryCardOfEveryPageCanBeReadFromTheLastRow) {
  for (const PageInfo& info : pages()) {
    Scene scene;
    scene.page = info.page();
    compute(scene);
    RecordCanvas measure;
    const PageCards cards = cards_of(info.view, in(), measure);
    ASSERT_FALSE(cards.names.empty()) << info.room.title;
    EXPECT_GE(cards.place(cards.hero), 0) << info.room.title;
    for (const std::string& card : cards.names) {
      for (const Box& window : sizes) {
        const std::string where =
            std::string(info.room.title) + ", " + card + ", " + std::to_string(static_cast<int>(window.h));
        const RecordCanvas shown = picture(card, window);
        ASSERT_GT(layout_.page.w, 0) << where;
        check(shown, window, where);
        const Box room = present_room(window);
        const Placing& at = layout_.placing;
        EXPECT_LE(at.part.w * at.scale, room.w + 1) << where;
        EXPECT_LE(at.part.h * at.scale, room.h + 1) << where;
      }
    }
  }
}

/// Nobody types on a slide: of one token it says only what is so.
TEST_F(Present, NothingInvitesToType) {
  static const std::regex invites("\\b(click|press|drag|type)\\b", std::regex::icase);
  for (const PageInfo& info : pages()) {
    Scene scene;
    scene.page = info.page(), scene.sentence = "cat";
    scene::repair(scene);
    compute(scene);
    RecordCanvas measure;
    for (const std::string& card : cards_of(info.view, in(), measure).names) {
      for (const std::string& words : words_on(picture(card, sizes[0])))
        EXPECT_FALSE(std::regex_search(words, invites)) << info.room.title << ", " << card << ": " << words;
    }
  }
}

/// At the foot of a slide is a sentence, no row of facts; its numbers are those of the scene.
TEST_F(Present, WhatWasFoundIsASentence) {
  // Every card of these pages has one.
  const std::set<scene::Page> all_told = {scene::Page::position, scene::Page::memory, scene::Page::cost,
                                          scene::Page::block,    scene::Page::worked, scene::Page::training};
  for (const PageInfo& info : pages()) {
    Scene scene;
    scene.page = info.page();
    compute(scene);
    RecordCanvas measure;
    int told = 0;
    for (const std::string& card : cards_of(info.view, in(), measure).names) {
      const std::string said = finding(info.view, in(), card);
      if (all_told.contains(info.page())) EXPECT_NE(said, "") << info.room.title << ", " << card;
      if (said.empty()) continue;
      ++told;
      const auto first = static_cast<unsigned char>(said.front());
      EXPECT_TRUE(said.starts_with("“") || std::isupper(first) != 0 || std::isdigit(first) != 0) << said;
      EXPECT_THAT(said, testing::Not(HasSubstr("  "))) << info.room.title;
      EXPECT_THAT(said, testing::Not(HasSubstr(" · "))) << info.room.title;
      EXPECT_FALSE(said.ends_with(".")) << said;
    }
    EXPECT_GT(told, 0) << info.room.title;
  }
  Scene scene;
  scene.page = scene::Page::model;
  for (const auto score : {scene::ModelScore::previous, scene::ModelScore::entropy}) {
    scene.model.score = score;
    compute(scene);
    const bool entropy = score == scene::ModelScore::entropy;
    EXPECT_THAT(finding(page().view, in(), ""),
                AllOf(testing::StartsWith("Head " + in().text("model_best_head") + " has the "),
                      HasSubstr(entropy ? "lowest entropy" : "highest weight on the previous token"),
                      HasSubstr(entropy ? " bits on average" : " on average")));
  }
  scene.model.score = scene::ModelScore::itself;
  scene.sentence = "the";  // every head has 1 there
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), ""),
              testing::StartsWith("No head comes first: several have the highest"));
  EXPECT_THAT(page().view.status(in()), HasSubstr("highest: several, weight on itself 1.00"));
  scene.sentence = Scene().sentence;
  scene.page = scene::Page::memory;
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), "fast"), HasSubstr(in().text("fast_residual")));
  EXPECT_THAT(finding(page().view, in(), "retrieval"), HasSubstr(in().text("noisy_recovered") + " of "));
  EXPECT_THAT(finding(page().view, in(), "linear"), HasSubstr("by up to " + in().text("linear_difference")));
  EXPECT_THAT(finding(page().view, in(), "error"), HasSubstr(in().text("linear_error T=256")));
  EXPECT_THAT(finding(page().view, in(), "influence"),
              HasSubstr(in().text("recurrence_influence distance=31") + " through a recurrence"));
  EXPECT_THAT(finding(page().view, in(), "lineage"), HasSubstr(in().text("fast_residual")));
  EXPECT_EQ(finding(page().view, in(), "other"), "") << "of another page";
  scene.page = scene::Page::position;
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), "uniqueness"),
            "No two rows of P are equal: the closest, such as those of positions " +
                in().text("closest_row") + " and " + in().text("closest_other") + ", are " +
                in().text("closest") + " apart");
  scene.page = scene::Page::variants;
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), "decoding"), HasSubstr(in().text("decoding_forgotten")));
  scene.page = scene::Page::compare;
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), "off"),
            "The output changes most without head 1: by " + in().text("effect head=1") + " of its norm");
  EXPECT_THAT(finding(page().view, in(), "roles"),
              testing::StartsWith("A, head 1: no target far above uniform; B, head 2: same token 0.331, "));
  scene.page = scene::Page::model, scene.model.score = scene::ModelScore::previous;
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), "head"),
            "Head 1: weight on the previous token " + in().text("model_previous head=1") +
                " on average; uniform attention has " + in().text("model_uniform_previous"));
  scene.model.off = "1.1";
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), "head"),
              testing::StartsWith("Head 1, switched off in the predictions: "));
  scene.model.off = {}, scene.page = scene::Page::compare;
  scene.compare.off = {2, 3};
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), "off"),
            "Without 2 heads the output changes by " + in().text("bench_change"));
  scene.compare.off = {};
  scene.sentence = "the";  // nothing to differ
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), "roles"),
            "A, head 1: itself 1.000, the only key; B, head 2: itself 1.000, the only key");
  scene.page = scene::Page::memory;
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), "linear"), testing::StartsWith("Linear and softmax attention have"));
  scene.page = scene::Page::variants;
  compute(scene);
  EXPECT_EQ(
      finding(page().view, in(), "decoding"),
      "Token by token, the outputs are those of all tokens at once; so they are with the offset left at 0");
  scene.sentence = Scene().sentence;
  scene.page = scene::Page::block;
  compute(scene);
  const auto& stream = session_->results().own_as<scene::BlockResults>()->stream;
  const auto norm = [&](std::size_t stage) {
    return in().text("stream_norm stage=" + std::to_string(stage));
  };
  EXPECT_EQ(finding(page().view, in(), "flow"), "The mean norm of a token goes from " + norm(0) + " to " +
                                                    norm(stream.size() - 2) + " in 6 layers, and to " +
                                                    norm(stream.size() - 1) + " in the final norm");
  scene.page = scene::Page::order;
  ASSERT_TRUE(scene::set_field(scene, "order_permutation=1,0,2,3,4,5"));
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), ""), HasSubstr("changes by up to " + in().text("order_difference")));
}

/// "page=order;heads=2".
Scene scene_with(const std::string& settings) {
  Scene scene;
  std::istringstream all(settings);
  for (std::string one; std::getline(all, one, ';');) EXPECT_TRUE(scene::set_field(scene, one)) << one;
  return scene;
}

/// Scenes at the edge of what a sentence is about: it still says what is so.
TEST_F(Present, WhatWasFoundHoldsAtTheEdges) {
  struct Edge {
    const char *settings, *card, *said, *not_said;
  };
  const Edge edges[] = {
      {"page=bench;mask=valid_length;valid_length=0;model=pronouns-free", "off",
       "The output is the same without any one head", "most"},
      {"page=bench;heads=2;temperature=100", "similarity", "a cosine above 0.995", "1.00"},
      {"page=memory;memory_write=delta", "fast", "In float32 and in double precision, y agrees to within",
       "over the keys"},
      {"page=memory;memory_write=sum", "fast", "over the keys give the same y to within", "double"},
      {"page=position;heads=1;d_model=3", "rotation", " for every pair; the last sine has none", "NaN"},
      {"page=position;positions=1", "p", "P is 1 × 32", "holds to"},
      {"page=position;heads=1;d_model=2;positions=1000", "uniqueness", "the closest, such as those",
       "Positions"},
      {"page=model;model_score=entropy;heads=2;temperature=10;seed=5", "",
       "No head comes first: several have the lowest entropy, 2.58 bits", "2.578"},
      {"page=variants;variants_a_mask=padding;variants_valid=0", "difference",
       "A has no weights: every key is masked", "moves"},
      {"page=variants;variants_b_mask=padding;variants_valid=0;variants_a_mask=causal", "difference",
       "B has no weights: every key is masked", "moves"},
      {"page=variants;variants_a_mask=padding;variants_b_mask=padding;variants_valid=0", "difference",
       "A and B have no weights: every key is masked", "moves"}};
  for (const Edge& edge : edges) {
    SCOPED_TRACE(std::string(edge.settings) + ", " + edge.card);
    compute(scene_with(edge.settings));
    const std::string said = finding(page().view, in(), edge.card);
    EXPECT_THAT(said, HasSubstr(edge.said));
    EXPECT_THAT(said, testing::Not(HasSubstr(edge.not_said)));
  }
  compute(scene_with("page=position;heads=1;d_model=1"));
  EXPECT_EQ(in().text("clocks"), "0");
  EXPECT_TRUE(std::isnan(in().value("rotation_residual"))) << "nothing rotates";
}

/// The cards of the page as a slide of this layout draws it, in units of the page.
std::vector<draw::PickCanvas::Panel> cards_drawn(const PageInfo& page, const views::PageInput& in,
                                                 const CardLayout& layout) {
  RecordCanvas nothing;
  PresentCanvas card(nothing, layout.placing);
  draw::PickCanvas pick({-2e6f, -2e6f}, card);
  draw::BothCanvas both(card, pick);
  draw_cards(page.view, in)(both, layout.page, layout.column);
  card.finish();
  return pick.panels();
}

constexpr const char* long_sentence = "the animal did not cross the street because it was too tired today";

TEST_F(Present, OnEverySlideTheAskedCardIsAloneInItsBox) {
  for (const PageInfo& info : pages()) {
    Scene scene;
    scene.page = info.page();
    scene.sentence = long_sentence;
    compute(scene);
    RecordCanvas measure;
    const PageCards cards = cards_of(info.view, in(), measure);
    for (const std::string& card : cards.names) {
      if (tests::sanitized && card != cards.hero) continue;
      for (const Box& window : {sizes[1], sizes[2]}) {
        if (tests::sanitized && window.h > 1000) continue;
        const std::string where =
            std::string(info.room.title) + ", " + card + ", " + std::to_string(static_cast<int>(window.h));
        const RecordCanvas shown = picture(card, window);
        ASSERT_GT(layout_.page.w, 0) << where;
        const Placing& at = layout_.placing;
        bool there = false;
        for (const auto& panel : cards_drawn(info, in(), layout_)) {
          const bool asked = panel.name == card && panel.box == at.part;
          there = there || asked;
          const bool apart = panel.box.x >= at.part.right() || panel.box.right() <= at.part.x ||
                             panel.box.y >= at.part.bottom() || panel.box.bottom() <= at.part.y;
          EXPECT_TRUE(asked || apart || panel.box.w <= 0) << where << ": " << panel.name << " is in it";
        }
        EXPECT_TRUE(there) << where;
        // Everything of the page is drawn between this clip and its end.
        char clip[96];
        std::snprintf(clip, sizeof clip, "clip %.1f %.1f %.1f %.1f",
                      static_cast<double>(at.part.x * at.scale + at.shift.x),
                      static_cast<double>(at.part.y * at.scale + at.shift.y),
                      static_cast<double>(at.part.w * at.scale), static_cast<double>(at.part.h * at.scale));
        EXPECT_THAT(shown.lines, Contains(std::string(clip))) << where;
      }
    }
  }
}

TEST_F(Present, TheSentenceHasTheQueryAndTheKeyThatTheCardHas) {
  const auto in_colour = [&](const RecordCanvas& canvas, draw::Color color) {
    std::vector<std::string> out;
    for (const auto& text : canvas.texts) {
      if (text.style.color == color && text.box.bottom() < present_room(sizes[1]).y)
        out.push_back(text.words);
    }
    return out;
  };
  const draw::Theme& theme = draw::theme(true);
  Scene scene;
  scene.sentence = long_sentence;
  scene.page = scene::Page::compare;
  compute(scene);
  const scene::CompareResults& compared = *session_->results().own_as<scene::CompareResults>();
  const auto token = [&](int i) { return session_->results().tokens[static_cast<std::size_t>(i)].text; };
  const RecordCanvas maps = picture("maps", sizes[1]);
  const int pinned = scene.query.front();
  EXPECT_THAT(in_colour(maps, theme.query), ElementsAre(token(pinned)));
  EXPECT_THAT(in_colour(maps, theme.key),
              ElementsAre(token(compared.largest_keys[static_cast<std::size_t>(pinned)])));
  EXPECT_THAT(in_colour(picture("roles", sizes[1]), theme.query), testing::IsEmpty());
  scene.page = scene::Page::memory;
  scene.memory.step = 5;
  compute(scene);
  EXPECT_THAT(in_colour(picture("fast", sizes[1]), theme.query), ElementsAre("cross"));
  EXPECT_THAT(in_colour(picture("fast", sizes[1]), theme.key), testing::IsEmpty());
  scene.page = scene::Page::block;
  compute(scene);
  EXPECT_THAT(in_colour(picture("flow", sizes[1]), theme.query), testing::IsEmpty());
}

TEST_F(Present, AReferenceIsATableWhoseRowsAreWholeAndCounted) {
  const auto written = [](const RecordCanvas& canvas, const std::string& words) {
    const auto said = words_on(canvas);
    return std::count(said.begin(), said.end(), words);
  };
  Scene scene;
  scene.page = scene::Page::presets;
  compute(scene);
  const auto& presets = session_->results().own_as<scene::PresetsResults>()->presets;
  for (const Box& window : sizes) {
    const RecordCanvas list = picture("list", window);
    std::ptrdiff_t rows = 0;
    for (const char* verdict : {"agrees", "formula", "differs", "contradiction"})
      rows += written(list, verdict);
    EXPECT_EQ(rows, static_cast<std::ptrdiff_t>(presets.size()));
  }
  for (std::size_t n = 0; n < presets.size(); n += tests::sanitized ? 12 : 1) {
    scene.presets.shown = static_cast<int>(n) + 1;
    compute(scene);
    const auto& preset = session_->results().own_as<scene::PresetsResults>()->presets[n];
    const RecordCanvas one = picture("preset", sizes[1]);
    std::ptrdiff_t rows = 0;
    for (const char* verdict : {"agrees", "same formula", "differs"}) rows += written(one, verdict);
    const auto all = std::count_if(preset.lines.begin(), preset.lines.end(),
                                   [](const scene::PresetLine& line) { return !line.here.empty(); });
    const bool counted =
        all_words(one).find(" of " + std::to_string(preset.lines.size()) + " shown") != std::string::npos;
    EXPECT_TRUE(rows == all || counted) << preset.title << ": " << rows << " of " << all;
    EXPECT_GE(written(one, "Headlight"), 1) << preset.title;
    for (std::size_t i = 0; i < one.texts.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Box a = one.texts[i].box, b = one.texts[j].box;
        const float across = std::min(a.right(), b.right()) - std::max(a.x, b.x),
                    down = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
        EXPECT_FALSE(across > 1 && down > 0.25f * std::min(a.h, b.h))
            << preset.title << ": " << one.texts[i].words << " | " << one.texts[j].words;
      }
    }
  }
}

TEST_F(Present, ACardThatShowsNothingOfTheSentenceHasTheQuestionAboveIt) {
  int cards = 0;
  for (const PageInfo& one : pages()) {
    if (one.view.without_sentence.empty()) continue;
    Scene scene;
    scene.sentence = long_sentence;
    scene.page = one.page();
    compute(scene);
    RecordCanvas measure;
    const PageCards all = cards_of(one.view, in(), measure);
    for (const std::string_view card : one.view.without_sentence) {
      EXPECT_GE(all.place(std::string(card)), 0) << card << " is no card of " << one.room.title;
      const RecordCanvas shown = picture(std::string(card), sizes[1]);
      if (shown.texts.empty()) continue;  // of a step of the build-up that is not on the page now
      ++cards;
      EXPECT_THAT(words_on(shown), Contains(one.view.question(in()))) << card;
      EXPECT_THAT(words_on(shown), testing::Not(Contains("street"))) << card;
    }
  }
  EXPECT_GE(cards, 10);
}

TEST_F(Present, ACardThatOnlySaysThatThereIsNothingIsNoSlide) {
  Scene scene;
  scene.page = scene::Page::model;
  compute(scene);
  RecordCanvas measure;
  EXPECT_THAT(cards_of(page().view, in(), measure).names, ElementsAre("atlas", "head"));
}

TEST_F(Present, TheMapHasNothingAtItsEdgesThatMeets) {
  Scene scene;
  scene.sentence = long_sentence;
  compute(scene);
  for (const Box& window : sizes) {
    const RecordCanvas shown = picture("map", window);
    EXPECT_THAT(words_on(shown), Contains("today"));
    EXPECT_THAT(all_words(shown), testing::Not(HasSubstr("…")));
    EXPECT_THAT(all_words(shown), testing::Not(HasSubstr("received")));
    // Which are the queries is said above it, and what is asked by the sentence and the finding.
    EXPECT_THAT(all_words(shown), HasSubstr("Rows: queries · Columns: keys"));
    EXPECT_THAT(all_words(shown), testing::Not(HasSubstr("What does")));
    EXPECT_THAT(words_on(shown), testing::Not(Contains("query ↓")));
    EXPECT_THAT(words_on(shown), Contains("weight α")) << "the name of the colour scale";
  }
}

std::string sentence_of(int tokens) {
  std::string out;
  for (int i = 0; i < tokens; ++i) out += (i > 0 ? " w" : "w") + std::to_string(i);
  return out;
}

TEST_F(Present, TheMapIsAsHighAsTheSlideAllows) {
  for (const int tokens : {1, 2, 6}) {
    Scene scene;
    scene.sentence = sentence_of(tokens);
    compute(scene);
    const RecordCanvas shown = picture("map", sizes[1]);
    ASSERT_FALSE(shown.maps.empty());
    EXPECT_GT(shown.maps.front().box.h, 0.7f * present_room(sizes[1]).h) << tokens;
  }
}

TEST_F(Present, TheSentenceMayHaveOneTokenOrAHundredAndTwenty) {
  for (const int tokens : {1, 13, 120}) {
    Scene scene;
    scene.sentence = sentence_of(tokens);
    scene.query = {tokens - 1};
    scene.key = tokens / 2;
    compute(scene);
    RecordCanvas measure;
    for (const std::string& card : cards_of(page().view, in(), measure).names) {
      for (const Box& window : sizes) {
        if (tests::sanitized && window.h != 1000) continue;
        const std::string where = std::to_string(tokens) + " tokens, " + card;
        const RecordCanvas shown = picture(card, window);
        ASSERT_GT(layout_.page.w, 0) << where;
        check(shown, window, where);
        // Both are named on top, in their colours.
        const auto on_top = [&](int token, draw::Color color) {
          return std::any_of(shown.texts.begin(), shown.texts.end(), [&](const RecordCanvas::Text& text) {
            return text.words == "w" + std::to_string(token) && text.style.color == color &&
                   text.box.bottom() < present_room(window).y;
          });
        };
        const draw::Theme& theme = draw::theme(true);
        EXPECT_TRUE(on_top(tokens - 1, theme.query)) << where;
        EXPECT_TRUE(tokens == 1 || on_top(tokens / 2, theme.key)) << where;
      }
    }
  }
}

TEST_F(Present, TheFindingSaysWhatWasComputed) {
  Scene scene;
  compute(scene);
  const nn::AttentionTrace& trace = session_->results().attention;
  const auto shown = trace.weights.row(0, 1);
  const std::vector<float> row(shown.begin(), shown.end());  // the next computation takes its memory
  const auto strongest = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
  const auto weight = [&](int key) {
    return base::weight_text(static_cast<double>(row[static_cast<std::size_t>(key)]), 2);
  };
  const auto token = [&](int i) { return session_->results().tokens[static_cast<std::size_t>(i)].text; };
  EXPECT_EQ(finding(page().view, in(), ""),
            "“cat” attends most to “" + token(strongest) + "” with weight " + weight(strongest));
  EXPECT_TRUE(
      finding(page().view, in(), "cell")
          .ends_with(" with weight " +
                     base::weight_text(static_cast<double>(row[static_cast<std::size_t>(strongest)]), 3)))
      << "with the digits of its card";
  scene.key = strongest == 0 ? 1 : 0;
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), ""),
            "“cat” attends to “the” " + std::to_string(scene.key) + " with weight " + weight(scene.key));
  scene.page = scene::Page::presets;  // whose status is one
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), "preset"), page().view.status(in()));
  EXPECT_THAT(finding(page().view, in(), "contradictions"),
              HasSubstr(in().text("presets_contradictions") + " show"))
      << "which are not about that example";
}

TEST_F(Present, AMaskedPairIsSaidToBeMasked) {
  Scene scene;
  ASSERT_TRUE(scene::set_field(scene, "mask=causal"));
  scene.query = {1}, scene.key = 4;
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), ""), "“cat” may not attend to “the” 4: masked");
}

TEST_F(Present, TheFindingOfTheHeadsNamesTheOneWithTheLowestEntropy) {
  compute({});
  const auto& heads = session_->results().heads;
  const auto lowest = std::min_element(heads.begin(), heads.end(), [](const auto& a, const auto& b) {
    return a.entropy_bits < b.entropy_bits;
  });
  const std::string words = finding(page().view, in(), "heads");
  EXPECT_TRUE(words.starts_with("Head " + std::to_string(lowest - heads.begin() + 1) +
                                " has the lowest mean entropy, " + base::fixed(lowest->entropy_bits, 2) +
                                " bits"))
      << words;
  EXPECT_THAT(words, testing::Not(HasSubstr("colours"))) << "a short sentence has the scale from 0 to 1";
}

TEST_F(Present, HasNoButtonsAndNoOtherCard) {
  compute({});
  const RecordCanvas shown = picture("bars", sizes[1]);
  EXPECT_THAT(all_words(shown), HasSubstr("weights over keys"));
  EXPECT_THAT(all_words(shown), testing::Not(HasSubstr("sorted")));
  EXPECT_THAT(all_words(shown), testing::Not(HasSubstr("entropy H")));
}

/// A difference has a sign more than the weights beside it. Where that does not fit there is no number, and
/// never one of another form.
TEST_F(Present, TheMapOfDifferencesHasNumbersOfTheSameFormAsTheWeights) {
  Scene scene;
  scene.page = scene::Page::compare;
  compute(scene);
  for (const Box& window : sizes) {
    const RecordCanvas shown = picture("maps", window);
    std::size_t weights = 0;
    for (const auto& text : shown.texts) {
      if (text.style.font != draw::Font::mono) continue;
      weights += text.words.size() == 4 && text.words.starts_with("0.") ? 1 : 0;
      EXPECT_FALSE(text.words.starts_with("−.") || text.words.starts_with(".")) << text.words;
    }
    EXPECT_GT(weights, 40u) << window.w;
  }
}

/// Of a long sentence only some keys are named, and their slanted names are not closer than lines of text.
TEST_F(Present, NamesOfKeysOfALongSentenceAreApart) {
  for (const int tokens : {40, 60, 90, 120}) {
    Scene scene;
    scene.sentence.clear();
    for (int i = 0; i < tokens; ++i)
      scene.sentence += i % 3 == 0 ? "the " : i % 3 == 1 ? "jumps " : "quickly ";
    compute(scene);
    for (const Box& window : sizes) {
      const RecordCanvas shown = picture("map", window);
      std::vector<const RecordCanvas::Text*> slanted;
      for (const auto& text : shown.texts) {
        if (text.style.turn != 0) slanted.push_back(&text);
      }
      for (std::size_t i = 1; i < slanted.size(); ++i) {
        const float along = std::abs(slanted[i]->at.x - slanted[i - 1]->at.x);
        EXPECT_GT(along * std::sin(50 * std::numbers::pi_v<float> / 180), 0.95f * slanted[i]->style.size)
            << slanted[i]->words << " of " << tokens << " in " << window.w;
      }
    }
  }
}

/// Pieces of words are short, and their columns narrow: there is a blank between their names.
TEST_F(Present, NamesOfColumnsDoNotMeet) {
  Scene scene;
  scene.page = scene::Page::compare;
  scene.sentence = "a th e ca t sa t on ma t";
  compute(scene);
  for (const Box& window : sizes) {
    const RecordCanvas shown = picture("maps", window);
    const float least = 0.3f * least_text(window.h);
    for (const auto& a : shown.texts) {
      for (const auto& b : shown.texts) {
        const bool names = a.style.turn == 0 && a.style.align == draw::Align::centre &&
                           b.style.align == draw::Align::centre && a.style.font != draw::Font::mono &&
                           b.style.font != draw::Font::mono && a.at.y == b.at.y && a.at.x < b.at.x;
        if (names) EXPECT_GE(b.box.x - a.box.right(), least) << window.w << ": " << a.words << b.words;
      }
    }
  }
}

TEST_F(Present, TheRecordedPicture) {
  Scene scene;
  scene.sentence = "the animal does not cross the street because it is too tired .";
  scene.query = {8}, scene.head = {2};
  compute(scene);
  views::test::expect_recorded("present_map.txt", picture("map", sizes[1]));
}

TEST_F(Present, AsAFileItIsTheSamePictureWithItsScene) {
  compute({});
  const views::PageInput now = in();
  const FigureWish wish{.page = scene::Page::attention, .panel = "map", .width = 1280, .height = 720};
  const auto svg = present_figure(wish, FigureFormat::svg, now);
  ASSERT_TRUE(svg) << svg.error();
  EXPECT_EQ(tests::check_xml(*svg).error, "");
  EXPECT_THAT(*svg, HasSubstr("attends most to"));
  const auto missing = present_figure({.panel = "bar"}, FigureFormat::svg, now);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error(),
              HasSubstr("unknown card \"bar\": the page \"attention\" has heads, map, bars"));
  scene::Scene training;
  training.page = scene::Page::training;
  compute(training);
  const auto none = present_figure({.page = training.page, .panel = "bar"}, FigureFormat::svg, in());
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error(), HasSubstr("header"))
      << "a strip of controls, which is presented when it is named";
}

}  // namespace
}  // namespace headlight::app
