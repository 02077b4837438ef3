// The cells of matrices without names, and the numbers in all cells.
#include "kit/cells.h"

#include <gtest/gtest.h>

#include <limits>

#include "draw/record_canvas.h"
#include "draw/theme.h"

namespace headlight::views::cells_test {
namespace {

const std::vector<float> six = {0.004f, -0.25f, 1.5f, 0, std::numeric_limits<float>::quiet_NaN(), 12};

std::vector<std::string> numbers(draw::Box box, const draw::Heatmap& heat, const CellNumbers& which = {}) {
  draw::RecordCanvas canvas;
  cell_numbers({canvas, draw::theme(true)}, box, heat, which);
  std::vector<std::string> out;
  for (const auto& text : canvas.texts) out.push_back(text.words);
  return out;
}

TEST(Cells, AreTheValuesOfTheMatrix) {
  const draw::Heatmap heat = with_signs(heat_of(six, 2, 7), 4);
  EXPECT_EQ(heat.rows, 2);
  EXPECT_EQ(heat.cols, 3);
  EXPECT_EQ(heat.row_stride, 3);
  EXPECT_EQ(heat.version, 7u);
  EXPECT_FLOAT_EQ(heat.lo, -4);
  EXPECT_EQ(heat.map, draw::Colormap::signed_weight);
  EXPECT_FLOAT_EQ(largest_magnitude(six), 12) << "of what is a number";
  EXPECT_FLOAT_EQ(largest_magnitude({}), 0);
}

TEST(Cells, TheMarkAroundThemStays) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true)};
  draw_cells(pen, {0, 0, 60, 40}, heat_of(six, 2, 1));
  EXPECT_TRUE(canvas.marks.empty()) << "without a mark none is set, and none is ended";
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "six";
  draw_cells(pen, {0, 0, 60, 40}, heat_of(six, 2, 1), mark);
  ASSERT_FALSE(canvas.marks.empty());
  EXPECT_EQ(canvas.marks.front().name, "six");
  EXPECT_EQ(canvas.maps.size(), 2u);
}

TEST(Cells, NumbersAreWrittenWhereTheyFit) {
  CellNumbers scores;
  scores.weights = false;
  EXPECT_EQ(numbers({0, 0, 300, 80}, with_signs(heat_of(six, 2, 1), 2), scores),
            (std::vector<std::string>{"−0.25", "1.50", "0.00", "NaN", "12.00"}));
  EXPECT_TRUE(numbers({0, 0, 60, 80}, with_signs(heat_of(six, 2, 1), 2), scores).empty());
  EXPECT_EQ(numbers({0, 0, 300, 80}, heat_of(six, 2, 1)).front(), "−0.25") << "a small weight has none";
  scores.left_out = [](int row, int) { return row == 1; };
  EXPECT_EQ(numbers({0, 0, 300, 80}, with_signs(heat_of(six, 2, 1), 2), scores).size(), 2u);
}

/// Numbers of neighbouring cells stay apart, at any size of the text; where two decimals have no room, fewer
/// may.
TEST(Cells, NumbersAreApart) {
  const std::vector<float> values = {-0.12f, -0.34f, -0.56f, -0.78f, -0.91f, -0.23f};
  bool fewer = false, whole = false;
  for (float wide = 36; wide < 90; wide += 1) {
    draw::RecordCanvas canvas;
    cell_numbers({canvas, draw::theme(true)}, {0, 0, 3 * wide, 80}, with_signs(heat_of(values, 2, 1), 1));
    for (const auto& text : canvas.texts) {
      EXPECT_LE(5 * 0.6f * text.style.size + 0.34f * text.style.size, wide);
      whole = true;
    }
    CellNumbers scores;
    scores.weights = false, scores.decimals = 2, scores.fewest_decimals = 0;
    draw::RecordCanvas large;
    const std::vector<float> hundreds = {-112.3f, 134.5f, 156.7f, 178.9f, -191.2f, 123.4f};
    cell_numbers({large, draw::theme(true)}, {0, 0, 3 * wide, 80}, with_signs(heat_of(hundreds, 2, 1), 200),
                 scores);
    if (wide < 48) continue;
    ASSERT_EQ(large.texts.size(), 6u) << wide;
    fewer = fewer || large.texts.front().words == "−112.3" || large.texts.front().words == "−112";
  }
  EXPECT_TRUE(whole);
  EXPECT_TRUE(fewer);
}

/// All numbers of a map have one form and are as large as other text; on paper they may be smaller.
TEST(Cells, NoNumberIsSmallerThanOtherText) {
  int written = 0;
  for (float wide = 20; wide < 90; wide += 1) {
    for (float high = 10; high < 40; high += 1) {
      for (const bool signs : {false, true}) {
        draw::RecordCanvas canvas;
        draw::Heatmap heat = heat_of(six, 2, 1);
        if (signs) heat = with_signs(heat, 1);
        cell_numbers({canvas, draw::theme(true)}, {0, 0, 3 * wide, 2 * high}, heat, {});
        for (const auto& text : canvas.texts) {
          ++written;
          EXPECT_GE(text.style.size, small_size) << wide << " × " << high;
          EXPECT_TRUE(wide >= number_cell_width && high >= number_cell_height) << wide << " × " << high;
        }
      }
    }
  }
  EXPECT_GT(written, 0);
  const std::vector<float> weights = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f};
  EXPECT_EQ(numbers({0, 0, 3 * 36, 2 * 17}, heat_of(weights, 2, 1)).size(), 6u) << "of the smallest cells";
  EXPECT_TRUE(numbers({0, 0, 3 * 36, 2 * 17}, with_signs(heat_of(weights, 2, 1), 1)).empty())
      << "a sign does not fit into them";
}

TEST(Cells, NumbersFollowTheirValuesWhenRowsRunAcross) {
  draw::Heatmap heat = heat_of(std::span<const float>(six).first(3), 1, 1);
  heat.hi = 2, heat.transposed = true;
  draw::RecordCanvas canvas;
  CellNumbers scores;
  scores.weights = false;
  cell_numbers({canvas, draw::theme(true)}, {0, 0, 50, 90}, heat, scores);
  ASSERT_EQ(canvas.texts.size(), 2u);
  EXPECT_EQ(canvas.texts[1].words, "1.50");
  EXPECT_FLOAT_EQ(canvas.texts[1].at.y, 75);
}

TEST(Cells, OfAPartOnViewOnlyThatPartHasNumbers) {
  draw::Heatmap heat = with_signs(heat_of(six, 2, 1), 2);
  heat.view = {1, 0, 2, 1};
  CellNumbers scores;
  scores.weights = false;
  EXPECT_EQ(numbers({0, 0, 200, 40}, heat, scores), (std::vector<std::string>{"−0.25", "1.50"}));
}

}  // namespace
}  // namespace headlight::views::cells_test
