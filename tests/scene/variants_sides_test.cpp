// A, B and their difference against plain loops in double precision, and the laws that they must obey.
#include <gtest/gtest.h>

#include "nn/positional.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "pages/variants/variants.h"
#include "variants_by_hand.h"

namespace headlight::scene::by_hand {
namespace {

TEST(Variants, EveryPositionalSchemeIsWhatItsDefinitionSays) {
  Scene scene = variants_scene();
  scene.variants.head = 3;
  for (int n = 0; n < 9; ++n) {
    for (const bool scaled : {true, false}) {
      for (const Mask mask : {Mask::none, Mask::causal}) {
        scene.variants.a = {mask, static_cast<Position>(n), scaled};
        SCOPED_TRACE(std::string(word(scene.variants.a.position)) + " " + word(mask));
        const auto results = computed(scene);
        const VariantSideResults& a = results->own_as<VariantsResults>()->a;
        ASSERT_EQ(a.error, "");
        const auto want = scores_of(scene, scene.variants.a, a, results->tokens, 2, 0);
        const int T = results->own_as<VariantsResults>()->T;
        for (int i = 0; i < T; ++i) {
          double sum = 0;
          for (int j = 0; j < T; ++j) {
            if (may(scene, mask, i, j)) sum += std::exp(want[static_cast<std::size_t>(i * T + j)]);
          }
          for (int j = 0; j < T; ++j) {
            const double score = want[static_cast<std::size_t>(i * T + j)];
            if (!may(scene, mask, i, j)) {
              EXPECT_EQ(a.weights.at(i, j), 0);
              continue;
            }
            EXPECT_NEAR(static_cast<double>(a.scores.at(i, j)), score, 2e-5);
            EXPECT_NEAR(static_cast<double>(a.weights.at(i, j)), std::exp(score) / sum, 1e-5);
          }
        }
      }
    }
  }
}

TEST(Variants, TheSameSettingsGiveTheMapOfTheAttentionPage) {
  Scene scene = variants_scene();
  scene.variants.b = {Mask::none, Position::sinusoidal, true};
  for (int head = 1; head <= scene.heads; ++head) {
    scene.variants.head = head;
    const auto results = computed(scene);
    for (int i = 0; i < results->attention.T; ++i) {
      for (int j = 0; j < results->attention.S; ++j)
        EXPECT_NEAR(results->own_as<VariantsResults>()->b.weights.at(i, j),
                    results->attention.weights.at(head - 1, i, j), 1e-6f);
    }
    EXPECT_NEAR(results->own_as<VariantsResults>()->b.entropy_bits,
                results->heads[static_cast<std::size_t>(head - 1)].entropy_bits, 1e-5);
    EXPECT_NEAR(results->own_as<VariantsResults>()->b.score_variance,
                results->heads[static_cast<std::size_t>(head - 1)].score_variance, 1e-4);
  }
}

TEST(Variants, EveryMaskLeavesThePairsOfItsDefinition) {
  Scene scene = variants_scene();
  scene.sentence = words(13);
  for (const int stride : {1, 2, 3, 5}) {
    scene.variants.stride = stride, scene.variants.window = 2, scene.variants.global_tokens = 2;
    for (int n = 0; n < 9; ++n) {
      scene.variants.a.mask = static_cast<Mask>(n);
      const auto results = computed(scene);
      const VariantSideResults& a = results->own_as<VariantsResults>()->a;
      std::size_t allowed = 0;
      bool runs = true;
      for (int i = 0; i < 13; ++i) {
        int starts = 0;
        for (int j = 0; j < 13; ++j) {
          const bool want = may(scene, scene.variants.a.mask, i, j);
          allowed += want;
          starts += want && (j == 0 || !may(scene, scene.variants.a.mask, i, j - 1));
          EXPECT_EQ(a.allow[static_cast<std::size_t>(i * 13 + j)] != 0, want)
              << word(scene.variants.a.mask) << i << "," << j;
          if (!want) {
            EXPECT_EQ(a.weights.at(i, j), 0);
          }
          if (!a.intervals.empty()) {
            EXPECT_EQ(a.intervals[static_cast<std::size_t>(i)].has(j), want);
          }
        }
        runs = runs && starts <= 1;
      }
      EXPECT_EQ(a.allowed, allowed);
      EXPECT_EQ(!a.intervals.empty(), runs) << word(scene.variants.a.mask);
    }
  }
}

TEST(Variants, AShiftMovesAbsolutePositionsOnly) {
  Scene scene = variants_scene();
  for (int n = 0; n < 9; ++n) {
    scene.variants.a.position = static_cast<Position>(n);
    SCOPED_TRACE(word(scene.variants.a.position));
    for (const int shift : {0, 1, 8, 64}) {
      scene.variants.shift = shift;
      const auto results = computed(scene);
      const VariantSideResults& a = results->own_as<VariantsResults>()->a;
      ASSERT_EQ(a.shift_error, "");
      EXPECT_EQ(a.shift.shift, shift);
      const auto before = scores_of(scene, scene.variants.a, a, results->tokens, 0, 0);
      const auto after = scores_of(scene, scene.variants.a, a, results->tokens, 0, shift);
      double want = 0;
      for (std::size_t i = 0; i < before.size(); ++i) want = std::max(want, std::abs(before[i] - after[i]));
      EXPECT_NEAR(a.shift.score_change, want, 2e-5);
      const bool absolute = scene.variants.a.position == Position::sinusoidal ||
                            scene.variants.a.position == Position::concat ||
                            scene.variants.a.position == Position::learned;
      if (shift > 0) {
        EXPECT_EQ(a.shift.score_change > 1e-3, absolute);
      }
      ASSERT_EQ(a.shifts.size(), 65u);
      EXPECT_EQ(a.shifts[static_cast<std::size_t>(shift)].score_change, a.shift.score_change);
      EXPECT_EQ(a.shifts[0].score_change, 0);
    }
  }
}

TEST(Variants, ALearnedTableEnds) {
  Scene scene = variants_scene();
  scene.variants.a.position = Position::learned;
  scene.variants.table_rows = 10;  // six tokens, shifted by 8
  auto results = computed(scene);
  EXPECT_EQ(results->own_as<VariantsResults>()->a.error, "");
  EXPECT_NE(results->own_as<VariantsResults>()->a.shift_error.find("rows 0 to 9"), std::string::npos);
  EXPECT_FALSE(results->own_as<VariantsResults>()->a.shift_error.empty());
  EXPECT_EQ(results->own_as<VariantsResults>()->a.shifts.size(), 5u);  // shifts 0 … 4 have rows
  scene.variants.table_rows = 5;
  results = computed(scene);
  EXPECT_FALSE(results->own_as<VariantsResults>()->a.error.empty());
  EXPECT_TRUE(results->own_as<VariantsResults>()->difference.weights.empty());
  EXPECT_FALSE(results->own_as<VariantsResults>()->decoding.error.empty());
  EXPECT_EQ(results->own_as<VariantsResults>()->b.error, "");
}

TEST(Variants, TheDifferenceIsThatOfTheTwoMaps) {
  Scene scene = variants_scene();
  scene.variants.a.mask = Mask::causal, scene.variants.b.mask = Mask::window;
  const auto results = computed(scene);
  const VariantsResults& v = *results->own_as<VariantsResults>();
  float largest = 0;
  double moved = 0;
  for (int i = 0; i < v.T; ++i) {
    for (int j = 0; j < v.T; ++j) {
      const float d = v.a.weights.at(i, j) - v.b.weights.at(i, j);
      EXPECT_EQ(v.difference.weights.at(i, j), d);
      largest = std::max(largest, std::abs(d));
      moved += static_cast<double>(std::max(d, 0.f)) / v.T;  // what one row gains another loses
      EXPECT_EQ(v.difference.allow[static_cast<std::size_t>(i * v.T + j)] != 0, j <= i + 1);
    }
  }
  EXPECT_EQ(v.difference.largest, static_cast<double>(largest));
  EXPECT_EQ(std::abs(v.difference.weights.at(v.difference.query, v.difference.key)), largest);
  EXPECT_NEAR(v.difference.moved, moved, 1e-6);
}

/// With two keys a row's changes are opposite, so that the largest one stands twice in it.
TEST(Variants, EquallyLargeDifferencesAreCounted) {
  Scene scene = variants_scene();
  scene.sentence = "cat sat";
  scene.variants.a = {Mask::none, Position::none, true};
  scene.variants.b = {Mask::causal, Position::none, true};
  const auto tied = computed(scene);
  EXPECT_EQ(tied->own_as<VariantsResults>()->difference.places, 2);
  EXPECT_EQ(tied->own_as<VariantsResults>()->difference.rows, 1);
  scene.variants.b = scene.variants.a;
  const auto same = computed(scene);
  EXPECT_EQ(same->own_as<VariantsResults>()->difference.places, 0);
  scene.sentence = "the cat sat on the mat";
  scene.variants.b = {Mask::none, Position::sinusoidal, true};
  const auto one = computed(scene);
  EXPECT_EQ(one->own_as<VariantsResults>()->difference.places, 1);
}

TEST(Variants, WhatIsAppliedIsWhatIsShown) {
  Scene scene = variants_scene();
  scene.variants.a.position = Position::t5, scene.variants.b.position = Position::alibi;
  scene.variants.head = 2;
  auto results = computed(scene);
  const VariantsResults& v = *results->own_as<VariantsResults>();
  const nn::Matrix table = seeded_table(scene.seed, "relative bias", 32, 4, 1);
  for (int i = 0; i < v.T; ++i) {
    for (int j = 0; j < v.T; ++j) {
      // Exact buckets: 0 … 7 back, 16 + 0 … 7 ahead.
      const int bucket = j > i ? 16 + j - i : i - j;
      EXPECT_EQ(v.a.bucket[static_cast<std::size_t>(j - i + 128)], bucket);
      EXPECT_EQ(v.a.bias.at(i, j), table.at(bucket, 1));
      EXPECT_EQ(v.a.bucket_bias[static_cast<std::size_t>(bucket)], table.at(bucket, 1));
      EXPECT_FLOAT_EQ(v.b.bias.at(i, j), static_cast<float>(-std::abs(i - j)) / 16);
    }
  }
  EXPECT_EQ(v.a.bucket.front(), 15);
  EXPECT_EQ(v.a.bucket.back(), 31);
  ASSERT_EQ(v.b.slopes.size(), 4u);
  for (std::size_t h = 0; h < 4; ++h)
    EXPECT_DOUBLE_EQ(v.b.slopes[h], std::pow(0.25, static_cast<double>(h) + 1));

  scene.variants.a.position = Position::rope, scene.variants.b.position = Position::sinusoidal;
  results = computed(scene);
  EXPECT_EQ(results->own_as<VariantsResults>()->a.rotary_dim, 8);
  for (std::size_t j = 0; j < 4; ++j)
    EXPECT_NEAR(results->own_as<VariantsResults>()->a.omega[j], std::pow(10.0, -static_cast<double>(j)),
                1e-12);
  for (int t = 0; t < 6; ++t) {
    for (int c = 0; c < 32; ++c) {
      EXPECT_NEAR(static_cast<double>(results->own_as<VariantsResults>()->b.p.at(t, c)),
                  p_at(t, c, 32, 10000), 5e-7);
      EXPECT_NEAR(static_cast<double>(results->own_as<VariantsResults>()->b.p_shifted.at(t, c)),
                  p_at(t + 8, c, 32, 10000), 5e-7);
    }
  }
}

/// By clipped distance, as a map, as a quantity and as an export: the same numbers.
TEST(Variants, ShawAddsByTheClippedDistanceOfEachQuery) {
  Scene scene = variants_scene();
  scene.variants.a = {Mask::causal, Position::shaw, true};
  scene.variants.b = {Mask::causal, Position::none, true};
  scene.variants.clip = 2, scene.variants.head = 2;
  const auto results = computed(scene);
  const VariantSideResults &a = results->own_as<VariantsResults>()->a,
                           &b = results->own_as<VariantsResults>()->b;
  ASSERT_EQ(a.by_clipped.cols(), 5);
  const auto value = [&](const std::string& name) {
    return quantity_value(*parse_quantity(name), {scene, *results});
  };
  base::Parallel parallel(1);
  const MaybeNumbers exported = numbers_of(*find_table("variants_a_clipped"), {scene, *results, parallel});
  ASSERT_TRUE(exported);
  const auto& tensor = std::get<io::TensorView<float>>(exported->tensor);
  EXPECT_EQ(exported->labels[1], (std::vector<std::string>{"-2", "-1", "0", "1", "2"}));
  for (int i = 0; i < results->own_as<VariantsResults>()->T; ++i) {
    for (int j = 0; j < results->own_as<VariantsResults>()->T; ++j) {
      const int distance = std::min(std::max(j - i, -2), 2);
      const float added = a.by_clipped.at(i, distance + 2);
      EXPECT_EQ(a.bias.at(i, j), added);
      EXPECT_NEAR(a.scores.at(i, j) - b.scores.at(i, j), added, 1e-5f);
      const std::string query = " query=" + std::to_string(i);
      EXPECT_EQ(value("variant_bias side=a" + query + " key=" + std::to_string(j)),
                static_cast<double>(added));
      EXPECT_EQ(value("variant_by_distance side=a" + query + " distance=" + std::to_string(j - i)),
                static_cast<double>(added));
      EXPECT_EQ(tensor.values[static_cast<std::size_t>(5 * i + distance + 2)], added);
    }
  }
  // Not a bias by distance alone: it differs from query to query, by their contents.
  EXPECT_GT(std::abs(a.by_clipped.at(1, 2) - a.by_clipped.at(2, 2)), 1e-3f);
  EXPECT_TRUE(std::isnan(value("variant_by_distance side=b query=0 distance=1")));
}

TEST(Variants, TheFiguresOfASideAreThoseOfItsMap) {
  Scene scene = variants_scene();
  scene.variants.a = {Mask::window_global, Position::alibi, false};
  scene.variants.b = {Mask::padding, Position::rope, true};
  const auto results = computed(scene);
  for (const VariantSideResults* side :
       {&results->own_as<VariantsResults>()->a, &results->own_as<VariantsResults>()->b}) {
    const auto want = scores_of(scene, side->settings, *side, results->tokens, 0, 0);
    const int T = results->own_as<VariantsResults>()->T;
    double largest = 0, magnitude = 0, entropy = 0, mean = 0, variance = 0, pairs = 0;
    for (const bool second : {false, true}) {
      for (int i = 0; i < T; ++i) {
        double sum = 0;
        for (int j = 0; j < T; ++j) {
          if (may(scene, side->settings.mask, i, j))
            sum += std::exp(want[static_cast<std::size_t>(i * T + j)]);
        }
        for (int j = 0; j < T; ++j) {
          if (!may(scene, side->settings.mask, i, j)) continue;
          const double score = want[static_cast<std::size_t>(i * T + j)], weight = std::exp(score) / sum;
          if (second) {
            variance += (score - mean) * (score - mean) / pairs;
            continue;
          }
          largest = std::max(largest, weight), magnitude = std::max(magnitude, std::abs(score));
          entropy -= weight * std::log2(weight) / T;
          mean += score, ++pairs;
        }
      }
      if (!second) mean /= pairs;
    }
    EXPECT_EQ(side->allowed, static_cast<std::size_t>(pairs));
    EXPECT_NEAR(side->largest, largest, 1e-5);
    EXPECT_NEAR(side->score_magnitude, magnitude, 1e-4);
    EXPECT_NEAR(side->entropy_bits, entropy, 1e-4);
    EXPECT_NEAR(side->score_variance, variance, 1e-3 * variance);
  }
}

/// What decides where the colours end counts the allowed pairs, and at most one in a hundred lies above.
TEST(VariantsCounts, AreOfTheAllowedPairs) {
  Scene scene;
  scene.page = Page::variants;
  scene.sentence.clear();
  for (int i = 0; i < 100; ++i) scene.sentence += "w" + std::to_string(i % 31) + " ";
  scene.variants.a.mask = VariantMask::causal, scene.variants.b.mask = VariantMask::strided;
  base::Parallel parallel(1);
  const auto results = compute_now(scene, parallel, nullptr);
  ASSERT_TRUE(results->own_as<VariantsResults>());
  const VariantsResults& v = *results->own_as<VariantsResults>();
  for (const VariantSideResults* side : {&v.a, &v.b}) {
    std::size_t pairs = 0, above = 0, counted = 0;
    const float end = side->counts.end().end;
    for (std::size_t i = 0; i < side->allow.size(); ++i) {
      if (side->allow[i] == 0) continue;
      ++pairs, above += side->weights.data()[i] > end ? 1 : 0;
    }
    for (const std::uint64_t count : side->counts.in) counted += count;
    EXPECT_EQ(counted, pairs);
    EXPECT_LE(above * 100, pairs);
    EXPECT_LT(end, 1);
  }
}

}  // namespace
}  // namespace headlight::scene::by_hand
