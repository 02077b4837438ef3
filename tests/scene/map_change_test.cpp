#include "pages/attention/map_change.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/computed_scene.h"

namespace headlight::scene {
namespace {

TEST(MapChange, ItIsTheDifferenceOfTheHeadThatIsShown) {
  Scene before, after;
  after.mask.causal = true;
  const auto a = computed(before), b = computed(after);
  Scene shown;
  shown.head = {2};
  const MapChange change = map_change(shown, *a, *b);
  ASSERT_EQ(change.problem, "");
  double moved = 0, largest = 0;
  for (int q = 0; q < 6; ++q) {
    for (int k = 0; k < 6; ++k) {
      const float expected = b->attention.weights.at(1, q, k) - a->attention.weights.at(1, q, k);
      EXPECT_NEAR(change.map.at(q, k), expected, 1e-7f);
      moved += std::abs(static_cast<double>(expected)) / 12;
      largest = std::max(largest, std::abs(static_cast<double>(expected)));
    }
  }
  EXPECT_NEAR(change.moved, moved, 1e-6);
  EXPECT_NEAR(change.largest, largest, 1e-7);
  EXPECT_NEAR(std::abs(change.map.at(change.query, change.key)), largest, 1e-7);
  // A causal mask takes from a row exactly what lay ahead of the query: for query 0 all but its own weight.
  double row = 0;
  for (int k = 0; k < 6; ++k) row += std::abs(static_cast<double>(change.map.at(0, k)));
  EXPECT_NEAR(row / 2, 1 - static_cast<double>(a->attention.weights.at(1, 0, 0)), 1e-6);
}

TEST(MapChange, NothingMovesBetweenTheSame) {
  const auto a = computed({}), b = computed({});
  for (const IndexList& heads : {IndexList{}, IndexList{1, 3}, IndexList{9}}) {
    Scene shown;
    shown.head = heads;
    const MapChange change = map_change(shown, *a, *b);
    EXPECT_EQ(change.largest, 0);
    EXPECT_EQ(change.moved, 0);
  }
}

TEST(MapChange, APairThatIsMaskedOnBothSidesHasNoChange) {
  Scene causal, window;
  causal.mask.causal = true;
  window.mask.causal = window.mask.window = true, window.window = 1;
  const MapChange change = map_change({}, *computed(causal), *computed(window));
  for (int q = 0; q < 6; ++q) {
    for (int k = 0; k < 6; ++k) EXPECT_EQ(change.masked(q, k), k > q) << q << ' ' << k;
    EXPECT_EQ(change.allowed[static_cast<std::size_t>(q)], (base::Interval{0, q + 1}));
  }
  EXPECT_FALSE(map_change({}, *computed({}), *computed(causal)).masked(0, 5)) << "it had a weight before";
}

TEST(MapChange, OtherTokensHaveNoDifference) {
  Scene longer;
  longer.sentence = "one more word than there was before";
  EXPECT_EQ(map_change({}, *computed({}), *computed(longer)).problem,
            "before, there were 6 tokens, now there are 7");
  Scene empty;
  empty.sentence.clear();
  EXPECT_NE(map_change({}, *computed(empty), *computed({})).problem, "");
}

}  // namespace
}  // namespace headlight::scene
