// The quantities of the page: its numbers by name.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

#include "nn/cost.h"
#include "pages/block/block.h"
#include "pages/block/encoder_decoder.h"
#include "pages/block/opened.h"
#include "pages/quantity_values.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;

using S = const QuantitySource&;

const BlockResults* block(S s) {
  return s.own<BlockResults>();
}

/// The stage that the argument names, or the one shown large.
const OpenedStage* opened_stage(Q q, S s) {
  if (!opened_in(s)) return nullptr;
  const std::string_view name = q.word("of", word(s.scene.block.shown));
  for (const OpenedStage& one : opened_in(s)->list) {
    if (name == word(one.shown)) return &one;
  }
  return nullptr;
}

double of_stage(Q q, S s, double OpenedStage::*member) {
  const OpenedStage* stage = opened_stage(q, s);
  return stage ? stage->*member : no_value;
}

/// The layer of the stack that the argument names, or the one shown, counted from 0; −1: there is none.
int layer_of(Q q, S s) {
  if (!block(s)) return -1;
  const int layer = q.number("layer", std::clamp(s.scene.block.layer, 1, std::max(1, block(s)->layers)));
  return layer >= 1 && layer <= block(s)->layers ? layer - 1 : -1;
}

/// The head that the argument names, or the one shown, counted from 0.
int block_head_of(Q q, S s, int heads) {
  return q.number("head", std::clamp(s.scene.block.head, 1, std::max(1, heads))) - 1;
}

/// Of a stage of the stack: the one that the argument names, or the one shown large.
const ElementStatistics* statistics(Q q, S s) {
  const int layer = layer_of(q, s);
  if (layer < 0 || block(s)->T == 0) return nullptr;
  const std::string_view name = q.word("of", word(s.scene.block.shown));
  if (name == word(BlockShown::final_norm))
    return block(s)->final_norm && layer + 1 == block(s)->layers ? &block(s)->final_statistics : nullptr;
  for (std::size_t i = 0; i < std::size(Words<BlockShown>::list); ++i) {
    if (name != Words<BlockShown>::list[i]) continue;
    const auto stage = stage_named(s.results.scene.block, static_cast<BlockShown>(i));
    return stage ? &block(s)->statistics_of(layer, *stage) : nullptr;
  }
  return nullptr;
}

const EncoderDecoderResults* pair(S s) {
  return s.own<EncoderDecoderResults>();
}

/// The head's measurement on held-out words; layer and head on show unless arguments name others.
double mirrored(Q q, S s, double nn::MirrorShare::*member) {
  if (!pair(s)) return no_value;
  const EncoderDecoderSettings& shown = s.scene.encoder_decoder;
  const int layer = q.number("layer", pair(s)->layer(shown) + 1) - 1,
            head = q.number("head", pair(s)->head(shown) + 1) - 1, heads = pair(s)->settings.heads;
  if (layer < 0 || layer >= pair(s)->settings.layers || head < 0 || head >= heads) return no_value;
  return pair(s)->score.mirrored[static_cast<std::size_t>(layer * heads + head)].*member;
}

/// A weight for the decoded word.
double pair_weight(Q q, S s, std::vector<nn::Matrix> EncoderDecoderResults::*maps) {
  if (!pair(s) || pair(s)->n == 0) return no_value;
  const EncoderDecoderSettings& shown = s.scene.encoder_decoder;
  const int layer = q.number("layer", pair(s)->layer(shown) + 1) - 1;
  if (layer < 0 || layer >= static_cast<int>((pair(s)->*maps).size())) return no_value;
  return element((pair(s)->*maps)[static_cast<std::size_t>(layer)],
                 q.number("head", pair(s)->head(shown) + 1) - 1,
                 q.number("query", pair(s)->step(shown)) - q.info->first_token,
                 q.number("key", q.info->first_token) - q.info->first_token);
}

double stream(Q q, S s, double nn::StageStatistics::*member) {
  const int stage = q.number("stage", 0);
  const std::vector<nn::StageStatistics>* all = block(s)       ? &block(s)->stream
                                                : opened_in(s) ? &opened_in(s)->stream
                                                               : nullptr;
  return all && stage >= 0 && static_cast<std::size_t>(stage) < all->size()
             ? (*all)[static_cast<std::size_t>(stage)].*member
             : no_value;
}

