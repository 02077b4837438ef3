// Laws of the softmax, and the page's numbers at its doors.
#include "pages/softmax/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "nn/reference.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/settings.h"
#include "support/oracles.h"

namespace headlight::scene {
namespace {

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(Softmax, WeightsAddUpToOneAndKeepTheOrderOfTheScores) {
  const std::vector<double> scores{2, 1, 0.5, -1, 700, -700};
  for (const double temperature : {0.01, 0.3, 1.0, 7.0, 100.0}) {
    const SoftmaxRow row = softmax_row(scores, temperature);
    EXPECT_NEAR(sum_of(row.weights), 1, 1e-14);
    for (std::size_t i = 1; i < scores.size(); ++i) {
      const bool larger = scores[i] > scores[i - 1];  // what is far below the largest one may round to 0
      EXPECT_TRUE(larger ? row.weights[i] >= row.weights[i - 1] : row.weights[i] <= row.weights[i - 1])
          << temperature << ", " << i;
    }
  }
}

TEST(Softmax, ANumberAddedToAllScoresChangesNoWeight) {
  std::vector<double> scores{2, 1, 0.5, -1};
  const SoftmaxRow before = softmax_row(scores, 0.7);
  for (double& score : scores) score += 1000;
  const SoftmaxRow after = softmax_row(scores, 0.7);
  for (std::size_t i = 0; i < scores.size(); ++i) EXPECT_NEAR(before.weights[i], after.weights[i], 1e-12);
  EXPECT_NEAR(before.entropy_bits, after.entropy_bits, 1e-11);
}

TEST(Softmax, EntropyNeverFallsAsTheTemperatureGrows) {
  const std::vector<double> scores{3, 2.9, 0.5, -4, 1};
  double before = 0;
  for (double temperature = 0.02; temperature < 200; temperature *= 1.1) {
    const double bits = softmax_row(scores, temperature).entropy_bits;
    EXPECT_GE(bits, before - 1e-12) << temperature;
    before = bits;
  }
  EXPECT_NEAR(before, std::log2(5.0), 1e-3);
}

/// The mathematics of the other pages says the same.
TEST(Softmax, AgreesWithTheReferenceOfTheAttention) {
  nn::Matrix scores(1, 4);
  const std::vector<double> values{2, 1, 0.5, -1};
  for (int i = 0; i < 4; ++i) scores.at(0, i) = static_cast<float>(values[static_cast<std::size_t>(i)]);
  const nn::MatrixF64 weights = nn::softmax_rows_f64(scores);
  const SoftmaxRow row = softmax_row(values, 1);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(weights.at(0, i), row.weights[static_cast<std::size_t>(i)], 1e-15);
}

class SoftmaxPage : public testing::Test {
 protected:
  std::shared_ptr<Results> of(const std::string& scores) {
    scene_.page = Page::softmax;
    scene_.softmax.scores = scores;
    return compute_now(scene_, parallel_, {});
  }
  base::Parallel parallel_{1};
  Scene scene_;
};

TEST_F(SoftmaxPage, TableAndQuantitiesAreTheResults) {
  const auto results = of("3;1;1");
  const auto* r = results->own_as<SoftmaxResults>();
  ASSERT_TRUE(r);
  EXPECT_EQ(r->scores, (std::vector<double>{3, 1, 1}));
  const QuantitySource source{scene_, *results};
  EXPECT_DOUBLE_EQ(quantity_value(*parse_quantity("softmax_row_weight key=1"), source), r->row.weights[1]);
  EXPECT_DOUBLE_EQ(quantity_value(*parse_quantity("softmax_sum"), source), 1 + 2 * std::exp(-2.0));
  EXPECT_TRUE(std::isnan(quantity_value(*parse_quantity("softmax_row_weight key=3"), source)));
  const auto numbers = numbers_of(*find_table("softmax"), {scene_, *results, parallel_});
  ASSERT_TRUE(numbers);
  const auto& table = std::get<io::TensorView<double>>(numbers->tensor);
  EXPECT_EQ(table.shape, (std::vector<std::size_t>{3, 4}));
  EXPECT_DOUBLE_EQ(table.values[7], r->row.weights[1]);
}

TEST_F(SoftmaxPage, WhatCannotBeReadIsSaidAndTheExampleIsShown) {
  for (const char* wrong : {"", "x", "1;2;", "1,2", "1;1e9", "1;2;3;4;5;6;7;8;9;10;11;12;13", "nan"}) {
    const auto results = of(wrong);
    const auto* r = results->own_as<SoftmaxResults>();
    ASSERT_TRUE(r) << wrong;
    if (std::string(wrong) == "1;2;") {
      EXPECT_EQ(r->problem, "");  // a last ';' does not matter
      continue;
    }
    EXPECT_NE(r->problem.find("softmax_scores: "), std::string::npos) << wrong;
    EXPECT_EQ(r->scores.size(), 4u) << wrong;
  }
}

TEST_F(SoftmaxPage, OtherPagesHaveNoSuchNumbers) {
  scene_.page = Page::order;
  const auto results = compute_now(scene_, parallel_, {});
  EXPECT_EQ(results->own_as<SoftmaxResults>(), nullptr);
  EXPECT_TRUE(std::isnan(quantity_value(*parse_quantity("softmax_entropy"), {scene_, *results})));
}

}  // namespace
}  // namespace headlight::scene
