// The reference data's gradients and optimizer steps, family by family, in float32 on the fast kernels and in
// double.
#include "train/golden_gradients.h"

#include <cstdlib>
#include <map>
#include <set>

#include "nn/golden_attention.h"
#include "nn/reference_variants.h"
#include "support/oracles.h"
#include "train/backward.h"

namespace headlight::tests {
namespace {

using nn::Matrix;
using nn::MatrixF64;
using nn::Tensor;

/// All leading axes are rows.
template <class E>
Tensor<E> as_rows(const Array& array) {
  Array flattened = array;
  flattened.shape = {static_cast<int>(array.values.size()) / array.shape.back(), array.shape.back()};
  return as<E>(flattened);
}

/// Gradients and losses add up over the items of a batch.
class Sums {
 public:
  template <class E>
  void add(const std::string& name, const Tensor<E>& more) {
    std::vector<double>& sum = sums_[name];
    if (sum.empty()) sum.assign(more.size(), 0);
    for (std::size_t i = 0; i < more.size(); ++i) sum[i] += static_cast<double>(more.data()[i]);
  }
  template <class E>
  void add_loss(const Tensor<E>& output, const Tensor<E>& grad_output) {
    if (loss_.empty()) loss_.push_back(0);
    for (std::size_t i = 0; i < output.size(); ++i) {
      loss_[0] += static_cast<double>(output.data()[i]) * static_cast<double>(grad_output.data()[i]);
    }
  }
  /// Of every tensor of weights and whatever else was added.
  void compare(GoldenCase& c, Precision kind) const {
    for (const auto& [name, sum] : sums_) {
      if (!sum.empty()) c.compare("grad_" + name, sum, kind);
    }
    if (!loss_.empty()) c.compare("loss", loss_, kind);
  }

