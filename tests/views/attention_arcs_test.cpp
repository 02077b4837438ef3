// Arcs: over one line of words; above it what the pinned word attends to, below it which queries attend to
// it, as thick as the weight; a weight on itself is a ring; long sentences keep the strongest, which is said.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "views/attention_fixture.h"

namespace headlight::views::attention_arcs_test {
namespace {

AttentionFixture arcs(Case what = {}) {
  AttentionFixture f(what);
  f.scene.attention_view = scene::AttentionView::arcs;
  f.scene.head = {1};
  return f;
}

std::set<std::pair<int, int>> pairs(const draw::RecordCanvas& canvas) {
  std::set<std::pair<int, int>> out;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part == draw::Part::cell && mark.query >= 0 && mark.name.empty())
      out.insert({mark.query, mark.key});
  }
  return out;
}

/// The words of the picture, by token.
std::map<int, draw::Box> words(const draw::RecordCanvas& canvas, const draw::Box& inside) {
  std::map<int, draw::Box> out;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part == draw::Part::query_token && inside.has(mark.area.centre())) out[mark.query] = mark.area;
  }
  return out;
}
draw::Box ground(const draw::RecordCanvas& canvas) {
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.name == "arcs" && mark.part == draw::Part::cell) return mark.area;
  }
  return {};
}

TEST(AttentionArcs, WordsStandInOneLineInTheirOrder) {
  AttentionFixture f = arcs();
  const draw::RecordCanvas canvas = f.record(1050, 590);
  const auto line = words(canvas, ground(canvas));
  ASSERT_EQ(line.size(), 6u);
  for (int token = 1; token < 6; ++token) {
    EXPECT_FLOAT_EQ(line.at(token).y, line.at(token - 1).y);
    EXPECT_GE(line.at(token).x, line.at(token - 1).right() - 1);
  }
  EXPECT_TRUE(says(canvas, "As thick as the weight. Not drawn: weights below 0.01, rings of other words."));
}

TEST(AttentionArcs, WordsDoNotMoveUnderThePointer) {
  for (const int tokens : {6, 120}) {
    for (const auto shown :
         {scene::ArcsShown::both, scene::ArcsShown::attends_to, scene::ArcsShown::attended_by}) {
      for (const bool pinned : {true, false}) {
        AttentionFixture f = arcs({tokens, 2, 2, false, {}});
        f.scene.arcs = shown;
        f.scene.query = pinned ? scene::IndexList{2} : scene::IndexList{};
        f.scene.key = -1;
        const auto places = [&f] {
          const draw::RecordCanvas canvas = f.record(1050, 590);
          std::vector<std::pair<float, float>> out;
          for (const auto& [token, box] : words(canvas, ground(canvas)))
            out.push_back({box.centre().x, box.centre().y});
          return out;
        };
        f.hovering = false;
        const auto at_rest = places();
        ASSERT_FALSE(at_rest.empty());
        f.hovering = true;
        f.hover.mark.part = draw::Part::query_token;
        for (const int token : {0, 3, tokens - 1}) {
          f.hover.mark.query = token;
          EXPECT_EQ(places(), at_rest) << "token " << token << " of " << tokens << ", pinned " << pinned;
        }
      }
    }
  }
}

TEST(AttentionArcs, EveryWeightFromAHundredthOnIsDrawnAndTheirSidesAreChosen) {
  AttentionFixture f = arcs();
  std::set<std::pair<int, int>> expected;
  for (int query = 0; query < 6; ++query) {
    for (int key = 0; key < 6; ++key) {
      // Rings of other words would hide the feet of the arcs.
      if (query == key && query != 1) continue;
      if (f.results.attention.weights.at(0, query, key) >= 0.01f) expected.insert({query, key});
    }
  }
  EXPECT_EQ(pairs(f.record(1050, 590)), expected);
  // Below the words: only the queries that attend to the pinned word.
  f.scene.arcs = scene::ArcsShown::attended_by;
  std::set<std::pair<int, int>> below;
  for (int query = 0; query < 6; ++query) {
    if (query != 1 && f.results.attention.weights.at(0, query, 1) >= 0.01f) below.insert({query, 1});
  }
  EXPECT_GE(below.size(), 2u);
  EXPECT_EQ(pairs(f.record(1050, 590)), below);
  EXPECT_EQ(control(f.record(1050, 590), "arcs attends to").set, "arcs=attends_to");
}

