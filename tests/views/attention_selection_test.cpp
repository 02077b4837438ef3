// What is selected is what the results have, whatever the scene asks for.
#include <gtest/gtest.h>

#include "kit/page_input.h"
#include "kit/selection.h"
#include "views/attention_fixture.h"

namespace headlight::views {
namespace {

TEST(AttentionSelection, HeadsAreHeldToThoseThatExist) {
  AttentionFixture f;
  f.scene.head = {};
  EXPECT_EQ(select(f.input()).kind, HeadsShown::all);
  f.scene.head = {3};
  EXPECT_EQ(select(f.input()).kind, HeadsShown::one);
  EXPECT_EQ(select(f.input()).heads, std::vector<int>{2});
  f.scene.head = {4, 2, 99};
  EXPECT_EQ(select(f.input()).kind, HeadsShown::several);
  EXPECT_EQ(select(f.input()).heads, (std::vector<int>{3, 1}));
  f.scene.head = {99};
  EXPECT_EQ(select(f.input()).kind, HeadsShown::all);
}

TEST(AttentionSelection, OneHeadIsNeverAll) {
  AttentionFixture f({6, 1, 4, false, {}});
  f.scene.head = {};
  EXPECT_EQ(select(f.input()).kind, HeadsShown::one);
}

TEST(AttentionSelection, TheLastPinnedQueryIsAsked) {
  AttentionFixture f;
  f.scene.query = {4, 1, 77, -1, 4};
  const Selection s = select(f.input());
  EXPECT_EQ(s.queries, (std::vector<int>{1, 4}));
  EXPECT_EQ(s.detail_query, 4);
}

TEST(AttentionSelection, TheOpenedCellDecidesTheKey) {
  AttentionFixture f;
  EXPECT_EQ(select(f.input()).key, -1);
  f.scene.key = 2;
  EXPECT_EQ(select(f.input()).key, 2);
  f.open(0, 1, 5);
  EXPECT_EQ(select(f.input()).key, 5);
  f.scene.query = {3};  // the arithmetic of another query is not this one's
  EXPECT_EQ(select(f.input()).key, 2);
}

TEST(AttentionSelection, PinsBeyondAShorterSentenceFallBackToTheLastToken) {
  AttentionFixture f({1, 2, 2, false, {}});
  f.scene.query = {5}, f.scene.key = 7;
  EXPECT_EQ(select(f.input()).detail_query, 0);
  EXPECT_EQ(select(f.input()).key, 0);
  f.scene.query = {};
  EXPECT_EQ(select(f.input()).detail_query, -1);
}

TEST(AttentionSelection, CombinedRowsOfSeveralHeads) {
  AttentionFixture f;
  f.scene.head = {1, 2, 4};
  const PageInput in = f.input();
  const Selection s = select(in);
  draw::RecordCanvas canvas;
  const Sheet sheet{{canvas, in.theme, nullptr}, in, s};
  std::vector<float> room;
  const auto& weights = f.results.attention.weights;
  const auto mean = combined_row(sheet, 2, room);
  for (int key = 0; key < 6; ++key) {
    EXPECT_NEAR(mean[static_cast<std::size_t>(key)],
                (weights.at(0, 2, key) + weights.at(1, 2, key) + weights.at(3, 2, key)) / 3, 1e-6f);
  }
  f.scene.combine = scene::Combine::max;
  const auto largest = combined_row(sheet, 2, room);
  for (int key = 0; key < 6; ++key) {
    EXPECT_EQ(largest[static_cast<std::size_t>(key)],
              std::max({weights.at(0, 2, key), weights.at(1, 2, key), weights.at(3, 2, key)}));
  }
}

}  // namespace
}  // namespace headlight::views