double depth(Q q, S s, double nn::DepthStatistics::*member) {
  if (!block(s) || block(s)->depth.empty()) return no_value;
  const bool own = s.results.scene.block.residual;
  const bool with = q.word("residuals", own ? "with" : "without") != "without";
  const int layer = q.number("layer", block(s)->layers);
  const auto& all = block(s)->depth_with(with, own);
  return layer >= 0 && static_cast<std::size_t>(layer) < all.size()
             ? all[static_cast<std::size_t>(layer)].*member
             : no_value;
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"block_layers_shown", "Layers of the stack", whole_form, "", "layers of the stack",
     [](Q, S s) {
       return block(s) ? double(block(s)->layers) : opened_in(s) ? double(opened_in(s)->layers) : no_value;
     }},
    {"stream_norm", "Mean norm of a token", significant(3), "stage",
     "mean norm of a token’s vector; stage 0 is the input; for an opened model, stage n is the output of "
     "layer n",
     [](Q q, S s) { return stream(q, s, &nn::StageStatistics::norm); }},
    {"stream_variance", "Mean variance in a token", significant(4), "stage",
     "mean variance of the components of a token",
     [](Q q, S s) { return stream(q, s, &nn::StageStatistics::variance); }},
    {"depth_cosine", "Mean cosine of two tokens", decimals(4), "layer residuals",
     "mean cosine of two tokens after a layer, 0 is the input; residuals=with or without",
     [](Q q, S s) { return depth(q, s, &nn::DepthStatistics::similarity); }},
    {"depth_spread", "Spread of the tokens", significant(3), "layer residuals",
     "distance of the tokens from their mean as a share of their norm",
     [](Q q, S s) { return depth(q, s, &nn::DepthStatistics::spread); }},
    {"depth_gradient", "Norm of the gradient", significant(3), "layer residuals",
     "norm of ∂L/∂X after a layer; L is the component of the last output along a random direction of norm "
     "about 1",
     [](Q q, S s) { return depth(q, s, &nn::DepthStatistics::gradient); }},
    {"block_head_weight", "Attention weight", weight_form(3), "layer head query key",
     "a weight of a head of the stack",
     [](Q q, S s) {
       if (opened_in(s)) {
         if (q.number("layer", opened_in(s)->layer + 1) != opened_in(s)->layer + 1) return no_value;
         return element(s.results.attention.weights, block_head_of(q, s, s.results.attention.heads),
                        q.number("query", 0), q.number("key", 0));
       }
       const int layer = layer_of(q, s);
       if (layer < 0) return no_value;
       const nn::AttentionTrace& trace = block(s)->trace.layers[static_cast<std::size_t>(layer)].attention;
       return element(trace.weights, block_head_of(q, s, trace.heads), q.number("query", 0),
                      q.number("key", 0));
     }},
    {"block_stage_rms", "RMS of a stage", significant(3), "of",
     "for a layer of an opened model: mean over the tokens of the root mean square of a stage’s components; "
     "of=norm_1, …; default: the stage shown large",
     [](Q q, S s) { return of_stage(q, s, &OpenedStage::rms); }},
    {"block_stage_largest", "Largest magnitude of a stage", significant(3), "of layer",
     "largest magnitude of a stage of a layer; of=x, norm_1, attention, …; default: the stage shown large; "
     "for an opened model only the layer shown",
     [](Q q, S s) {
       if (const ElementStatistics* one = statistics(q, s)) return static_cast<double>(one->largest);
       if (opened_in(s) && q.number("layer", opened_in(s)->layer + 1) != opened_in(s)->layer + 1)
         return no_value;
       return of_stage(q, s, &OpenedStage::largest);
     }},
    {"block_stage_mean", "Mean of a stage", significant(3), "of layer",
     "mean of the components of a stage, in a layer of the stack",
     [](Q q, S s) { return statistics(q, s) ? statistics(q, s)->mean : no_value; }},
    {"block_stage_deviation", "Standard deviation of a stage", weight_form(3), "of layer",
     "standard deviation of the components of a stage, in a layer of the stack",
     [](Q q, S s) { return statistics(q, s) ? statistics(q, s)->deviation : no_value; }},
    {"encdec_exact", "Share of held-out words reversed exactly", percent(1), "",
     "share of held-out words that the encoder–decoder reverses exactly",
     [](Q, S s) { return pair(s) ? double(pair(s)->score.exact) / pair(s)->score.words : no_value; }},
    {"encdec_loss", "Held-out loss", significant(3), "", "loss of the encoder–decoder on held-out words",
     [](Q, S s) { return pair(s) ? pair(s)->score.loss : no_value; }},
    {"encdec_mirrored", "Mean weight on the mirrored position", decimals(3), "layer head",
     "mean cross-attention weight of step t on source position n + 1 − t, over held-out words",
     [](Q q, S s) { return mirrored(q, s, &nn::MirrorShare::weight); }},
    {"encdec_largest", "Share of steps with the largest weight there", decimals(3), "layer head",
     "share of steps whose largest weight is on source position n + 1 − t",
     [](Q q, S s) { return mirrored(q, s, &nn::MirrorShare::largest); }},
    {"encdec_end", "Mean weight on <end> at the last step", decimals(3), "layer head",
     "mean cross-attention weight on <end> at the step that must decode <end>",
     [](Q q, S s) { return mirrored(q, s, &nn::MirrorShare::end); }},
    {"encdec_held_out", "Word held out from training", whole_form, "",
     "1 if the decoded word is held out from training, 0 if it may occur in training",
     [](Q, S s) { return pair(s) && pair(s)->n > 0 ? double(pair(s)->held_out) : no_value; }},
    {"encdec_right", "Right tokens before the first wrong one", whole_form, "",
     "decoded tokens of the word before the first wrong one",
     [](Q, S s) { return pair(s) && pair(s)->n > 0 ? double(pair(s)->right) : no_value; }},
    {"encdec_probability", "Probability of the decoded token", weight_form(3), "step",
     "probability of the token that is decoded at a step",
     [](Q q, S s) {
       if (!pair(s) || pair(s)->n == 0) return no_value;
       const int step = q.number("step", pair(s)->step(s.scene.encoder_decoder));
       if (step < 1 || step > static_cast<int>(pair(s)->candidates.size())) return no_value;
       return pair(s)->candidates[static_cast<std::size_t>(step - 1)].front().probability;
     }},
    {"encdec_encoder_weight", "Weight of encoder self-attention", weight_form(3), "layer head query key",
     "a weight of the encoder’s self-attention; query and key from 1",
     [](Q q, S s) { return pair_weight(q, s, &EncoderDecoderResults::encoder); }, "", 1},
    {"encdec_masked_weight", "Weight of masked self-attention", weight_form(3), "layer head query key",
     "a weight of the decoder’s masked self-attention; query and key from 1",
     [](Q q, S s) { return pair_weight(q, s, &EncoderDecoderResults::masked); }, "", 1},
    {"encdec_cross_weight", "Weight of cross-attention", weight_form(3), "layer head query key",
     "a weight of the cross-attention; query is the decoding step, key the source position, from 1",
     [](Q q, S s) { return pair_weight(q, s, &EncoderDecoderResults::cross); }, "", 1},
    {"stream_mean", "Mean of the residual stream", significant(3), "stage",
     "mean of the components of a stage; stage 0 is the input",
     [](Q q, S s) { return stream(q, s, &nn::StageStatistics::mean); }},
    {"stream_deviation", "Standard deviation of the residual stream", significant(3), "stage",
     "root of the mean variance of the components of a token; stage 0 is the input",
     [](Q q, S s) { return std::sqrt(stream(q, s, &nn::StageStatistics::variance)); }},
    {"block_widening", "Expansion factor", compact_form, "",
     "width of the feed-forward layers divided by d_model",
     [](Q, S s) {
       if (!block(s)) return no_value;
       const TrainedModel* model = s.results.model.get();
       return model ? expansion_factor(model->config) : static_cast<double>(s.results.scene.block.widen);
     }},
    {"block_largest_weight", "Largest weight of the stack", weight_form(3), "",
     "largest weight of all heads of all layers",
     [](Q, S s) { return block(s) ? double(block(s)->largest_weight) : no_value; }},
    {"layer_largest_weight", "Largest weight of the layer", weight_form(3), "",
     "largest weight of all heads of the layer of an opened model",
     [](Q, S s) { return opened_in(s) ? opened_in(s)->largest_weight : no_value; }},
    {"block_head_entropy", "Mean entropy of a head", decimals(2), "head",
     "mean entropy of the rows of a head of the layer of an opened model",
     [](Q q, S s) {
       const int head = block_head_of(q, s, static_cast<int>(s.results.heads.size()));
       const bool there =
           opened_in(s) && head >= 0 && static_cast<std::size_t>(head) < s.results.heads.size();
       return there ? s.results.heads[static_cast<std::size_t>(head)].entropy_bits : no_value;
     },
     "bits"},
    {"encdec_parameters", "Parameters", whole_form, "", "trained parameters of the encoder–decoder",
     [](Q, S s) { return pair(s) ? double(pair(s)->parameters) : no_value; }},
    {"encdec_words", "Held-out words", whole_form, "", "words held out from training and decoded as a test",
     [](Q, S s) { return pair(s) ? double(pair(s)->score.words) : no_value; }},
    {"encdec_exact_words", "Held-out words reversed exactly", whole_form, "",
     "held-out words that are reversed exactly",
     [](Q, S s) { return pair(s) ? double(pair(s)->score.exact) : no_value; }},
};

}  // namespace

std::span<const QuantityInfo> block_quantities() {
  return list;
}

}  // namespace headlight::scene
