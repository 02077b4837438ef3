// A card alone in the window: on every page and for every card its words can be read from the last row, and
// nothing of it lies outside; it is alone in its box, under the sentence or the question of its page; as a
// file.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <regex>
#include <set>
#include <utility>

#include "draw/both_canvas.h"
#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "pages/compare/compare.h"
#include "pages/presets/presets.h"
#include "pictures/pages.h"
#include "pictures/present_figure.h"
#include "pictures/present_picture.h"
#include "presented.h"
#include "scene/settings.h"
#include "support/sanitized.h"
#include "support/xml.h"

namespace headlight::app::present_test {
namespace {

using draw::Box;
using draw::RecordCanvas;
using scene::Scene;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

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
        const Box room = layout_.room, ink = layout_.ink;
        const Placing& at = layout_.placing;
        EXPECT_GT(ink.w, 0) << where;
        EXPECT_GE(ink.x * at.scale + at.shift.x, room.x - 1) << where;
        EXPECT_LE(ink.right() * at.scale + at.shift.x, room.right() + 1) << where;
        EXPECT_GE(ink.y * at.scale + at.shift.y, room.y - 1) << where;
        EXPECT_LE(ink.bottom() * at.scale + at.shift.y, room.bottom() + 1) << where;
      }
    }
  }
}

/// The page is drawn for many areas until the layout is known: not for the same one twice.
TEST_F(Present, ASecondRoomOfASlideLooksAtTheSameAreasOnlyOnce) {
  compute({});
  const views::PageInput now = in();
  const DrawCards cards = draw_cards(page().view, now);
  int pages = 0;
  const DrawCards counted = [&](draw::Canvas& canvas, Box area, bool column) {
    ++pages;
    cards(canvas, area, column);
  };
  RecordCanvas measure;
  CardPlaces known;
  const Box room = present_room(sizes[0]);
  const float least = least_text(sizes[0].h);
  const CardLayout first = present_layout("map", counted, room, least, measure, known);
  const int of_first = std::exchange(pages, 0);
  const CardLayout second = present_layout("map", counted, room, least, measure, known);
  EXPECT_EQ(second.page, first.page);
  EXPECT_EQ(second.placing.part, first.placing.part);
  constexpr int areas = 80;
  EXPECT_EQ(pages, of_first - areas);
}

/// Slides follow each other without a jump: title and notes are where they were, and as large.
TEST_F(Present, TheTitleIsInTheSamePlaceOnEverySlide) {
  for (const PageInfo& info : pages()) {
    for (const int tokens : {1, 6, 13, 120, 512}) {
      if (tests::sanitized && tokens > 13) continue;
      Scene scene;
      scene.page = info.page(), scene.sentence = sentence_of(tokens);
      scene::repair(scene);
      compute(scene);
      RecordCanvas measure;
      const views::PageInput now = in();
      Placing as_slide;
      as_slide.least = 1;
      PresentCanvas page(measure, as_slide);
      draw_cards(info.view, now)(page, {0, 0, 1600, 1000}, true);
      for (const std::string& card : cards_of(info.view, now, measure).names) {
        const SlideHead head = page.head_of(card);
        EXPECT_NE(head.title, "") << info.room.title << ", " << card;
        for (const Box& window : sizes) {
          RecordCanvas slide;
          present_frame(slide, window, info.view, now, {info.room.title, 0, 3, true, card, head});
          for (const auto& text : slide.texts) {
            if (text.words != head.title || text.at.y < 3.3f * least_text(window.h)) continue;
            const std::string where = std::string(info.room.title) + ", " + card + ", " +
                                      std::to_string(tokens) + ": " + text.words;
            EXPECT_NEAR(text.at.x, 1.6f * least_text(window.h), 0.5f) << where;
            EXPECT_NEAR(text.style.size, window.h / 26, 0.5f) << where;
            EXPECT_NEAR(text.at.y / window.h, 4.35f / 40, 0.001f) << where;
            EXPECT_LE(text.box.bottom(), present_room(window).y) << where;
          }
        }
      }
    }
  }
}

/// A card of controls, or with one sentence, is no slide.
TEST_F(Present, ControlsAreNoSlides) {
  int cards = 0;
  for (const PageInfo& info : pages()) {
    if (info.view.no_slides.empty()) continue;
    Scene scene;
    scene.page = info.page();
    compute(scene);
    RecordCanvas measure;
    const PageCards all = cards_of(info.view, in(), measure);
    for (const std::string_view card : info.view.no_slides) {
      ++cards;
      EXPECT_EQ(all.place(std::string(card)), -1) << card;
      EXPECT_THAT(all.strips, testing::Not(Contains(std::string(card))));
      const auto requested =
          present_figure({.page = info.page(), .panel = std::string(card)}, FigureFormat::svg, in());
      ASSERT_FALSE(requested) << card;
      EXPECT_THAT(requested.error(), HasSubstr("has " + all.names.front()));
    }
  }
  EXPECT_GE(cards, 2);
}