 private:
  std::map<std::string, std::vector<double>> sums_;
  std::vector<double> loss_;
};

void forward(const Matrix& x, const Matrix& x_kv, const nn::AttentionWeights& w,
             const nn::AttentionOptions& options, nn::AttentionTrace& trace) {
  nn::attention_forward(x, x_kv, w, options, threads(), trace);
}
void forward(const MatrixF64& x, const MatrixF64& x_kv, const nn::AttentionWeights& w,
             const nn::AttentionOptions& options, nn::AttentionTraceF64& trace) {
  trace = nn::attention_forward_f64(x, x_kv, w, options);
}
void from_qkv(const nn::AttentionOptions& options, nn::AttentionTrace& trace) {
  nn::attention_from_qkv(options, threads(), trace);
}
void from_qkv(const nn::AttentionOptions& options, nn::AttentionTraceF64& trace) {
  const MatrixF64 q = trace.q, k = trace.k, v = trace.v;
  trace = nn::attention_from_qkv_f64(q, k, v, options, nullptr);
}

const nn::AttentionWeights& of(const nn::AttentionWeights& w, float) {
  return w;
}
nn::AttentionWeightsF64 of(const nn::AttentionWeights& w, double) {
  return nn::widened(w);
}
const nn::BlockWeights& of(const nn::BlockWeights& w, float) {
  return w;
}
nn::BlockWeightsF64 of(const nn::BlockWeights& w, double) {
  return nn::widened(w);
}

struct Masked {
  nn::AttentionOptions options;
  nn::PairMask pairs;
  Masked(const GoldenCase& c, int batch, int T, int S) : options(options_of(c)) {
    set_mask(c, batch, T, S, options.mask, pairs);
    if (!pairs.allow.empty() || !pairs.add.empty()) options.pairs = &pairs;
  }
  Masked(const Masked&) = delete;
};

template <class E>
void sdpa(GoldenCase& c) {
  const Array q = c.input("q"), k = c.input("k"), v = c.input("v"), dy = c.input("grad_output");
  const int batches = q.dim(0);
  Sums loss;
  for (int b = 0; b < batches; ++b) {
    const Masked masked(c, b, q.dim(1), k.dim(1));
    nn::AttentionTraceOf<E> trace;
    trace.q = as<E>(q, b), trace.k = as<E>(k, b), trace.v = as<E>(v, b);
    from_qkv(masked.options, trace);
    const Tensor<E> upstream = as<E>(dy, b);
    nn::HeadGradients<E> g;
    nn::heads_backward(trace, nn::score_scale(masked.options, q.dim(2)), upstream, threads(), g);
    c.compare("output", flat(trace.output), precision<E>, b, batches);
    c.compare("weights", flat(trace.weights), precision<E>, b, batches);
    c.compare("grad_q", flat(g.q), precision<E>, b, batches);
    c.compare("grad_k", flat(g.k), precision<E>, b, batches);
    c.compare("grad_v", flat(g.v), precision<E>, b, batches);
    loss.add_loss(trace.output, upstream);
  }
  loss.compare(c, precision<E>);
}

template <class E>
void add_up(Tensor<E>& sum, const Tensor<E>& more) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += more.data()[i];
}

template <class E>
void mha(GoldenCase& c) {
  const bool cross = c.has_input("x_kv");
  const Array x = c.input("x"), x_kv = cross ? c.input("x_kv") : x, dy = c.input("grad_output");
  const nn::AttentionWeights weights = weights_of(c);
  const int batches = x.dim(0);
  Sums sums;
  for (int b = 0; b < batches; ++b) {
    const Masked masked(c, b, x.dim(1), x_kv.dim(1));
    const Tensor<E> queries = as<E>(x, b), keys = as<E>(x_kv, b), upstream = as<E>(dy, b);
    nn::AttentionTraceOf<E> trace;
    forward(queries, keys, weights, masked.options, trace);
    nn::AttentionGradients<E> g;
    nn::attention_backward(queries, keys, of(weights, E{}), trace, masked.options, upstream, threads(), g);
    c.compare("output", flat(trace.output), precision<E>, b, batches);
    c.compare("weights", flat(trace.weights), precision<E>, b, batches);
    if (cross) {
      c.compare("grad_x_kv", flat(g.x_kv), precision<E>, b, batches);
    } else {
      add_up(g.x, g.x_kv);
    }
    c.compare("grad_x", flat(g.x), precision<E>, b, batches);
    nn::tensors(std::as_const(g.weights), [&](const char* name, const Tensor<E>& m) { sums.add(name, m); });
    sums.add_loss(trace.output, upstream);
  }
  sums.compare(c, precision<E>);
}

template <class E>
void t5_bias(GoldenCase& c) {
  const Array x = c.input("x"), dy = c.input("grad_output");
  const nn::AttentionWeights weights = weights_of(c);
  const Matrix table = matrix(c.weight("table"));
  nn::T5Buckets buckets;
  buckets.bidirectional = c.params().at("bidirectional");
  buckets.count = c.params().at("num_buckets"), buckets.max_distance = c.params().at("max_distance");
  const int batches = x.dim(0), T = x.dim(1);
  Sums sums;
  for (int b = 0; b < batches; ++b) {
    Masked masked(c, b, T, T);
    masked.pairs.add = nn::spread(nn::t5_bias(buckets, table, T, T), T, T);
    masked.options.pairs = &masked.pairs;
    const Tensor<E> in = as<E>(x, b), upstream = as<E>(dy, b);
    nn::AttentionTraceOf<E> trace;
    forward(in, in, weights, masked.options, trace);
    nn::AttentionGradients<E> g;
    nn::attention_backward(in, in, of(weights, E{}), trace, masked.options, upstream, threads(), g);
    add_up(g.x, g.x_kv);
    Tensor<E> d_table;
    nn::t5_bias_backward(buckets, g.heads.scores, 0, d_table);
    c.compare("output", flat(trace.output), precision<E>, b, batches);
    c.compare("grad_x", flat(g.x), precision<E>, b, batches);
    sums.add("table", d_table);
    nn::tensors(std::as_const(g.weights), [&](const char* name, const Tensor<E>& m) { sums.add(name, m); });
    sums.add_loss(trace.output, upstream);
  }
  sums.compare(c, precision<E>);
}

template <class E>
void layer_norm(GoldenCase& c) {
  const Tensor<E> x = as_rows<E>(c.input("x")), upstream = as_rows<E>(c.input("grad_output"));
  const double eps = c.params().at("eps");
  Tensor<E> y, dx, d_gamma, d_beta;
  nn::layer_norm(x, matrix(c.weight("gamma")), matrix(c.weight("beta")), eps, y);
  nn::layer_norm_backward(x, as<E>(c.weight("gamma")), eps, upstream, dx, d_gamma, d_beta);
  c.compare("output", flat(y), precision<E>);
  Sums sums;
  sums.add("x", dx), sums.add("gamma", d_gamma), sums.add("beta", d_beta), sums.add_loss(y, upstream);
  sums.compare(c, precision<E>);
}

nn::BlockWeights block_weights(const GoldenCase& c, const std::string& prefix = "") {
  nn::BlockWeights weights;
  nn::tensors(weights, [&](const char* name, Matrix& m) {
    if (c.has_weight(prefix + name)) m = matrix(c.weight(prefix + name));
  });
  return weights;
}

template <class E>
void ffn(GoldenCase& c) {
  const Tensor<E> x = as_rows<E>(c.input("x")), upstream = as_rows<E>(c.input("grad_output"));
  const nn::BlockWeights w = block_weights(c);
  Tensor<E> hidden, activated, y, dx;
  nn::linear(x, w.w_1, w.b_1, threads(), hidden);
  nn::activate(activation_of(c), hidden, threads(), activated);
  nn::linear(activated, w.w_2, w.b_2, threads(), y);
  nn::BlockWeightsOf<E> g;
  nn::ffn_backward<E>(x, hidden, activated, of(w, E{}), activation_of(c), upstream, threads(), dx, g);
  c.compare("output", flat(y), precision<E>);
  Sums sums;
  sums.add("x", dx), sums.add("w_1", g.w_1), sums.add("w_2", g.w_2), sums.add_loss(y, upstream);
  sums.add("b_1", g.b_1), sums.add("b_2", g.b_2);
  sums.compare(c, precision<E>);
}

template <class E>
void activation(GoldenCase& c) {
  const Tensor<E> x = as_rows<E>(c.input("x"));
  Tensor<E> y, dx, ones(x.rows(), x.cols());
  ones.fill(1);
  nn::activate(activation_of(c), x, threads(), y);
  nn::activate_backward(activation_of(c), x, ones, dx);
  c.compare("output", flat(y), precision<E>);
  Sums sums;
  sums.add("x", dx), sums.add_loss(y, ones);
  sums.compare(c, precision<E>);
}

template <class E>
void softmax(GoldenCase& c) {
  const Matrix x = as_rows<float>(c.input("x"));
  const Tensor<E> upstream = as_rows<E>(c.input("grad_output"));
  Tensor<E> y(x.rows(), x.cols()), dx;
  if constexpr (std::is_same_v<E, float>) {
    nn::softmax_rows(x.data(), y.data(), x.rows(), x.cols(), threads());
  } else {
    y = nn::softmax_rows_f64(x);
  }
  nn::softmax_backward(y, upstream, dx);
  c.compare("output", flat(y), precision<E>);
  Sums sums;
  sums.add("x", dx), sums.add_loss(y, upstream);
  sums.compare(c, precision<E>);
}

template <class E>
void cross_entropy(GoldenCase& c) {
  const Array target = c.input("target");
  Tensor<E> d_logits;
  const double loss = nn::cross_entropy(
      as_rows<E>(c.input("logits")), std::vector<int>(target.values.begin(), target.values.end()), d_logits);
  c.compare("loss", {loss}, precision<E>);
  c.compare("grad_logits", flat(d_logits), precision<E>);
}

template <class E>
void encoder_block(GoldenCase& c) {
  const Array x = c.input("x"), dy = c.input("grad_output");
  const nn::BlockWeights weights = block_weights(c);
  const int batches = x.dim(0);
  Sums sums;
  for (int b = 0; b < batches; ++b) {
    nn::BlockOptions options;
    options.norm = c.params().at("norm") == "pre" ? nn::NormPlace::pre : nn::NormPlace::post;
    options.activation = activation_of(c), options.eps = c.params().at("eps");
    options.attention.heads = c.params().at("heads");
    nn::PairMask pairs;
    set_mask(c, b, x.dim(1), x.dim(1), options.attention.mask, pairs);
    if (!pairs.allow.empty() || !pairs.add.empty()) options.attention.pairs = &pairs;
    const Tensor<E> upstream = as<E>(dy, b);
    nn::BlockTrace<E> trace;
    nn::encoder_block(as<E>(x, b), weights, options, threads(), trace);
    nn::BlockGradients<E> g;
    nn::block_backward<E>(of(weights, E{}), options, trace, upstream, threads(), g);
    c.compare("output", flat(trace.output), precision<E>, b, batches);
    c.compare("grad_x", flat(g.x), precision<E>, b, batches);
    nn::tensors(std::as_const(g.weights), [&](const char* name, const Tensor<E>& m) { sums.add(name, m); });
    sums.add_loss(trace.output, upstream);
  }
  sums.compare(c, precision<E>);
}

const GradientFamily all_families[] = {
    {"sdpa_grad", both<sdpa<float>, sdpa<double>>},
    {"mha_grad", both<mha<float>, mha<double>>},
    {"t5_bias_grad", both<t5_bias<float>, t5_bias<double>>},
    {"layer_norm_grad", both<layer_norm<float>, layer_norm<double>>},
    {"ffn_grad", both<ffn<float>, ffn<double>>},
    {"activation_grad", both<activation<float>, activation<double>>},
    {"softmax_grad", both<softmax<float>, softmax<double>>},
    {"cross_entropy_grad", both<cross_entropy<float>, cross_entropy<double>>},
    {"encoder_block_grad", both<encoder_block<float>, encoder_block<double>>},
};

class ReferenceGradients : public testing::TestWithParam<GradientFamily> {};

TEST_P(ReferenceGradients, AgreeInFloat32AndInDouble) {
  run_gradient_family(GetParam().name, GetParam().run);
}
INSTANTIATE_TEST_SUITE_P(Gradients, ReferenceGradients, testing::ValuesIn(all_families),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(ReferenceGradients, FamiliesThatNobodyHereKnows) {
  std::set<std::string> unknown;
  for (const nlohmann::json& c : gradients_manifest().at("cases")) unknown.insert(c.at("family"));
  for (const GradientFamily& family : all_families) unknown.erase(family.name);
  for (const char* family : {"lm_grad", "lm_steps", "optimizer_steps", "clip_grad_norm"})
    unknown.erase(family);
  unknown.erase("two_relation_grad"), unknown.erase("two_relation_steps");  // golden_two_relations.cpp
  std::string names;
  for (const std::string& name : unknown) names += " " + name;
  if (unknown.empty()) return;
  // Another set may hold what this version does not know; of its own everything is known.
  if (std::getenv("HEADLIGHT_REFERENCE") == nullptr) FAIL() << "unknown families:" << names;
  GTEST_SKIP() << "unknown families:" << names;
}

}  // namespace
}  // namespace headlight::tests
