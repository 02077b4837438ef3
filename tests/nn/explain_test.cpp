// One weight with its arithmetic, against the trace and against the double twin; the quantities that sum a
// head up.
#include "nn/explain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "nn/random.h"
#include "nn/reference.h"
#include "small_random.h"

namespace headlight::nn {
namespace {

struct Layer {
  AttentionOptions options;
  PairMask pairs;
  AttentionTrace trace;
};

void run(Layer& layer, int T, int S, int d) {
  constexpr std::uint64_t seed = 99;
  const Matrix x = random_matrix(T, d, 1, 1, seed), x_kv = random_matrix(S, d, 2, 1, seed);
  attention_forward(x, x_kv, random_attention_weights(d, d, 4), layer.options, threads(), layer.trace);
}

AttentionTraceF64 twin_of(const Layer& layer) {
  return attention_from_qkv_f64(layer.trace.q, layer.trace.k, layer.trace.v, layer.options);
}

void expect_cells_agree(const Layer& layer) {
  const AttentionTrace& trace = layer.trace;
  const AttentionTraceF64 twin = twin_of(layer);
  for (int head = 0; head < trace.heads; ++head) {
    for (int i = 0; i < trace.T; ++i) {
      double shares = 0, weights = 0;
      bool reads = false;
      std::vector<double> share_of, norms;
      for (int j = 0; j < trace.S; ++j) {
        const CellTrace cell = explain_cell(trace, layer.options, head, i, j);
        double dot = 0;
        for (double product : cell.products) dot += product;
        ASSERT_EQ(cell.products.size(), static_cast<std::size_t>(trace.d_k));
        ASSERT_EQ(dot, cell.dot);
        ASSERT_NEAR(cell.dot / cell.divisor + cell.add, cell.score, 1e-12 * (1 + std::fabs(cell.score)));
        ASSERT_NEAR(cell.score, twin.scores.at(head, i, j), 1e-12 * (1 + std::fabs(cell.score)));
        ASSERT_NEAR(cell.weight, twin.weights.at(head, i, j), 1e-12);
        ASSERT_EQ(cell.weight_f32, trace.weights.at(head, i, j));
        ASSERT_EQ(cell.residual, static_cast<double>(cell.weight_f32) - cell.weight);
        ASSERT_LT(std::fabs(cell.residual), 1e-5);
        if (cell.allowed) {
          ASSERT_NEAR(cell.exponential, std::exp(cell.score - cell.row_max), 1e-14);
          ASSERT_NEAR(cell.weight, cell.exponential / cell.row_sum, 1e-14);
        } else {
          ASSERT_EQ(cell.weight, 0);
          ASSERT_EQ(cell.weight_f32, 0);
        }
        for (std::size_t c = 0; c < cell.context.size(); ++c) {
          const int column = head * trace.d_v + static_cast<int>(c);
          ASSERT_NEAR(cell.context[c], twin.context.at(i, column), 1e-12);
          ASSERT_NEAR(cell.context[c], static_cast<double>(trace.context.at(i, column)), 1e-5);
          ASSERT_EQ(cell.weighted_v[c], cell.weight * cell.v[c]);
        }
        double norm = 0;
        for (double component : cell.weighted_v) norm += component * component;
        share_of.push_back(cell.share), norms.push_back(std::sqrt(norm));
        shares += cell.share, weights += cell.weight;
        reads = reads || cell.allowed;
        ASSERT_EQ(cell.row_masked,
                  twin.weights.row(head, i)[0] == 0 &&
                      !std::any_of(twin.weights.row(head, i).begin(), twin.weights.row(head, i).end(),
                                   [](double a) { return a != 0; }));
      }
      double all_norms = 0;
      for (double norm : norms) all_norms += norm;
      for (std::size_t j = 0; j < norms.size(); ++j) ASSERT_NEAR(share_of[j] * all_norms, norms[j], 1e-12);
      ASSERT_NEAR(shares, reads ? 1 : 0, 1e-12);
      ASSERT_NEAR(weights, reads ? 1 : 0, 1e-12);
    }
  }
}

TEST(ExplainCell, AgreesWithTraceAndTwin) {
  Layer layer;
  layer.options.heads = 3;
  run(layer, 7, 7, 15);
  expect_cells_agree(layer);
}

TEST(ExplainCell, OfMaskedTemperedAndUnscaledScores) {
  for (const bool divide : {true, false}) {
    Layer layer;
    layer.options.heads = 2;
    layer.options.mask.causal = true;
    layer.options.mask.window_left = 2;
    layer.options.mask.valid_length = 5;
    layer.options.temperature = 0.7f;
    layer.options.divide_by_sqrt_d_k = divide;
    run(layer, 9, 9, 8);
    expect_cells_agree(layer);
    const CellTrace cell = explain_cell(layer.trace, layer.options, 0, 1, 0);
    EXPECT_EQ(cell.sqrt_d_k, divide ? 2 : 1);
    EXPECT_DOUBLE_EQ(cell.divisor, cell.sqrt_d_k * layer.options.temperature);
    EXPECT_TRUE(explain_cell(layer.trace, layer.options, 0, 8, 0).row_masked);  // keys 6 … 8 of the first 5
    EXPECT_FALSE(explain_cell(layer.trace, layer.options, 0, 6, 5).allowed);
  }
}

TEST(ExplainCell, OfACustomScaleAndOtherKeys) {
  Layer layer;
  layer.options.divide_by_sqrt_d_k = false;
  layer.options.custom_scale = 0.4f;
  run(layer, 3, 11, 6);
  expect_cells_agree(layer);
}

TEST(ExplainCell, SettingsReachTheTwinInDouble) {
  // 1/√8 is no float: through one the scores would be off by 1e-8 of their size.
  Layer layer;
  layer.options.heads = 1;
  run(layer, 5, 5, 8);
  AttentionOptions custom = layer.options;
  custom.divide_by_sqrt_d_k = false, custom.custom_scale = 1 / std::sqrt(8.0);
  const auto divided = attention_from_qkv_f64(layer.trace.q, layer.trace.k, layer.trace.v, layer.options);
  const auto scaled = attention_from_qkv_f64(layer.trace.q, layer.trace.k, layer.trace.v, custom);
  AttentionOptions warm = layer.options;
  warm.temperature = 0.7;
  const auto tempered = attention_from_qkv_f64(layer.trace.q, layer.trace.k, layer.trace.v, warm);
  double largest = 0;
  for (std::size_t i = 0; i < divided.scores.size(); ++i) {
    largest = std::max(largest, std::abs(divided.scores.data()[i]));
    EXPECT_NEAR(divided.scores.data()[i], scaled.scores.data()[i], 1e-14);
    EXPECT_NEAR(divided.scores.data()[i] / 0.7, tempered.scores.data()[i], 1e-14);
  }
  EXPECT_GT(largest, 0.1);
  for (int key = 0; key < 5; ++key) {
    const CellTrace one = explain_cell(layer.trace, layer.options, 0, 2, key),
                    other = explain_cell(layer.trace, custom, 0, 2, key);
    EXPECT_NEAR(one.score, other.score, 1e-14);
    EXPECT_NEAR(explain_cell(layer.trace, warm, 0, 2, key).score, one.score / 0.7, 1e-14);
  }
}

TEST(ExplainCell, ProjectionsOnTheOutputAddUpToOneAndSharesOfLengthsDoToo) {
  Layer layer;
  layer.options.heads = 2;
  run(layer, 7, 7, 12);
  double along = 0, shares = 0;
  bool below_zero = false;
  for (int key = 0; key < 7; ++key) {
    const CellTrace cell = explain_cell(layer.trace, layer.options, 1, 3, key);
    double dot = 0, square = 0;
    for (std::size_t c = 0; c < cell.v.size(); ++c) {
      dot += cell.weight * cell.v[c] * cell.context[c];
      square += cell.context[c] * cell.context[c];
    }
    EXPECT_NEAR(cell.projection, dot / square, 1e-12);
    along += cell.projection, shares += cell.share;
    below_zero = below_zero || cell.projection < 0;
    EXPECT_GE(cell.share, 0);
  }
  EXPECT_NEAR(along, 1, 1e-12);
  EXPECT_NEAR(shares, 1, 1e-12);
  EXPECT_TRUE(below_zero) << "some value points away from the sum of them all";
}

TEST(ExplainCombined, IsTheSumOrTheChoiceThatTheMapShows) {
  Layer layer;
  layer.options.heads = 4;
  layer.options.mask.causal = true;
  run(layer, 6, 6, 16);
  const std::vector<int> heads = {3, 0, 2};
  const Matrix mean = mean_of_heads(layer.trace, heads), most = max_of_heads(layer.trace, heads);
  for (int query = 0; query < 6; ++query) {
    for (int key = 0; key < 6; ++key) {
      for (const bool largest : {false, true}) {
        const CellTrace cell = explain_combined(layer.trace, layer.options, heads, largest, query, key);
        EXPECT_EQ(cell.weight_f32, (largest ? most : mean).at(query, key));
        ASSERT_EQ(cell.heads.size(), 3u);
        double sum = 0, strongest = 0;
        for (std::size_t n = 0; n < 3; ++n) {
          const CellTrace one = explain_cell(layer.trace, layer.options, heads[n], query, key);
          EXPECT_EQ(cell.heads[n].head, heads[n]);
          EXPECT_EQ(cell.heads[n].weight, one.weight);
          EXPECT_EQ(cell.heads[n].weight_f32, one.weight_f32);
          sum += one.weight, strongest = std::max(strongest, one.weight);
        }
        EXPECT_NEAR(cell.weight, largest ? strongest : sum / 3, 1e-7);
        EXPECT_EQ(cell.allowed, key <= query);
        EXPECT_EQ(cell.head < 0, !largest);
      }
    }
  }
}

TEST(ExplainCell, OfPairsWithABias) {
  Layer layer;
  layer.options.heads = 2;
  layer.pairs.add = Matrix(2, 6, 6);
  layer.pairs.allow = Tensor<std::uint8_t>(1, 6, 6);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      layer.pairs.allow.at(0, i, j) = (i * j) % 4 != 3 && i != 4;
      for (int n = 0; n < 2; ++n)
        layer.pairs.add.at(n, i, j) = -0.5f * static_cast<float>(std::abs(i - j) + n);
    }
  }
  layer.options.pairs = &layer.pairs;
  run(layer, 6, 6, 10);
  expect_cells_agree(layer);
  EXPECT_EQ(explain_cell(layer.trace, layer.options, 1, 0, 3).add, -2);
}

