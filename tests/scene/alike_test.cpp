// The heads with the most similar maps: the cosines of the maps that the Attention page shows.
#include "pages/model/alike.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pages/model/atlas.h"
#include "pages/quantities.h"
#include "support/computed_scene.h"

namespace headlight::scene::alike_test {
namespace {

double cosine_of(const nn::Matrix& a, int head, const nn::Matrix& b, int other) {
  double dot = 0, aa = 0, bb = 0;
  for (int q = 0; q < a.rows(); ++q) {
    for (int k = 0; k < a.cols(); ++k) {
      const auto x = static_cast<double>(a.at(head, q, k)), y = static_cast<double>(b.at(other, q, k));
      dot += x * y, aa += x * x, bb += y * y;
    }
  }
  return dot / std::sqrt(aa * bb);
}

TEST(Alike, TheHeadsOfAllLayersWithTheLargestCosine) {
  std::vector<std::string> assignments = {"model=small-english", "mask=causal"};
  const Scene scene = page_scene(Page::model, assignments);
  const auto results = computed(scene);
  const Atlas& atlas = *results->own_as<AtlasResults>()->atlas;
  ASSERT_GT(atlas.layers(), 1);
  EXPECT_EQ(atlas.alike.step, 1);
  std::vector<nn::Matrix> maps;
  assignments.push_back("");
  for (int l = 0; l < atlas.layers(); ++l) {
    assignments.back() = "weights_layer=" + std::to_string(l + 1);
    maps.push_back(computed(page_scene(Page::attention, assignments))->attention.weights);
  }
  for (int l = 0; l < atlas.layers(); ++l) {
    for (int h = 0; h < atlas.heads(l); ++h) {
      std::vector<double> cosines;
      for (int m = 0; m < atlas.layers(); ++m) {
        for (int g = 0; g < atlas.heads(m); ++g) {
          if (m != l || g != h)
            cosines.push_back(
                cosine_of(maps[static_cast<std::size_t>(l)], h, maps[static_cast<std::size_t>(m)], g));
        }
      }
      std::sort(cosines.rbegin(), cosines.rend());
      const std::vector<AlikeHead>* alike = atlas.alike.heads({l, h});
      ASSERT_TRUE(alike);
      ASSERT_EQ(alike->size(), std::min(most_alike, cosines.size()));
      for (std::size_t i = 0; i < alike->size(); ++i) {
        const AlikeHead& one = (*alike)[i];
        EXPECT_NEAR(one.cosine, cosines[i], 1e-5) << l << " " << h << " " << i;
        EXPECT_NEAR(one.cosine,
                    cosine_of(maps[static_cast<std::size_t>(l)], h,
                              maps[static_cast<std::size_t>(one.at.layer)], one.at.head),
                    1e-5);
        EXPECT_FALSE(one.at == (HeadPlace{l, h}));
        const auto quantity =
            parse_quantity("model_alike layer=" + std::to_string(l + 1) + " head=" + std::to_string(h + 1) +
                           " rank=" + std::to_string(i + 1));
        ASSERT_TRUE(quantity);
        EXPECT_EQ(quantity_value(*quantity, {scene, *results, nullptr}), one.cosine);
      }
    }
  }
}

/// As on the page Compare.
TEST(Alike, TheCosineOfThePageCompare) {
  const std::vector<std::string> assignments = {"heads=4", "bench_a=1", "bench_b=3"};
  const Scene model = page_scene(Page::model, assignments), compare = page_scene(Page::compare, assignments);
  const auto of_model = computed(model), of_compare = computed(compare);
  const auto cosine = parse_quantity("bench_cosine");
  ASSERT_TRUE(cosine);
  const double wanted = quantity_value(*cosine, {compare, *of_compare, nullptr});
  const auto* alike = of_model->own_as<AtlasResults>()->atlas->alike.heads({0, 0});
  ASSERT_TRUE(alike);
  const auto third = std::find_if(alike->begin(), alike->end(), [](const AlikeHead& one) {
    return one.at == HeadPlace{0, 2};
  });
  ASSERT_NE(third, alike->end());
  EXPECT_NEAR(third->cosine, wanted, 1e-5);
}

/// Heads without weights are similar to none; equal maps have the cosine 1 and are in the order of the heads.
TEST(Alike, EmptyAndEqualMaps) {
  base::Parallel parallel(2);
  nn::Matrix weights(4, 2, 2);
  for (const int head : {0, 2, 3}) weights.at(head, 0, 0) = weights.at(head, 1, 1) = 1;
  AlikeMaps maps;
  maps.begin(4, 2, 2);
  maps.add(weights);
  const AlikeHeads alike = maps.finish(parallel);
  EXPECT_TRUE(alike.heads({0, 1})->empty());
  ASSERT_EQ(alike.heads({0, 0})->size(), 2u);
  EXPECT_EQ((*alike.heads({0, 0}))[0].at, (HeadPlace{0, 2}));
  EXPECT_EQ((*alike.heads({0, 0}))[1].at, (HeadPlace{0, 3}));
  EXPECT_EQ((*alike.heads({0, 0}))[0].cosine, 1);
  EXPECT_EQ(alike.heads({1, 0}), nullptr);
}

/// Where the maps of all heads are too many numbers, some queries stand for all, and it is said.
TEST(Alike, SomeQueriesOfManyHeadsAndTokens) {
  base::Parallel parallel(2);
  constexpr int heads = 1300, T = 64;
  nn::Matrix weights(heads, T, T);
  for (int head = 0; head < heads; ++head) {
    for (int t = 0; t < T; ++t) weights.at(head, t, head % 2 == 0 ? t : 0) = 1;
  }
  AlikeMaps maps;
  maps.begin(heads, T, T);
  maps.add(weights);
  const AlikeHeads alike = maps.finish(parallel);
  EXPECT_GT(alike.step, 1);
  EXPECT_LT(alike.step, 8);
  ASSERT_EQ(alike.heads({0, 5})->size(), most_alike);
  for (const AlikeHead& one : *alike.heads({0, 5})) {
    EXPECT_EQ(one.at.head % 2, 1);
    EXPECT_NEAR(one.cosine, 1, 1e-6);
  }
}

}  // namespace
}  // namespace headlight::scene::alike_test
