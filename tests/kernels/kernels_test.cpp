// Every instruction set that this processor has against a plain double loop.
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernels_fixture.h"

namespace headlight::nn {
namespace {

TEST_P(KernelsTest, Shapes) {
  for (const Shape& shape : odd_shapes) {
    SCOPED_TRACE(testing::Message() << shape.T << " " << shape.S << " " << shape.heads << " " << shape.d_k
                                    << " " << shape.d_v);
    AttentionTrace trace = random_trace(shape, 1);
    AttentionOptions options;
    options.heads = shape.heads;
    options.keep_scores = true;
    attention_from_qkv(options, parallel_, trace);
    expect_trace(trace, options);
    ASSERT_TRUE(same_bits(trace.output, trace.context));
  }
}

std::vector<MaskSpec> masks(int T, int S) {
  std::vector<MaskSpec> all(7);
  all[0].causal = true;
  all[1].window_left = 3, all[1].window_right = 0;
  all[2].window_left = 0, all[2].window_right = 5;
  all[3].valid_length = S / 2;
  all[4].causal = true, all[4].window_left = T / 4, all[4].valid_length = S - S / 3;
  all[5].valid_length = 0;
  all[6].window_left = -2, all[6].window_right = 40;  // nothing nearer than two to the right
  return all;
}

TEST_P(KernelsTest, Masks) {
  for (const Shape& shape : odd_shapes) {
    for (const MaskSpec& mask : masks(shape.T, shape.S)) {
      SCOPED_TRACE(testing::Message()
                   << shape.T << " " << shape.S << " causal " << mask.causal << " left "
                   << mask.window_left.value_or(-99) << " length " << mask.valid_length.value_or(-99));
      AttentionTrace trace = random_trace(shape, 4);
      AttentionOptions options;
      options.heads = shape.heads;
      options.mask = mask;
      attention_from_qkv(options, parallel_, trace);
      expect_trace(trace, options);
    }
  }
}

TEST_P(KernelsTest, PairMasksWithIntervals) {
  for (const Shape& shape : odd_shapes) {
    for (int planes : {1, shape.heads}) {
      for (int kind = 0; kind < 3; ++kind) {
        SCOPED_TRACE(testing::Message()
                     << shape.T << " " << shape.S << " planes " << planes << " kind " << kind);
        std::mt19937 generator(7);
        PairMask pairs;
        if (kind != 1) {
          pairs.allow = Tensor<std::uint8_t>(planes, shape.T, shape.S);
          for (auto& byte : pairs.allow.values()) byte = generator() % 4 != 0;
          // The first keys of every query, more than a chunk of them, and one whole row.
          for (int t = 0; t < shape.T; ++t) {
            for (int s = 0; s < std::min(shape.S, 140); ++s) pairs.allow.at(0, t, s) = 0;
          }
        }
        if (kind != 0) {
          pairs.add = Matrix(planes, shape.T, shape.S);
          std::normal_distribution<float> normal(0, 2);
          for (float& add : pairs.add.values()) add = generator() % 5 == 0 ? -infinity : normal(generator);
        }
        AttentionTrace trace = random_trace(shape, 5);
        AttentionOptions options;
        options.heads = shape.heads;
        options.pairs = &pairs;
        options.keep_scores = true;
        options.mask.causal = kind == 2;
        attention_from_qkv(options, parallel_, trace);
        expect_trace(trace, options);
      }
    }
  }
}

TEST_P(KernelsTest, TemperatureAndScale) {
  const Shape shape{20, 150, 2, 8, 8};
  for (float temperature : {0.01f, 0.1f, 1.0f, 10.0f, 100.0f, 1e30f}) {
    AttentionTrace trace = random_trace(shape, 8);
    AttentionOptions options;
    options.heads = shape.heads;
    options.temperature = temperature;
    attention_from_qkv(options, parallel_, trace);
    SCOPED_TRACE(temperature);
    // A score of 500 is itself only good to 3e-5.
    const double loose = temperature < 1 ? 4e-6 / static_cast<double>(temperature) : 3e-6;
    expect_trace(trace, options, {loose, 10 * loose});
  }
  for (float scale : {0.0f, -1.0f, 0.25f, 3.0f, -1e-35f}) {
    AttentionTrace trace = random_trace(shape, 9);
    AttentionOptions options;
    options.heads = shape.heads;
    options.divide_by_sqrt_d_k = false;
    options.custom_scale = scale;
    attention_from_qkv(options, parallel_, trace);
    SCOPED_TRACE(scale);
    expect_trace(trace, options, {1e-5, 3e-5});
  }
}

// d = 1 and whole numbers, so that the scores are exact and the softmax alone is on trial.
TEST_P(KernelsTest, LargeScores) {
  const std::vector<std::vector<float>> rows = {
      {-800, -801, -802}, {1e4f, -1e4f, 1e4f - 1}, {800, 801, 802},           {-1e4f, -1e4f},
      {0, 1000, -1000},   {3e38f, -3e38f},         {0, -90, -100, -110, -126}};
  for (const std::vector<float>& row : rows) {
    AttentionTrace trace;
    trace.q = Matrix(1, 1);
    trace.q.fill(1);
    trace.k = Matrix(static_cast<int>(row.size()), 1);
    std::copy(row.begin(), row.end(), trace.k.data());
    trace.v = random_matrix(static_cast<int>(row.size()), 1, 3);
    AttentionOptions options;
    attention_from_qkv(options, parallel_, trace);
    SCOPED_TRACE(row[0]);
    expect_trace(trace, options, {3e-7, 1e-6});
  }
}

// Scores that climb along the row: the reference of the first chunk is left far behind, in single rows and in
// all.
TEST_P(KernelsTest, MaximumLateInTheRow) {
  for (int peak_row : {-1, 0, 17, 59}) {
    AttentionTrace trace;
    const int T = 60, S = 700;
    trace.q = Matrix(T, 1);
    trace.q.fill(1);
    if (peak_row >= 0) {
      trace.q.fill(0.03125f);
      trace.q.at(peak_row, 0) = 1;
    }
    trace.k = Matrix(S, 1);
    for (int s = 0; s < S; ++s) trace.k.at(s, 0) = static_cast<float>(s) * 0.5f - 100;
    trace.v = random_matrix(S, 3, 3);
    AttentionOptions options;
    attention_from_qkv(options, parallel_, trace);
    expect_trace(trace, options);
    options.mask.causal = true;
    attention_from_qkv(options, parallel_, trace);
    expect_trace(trace, options);
  }
}

// Weights of two keys are exp(−x) : 1, so the exponential shows to the last places.
TEST_P(KernelsTest, ExponentialIsAccurate) {
  const int n = 20000;
  Matrix x(n, 2), y(n, 2);
  for (int i = 0; i < n; ++i) x.at(i, 1) = -static_cast<float>(i) * (86.0f / n);
  softmax_rows(x.data(), y.data(), n, 2, parallel_);
  for (int i = 0; i < n; ++i) {
    const double power = std::exp(static_cast<double>(x.at(i, 1)));
    // x · log2(e) is rounded once and its factor once: half a unit of the exponent each.
    const double bound = 4e-7 + 1.2e-7 * std::fabs(static_cast<double>(x.at(i, 1)));
    ASSERT_NEAR(static_cast<double>(y.at(i, 1)) / (power / (1 + power)), 1, bound) << x.at(i, 1);
    ASSERT_NEAR(static_cast<double>(y.at(i, 0)) * (1 + power), 1, 4e-7) << x.at(i, 1);
  }
}

TEST_P(KernelsTest, SoftmaxRows) {
  for (int cols : {1, 2, 3, 15, 16, 17, 31, 33, 100, 1024, 1027}) {
    Matrix x = random_matrix(23, cols, 5, 4);
    for (float& v : x.row(3)) v = -infinity;
    for (int c = 0; c < cols; c += 2) x.at(4, c) = -infinity;
    x.at(5, cols - 1) = 3e4f;
    x.at(6, 0) = not_a_number;
    Matrix y(23, cols);
    softmax_rows(x.data(), y.data(), 23, cols, parallel_);
    for (int r = 0; r < 23; ++r) {
      double max = -std::numeric_limits<double>::infinity(), sum = 0;
      for (float v : x.row(r)) max = std::max(max, static_cast<double>(v));
      for (float v : x.row(r)) sum += std::exp(static_cast<double>(v) - max);
      for (int c = 0; c < cols; ++c) {
        const double v = static_cast<double>(x.at(r, c));
        if (r == 6) {
          ASSERT_TRUE(std::isnan(y.at(r, c)));
        } else if (std::isinf(v)) {
          ASSERT_EQ(y.at(r, c), 0.0f);
        } else {
          ASSERT_NEAR(static_cast<double>(y.at(r, c)), std::exp(v - max) / sum, 1e-6) << r << " " << c;
        }
      }
    }
    Matrix in_place = x;
    softmax_rows(in_place.data(), in_place.data(), 23, cols, parallel_);
    for (int r = 0; r < 23; ++r) {
      if (r == 6) continue;
      for (int c = 0; c < cols; ++c) ASSERT_EQ(in_place.at(r, c), y.at(r, c));
    }
  }
}

TEST_P(KernelsTest, NotANumberStaysInItsRow) {
  AttentionTrace trace = random_trace({70, 300, 1, 8, 8}, 2);
  AttentionOptions options;
  trace.q.at(40, 3) = not_a_number;
  attention_from_qkv(options, parallel_, trace);
  for (int t = 0; t < 70; ++t) {
    for (int s = 0; s < 300; ++s) ASSERT_EQ(std::isnan(trace.weights.at(0, t, s)), t == 40) << t << " " << s;
    for (int c = 0; c < 8; ++c) ASSERT_EQ(std::isnan(trace.context.at(t, c)), t == 40) << t;
  }
  // Even where it is the only key.
  trace = random_trace({3, 40, 1, 8, 8}, 2);
  for (int s = 0; s < 40; s += 7) trace.k.at(s, 0) = not_a_number;
  options.mask.window_left = 0, options.mask.window_right = 0;
  attention_from_qkv(options, parallel_, trace);
  EXPECT_TRUE(std::isnan(trace.weights.at(0, 0, 0)));
  EXPECT_EQ(trace.weights.at(0, 1, 1), 1.0f);
  EXPECT_EQ(trace.weights.at(0, 1, 0), 0.0f);
  // One bad key spoils every query that may read it, wherever in the row it stands.
  for (int key : {0, 100, 299}) {
    trace = random_trace({70, 300, 1, 8, 8}, 2);
    trace.k.at(key, 0) = not_a_number;
    options.mask.window_left = 50, options.mask.window_right = 250;
    attention_from_qkv(options, parallel_, trace);
    for (int t = 0; t < 70; ++t) {
      const bool reads = key >= t - 50 && key <= t + 250;
      EXPECT_EQ(std::isnan(trace.weights.at(0, t, std::max(0, t - 50))), reads) << key << " " << t;
    }
  }
}

Matrix product_f64(const Matrix& x, const Matrix& w, const Matrix& b) {
  Matrix y(x.rows(), w.cols());
  for (int r = 0; r < x.rows(); ++r) {
    for (int c = 0; c < w.cols(); ++c) {
      double sum = b.empty() ? 0 : static_cast<double>(b.at(0, c));
      for (int k = 0; k < x.cols(); ++k)
        sum += static_cast<double>(x.at(r, k)) * static_cast<double>(w.at(k, c));
      y.at(r, c) = static_cast<float>(sum);
    }
  }
  return y;
}

void expect_near(const Matrix& got, const Matrix& want, double tolerance) {
  ASSERT_EQ(got.rows(), want.rows());
  ASSERT_EQ(got.cols(), want.cols());
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(got.data()[i]), static_cast<double>(want.data()[i]), tolerance) << i;
  }
}

