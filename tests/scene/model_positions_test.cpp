// A trained model's positions on the Order and Variants pages: which it has, which it takes, and where its
// table ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pages/order/order.h"
#include "pages/variants/variants.h"
#include "shown_model.h"

namespace headlight::scene {
namespace {

using P = nn::ModelPositions;
using testing::HasSubstr;
using tests::largest_gap;
using tests::ShownModel;
using tests::some_model;

TEST(ModelPositions, OnlyAModelWithoutPositionsAndMasksIsOrderBlind) {
  for (const int layer : {1, 3}) {
    ShownModel blind(some_model(P::none, false), layer);
    blind.scene.order.permutation = {5, 0, 3, 6, 2, 1, 4};
    const auto results = blind.computed(Page::order);
    EXPECT_LT(results->own_as<OrderResults>()->float32.output,
              1e-5 * results->own_as<OrderResults>()->float32.largest);
    EXPECT_LT(results->own_as<OrderResults>()->float64.output, 1e-13);
    EXPECT_FALSE(results->own_as<OrderResults>()->mask_knows_order);
    EXPECT_FALSE(results->own_as<OrderResults>()->relative_positions);
    blind.scene.mask.window = true, blind.scene.window = 100;  // blocks nothing
    EXPECT_FALSE(blind.computed(Page::order)->own_as<OrderResults>()->mask_knows_order);
    blind.scene.window = 1;
    EXPECT_TRUE(blind.computed(Page::order)->own_as<OrderResults>()->mask_knows_order);
  }
}

TEST(ModelPositions, PositionsCannotStandBehindAModelsWords) {
  ShownModel shown(some_model(P::sinusoidal), 2);
  shown.scene.variants.a.position = VariantPosition::concat;
  const auto results = shown.computed(Page::variants);
  EXPECT_THAT(results->own_as<VariantsResults>()->a.error, HasSubstr("takes 8 components per token"));
  EXPECT_THAT(results->own_as<VariantsResults>()->decoding.error, HasSubstr("takes 8 components per token"));
  EXPECT_EQ(results->own_as<VariantsResults>()->b.error, "");
}

/// Strength and offset of the scene's positions are those of the Attention page, without a model too.
TEST(ModelPositions, VariantsHaveTheScenesPositions) {
  Scene scene;
  scene.page = Page::variants;
  scene.position_scale = 0.6, scene.position_offset = 11;
  scene.variants.a = {VariantMask::none, VariantPosition::sinusoidal, true};
  base::Parallel parallel(1);
  const auto results = compute_now(scene, parallel, nullptr);
  const nn::Matrix& weights = results->own_as<VariantsResults>()->a.weights;
  ASSERT_EQ(weights.rows(), results->attention.T);
  ASSERT_EQ(weights.cols(), results->attention.S);
  ASSERT_GT(weights.size(), 1u);
  EXPECT_LT(largest_gap(weights.data(), results->attention.weights.plane(0), weights.size()), 1e-6);
}

/// The pictures of a rotation and of a table are those of the numbers that are used.
TEST(ModelPositions, WhatIsDrawnOfPositionsIsWhatIsUsed) {
  ShownModel rotated(some_model(P::rope));
  rotated.scene.position_base = 7;
  rotated.scene.variants.a = {VariantMask::none, VariantPosition::rope_half, true};
  rotated.scene.variants.b = {VariantMask::none, VariantPosition::rope, true};
  const auto turned = rotated.computed(Page::variants);
  const VariantSideResults& own = turned->own_as<VariantsResults>()->a;
  ASSERT_EQ(own.omega.size(), 2u);  // heads are four wide
  for (std::size_t pair = 0; pair < 2; ++pair) {
    EXPECT_NEAR(own.omega[pair], std::pow(10000, -0.5 * static_cast<double>(pair)), 1e-12);
    EXPECT_NEAR(turned->own_as<VariantsResults>()->b.omega[pair],
                std::pow(7, -0.5 * static_cast<double>(pair)), 1e-12);
  }
  rotated.scene.mask = {};
  const auto attended = rotated.computed(Page::attention);
  EXPECT_LT(largest_gap(own.weights.data(), attended->attention.weights.data(), own.weights.size()), 1e-6);

  for (const P positions : {P::learned, P::sinusoidal}) {
    ShownModel shown(some_model(positions));
    shown.scene.variants.table_rows = 40;
    shown.scene.variants.a.position = VariantPosition::learned;
    shown.scene.variants.b.position = VariantPosition::none;
    const auto results = shown.computed(Page::variants);
    EXPECT_EQ(results->own_as<VariantsResults>()->a.table_rows, positions == P::learned ? 16 : 40);
    EXPECT_EQ(results->own_as<VariantsResults>()->b.table_rows, 0);
    if (positions != P::learned) continue;
    for (int t = 0; t < 7; ++t)
      EXPECT_EQ(largest_gap(results->own_as<VariantsResults>()->a.p.row(t).data(),
                            shown.model.weights.wpe.row(t).data(), 8),
                0);
  }
}

/// Where the Attention page and the model's own variant part, as variants.h has it.
TEST(ModelPositions, PositionsThatTheModelDoesNotHave) {
  ShownModel shown(some_model(P::learned));
  shown.scene.variants.a = {VariantMask::none, VariantPosition::learned, true};
  shown.scene.mask = {};
  const auto gap = [&] {
    const auto results = shown.computed(Page::variants);
    const nn::Matrix& weights = results->own_as<VariantsResults>()->a.weights;
    return largest_gap(weights.data(), results->attention.weights.data(), weights.size());
  };
  shown.scene.position_offset = 9;  // the last of 7 tokens has the last of 16 rows
  EXPECT_LT(gap(), 1e-6);
  EXPECT_THAT(shown.computed(Page::variants)->remarks, testing::IsEmpty());
  shown.scene.position_offset = 10;
  auto results = shown.computed(Page::variants);
  EXPECT_NE(results->own_as<VariantsResults>()->a.error, "");
  EXPECT_EQ(results->own_as<VariantsResults>()->a.table_rows, 16);
  ASSERT_EQ(results->remarks.size(), 1u);
  EXPECT_EQ(results->remarks[0],
            "the model’s table of positions ends at 15: its last row is used for all later "
            "positions");
  shown.scene.position = Position::none;
  EXPECT_THAT(shown.computed(Page::attention)->remarks, testing::IsEmpty());
  shown.scene.position_offset = 0;
  EXPECT_GT(gap(), 1e-3);  // the side has the positions that it names
}

}  // namespace
}  // namespace headlight::scene
