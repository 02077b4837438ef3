// The kernels of training, every instruction set that this processor has, against plain double loops.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/panels.h"
#include "nn/linear.h"
#include "nn/small_random.h"

namespace headlight::nn {
namespace {

double wide(float x) {
  return static_cast<double>(x);
}

class TrainingKernels : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    kernels_ = kernels_of(GetParam());
    if (kernels_ == nullptr) GTEST_SKIP() << "not on this processor";
  }
  const Kernels& k() const { return *kernels_; }

 private:
  const Kernels* kernels_ = nullptr;
};

TEST_P(TrainingKernels, ProductAddsRows) {
  for (const auto& [rows, depth, cols] :
       {std::array{1, 1, 1}, std::array{13, 7, 33}, std::array{30, 64, 40}}) {
    const Matrix a = random_matrix(rows, depth, 1), b = random_matrix(depth, cols, 2),
                 bias = random_matrix(1, cols, 3), add = random_matrix(rows, cols + 3, 4);
    for (bool transposed : {false, true}) {
      Matrix turned(cols, depth), c(rows, cols);
      for (int i = 0; i < cols; ++i) {
        for (int j = 0; j < depth; ++j) turned.at(i, j) = b.at(j, i);
      }
      Panels panels;
      set_shape(k(), depth, cols, panels);
      run(k(), Packing{transposed ? &turned : &b, transposed, &panels, 0});
      multiply(k(), rows, rows_from(a, 0), panels, &bias, rows_from(add, 0), rows_from(c, 0));
      for (int r = 0; r < rows; ++r) {
        for (int o = 0; o < cols; ++o) {
          double want = wide(bias.at(0, o)) + wide(add.at(r, o));
          for (int i = 0; i < depth; ++i) want += wide(a.at(r, i)) * wide(b.at(i, o));
          ASSERT_NEAR(wide(c.at(r, o)), want, 2e-5) << r << " " << o << " of " << rows << "x" << cols;
        }
      }
    }
  }
}

TEST_P(TrainingKernels, PanelsOneAboveTheOther) {
  const Matrix x = random_matrix(5, 20, 5), upper = random_matrix(9, 12, 6), lower = random_matrix(9, 8, 7);
  Panels panels;  // [upperᵀ; lowerᵀ], [20, 9]
  set_shape(k(), 20, 9, panels);
  run(k(), Packing{&upper, true, &panels, 0});
  run(k(), Packing{&lower, true, &panels, 12});
  Matrix y(5, 9);
  multiply(k(), 5, rows_from(x, 0), panels, nullptr, {}, rows_from(y, 0));
  for (int r = 0; r < 5; ++r) {
    for (int o = 0; o < 9; ++o) {
      double want = 0;
      for (int i = 0; i < 20; ++i)
        want += wide(x.at(r, i)) * wide(i < 12 ? upper.at(o, i) : lower.at(o, i - 12));
      EXPECT_NEAR(wide(y.at(r, o)), want, 1e-5);
    }
  }
}

TEST_P(TrainingKernels, TransposedProduct) {
  for (const auto& [depth, rows, cols] :
       {std::array{0, 3, 5}, std::array{1, 1, 1}, std::array{300, 25, 37}, std::array{513, 12, 64},
        std::array{70, 3, 16}, std::array{70, 5, 8}}) {
    const Matrix a = random_matrix(std::max(1, depth), rows + 2, 8),
                 b = random_matrix(std::max(1, depth), cols + 1, 9);
    Matrix c = random_matrix(rows, cols, 10), scratch;
    TransposedJob job{};
    job.a = a.data() + 1, job.a_stride = static_cast<std::size_t>(rows + 2);
    job.b = b.data() + 1, job.b_stride = static_cast<std::size_t>(cols + 1);
    job.c = c.data(), job.c_stride = static_cast<std::size_t>(cols);
    job.rows = rows, job.cols = cols, job.depth = depth;
    job.scratch = floats(scratch, static_cast<std::size_t>(transposed_depth * k().panel));
    k().transposed(job);
    for (int r = 0; r < rows; ++r) {
      for (int o = 0; o < cols; ++o) {
        double want = 0;
        for (int i = 0; i < depth; ++i) want += wide(a.at(i, r + 1)) * wide(b.at(i, o + 1));
        ASSERT_NEAR(wide(c.at(r, o)), want, 1e-4) << r << " " << o << ", depth " << depth;
      }
    }
    Matrix sums(1, cols);
    sums.fill(2);
    k().column_sums(job.b, job.b_stride, depth, cols, sums.data());
    for (int o = 0; o < cols; ++o) {
      double want = 2;
      for (int i = 0; i < depth; ++i) want += wide(b.at(i, o + 1));
      EXPECT_NEAR(wide(sums.at(0, o)), want, 1e-4);
    }
  }
}

