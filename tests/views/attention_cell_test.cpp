// The opened cell shows the trace's own arithmetic, and leaves out nothing that took part.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "pages/attention/view/words.h"
#include "views/attention_fixture.h"

namespace headlight::views::attention_cell_test {
namespace {

constexpr float width = 1340, height = 850;

TEST(AttentionCell, EveryLineIsTheTraces) {
  AttentionFixture f;
  f.scene.head = {3};
  f.open(2, 1, 4);
  const draw::RecordCanvas canvas = f.record(width, height);
  const nn::CellTrace& cell = f.cell;
  // Cells that are too narrow for numbers of 12 units have them under the pointer.
  const auto notes = [&](const std::string& note) {
    return std::any_of(canvas.marks.begin(), canvas.marks.end(),
                       [&](const draw::Mark& mark) { return mark.note == note; });
  };
  for (std::size_t c = 0; c < cell.q.size(); ++c) {
    const std::string at = "[" + std::to_string(c) + "] = ";
    EXPECT_TRUE(notes("q" + at + fixed(cell.q[c], 4)));
    EXPECT_TRUE(notes("k" + at + fixed(cell.k[c], 4)));
    EXPECT_TRUE(notes("q·k" + at + fixed(cell.products[c], 4)));
  }
  EXPECT_TRUE(says(canvas, "÷ √d_k = √8 = 2.828"));
  EXPECT_TRUE(says(canvas, "row maximum"));
  for (const double value : {cell.dot, cell.score, cell.row_max, cell.weight})
    EXPECT_TRUE(says(canvas, fixed(value, 3)));
  EXPECT_TRUE(says(canvas, fixed(cell.exponential, 3)));
  EXPECT_TRUE(says(canvas, "÷ row sum " + fixed(cell.row_sum, 3)));
  EXPECT_TRUE(says(canvas, fixed(cell.share, 3)));
  EXPECT_TRUE(says(canvas, brief(cell.residual, 2)));
  const std::string weight = fixed(static_cast<double>(cell.weight_f32), 3);
  EXPECT_TRUE(says(canvas, "How " + weight + " is computed"));
  EXPECT_FALSE(says(canvas, "bias"));
}

/// In the words of the list of quantities; and the terms of the row's sum add up to it.
TEST(AttentionCell, ThePointerIsToldWhatALineIs) {
  AttentionFixture f;
  f.scene.head = {3};
  f.open(2, 1, 4);
  const draw::RecordCanvas canvas = f.record(width, height);
  const PageInput in = f.input();
  std::set<std::string> explained;
  const std::string start = "explains ";
  for (const draw::Mark& mark : canvas.marks) {
    if (!mark.name.starts_with(start)) continue;
    const std::string what = mark.name.substr(start.size());
    explained.insert(what.substr(0, what.find(' ')));
    const std::string message = attention_tooltip(in, {.mark = mark});
    ASSERT_FALSE(in.help(what).empty()) << what;
    EXPECT_TRUE(message.starts_with(in.help(what))) << message;
  }
  EXPECT_EQ(explained,
            (std::set<std::string>{"dot", "row_maximum", "exponential", "exponentials", "value_share",
                                   "value_projection", "weight_error", "map_row_entropy", "received"}));

  const draw::Mark sum{.part = draw::Part::note, .name = "explains exponentials head=3 query=1"};
  const std::string message = attention_tooltip(in, {.mark = sum}),
                    terms = message.substr(message.find('\n') + 1);
  double added = 0;
  for (std::size_t at = 0; at < terms.size();) {
    added += std::strtod(terms.c_str() + at, nullptr);
    const std::size_t next = terms.find(" + ", at);
    at = next == std::string::npos ? terms.size() : next + 3;
  }
  const std::span<const float> row = f.results.attention.weights.row(2, 1);
  std::vector<float> weights(row.begin(), row.end());
  std::sort(weights.rbegin(), weights.rend());
  double four = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, weights.size()); ++i)
    four += static_cast<double>(weights[i]) * f.cell.row_sum;
  const int more = static_cast<int>(weights.size()) - 4;
  EXPECT_EQ(terms.find(" more") != std::string::npos, more > 0) << message;
  EXPECT_NEAR(added - std::max(0, more), four, 0.003)
      << message;  // the last number is how many more there are

  // A weight that is not finite is no term, and sorts nowhere.
  f.results.attention.weights.at(2, 1, 0) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(attention_tooltip(f.input(), {.mark = sum}).find("NaN"), std::string::npos);
}

