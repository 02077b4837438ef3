#include "kit/weight_bar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "attention_fixture.h"
#include "draw/theme.h"
#include "kit/matrix_panel.h"
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

/// Small and large, in a small window and in a large one, whole and a part of it: a weight has one colour.
TEST_F(LongMap, AllPicturesOfAMapHaveTheScaleOfTheBar) {
  const nn::Matrix& weights = page_.results.attention.weights;
  const auto [large, share] = test::expected_scale({weights.plane(0), 80 * 80});
  ASSERT_GT(share, 0);
  for (const draw::Point size : {draw::Point{1280, 800}, {640, 420}, {2300, 1300}}) {
    for (const Box part : {Box{}, Box{0, 0, 10, 10}}) {
      draw::RecordCanvas canvas;
      PageInput in = page_.input();
      in.map_view = part;
      attention_page(canvas, {0, 0, size.x, size.y}, in);
      int maps = 0;
      for (const auto& [box, map] : canvas.maps) {
        if (map.rows != 80 || map.cols != 80) continue;
        ++maps;
        EXPECT_FLOAT_EQ(map.hi, large) << box.w;
        EXPECT_EQ(map.lo, 0);
        EXPECT_EQ(map.decades, 0);
      }
      EXPECT_GE(maps, 1);
      if (size.x < 1000) continue;
      EXPECT_EQ(maps, 5) << "the large one and four heads";
      EXPECT_TRUE(says(canvas, "≥ " + brief(static_cast<double>(large), 2)));
      EXPECT_TRUE(says(canvas, "the brightest " + fixed(100 * share, 1) + " %"));
    }
  }
}

/// Also where several cells share a pixel, at every scale of the interface.
TEST(WeightBar, APanelHasItsScaleInEverySize) {
  const WeightScale scale{MapScale::automatic, 0.05f, 0.006};
  const std::vector<float> values(300 * 300, 0.01f);
  MatrixPanel panel;
  panel.values = values.data(), panel.rows = panel.cols = 300, panel.scale = &scale;
  for (const float side : {60.f, 330.f, 900.f}) {
    for (const bool has_signs : {false, true}) {
      panel.map = has_signs ? draw::Colormap::signed_weight : draw::Colormap::weight;
      draw::RecordCanvas canvas;
      draw_matrix_panel({canvas, draw::theme(true)}, {0, 0, side, side}, panel);
      ASSERT_EQ(canvas.maps.size(), 1u);
      EXPECT_EQ(canvas.maps.front().map.hi, 0.05f);
      EXPECT_EQ(canvas.maps.front().map.lo, has_signs ? -0.05f : 0.f);
    }
  }
}

TEST(WeightBar, AScaleThatEndsAtOneSaysSo) {
  EXPECT_EQ(above_words({MapScale::automatic, 1, 0}, draw::theme(true)), "the automatic scale is 0–1 here");
}

TEST(WeightBar, ABarKeepsTheNameOfTheScaleWhereItIsShort) {
  const WeightScale cut{MapScale::automatic, 0.05f, 0.0062};
  const ColorBar bar = with_share(scale_words(cut, "weight"), cut, draw::theme(true));
  EXPECT_EQ(bar.middle, "weight · the brightest 0.6 % share the last colour");
  EXPECT_EQ(bar.short_middle, "weight");
  const WeightScale whole{MapScale::unit, 1, 0};
  EXPECT_EQ(with_share(scale_words(whole, "weight"), whole, draw::theme(true)).middle, "weight");
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

/// A map of small weights is dark on a scale up to 1: one click changes that.
TEST(WeightBar, ADarkMapSaysHowLargeItsWeightsAreAndOffersTheAutomaticScale) {
  AttentionFixture page({.tokens = 40});
  page.scene.head = {2};
  const auto hint = [&]() -> std::string {
    const draw::RecordCanvas canvas = page.record(1340, 850);
    for (const draw::Mark& mark : canvas.marks) {
      if (mark.name == "scale hint") return mark.set;
    }
    return {};
  };
  for (const float largest : {0.08f, 0.24f, 0.26f}) {
    page.results.heads[1].largest = largest;
    EXPECT_EQ(hint(), largest < 0.25f ? "map_scale=auto" : "") << largest;
  }
  page.results.heads[1].largest = 0.08f;
  EXPECT_TRUE(says(page.record(1340, 850), "largest weight 0.08: auto"));
  page.scene.map_scale = MapScale::automatic;
  EXPECT_EQ(hint(), "") << "the scale is what it offers";
}

TEST(WeightBar, APointerIsWhereTheColourOfItsValueIs) {
  const auto tip = [](const WeightScale& scale, float value, bool has_signs) {
    draw::RecordCanvas canvas;
    bar_pointer({canvas, draw::theme(true)}, {100, 50, 200, 8}, scale, value, has_signs);
    if (canvas.lines.empty()) return std::string();
    const std::string& line = canvas.lines.front();  // "polygon rrggbbaa x y x y x y"
    const std::size_t y = line.rfind(' '), x = line.rfind(' ', y - 1);
    return line.substr(x + 1, y - x - 1);
  };
  EXPECT_EQ(tip({MapScale::unit, 1, 0}, 0.25f, false), "150.0");
  EXPECT_EQ(tip({MapScale::unit, 1, 0}, 0.25f, true), "225.0");
  EXPECT_EQ(tip({MapScale::unit, 1, 0}, -1, true), "100.0");
  EXPECT_EQ(tip({MapScale::automatic, 0.5f, 0}, 0.9f, false), "300.0") << "beyond the end";
  EXPECT_EQ(tip({MapScale::log, 1, 0}, 0.01f, false), "200.0");
  EXPECT_EQ(tip({MapScale::unit, 1, 0}, std::nanf(""), false), "") << "no value";
}

}  // namespace
}  // namespace headlight::views::weight_bar_test