/// Of one row nothing beyond a matrix is read: its rows may be the last bytes of a file.
TEST_P(TrainingKernels, OneRowTimesAMatrixAsItLies) {
  for (const auto& [rows, cols] : {std::array{1, 1}, std::array{3, 5}, std::array{9, 16}, std::array{25, 37},
                                   std::array{64, 130}, std::array{7, 1000}, std::array{1000, 7}}) {
    for (const int beside : {0, 3}) {
      const auto stride = static_cast<std::size_t>(cols + beside);
      const Matrix whole = random_matrix(rows, cols + beside, 13), x = random_matrix(1, cols, 14),
                   scale = random_matrix(1, rows, 15);
      // In a block of its own that ends with the last number.
      const std::vector<float> m(whole.data(), whole.data() + stride * static_cast<std::size_t>(rows - 1) +
                                                   static_cast<std::size_t>(cols));
      std::vector<float> dots(static_cast<std::size_t>(rows)), sums(static_cast<std::size_t>(cols), 2);
      k().row_dots(m.data(), stride, rows, cols, x.data(), dots.data());
      for (int r = 0; r < rows; ++r) {
        double want = 0;
        for (int c = 0; c < cols; ++c) want += wide(whole.at(r, c)) * wide(x.at(0, c));
        ASSERT_NEAR(wide(dots[static_cast<std::size_t>(r)]), want, 1e-4) << rows << " " << cols;
      }
      k().row_sum(scale.data(), m.data(), stride, rows, cols, sums.data());
      for (int c = 0; c < cols; ++c) {
        double want = 2;
        for (int r = 0; r < rows; ++r) want += wide(whole.at(r, c)) * wide(scale.at(0, r));
        ASSERT_NEAR(wide(sums[static_cast<std::size_t>(c)]), want, 1e-4) << rows << " " << cols;
      }
    }
  }
}

double activation_slope(Activation activation, double x) {
  constexpr double step = 1e-4;
  const auto f = [&](double at) { return activate(activation, at); };
  return (f(x - 2 * step) - 8 * f(x - step) + 8 * f(x + step) - f(x + 2 * step)) / (12 * step);
}

TEST_P(TrainingKernels, ActivationsAndTheirSlopes) {
  for (Activation activation : {Activation::relu, Activation::gelu_erf, Activation::gelu_tanh}) {
    constexpr int count = 4003;  // the last register is not full
    Matrix x(1, count), y(1, count), dy = random_matrix(1, count, 11), dx(1, count);
    for (int i = 0; i < count; ++i) x.at(0, i) = -20 + 0.01f * static_cast<float>(i) + 0.0013f;
    k().activate(static_cast<int>(activation), x.data(), y.data(), count);
    k().activation_gradient(static_cast<int>(activation), x.data(), dy.data(), dx.data(), count);
    for (int i = 0; i < count; ++i) {
      const double at = wide(x.at(0, i));
      ASSERT_NEAR(wide(y.at(0, i)), activate(activation, at), 3e-7 * (1 + std::fabs(at)))
          << name_of(activation) << "(" << at << ")";
      ASSERT_NEAR(wide(dx.at(0, i)), wide(dy.at(0, i)) * activation_slope(activation, at),
                  1e-6 * (1 + std::fabs(wide(dy.at(0, i)))))
          << name_of(activation) << "'(" << at << ")";
    }
    float extreme[] = {std::numeric_limits<float>::quiet_NaN(), 1e4f, -1e4f, 0.0f};
    k().activate(static_cast<int>(activation), extreme, extreme, 4);
    EXPECT_TRUE(std::isnan(extreme[0])) << name_of(activation);
    EXPECT_EQ(extreme[1], 1e4f);
    EXPECT_NEAR(extreme[2], 0.0f, 1e-30f);
    EXPECT_EQ(extreme[3], 0.0f);
  }
}

