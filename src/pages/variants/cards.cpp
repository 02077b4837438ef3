#include "pages/variants/cards.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "nn/linear.h"
#include "nn/random.h"
#include "pages/variants/variants.h"
#include "scene/layer_input.h"
#include "scene/remembered.h"

namespace headlight::scene {

namespace {

using std::size_t;

VariantSide plain_side(const PlainHead& plain) {
  return {VariantMask::none, plain_position(plain.scene), true};
}

/// A padded sentence as input of the plain head.
struct PlainSentence {
  nn::Matrix words;  // [width, d], zeros for pads
  VariantModel model;
  nn::Matrix x;

  /// Keys from `valid_length` on are masked in the layers before, too.
  PlainSentence(const PlainHead& plain, const Scene& placed_at_0, const std::vector<nn::Token>& tokens,
                int width)
      : words(width, plain.scene.d_model),
        model(placed_at_0, plain_side(plain), plain.head, words, plain.parallel) {
    const nn::Matrix embedded = word_embeddings(plain.scene, tokens);
    std::copy_n(embedded.data(), embedded.size(), words.data());
    nn::MaskSpec mask;
    mask.valid_length = embedded.rows();
    const base::Result<nn::Matrix> rows = model.encode(width, 0, mask);
    HEADLIGHT_CHECK(rows);  // no sentence of a model is longer than its table
    x = std::move(*rows);
  }
};

Scene at_position_0(const PlainHead& plain) {
  Scene scene = plain.scene;
  scene.position_offset = 0;
  return scene;
}

nn::AttentionTrace attend(const PlainHead& plain, const PlainSentence& queries, const PlainSentence& keys,
                          int valid) {
  nn::AttentionOptions options = queries.model.options();
  options.keep_scores = false;
  options.mask.valid_length = valid;
  nn::PairMask pairs;
  pairs.add = queries.model.bias(queries.x.rows(), keys.x.rows(), 0);
  if (!pairs.add.empty()) options.pairs = &pairs;
  nn::AttentionTrace trace;
  if (queries.model.rotates()) {
    nn::linear(queries.x, queries.model.weights().w_q, queries.model.weights().b_q, plain.parallel, trace.q);
    nn::linear(keys.x, keys.model.weights().w_k, keys.model.weights().b_k, plain.parallel, trace.k);
    nn::linear(keys.x, keys.model.weights().w_v, keys.model.weights().b_v, plain.parallel, trace.v);
    nn::rotate(queries.model.rope(0), 1, trace.q), nn::rotate(keys.model.rope(0), 1, trace.k);
    nn::attention_from_qkv(options, plain.parallel, trace);
  } else {
    nn::attention_forward(queries.x, keys.x, queries.model.weights(), options, plain.parallel, trace);
  }
  return trace;
}

/// Attends in one padded sentence; the pads must not change its valid rows.
BatchSentence attend_padded(const PlainHead& plain, const std::vector<nn::Token>& tokens, int width) {
  BatchSentence out;
  out.tokens = tokens;
  out.length = static_cast<int>(tokens.size());
  const Scene scene = at_position_0(plain);
  const PlainSentence padded(plain, scene, tokens, width);
  const nn::AttentionTrace masked = attend(plain, padded, padded, out.length);
  out.weights = masked.weights;
  if (out.length == 0) return out;
  const nn::AttentionTrace open = attend(plain, padded, padded, width);
  for (int t = 0; t < out.length; ++t) {
    for (int s = out.length; s < width; ++s) out.pad_share += static_cast<double>(open.weights.at(t, s));
  }
  out.pad_share /= out.length;
  const PlainSentence alone(plain, scene, tokens, out.length);
  out.residual = largest_change(masked.context, attend(plain, alone, alone, out.length).context, out.length);
  return out;
}

/// Copies a row to row t of `all`.
void set_row(nn::Matrix& all, int t, const nn::Matrix& row) {
  std::copy_n(row.data(), static_cast<size_t>(row.cols()), all.row(t).data());
}

struct Decoded {
  nn::Matrix x, context;  // [T, …]
};

/// Decodes with token t at position step · t: step 1 is correct, step 0 forgets the offset.
base::Result<Decoded> one_at_a_time(const VariantModel& model, int T, int step, base::Parallel& parallel) {
  const nn::AttentionWeights& w = model.weights();
  Decoded out;
  out.context.resize(T, w.w_v.cols());
  nn::Matrix keys(T, w.w_k.cols()), values(T, w.w_v.cols());
  std::optional<LayersByToken> before;
  if (model.model()) before.emplace(*model.model(), model.layers_before(), T);
  for (int t = 0; t < T; ++t) {
    const long position = static_cast<long>(step) * t;
    base::Result<nn::Matrix> x = model.placed(t, 1, position);
    if (!x) return base::Error{x.error()};
    std::optional<nn::RopeSpec> rope;
    if (model.rotates()) rope = model.rope(position);
    if (before) {
      const auto bias = [&](int count) { return model.bias_of_all(1, count, static_cast<int>(position)); };
      *x = as_read(*model.model(), model.layers_before(), before->next(std::move(*x), rope, bias, parallel));
    }
    if (t == 0) out.x.resize(T, x->cols());
    set_row(out.x, t, *x);
    nn::AttentionTrace trace;
    nn::Matrix key, value;
    nn::linear(*x, w.w_q, w.b_q, parallel, trace.q);
    nn::linear(*x, w.w_k, w.b_k, parallel, key);
    nn::linear(*x, w.w_v, w.b_v, parallel, value);
    if (rope) nn::rotate(*rope, 1, trace.q), nn::rotate(*rope, 1, key);
    set_row(keys, t, key);
    set_row(values, t, value);
    trace.k = nn::first_rows(keys, t + 1);
    trace.v = nn::first_rows(values, t + 1);
    nn::AttentionOptions options = model.options();
    nn::PairMask pairs;
    const int first_query = static_cast<int>(position);
    const bool shaw = !model.shaw().rel_k.empty();
    pairs.add = shaw ? model.shaw_bias(trace.q, t + 1, first_query) : model.bias(1, t + 1, first_query);
    if (!pairs.add.empty()) options.pairs = &pairs;
    nn::attention_from_qkv(options, parallel, trace);
    if (shaw) nn::add_shaw_values(trace.weights, model.shaw().rel_v, first_query, parallel, trace.context);
    set_row(out.context, t, trace.context);
  }
  return out;
}

double row_change(const nn::Matrix& a, const nn::Matrix& b, int t) {
  double most = 0;
  for (int c = 0; c < a.cols(); ++c)
    most = std::max(most, static_cast<double>(std::abs(a.at(t, c) - b.at(t, c))));
  return most;
}

struct Moments {
  double sum = 0, squares = 0;
  void add(double x) { sum += x, squares += x * x; }
  double variance(int n) const { return squares / n - (sum / n) * (sum / n); }
};

/// Adds the numbers of the softmax of the scores times `scale` to the means over the queries.
void saturate(std::span<const double> scores, double scale, DotProducts::Softmax& mean) {
  const double top = *std::max_element(scores.begin(), scores.end());
  std::vector<double> a(scores.size());
  double sum = 0, entropy = 0, largest = 0, norm = 0, squares = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] = std::exp((scores[i] - top) * scale);
  for (double& weight : a) {
    weight /= sum;
    largest = std::max(largest, weight);
    if (weight > 0) entropy -= weight * std::log2(weight);
    squares += weight * weight;
  }
  // Σ_ij (a_i δ_ij − a_i a_j)² = Σ_i a_i² (1 − 2 a_i) + (Σ_i a_i²)²
  for (const double weight : a) norm += weight * weight * (1 - 2 * weight);
  mean.largest += largest / dot_queries;
  mean.entropy_bits += entropy / dot_queries;
  mean.gradient += std::sqrt(std::max(0.0, norm + squares * squares)) / dot_queries;
}

std::vector<DotProducts> sample_dot_products(int seed) {
  const nn::Random random(static_cast<std::uint64_t>(seed), nn::hash_text("dot products", 12));
  constexpr size_t width = most_dot_width;
  constexpr size_t pairs = size_t(dot_queries) * dot_keys;
  std::vector<float> query(width), key(width);
  // Narrower vectors are the first components of the widest ones, so that all widths share the same samples.
  std::vector<std::vector<double>> dots;
  for (int d = 1; d <= most_dot_width; d *= 2) dots.emplace_back(pairs);
  std::uint64_t index = 0;
  for (size_t pair = 0; pair < pairs; ++pair) {
    if (pair % dot_keys == 0) random.normals(index, query), index += width;
    random.normals(index, key), index += width;
    double sum = 0;
    size_t c = 0;
    for (size_t level = 0; level < dots.size(); ++level) {
      for (; c < (size_t(1) << level); ++c)
        sum += static_cast<double>(query[c]) * static_cast<double>(key[c]);
      dots[level][pair] = sum;
    }
  }
  std::vector<DotProducts> out;
  for (size_t level = 0; level < dots.size(); ++level) {
    DotProducts row;
    row.d_k = 1 << level;
    Moments raw;
    for (const double dot : dots[level]) raw.add(dot);
    row.variance = raw.variance(static_cast<int>(pairs));
    row.scaled_variance = row.variance / row.d_k;
    for (size_t q = 0; q < dot_queries; ++q) {
      const std::span<const double> scores(dots[level].data() + q * dot_keys, dot_keys);
      saturate(scores, 1, row.raw);
      saturate(scores, 1 / std::sqrt(static_cast<double>(row.d_k)), row.scaled);
    }
    out.push_back(row);
  }
  return out;
}

Remembered<std::vector<DotProducts>>& kept_dots() {
  static Remembered<std::vector<DotProducts>> last;
  return last;
}

}  // namespace

