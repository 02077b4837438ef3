// The bars are the row of the matrix: as high as the weights, in the order asked for, with the row's true
// sum.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "pages/attention/view/bars_panel.h"
#include "pages/attention/view/words.h"
#include "views/attention_fixture.h"

namespace headlight::views {
namespace {

constexpr float width = 1340, height = 850;

struct Bar {
  int query, key;
  draw::Box box;
  std::string color;
};

/// Rectangles drawn under bar marks.
std::vector<Bar> bars_of(const draw::RecordCanvas& canvas) {
  std::vector<Bar> out;
  Bar now{-1, -1, {}, {}};
  for (const std::string& line : canvas.lines) {
    int part = 0, head = 0, query = 0, key = 0;
    if (std::sscanf(line.c_str(), "mark %d %d %d %d", &part, &head, &query, &key) == 4) {
      now.query = part == static_cast<int>(draw::Part::bar) ? query : -1, now.key = key;
      continue;
    }
    char color[16];
    if (now.query >= 0 && std::sscanf(line.c_str(), "rect %f %f %f %f %15s", &now.box.x, &now.box.y,
                                      &now.box.w, &now.box.h, color) == 5) {
      now.color = color;
      out.push_back(now);
      now.query = -1;
    }
  }
  return out;
}

TEST(AttentionBars, LengthsAreProportionalToTheWeights) {
  AttentionFixture f;
  f.scene.head = {2};
  const auto bars = bars_of(f.record(width, height));
  ASSERT_EQ(bars.size(), 6u);
  const auto row = f.results.attention.weights.row(1, 1);
  const std::size_t strongest =
      static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
  const float scale = bars[strongest].box.w / row[strongest];
  for (const Bar& bar : bars) {
    EXPECT_EQ(bar.query, 1);
    EXPECT_NEAR(bar.box.w, std::max(1.f, scale * row[static_cast<std::size_t>(bar.key)]), 0.3f);
    EXPECT_NEAR(bar.box.x, bars[0].box.x, 0.11f) << "in rows, the names at their left";
    EXPECT_EQ(bar.color, bars[0].color) << "the length is the message";
  }
}

TEST(AttentionBars, OnlyKeysThatTheMaskLeavesHaveARow) {
  Case what;
  what.mask.causal = true;
  AttentionFixture f(what);
  f.scene.head = {2}, f.scene.query = {3};
  const draw::RecordCanvas canvas = f.record(width, height);
  EXPECT_EQ(bars_of(canvas).size(), 4u);
  EXPECT_TRUE(says(canvas, "2 keys are masked"));
}

/// That one key has the weight 1 is said only where it has.
TEST(AttentionBars, OfOneKeyItsWeightIsSaidIfItIsOne) {
  const auto message = [](AttentionFixture& f) {
    const PageInput in = f.input();
    draw::RecordCanvas canvas;
    const Selection selection = select(in);
    draw_bars({{canvas, in.theme, nullptr}, in, selection}, {0, 0, 400, 400});
    return says(canvas, "The weight of a single key is 1");
  };
  AttentionFixture one({1}), masked({1, 4, 8, false, {.valid_length = true}, 2, 0}), saved({1});
  EXPECT_TRUE(message(one));
  EXPECT_FALSE(message(masked));
  for (float& weight : saved.results.attention.weights.values()) weight = 0.5f;
  for (float& weight : saved.results.mean.values()) weight = 0.5f;
  EXPECT_FALSE(message(saved));
}

TEST(AttentionBars, WhatTheSceneLeavesOutHasNoRow) {
  AttentionFixture f;
  f.scene.head = {3}, f.scene.attention.least_weight = 0.1;
  const auto row = f.results.attention.weights.row(2, 1);
  const auto small = std::count_if(row.begin(), row.end(), [](float weight) { return weight < 0.1f; });
  ASSERT_GT(small, 0);
  const draw::RecordCanvas canvas = f.record(width, height);
  const auto bars = bars_of(canvas);
  EXPECT_EQ(bars.size(), row.size() - static_cast<std::size_t>(small));
  for (const Bar& bar : bars) EXPECT_GE(row[static_cast<std::size_t>(bar.key)], 0.1f);
  EXPECT_TRUE(says(canvas, small == 1 ? "1 key is not drawn" : "keys are not drawn"));
}

TEST(AttentionBars, KeysThatFindNoRowStandUpright) {
  AttentionFixture f({60, 2, 4, false, {}});
  f.scene.head = {2};
  const auto bars = bars_of(f.record(width, height));
  ASSERT_EQ(bars.size(), 60u);
  for (const Bar& bar : bars) EXPECT_NEAR(bar.box.bottom(), bars[0].box.bottom(), 0.11f);
}

/// Where there is no room for every number, those of the largest weights are written.
TEST(AttentionBars, NarrowBarsKeepTheNumbersThatDoNotTouch) {
  AttentionFixture f({.tokens = 13});
  f.scene.head = {1};
  f.open(0, 1, 2);
  draw::RecordCanvas canvas = f.record(1376, 742);
  ASSERT_GT(bars_of(canvas).size(), 10u);
  const auto* row = f.results.attention.weights.row(0, 1).data();
  std::vector<draw::Box> numbers;
  for (const auto& text : canvas.texts) {
    if (text.style.font == draw::Font::mono && text.style.size == 10 && text.words.starts_with("0."))
      numbers.push_back(text.box);
  }
  EXPECT_GE(numbers.size(), 3u);
  EXPECT_TRUE(says(canvas, fixed(static_cast<double>(*std::max_element(row, row + 13)), 2)));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = i + 1; j < numbers.size(); ++j) {
      const draw::Box &a = numbers[i], &b = numbers[j];
      EXPECT_FALSE(a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom());
    }
  }
}

