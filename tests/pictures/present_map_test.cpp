// Maps on slides: their size, their numbers, and names along their edges that do not meet, for sentences of
// one token to a hundred and twenty.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
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

TEST_F(Present, TheRecordedPicture) {
  Scene scene;
  scene.sentence = "the animal does not cross the street because it is too tired .";
  scene.query = {8}, scene.head = {2};
  compute(scene);
  views::test::expect_recorded("present_map.txt", picture("map", sizes[1]));
}

}  // namespace
}  // namespace headlight::app::present_test
