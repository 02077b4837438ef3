// What happens to the tokens inside a Transformer block, and in a stack of them: every stage's matrix, the
// attention of every head of every layer, and how large the residual stream is on the way.
// Tested in tests/scene/block_test.cpp.
#pragma once

#include <array>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/interval.h"
#include "base/parallel.h"
#include "nn/block.h"
#include "nn/depth.h"
#include "scene/field.h"

namespace headlight::scene {

struct Scene;
struct Results;

/// What the page shows.
enum class BlockModel { stack, encoder_decoder };
enum class BlockNorm { pre, post, none };
/// GELU in its two forms: x Φ(x) itself, and the approximation by a hyperbolic tangent.
enum class BlockActivation { gelu, relu, gelu_tanh };
enum class BlockWeightsInit { xavier, normal };
/// What is drawn over the layers: how large the stream is, or how alike its tokens and how large its
/// gradient.
enum class BlockPlot { size, depth };
/// A stage of the selected layer that is shown large; `weights` are those of the selected head.
enum class BlockShown {
  weights,
  x,
  norm_1,
  attention,
  sum_1,
  norm_2,
  hidden,
  feed_forward,
  sum_2,
  final_norm
};
template <>
struct Words<BlockModel> {
  static constexpr const char* list[] = {"stack", "encoder_decoder"};
};
template <>
struct Words<BlockNorm> {
  static constexpr const char* list[] = {"pre", "post", "none"};
};
template <>
struct Words<BlockActivation> {
  static constexpr const char* list[] = {"gelu", "relu", "gelu_tanh"};
};
template <>
struct Words<BlockPlot> {
  static constexpr const char* list[] = {"size", "depth"};
};
template <>
struct Words<BlockWeightsInit> {
  static constexpr const char* list[] = {"xavier", "normal"};
};

template <>
struct Words<BlockShown> {
  static constexpr const char* list[] = {"weights", "x",      "norm_1",       "attention", "sum_1",
                                         "norm_2",  "hidden", "feed_forward", "sum_2",     "final_norm"};
};

struct BlockSettings {
  BlockModel model = BlockModel::stack;
  int layers = 6;
  BlockNorm norm = BlockNorm::pre;
  BlockActivation activation = BlockActivation::gelu;
  bool residual = true, feed_forward = true;
  bool causal = false;
  int widen = 4;
  BlockWeightsInit init = BlockWeightsInit::xavier;
  int layer = 1, head = 1;                 // selected, counted from 1; beyond the last: the last
  BlockShown shown = BlockShown::weights;  // of the selected layer; one that it has not: the weights
  BlockPlot plot = BlockPlot::size;
  bool operator==(const BlockSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, BlockSettings>
void fields(S& s, F&& visit) {
  constexpr Group g = Group::block;
  visit(Field{"block_model", "model",
              "a stack of blocks, or an encoder–decoder trained to write words backwards", g, 0, 0, false,
              true},
        s.model);
  visit(Field{"block_layers", "layers L", "blocks, one after the other", g, 1, 12, false, true}, s.layers);
  visit(Field{"block_causal", "causal (decoder)", "a token reads itself and those before it", g, 0, 0, false,
              true},
        s.causal);
  visit(Field{"block_norm", "norm", "before each sublayer (2020), after each sum (2017), or none", g, 0, 0,
              false, true},
        s.norm);
  visit(Field{"block_residual", "residual connections",
              "x + sublayer(x); without them each sublayer replaces the stream", g, 0, 0, false, true},
        s.residual);
  visit(Field{"block_feed_forward", "feed-forward layers", "without them a layer is attention alone", g, 0, 0,
              false, true},
        s.feed_forward);
  visit(Field{"block_activation", "activation",
              "between the two matrices of the feed-forward layer; gelu is x Φ(x)", g, 0, 0, false, true},
        s.activation);
  visit(Field{"block_widen", "widening", "width of the feed-forward layer: so many times d", g, 1, 8, false,
              true},
        s.widen);
  visit(Field{"block_init", "weights", "uniform after Xavier, or normal with 0.02 as in GPT-2", g, 0, 0,
              false, true},
        s.init);
  visit(Field{"block_layer", "layer shown", "counted from 1", g, 1, 12}, s.layer);
  visit(Field{"block_head", "head shown", "counted from 1", Group::none, 1, 1024}, s.head);
  visit(Field{"block_plot", "plot over the layers",
              "size: of the residual stream; depth: how alike tokens become, and the gradient", Group::none},
        s.plot);
  visit(Field{"block_stage", "stage shown", "the matrix of the block that is shown large", Group::none},
        s.shown);
}

/// In the order of the trace: what the pictures of a block show.
enum class BlockStage {
  input,
  attention_input,  // ln1(x) with pre, else x itself
  attention_output,
  attention_sum,    // x + attention
  after_attention,  // a
  ffn_input,        // ln2(a) with pre, else a itself; without feed-forward layers empty, up to ffn_sum
  activated,
  ffn_output,
  ffn_sum,  // a + feed-forward
  output
};
inline constexpr int block_stages = 10;

struct StageFigures {
  float largest = 0;  // magnitude
  double mean = 0, deviation = 0;
};

/// The weights of every head as small pictures, so that an overview of a thousand heads is a few sheets. A
/// pixel is the largest weight of the square of cells under it.
inline constexpr int most_tile_side = 48, heads_a_sheet = 32;
struct HeadTiles {
  int side = 0;                                 // min(T, most_tile_side)
  std::vector<std::vector<nn::Matrix>> sheets;  // [layers][⌈heads/32⌉], each [its heads · side, side]
  std::vector<base::Interval> allowed;          // [32 · side] of every sheet, as many as it has rows
};

struct BlockResults {
  int T = 0;                // tokens that go through the stack
  int tokens_left_out = 0;  // of those that the scene has
  int layers = 0;           // at most those asked for
  int layers_left_out = 0;
  nn::StackTrace<float> trace;
  std::vector<std::array<StageFigures, block_stages>> figures;  // [layers]
  StageFigures final_figures;
  std::vector<nn::StageStatistics> stream;  // input, after each sublayer, after the last norm
  bool final_norm = false;                  // with pre, and of a trained model wherever it has norms
  std::vector<nn::DepthFigures> depth;      // [layers + 1] input, after each layer; empty: too large a stack
  std::vector<nn::DepthFigures> other_depth;  // of the same stack with residual connections the other way
  HeadTiles tiles;
  float largest_weight = 0;  // of all heads of all layers
  std::size_t nonfinite = 0;

  /// `depth` of the stack with residual connections, or without; `residual`: what the stack itself has.
  const std::vector<nn::DepthFigures>& depth_with(bool wanted, bool residual) const {
    return wanted == residual ? depth : other_depth;
  }
  const nn::Matrix& stage(int layer, BlockStage which) const;  // layer counted from 0
  const StageFigures& figures_of(int layer, BlockStage which) const {
    return figures[static_cast<std::size_t>(layer)][static_cast<std::size_t>(which)];
  }
};

inline const nn::Matrix& BlockResults::stage(int layer, BlockStage which) const {
  const nn::BlockTrace<float>& t = trace.layers[static_cast<std::size_t>(layer)];
  const std::array<const nn::Matrix*, block_stages> all = {
      &t.input,     &t.attention_input, &t.attention.output, &t.attention_sum, &t.after_attention,
      &t.ffn_input, &t.activated,       &t.ffn_output,       &t.ffn_sum,       &t.output};
  return *all[static_cast<std::size_t>(which)];
}

/// What may be computed before the rest is left out and counted.
struct BlockLimits {
  double weights = 6e6, multiplications = 3e8, map_values = 3.3e7;
  int tokens = 128;
};
/// Of the Block page, which computes in the background when it does not fit into a frame: 160 MB of weights.
inline constexpr BlockLimits block_page_limits{4e7, 2e10, 3.3e7, 512};

/// Reports a fraction done, 0 … 1; false = no longer wanted.
using BlockProgress = std::function<bool(float)>;

/// The stack of scene.block, with weights of scene.seed, on x [T, d]. Layers and tokens beyond the limits are
/// left out and counted; one layer and eight tokens always remain. Null when `progress`, asked after each
/// layer, says so.
std::shared_ptr<const BlockResults> compute_stack(const Scene& scene, const nn::Matrix& x,
                                                  base::Parallel& parallel, const BlockLimits& limits = {},
                                                  const BlockProgress& progress = {});

/// The weights that compute_stack() made `stack` with, for the same scene; the last two are kept.
std::shared_ptr<const nn::StackWeights> stack_weights(const Scene& scene, const BlockResults& stack);

/// How many times as wide as d the feed-forward layers are: the setting, or a model's own d_ff / d, which may
/// be any fraction. As text, to three decimals.
double block_widening(const Scene& scene);
std::string widening_text(const Scene& scene);

/// For the scene's page `block`: the stack on results.x, the embeddings with their positions.
std::shared_ptr<const BlockResults> compute_block(const Scene& scene, const Results& results,
                                                  base::Parallel& parallel,
                                                  const BlockProgress& progress = {});

/// What compute_block() takes beside the layer that every page has, in the unit of work() in compute.h.
double block_work(const Scene& scene, int tokens);

}  // namespace headlight::scene