TEST(AttentionBars, AnEarlyQueryOfALongTextHasARowForEachOfItsKeys) {
  Case what{200, 2, 4, false, {}};
  what.mask.causal = true;
  AttentionFixture f(what);
  f.scene.head = {2}, f.scene.query = {4};
  const auto bars = bars_of(f.record(width, height));
  ASSERT_EQ(bars.size(), 5u);
  const auto row = f.results.attention.weights.row(1, 4);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    EXPECT_EQ(bars[i].key, static_cast<int>(i));
    EXPECT_NEAR(bars[i].box.w * row[0], bars[0].box.w * row[i], 0.3f) << "lengths as the weights";
    EXPECT_NEAR(bars[i].box.x, bars[0].box.x, 0.11f);
  }
  f.scene.query = {150};
  for (const Bar& bar : bars_of(f.record(width, height)))
    EXPECT_NE(bar.box.x, bars[0].box.x) << "too many for rows: upright";
}

TEST(AttentionBars, TheSumIsTheTrueOne) {
  AttentionFixture f;
  f.scene.head = {2};
  EXPECT_TRUE(says(f.record(width, height), "they sum to 1.00"));
  for (float& weight : f.results.attention.weights.row(1, 1)) weight *= 0.5f;
  EXPECT_TRUE(says(f.record(width, height), "they sum to 0.50"));
}

TEST(AttentionBars, TheLargestOverHeadsIsNotCalledADistribution) {
  AttentionFixture f;
  f.scene.combine = scene::Combine::max;
  double sum = 0;
  for (float weight : f.results.max.row(1)) sum += static_cast<double>(weight);
  const draw::RecordCanvas canvas = f.record(width, height);
  EXPECT_TRUE(says(canvas, "largest over all 4 heads (sum " + fixed(sum, 3) + ")"));
  EXPECT_FALSE(says(canvas, "distribution"));
}