TEST(AttentionCell, WhatTakesPartIsSetOnItsLine) {
  AttentionFixture f;
  f.scene.head = {3};
  f.open(2, 1, 4);
  for (const float wide : {width, 1050.f}) {
    const draw::RecordCanvas canvas = f.record(wide, height);
    EXPECT_TRUE(says(canvas, "÷ temperature 1"));
    EXPECT_EQ(control(canvas, "divide by √d_k").set, "scale=false");
    const auto slider = std::find_if(canvas.marks.begin(), canvas.marks.end(),
                                     [](const draw::Mark& mark) { return mark.set == "temperature = 10^"; });
    ASSERT_NE(slider, canvas.marks.end());
    EXPECT_GT(slider->area.w, 40);
  }
  AttentionFixture undivided({.settings = {"scale=false"}});
  undivided.open(2, 1, 4);
  EXPECT_EQ(control(undivided.record(width, height), "divide by √d_k").set, "scale=true");
  // A model of another program brings its own.
  undivided.results.opened = std::make_shared<scene::OpenedLayer>();
  EXPECT_EQ(control(undivided.record(width, height), "divide by √d_k").part, draw::Part::none);
}

/// The slider offers a click on its number where the number is drawn.
TEST(AttentionCell, TheSliderOfTheTemperatureSaysWhatCanBeClicked) {
  for (const char* temperature : {"temperature=1", "temperature=0.123456"}) {
    AttentionFixture f({.settings = {temperature}});
    f.scene.head = {3};
    f.open(2, 1, 4);
    for (const float wide : {640.f, 1003.f, width, 2400.f}) {
      SCOPED_TRACE(std::string(temperature) + " at " + std::to_string(wide));
      const draw::RecordCanvas canvas = f.record(wide, height);
      const auto slider = std::find_if(canvas.marks.begin(), canvas.marks.end(), [](const draw::Mark& mark) {
        return mark.set == "temperature = 10^";
      });
      if (slider == canvas.marks.end()) continue;
      const bool number = std::any_of(canvas.marks.begin(), canvas.marks.end(), [](const draw::Mark& mark) {
        return mark.part == draw::Part::number && mark.set == "temperature";
      });
      EXPECT_EQ(slider->note.find("click on its number") != std::string::npos, number);
    }
  }
}

TEST(AttentionCell, TemperatureBiasAndNoScalingAreLines) {
  AttentionFixture f({.settings = {"temperature=2", "scale=false"}});
  f.open(0, 1, 2);
  f.cell.add = 0.5;  // which only models of other programs have
  const draw::RecordCanvas canvas = f.record(width, height);
  EXPECT_TRUE(says(canvas, "÷ temperature 2"));
  EXPECT_TRUE(says(canvas, "+ bias 0.500"));
  EXPECT_TRUE(says(canvas, "not divided by √d_k"));
}

TEST(AttentionCell, ABlockedKeyIsExactlyZeroAndNoExponential) {
  Case what;
  what.mask.causal = true;
  AttentionFixture f(what);
  f.open(0, 1, 4);
  const draw::RecordCanvas canvas = f.record(width, height);
  EXPECT_TRUE(says(canvas, "mask: this key is blocked"));
  EXPECT_TRUE(says(canvas, "is exactly 0"));
  EXPECT_FALSE(says(canvas, "exp("));
}

// Beside many heads in a small window its lines are closer, but none is missing.
TEST(AttentionCell, IsWholeWhereverItIsDocked) {
  for (const int heads : {4, 12, 32}) {
    AttentionFixture f({6, heads, 2, false, {}});
    f.scene.head = {1};
    f.open(0, 1, 2);
    const draw::RecordCanvas canvas = f.record(1216, 546);
    for (const char* line : {"q · k (sum", "÷ √d_k", "÷ temperature", "mask", "row maximum", "exp(score",
                             "÷ row sum", "share of ‖αv‖", "αv’s share along the output", "float32 error"})
      EXPECT_TRUE(says(canvas, line)) << line << ", " << heads << " heads";
  }
}

TEST(AttentionCell, AStripHasAllNumbersOrNoneAndTheLargestHasADigit) {
  std::set<bool> found;
  for (const int d_k : {2, 4, 6, 8, 10, 12, 24}) {
    AttentionFixture f({6, 2, d_k, false, {}});
    f.scene.head = {1};
    f.open(0, 1, 2);
    const draw::RecordCanvas canvas = f.record(1340, 850);
    for (const auto* row : {&f.cell.q, &f.cell.k, &f.cell.products, &f.cell.weighted_v}) {
      double largest = 0;
      for (const double value : *row) largest = std::max(largest, std::abs(value));
      bool numbers = false;
      for (int decimals = 1; decimals <= 4 && !numbers; ++decimals) {
        const auto written = [&](double value) {
          return std::any_of(canvas.texts.begin(), canvas.texts.end(), [&](const auto& text) {
            return text.style.align == draw::Align::centre && text.words == fixed(value, decimals);
          });
        };
        const bool all = std::all_of(row->begin(), row->end(), written);
        if (all) EXPECT_GE(largest, std::pow(10, -decimals)) << decimals << " with d_k " << d_k;
        numbers = all;
      }
      found.insert(numbers);
    }
  }
  EXPECT_EQ(found.size(), 2u);
}