TEST_P(TrainingKernels, LayerNormBothWays) {
  for (int width : {1, 5, 16, 48, 67}) {
    constexpr int rows = 9;
    const Matrix x = random_matrix(rows, width, 12), gamma = random_matrix(1, width, 13),
                 beta = random_matrix(1, width, 14), dy = random_matrix(rows, width, 15),
                 add = random_matrix(rows, width, 16);
    Matrix y(rows, width), statistics(2, rows), dx(rows, width), sums(2, width);
    sums.fill(1);
    NormJob job{};
    job.x = x.data(), job.gamma = gamma.data(), job.beta = beta.data(), job.y = y.data();
    job.mean = statistics.row(0).data(), job.inverse = statistics.row(1).data();
    job.eps = 1e-3f, job.rows = rows, job.width = width;
    k().norm(job);
    NormGradient back{};
    back.x = x.data(), back.mean = job.mean, back.inverse = job.inverse, back.gamma = gamma.data();
    back.dy = dy.data(), back.add = add.data(), back.dx = dx.data();
    back.d_gamma = sums.row(0).data(), back.d_beta = sums.row(1).data();
    back.rows = rows, back.width = width;
    k().norm_gradient(back);
    std::vector<double> d_gamma(static_cast<std::size_t>(width), 1), d_beta = d_gamma;
    for (int r = 0; r < rows; ++r) {
      double mean = 0, variance = 0, mean_g = 0, mean_product = 0;
      for (float v : x.row(r)) mean += wide(v) / width;
      for (float v : x.row(r)) variance += (wide(v) - mean) * (wide(v) - mean) / width;
      const double inverse = 1 / std::sqrt(variance + wide(job.eps));
      EXPECT_NEAR(wide(statistics.at(0, r)), mean, 1e-6);
      EXPECT_NEAR(wide(statistics.at(1, r)), inverse, 1e-5 * inverse);
      const auto unit = [&](int c) { return (wide(x.at(r, c)) - mean) * inverse; };
      const auto g = [&](int c) { return wide(dy.at(r, c)) * wide(gamma.at(0, c)); };
      for (int c = 0; c < width; ++c) {
        EXPECT_NEAR(wide(y.at(r, c)), unit(c) * wide(gamma.at(0, c)) + wide(beta.at(0, c)),
                    2e-6 * (1 + inverse));
        mean_g += g(c) / width, mean_product += g(c) * unit(c) / width;
        d_gamma[static_cast<std::size_t>(c)] += wide(dy.at(r, c)) * unit(c);
        d_beta[static_cast<std::size_t>(c)] += wide(dy.at(r, c));
      }
      for (int c = 0; c < width; ++c) {
        const double want = (g(c) - mean_g - unit(c) * mean_product) * inverse + wide(add.at(r, c));
        EXPECT_NEAR(wide(dx.at(r, c)), want, 2e-6 * (1 + inverse));
      }
    }
    for (int c = 0; c < width; ++c) {
      EXPECT_NEAR(wide(sums.at(0, c)), d_gamma[static_cast<std::size_t>(c)], 2e-5);
      EXPECT_NEAR(wide(sums.at(1, c)), d_beta[static_cast<std::size_t>(c)], 2e-5);
    }
  }
}

