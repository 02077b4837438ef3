#include "scene/model_stack.h"

#include <algorithm>

#include "nn/block.h"
#include "nn/linear.h"
#include "nn/rope.h"

namespace headlight::scene {

namespace {

const nn::BlockWeights& block_of(const TrainedModel& model, int layer) {
  return model.weights.stack.layers[static_cast<std::size_t>(layer)];
}

void add(const nn::Matrix& more, nn::Matrix& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += more.data()[i];
}

nn::BlockOptions block_options(const TrainedModel& model, const nn::AttentionOptions& attention) {
  nn::BlockOptions options;
  options.attention = attention;
  options.norm = model.config.norm;
  options.residual = model.config.residual, options.feed_forward = model.config.feed_forward;
  options.activation = model.config.activation;
  options.eps = model.config.eps;
  return options;
}

}  // namespace

nn::Matrix through_layer(const TrainedModel& model, int layer, const nn::Matrix& x,
                         const nn::AttentionOptions& attention, base::Parallel& parallel) {
  nn::BlockTrace<float> trace;
  nn::encoder_block(x, block_of(model, layer), block_options(model, attention), parallel, trace);
  return std::move(trace.output);
}

template <class E>
nn::Tensor<E> through_layers(const TrainedModel& model, int layers, nn::Tensor<E> x,
                             const nn::AttentionOptions& attention, base::Parallel& parallel) {
  const nn::BlockOptions options = block_options(model, attention);
  nn::BlockTrace<E> trace;
  for (int l = 0; l < layers; ++l) {
    nn::encoder_block(x, block_of(model, l), options, parallel, trace);
    x = trace.output;
  }
  return x;
}

template <class E>
nn::Tensor<E> as_read(const TrainedModel& model, int layer, nn::Tensor<E> x) {
  if (model.config.norm != nn::NormPlace::pre) return x;
  const nn::BlockWeights& block = block_of(model, layer);
  nn::layer_norm(x, block.ln1_g, block.ln1_b, model.config.eps, x);
  return x;
}

#define HEADLIGHT_FOR_ELEMENT(E)                                                       \
  template nn::Tensor<E> through_layers(const TrainedModel&, int, nn::Tensor<E>,       \
                                        const nn::AttentionOptions&, base::Parallel&); \
  template nn::Tensor<E> as_read(const TrainedModel&, int, nn::Tensor<E>)

HEADLIGHT_FOR_ELEMENT(float);
HEADLIGHT_FOR_ELEMENT(double);
#undef HEADLIGHT_FOR_ELEMENT

LayersByToken::LayersByToken(const TrainedModel& model, int layers, int most_tokens) : model_(model) {
  for (int l = 0; l < layers; ++l) {
    const nn::AttentionWeights& w = block_of(model, l).attention;
    layers_.push_back({nn::Matrix(most_tokens, w.w_k.cols()), nn::Matrix(most_tokens, w.w_v.cols())});
  }
}

nn::Matrix LayersByToken::next(nn::Matrix x, const std::optional<nn::RopeSpec>& rope, const Bias& bias,
                               base::Parallel& parallel) {
  const nn::ModelConfig& config = model_.config;
  const bool pre = config.norm == nn::NormPlace::pre, post = config.norm == nn::NormPlace::post;
  const auto join = [&](nn::Matrix more, nn::Matrix& stream) {
    if (config.residual) return add(more, stream);
    stream = std::move(more);
  };
  const int t = tokens_++;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    Cache& cache = layers_[l];
    HEADLIGHT_CHECK_OP(t, <, cache.keys.rows());
    const nn::BlockWeights& w = block_of(model_, static_cast<int>(l));
    const nn::Matrix read = as_read(model_, static_cast<int>(l), x);
    nn::AttentionTrace trace;
    nn::Matrix key, value;
    nn::linear(read, w.attention.w_q, w.attention.b_q, parallel, trace.q);
    nn::linear(read, w.attention.w_k, w.attention.b_k, parallel, key);
    nn::linear(read, w.attention.w_v, w.attention.b_v, parallel, value);
    if (rope) nn::rotate(*rope, config.heads, trace.q), nn::rotate(*rope, config.heads, key);
    std::copy_n(key.data(), key.size(), cache.keys.row(t).data());
    std::copy_n(value.data(), value.size(), cache.values.row(t).data());
    trace.k = nn::first_rows(cache.keys, t + 1), trace.v = nn::first_rows(cache.values, t + 1);
    nn::AttentionOptions options;
    options.heads = config.heads;
    nn::PairMask pairs;
    pairs.add = bias(t + 1);
    if (!pairs.add.empty()) options.pairs = &pairs;
    nn::attention_from_qkv(options, parallel, trace);
    nn::Matrix attended;
    nn::linear(trace.context, w.attention.w_o, w.attention.b_o, parallel, attended);
    join(std::move(attended), x);
    if (post) nn::layer_norm(x, w.ln1_g, w.ln1_b, config.eps, x);
    if (!config.feed_forward) continue;
    nn::Matrix inner = x, hidden, fed;
    if (pre) nn::layer_norm(inner, w.ln2_g, w.ln2_b, config.eps, inner);
    nn::linear(inner, w.w_1, w.b_1, parallel, hidden);
    nn::activate(config.activation, hidden, parallel, hidden);
    nn::linear(hidden, w.w_2, w.b_2, parallel, fed);
    join(std::move(fed), x);
    if (post) nn::layer_norm(x, w.ln2_g, w.ln2_b, config.eps, x);
  }
  return x;
}

}  // namespace headlight::scene
