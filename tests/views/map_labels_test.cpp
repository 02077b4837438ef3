// Labels along the edges of a map: how they are shortened, and which of them an important one replaces.
#include "kit/map_labels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "draw/record_canvas.h"
#include "draw/theme.h"
#include "kit/matrix_panel.h"

namespace headlight::views::map_labels_test {
namespace {

using Words = std::vector<std::string>;

TokenAxis axis_of(int items, float pitch) {
  TokenAxis axis;
  axis.first = 0, axis.last = items, axis.pitch = pitch, axis.low = 0;
  axis.high = static_cast<float>(items) * pitch;
  return axis;
}

Words down(const Words& names, float pitch, float room, int chosen = -1) {
  draw::RecordCanvas canvas;
  AxisNames axis_names;
  axis_names.names = names, axis_names.chosen = chosen;
  labels_down({canvas, draw::theme(true)}, axis_names, axis_of(static_cast<int>(names.size()), pitch),
              {100, room, false});
  Words out;
  for (const auto& text : canvas.texts) out.push_back(text.words);
  return out;
}

Words across(const Words& names, float pitch, float most, float& turn, int hovered = -1, float end = 1e9f) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true)};
  AxisNames axis_names;
  axis_names.names = names, axis_names.hovered = hovered;
  TokenAxis axis = axis_of(static_cast<int>(names.size()), pitch);
  axis.role = Role::key;
  const RowPlan plan = plan_row(pen, axis_names, axis, most);
  turn = plan.turn;
  labels_across(pen, axis_names, axis, {plan, 100, false, end});
  Words out;
  for (const auto& text : canvas.texts) out.push_back(text.words);
  return out;
}

bool has(const Words& words, const std::string& one) {
  return std::find(words.begin(), words.end(), one) != words.end();
}

TEST(MapLabels, AColumnsLabelIsWholeOrHasFiveLettersAndIsTheOnlyOneOfItsKind) {
  const std::string ellipsis = "…";
  for (const Words& names : {Words{"the", "cat", "chased", "the", "mouse", "again"},
                             Words{"transformers", "transform", "the", "transformations", "transformed"}}) {
    for (const float pitch : {7.f, 14.f, 18.f, 22.f, 26.f, 34.f, 44.f, 60.f}) {
      for (const float most : {24.f, 30.f, 50.f, 90.f}) {
        float turn = 0;
        const Words shown = across(names, pitch, most, turn);
        EXPECT_FALSE(shown.empty()) << pitch << ", " << most;
        std::set<std::string> cut;
        for (const std::string& one : shown) {
          const std::size_t at = one.find(ellipsis);
          if (at == std::string::npos) continue;
          EXPECT_GE(at, 5U) << one << " at " << pitch << ", " << most;
          EXPECT_TRUE(cut.insert(one).second) << one << " twice at " << pitch << ", " << most;
        }
      }
    }
  }
}

/// So have the hovered one and those near the end of the map, which have less room than the others.
TEST(MapLabels, AHoveredColumnKeepsThePositionThatTellsItApart) {
  const Words names = {"transformationally", "transformationable", "the", "cat"};
  float turn = 0;
  const Words plain = across(names, 20, 60, turn);
  ASSERT_NE(turn, 0);
  ASSERT_NE(plain, names) << "they are cut";
  for (int hovered = 0; hovered < 4; ++hovered) EXPECT_EQ(across(names, 20, 60, turn, hovered), plain);
  const Words last = {"the", "cat", "transformationally", "transformationable"};
  for (const float end : {120.f, 130.f, 140.f}) {
    const Words shown = across(last, 20, 400, turn, 3, end);
    EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()).size(), 4u) << end;
  }
}

TEST(MapLabels, ARowOfLabelsIsHigherRatherThanItsWordsAreCut) {
  const Words names = {"the", "cat", "chased", "the", "mouse", "again"};
  float turn = 0;
  for (const float most : {34.f, 40.f, 60.f}) EXPECT_EQ(across(names, 16, most, turn), names) << most;
  EXPECT_NE(turn, 0);
}

/// A word reaches 5/12 of its size above its middle, and the dots under an unknown one 8/12 below it.
TEST(MapLabels, NoSlantedWordTouchesTheNextOneOrTheDotsUnderIt) {
  const Words names = {"people", "judging", "people", "judging", "people", "judging", "people", "judging"};
  std::set<float> turns;
  for (float pitch = 12.5f; pitch < 30; pitch += 0.5f) {
    draw::RecordCanvas canvas;
    const Pen pen{canvas, draw::theme(true)};
    AxisNames axis_names;
    axis_names.names = names;
    TokenAxis axis = axis_of(static_cast<int>(names.size()), pitch);
    axis.role = Role::key;
    labels_across(pen, axis_names, axis, {plan_row(pen, axis_names, axis, 80), 100, false});
    std::vector<float> at;
    for (const auto& text : canvas.texts) {
      if (text.style.turn == 0) continue;
      at.push_back(text.at.x * std::sin(text.style.turn * std::numbers::pi_v<float> / 180) / text.style.size);
      turns.insert(text.style.turn);
    }
    std::sort(at.begin(), at.end());
    for (std::size_t i = 1; i < at.size(); ++i) EXPECT_GT(at[i] - at[i - 1], 13.f / 12) << pitch;
  }
  EXPECT_EQ(turns.size(), 2u) << "steeper where the columns are narrow";
}

