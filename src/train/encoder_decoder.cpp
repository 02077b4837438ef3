#include "train/encoder_decoder.h"

#include <algorithm>
#include <cmath>

#include "nn/positional.h"
#include "nn/random.h"
#include "nn/reference_variants.h"
#include "train/encoder_decoder_parts.h"

namespace headlight::nn {

namespace {

using std::size_t;

constexpr int sequences_at_once = 16;

void affine(const Matrix& x, const Matrix& w, const Matrix& b, base::Parallel& parallel, Matrix& y) {
  linear(x, w, b, parallel, y);
}
void affine(const MatrixF64& x, const MatrixF64& w, const MatrixF64& b, base::Parallel&, MatrixF64& y) {
  y = MatrixF64(x.rows(), w.cols());
  for (int r = 0; r < x.rows(); ++r) {
    for (int i = 0; i < x.cols(); ++i) {
      for (int o = 0; o < w.cols(); ++o) y.at(r, o) += x.at(r, i) * w.at(i, o);
    }
    for (int o = 0; !b.empty() && o < w.cols(); ++o) y.at(r, o) += b.at(0, o);
  }
}

void normalize(const Matrix& x, const Matrix& gamma, const Matrix& beta, double eps, Matrix& y) {
  layer_norm(x, gamma, beta, eps, y);
}
void normalize(const MatrixF64& x, const MatrixF64& gamma, const MatrixF64& beta, double eps, MatrixF64& y) {
  y.resize(x.rows(), x.cols());
  for (int r = 0; r < x.rows(); ++r) {
    double mean = 0, variance = 0;
    for (double value : x.row(r)) mean += value / x.cols();
    for (double value : x.row(r)) variance += (value - mean) * (value - mean) / x.cols();
    for (int c = 0; c < x.cols(); ++c) {
      y.at(r, c) = (x.at(r, c) - mean) / std::sqrt(variance + eps) * gamma.at(0, c) + beta.at(0, c);
    }
  }
}

void attend(const AttentionOptions& options, base::Parallel& parallel, AttentionTrace& trace) {
  attention_from_qkv(options, parallel, trace);
}
void attend(const AttentionOptions& options, base::Parallel&, AttentionTraceF64& trace) {
  const MatrixF64 q = std::move(trace.q), k = std::move(trace.k), v = std::move(trace.v);
  trace = attention_from_qkv_f64(q, k, v, options, nullptr);
  trace.q = q, trace.k = k, trace.v = v;
}

template <class E>
void add_rows(const Tensor<E>& a, const Tensor<E>& b, Tensor<E>& sum) {
  sum.resize(a.rows(), a.cols());
  for (size_t i = 0; i < sum.size(); ++i) sum.data()[i] = a.data()[i] + b.data()[i];
}

/// sum = residual + attn(x, kv).
template <class E>
void attention(const EncoderDecoderConfig& config, const AttentionWeightsOf<E>& w, const AttentionPlace& at,
               const Tensor<E>& x, const Tensor<E>& kv, const Tensor<E>& residual, base::Parallel& parallel,
               AttentionStage<E>& stage, Tensor<E>& sum) {
  affine(x, w.w_q, w.b_q, parallel, stage.q);
  affine(kv, w.w_k, w.b_k, parallel, stage.k);
  affine(kv, w.w_v, w.b_v, parallel, stage.v);
  stage.context.resize(x.rows(), config.d_model);
  stage.sequence.resize(static_cast<size_t>(at.B));
  AttentionOptions options = attention_options(config, at);
  for (int b = 0; b < at.B; ++b) {
    AttentionTraceOf<E>& one = stage.sequence[static_cast<size_t>(b)];
    take_rows(stage.q, b * at.T, at.T, one.q);
    take_rows(stage.k, b * at.S, at.S, one.k), take_rows(stage.v, b * at.S, at.S, one.v);
    if (at.lengths != nullptr) options.mask.valid_length = (*at.lengths)[static_cast<size_t>(b)];
    attend(options, parallel, one);
    put_rows(one.context, b * at.T, stage.context);
  }
  Tensor<E> out;
  affine(stage.context, w.w_o, w.b_o, parallel, out);
  add_rows(residual, out, sum);
}

template <class E>
using LayerOf = typename EncoderDecoderTrace<E>::Layer;

template <class E>
void self_attention(const EncoderDecoderConfig& config, const BlockWeightsOf<E>& w, const AttentionPlace& at,
                    base::Parallel& parallel, LayerOf<E>& t) {
  normalize(t.input, w.ln1_g, w.ln1_b, config.eps, t.normed);
  attention<E>(config, w.attention, at, t.normed, t.normed, t.input, parallel, t.self, t.self_sum);
}

template <class E>
void feed_forward(const EncoderDecoderConfig& config, const BlockWeightsOf<E>& w, const Tensor<E>& x,
                  base::Parallel& parallel, LayerOf<E>& t) {
  normalize(x, w.ln2_g, w.ln2_b, config.eps, t.ffn_input);
  affine(t.ffn_input, w.w_1, w.b_1, parallel, t.hidden);
  activate(config.activation, t.hidden, parallel, t.activated);
  Tensor<E> out;
  affine(t.activated, w.w_2, w.b_2, parallel, out);
  add_rows(x, out, t.output);
}

/// Returns [B·T, D]: the tokens' embeddings plus the positions', if any.
template <class E>
Tensor<E> embedded(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& w,
                   const std::vector<int>& tokens, int T, const Tensor<E>& learned) {
  const int D = config.d_model, rows = static_cast<int>(tokens.size());
  MatrixF64 waves;
  if (config.positions == ModelPositions::sinusoidal) waves = sinusoidal_f64({T, D, 10000, 0});
  if (config.positions == ModelPositions::learned) HEADLIGHT_CHECK_OP(T, <=, config.context);
  Tensor<E> x;
  x.resize(rows, D);
  for (int r = 0; r < rows; ++r) {
    const int token = tokens[static_cast<size_t>(r)];
    HEADLIGHT_CHECK(token >= 0 && token < config.vocabulary);
    const std::span<const E> from = w.wte.row(token);
    const std::span<E> to = x.row(r);
    for (int c = 0; c < D; ++c) {
      E position = 0;
      if (!waves.empty()) position = static_cast<E>(waves.at(r % T, c));
      if (!learned.empty()) position = learned.at(r % T, c);
      to[static_cast<size_t>(c)] = from[static_cast<size_t>(c)] + position;
    }
  }
  return x;
}

void check(const EncoderDecoderConfig& config, const SequencePairs& batch) {
  HEADLIGHT_CHECK(config.positions == ModelPositions::sinusoidal ||
                  config.positions == ModelPositions::learned || config.positions == ModelPositions::none);
  HEADLIGHT_CHECK_OP(config.d_model % config.heads, ==, 0);
  HEADLIGHT_CHECK(batch.B >= 1 && batch.S >= 1);
  HEADLIGHT_CHECK_OP(static_cast<int>(batch.source.size()), ==, batch.B * batch.S);
  HEADLIGHT_CHECK_OP(static_cast<int>(batch.lengths.size()), ==, batch.B);
  for (int length : batch.lengths) HEADLIGHT_CHECK(length >= 1 && length <= batch.S);
}

template <class T>
std::vector<T> part_of(const std::vector<T>& all, int from, int count) {
  return {all.begin() + from, all.begin() + from + count};
}

/// Returns the sequences `from` … `from + count − 1`.
SequencePairs part_of(const SequencePairs& all, int from, int count) {
  SequencePairs part;
  part.B = count, part.S = all.S, part.T = all.T;
  part.source = part_of(all.source, from * all.S, count * all.S);
  part.lengths = part_of(all.lengths, from, count);
  part.target = part_of(all.target, from * all.T, count * all.T);
  if (!all.wanted.empty()) part.wanted = part_of(all.wanted, from * all.T, count * all.T);
  return part;
}

int count_wanted(const SequencePairs& batch) {
  return static_cast<int>(std::count_if(batch.wanted.begin(), batch.wanted.end(),
                                        [](int target) { return target != no_target; }));
}

template <class E>
void collect(EncoderDecoderWeightsOf<E>& w, std::vector<Tensor<E>*>& list) {
  list.clear();
  tensors(w, [&](const std::string&, Tensor<E>& tensor) { list.push_back(&tensor); });
}

}  // namespace

EncoderDecoderWeights random_encoder_decoder(const EncoderDecoderConfig& config, std::uint64_t seed) {
  HEADLIGHT_CHECK(config.vocabulary >= 1 && config.context >= 1 && config.layers >= 1);
  HEADLIGHT_CHECK_OP(config.d_model % config.heads, ==, 0);
  const int D = config.d_model;
  constexpr std::uint64_t first_stream = std::uint64_t(1) << 32, decoder_seed = 0x6465636f6465ull;
  const auto normal = [&](std::uint64_t stream, int rows) {
    Matrix m(rows, D);
    Random(seed, first_stream + stream).normals(0, m.values());
    for (float& value : m.values()) value *= 0.5f;
    return m;
  };
  EncoderDecoderWeights w;
  w.wte = normal(1, config.vocabulary);
  if (config.positions == ModelPositions::learned)
    w.source_wpe = normal(2, config.context), w.target_wpe = normal(3, config.context);
  StackWeights encoder =
      random_stack_weights(config.layers, D, config.d_ff, BlockInit::xavier_uniform, true, seed);
  StackWeights decoder = random_stack_weights(config.layers, D, config.d_ff, BlockInit::xavier_uniform, true,
                                              seed ^ decoder_seed);
  w.encoder = std::move(encoder.layers);
  w.lne_g = std::move(encoder.lnf_g), w.lne_b = std::move(encoder.lnf_b);
  for (int l = 0; l < config.layers; ++l) {
    DecoderLayerOf<float>& layer = w.decoder.emplace_back();
    layer.block = std::move(decoder.layers[static_cast<size_t>(l)]);
    layer.cross = random_attention_weights(D, D, seed ^ (decoder_seed + 1 + static_cast<std::uint64_t>(l)));
    layer.cross.b_q = layer.cross.b_k = layer.cross.b_v = layer.cross.b_o = Matrix(1, D);
    layer.lnc_g = Matrix(1, D), layer.lnc_b = Matrix(1, D);
    layer.lnc_g.fill(1);
  }
  w.lnd_g = std::move(decoder.lnf_g), w.lnd_b = std::move(decoder.lnf_b);
  w.w_head = Matrix(D, config.vocabulary);
  const double bound = std::sqrt(6.0 / (D + config.vocabulary));
  const Random random(seed, first_stream + 4);
  for (size_t i = 0; i < w.w_head.size(); ++i)
    w.w_head.data()[i] = static_cast<float>(bound * (2 * random.uniform(i) - 1));
  return w;
}

EncoderDecoderWeightsOf<double> widened(const EncoderDecoderWeights& weights) {
  EncoderDecoderWeightsOf<double> wide;
  wide.encoder.resize(weights.encoder.size()), wide.decoder.resize(weights.decoder.size());
  std::vector<const Matrix*> from;
  tensors(weights, [&](const std::string&, const Matrix& tensor) { from.push_back(&tensor); });
  size_t n = 0;
  tensors(wide, [&](const std::string&, MatrixF64& tensor) { tensor = widened(*from[n++]); });
  return wide;
}

EncoderDecoderWeights zeros_like(const EncoderDecoderWeights& like) {
  EncoderDecoderWeights zeros = like;
  tensors(zeros, [](const std::string&, Matrix& tensor) { tensor.fill(0); });
  return zeros;
}

std::size_t parameters(const EncoderDecoderWeights& weights) {
  size_t count = 0;
  tensors(weights, [&](const std::string&, const Matrix& tensor) { count += tensor.size(); });
  return count;
}

AttentionOptions attention_options(const EncoderDecoderConfig& config, const AttentionPlace& at) {
  AttentionOptions options;
  options.heads = config.heads;
  options.mask.causal = at.causal;
  return options;
}

template <class E>
void encode(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& weights,
            const SequencePairs& batch, base::Parallel& parallel, EncoderDecoderTrace<E>& trace) {
  check(config, batch);
  trace.encoder.resize(weights.encoder.size());
  const AttentionPlace at{batch.B, batch.S, batch.S, false, &batch.lengths};
  for (size_t l = 0; l < weights.encoder.size(); ++l) {
    LayerOf<E>& t = trace.encoder[l];
    t.input = l > 0 ? trace.encoder[l - 1].output
                    : embedded(config, weights, batch.source, batch.S, weights.source_wpe);
    self_attention<E>(config, weights.encoder[l], at, parallel, t);
    feed_forward<E>(config, weights.encoder[l], t.self_sum, parallel, t);
  }
  normalize(trace.encoder.back().output, weights.lne_g, weights.lne_b, config.eps, trace.encoded);
}

template <class E>
void decode(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& weights,
            const SequencePairs& batch, base::Parallel& parallel, EncoderDecoderTrace<E>& trace) {
  HEADLIGHT_CHECK_OP(batch.T, >=, 1);
  HEADLIGHT_CHECK_OP(static_cast<int>(batch.target.size()), ==, batch.B * batch.T);
  HEADLIGHT_CHECK_OP(trace.encoded.rows(), ==, batch.B * batch.S);
  trace.decoder.resize(weights.decoder.size());
  const AttentionPlace self{batch.B, batch.T, batch.T, true, nullptr},
      cross{batch.B, batch.T, batch.S, false, &batch.lengths};
  for (size_t l = 0; l < weights.decoder.size(); ++l) {
    const DecoderLayerOf<E>& w = weights.decoder[l];
    LayerOf<E>& t = trace.decoder[l];
    t.input = l > 0 ? trace.decoder[l - 1].output
                    : embedded(config, weights, batch.target, batch.T, weights.target_wpe);
    self_attention<E>(config, w.block, self, parallel, t);
    normalize(t.self_sum, w.lnc_g, w.lnc_b, config.eps, t.cross_normed);
    attention<E>(config, w.cross, cross, t.cross_normed, trace.encoded, t.self_sum, parallel, t.cross,
                 t.cross_sum);
    feed_forward<E>(config, w.block, t.cross_sum, parallel, t);
  }
  normalize(trace.decoder.back().output, weights.lnd_g, weights.lnd_b, config.eps, trace.decoded);
  affine(trace.decoded, weights.w_head, {}, parallel, trace.logits);
}

template <class E>
double encoder_decoder_loss(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& weights,
                            const SequencePairs& batch, base::Parallel& parallel,
                            EncoderDecoderWorkspace<E>& work, EncoderDecoderWeightsOf<E>* gradients) {
  check(config, batch);
  HEADLIGHT_CHECK_OP(batch.wanted.size(), ==, batch.target.size());
  const int count = (batch.B + sequences_at_once - 1) / sequences_at_once, wanted = count_wanted(batch);
  work.parts.resize(static_cast<size_t>(count));
  parallel.run(count, [&](int n) {
    auto& part = work.parts[static_cast<size_t>(n)];
    const int from = n * sequences_at_once;
    part.batch = part_of(batch, from, std::min(sequences_at_once, batch.B - from));
    encode(config, weights, part.batch, parallel, part.trace);
    decode(config, weights, part.batch, parallel, part.trace);
    Tensor<E> d_logits;
    const double share = wanted > 0 ? static_cast<double>(count_wanted(part.batch)) / wanted : 0;
    part.loss = share * cross_entropy(part.trace.logits, part.batch.wanted, d_logits);
    if (gradients == nullptr) return;
    for (E& value : d_logits.values()) value *= static_cast<E>(share);
    encoder_decoder_backward(config, weights, part.batch, part.trace, d_logits, parallel, part.gradients);
  });
  double loss = 0;
  for (const auto& part : work.parts) loss += part.loss;
  if (gradients == nullptr) return loss;
  *gradients = work.parts.front().gradients;
  std::vector<Tensor<E>*> sum, more;
  collect(*gradients, sum);
  for (size_t n = 1; n < work.parts.size(); ++n) {
    collect(work.parts[n].gradients, more);
    for (size_t i = 0; i < sum.size(); ++i) {
      for (size_t e = 0; e < sum[i]->size(); ++e) sum[i]->data()[e] += more[i]->data()[e];
    }
  }
  return loss;
}

std::vector<std::vector<int>> decode_greedily(const EncoderDecoderConfig& config,
                                              const EncoderDecoderWeights& weights,
                                              const SequencePairs& sources, int begin, int end, int most,
                                              base::Parallel& parallel) {
  const int count = (sources.B + sequences_at_once - 1) / sequences_at_once;
  std::vector<std::vector<int>> decoded(static_cast<size_t>(sources.B));
  parallel.run(count, [&](int n) {
    const int from = n * sequences_at_once, B = std::min(sequences_at_once, sources.B - from);
    SequencePairs part;
    part.B = B, part.S = sources.S;
    part.source = part_of(sources.source, from * sources.S, B * sources.S);
    part.lengths = part_of(sources.lengths, from, B);
    EncoderDecoderTrace<float> trace;
    encode(config, weights, part, parallel, trace);
    for (part.T = 1; part.T <= most; ++part.T) {
      part.target.clear();
      bool going = false;
      for (int b = 0; b < B; ++b) {
        std::vector<int> so_far = decoded[static_cast<size_t>(from + b)];
        going = going || so_far.empty() || so_far.back() != end;
        so_far.insert(so_far.begin(), begin);
        so_far.resize(static_cast<size_t>(part.T), end);  // pads sequences that have ended
        part.target.insert(part.target.end(), so_far.begin(), so_far.end());
      }
      if (!going) return;
      decode(config, weights, part, parallel, trace);
      for (int b = 0; b < B; ++b) {
        std::vector<int>& mine = decoded[static_cast<size_t>(from + b)];
        if (!mine.empty() && mine.back() == end) continue;
        const auto logits = trace.logits.row(b * part.T + part.T - 1);
        mine.push_back(static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin()));
      }
    }
  });
  return decoded;
}

#define HEADLIGHT_FOR_ELEMENT(E)                                                                             \
  template void encode(const EncoderDecoderConfig&, const EncoderDecoderWeightsOf<E>&, const SequencePairs&, \
                       base::Parallel&, EncoderDecoderTrace<E>&);                                            \
  template void decode(const EncoderDecoderConfig&, const EncoderDecoderWeightsOf<E>&, const SequencePairs&, \
                       base::Parallel&, EncoderDecoderTrace<E>&);                                            \
  template double encoder_decoder_loss(const EncoderDecoderConfig&, const EncoderDecoderWeightsOf<E>&,       \
                                       const SequencePairs&, base::Parallel&, EncoderDecoderWorkspace<E>&,   \
                                       EncoderDecoderWeightsOf<E>*)
HEADLIGHT_FOR_ELEMENT(float);
HEADLIGHT_FOR_ELEMENT(double);
#undef HEADLIGHT_FOR_ELEMENT

}  // namespace headlight::nn