/// Whatever is a card of a page can be presented, a strip by its name; only cards of controls cannot.
TEST_F(Present, EveryListedCardIsASlideUnlessItHasControlsAlone) {
  for (const PageInfo& info : pages()) {
    Scene scene;
    scene.page = info.page();
    compute(scene);
    const auto none = info.view.no_slides;
    for (const figure::Panel& panel : figure::panels_of([&](draw::Canvas& canvas) {
           info.view.draw(canvas, {0, 0, 1600, 1000}, in());
         })) {
      if (panel.name.empty() || std::find(none.begin(), none.end(), panel.name) != none.end()) continue;
      const auto slide = present_figure({.page = info.page(), .panel = panel.name}, FigureFormat::svg, in());
      EXPECT_TRUE(slide) << info.room.title << ", " << panel.name << ": " << (slide ? "" : slide.error());
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
          const bool requested = panel.name == card && panel.box == at.part;
          there = there || requested;
          const bool apart = panel.box.x >= at.part.right() || panel.box.right() <= at.part.x ||
                             panel.box.y >= at.part.bottom() || panel.box.bottom() <= at.part.y;
          EXPECT_TRUE(requested || apart || panel.box.w <= 0) << where << ": " << panel.name << " is in it";
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
  scene.query = {1};
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

/// The sum of the fast weights has one form at every size, and the words about its rounding.
TEST_F(Present, TheFastWeightsHaveTheSameNumbersAtEverySize) {
  Scene scene;
  scene.page = scene::Page::memory;
  scene.memory.step = 5;
  compute(scene);
  std::set<std::multiset<std::string>> seen;
  for (const Box& window :
       {Box{0, 0, 1280, 720}, Box{0, 0, 1440, 900}, Box{0, 0, 1920, 1080}, Box{0, 0, 3840, 2160}}) {
    std::multiset<std::string> numbers;
    bool stated = false;
    for (const auto& text : picture("fast", window).texts) {
      stated = stated || text.words.find("sums of exact numbers, then rounded") != std::string::npos;
      if (text.style.font == draw::Font::mono) numbers.insert(text.words);
    }
    EXPECT_TRUE(stated) << window.w;
    seen.insert(numbers);
  }
  EXPECT_EQ(seen.size(), 1u);
}

TEST_F(Present, AReferenceIsATableWhoseRowsAreWholeAndCounted) {
  const auto written = [](const RecordCanvas& canvas, const std::string& words) {
    const auto message = words_on(canvas);
    return std::count(message.begin(), message.end(), words);
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

TEST_F(Present, EveryContradictionAndEveryClockIsShown) {
  Scene scene;
  scene.page = scene::Page::presets;
  compute(scene);
  EXPECT_THAT(all_words(picture("contradictions", sizes[1])), testing::Not(testing::HasSubstr(" shown")));
  scene.page = scene::Page::position;
  compute(scene);
  EXPECT_THAT(all_words(picture("clocks", sizes[1])), testing::Not(testing::HasSubstr("showing ")));
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

TEST_F(Present, HasNoButtonsAndNoOtherCard) {
  compute({});
  const RecordCanvas shown = picture("bars", sizes[1]);
  EXPECT_THAT(all_words(shown), HasSubstr("weights over keys"));
  EXPECT_THAT(all_words(shown), testing::Not(HasSubstr("sorted")));
  EXPECT_THAT(all_words(shown), testing::Not(HasSubstr("entropy H")));
}

TEST_F(Present, AsAFileItIsTheSamePictureWithItsScene) {
  compute({});
  const views::PageInput now = in();
  const FigureRequest request{.page = scene::Page::attention, .panel = "map", .width = 1280, .height = 720};
  const auto svg = present_figure(request, FigureFormat::svg, now);
  ASSERT_TRUE(svg) << svg.error();
  EXPECT_EQ(tests::check_xml(*svg).error, "");
  EXPECT_THAT(*svg, HasSubstr("attends most to"));
  const auto missing = present_figure({.panel = "bar"}, FigureFormat::svg, now);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error(), HasSubstr("the page attention has no card \"bar\"; it has heads, map, bars"));
  scene::Scene training;
  training.page = scene::Page::training;
  compute(training);
  const auto none = present_figure({.page = training.page, .panel = "bar"}, FigureFormat::svg, in());
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error(), testing::Not(HasSubstr("header"))) << "controls are no slide";
}

}  // namespace
}  // namespace headlight::app::present_test