TEST_P(KernelsTest, ForwardWithProjections) {
  const std::vector<Shape> shapes = {{1, 1, 1, 1, 1},     {3, 4, 2, 3, 5},      {22, 22, 4, 8, 8},
                                     {64, 64, 4, 16, 16}, {131, 77, 3, 11, 13}, {400, 410, 2, 48, 40}};
  for (const Shape& shape : shapes) {
    for (bool biased : {false, true}) {
      SCOPED_TRACE(testing::Message() << shape.T << " biased " << biased);
      const int d_in = 19, d_kv = 35, d_out = 37;
      const int inner = shape.heads * shape.d_k, values = shape.heads * shape.d_v;
      const Matrix x = random_matrix(shape.T, d_in, 1), x_kv = random_matrix(shape.S, d_kv, 2);
      AttentionWeights weights;
      weights.w_q = random_matrix(d_in, inner, 3, 0.2f);
      weights.w_k = random_matrix(d_kv, inner, 4, 0.2f);
      weights.w_v = random_matrix(d_kv, values, 5, 0.2f);
      weights.w_o = random_matrix(values, d_out, 6, 0.2f);
      if (biased) {
        weights.b_q = random_matrix(1, inner, 7), weights.b_k = random_matrix(1, inner, 8);
        weights.b_v = random_matrix(1, values, 9), weights.b_o = random_matrix(1, d_out, 10);
      }
      AttentionOptions options;
      options.heads = shape.heads;
      AttentionTrace trace;
      attention_forward(x, x_kv, weights, options, parallel_, trace);
      expect_near(trace.q, product_f64(x, weights.w_q, weights.b_q), 1e-5);
      expect_near(trace.k, product_f64(x_kv, weights.w_k, weights.b_k), 1e-5);
      expect_near(trace.v, product_f64(x_kv, weights.w_v, weights.b_v), 1e-5);
      expect_trace(trace, options, {1e-5, 2e-5});
      expect_near(trace.output, product_f64(trace.context, weights.w_o, weights.b_o), 1e-5);
    }
  }
}