TEST(AttentionArcs, TheStrongestSaysItsWeight) {
  AttentionFixture f = arcs();
  const draw::RecordCanvas canvas = f.record(1050, 590);
  float most = 0;
  for (int key = 0; key < 6; ++key) {
    if (key != 1) most = std::max(most, f.results.attention.weights.at(0, 1, key));
  }
  EXPECT_GE(times_said(canvas, fixed(static_cast<double>(most), 2)), 2) << "on the arc and in its bar";
}

TEST(AttentionArcs, AWeightOnItselfIsARingOverTheWord) {
  AttentionFixture f = arcs();
  for (float& weight : f.results.attention.weights.values()) weight = 0;
  f.results.attention.weights.at(0, 1, 1) = 0.5f;
  const draw::RecordCanvas canvas = f.record(1050, 590);
  const auto line = words(canvas, ground(canvas));
  float x, y, radius, width;
  char color[16];
  bool found = false;
  for (const std::string& shape : canvas.lines) {
    if (std::sscanf(shape.c_str(), "ring %f %f %f %15s %f", &x, &y, &radius, color, &width) != 5) continue;
    if (std::abs(width - 13) > 0.1f) continue;
    found = true;
    EXPECT_NEAR(x, line.at(1).centre().x, 0.2);
    EXPECT_LT(y, line.at(1).y);
  }
  EXPECT_TRUE(found) << "as thick as 26 times the weight";
}

TEST(AttentionArcs, LongSentencesKeepThePinnedWordAndItsStrongestKeysAndSaySo) {
  AttentionFixture f = arcs({400, 1, 2, false, {}});
  f.scene.query = {70};
  float* row = f.results.attention.weights.row(0, 70).data();
  std::fill(row, row + 400, 0.001f);
  row[5] = 0.4f, row[300] = 0.3f;
  const draw::RecordCanvas canvas = f.record(1050, 590);
  const auto line = words(canvas, ground(canvas));
  EXPECT_LE(line.size(), 26u);
  for (const int token : {5, 69, 70, 71, 300}) EXPECT_TRUE(line.count(token)) << token;
  EXPECT_TRUE(says(canvas, "of 400 tokens: "));
  EXPECT_TRUE(pairs(canvas).count({70, 300}));
}

TEST(AttentionArcs, ManyWordsAreWrittenUpwardsAndNoneIsLeftOut) {
  AttentionFixture f = arcs({40, 1, 2, false, {}});
  const draw::RecordCanvas canvas = f.record(700, 500);
  const auto line = words(canvas, ground(canvas));
  EXPECT_EQ(line.size(), 40u);
  int upwards = 0;
  for (const std::string& text : canvas.lines) upwards += text.find(" upwards") != std::string::npos;
  EXPECT_GE(upwards, 30);
}

TEST(AttentionArcs, ThePointerFindsAWordAndAnArc) {
  AttentionFixture f = arcs();
  const draw::RecordCanvas canvas = f.record(1050, 590);
  const auto line = words(canvas, ground(canvas));
  const draw::Hit word = f.pick(line.at(4).centre(), 1050, 590);
  EXPECT_EQ(word.mark.part, draw::Part::query_token);
  EXPECT_EQ(word.mark.query, 4);
  const draw::Hit nothing = f.pick({ground(canvas).x + 3, ground(canvas).y + 3}, 1050, 590);
  EXPECT_EQ(nothing.mark.name, "arcs") << "the wheel zooms everywhere";
}

}  // namespace
}  // namespace headlight::views::attention_arcs_test
