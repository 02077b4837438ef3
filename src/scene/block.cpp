#include "scene/block.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "scene/remembered.h"
#include "scene/results.h"

namespace headlight::scene {

namespace {

// What fits into a frame: random numbers drawn for the weights, multiplications of the forward pass, tokens
// whose maps can still be told apart.
constexpr double most_weights = 6e6, most_multiplications = 3e8;
constexpr int most_tokens = 128, fewest_tokens = 8;

double weights_of_layer(double d, double widen) {
  return (4 + 2 * widen) * d * d;
}

std::shared_ptr<const nn::StackWeights> weights_for(const Scene& scene, int d, int layers, bool final_norm) {
  // Two, because the head bench may hold stacks of two seeds side by side.
  static std::array<Remembered<nn::StackWeights>, 2> kept;
  static std::atomic<std::size_t> older{0};
  const BlockSettings& s = scene.block;
  std::string key;
  for (const int part : {scene.seed, d, layers, s.widen, static_cast<int>(s.init), final_norm ? 1 : 0})
    key += std::to_string(part) + ' ';
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

StageFigures figures_of(const nn::Matrix& m, std::size_t& nonfinite) {
  StageFigures f;
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

nn::Matrix first_rows(const nn::Matrix& m, int rows) {
  nn::Matrix out(rows, m.cols());
  std::copy_n(m.data(), out.size(), out.data());
  return out;
}

}  // namespace

std::shared_ptr<const nn::StackWeights> stack_weights(const Scene& scene, const BlockResults& stack) {
  return weights_for(scene, stack.trace.output.cols(), stack.layers, stack.final_norm);
}

std::shared_ptr<const BlockResults> compute_block(const Scene& scene, const Results& results,
                                                  base::Parallel& parallel) {
  return compute_stack(scene, results.x, parallel);
}

std::shared_ptr<const BlockResults> compute_stack(const Scene& scene, const nn::Matrix& x,
                                                  base::Parallel& parallel) {
  const BlockSettings& s = scene.block;
  auto block = std::make_shared<BlockResults>();
  const int d = x.cols(), tokens = x.rows();
  block->final_norm = s.norm == BlockNorm::pre;
  if (tokens == 0 || d == 0) return block;
  const double layer = weights_of_layer(d, s.widen);
  block->layers = std::clamp(static_cast<int>(most_weights / layer), 1, s.layers);
  block->layers_left_out = s.layers - block->layers;
  const auto quick = static_cast<int>(std::min(1e6, most_multiplications / (layer * block->layers)));
  block->T = std::min(tokens, std::clamp(quick, fewest_tokens, most_tokens));
  block->tokens_left_out = tokens - block->T;

  nn::BlockOptions options;
  options.attention.heads = scene.heads;
  options.attention.mask.causal = s.causal;
  options.norm = s.norm == BlockNorm::pre ? nn::NormPlace::pre : nn::NormPlace::post;
  options.activation =
      s.activation == BlockActivation::gelu ? nn::Activation::gelu_erf : nn::Activation::relu;
  nn::encoder_stack(first_rows(x, block->T), *weights_for(scene, d, block->layers, block->final_norm),
                    options, parallel, block->trace);
  for (int l = 0; l < block->layers; ++l) {
    auto& row = block->figures.emplace_back();
    for (int stage = 0; stage < block_stages; ++stage) {
      row[static_cast<std::size_t>(stage)] =
          figures_of(block->stage(l, static_cast<BlockStage>(stage)), block->nonfinite);
    }
  }
  block->final_figures = figures_of(block->trace.output, block->nonfinite);
  block->stream = nn::residual_statistics(block->trace, block->final_norm);
  return block;
}

}  // namespace headlight::scene