TEST_P(TrainingKernels, SoftmaxSaysItsSum) {
  constexpr float minus_infinity = -std::numeric_limits<float>::infinity();
  for (int cols : {1, 3, 16, 100}) {
    const Matrix x = random_matrix(1, cols, 17, 3);
    Matrix y(1, cols);
    const SoftmaxSum sum = k().softmax(x.data(), y.data(), cols);
    double largest = -1e9, want = 0;
    for (float v : x.values()) largest = std::max(largest, wide(v));
    for (float v : x.values()) want += std::exp(wide(v) - largest);
    EXPECT_EQ(wide(sum.max), largest);
    EXPECT_NEAR(wide(sum.sum), want, 1e-6 * want);
  }
  float blocked[] = {minus_infinity, minus_infinity};
  const SoftmaxSum none = k().softmax(blocked, blocked, 2);
  EXPECT_EQ(none.max, minus_infinity);
  EXPECT_EQ(none.sum, 0);
}

/// One causal head, where whole parts of the scores are left out.
TEST_P(TrainingKernels, HeadGradientOfACausalHead) {
  for (const auto& [T, d] : {std::array{1, 1}, std::array{13, 5}, std::array{70, 16}, std::array{100, 40}}) {
    const Matrix q = random_matrix(T, d, 18), key = random_matrix(T, d, 19), v = random_matrix(T, d, 20),
                 dy = random_matrix(T, d, 21);
    Matrix weights(T, T), d_q(T, d), d_k(T, d), d_v(T, d), d_scores(T, T), scratch;
    const Matrix scores = random_matrix(T, T, 22);
    std::vector<KeyRange> allowed;
    for (int i = 0; i < T; ++i) {
      allowed.push_back({0, i + 1});
      double sum = 0;
      for (int j = 0; j <= i; ++j) sum += std::exp(wide(scores.at(i, j)));
      for (int j = 0; j <= i; ++j)
        weights.at(i, j) = static_cast<float>(std::exp(wide(scores.at(i, j))) / sum);
    }
    HeadGradient job{};
    job.q = q.data(), job.k = key.data(), job.v = v.data(), job.d_context = dy.data();
    job.q_stride = job.k_stride = job.v_stride = job.d_context_stride = static_cast<std::size_t>(d);
    job.d_q_stride = job.d_k_stride = job.d_v_stride = static_cast<std::size_t>(d);
    job.weights = weights.data(), job.allowed = allowed.data();
    job.d_q = d_q.data(), job.d_k = d_k.data(), job.d_v = d_v.data(), job.d_scores = d_scores.data();
    job.scratch = floats(scratch, head_gradient_scratch(k(), T, T, d, d));
    job.scale = 0.3f;
    job.T = T, job.S = T, job.d_k_width = d, job.d_v_width = d;
    k().head_gradient(job);
    MatrixF64 want_q(T, d), want_k(T, d), want_v(T, d);
    for (int i = 0; i < T; ++i) {
      std::vector<double> d_weight(static_cast<std::size_t>(T));
      double mean = 0;
      for (int j = 0; j < T; ++j) {
        for (int c = 0; c < d; ++c) {
          d_weight[static_cast<std::size_t>(j)] += wide(dy.at(i, c)) * wide(v.at(j, c));
          want_v.at(j, c) += wide(weights.at(i, j)) * wide(dy.at(i, c));
        }
        mean += wide(weights.at(i, j)) * d_weight[static_cast<std::size_t>(j)];
      }
      for (int j = 0; j < T; ++j) {
        const double ds = wide(weights.at(i, j)) * (d_weight[static_cast<std::size_t>(j)] - mean);
        EXPECT_NEAR(wide(d_scores.at(i, j)), ds, 1e-5);
        for (int c = 0; c < d; ++c) {
          want_q.at(i, c) += wide(job.scale) * ds * wide(key.at(j, c));
          want_k.at(j, c) += wide(job.scale) * ds * wide(q.at(i, c));
        }
      }
    }
    EXPECT_LT(largest_difference(d_q, want_q), 1e-5);
    EXPECT_LT(largest_difference(d_k, want_k), 1e-5);
    EXPECT_LT(largest_difference(d_v, want_v), 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, TrainingKernels, testing::Values("v4", "v3", "v2", "generic"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace headlight::nn