TEST(AttentionBars, SortedTheStrongestKeyStandsFirst) {
  AttentionFixture f;
  f.scene.head = {1};
  f.scene.attention.bars_sorted = true;
  auto bars = bars_of(f.record(width, height));
  std::sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) { return a.box.y < b.box.y; });
  const auto row = f.results.attention.weights.row(0, 1);
  for (std::size_t i = 1; i < bars.size(); ++i)
    EXPECT_GE(row[static_cast<std::size_t>(bars[i - 1].key)], row[static_cast<std::size_t>(bars[i].key)]);
}

TEST(AttentionBars, FiveQueriesAreStackedOnOneAxis) {
  AttentionFixture f({22, 1, 4, true, {}});
  f.scene.query = {0, 5, 10, 15, 21};
  const draw::RecordCanvas canvas = f.record(width, height);
  for (const int query : f.scene.query) {
    const std::string token = shown_token(f.results.tokens[static_cast<std::size_t>(query)].text);
    EXPECT_TRUE(says(canvas, "Query “" + token + "” " + std::to_string(query)));
  }
  const auto bars = bars_of(canvas);
  const auto& weights = f.results.attention.weights;
  // One scale for all panels.
  float scale = 0;
  for (const Bar& bar : bars) {
    const float weight = weights.at(0, bar.query, bar.key);
    if (weight > 0.1f) {
      if (scale == 0) scale = bar.box.h / weight;
      EXPECT_NEAR(bar.box.h / weight, scale, scale * 0.03f);
    }
    for (const Bar& other : bars) {
      if (other.key == bar.key) {
        EXPECT_NEAR(other.box.x, bar.box.x, 0.11f);
      }
    }
  }
  EXPECT_GT(scale, 0);
}

TEST(AttentionBars, ComparedHeadsStandInGroups) {
  AttentionFixture f;
  f.scene.head = {1, 2};
  const draw::RecordCanvas canvas = f.record(800, 1000);
  EXPECT_TRUE(says(canvas, "one bar per compared head; the line is their mean"));
  EXPECT_TRUE(says(canvas, "head 1"));
}

TEST(AttentionBars, FiveHundredKeysKeepALoneSpike) {
  AttentionFixture f({512, 1, 2, false, {}});
  auto row = f.results.attention.weights.row(0, 1);
  std::fill(row.begin(), row.end(), 1e-4f);
  row[317] = 0.95f;
  float tallest = 0;
  for (const Bar& bar : bars_of(f.record(1050, 590))) tallest = std::max(tallest, bar.box.h);
  EXPECT_GT(tallest, 50);
  EXPECT_TRUE(says(f.record(1050, 590), "0.950"));
}

TEST(AttentionBars, NumbersThatAreNoneAreDrawnInTheirColour) {
  AttentionFixture f;
  f.scene.head = {1};
  f.results.attention.weights.at(0, 1, 3) = std::nanf("");
  const draw::RecordCanvas canvas = f.record(width, height);
  EXPECT_TRUE(says(canvas, "NaN"));
  for (const Bar& bar : bars_of(canvas)) {
    if (bar.key == 3) {
      EXPECT_EQ(bar.color, "d946efff");
    }
  }
}

TEST(AttentionBars, APointerOnABarFindsQueryAndKey) {
  AttentionFixture f;
  f.pick({0, 0}, width, height);
  int found = 0;
  for (const auto& target : f.targets) {
    if (target.mark.part != draw::Part::bar) continue;
    const draw::Hit hit = f.pick(target.box.centre(), width, height);
    EXPECT_EQ(hit.mark.key, target.mark.key);
    EXPECT_EQ(hit.mark.query, 1);
    ++found;
  }
  EXPECT_EQ(found, 6);
}

TEST(AttentionBars, WithoutAPinTheRowUnderThePointerIsShown) {
  AttentionFixture f;
  f.scene.query = {};
  EXPECT_TRUE(says(f.record(width, height), "No query is pinned"));
  f.hovering = true;
  f.hover.mark.part = draw::Part::cell;
  f.hover.mark.query = 2, f.hover.mark.key = 0;
  EXPECT_TRUE(says(f.record(width, height), "attend to?"));
}

}  // namespace
}  // namespace headlight::views
