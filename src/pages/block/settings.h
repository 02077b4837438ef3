// The settings of the Block page, and their one list.
#pragma once

#include <concepts>
#include <type_traits>

#include "scene/field.h"
#include "train/model.h"

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
/// Where the colours of a stage end: at its own largest element, or at the largest of all stages of the
/// layer.
enum class BlockScale { own, common };
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
  static constexpr const char* labels[] = {"stack", "encoder–decoder"};
};
template <>
struct Words<BlockNorm> {
  static constexpr const char* list[] = {"pre", "post", "none"};
};
template <>
struct Words<BlockActivation> {
  static constexpr const char* list[] = {"gelu", "relu", "gelu_tanh"};
  static constexpr const char* labels[] = {"GELU", "ReLU", "GELU, tanh"};
};
template <>
struct Words<BlockPlot> {
  static constexpr const char* list[] = {"size", "depth"};
};
template <>
struct Words<BlockScale> {
  static constexpr const char* list[] = {"own", "common"};
};
template <>
struct Words<BlockWeightsInit> {
  static constexpr const char* list[] = {"xavier", "normal"};
  static constexpr const char* labels[] = {"Xavier", "normal 0.02"};
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
  BlockScale scale = BlockScale::own;
  bool operator==(const BlockSettings&) const = default;
};

/// "ReLU", "GELU", "GELU (tanh)"
constexpr const char* activation_name(BlockActivation activation) {
  return activation == BlockActivation::relu   ? "ReLU"
         : activation == BlockActivation::gelu ? "GELU"
                                               : "GELU (tanh)";
}

/// A model's own: the width of its feed-forward layers divided by d. It may be any fraction.
inline double expansion_factor(const nn::ModelConfig& config) {
  return static_cast<double>(config.d_ff) / config.d_model;
}

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, BlockSettings>
void list_fields(S& s, F&& visit) {
  constexpr Group g = Group::own;
  visit(Field{.name = "block_model",
              .label = "Model",
              .help = "a stack of blocks, or an encoder–decoder trained to reverse words",
              .group = g,
              .computes = true},
        s.model);
  visit(Field{.name = "block_layers",
              .label = "Layers L",
              .help = "number of blocks",
              .group = g,
              .min = 1,
              .max = 12,
              .computes = true,
              .given_by = own_model},
        s.layers);
  visit(Field{.name = "block_causal",
              .label = "Causal (decoder)",
              .help = "a token attends to itself and to earlier tokens",
              .group = g,
              .computes = true,
              .given_by = own_model},
        s.causal);
  visit(Field{.name = "block_norm",
              .label = "Norm",
              .help = "before each sublayer (2020), after each sum (2017), or nowhere",
              .group = g,
              .computes = true,
              .given_by = own_model},
        s.norm);
  visit(Field{.name = "block_residual",
              .label = "Residual connections",
              .help = "x + sublayer(x); without them each sublayer replaces the stream",
              .group = g,
              .computes = true,
              .given_by = own_model},
        s.residual);
  visit(Field{.name = "block_feed_forward",
              .label = "Feed-forward layers",
              .help = "without them a layer is attention alone",
              .group = g,
              .computes = true,
              .given_by = own_model},
        s.feed_forward);
  visit(Field{.name = "block_activation",
              .label = "Activation",
              .help = "between the two matrices of the feed-forward layer; gelu is x Φ(x)",
              .group = g,
              .computes = true,
              .given_by = own_model},
        s.activation);
  visit(Field{.name = "block_widen",
              .label = "Expansion factor",
              .help = "width of the feed-forward layer divided by d",
              .group = g,
              .min = 1,
              .max = 8,
              .computes = true,
              .given_by = own_model,
              .model_number = expansion_factor},
        s.widen);
  visit(Field{.name = "block_init",
              .label = "Initialization",
              .help = "Xavier uniform, or normal with standard deviation 0.02 as in GPT-2",
              .group = g,
              .computes = true},
        s.init);
  visit(Field{.name = "block_layer",
              .label = "Layer shown",
              .help = "counted from 1",
              .group = g,
              .min = 1,
              .max = 12,
              .to_the_last = true},
        s.layer);
  visit(Field{.name = "block_head", .label = "Head shown", .help = "counted from 1", .min = 1, .max = 1024},
        s.head);
  visit(Field{.name = "block_plot",
              .label = "Plot over layers",
              .help = "size of the residual stream, or depth: similarity of the tokens and the gradient"},
        s.plot);
  visit(
      Field{.name = "block_scale",
            .label = "Colour scale of stages",
            .help = "own: each stage up to its largest element; common: all up to the largest of the layer"},
      s.scale);
  visit(
      Field{.name = "block_stage", .label = "Stage shown", .help = "matrix of the block that is shown large"},
      s.shown);
}

}  // namespace headlight::scene
