// Where the colour scales of the maps end, from the setting to the named numbers.
#include "scene/map_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "pages/compare/compare.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "scene/settings.h"

namespace headlight::scene::map_scale_test {
namespace {

Scene of_words(int words, const std::string& set = {}) {
  static const char* const some[] = {"the", "cat", "sat", "on", "a", "mat", "and", "slept", "."};
  Scene scene;
  scene.sentence.clear();
  for (int i = 0; i < words; ++i) scene.sentence += std::string(i > 0 ? " " : "") + some[i * i % 9];
  EXPECT_TRUE(set.empty() || set_field(scene, set)) << set;
  return scene;
}

base::Parallel& threads() {
  static base::Parallel all(2);
  return all;
}

double number(const std::string& name, const Scene& scene, const Results& results) {
  return read_quantity(name, {scene, results, nullptr, nullptr}).value;
}

TEST(MapScale, FollowsTheLengthUnlessTheSceneNamesOne) {
  Scene scene;
  EXPECT_EQ(scale_of(scene, 64), MapScale::unit);
  EXPECT_EQ(scale_of(scene, 65), MapScale::automatic);
  EXPECT_NE(std::string(find_setting("map_scale")->field.help).find("up to 64 tokens"), std::string::npos);
  for (const auto& [word, kind] :
       {std::pair{"unit", MapScale::unit}, {"auto", MapScale::automatic}, {"log", MapScale::log}}) {
    ASSERT_TRUE(set_field(scene, std::string("map_scale=") + word));
    EXPECT_EQ(scale_of(scene, 3), kind);
    EXPECT_EQ(scale_of(scene, 500), kind);
  }
  ASSERT_TRUE(set_field(scene, "map_scale=by_length"));
  EXPECT_EQ(scale_of(scene, 500), MapScale::automatic);
  EXPECT_FALSE(set_field(scene, "map_scale=linear"));
}

TEST(MapScale, OfALongSentenceIsThePercentileOfItsWeights) {
  for (const char* head : {"head=2", "head=0", "head=1,3"}) {
    Scene scene = of_words(120, head);
    const auto results = compute_now(scene, threads(), {});
    for (const Combine combine : {Combine::mean, Combine::max}) {
      scene.combine = combine;
      const double end = number("map_limit", scene, *results), above = number("map_above", scene, *results);
      EXPECT_LT(end, 0.3) << head;
      // By plain counting.
      std::vector<float> shown;
      const nn::AttentionTrace& trace = results->attention;
      const auto add = [&](const float* map) { shown.insert(shown.end(), map, map + 120 * 120); };
      if (scene.head == IndexList{2}) add(trace.weights.plane(1));
      if (scene.head.empty()) add(combine == Combine::mean ? results->mean.data() : results->max.data());
      if (scene.head.size() == 2) add(trace.weights.plane(0)), add(trace.weights.plane(2));
      const auto share_above = [&](double limit) {
        std::size_t count = 0;
        for (const float weight : shown) count += weight > static_cast<float>(limit) ? 1 : 0;
        return static_cast<double>(count) / static_cast<double>(shown.size());
      };
      EXPECT_DOUBLE_EQ(share_above(end), above);
      EXPECT_LE(above, 0.01);
      EXPECT_GT(share_above(end / 2.5), 0.01) << "the step below would do as well";
    }
    scene.map_scale = MapScale::unit;
    EXPECT_EQ(number("map_limit", scene, *results), 1);
    EXPECT_EQ(number("map_above", scene, *results), 0);
    scene.map_scale = MapScale::log;
    EXPECT_EQ(number("map_limit", scene, *results), 1);
  }
}

TEST(MapScale, NeedsNoNewResults) {
  Scene scene = of_words(80), other = scene;
  other.map_scale = MapScale::log;
  EXPECT_EQ(key(scene), key(other));
  EXPECT_FALSE(scene == other);
}

TEST(MapScale, OfAShortSentenceIsFromZeroToOne) {
  const Scene scene = of_words(6);
  const auto results = compute_now(scene, threads(), {});
  EXPECT_EQ(number("map_limit", scene, *results), 1);
  EXPECT_EQ(number("map_above", scene, *results), 0);
  const Scene nothing = of_words(0);
  EXPECT_TRUE(std::isnan(number("map_limit", nothing, *compute_now(nothing, threads(), {}))));
}

TEST(MapScale, OfComparedHeadsIsTheSameForBothAndTheirDifference) {
  Scene scene = of_words(200);
  scene.page = Page::compare;
  const auto results = compute_now(scene, threads(), {});
  const CompareResults& compared = *results->own_as<scene::CompareResults>();
  nn::WeightCounts all = nn::count_weights(results->attention.weights.plane(compared.a), 200, 200, {});
  all += nn::count_weights(compared.map_b.data(), 200, 200, {});
  all += nn::count_weights(compared.difference.data(), 200, 200, {});
  EXPECT_EQ(compared.counts, all);
  EXPECT_EQ(number("bench_map_limit", scene, *results), static_cast<double>(all.end().end));
  EXPECT_EQ(number("bench_difference_limit", scene, *results), static_cast<double>(all.end().end));
}

TEST(MapScale, WhatKeysReceiveAndTheEntropyOfRowsAreThoseOfTheMaps) {
  Scene scene = of_words(40, "mask=causal");
  const auto results = compute_now(scene, threads(), {});
  const nn::AttentionTrace& trace = results->attention;
  ASSERT_EQ(results->head_received.size(), 4u);
  for (int head = 0; head < 4; ++head) {
    const nn::HeadSummary& summary = results->heads[static_cast<std::size_t>(head)];
    ASSERT_EQ(summary.row_entropy_bits.size(), 40u);
    double mean = 0;
    for (int q = 0; q < 40; ++q) {
      double entropy = 0;
      for (const float weight : trace.weights.row(head, q))
        if (weight > 0) entropy -= static_cast<double>(weight) * std::log2(static_cast<double>(weight));
      EXPECT_NEAR(summary.row_entropy_bits[static_cast<std::size_t>(q)], entropy, 1e-5);
      mean += entropy / 40;
    }
    EXPECT_NEAR(summary.entropy_bits, mean, 1e-5);
    double total = 0;
    for (int k = 0; k < 40; ++k) {
      double sum = 0;
      for (int q = 0; q < 40; ++q) sum += static_cast<double>(trace.weights.at(head, q, k));
      EXPECT_NEAR(results->head_received[static_cast<std::size_t>(head)][static_cast<std::size_t>(k)], sum,
                  1e-9);
      total += sum;
    }
    EXPECT_NEAR(total, 40, 1e-4);
  }
  for (int q = 0; q < 40; ++q) {
    double entropy = 0;
    for (const float weight : results->mean.row(q))
      if (weight > 0) entropy -= static_cast<double>(weight) * std::log2(static_cast<double>(weight));
    EXPECT_NEAR(results->mean_entropy_bits[static_cast<std::size_t>(q)], entropy, 1e-5);
  }
}

}  // namespace
}  // namespace headlight::scene::map_scale_test
