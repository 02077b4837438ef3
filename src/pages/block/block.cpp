#include "pages/block/block.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "nn/linear.h"
#include "scene/field_values.h"
#include "scene/layer_input.h"
#include "scene/remembered.h"
#include "scene/results.h"

namespace headlight::scene {

namespace {

constexpr int fewest_tokens = 8;
// Measured, in the unit of work(): a random number; a multiplication of the narrow products, which run at
// half speed; an attention weight with its exponential, its tile and its statistics; an element of a stage.
constexpr double draw_cost = 600, product_cost = 3, map_cost = 500, stage_cost = 900;

/// The expansion factor of the feed-forward layers: the setting, or a model's own.
double widening(const Scene& scene) {
  const auto model = usable_model(scene);
  return model ? expansion_factor(model->config) : scene.block.widen;
}

double weights_of_layer(double d, double widen) {
  return (4 + 2 * widen) * d * d;
}

/// The part of the requested size that is computed.
struct BlockSize {
  int layers = 0, T = 0;
};

BlockSize size_within(const Scene& scene, int d, int tokens, const BlockLimits& limits) {
  const double layer = weights_of_layer(d, widening(scene));
  BlockSize size;
  if (scene.weights != WeightsSource::random) {
    size.layers = scene.block.layers;  // a model always has all of its layers
  } else {
    size.layers = std::clamp(static_cast<int>(limits.weights / layer), 1, scene.block.layers);
  }
  const double quick = std::min(limits.multiplications / (layer * size.layers),
                                std::sqrt(limits.map_values / (double(scene.heads) * size.layers)));
  size.T = std::min(tokens, std::clamp(static_cast<int>(std::min(quick, 1e6)), fewest_tokens, limits.tokens));
  return size;
}

/// Two, because the Compare page may hold stacks of two seeds side by side.
std::array<Remembered<nn::StackWeights>, 2>& kept_weights() {
  static std::array<Remembered<nn::StackWeights>, 2> kept;
  return kept;
}

std::string weights_key(const Scene& scene, int d, int layers, bool final_norm) {
  const BlockSettings& s = scene.block;
  std::string key;
  for (const int part : {scene.seed, d, layers, s.widen, static_cast<int>(s.init), final_norm ? 1 : 0})
    key += std::to_string(part) + ' ';
  return key;
}

std::shared_ptr<const nn::StackWeights> weights_for(const Scene& scene, int d, int layers, bool final_norm) {
  if (const auto model = usable_model(scene)) return {model, &model->weights.stack};
  static std::atomic<std::size_t> older{0};
  auto& kept = kept_weights();
  const BlockSettings& s = scene.block;
  const std::string key = weights_key(scene, d, layers, final_norm);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (auto known = kept[i].find(key)) {
      older = 1 - i;
      return known;
    }
  }
  const std::size_t place = older;
  older = 1 - place;
  return kept[place].get(key, [&] {
    return nn::random_stack_weights(
        layers, d, s.widen * d,
        s.init == BlockWeightsInit::xavier ? nn::BlockInit::xavier_uniform : nn::BlockInit::normal_0_02,
        final_norm, static_cast<std::uint64_t>(scene.seed));
  });
}

/// Like encoder_stack(), but calls `progress` before each layer and stops if it returns false.
bool run_stack(const nn::Matrix& x, const nn::StackWeights& weights, const nn::BlockOptions& options,
               base::Parallel& parallel, const BlockProgress& progress, nn::StackTrace<float>& trace) {
  trace.layers.resize(weights.layers.size());
  const nn::Matrix* stream = &x;
  for (std::size_t l = 0; l < trace.layers.size(); ++l) {
    if (progress && !progress(static_cast<float>(l) / static_cast<float>(trace.layers.size()))) return false;
    nn::encoder_block(*stream, weights.layers[l], options, parallel, trace.layers[l]);
    stream = &trace.layers[l].output;
  }
  if (weights.lnf_g.empty()) {
    trace.output = *stream;
  } else {
    nn::layer_norm(*stream, weights.lnf_g, weights.lnf_b, options.eps, trace.output);
  }
  return true;
}

HeadTiles tiles_of(const nn::StackTrace<float>& trace, base::Parallel& parallel) {
  HeadTiles tiles;
  const nn::AttentionTrace& first = trace.layers[0].attention;
  tiles.begin(first.T, first.T, static_cast<int>(trace.layers.size()) * first.heads);
  for (const auto& layer : trace.layers)
    tiles.add(layer.attention.weights, layer.attention.allowed, parallel);
  return tiles;
}

ElementStatistics statistics_of(const nn::Matrix& m, std::size_t& nonfinite) {
  ElementStatistics f;
  double sum = 0, squares = 0;
  std::size_t count = 0;
  for (const float value : m.values()) {
    if (!std::isfinite(value)) {
      ++nonfinite;
      continue;
    }
    f.largest = std::max(f.largest, std::abs(value));
    sum += static_cast<double>(value), ++count;
  }
  if (count == 0) return f;
  f.mean = sum / static_cast<double>(count);
  for (const float value : m.values()) {
    const double off = static_cast<double>(value) - f.mean;
    if (std::isfinite(value)) squares += off * off;
  }
  f.deviation = std::sqrt(squares / static_cast<double>(count));
  return f;
}

/// The options of the scene's stack. With a model's T5 or ALiBi positions `pairs` must outlive them.
nn::BlockOptions stack_options(const Scene& scene, int T, std::shared_ptr<const nn::PairMask>& pairs) {
  const BlockSettings& s = scene.block;
  nn::BlockOptions options;
  options.attention.heads = scene.heads;
  options.attention.mask.causal = s.causal;
  options.norm = s.norm == BlockNorm::pre    ? nn::NormPlace::pre
                 : s.norm == BlockNorm::post ? nn::NormPlace::post
                                             : nn::NormPlace::none;
  options.residual = s.residual, options.feed_forward = s.feed_forward;
  options.activation = s.activation == BlockActivation::relu   ? nn::Activation::relu
                       : s.activation == BlockActivation::gelu ? nn::Activation::gelu_erf
                                                               : nn::Activation::gelu_tanh;
  if (const auto model = usable_model(scene)) {
    pairs = model_pairs(*model, T);
    options.attention = model_options(model->config, pairs.get());
    options.activation = model->config.activation, options.eps = model->config.eps;
    options.norm = model->config.norm;
    options.residual = model->config.residual, options.feed_forward = model->config.feed_forward;
  }
  return options;
}

/// Is the stack small enough for one more forward pass and two backward passes?
bool shows_depth(const BlockSize& size, double weights) {
  constexpr double most = 1e8;
  return weights * size.T <= most;
}

}  // namespace