TEST(MapLabels, WhereWordsWouldBeTooHighOnlySomeColumnsAreNamed) {
  const Words names = {"the", "transformer", "of", "transformations", "is", "a", "network"};
  float turn = 1;
  const Words shown = across(names, 30, 24, turn);
  EXPECT_EQ(turn, 0);
  EXPECT_LT(shown.size(), names.size());
  EXPECT_GT(shown.size(), 1u);
  for (const std::string& one : shown) EXPECT_TRUE(has(names, one)) << one;
}

TEST(MapLabels, InAColumnTheWordIsShortenedAndNeverItsPosition) {
  Words names;
  for (int i = 0; i < 512; ++i) names.push_back("bookshelf");
  const Words shown = down(names, 1.2f, 76);
  ASSERT_GT(shown.size(), 10u);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::string number = shown[i].substr(shown[i].rfind(' ') + 1);
    EXPECT_EQ(number.find_first_not_of("0123456789"), std::string::npos) << shown[i];
  }
  EXPECT_TRUE(std::any_of(shown.begin(), shown.end(),
                          [](const std::string& one) { return one.find("… ") != std::string::npos; }));
}

TEST(MapLabels, WordsThatLookTheSameWhenCutGetTheirPositions) {
  const Words shown = down({"transformer", "transfers", "cat", "transformer"}, 20, 60);
  ASSERT_EQ(shown.size(), 4u);
  EXPECT_NE(shown[0], shown[1]);
  EXPECT_EQ(shown[2], "cat");
}

TEST(MapLabels, AChosenRowReplacesOnlyLabelsThatItTouches) {
  Words names;
  for (int i = 0; i < 512; ++i) names.push_back("w");
  const Words plain = down(names, 1.13f, 60);
  ASSERT_TRUE(has(plain, "w 0") && has(plain, "w 20"));
  const Words chosen = down(names, 1.13f, 60, 1);
  EXPECT_TRUE(has(chosen, "w 1"));
  EXPECT_FALSE(has(chosen, "w 0"));
  EXPECT_TRUE(has(chosen, "w 20")) << "it is 21 units away";
  EXPECT_EQ(chosen.size(), plain.size());
}

/// A slanted label takes 14 units across its line: at 50° that is 19 along the axis.
TEST(MapLabels, AChosenColumnReplacesSlantedLabelsThatItTouches) {
  Words names;
  for (int i = 0; i < 64; ++i) names.push_back("word" + std::to_string(i));
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true)};
  AxisNames axis_names;
  axis_names.names = names;
  TokenAxis axis = axis_of(64, 6);
  axis.role = Role::key;
  for (axis_names.chosen = 0; axis_names.chosen < 64; ++axis_names.chosen) {
    canvas = {};
    const RowPlan plan = plan_row(pen, axis_names, axis, 70);
    ASSERT_NE(plan.turn, 0);
    labels_across(pen, axis_names, axis, {plan, 100, false, 1e9f});
    std::vector<float> at;
    for (const auto& text : canvas.texts) at.push_back(text.at.x);
    std::sort(at.begin(), at.end());
    for (std::size_t i = 1; i < at.size(); ++i) EXPECT_GE(at[i] - at[i - 1], 18.5f) << axis_names.chosen;
  }
}

TEST(MapLabels, TheMarkOfALowRowLeavesTheRowVisible) {
  std::vector<float> values(512 * 512, 0.1f);
  MatrixPanel panel;
  panel.values = values.data(), panel.rows = panel.cols = 512, panel.version = 1, panel.query = 100;
  draw::RecordCanvas canvas;
  const MatrixPlace place = draw_matrix_panel({canvas, draw::theme(true)}, {0, 0, 500, 500}, panel);
  ASSERT_LT(place.cells.h / 512, 4);
  const float top = place.cells.y + 100 * place.cells.h / 512, bottom = top + place.cells.h / 512;
  for (const std::string& line : canvas.lines) {
    draw::Box box;
    EXPECT_FALSE(std::sscanf(line.c_str(), "frame %f %f %f %f", &box.x, &box.y, &box.w, &box.h) == 4 &&
                 box.w > 100 && box.y < bottom && box.bottom() > top)
        << line;
  }
}

}  // namespace
}  // namespace headlight::views::map_labels_test
