// Maps on slides: their size, their numbers, and names along their edges that do not meet, for sentences of
// one token to a hundred and twenty.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "draw/record_canvas.h"
#include "pictures/pages.h"
#include "pictures/present_picture.h"
#include "presented.h"
#include "support/sanitized.h"
#include "views/page_checks.h"

namespace headlight::app::present_test {
namespace {

using draw::Box;
using draw::RecordCanvas;
using scene::Scene;
using testing::Contains;
using testing::HasSubstr;

/// A card that is small on its page has its numbers when it is enlarged: what counts is the text of the
/// slide.
TEST_F(Present, ASmallMapHasItsNumbersWhereTheyFitOnTheSlide) {
  Scene scene;
  scene.page = scene::Page::block;
  scene.sentence = "the animal did not cross the street because it was too tired today";
  compute(scene);
  int numbers = 0;
  for (const std::string& words : words_on(picture("map", {0, 0, 1280, 720})))
    if (words.starts_with("0.") && words.size() == 4) ++numbers;
  EXPECT_GE(numbers, 100) << "of 13 × 13 cells";
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
    EXPECT_THAT(words_on(shown), testing::Not(Contains("query ↓")));
    EXPECT_THAT(words_on(shown), Contains("weight α")) << "the name of the colour scale";
  }
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

/// How much of the free rectangle the picture has, across and down.
TEST_F(Present, PicturesOfMapsFillTheFreeRectangle) {
  struct Slide {
    scene::Page page;
    const char* card;
  };
  for (const Slide& one : {Slide{scene::Page::order, "parts"},
                           {scene::Page::attention, "heads"},
                           {scene::Page::block, "overview"},
                           {scene::Page::variants, "a"}}) {
    for (const int tokens : {1, 13, 120}) {
      if (tokens == 1 && one.page == scene::Page::variants) continue;  // one square in the middle
      Scene scene;
      scene.page = one.page, scene.sentence = tokens == 13 ? long_sentence : sentence_of(tokens);
      scene::repair(scene);
      compute(scene);
      for (const Box& window : {sizes[0], sizes[2]}) {
        const RecordCanvas slide = picture(one.card, window);
        const std::string where = std::string(one.card) + ", " + std::to_string(tokens) + " tokens, " +
                                  std::to_string(static_cast<int>(window.h));
        const Box &room = layout_.room, &ink = layout_.ink;
        const float scale = layout_.placing.scale;
        EXPECT_GE(ink.w * scale, 0.8f * room.w) << where;
        EXPECT_GE(ink.h * scale, 0.8f * room.h) << where;
      }
    }
  }
}

TEST_F(Present, TheHeadsOfOneLayerFillTheirSlide) {
  Scene scene;
  scene.page = scene::Page::block, scene.sentence = long_sentence, scene.block.layers = 1;
  scene::repair(scene);
  compute(scene);
  const RecordCanvas slide = picture("overview", sizes[0]);
  float bottom = 0;
  for (const auto& map : slide.maps)
    if (map.map.rows > 1) bottom = std::max(bottom, map.box.bottom());
  EXPECT_GE(bottom, layout_.room.bottom() - 0.25f * layout_.room.h) << "the scale is directly below them";
}

TEST_F(Present, TheMapOfALongSentenceIsInTheMiddleOfItsSlide) {
  Scene scene;
  scene.page = scene::Page::variants, scene.sentence = sentence_of(300);
  scene::repair(scene);
  compute(scene);
  for (const char* card : {"a", "b"}) {
    const RecordCanvas slide = picture(card, sizes[0]);
    const auto largest = std::max_element(
        slide.maps.begin(), slide.maps.end(),
        [](const auto& one, const auto& other) { return one.box.w * one.box.h < other.box.w * other.box.h; });
    ASSERT_NE(largest, slide.maps.end());
    EXPECT_GE(largest->box.w, 0.75f * sizes[0].w) << card;
    EXPECT_NEAR(largest->box.centre().x, sizes[0].w / 2, 0.06f * sizes[0].w) << card;
  }
}

/// Its table is narrower where the cells are then wide enough.
TEST_F(Present, TheDifferenceOfVariantsHasItsNumbers) {
  Scene scene;
  scene.page = scene::Page::variants, scene.sentence = long_sentence;
  scene::repair(scene);
  compute(scene);
  for (const Box window : {Box{0, 0, 1280, 720}, Box{0, 0, 1707, 960}}) {
    int numbers = 0;
    for (const std::string& words : words_on(picture("difference", window)))
      if (words.starts_with("−0.") || words.starts_with("+0.") ||
          (words.starts_with("0.") && words.size() == 4))
        ++numbers;
    EXPECT_GE(numbers, 60) << window.w;
  }
}

TEST_F(Present, WhatIsWrittenAroundPIsWholeAndTouchesNoLine) {
  Scene scene;
  scene.page = scene::Page::position, scene.positions.axis = scene::PAxis::across;
  scene::repair(scene);
  compute(scene);
  const Box window{0, 0, 1280, 720};
  EXPECT_THAT(words_on(picture("p", window)), Contains("wavelength"));
  const RecordCanvas plot = picture("uniqueness", window);
  const auto apart = std::find_if(plot.texts.begin(), plot.texts.end(), [](const RecordCanvas::Text& text) {
    return text.words.find(" apart: ") != std::string::npos;
  });
  ASSERT_NE(apart, plot.texts.end());
  int below = 0;
  for (const std::string& line : plot.lines) {
    draw::Point a, b;
    if (std::sscanf(line.c_str(), "line %f %f %f %f", &a.x, &a.y, &b.x, &b.y) != 4 || a.x != b.x) continue;
    if (a.x < apart->box.x || a.x > apart->box.right()) continue;
    EXPECT_GE(a.y, apart->box.bottom()) << "the line of the distance";
    ++below;
  }
  EXPECT_GE(below, 1);
}

/// The arrow keys walk the tokens there.
TEST_F(Present, EveryHeadHasTheRowOfTheQueryFramed) {
  Scene scene;
  scene.sentence = long_sentence, scene.query = {4}, scene.key = 9, scene.mask.causal = true;
  scene::repair(scene);
  compute(scene);
  const RecordCanvas slide = picture("heads", sizes[0]);
  int framed = 0;
  for (const auto& map : slide.maps) {
    if (map.map.rows != 13) continue;
    const float row = map.box.h / 13, top = map.box.y + 4 * row, right = map.box.x + 5 * map.box.w / 13;
    framed += std::any_of(slide.lines.begin(), slide.lines.end(), [&](const std::string& line) {
      Box box;
      return std::sscanf(line.c_str(), "frame %f %f %f %f", &box.x, &box.y, &box.w, &box.h) == 4 &&
             std::abs(box.x - map.box.x) < 1.5f && std::abs(box.y - top) < 1.5f &&
             std::abs(box.h - row) < 1.5f && std::abs(box.right() - right) < 1.5f;
    });
  }
  EXPECT_EQ(framed, scene.heads) << "up to the last key that the mask allows";
  // The key lies in the future of the query: the sentence does not mark it.
  for (const auto& text : slide.texts) EXPECT_FALSE(text.style.color == in().theme.key) << text.words;
}

TEST_F(Present, TheRecordedPicture) {
  Scene scene;
  scene.sentence = "the animal does not cross the street because it is too tired .";
  scene.query = {8}, scene.head = {2};
  compute(scene);
  views::test::expect_recorded("present_map.txt", picture("map", sizes[1]));
}

}  // namespace
}  // namespace headlight::app::present_test