void expect_summaries_agree(const Layer& layer, double variance_tolerance) {
  const std::vector<HeadSummary> heads = summarize_heads(layer.trace, threads(), layer.options.pairs);
  const AttentionTraceF64 twin = twin_of(layer);
  ASSERT_EQ(heads.size(), static_cast<std::size_t>(layer.trace.heads));
  for (int head = 0; head < layer.trace.heads; ++head) {
    double entropy = 0, sum = 0, squares = 0, largest = 0;
    int readers = 0, pairs = 0;
    for (int i = 0; i < layer.trace.T; ++i) {
      bool reads = false;
      for (int j = 0; j < layer.trace.S; ++j) {
        if (!explain_cell(layer.trace, layer.options, head, i, j).allowed) continue;
        reads = true;
        const double a = twin.weights.at(head, i, j);
        if (a > 0) entropy -= a * std::log2(a);
        sum += twin.scores.at(head, i, j);
        largest = std::max(largest, a);
        ++pairs;
      }
      readers += reads;
    }
    const double mean = pairs == 0 ? 0 : sum / pairs;
    for (int i = 0; i < layer.trace.T; ++i) {
      for (int j = 0; j < layer.trace.S; ++j) {
        if (!explain_cell(layer.trace, layer.options, head, i, j).allowed) continue;
        squares += (twin.scores.at(head, i, j) - mean) * (twin.scores.at(head, i, j) - mean);
      }
    }
    const HeadSummary& got = heads[static_cast<std::size_t>(head)];
    EXPECT_NEAR(got.entropy_bits, readers == 0 ? 0 : entropy / readers, 2e-5);
    EXPECT_NEAR(static_cast<double>(got.largest), largest, 1e-5);
    const double variance = pairs == 0 ? 0 : squares / pairs;
    EXPECT_NEAR(got.score_variance, variance, variance_tolerance * (variance + 1e-3));
  }
}

