// The settings of the Block page, and their one list.
#pragma once

#include <concepts>
#include <type_traits>

#include "scene/field.h"

namespace headlight::scene {

/// What the page shows.
enum class BlockModel { stack, encoder_decoder };
enum class BlockNorm { pre, post, none };
/// GELU in its two forms: x Φ(x), and its approximation with a hyperbolic tangent.
enum class BlockActivation { gelu, relu, gelu_tanh };
enum class BlockWeightsInit { xavier, normal };
/// What is plotted over the layers: the size of the stream, or the similarity of its tokens and the size of
/// its gradient.
enum class BlockPlot { size, depth };
/// The stage of the selected layer that is shown large; `weights` are those of the selected head. The stages
/// from `embedding` on exist only in other programs' models.
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
  final_norm,
  embedding,
  projected_in,
  scaled,
  with_positions,
  with_types,
  embedding_norm,
  q,
  k,
  v,
  q_norm,
  k_norm,
  q_rope,
  k_rope,
  context,
  norm_1_after,
  bypass,
  gate,
  gate_activated,
  up,
  norm_2_after,
  logits
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
  static constexpr const char* list[] = {"weights",
                                         "x",
                                         "norm_1",
                                         "attention",
                                         "sum_1",
                                         "norm_2",
                                         "hidden",
                                         "feed_forward",
                                         "sum_2",
                                         "final_norm",
                                         "embedding",
                                         "projected_in",
                                         "scaled",
                                         "with_positions",
                                         "with_types",
                                         "embedding_norm",
                                         "q",
                                         "k",
                                         "v",
                                         "q_norm",
                                         "k_norm",
                                         "q_rope",
                                         "k_rope",
                                         "context",
                                         "norm_1_after",
                                         "bypass",
                                         "gate",
                                         "gate_activated",
                                         "up",
                                         "norm_2_after",
                                         "logits"};
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
  int layer = 1, head = 1;  // selected, counted from 1; a number beyond the last selects the last
  BlockShown shown = BlockShown::weights;  // of the selected layer; the weights if it lacks this stage
  BlockPlot plot = BlockPlot::size;
  bool operator==(const BlockSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, BlockSettings>
void list_fields(S& s, F&& visit) {
  constexpr Group g = Group::own;
  visit(Field{"block_model", "Model", "a stack of blocks, or an encoder–decoder trained to reverse words", g,
              0, 0, false, true},
        s.model);
  visit(Field{"block_layers", "Layers L", "number of blocks", g, 1, 12, false, true}, s.layers);
  visit(Field{"block_causal", "Causal (decoder)", "a token attends to itself and to earlier tokens", g, 0, 0,
              false, true},
        s.causal);
  visit(Field{"block_norm", "Norm", "before each sublayer (2020), after each sum (2017), or nowhere", g, 0, 0,
              false, true},
        s.norm);
  visit(Field{"block_residual", "Residual connections",
              "x + sublayer(x); without them each sublayer replaces the stream", g, 0, 0, false, true},
        s.residual);
  visit(Field{"block_feed_forward", "Feed-forward layers", "without them a layer is attention alone", g, 0, 0,
              false, true},
        s.feed_forward);
  visit(Field{"block_activation", "Activation",
              "between the two matrices of the feed-forward layer; gelu is x Φ(x)", g, 0, 0, false, true},
        s.activation);
  visit(Field{"block_widen", "Expansion factor", "width of the feed-forward layer divided by d", g, 1, 8,
              false, true},
        s.widen);
  visit(Field{"block_init", "Initialization",
              "Xavier uniform, or normal with standard deviation 0.02 as in GPT-2", g, 0, 0, false, true},
        s.init);
  visit(Field{"block_layer", "Layer shown", "counted from 1", g, 1, 12}, s.layer);
  visit(Field{"block_head", "Head shown", "counted from 1", Group::none, 1, 1024}, s.head);
  visit(
      Field{"block_plot", "Plot over layers",
            "size of the residual stream, or depth: similarity of the tokens and the gradient", Group::none},
      s.plot);
  visit(Field{"block_stage", "Stage shown", "matrix of the block that is shown large", Group::none}, s.shown);
}

}  // namespace headlight::scene
