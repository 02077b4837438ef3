// Families of the reference data around attention: layer norm, activations, encoder blocks and stacks.
#include "nn/block.h"
#include "nn/golden_attention.h"
#include "nn/golden_families.h"
#include "nn/reference_variants.h"

namespace headlight::tests {

namespace {

using nn::Matrix;
using nn::MatrixF64;

void layer_norm(GoldenCase& c) {
  const Matrix gamma = matrix(c.weight("gamma")), beta = matrix(c.weight("beta"));
  const double eps = c.params().at("eps");
  const Array x = c.input("x");
  Matrix in(static_cast<int>(x.values.size()) / x.shape.back(), x.shape.back());
  for (std::size_t i = 0; i < in.size(); ++i) in.data()[i] = static_cast<float>(x.values[i]);
  MatrixF64 in_f64 = nn::widened(in);
  nn::layer_norm(in, gamma, beta, eps, in);
  nn::layer_norm(in_f64, gamma, beta, eps, in_f64);
  c.compare("output", flat(in), Precision::f32);
  c.compare("output", flat(in_f64), Precision::f64);
}

nn::Activation activation_of(const GoldenCase& c) {
  const std::string name = c.params().at("activation");
  const std::optional<nn::Activation> activation = nn::activation_named(name);
  if (!activation) throw std::runtime_error(c.id() + ": unknown activation " + name);
  EXPECT_EQ(nn::name_of(*activation), name);
  return *activation;
}

void activation(GoldenCase& c) {
  const Matrix x = matrix(c.input("x"));
  Matrix y;
  MatrixF64 y_f64;
  nn::activate(activation_of(c), x, threads(), y);
  nn::activate(activation_of(c), nn::widened(x), threads(), y_f64);
  c.compare("y", flat(y), Precision::f32);
  c.compare("y", flat(y_f64), Precision::f64);
}

nn::BlockWeights block_weights(const GoldenCase& c, const std::string& prefix) {
  nn::BlockWeights weights;
  nn::tensors(weights, [&](const char* name, Matrix& m) {
    if (c.has_weight(prefix + name)) m = matrix(c.weight(prefix + name));
  });
  return weights;
}

nn::BlockOptions block_options(const GoldenCase& c) {
  nn::BlockOptions options;
  options.norm = c.params().at("norm") == "pre" ? nn::NormPlace::pre : nn::NormPlace::post;
  options.activation = activation_of(c);
  options.eps = c.params().at("eps");
  options.attention.heads = c.params().at("heads");
  return options;
}

/// valid_lens stand among the parameters here.
void set_block_mask(const GoldenCase& c, int batch, nn::MaskSpec& mask) {
  const nlohmann::json given = c.mask();
  const std::string kind = given.at("mask_kind");
  mask = {};
  if (kind == "causal") mask.causal = true;
  if (kind == "valid_lens") {
    mask.valid_length = given.at("valid_lens").at(static_cast<std::size_t>(batch)).get<int>();
  }
  if (kind != "causal" && kind != "valid_lens" && kind != "none") {
    throw std::runtime_error(c.id() + ": unknown mask " + kind);
  }
}

template <class E>
void run_block(GoldenCase& c, const nn::Tensor<E>& x, Precision precision, int batch, int batches) {
  nn::BlockOptions options = block_options(c);
  set_block_mask(c, batch, options.attention.mask);
  nn::BlockTrace<E> trace;
  nn::encoder_block(x, block_weights(c, ""), options, threads(), trace);
  c.compare("attn_weights", flat(trace.attention.weights), precision, batch, batches);
  c.compare("attn_output", flat(trace.attention.output), precision, batch, batches);
  c.compare("after_attention", flat(trace.after_attention), precision, batch, batches);
  c.compare("output", flat(trace.output), precision, batch, batches);
}

void encoder_block(GoldenCase& c) {
  const Array x = c.input("x");
  for (int batch = 0; batch < x.dim(0); ++batch) {
    const Matrix in = matrix(x, batch);
    run_block(c, in, Precision::f32, batch, x.dim(0));
    run_block(c, nn::widened(in), Precision::f64, batch, x.dim(0));
  }
}

template <class E>
void run_stack(GoldenCase& c, const nn::Tensor<E>& x, Precision precision, int batch, int batches) {
  nn::BlockOptions options = block_options(c);
  set_block_mask(c, batch, options.attention.mask);
  nn::StackWeights weights;
  const int layers = c.params().at("layers");
  for (int n = 0; n < layers; ++n) {
    weights.layers.push_back(block_weights(c, "layer" + std::to_string(n) + "_"));
  }
  if (c.params().at("final_norm")) {
    weights.lnf_g = matrix(c.weight("lnf_g")), weights.lnf_b = matrix(c.weight("lnf_b"));
  }
  nn::StackTrace<E> trace;
  nn::encoder_stack(x, weights, options, threads(), trace);
  for (int n = 0; n < layers; ++n) {
    const std::string layer = "layer" + std::to_string(n);
    const nn::BlockTrace<E>& block = trace.layers[static_cast<std::size_t>(n)];
    c.compare(layer + "_attn_weights", flat(block.attention.weights), precision, batch, batches);
    c.compare(layer + "_output", flat(block.output), precision, batch, batches);
  }
  c.compare("output", flat(trace.output), precision, batch, batches);
}

void encoder_stack(GoldenCase& c) {
  const Array x = c.input("x");
  for (int batch = 0; batch < x.dim(0); ++batch) {
    const Matrix in = matrix(x, batch);
    run_stack(c, in, Precision::f32, batch, x.dim(0));
    run_stack(c, nn::widened(in), Precision::f64, batch, x.dim(0));
  }
}

}  // namespace

const std::vector<Family>& block_families() {
  static const std::vector<Family> list = {
      {"layer_norm", "", layer_norm},
      {"activation", "", activation},
      {"encoder_block", "", encoder_block},
      {"encoder_stack", "", encoder_stack},
  };
  return list;
}

}  // namespace headlight::tests
