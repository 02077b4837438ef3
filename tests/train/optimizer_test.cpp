// Adam, AdamW, the schedule and clipping against their definitions, written here a second time.
#include "train/optimizer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numbers>

#include "kernels/kernels.h"
#include "nn/reference_variants.h"
#include "nn/small_random.h"

namespace headlight::nn {
namespace {

TEST(Adam, IsItsDefinitionOnEveryInstructionSet) {
  for (const char* level : {"generic", "v2", "v3", "v4"}) {
    const Kernels* found = kernels_of(level);
    if (found == nullptr) continue;
    SCOPED_TRACE(level);
    use_kernels(*found);
    for (bool decoupled : {true, false}) {
      AdamOptions o;
      o.beta1 = 0.8, o.beta2 = 0.95, o.eps = 1e-6, o.weight_decay = 0.1, o.decoupled = decoupled;
      constexpr double rate = 0.01;
      Matrix w = random_matrix(7, 11, 1), m(7, 11), v(7, 11);
      std::vector<double> want(w.values().begin(), w.values().end()), want_m(w.size()), want_v(w.size());
      MatrixF64 wide = widened(w), wide_m(7, 11), wide_v(7, 11);
      for (int t = 1; t <= 5; ++t) {
        const Matrix g = random_matrix(7, 11, static_cast<std::uint64_t>(10 + t));
        adam_step(o, rate, t, g, m, v, w);
        adam_step(o, rate, t, widened(g), wide_m, wide_v, wide);
        for (std::size_t i = 0; i < want.size(); ++i) {
          double d = static_cast<double>(g.data()[i]);
          if (decoupled) {
            want[i] *= 1 - rate * o.weight_decay;
          } else {
            d += o.weight_decay * want[i];
          }
          want_m[i] = o.beta1 * want_m[i] + (1 - o.beta1) * d;
          want_v[i] = o.beta2 * want_v[i] + (1 - o.beta2) * d * d;
          const double m_hat = want_m[i] / (1 - std::pow(o.beta1, t)),
                       v_hat = want_v[i] / (1 - std::pow(o.beta2, t));
          want[i] -= rate * m_hat / (std::sqrt(v_hat) + o.eps);
          EXPECT_NEAR(static_cast<double>(w.data()[i]), want[i], 2e-6);
          EXPECT_NEAR(wide.data()[i], want[i], 1e-14);
        }
      }
    }
  }
  use_kernels(choose_kernels(nullptr));
}

TEST(Adam, LeavesATensorWithoutGradientAlone) {
  AdamOptions o;
  o.weight_decay = 0.5;
  Matrix w = random_matrix(2, 3, 2), m(2, 3), v(2, 3);
  const Matrix before = w;
  adam_step(o, 0.1, 1, Matrix(), m, v, w);
  EXPECT_EQ(largest_difference(w, before), 0);

  ModelConfig config;
  config.vocabulary = 5, config.context = 4, config.d_model = 4, config.heads = 1, config.layers = 1,
  config.d_ff = 4;
  ModelWeights weights = random_model(config, 1);
  const ModelWeights start = weights;
  ModelWeights gradients = zero_model(config);
  gradients.stack.layers[0].attention.w_v = Matrix();
  AdamState state;
  state.m = zero_model(config), state.v = zero_model(config);
  adam_step(o, 0.1, gradients, threads(), state, weights);
  EXPECT_EQ(state.step, 1);
  EXPECT_EQ(largest_difference(weights.stack.layers[0].attention.w_v, start.stack.layers[0].attention.w_v),
            0);
  // A gradient of 0 still decays.
  EXPECT_NEAR(static_cast<double>(weights.wte.at(0, 0)), 0.95 * static_cast<double>(start.wte.at(0, 0)),
              3e-8);
}

TEST(RateSchedule, WarmsUpAndFallsAsACosine) {
  RateSchedule schedule;
  schedule.rate = 1e-2, schedule.warmup_steps = 10, schedule.total_steps = 110, schedule.last_fraction = 0.1;
  EXPECT_DOUBLE_EQ(schedule.at(1), 1e-3);
  EXPECT_DOUBLE_EQ(schedule.at(10), 1e-2);
  EXPECT_DOUBLE_EQ(schedule.at(60), (1e-2 + 1e-3) / 2);
  EXPECT_DOUBLE_EQ(schedule.at(35), 1e-3 + 9e-3 * (1 + std::cos(std::numbers::pi / 4)) / 2);
  EXPECT_NEAR(schedule.at(110), 1e-3, 1e-15);
  EXPECT_NEAR(schedule.at(500), 1e-3, 1e-15);
  for (int step = 11; step <= 110; ++step) EXPECT_LT(schedule.at(step), schedule.at(step - 1));
  schedule.total_steps = 0;
  EXPECT_DOUBLE_EQ(schedule.at(1000), 1e-2);
  schedule.warmup_steps = 0;
  EXPECT_DOUBLE_EQ(schedule.at(1), 1e-2);
}

TEST(Clipping, OnlyShortens) {
  ModelWeights g;
  g.wte = random_matrix(13, 3, 3), g.stack.lnf_b = random_matrix(1, 7, 4);
  double square = 0;
  tensors(g, [&](const std::string&, const Matrix& m) {
    for (float x : m.values()) square += static_cast<double>(x) * static_cast<double>(x);
  });
  const double norm = std::sqrt(square);
  EXPECT_NEAR(gradient_norm(g), norm, 1e-12 * norm);
  const Matrix before = g.wte;
  EXPECT_NEAR(clip_gradients(2 * norm, g), norm, 1e-12 * norm);
  EXPECT_EQ(largest_difference(g.wte, before), 0);
  EXPECT_NEAR(clip_gradients(0, g), norm, 1e-12 * norm);  // 0: never
  EXPECT_EQ(largest_difference(g.wte, before), 0);
  EXPECT_NEAR(clip_gradients(0.5, g), norm, 1e-12 * norm);
  EXPECT_NEAR(gradient_norm(g), 0.5, 1e-6);
  EXPECT_NEAR(static_cast<double>(g.wte.at(0, 0)), static_cast<double>(before.at(0, 0)) * 0.5 / norm, 1e-7);
}

}  // namespace
}  // namespace headlight::nn
