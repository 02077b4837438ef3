#include "kit/weight_bar.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "attention_fixture.h"
#include "draw/theme.h"
#include "kit/drawn_scale.h"
#include "page_checks.h"

namespace headlight::views::weight_bar_test {
namespace {

using scene::MapScale;
using scene::WeightScale;

TEST(WeightBar, TheEndsSayWhereTheScaleEnds) {
  EXPECT_EQ(scale_words({MapScale::unit, 1, 0}, "weight α").left, "0");
  EXPECT_EQ(scale_words({MapScale::unit, 1, 0}, "weight α").right, "1");
  EXPECT_EQ(scale_words({MapScale::automatic, 0.02f, 0.009}, "weight α").right, "≥ 0.02");
  EXPECT_EQ(scale_words({MapScale::automatic, 0.5f, 0}, "weight α").right, "0.5") << "nothing is above it";
  EXPECT_EQ(scale_words({MapScale::automatic, 0.0005f, 0.01}, "weight α").right, "≥ 0.0005");
  EXPECT_EQ(scale_words({MapScale::log, 1, 0}, "weight α").left, "≤ 10⁻⁴");
  EXPECT_EQ(scale_words({MapScale::log, 1, 0}, "weight α").right, "1");
  const ColorBar both = scale_words({MapScale::automatic, 0.05f, 0.009}, "0", true);
  EXPECT_EQ(both.left, "≤ −0.05");
  EXPECT_EQ(both.right, "≥ +0.05");
  EXPECT_EQ(both.map, draw::Colormap::signed_weight);
}

TEST(WeightBar, TheNoteStatesTheShareThatWasComputed) {
  EXPECT_EQ(above_words({MapScale::automatic, 0.02f, 0.0091}, draw::theme(true)),
            "the brightest 0.9 % share the last colour");
  EXPECT_EQ(above_words({MapScale::automatic, 0.02f, 0.0091}, draw::theme(false)),
            "the darkest 0.9 % share the last colour");
  EXPECT_EQ(above_words({MapScale::automatic, 0.02f, 1e-6}, draw::theme(true)),
            "the brightest < 0.1 % share the last colour");
  EXPECT_EQ(above_words({MapScale::unit, 1, 0}, draw::theme(true)), "");
  EXPECT_EQ(pooled_words(0.7f), "each pixel shows the largest weight");
  EXPECT_EQ(pooled_words(1), "");
}

TEST(WeightBar, NumbersWithASignHaveRoomAtEachSide) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true)};
  const float two = canvas.text_width("-0.27", mono_style({}, small_size));
  EXPECT_TRUE(signed_numbers_fit(pen, two + 6, 2));
  EXPECT_FALSE(signed_numbers_fit(pen, two + 5.5f, 2));
  EXPECT_FALSE(signed_numbers_fit(pen, two + 6, 3));
}

TEST(WeightBar, ABarIsAsLongAsItsMapUnlessItsEndsNeedMore) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true)};
  const ColorBar words{draw::Colormap::signed_weight, "≤ −0.5", "weight", "≥ +0.5"};
  EXPECT_EQ(bar_width(pen, 200, words), 200);
  const draw::TextStyle style = words_style({}, small_size);
  EXPECT_GT(bar_width(pen, 20, words),
            canvas.text_width(words.left, style) + canvas.text_width(words.right, style));
}

TEST(WeightBar, TheChoiceOfTheLengthItselfIsLeftToTheLength) {
  scene::Scene scene;
  auto choices = scale_choices(scene, 6);
  EXPECT_EQ(choices[0].set, "map_scale=auto");
  EXPECT_EQ(choices[1].set, "map_scale=by_length");
  EXPECT_TRUE(choices[1].on);
  EXPECT_EQ(choices[2].set, "map_scale=log");
  choices = scale_choices(scene, 500);
  EXPECT_EQ(choices[0].set, "map_scale=by_length");
  EXPECT_TRUE(choices[0].on);
  EXPECT_EQ(choices[1].set, "map_scale=unit");
}

bool says(const draw::RecordCanvas& canvas, std::string_view words) {
  for (const auto& text : canvas.texts)
    if (text.words.find(words) != std::string::npos) return true;
  return false;
}

/// A map of long rows, whose scale its weights decide.
class LongMap : public testing::Test {
 protected:
  LongMap() : page_({.tokens = 80}) { page_.scene.head = {1}; }
  draw::RecordCanvas drawn() {
    draw::RecordCanvas canvas;
    attention_page(canvas, {0, 0, 1280, 800}, page_.input());
    return canvas;
  }
  AttentionFixture page_;
};

TEST_F(LongMap, TheLargeMapHasTheScaleOfTheBarAndTheSmallOnesShareAnother) {
  const draw::RecordCanvas canvas = drawn();
  const nn::Matrix& weights = page_.results.attention.weights;
  const auto [large, share] = test::expected_scale({weights.plane(0), 80 * 80});
  ASSERT_GT(share, 0);
  int maps = 0;
  std::vector<DrawnMap> small;
  for (const auto& [box, map] : canvas.maps)
    if (map.rows == 80 && map.cols == 80 && box.w < 200) small.push_back({map, box, {}});
  ASSERT_EQ(small.size(), 4u);
  const float wall = drawn_scale({MapScale::automatic, 1, 0}, small, 1).end;
  for (const auto& [box, map] : canvas.maps) {
    if (map.rows != 80 || map.cols != 80) continue;
    ++maps;
    EXPECT_FLOAT_EQ(map.hi, box.w < 200 ? wall : large);
    EXPECT_EQ(map.lo, 0);
    EXPECT_EQ(map.decades, 0);
  }
  EXPECT_EQ(maps, 5) << "the large one and four heads";
  EXPECT_TRUE(says(canvas, "≥ " + brief(static_cast<double>(large), 2)));
  EXPECT_TRUE(says(canvas, "the brightest " + fixed(100 * share, 1) + " %"));
}

TEST_F(LongMap, TheSceneDecides) {
  page_.scene.map_scale = MapScale::unit;
  for (const auto& [box, map] : drawn().maps) EXPECT_TRUE(map.rows != 80 || map.cols != 80 || map.hi == 1);
  page_.scene.map_scale = MapScale::log;
  int maps = 0;
  for (const auto& [box, map] : drawn().maps) {
    if (map.rows != 80 || map.cols != 80) continue;
    ++maps;
    EXPECT_EQ(map.hi, 1);
    EXPECT_EQ(map.decades, 4);
  }
  EXPECT_EQ(maps, 5);
}

}  // namespace
}  // namespace headlight::views::weight_bar_test
