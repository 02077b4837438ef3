// The weights of two queries by the offset of the key.
#include "pages/attention/offsets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "pages/compute.h"
#include "scene/detail_query.h"

namespace headlight::scene {
namespace {

TEST(Offsets, TheOtherQueryIsOneThatExistsAndAnother) {
  Scene scene;
  scene.query = {1};
  EXPECT_EQ(detail_query_of(scene, 6), 1);
  EXPECT_EQ(other_query(scene, 1, 6), 2);
  EXPECT_EQ(other_query(scene, 5, 6), 1) << "the one that was pinned";
  scene.query = {5};
  EXPECT_EQ(other_query(scene, 5, 6), 4) << "the last query has no next one";
  scene.query = {0, 3, 5};
  EXPECT_EQ(other_query(scene, 5, 6), 3);
  scene.attention.other_query = 2;
  EXPECT_EQ(other_query(scene, 5, 6), 2);
  EXPECT_EQ(other_query(scene, 2, 6), 5) << "not itself";
  EXPECT_EQ(other_query(scene, 0, 1), -1);
  scene.query = {77};
  EXPECT_EQ(detail_query_of(scene, 6), 5) << "the last one stands for what is not there";
  scene.query = {};
  EXPECT_EQ(detail_query_of(scene, 6), 0);
}

/// Equal words without positions and a causal mask: every score is the same, and the weights differ by how
/// many keys the mask leaves. That is said; without the mask there is no difference.
TEST(Offsets, ADifferenceOfTheMaskIsNotTheContents) {
  Scene scene;
  scene.sentence = "a a a a", scene.position = Position::none, scene.query = {1},
  scene.attention.other_query = 3;
  for (const bool causal : {true, false}) {
    scene.mask.causal = causal;
    base::Parallel parallel(1);
    const auto results = compute_now(scene, parallel, nullptr);
    const nn::AttentionTrace& t = results->attention;
    const KernelDifference found = kernel_difference(t.weights.row(0, 1), 1, t.weights.row(0, 3), 3);
    EXPECT_EQ(same_kernel(found.difference), !causal);
    EXPECT_NEAR(found.difference, causal ? 0.25 : 0, 1e-6);  // 1/2 − 1/4
    EXPECT_EQ(masks_in_words(t.allowed[1], 1, t.allowed[3], 3, 4),
              causal ? "The mask lets them attend to 2 and 4 keys, so their weights differ even with "
                       "equal scores."
                     : "");
  }
}

/// As many keys, but at other offsets: query 5 has keys 0 and 1 at −5 and −4, query 2 at −2 and −1.
TEST(Offsets, AMaskCanLeaveAsManyKeysAtOtherOffsets) {
  EXPECT_EQ(masks_in_words({0, 2}, 5, {0, 2}, 2, 6),
            "Of the shared offsets, the mask allows query 5 none and query 2 −2 … −1, so their weights "
            "differ even with equal scores.");
  EXPECT_EQ(masks_in_words({0, 6}, 0, {0, 6}, 5, 6), "") << "no mask, only the ends of the sentence";
  EXPECT_EQ(masks_in_words({1, 4}, 2, {2, 5}, 3, 6), "") << "a window has the same offsets";
}

/// Nothing to compare is not "the same": at every door NaN, in words why.
TEST(Offsets, WithoutWeightsThereIsNothingToCompare) {
  const std::vector<float> some = {0.5f, 0.5f, 0}, none(3, 0.f), broken = {NAN, NAN, NAN};
  for (const auto& [a, b, why] :
       {std::tuple{none, none, "Neither query has weights"}, std::tuple{some, none, "Query 1 has no weights"},
        std::tuple{none, some, "Query 0 has no weights"},
        std::tuple{some, broken, "Some weights are not finite"}}) {
    const KernelDifference found = kernel_difference(a, 0, b, 1);
    EXPECT_TRUE(std::isnan(found.difference)) << why;
    EXPECT_FALSE(same_kernel(found.difference)) << why;
    const std::string message = not_compared(a, 0, b, 1, found.difference);
    EXPECT_EQ(message.find(why), 0u) << message;
  }
  EXPECT_EQ(not_compared(some, 0, some, 1, kernel_difference(some, 0, some, 1).difference), "");
}

TEST(Offsets, AConvolutionHasNoDifference) {
  // One kernel, 0.2 at −1, 0.5 at 0, 0.3 at +1, slid over six positions.
  const auto row = [](int i) {
    std::vector<float> weights(6, 0.f);
    const float kernel[] = {0.2f, 0.5f, 0.3f};
    for (int tap = -1; tap <= 1; ++tap) {
      if (i + tap >= 0 && i + tap < 6) weights[static_cast<std::size_t>(i + tap)] = kernel[tap + 1];
    }
    return weights;
  };
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) EXPECT_EQ(kernel_difference(row(i), i, row(j), j).difference, 0);
  }
  std::vector<float> other = row(3);
  other[4] = 0.9f;
  const KernelDifference found = kernel_difference(row(1), 1, other, 3);
  EXPECT_EQ(found.offset, 1);
  EXPECT_NEAR(found.difference, 0.6, 1e-6);
}

}  // namespace
}  // namespace headlight::scene