/// Without room for all, the title keeps the pair.
/// By the bar that they share, or beside each where the bar has no room; that of α×v also beside it where it
/// would be blank on the shared one.
TEST(AttentionCell, TheScaleOfEveryStripIsStated) {
  AttentionFixture f;
  f.scene.head = {3};
  f.open(2, 1, 4);
  int bars = 0, stated = 0;
  for (const double largest : {3.5, 0.000123456}) {
    for (const auto& [wide, high] : {std::pair{640.f, 600.f},
                                     {800.f, 600.f},
                                     {1040.f, 420.f},
                                     {1040.f, 600.f},
                                     {1216.f, 600.f},
                                     {1340.f, 850.f}}) {
      f.cell.q.assign(f.cell.q.size(), largest), f.cell.k = f.cell.products = f.cell.q;
      f.cell.weighted_v.assign(f.cell.weighted_v.size(), largest / 100);
      const draw::RecordCanvas canvas = f.record(wide, high);
      const std::string end = brief(largest, 2);
      if (!says(canvas, "q×k")) continue;
      const int beside = times_said(canvas, "±" + end);
      EXPECT_EQ(says(canvas, "−" + end), beside == 0) << wide;
      EXPECT_TRUE(beside == 0 || beside == 3) << wide;
      EXPECT_EQ(times_said(canvas, "±" + brief(largest / 100, 2)), 1) << wide;
      ++(beside == 0 ? bars : stated);
    }
  }
  EXPECT_GT(bars, 0);
  EXPECT_GT(stated, 0);
}

TEST(AttentionCell, TheTitleAlwaysNamesThePair) {
  AttentionFixture f;
  f.scene.head = {1};
  f.open(0, 1, 4);
  const std::string pair = "“" + f.results.tokens[1].text + "” → “";
  for (const float wide : {1000.f, 1340.f, 1600.f}) EXPECT_TRUE(says(f.record(wide, 850), pair)) << wide;
}

TEST(AttentionCell, WideVectorsKeepTheirNumbersUnderThePointer) {
  AttentionFixture f({6, 1, 64, false, {}});
  f.open(0, 1, 2);
  const draw::RecordCanvas canvas = f.record(1050, 590);
  int notes = 0;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.note == "q[63] = " + fixed(f.cell.q[63], 4) || mark.note == "k[0] = " + fixed(f.cell.k[0], 4))
      ++notes;
  }
  EXPECT_EQ(notes, 2);
}

TEST(AttentionCell, SeveralHeadsShownTheTitleNamesTheOneOpened) {
  AttentionFixture f;
  f.open(2, 1, 4);
  EXPECT_TRUE(says(f.record(width, height), "· head 3"));
}

TEST(AttentionCell, ACombinationOpensToTheWeightsThatItIsMadeOf) {
  AttentionFixture f;
  for (const bool largest : {false, true}) {
    f.scene.combine = largest ? scene::Combine::max : scene::Combine::mean;
    f.scene.key = 4;
    f.open_pinned();
    std::vector<double> weights;
    for (int head = 0; head < 4; ++head)
      weights.push_back(static_cast<double>(f.results.attention.weights.at(head, 1, 4)));
    const auto most = std::max_element(weights.begin(), weights.end());
    const double combined = largest ? *most : (weights[0] + weights[1] + weights[2] + weights[3]) / 4;
    for (const float wide : {1340.f, 640.f}) {
      const draw::RecordCanvas canvas = f.record(wide, height);
      for (const double one : weights) EXPECT_TRUE(says(canvas, weight_text(one)));
      EXPECT_TRUE(says(canvas, weight_text(combined) + ", " + (largest ? "max" : "mean") + " of 4 heads"));
      EXPECT_TRUE(says(canvas, largest ? "the largest: head " + std::to_string(most - weights.begin() + 1)
                                       : "÷ 4 heads = mean"));
      EXPECT_FALSE(says(canvas, "exp(")) << "a mean of heads is no softmax";
      EXPECT_EQ(control(canvas, "open head 3").set, "head=3");
      // The bars have the same number.
      EXPECT_TRUE(says(canvas, fixed(combined, 2)));
    }
  }
}

TEST(AttentionCell, CopyButtonsAreThereForTheAppToAct) {
  AttentionFixture f;
  f.open(0, 1, 2);
  const draw::RecordCanvas canvas = f.record(width, height);
  for (const char* name : {"copy latex", "copy numpy"}) {
    EXPECT_EQ(control(canvas, name).name, name);
    EXPECT_EQ(control(canvas, name).set, "");
  }
}

}  // namespace
}  // namespace headlight::views::attention_cell_test