TEST_P(KernelsTest, SameBitsOnAnyNumberOfThreads) {
  const Matrix x = random_matrix(300, 96, 1);
  AttentionWeights weights;
  for (Matrix* w : {&weights.w_q, &weights.w_k, &weights.w_v, &weights.w_o})
    *w = random_matrix(96, 96, 2, 0.1f);
  AttentionOptions options;
  options.heads = 6;
  options.mask.causal = true;
  base::Parallel one(1), seven(7);
  AttentionTrace a, b, c;
  attention_forward(x, x, weights, options, one, a);
  attention_forward(x, x, weights, options, parallel_, b);
  attention_forward(x, x, weights, options, seven, c);
  for (const AttentionTrace* other : {&b, &c}) {
    EXPECT_TRUE(same_bits(a.weights, other->weights));
    EXPECT_TRUE(same_bits(a.output, other->output));
    EXPECT_TRUE(same_bits(a.row_max, other->row_max));
    EXPECT_TRUE(same_bits(a.row_sum, other->row_sum));
  }
}

TEST_P(KernelsTest, BuffersAreReused) {
  AttentionTrace trace;
  AttentionOptions options;
  options.heads = 2;
  for (int T : {50, 3, 200, 1, 64, 199}) {
    AttentionTrace fresh = random_trace({T, T + 3, 2, 8, 8}, static_cast<unsigned>(T));
    trace.q = fresh.q, trace.k = fresh.k, trace.v = fresh.v;
    options.keep_scores = T % 2 == 0;
    attention_from_qkv(options, parallel_, trace);
    attention_from_qkv(options, parallel_, fresh);
    EXPECT_TRUE(same_bits(trace.weights, fresh.weights)) << T;
    EXPECT_TRUE(same_bits(trace.context, fresh.context)) << T;
    EXPECT_TRUE(same_bits(trace.scores, fresh.scores)) << T;
    expect_trace(trace, options);
  }
}