TEST(SummarizeHeads, AgreesWithTheTwin) {
  for (const int T : {1, 2, 5, 64, 65, 130}) {
    for (const bool causal : {false, true}) {
      Layer layer;
      layer.options.heads = 2;
      layer.options.mask.causal = causal;
      run(layer, T, T, 12);
      expect_summaries_agree(layer, 1e-4);
    }
  }
}

TEST(SummarizeHeads, WhereWeightsUnderflow) {
  Layer layer;
  layer.options.heads = 2;
  layer.options.temperature = 0.005f;  // scores some hundreds apart
  layer.options.mask.causal = true;
  run(layer, 70, 70, 12);
  ASSERT_GT(std::count(layer.trace.weights.row(0, 69).begin(), layer.trace.weights.row(0, 69).end(), 0.0f),
            10);
  expect_summaries_agree(layer, 1e-4);
}

TEST(SummarizeHeads, WithPairsAndRowsThatReadNothing) {
  Layer layer;
  layer.pairs.allow = Tensor<std::uint8_t>(1, 20, 20);
  layer.pairs.add = Matrix(1, 20, 20);
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 20; ++j) {
      layer.pairs.allow.at(0, i, j) = i % 4 != 0 && (i + j) % 3 != 0;
      layer.pairs.add.at(0, i, j) = 0.1f * static_cast<float>(j);
    }
  }
  layer.options.pairs = &layer.pairs;
  run(layer, 20, 20, 8);
  expect_summaries_agree(layer, 1e-4);

  Layer nothing;
  nothing.options.mask.valid_length = 0;
  run(nothing, 5, 5, 8);
  const HeadSummary summary = summarize_heads(nothing.trace, threads())[0];
  EXPECT_EQ(summary.entropy_bits, 0);
  EXPECT_EQ(summary.largest, 0);
  EXPECT_EQ(summary.score_variance, 0);
}