std::vector<nn::Token> split_as(const Scene& scene, const std::string& sentence, int most, int* unknown) {
  Scene other = scene;
  other.sentence = sentence;
  std::vector<unsigned char> known;
  std::vector<nn::Token> tokens = tokens_of(other, &known);
  if (tokens.size() > static_cast<size_t>(most)) tokens.resize(static_cast<size_t>(most));
  known.resize(std::min(known.size(), tokens.size()));
  if (unknown) *unknown = static_cast<int>(std::count(known.begin(), known.end(), 0));
  return tokens;
}

VariantPosition plain_position(const Scene& scene) {
  const auto model = usable_model(scene);
  return model ? own_position(model->config) : VariantPosition::sinusoidal;
}

std::vector<BatchSentence> attend_batch(const PlainHead& plain, const std::vector<nn::Token>& first,
                                        const std::vector<nn::Token>& second, int& width) {
  const std::vector<nn::Token>* sentences[] = {&first, &second};
  const IndexList& lengths = plain.scene.variants.batch_lengths;
  width = static_cast<int>(std::max(first.size(), second.size()));
  std::vector<BatchSentence> out;
  for (size_t n = 0; n < 2 && width > 0; ++n) {
    std::vector<nn::Token> tokens = *sentences[n];
    const auto all = static_cast<int>(tokens.size());
    const auto length = static_cast<size_t>(n < lengths.size() ? std::max(0, lengths[n]) : width);
    if (length < tokens.size()) tokens.resize(length);
    out.push_back(attend_padded(plain, tokens, width));
    out.back().tokens_in_all = all;
  }
  return out;
}