// Weights that are too many for the caches are written past them, from rows at any alignment.
TEST_P(KernelsTest, WeightsBeyondTheCaches) {
  AttentionTrace trace = random_trace({1501, 1503, 1, 4, 4}, 6);
  AttentionOptions options;
  options.mask.causal = true;
  trace.weights = Matrix(1, 1501, 1503);
  trace.weights.fill(not_a_number);
  attention_from_qkv(options, parallel_, trace);
  for (int t : {0, 1, 2, 700, 701, 702, 703, 704, 1499, 1500}) expect_row(trace, options, 0, t, {});
  for (float weight : trace.weights.values()) ASSERT_FALSE(std::isnan(weight));
}

TEST_P(KernelsTest, SubnormalNumbersComeBackAfterwards) {
  AttentionTrace trace = random_trace({120, 400, 4, 32, 32}, 6);
  AttentionOptions options;
  options.heads = 4;
  attention_from_qkv(options, parallel_, trace);
  volatile float small = 1e-30f;
  volatile float product = small * 1e-10f;
  EXPECT_GT(product, 0.0f);
}

TEST_P(KernelsTest, SinusoidsAndDistances) {
  const Kernels& kernels = headlight::nn::kernels();
  for (int width : {1, 2, 7, 16, 31, 32, 33, 100}) {
    const Matrix a = random_matrix(1, width, 1), b = random_matrix(9, width, 2);
    std::vector<float> squares(9);
    kernels.distances(a.data(), b.data(), 9, width, squares.data());
    for (int r = 0; r < 9; ++r) {
      double sum = 0;
      for (int c = 0; c < width; ++c) {
        const double d = static_cast<double>(a.at(0, c)) - static_cast<double>(b.at(r, c));
        sum += d * d;
      }
      EXPECT_NEAR(static_cast<double>(squares[static_cast<std::size_t>(r)]) / sum, 1, 1e-6);
    }
    const int rows = 11;
    MatrixF64 state(4, 64);
    for (int j = 0; j < 64; ++j) {
      const double omega = 1 / (1.0 + j);
      state.at(0, j) = std::sin(3 * omega), state.at(1, j) = std::cos(3 * omega);
      state.at(2, j) = std::sin(omega), state.at(3, j) = std::cos(omega);
    }
    Matrix p(rows + 1, width);
    p.fill(77);
    SinusoidBlock block{state.row(0).data(),
                        state.row(1).data(),
                        state.row(2).data(),
                        state.row(3).data(),
                        p.data(),
                        width,
                        rows,
                        false};
    kernels.sinusoid(block);
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < width; ++c) {
        const double angle = (3 + r) / (1.0 + c / 2);
        EXPECT_NEAR(static_cast<double>(p.at(r, c)), c % 2 == 0 ? std::sin(angle) : std::cos(angle), 6e-8);
      }
    }
    for (float untouched : p.row(rows)) EXPECT_EQ(untouched, 77.0f);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, KernelsTest, testing::Values("v4", "v3", "v2", "generic"),
                         [](const auto& level) { return std::string(level.param); });

TEST(Kernels, ChoosesTheBestOrTheOneAskedFor) {
  const Kernels& best = choose_kernels(nullptr);
  EXPECT_STREQ(choose_kernels("").name, best.name);
  EXPECT_STREQ(choose_kernels("sse9").name, best.name);
  EXPECT_STREQ(choose_kernels("generic").name, "generic");
  for (const char* level : {"v2", "v3", "v4"}) {
    const Kernels* kernels = kernels_of(level);
    EXPECT_STREQ(choose_kernels(level).name, kernels != nullptr ? kernels->name : best.name);
    if (kernels != nullptr) {
      EXPECT_EQ(std::string(kernels->name), std::string("x86-64-") + level);
    }
  }
  use_kernels(*kernels_of("generic"));
  EXPECT_STREQ(instruction_set(), "generic");
  use_kernels(best);
  EXPECT_STREQ(instruction_set(), best.name);
}

}  // namespace
}  // namespace headlight::nn
