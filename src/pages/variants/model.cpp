#include "pages/variants/model.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "nn/positional.h"
#include "nn/random.h"
#include "nn/sparse.h"
#include "scene/layer_input.h"
#include "scene/remembered.h"

namespace headlight::scene {

namespace {

nn::Matrix columns_of(const nn::Matrix& all, int heads, int head) {
  const int d = all.cols() / heads;
  nn::Matrix out;
  out.resize(all.rows(), d);
  for (int r = 0; r < all.rows(); ++r) std::copy_n(all.row(r).data() + head * d, d, out.row(r).data());
  return out;
}

nn::SparseSpec sparse_spec(const Scene& scene, VariantMask mask) {
  const VariantsSettings& s = scene.variants;
  nn::SparseSpec spec;
  spec.reach = s.window;
  spec.dilation = spec.block = spec.stride = s.stride;
  spec.seed = static_cast<std::uint64_t>(scene.seed);
  for (int i = 0; i < s.global_tokens; ++i) spec.global_tokens.push_back(i);
  switch (mask) {
    case VariantMask::window_global:
      spec.kind = nn::SparseKind::window_global;
      break;
    case VariantMask::dilated:
      spec.kind = nn::SparseKind::dilated_window;
      break;
    case VariantMask::blocks:
      spec.kind = nn::SparseKind::block_local;
      break;
    case VariantMask::strided:
      spec.kind = nn::SparseKind::strided_causal;
      break;
    case VariantMask::fixed:
      spec.kind = nn::SparseKind::fixed_causal;
      break;
    default:
      spec.kind = nn::SparseKind::block_random;
      break;
  }
  return spec;
}

Remembered<nn::AttentionWeights>& kept_weights(const Scene& scene, int d_in) {
  static Remembered<nn::AttentionWeights> plain, concatenated;
  return d_in == scene.d_model ? plain : concatenated;
}

std::string weights_key(const Scene& scene, int d_in) {
  return std::to_string(scene.seed) + ' ' + std::to_string(d_in) + ' ' + std::to_string(scene.d_model);
}

nn::Tensor<std::uint8_t> from_intervals(const nn::MaskSpec& mask, int T) {
  nn::Tensor<std::uint8_t> allow(1, T, T);
  const std::vector<base::Interval> keys = nn::allowed_keys(mask, T, T);
  for (int i = 0; i < T; ++i) {
    const base::Interval row = keys[static_cast<std::size_t>(i)];
    std::fill_n(allow.row(i).data() + row.begin, static_cast<std::size_t>(row.size()), std::uint8_t(1));
  }
  return allow;
}

}  // namespace

nn::AttentionWeights head_weights(const nn::AttentionWeights& all, int heads, int head) {
  nn::AttentionWeights out;
  out.w_q = columns_of(all.w_q, heads, head);
  out.w_k = columns_of(all.w_k, heads, head);
  out.w_v = columns_of(all.w_v, heads, head);
  if (!all.b_q.empty()) out.b_q = columns_of(all.b_q, heads, head);
  if (!all.b_k.empty()) out.b_k = columns_of(all.b_k, heads, head);
  if (!all.b_v.empty()) out.b_v = columns_of(all.b_v, heads, head);
  return out;
}

VariantPosition own_position(const nn::ModelConfig& config) {
  switch (config.positions) {
    case nn::ModelPositions::none:
      return VariantPosition::none;
    case nn::ModelPositions::sinusoidal:
      return VariantPosition::sinusoidal;
    case nn::ModelPositions::learned:
      return VariantPosition::learned;
    case nn::ModelPositions::t5:
      return VariantPosition::t5;
    case nn::ModelPositions::alibi:
      return VariantPosition::alibi;
    case nn::ModelPositions::rope:
      return config.rope_pairs == nn::RopePairs::half ? VariantPosition::rope_half : VariantPosition::rope;
  }
  return VariantPosition::none;
}

int variant_input_width(const Scene& scene, const VariantSide& side) {
  return side.position == VariantPosition::concat ? 2 * scene.d_model : scene.d_model;
}

std::shared_ptr<const nn::AttentionWeights> variant_weights(const Scene& scene, int d_in) {
  if (usable_model(scene)) return layer_weights(scene);
  return kept_weights(scene, d_in).get(weights_key(scene, d_in), [&] {
    return nn::random_attention_weights(d_in, scene.d_model, static_cast<std::uint64_t>(scene.seed));
  });
}

bool variant_weights_kept(const Scene& scene, int d_in) {
  return scene.weights != WeightsSource::random ||
         kept_weights(scene, d_in).find(weights_key(scene, d_in)) != nullptr;
}

nn::Matrix seeded_table(int seed, const char* name, int rows, int cols, double variance) {
  const nn::Random random(static_cast<std::uint64_t>(seed), nn::hash_text(name, std::strlen(name)));
  const float deviation = static_cast<float>(std::sqrt(variance));
  nn::Matrix table;
  table.resize(rows, cols);
  for (int r = 0; r < rows; ++r) {
    random.normals(static_cast<std::uint64_t>(r) << 16, table.row(r));
    for (float& value : table.row(r)) value *= deviation;
  }
  return table;
}

nn::T5Buckets t5_buckets(const VariantsSettings& settings, bool causal) {
  nn::T5Buckets buckets;
  buckets.bidirectional = !causal;
  buckets.count = settings.buckets / 2 * 2;
  const int exact = buckets.count / (causal ? 2 : 4);
  buckets.max_distance = std::max(settings.max_distance, exact + 1);
  return buckets;
}

nn::Tensor<std::uint8_t> allowed_pairs(const Scene& scene, VariantMask mask, int T) {
  nn::MaskSpec spec;
  switch (mask) {
    case VariantMask::none:
      return from_intervals(spec, T);
    case VariantMask::causal:
      spec.causal = true;
      return from_intervals(spec, T);
    case VariantMask::padding:
      spec.valid_length = scene.variants.valid;
      return from_intervals(spec, T);
    case VariantMask::window:
      spec.window_left = spec.window_right = scene.variants.window;
      return from_intervals(spec, T);
    default:
      return nn::sparse_pattern(sparse_spec(scene, mask), T);
  }
}

VariantModel::VariantModel(const Scene& scene, const VariantSide& side, int head, const nn::Matrix& embedded,
                           base::Parallel& parallel)
    : scene_(scene),
      side_(side),
      head_(head),
      embedded_(embedded),
      parallel_(parallel),
      model_(usable_model(scene)) {
  weights_ = head_weights(*variant_weights(scene, variant_input_width(scene, side)), scene.heads, head);
  if (model_) {
    layer_ = shown_layer(scene, *model_);
    own_ = side.position == own_position(model_->config);
  }
  if (side.position == VariantPosition::learned) {
    table_ =
        own_ ? model_->weights.wpe
             : seeded_table(scene.seed, "learned positions", scene.variants.table_rows, scene.d_model, 0.5);
  }
  if (side.position == VariantPosition::t5) {
    buckets_ = own_ ? model_->weights.t5_table
                    : seeded_table(scene.seed, "relative bias", buckets().count, scene.heads, 1);
  }
  if (side.position == VariantPosition::shaw) {
    const int rows = 2 * scene.variants.clip + 1, d_k = scene.d_model / scene.heads;
    shaw_ = {seeded_table(scene.seed, "relative keys", rows, d_k, 1),
             seeded_table(scene.seed, "relative values", rows, d_k, 1)};
  }
}

nn::T5Buckets VariantModel::buckets() const {
  if (own_)
    return {!model_->config.causal, model_->weights.t5_table.rows(), 128};  // the same as in model_forward()
  return t5_buckets(scene_.variants, side_.mask == VariantMask::causal);
}

base::Result<nn::Matrix> VariantModel::position_rows(int count, long from) const {
  nn::Matrix rows;
  if (side_.position == VariantPosition::concat && model_) {
    return base::Error{"a trained model takes " + std::to_string(scene_.d_model) +
                       " components per token: positions cannot be concatenated to them"};
  }
  if (!shaw_.rel_k.empty() && layer_ > 0) {
    return base::Error{
        "Shaw’s rows are added to the keys and values of a layer, but the layers before layer " +
        std::to_string(layer_ + 1) + " of a trained model have none; show layer 1 (weights_layer=1)"};
  }
  const bool sinusoids =
      side_.position == VariantPosition::sinusoidal || side_.position == VariantPosition::concat;
  // The scene's kinds of positions have the scene's offset and scale.
  const bool of_scene = sinusoids || own_;
  const long first = from + (of_scene ? scene_.position_offset : 0);
  if (sinusoids) {
    nn::sinusoidal({count, scene_.d_model, scene_.position_base, first}, parallel_, rows);
  } else if (side_.position == VariantPosition::learned) {
    base::Result<nn::Matrix> found =
        nn::add_learned_positions(nn::Matrix(count, scene_.d_model), table_, first);
    if (!found) return base::Error{found.error()};
    rows = std::move(*found);
  }
  if (of_scene) {
    for (float& value : rows.values()) value *= static_cast<float>(scene_.position_scale);
  }
  return rows;
}

base::Result<nn::Matrix> VariantModel::placed(int first, int count, long position) const {
  const int d = scene_.d_model;
  const base::Result<nn::Matrix> rows = position_rows(count, position);
  if (!rows) return base::Error{rows.error()};
  const nn::Matrix& p = *rows;
  const bool behind = side_.position == VariantPosition::concat;
  nn::Matrix x;
  x.resize(count, behind ? 2 * d : d);
  for (int t = 0; t < count; ++t) {
    float* to = x.row(t).data();
    std::copy_n(embedded_.row(first + t).data(), d, to);
    if (p.empty()) continue;
    const float* row = p.row(t).data();
    if (behind) {
      std::copy_n(row, d, to + d);
    } else {
      for (int c = 0; c < d; ++c) to[c] += row[c];
    }
  }
  return x;
}

nn::Matrix VariantModel::read(nn::Matrix x, long position, const nn::MaskSpec& mask) const {
  if (!model_) return x;
  if (layer_ > 0) {
    nn::AttentionOptions attention;
    attention.heads = scene_.heads;
    attention.mask = mask;
    attention.mask.causal = mask.causal || model_->config.causal;
    if (rotates()) attention.rope = rope(position);
    nn::PairMask pairs;
    pairs.add = bias_of_all(x.rows(), x.rows(), 0);
    if (!pairs.add.empty()) attention.pairs = &pairs;
    x = through_layers(*model_, layer_, std::move(x), attention, parallel_);
  }
  return as_read(*model_, layer_, std::move(x));
}

base::Result<nn::Matrix> VariantModel::encode(int count, long position, const nn::MaskSpec& mask) const {
  base::Result<nn::Matrix> x = placed(0, count, position);
  if (!x) return x;
  return read(std::move(*x), position, mask);
}

nn::Matrix VariantModel::by_distance(int T, int S, int first_query) const {
  if (side_.position == VariantPosition::t5) return nn::t5_bias(buckets(), buckets_, T, S, first_query);
  if (side_.position == VariantPosition::alibi) return nn::alibi_bias<float>(scene_.heads, T, S, first_query);
  return {};
}

nn::Matrix VariantModel::bias(int T, int S, int first_query) const {
  const nn::Matrix all = by_distance(T, S, first_query);
  if (all.empty()) return {};
  nn::Matrix own;
  own.resize(1, all.cols());
  std::copy_n(all.row(head_).data(), static_cast<std::size_t>(all.cols()), own.data());
  return nn::spread(own, T, S);
}

nn::Matrix VariantModel::bias_of_all(int T, int S, int first_query) const {
  const nn::Matrix all = by_distance(T, S, first_query);
  return all.empty() ? nn::Matrix() : nn::spread(all, T, S);
}

float VariantModel::score_scale() const {
  return side_.scale ? 1 / std::sqrt(static_cast<float>(weights_.w_q.cols())) : 1.f;
}

nn::Matrix VariantModel::shaw_bias(const nn::Matrix& q, int S, int first_query) const {
  return nn::shaw_bias(q, 1, shaw_.rel_k, score_scale(), S, first_query, parallel_);
}

nn::Matrix VariantModel::by_clipped_distance(const nn::Matrix& q) const {
  nn::Matrix out(q.rows(), shaw_.rel_k.rows());
  nn::Matrix row(1, q.cols());
  for (int i = 0; i < q.rows(); ++i) {
    // From the middle key, the keys are at the distances −clip … clip.
    std::copy_n(q.row(i).data(), row.size(), row.data());
    const nn::Matrix added = shaw_bias(row, out.cols(), scene_.variants.clip);
    std::copy_n(added.data(), added.size(), out.row(i).data());
  }
  return out;
}

bool VariantModel::rotates() const {
  return side_.position == VariantPosition::rope || side_.position == VariantPosition::rope_half;
}

int VariantModel::rotary_dim() const {
  return rotates() ? scene_.d_model / scene_.heads / 2 * 2 : 0;
}

nn::RopeSpec VariantModel::rope(long offset) const {
  nn::RopeSpec spec;
  spec.pairs =
      side_.position == VariantPosition::rope_half ? nn::RopePairs::half : nn::RopePairs::interleaved;
  spec.base = own_ ? model_->config.position_base : scene_.position_base;
  spec.offset = offset;
  return spec;
}

nn::AttentionOptions VariantModel::options() const {
  nn::AttentionOptions options;
  options.divide_by_sqrt_d_k = side_.scale;
  options.keep_scores = true;
  return options;
}

nn::AttentionTrace VariantModel::attend(const nn::Matrix& x, const nn::AttentionOptions& options,
                                        long position) const {
  nn::AttentionTrace trace;
  if (rotates()) {
    nn::rope_attention_forward(x, x, weights_, options, rope(position), parallel_, trace);
  } else if (!shaw_.rel_k.empty()) {
    nn::PairMask added;
    nn::shaw_attention_forward(x, x, weights_, shaw_, options, parallel_, added, trace);
  } else {
    nn::attention_forward(x, x, weights_, options, parallel_, trace);
  }
  return trace;
}

base::Result<nn::AttentionTrace> VariantModel::run(long shift, const nn::PairMask& pairs) const {
  const base::Result<nn::Matrix> x = encode(tokens(), shift);
  if (!x) return base::Error{x.error()};
  nn::AttentionOptions with_pairs = options();
  with_pairs.pairs = &pairs;
  return attend(*x, with_pairs, shift);
}

}  // namespace headlight::scene
