// Every gradient against differences of its own forward pass, in double:
//   f'(x) ≈ (f(x − 2h) − 8 f(x − h) + 8 f(x + h) − f(x + 2h)) / 12 h
// With h = 2.5e-4 and numbers of size 1 the formula is wrong by about h⁴ = 4e-15 (a token that dropout leaves
// few numbers of is bent a thousand times more by its layer norm), and rounding adds about 1e-16 / h = 4e-13;
// the bound is 1e-8 · (1 + the largest gradient of that tensor).
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>

#include "nn/reference_variants.h"
#include "nn/small_random.h"
#include "nn/sparse.h"
#include "support/reference_model.h"
#include "support/sanitized.h"
#include "train/backward.h"

namespace headlight::nn {
namespace {

constexpr double h = 2.5e-4, bound = 1e-8;

MatrixF64 noise(int rows, int cols, std::uint64_t stream, float size = 1) {
  return widened(random_matrix(rows, cols, stream, size));
}

double dot(const MatrixF64& a, const MatrixF64& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a.data()[i] * b.data()[i];
  return sum;
}

/// Every `stride`-th element of x, moved four times; x is as before afterwards.
void expect_gradient(const char* what, MatrixF64& x, const MatrixF64& gradient,
                     const std::function<double()>& loss, std::size_t stride = 1) {
  ASSERT_EQ(x.size(), gradient.size()) << what;
  double largest = 0;
  for (double g : gradient.values()) largest = std::max(largest, std::fabs(g));
  for (std::size_t i = 0; i < x.size(); i += stride) {
    const double at = x.data()[i];
    const auto moved = [&](double by) {
      x.data()[i] = at + by;
      return loss();
    };
    const double slope = (moved(-2 * h) - 8 * moved(-h) + 8 * moved(h) - moved(2 * h)) / (12 * h);
    x.data()[i] = at;
    EXPECT_NEAR(gradient.data()[i], slope, bound * (1 + largest)) << what << ", element " << i;
  }
}

TEST(GradientCheck, Softmax) {
  const MatrixF64 dy = noise(3, 5, 2);
  // softmax_rows_f64() takes float32, so the rows go through attention: q = x, k = one-hot keys.
  AttentionOptions options;
  options.divide_by_sqrt_d_k = false;
  MatrixF64 x = noise(3, 5, 1), keys(5, 5), dx;
  for (int j = 0; j < 5; ++j) keys.at(j, j) = 1;
  const auto softmax = [&] { return attention_from_qkv_f64(x, keys, keys, options, nullptr).context; };
  softmax_backward(softmax(), dy, dx);
  expect_gradient("x", x, dx, [&] { return dot(softmax(), dy); });
}

TEST(GradientCheck, Activations) {
  for (Activation activation : {Activation::relu, Activation::gelu_erf, Activation::gelu_tanh}) {
    MatrixF64 x = noise(4, 9, 3, 2), y, dx;
    for (double& value : x.values()) {
      if (std::fabs(value) < 4 * h) value = 1;  // relu has a corner
    }
    const MatrixF64 dy = noise(4, 9, 4);
    activate_backward(activation, x, dy, dx);
    expect_gradient(name_of(activation), x, dx, [&] {
      activate(activation, x, threads(), y);
      return dot(y, dy);
    });
  }
}

MatrixF64 times(const MatrixF64& x, const MatrixF64& w, const MatrixF64& b) {
  MatrixF64 y(x.rows(), w.cols());
  for (int t = 0; t < x.rows(); ++t) {
    for (int o = 0; o < w.cols(); ++o) {
      y.at(t, o) = b.at(0, o);
      for (int i = 0; i < x.cols(); ++i) y.at(t, o) += x.at(t, i) * w.at(i, o);
    }
  }
  return y;
}

TEST(GradientCheck, Linear) {
  MatrixF64 x = noise(4, 3, 5), w = noise(3, 6, 6), b = noise(1, 6, 7), dx, d_w, d_b;
  const MatrixF64 dy = noise(4, 6, 8);
  const auto loss = [&] { return dot(times(x, w, b), dy); };
  linear_backward(x, w, dy, threads(), &dx, d_w, &d_b);
  expect_gradient("x", x, dx, loss);
  expect_gradient("w", w, d_w, loss);
  expect_gradient("b", b, d_b, loss);
}

TEST(GradientCheck, LayerNorm) {
  for (int width : {1, 2, 7}) {
    MatrixF64 x = noise(3, width, 9), gamma = noise(1, width, 10), beta = noise(1, width, 11), dx, d_gamma,
              d_beta;
    const MatrixF64 dy = noise(3, width, 12);
    constexpr double eps = 1e-2;
    const auto loss = [&] {
      double sum = 0;
      for (int t = 0; t < 3; ++t) {
        double mean = 0, square = 0;
        for (double value : x.row(t)) mean += value / width, square += value * value / width;
        for (int c = 0; c < width; ++c) {
          const double unit = (x.at(t, c) - mean) / std::sqrt(square - mean * mean + eps);
          sum += dy.at(t, c) * (unit * gamma.at(0, c) + beta.at(0, c));
        }
      }
      return sum;
    };
    layer_norm_backward(x, gamma, eps, dy, dx, d_gamma, d_beta);
    expect_gradient("x", x, dx, loss);
    expect_gradient("gamma", gamma, d_gamma, loss);
    expect_gradient("beta", beta, d_beta, loss);
  }
}

TEST(GradientCheck, CrossEntropyAndEmbedding) {
  MatrixF64 logits = noise(5, 4, 13), d_logits, ignored;
  const std::vector<int> targets = {3, -100, 0, 0, -100};
  cross_entropy(logits, targets, d_logits);
  expect_gradient("logits", logits, d_logits, [&] { return cross_entropy(logits, targets, ignored); });
  const double none = cross_entropy(logits, std::vector<int>(5, -100), d_logits);
  EXPECT_EQ(none, 0);
  for (double d : d_logits.values()) EXPECT_EQ(d, 0);

  MatrixF64 table = noise(6, 3, 14), d_table(6, 3);
  const std::vector<int> tokens = {2, 5, 2, 0};
  const MatrixF64 dy = noise(4, 3, 15);
  embedding_backward(tokens, dy, d_table);
  expect_gradient("table", table, d_table, [&] {
    double sum = 0;
    for (int t = 0; t < 4; ++t) {
      for (int c = 0; c < 3; ++c) sum += table.at(tokens[static_cast<std::size_t>(t)], c) * dy.at(t, c);
    }
    return sum;
  });
}

struct NamedMask {
  const char* name;
  AttentionOptions options;
  PairMask pairs;
};

/// Every kind of mask for T queries and S keys of two heads; query 1 of "blocked row" may read nothing.
std::vector<NamedMask> masks(int T, int S) {
  std::vector<NamedMask> all(9);
  auto kind = [&, n = 0](const char* name) mutable -> NamedMask& {
    all[static_cast<std::size_t>(n)].name = name;
    return all[static_cast<std::size_t>(n++)];
  };
  kind("none");
  kind("causal").options.mask.causal = true;
  kind("valid length").options.mask.valid_length = S - 2;
  NamedMask& both = kind("causal and valid length");
  both.options.mask.causal = true, both.options.mask.valid_length = 2;
  NamedMask& window = kind("window");
  window.options.mask.window_left = 1, window.options.mask.window_right = 0;
  NamedMask& empty = kind("window with empty rows");
  empty.options.mask.window_left = 0, empty.options.mask.window_right = 1,
  empty.options.mask.valid_length = 2;
  NamedMask& blocked = kind("blocked row");
  blocked.pairs.allow = Tensor<std::uint8_t>(2, T, S);
  for (int head = 0; head < 2; ++head) {
    for (int i = 0; i < T; ++i) {
      for (int j = 0; j < S; ++j)
        blocked.pairs.allow.at(head, i, j) = i != 1 && (i + j + head) % 3 != 0 ? 1 : 0;
    }
  }
  NamedMask& added = kind("additive");
  added.pairs.add = random_matrix(T, S, 16);
  added.pairs.add.at(0, 1) = added.pairs.add.at(2, 0) = -std::numeric_limits<float>::infinity();
  NamedMask& scaled = kind("custom scale and temperature");
  scaled.options.divide_by_sqrt_d_k = false, scaled.options.custom_scale = 0.3f,
  scaled.options.temperature = 0.7f;
  for (NamedMask& mask : all) {
    mask.options.heads = 2;
    if (!mask.pairs.allow.empty() || !mask.pairs.add.empty()) mask.options.pairs = &mask.pairs;
  }
  return all;
}

/// attention_from_qkv_f64() with a bias in double replaces the added numbers of the mask.
MatrixF64 added_to_scores(const NamedMask& mask, const MatrixF64& bias) {
  MatrixF64 sum = bias;
  if (mask.pairs.add.empty()) return sum;
  for (int head = 0; head < sum.depth(); ++head) {
    for (int i = 0; i < sum.rows(); ++i) {
      for (int j = 0; j < sum.cols(); ++j) sum.at(head, i, j) += static_cast<double>(mask.pairs.add.at(i, j));
    }
  }
  return sum;
}

TEST(GradientCheck, HeadsUnderEveryMask) {
  constexpr int T = 4, S = 5;
  for (const NamedMask& mask : masks(T, S)) {
    SCOPED_TRACE(mask.name);
    AttentionTraceF64 trace;
    MatrixF64 q = noise(T, 6, 17), k = noise(S, 6, 18), v = noise(S, 4, 19), bias(2, T, S);
    const MatrixF64 dy = noise(T, 4, 20);
    const auto run = [&] {
      const MatrixF64 added = added_to_scores(mask, bias);
      trace = attention_from_qkv_f64(q, k, v, mask.options, &added);
      return dot(trace.context, dy);
    };
    run();
    HeadGradients<double> g;
    heads_backward(trace, score_scale(mask.options, 3), dy, threads(), g);
    expect_gradient("q", q, g.q, run);
    expect_gradient("k", k, g.k, run);
    expect_gradient("v", v, g.v, run);
    expect_gradient("bias", bias, g.scores, run);
    for (int i = 0; i < T; ++i) {
      double sum = 0;
      for (double a : trace.weights.row(0, i)) sum += a;
      if (sum != 0) continue;
      for (int c = 0; c < 3; ++c) EXPECT_EQ(g.q.at(i, c), 0) << "query " << i << " reads nothing";
    }
  }
}

/// The float32 kernel against the double loops, at widths that fill registers and widths that do not.
TEST(GradientCheck, HeadKernelAgainstLoops) {
  for (const auto& [T, S, d_k, d_v] : {std::array{4, 5, 3, 2}, std::array{33, 17, 16, 8},
                                       std::array{64, 64, 16, 16}, std::array{70, 130, 40, 33}}) {
    for (const NamedMask& mask : masks(T, S)) {
      SCOPED_TRACE(testing::Message() << mask.name << " " << T << " " << S << " " << d_k << " " << d_v);
      AttentionTrace trace;
      trace.q = random_matrix(T, 2 * d_k, 21), trace.k = random_matrix(S, 2 * d_k, 22);
      trace.v = random_matrix(S, 2 * d_v, 23);
      attention_from_qkv(mask.options, threads(), trace);
      AttentionTraceF64 wide;
      wide.q = widened(trace.q), wide.k = widened(trace.k), wide.v = widened(trace.v);
      wide.weights = widened(trace.weights);
      const Matrix dy = random_matrix(T, 2 * d_v, 24);
      HeadGradients<float> g;
      HeadGradients<double> want;
      heads_backward(trace, score_scale(mask.options, d_k), dy, threads(), g);
      heads_backward(wide, score_scale(mask.options, d_k), widened(dy), threads(), want);
      EXPECT_LT(largest_difference(g.q, want.q), 2e-5);
      EXPECT_LT(largest_difference(g.k, want.k), 2e-5);
      EXPECT_LT(largest_difference(g.v, want.v), 2e-5);
      EXPECT_LT(largest_difference(g.scores, want.scores), 1e-5);
    }
  }
}

TEST(GradientCheck, RopeTurnsBack) {
  for (RopePairs pairs : {RopePairs::interleaved, RopePairs::half}) {
    for (int rotary_dim : {0, 2}) {
      RopeSpec spec;
      spec.pairs = pairs, spec.rotary_dim = rotary_dim, spec.base = 100, spec.offset = 3;
      MatrixF64 x = noise(4, 10, 25);
      const MatrixF64 dy = noise(4, 10, 26);
      MatrixF64 dx = dy;
      rotate_back(spec, 2, dx, 1);
      expect_gradient("x", x, dx, [&] {
        MatrixF64 turned = x;
        rotate(spec, 2, turned, 1);
        return dot(turned, dy);
      });
    }
  }
}

TEST(GradientCheck, T5Table) {
  T5Buckets buckets;
  buckets.count = 8, buckets.max_distance = 16;
  for (bool both : {true, false}) {
    buckets.bidirectional = both;
    constexpr int T = 3, S = 7;
    const MatrixF64 q = noise(T, 4, 27), k = noise(S, 4, 28), v = noise(S, 4, 29), dy = noise(T, 4, 30);
    MatrixF64 table = noise(8, 2, 31), d_table;
    AttentionOptions options;
    options.heads = 2;
    AttentionTraceF64 trace;
    const auto run = [&] {
      MatrixF64 bias(2, T, S);
      for (int head = 0; head < 2; ++head) {
        for (int i = 0; i < T; ++i) {
          for (int j = 0; j < S; ++j)
            bias.at(head, i, j) = table.at(t5_bucket(buckets, j - i - (S - T)), head);
        }
      }
      trace = attention_from_qkv_f64(q, k, v, options, &bias);
      return dot(trace.context, dy);
    };
    run();
    HeadGradients<double> g;
    heads_backward(trace, score_scale(options, 2), dy, threads(), g);
    t5_bias_backward(buckets, g.scores, S - T, d_table);
    expect_gradient("table", table, d_table, run);
  }
}

struct Model {
  const char* name;
  ModelConfig config;
};

/// Every positional scheme, both places of the norm, tied and not, causal and not; every part left out, in
/// every combination.
std::vector<Model> models() {
  ModelConfig base;
  base.vocabulary = 6, base.context = 5, base.d_model = 8, base.heads = 2, base.layers = 2, base.d_ff = 5;
  std::vector<Model> all;
  const auto add = [&](const char* name, auto change) {
    ModelConfig config = base;
    change(config);
    all.push_back({name, config});
  };
  add("no positions", [](ModelConfig& c) { c.positions = ModelPositions::none; });
  add("sinusoidal, gelu_erf", [](ModelConfig& c) { c.activation = Activation::gelu_erf; });
  add("learned, not tied, post", [](ModelConfig& c) {
    c.positions = ModelPositions::learned, c.tied = false, c.norm = NormPlace::post;
  });
  add("t5, causal", [](ModelConfig& c) { c.positions = ModelPositions::t5; });
  add("t5, both directions, post",
      [](ModelConfig& c) { c.positions = ModelPositions::t5, c.causal = false, c.norm = NormPlace::post; });
  add("alibi, no attention bias",
      [](ModelConfig& c) { c.positions = ModelPositions::alibi, c.attention_bias = false; });
  add("rope, not tied, relu", [](ModelConfig& c) {
    c.positions = ModelPositions::rope, c.tied = false, c.activation = Activation::relu;
  });
  add("rope, interleaved pairs",
      [](ModelConfig& c) { c.positions = ModelPositions::rope, c.rope_pairs = RopePairs::interleaved; });
  return all;
}

/// Far from the kinks of ReLU, by more than the steps of the difference, at these numbers.
ModelWeightsF64 weights_for(const ModelConfig& config) {
  ModelWeights start = random_model(config, 5);
  tensors(start, [](const std::string&, Matrix& m) {
    const float narrower = m.rows() > 1 ? std::sqrt(8.0f / 768.0f) : 1.0f;
    for (float& value : m.values()) value *= narrower;
  });
  std::uint64_t stream = 40;
  tensors(start, [&](const std::string&, Matrix& m) {
    const Matrix more = random_matrix(m.rows(), m.cols(), stream++, 0.4f);
    for (std::size_t i = 0; i < m.size(); ++i) m.data()[i] += more.data()[i];
  });
  return widened(start);
}

Batch two_sequences() {
  Batch batch;
  batch.B = 2, batch.T = 5;
  batch.tokens = {0, 3, 5, 3, 1, 2, 2, 4, 0, 5};
  batch.targets = {3, 5, no_target, 1, 2, 2, 4, 0, no_target, 1};
  return batch;
}

void expect_gradients(const ModelConfig& config, const Batch& batch) {
  ModelWeightsF64 w = weights_for(config), g;
  model_f64(config, w, batch, nullptr, &g);
  std::vector<const MatrixF64*> gradients;
  tensors(std::as_const(g), [&](const std::string&, const MatrixF64& m) { gradients.push_back(&m); });
  std::size_t n = 0;
  tensors(w, [&](const std::string& name, MatrixF64& m) {
    expect_gradient(
        name.c_str(), m, *gradients[n++], [&] { return model_f64(config, w, batch, nullptr, nullptr); }, 3);
  });
}

TEST(GradientCheck, EveryTensorOfTheModel) {
  for (const Model& model : models()) {
    SCOPED_TRACE(testing::Message() << model.name << (model.config.residual ? "" : ", no residuals")
                                    << (model.config.feed_forward ? "" : ", no feed-forward"));
    expect_gradients(model.config, two_sequences());
  }
}

/// A sanitizer has seen the others without what is added.
std::vector<Model> some_models() {
  std::vector<Model> all = models();
  if (tests::sanitized) all.erase(all.begin() + 3, all.end());
  return all;
}

/// The same with a head whose own weights are in the loss, in either layer; in one case nothing else is.
TEST(GradientCheck, EveryTensorOfTheModelWithAGuidedHead) {
  for (const Model& model : some_models()) {
    for (const int layer : {0, 1}) {
      if (layer >= model.config.layers) continue;
      SCOPED_TRACE(testing::Message() << model.name << ", layer " << layer);
      Batch batch = two_sequences();
      batch.goals = {-1, 0, 2, -1, -1, 0, -1, -1, 1, 3};
      batch.guide = {layer, 1, 0.7};
      expect_gradients(model.config, batch);
      batch.targets.assign(batch.targets.size(), no_target);
      if (layer == 1 && model.config.positions == ModelPositions::none) expect_gradients(model.config, batch);
    }
  }
}

/// With the same numbers dropped, and a guided head beside it.
TEST(GradientCheck, EveryTensorOfTheModelWithDropout) {
  for (const Model& model : some_models()) {
    SCOPED_TRACE(model.name);
    Batch batch = two_sequences();
    batch.dropout = {0.3, 11};
    expect_gradients(model.config, batch);
    batch.goals = {-1, 0, 2, -1, -1, 0, -1, -1, 1, 3};
    batch.guide = {0, 1, 0.7};
    expect_gradients(model.config, batch);
  }
}

TEST(GradientCheck, HeadsWhoseWeightsAreInTheLoss) {
  constexpr int T = 3, S = 5;
  MatrixF64 q = noise(T, 6, 17), k = noise(S, 6, 18), v = noise(S, 4, 19);
  const MatrixF64 dy = noise(T, 4, 20);
  MatrixF64 d_weights(2, T, S);
  for (std::size_t i = 0; i < d_weights.size(); ++i) d_weights.data()[i] = std::sin(static_cast<double>(i));
  AttentionOptions options;
  options.heads = 2;
  AttentionTraceF64 trace;
  const auto run = [&] {
    trace = attention_from_qkv_f64(q, k, v, options, nullptr);
    return dot(trace.context, dy) + dot(trace.weights, d_weights);
  };
  run();
  HeadGradients<double> g;
  heads_backward(trace, score_scale(options, 3), dy, threads(), g, &d_weights);
  expect_gradient("q", q, g.q, run);
  expect_gradient("k", k, g.k, run);
  expect_gradient("v", v, g.v, run);
}

}  // namespace
}  // namespace headlight::nn