TEST(SummarizeHeads, UniformHasEntropyLog2N) {
  for (const int n : {1, 2, 3, 64, 100, 500}) {
    Layer layer;
    layer.trace.q = random_matrix(4, 6, 1), layer.trace.k = Matrix(n, 6),
    layer.trace.v = random_matrix(n, 6, 2);
    attention_from_qkv(layer.options, threads(), layer.trace);
    const HeadSummary summary = summarize_heads(layer.trace, threads())[0];
    EXPECT_NEAR(summary.entropy_bits, std::log2(n), 2e-6 * (1 + std::log2(n)));
    EXPECT_NEAR(summary.score_variance, 0, 1e-9);
    EXPECT_NEAR(summary.largest, 1.0f / static_cast<float>(n), 1e-7);
  }
}

TEST(SummarizeHeads, DoesNotDependOnTheThreads) {
  Layer layer;
  layer.options.heads = 4;
  run(layer, 300, 300, 16);
  base::Parallel one(1), three(3);
  const auto a = summarize_heads(layer.trace, one), b = summarize_heads(layer.trace, three);
  for (std::size_t n = 0; n < a.size(); ++n) {
    EXPECT_EQ(a[n].entropy_bits, b[n].entropy_bits);
    EXPECT_EQ(a[n].score_variance, b[n].score_variance);
  }
}

TEST(HeadsTogether, MeanAndMaximum) {
  Layer layer;
  layer.options.heads = 4;
  run(layer, 9, 9, 16);
  const Matrix mean = mean_of_heads(layer.trace, {0, 3}), all = mean_of_heads(layer.trace, {0, 1, 2, 3}),
               max = max_of_heads(layer.trace, {1, 2, 3}), one = max_of_heads(layer.trace, {2});
  for (int i = 0; i < 9; ++i) {
    double sum = 0;
    for (int j = 0; j < 9; ++j) {
      const auto a = [&](int head) { return layer.trace.weights.at(head, i, j); };
      EXPECT_NEAR(mean.at(i, j), (a(0) + a(3)) / 2, 1e-7);
      EXPECT_EQ(max.at(i, j), std::max({a(1), a(2), a(3)}));
      EXPECT_EQ(one.at(i, j), a(2));
      sum += static_cast<double>(all.at(i, j));
    }
    EXPECT_NEAR(sum, 1, 2e-6);
  }
}

TEST(HeadsTogether, ANaNIsSeen) {
  for (const int bad : {0, 1, 2}) {
    Layer layer;
    layer.options.heads = 3;
    run(layer, 5, 5, 6);
    layer.trace.weights.at(bad, 3, 2) = std::numeric_limits<float>::quiet_NaN();
    const Matrix max = max_of_heads(layer.trace, {0, 1, 2}), mean = mean_of_heads(layer.trace, {0, 1, 2});
    EXPECT_TRUE(std::isnan(max.at(3, 2)) && std::isnan(mean.at(3, 2)));
    EXPECT_FALSE(std::isnan(max.at(3, 1)) || std::isnan(mean.at(3, 1)));
    const std::vector<HeadSummary> heads = summarize_heads(layer.trace, threads());
    for (int head = 0; head < 3; ++head) {
      EXPECT_EQ(std::isnan(heads[static_cast<std::size_t>(head)].entropy_bits), head == bad);
    }
  }
}

TEST(CountNonfinite, CountsWeightsAndOutput) {
  Layer layer;
  layer.options.heads = 2;
  run(layer, 6, 6, 8);
  EXPECT_EQ(count_nonfinite(layer.trace), 0u);
  layer.trace.weights.at(1, 2, 3) = std::numeric_limits<float>::quiet_NaN();
  layer.trace.output.at(5, 7) = -std::numeric_limits<float>::infinity();
  layer.trace.output.at(0, 0) = std::numeric_limits<float>::max();
  EXPECT_EQ(count_nonfinite(layer.trace), 2u);
}

}  // namespace
}  // namespace headlight::nn