std::shared_ptr<const nn::StackWeights> stack_weights(const Scene& scene, const BlockResults& stack) {
  return weights_for(scene, stack.trace.output.cols(), stack.layers, stack.final_norm);
}

std::shared_ptr<const BlockResults> compute_block(const Scene& scene, const Results& results,
                                                  base::Parallel& parallel, const BlockProgress& progress) {
  const nn::Matrix x = stack_input(scene, results.tokens, parallel);
  // Half of the work is the stack on show, half the one with residual connections switched the other way.
  const auto half = [&](float start) {
    return progress ? [&progress, start](float done) { return progress(start + done / 2); } : BlockProgress{};
  };
  const auto stack = compute_stack(scene, x, parallel, block_page_limits, half(0));
  if (!stack || stack->layers == 0) return stack;
  const double widen = scene.block.feed_forward ? widening(scene) : 0;
  const BlockSize size{stack->layers, stack->T};
  if (!shows_depth(size, weights_of_layer(x.cols(), widen) * size.layers)) return stack;
  const auto block = std::const_pointer_cast<BlockResults>(stack);  // made just now
  std::shared_ptr<const nn::PairMask> pairs;
  nn::BlockOptions options = stack_options(scene, block->T, pairs);
  const auto weights = stack_weights(scene, *block);
  const auto seed = static_cast<std::uint64_t>(scene.seed);
  block->depth = nn::depth_statistics(*weights, options, block->trace, seed, parallel);
  options.residual = !options.residual;
  nn::StackTrace<float> other;
  if (!run_stack(nn::first_rows(x, block->T), *weights, options, parallel, half(0.5f), other)) return nullptr;
  block->other_depth = nn::depth_statistics(*weights, options, other, seed, parallel);
  return block;
}