CrossAttention attend_across(const PlainHead& plain, const std::vector<nn::Token>& queries,
                             const std::vector<nn::Token>& keys) {
  CrossAttention out;
  out.queries = queries, out.keys = keys;
  if (queries.empty() || keys.empty()) return out;
  const int T = static_cast<int>(queries.size()), S = static_cast<int>(keys.size());
  const Scene scene = at_position_0(plain);
  const PlainSentence asking(plain, scene, queries, T), requested(plain, scene, keys, S);
  out.weights = attend(plain, asking, requested, S).weights;
  out.entropy_bits = mean_entropy_bits(out.weights);
  return out;
}

Decoding decode(const VariantModel& model, base::Parallel& parallel) {
  Decoding out;
  const int T = std::min(model.tokens(), most_decoded_tokens);
  if (T == 0) return out;
  nn::MaskSpec causal;
  causal.causal = true;
  const base::Result<nn::Matrix> x = model.encode(T, 0, causal);
  if (!x) {
    out.error = x.error();
    return out;
  }
  nn::PairMask pairs;
  pairs.add = model.bias(T, T, 0);
  nn::AttentionOptions options = model.options();
  options.mask = causal;
  if (!pairs.add.empty()) options.pairs = &pairs;
  const nn::AttentionTrace all = model.attend(*x, options, 0);
  const base::Result<Decoded> right = one_at_a_time(model, T, 1, parallel);
  const base::Result<Decoded> forgotten = one_at_a_time(model, T, 0, parallel);
  HEADLIGHT_CHECK(right && forgotten);  // positions 0 … T − 1 exist: they were encoded above
  for (int t = 0; t < T; ++t) {
    out.steps.push_back({row_change(right->x, *x, t), row_change(right->context, all.context, t),
                         row_change(forgotten->context, all.context, t)});
  }
  return out;
}

std::vector<DotProducts> dot_products(int seed) {
  return *kept_dots().get(std::to_string(seed), [&] { return sample_dot_products(seed); });
}

bool dot_products_kept(int seed) {
  return kept_dots().find(std::to_string(seed)) != nullptr;
}

double mean_entropy_bits(const nn::Matrix& weights) {
  double sum = 0;
  int rows = 0;
  for (int t = 0; t < weights.rows(); ++t) {
    double entropy = 0, mass = 0;
    for (const float weight : weights.row(t)) {
      const double a = static_cast<double>(weight);
      mass += a;
      if (a > 0) entropy -= a * std::log2(a);
    }
    if (mass > 0) sum += entropy, ++rows;
  }
  return rows > 0 ? sum / rows : std::nan("");
}

double largest_change(const nn::Matrix& a, const nn::Matrix& b, int rows) {
  double most = 0;
  for (int t = 0; t < rows; ++t) most = std::max(most, row_change(a, b, t));
  return most;
}

}  // namespace headlight::scene
