// What happens to the tokens inside a Transformer block, and in a stack of them: every stage's matrix, the
// attention of every head of every layer, and how large the residual stream is on the way.
// Tested in tests/scene/block_test.cpp.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "nn/block.h"
#include "nn/weight_counts.h"
#include "pages/block/settings.h"
#include "pages/head_tiles.h"
#include "scene/page_results.h"
#include "train/depth.h"

namespace headlight::scene {

struct Scene;
struct Results;

/// The stages that the pictures of a block show, in the order of the trace.
enum class BlockStage {
  input,
  attention_input,  // ln1(x) with pre, else x itself
  attention_output,
  attention_sum,    // x + attention
  after_attention,  // a
  ffn_input,  // ln2(a) with pre, else a itself; without feed-forward layers all stages up to ffn_sum are
              // empty
  activated,
  ffn_output,
  ffn_sum,  // a + feed-forward
  output
};
inline constexpr int block_stages = 10;

/// The stage with this name in a layer of a stack with these settings; nothing: its layers have no such
/// stage.
std::optional<BlockStage> stage_named(const BlockSettings& settings, BlockShown shown);

struct ElementStatistics {
  float largest = 0;  // magnitude
  double mean = 0, deviation = 0;
};

struct BlockResults : PageResults {
  int T = 0;                // tokens that go through the stack
  int tokens_left_out = 0;  // tokens of the scene beyond them
  int layers = 0;           // at most the layers that the scene sets
  int layers_left_out = 0;
  nn::StackTrace<float> trace;
  std::vector<std::array<ElementStatistics, block_stages>> statistics;  // [layers]
  ElementStatistics final_statistics;
  std::vector<nn::StageStatistics> stream;  // input, after each sublayer, after the last norm
  bool final_norm = false;                  // with pre; in a trained model if it has norms
  std::vector<nn::DepthStatistics>
      depth;  // [layers + 1] input, after each layer; empty: the stack is too large
  std::vector<nn::DepthStatistics> other_depth;  // the same with residual connections switched the other way
  HeadTiles tiles;
  float largest_weight = 0;  // of all heads of all layers
  nn::WeightCounts counts;   // over the pixels of all tiles that are not masked
  std::size_t nonfinite = 0;

  /// `depth` with or without residual connections, as wanted; `residual`: whether the stack itself has them.
  const std::vector<nn::DepthStatistics>& depth_with(bool wanted, bool residual) const {
    return wanted == residual ? depth : other_depth;
  }
  const nn::Matrix& stage(int layer, BlockStage which) const;  // layer counted from 0
  const ElementStatistics& statistics_of(int layer, BlockStage which) const {
    return statistics[static_cast<std::size_t>(layer)][static_cast<std::size_t>(which)];
  }
};

inline const nn::Matrix& BlockResults::stage(int layer, BlockStage which) const {
  const nn::BlockTrace<float>& t = trace.layers[static_cast<std::size_t>(layer)];
  const std::array<const nn::Matrix*, block_stages> all = {
      &t.input,     &t.attention_input, &t.attention.output, &t.attention_sum, &t.after_attention,
      &t.ffn_input, &t.activated,       &t.ffn_output,       &t.ffn_sum,       &t.output};
  return *all[static_cast<std::size_t>(which)];
}

/// Limits of the computation; what is beyond them is left out and counted.
struct BlockLimits {
  double weights = 6e6, multiplications = 3e8, map_values = 3.3e7;
  int tokens = 128;
};
/// The limits of the Block page, which computes in the background when it does not fit into a frame: 160 MB
/// of weights.
inline constexpr BlockLimits block_page_limits{4e7, 2e10, 3.3e7, 512};

/// Reports a fraction done, 0 … 1; false = no longer wanted.
using BlockProgress = std::function<bool(float)>;

/// Runs the stack of scene.block, with weights drawn from scene.seed, on x [T, d]. Layers and tokens beyond
/// the limits are left out and counted; at least one layer and eight tokens remain. Null when `progress`,
/// which is called between layers, returns false.
std::shared_ptr<const BlockResults> compute_stack(const Scene& scene, const nn::Matrix& x,
                                                  base::Parallel& parallel, const BlockLimits& limits = {},
                                                  const BlockProgress& progress = {});

/// The weights that compute_stack() used for `stack`, for the same scene; the last two are kept.
std::shared_ptr<const nn::StackWeights> stack_weights(const Scene& scene, const BlockResults& stack);

/// For the scene's page `block`: the stack on results.x, the embeddings with their positions.
std::shared_ptr<const BlockResults> compute_block(const Scene& scene, const Results& results,
                                                  base::Parallel& parallel,
                                                  const BlockProgress& progress = {});

/// The time that compute_block() takes in addition to the layer that every page has, in the unit of work() in
/// pages/compute.h.
double block_work(const Scene& scene, int tokens);

}  // namespace headlight::scene