double block_work(const Scene& scene, int tokens) {
  const BlockSettings& s = scene.block;
  const int width = scene.position == Position::sinusoidal_concat ? 2 * scene.d_model : scene.d_model;
  if (tokens == 0) return 0;
  const BlockSize size = size_within(scene, width, tokens, block_page_limits);
  const double d = width, T = size.T, widen = s.feed_forward ? widening(scene) : 0;
  const double weights = weights_of_layer(d, widen) * size.layers;
  bool drawn = scene.weights != WeightsSource::random;
  const std::string key = weights_key(scene, width, size.layers, s.norm == BlockNorm::pre);
  for (auto& kept : kept_weights()) drawn = drawn || kept.find(key);
  // The stack on show; its depth statistics need a second forward pass and two backward passes.
  const double runs = shows_depth(size, weights) ? 6 : 1;
  return (drawn ? 0 : draw_cost * weights) + runs * product_cost * (T + fewest_tokens) * weights +
         size.layers * (map_cost * T * T * scene.heads + stage_cost * T * d * (block_stages - 1 + widen));
}

std::shared_ptr<const BlockResults> compute_stack(const Scene& scene, const nn::Matrix& x,
                                                  base::Parallel& parallel, const BlockLimits& limits,
                                                  const BlockProgress& progress) {
  const BlockSettings& s = scene.block;
  auto block = std::make_shared<BlockResults>();
  const int d = x.cols(), tokens = x.rows();
  const auto model = usable_model(scene);
  block->final_norm = model ? !model->weights.stack.lnf_g.empty() : s.norm == BlockNorm::pre;
  if (tokens == 0 || d == 0) return block;
  const BlockSize size = size_within(scene, d, tokens, limits);
  block->layers = size.layers, block->T = size.T;
  block->layers_left_out = s.layers - block->layers;
  block->tokens_left_out = tokens - block->T;

  std::shared_ptr<const nn::PairMask> pairs;
  const nn::BlockOptions options = stack_options(scene, block->T, pairs);
  const auto weights = weights_for(scene, d, block->layers, block->final_norm);
  if (!run_stack(nn::first_rows(x, block->T), *weights, options, parallel, progress, block->trace))
    return nullptr;
  for (int l = 0; l < block->layers; ++l) {
    auto& row = block->statistics.emplace_back();
    for (int stage = 0; stage < block_stages; ++stage) {
      row[static_cast<std::size_t>(stage)] =
          statistics_of(block->stage(l, static_cast<BlockStage>(stage)), block->nonfinite);
    }
  }
  block->final_statistics = statistics_of(block->trace.output, block->nonfinite);
  block->stream = nn::residual_statistics(block->trace, block->final_norm);
  block->tiles = tiles_of(block->trace, parallel);
  block->counts = block->tiles.counts();
  for (const auto& layer : block->tiles.sheets) {
    for (const nn::Matrix& sheet : layer) {
      for (const float weight : sheet.values())
        if (weight > block->largest_weight) block->largest_weight = weight;
    }
  }
  return block;
}

std::optional<BlockStage> stage_named(const BlockSettings& s, BlockShown shown) {
  const bool pre = s.norm == BlockNorm::pre, post = s.norm == BlockNorm::post, fed = s.feed_forward;
  const auto stage = [](BlockStage which, bool there = true) {
    return there ? std::optional(which) : std::nullopt;
  };
  switch (shown) {
    case BlockShown::x:
      return stage(BlockStage::input);
    case BlockShown::norm_1:
      return stage(pre ? BlockStage::attention_input : BlockStage::after_attention, pre || post);
    case BlockShown::attention:
      return stage(BlockStage::attention_output);
    case BlockShown::sum_1:
      return stage(BlockStage::attention_sum, s.residual);
    case BlockShown::norm_2:
      return stage(pre ? BlockStage::ffn_input : BlockStage::output, fed && (pre || post));
    case BlockShown::hidden:
      return stage(BlockStage::activated, fed);
    case BlockShown::feed_forward:
      return stage(BlockStage::ffn_output, fed);
    case BlockShown::sum_2:
      return stage(BlockStage::ffn_sum, fed && s.residual);
    default:
      return std::nullopt;
  }
}

}  // namespace headlight::scene
