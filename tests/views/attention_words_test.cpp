// The page in words agrees with the page in numbers.
#include <gtest/gtest.h>

#include "pages/attention/view/words.h"
#include "views/attention_fixture.h"

namespace headlight::views {
namespace {

std::string tip(AttentionFixture& f, draw::Part part, int head, int query, int key) {
  draw::Hit hit;
  hit.mark.part = part, hit.mark.head = head, hit.mark.query = query, hit.mark.key = key;
  return attention_tooltip(f.input(), hit);
}

TEST(AttentionWords, TheStatusLineNamesRowAndColumn) {
  AttentionFixture f;
  f.scene.head = {2};
  const std::string weight = fixed(static_cast<double>(f.results.attention.weights.at(1, 2, 1)), 2);
  const std::string query = "“" + f.results.tokens[2].text + "”", key = "“" + f.results.tokens[1].text + "”";
  EXPECT_EQ(cell_words(f.input(), 1, 2, 1), "row " + query + ", column " + key + ": " + weight + " (head 2)");
  f.scene.query_axis = scene::QueryAxis::columns;
  EXPECT_EQ(cell_words(f.input(), -1, 2, 1),
            "row " + key + ", column " + query + ": " + weight + " (head 2)");
}

/// Words that the model does not know: told under the pointer, dotted wherever they are written, and counted
/// in a line of the page.
TEST(AttentionWords, UnknownTokensAreMarked) {
  AttentionFixture f;
  const auto lines = [&] {
    int count = 0;
    for (const std::string& line : f.record(1340, 850).lines) count += line.rfind("line ", 0) == 0 ? 1 : 0;
    return count;
  };
  const int before = lines();
  EXPECT_EQ(tip(f, draw::Part::query_token, -1, 2, -1).find("vocabulary"), std::string::npos);
  f.results.known.assign(f.results.tokens.size(), 1);
  EXPECT_EQ(lines(), before);
  f.results.known[2] = 0;
  f.results.remarks = {"1 token is not in the model’s vocabulary: treated as <unknown>"};
  EXPECT_GE(lines(), before + 3) << "its chip, its row and its column";
  EXPECT_TRUE(says(f.record(1340, 850), f.results.remarks[0]));
  EXPECT_NE(tip(f, draw::Part::query_token, -1, 2, -1).find("treated as <unknown>"), std::string::npos);
  EXPECT_NE(tip(f, draw::Part::key_token, -1, -1, 2).find("treated as <unknown>"), std::string::npos);
  EXPECT_EQ(tip(f, draw::Part::key_token, -1, -1, 1).find("unknown"), std::string::npos);
}

/// A head that was guided during training is named as one: in its tile and above its map.
TEST(AttentionWords, AGuidedHeadIsNamed) {
  AttentionFixture f;
  f.scene.head = {2};
  EXPECT_FALSE(says(f.record(1340, 850), "guided"));
  f.results.guide = {0, 1, 0.3};
  f.results.scene.weights_layer = 1;
  EXPECT_TRUE(says(f.record(1340, 850), "Head 2, guided · attention weights"));
  // In a tile without room for the word it has its entropy, as all others have, and the title says it.
  EXPECT_TRUE(says(f.record(1340, 850), "heads, 1 guided") || says(f.record(1340, 850), "2 guided"));
  EXPECT_TRUE(says(f.record(1340, 850), f.input().text("entropy head=2")));
  EXPECT_NE(tip(f, draw::Part::head, 1, -1, -1).find("Head 2, guided during training"), std::string::npos);
  EXPECT_EQ(tip(f, draw::Part::head, 0, -1, -1).find("guided"), std::string::npos);
  f.scene.head = {1};
  EXPECT_FALSE(says(f.record(1340, 850), ", guided"));
  f.results.scene.weights_layer = 2;  // the head of another layer
  EXPECT_FALSE(says(f.record(1340, 850), "guided"));
}

TEST(AttentionWords, CombinedHeadsAndMasksAreNamed) {
  Case what;
  what.mask.causal = true;
  AttentionFixture f(what);
  EXPECT_NE(cell_words(f.input(), -1, 3, 1)
                .find(fixed(static_cast<double>(f.results.mean.at(3, 1)), 2) + " (mean of 4 heads)"),
            std::string::npos);
  EXPECT_NE(cell_words(f.input(), 0, 1, 3).find(": masked (head 1)"), std::string::npos);
  EXPECT_EQ(cell_words(f.input(), 0, 1, 30), "");
  EXPECT_EQ(cell_words(f.input(), 0, -1, 0), "");
  EXPECT_EQ(cell_words(f.input(), 9, 1, 0), "");
}

/// The arithmetic of a weight and the heads of a mean are in the card of the opened cell: a tooltip of many
/// lines would cover the cells that it explains.
TEST(AttentionWords, ATooltipIsOneLineWithThePairAndItsWeight) {
  AttentionFixture f;
  f.open(1, 2, 3);
  const std::string pair = "“" + f.results.tokens[2].text + "” → “" + f.results.tokens[3].text + "” · ";
  EXPECT_EQ(tip(f, draw::Part::cell, 1, 2, 3), pair + "head 2 · weight " + fixed(f.cell.weight, 2));
  EXPECT_EQ(tip(f, draw::Part::bar, -1, 2, 3),
            pair + "mean of 4 heads · weight " + fixed(static_cast<double>(f.results.mean.at(2, 3)), 2));
  Case masked;
  masked.mask.causal = true;
  AttentionFixture g(masked);
  EXPECT_NE(tip(g, draw::Part::cell, 0, 2, 3).find("head 1 · masked: weight exactly 0"), std::string::npos);
}

TEST(AttentionWords, EveryMarkOfThePageHasATooltipOrIsAControl) {
  AttentionFixture f;
  f.open(0, 1, 2);
  for (const draw::Mark& mark : f.record(1340, 850).marks) {
    draw::Hit hit;
    hit.mark = mark;
    if (!mark.name.empty() && mark.part == draw::Part::cell) continue;  // the ground of beams and arcs
    if (mark.part == draw::Part::cell && mark.query < 0)
      hit.mark.query = hit.mark.key = 0;  // a heatmap fills them in
    EXPECT_NE(attention_tooltip(f.input(), hit), "") << static_cast<int>(mark.part) << " " << mark.name;
  }
}

TEST(AttentionWords, NothingIsSaidOfNothing) {
  AttentionFixture f;
  EXPECT_EQ(tip(f, draw::Part::none, -1, -1, -1), "");
  EXPECT_EQ(tip(f, draw::Part::cell, 77, 0, 0), "");
  AttentionFixture empty({0, 4, 8, false, {}});
  EXPECT_EQ(tip(empty, draw::Part::cell, 0, 0, 0), "");
}

}  // namespace
}  // namespace headlight::views
