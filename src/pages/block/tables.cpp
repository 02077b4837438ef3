// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <cmath>
#include <limits>

#include "pages/block/block.h"
#include "pages/block/encoder_decoder.h"
#include "pages/block/opened.h"
#include "pages/table_parts.h"
#include "tasks/reversal.h"

namespace headlight::scene {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

const BlockResults* block(const TableSource& s) {
  const auto* r = s.own<BlockResults>();
  return r && r->T > 0 ? r : nullptr;
}

Numbers opened_matrix(const TableSource& s, const OpenedStage& stage) {
  const nn::Matrix& m = opened_in(s)->values(stage);
  return view(m, {"token", "column"}, {token_names(s.results.tokens, m.rows()), {}});
}

MaybeNumbers opened_figures(const TableSource& s) {
  if (!opened_in(s)) return std::nullopt;
  Columns out{{"columns", "RMS", "largest magnitude"}, {}};
  Names names;
  for (const OpenedStage& one : opened_in(s)->list) {
    out.row(opened_in(s)->values(one).cols(), one.rms, one.largest);
    names.push_back(word(one.shown));
  }
  return out.take("stage", names);
}

int layer_shown(const TableSource& s) {
  return std::clamp(s.scene.block.layer, 1, block(s)->layers) - 1;
}

Names block_tokens(const TableSource& s) {
  return token_names(s.results.tokens, block(s)->T);
}

MaybeNumbers block_figures(const TableSource& s) {
  if (!block(s)) return std::nullopt;
  std::vector<double> values;
  for (const auto& layer : block(s)->statistics) {
    for (const ElementStatistics& stage : layer)
      values.insert(values.end(), {static_cast<double>(stage.largest), stage.mean, stage.deviation});
  }
  return own(std::move(values), {block(s)->statistics.size(), count(block_stages), 3},
             {"layer", "stage", "quantity"},
             {{},
              {"input", "attention input", "attention output", "attention sum", "after attention",
               "ffn input", "activated", "ffn output", "ffn sum", "output"},
              {"largest", "mean", "deviation"}});
}

template <BlockStage stage>
MaybeNumbers block_stage(const TableSource& s) {
  if (opened_in(s)) {
    const bool post = opened_in(s)->plan == nn::BlockPlan::post;
    return opened_matrix(s, *opened_in(s)->find(stage == BlockStage::input ? nn::NetworkStage::input
                                                : post                     ? nn::NetworkStage::norm_2
                                                                           : nn::NetworkStage::sum_2));
  }
  if (!block(s)) return std::nullopt;
  return view(block(s)->stage(layer_shown(s), stage), {"token", "column"}, {block_tokens(s), {}});
}

/// The stage of the stack that is shown large.
const nn::Matrix* shown_of_stack(const TableSource& s) {
  const int layer = layer_shown(s);
  if (s.scene.block.shown == BlockShown::final_norm)
    return block(s)->final_norm && layer + 1 == block(s)->layers ? &block(s)->trace.output : nullptr;
  const auto stage = stage_named(s.results.scene.block, s.scene.block.shown);
  return stage ? &block(s)->stage(layer, *stage) : nullptr;
}

/// The stage shown large; for the weights, the map.
MaybeNumbers stage_shown(const TableSource& s) {
  if (opened_in(s)) {
    const OpenedStage* stage = opened_in(s)->find(s.scene.block.shown);
    if (!stage) return std::nullopt;
    return opened_matrix(s, *stage);
  }
  const nn::Matrix* m = block(s) ? shown_of_stack(s) : nullptr;
  if (!m || m->empty()) return std::nullopt;
  return view(*m, {"token", "column"}, {block_tokens(s), {}});
}

/// The weights of every head of the layer on show.
MaybeNumbers block_weights(const TableSource& s) {
  if (opened_in(s)) {
    const Names tokens = token_names(s.results.tokens, s.results.attention.T);
    return view(s.results.attention.weights, {"head", "query", "key"}, {{}, tokens, tokens});
  }
  if (!block(s)) return std::nullopt;
  return view(block(s)->trace.layers[count(layer_shown(s))].attention.weights, {"head", "query", "key"},
              {{}, block_tokens(s), block_tokens(s)});
}

MaybeNumbers block_map(const TableSource& s) {
  if (!block(s) && !opened_in(s)) return std::nullopt;
  const nn::AttentionTrace& trace =
      opened_in(s) ? s.results.attention : block(s)->trace.layers[count(layer_shown(s))].attention;
  const Names tokens = token_names(s.results.tokens, trace.T);
  const float* from = trace.weights.plane(std::clamp(s.scene.block.head, 1, trace.heads) - 1);
  return own(std::vector<float>(from, from + count(trace.T) * count(trace.S)),
             {count(trace.T), count(trace.S)}, {"query", "key"}, {tokens, tokens});
}

const EncoderDecoderResults* pair(const TableSource& s) {
  const auto* r = s.own<EncoderDecoderResults>();
  return r && r->n > 0 ? r : nullptr;
}

/// One of the three attentions, of every layer and head.
template <std::vector<nn::Matrix> EncoderDecoderResults::*maps, Names EncoderDecoderResults::*queries,
          Names EncoderDecoderResults::*keys>
MaybeNumbers pair_weights(const TableSource& s) {
  if (!pair(s)) return std::nullopt;
  std::vector<float> values;
  for (const nn::Matrix& layer : pair(s)->*maps)
    values.insert(values.end(), layer.values().begin(), layer.values().end());
  const nn::Matrix& first = (pair(s)->*maps).front();
  return own(std::move(values),
             {(pair(s)->*maps).size(), count(first.depth()), count(first.rows()), count(first.cols())},
             {"layer", "head", "query", "key"}, {{}, {}, pair(s)->*queries, pair(s)->*keys});
}

MaybeNumbers pair_probabilities(const TableSource& s) {
  if (!pair(s)) return std::nullopt;
  Names all;
  for (int token = 0; token < nn::reversal_vocabulary; ++token) all.push_back(nn::reversal_token(token));
  return view(pair(s)->probabilities, {"after", "token"}, {pair(s)->target_names, all});
}

/// The decoded tokens, and the weight of the head on show on the source position n + 1 − t.
MaybeNumbers pair_decoded(const TableSource& s) {
  if (!pair(s)) return std::nullopt;
  const EncoderDecoderResults& r = *pair(s);
  const EncoderDecoderSettings& shown = s.scene.encoder_decoder;
  const nn::Matrix& cross = r.cross[count(r.layer(shown))];
  Columns out{{"token", "probability", "source position n + 1 − t", "cross-attention weight there"}, {}};
  for (int t = 1; t <= static_cast<int>(r.decoded.size()); ++t) {
    const int token = r.decoded[count(t - 1)], mirrored = r.mirrored(t);
    out.row(token, r.probabilities.at(t - 1, token), mirrored > 0 ? mirrored : none,
            mirrored > 0 ? static_cast<double>(cross.at(r.head(shown), t - 1, mirrored - 1)) : none);
  }
  return out.take("step", r.decoded_names);
}

MaybeNumbers pair_mirrored(const TableSource& s) {
  if (!s.own<EncoderDecoderResults>()) return std::nullopt;
  const EncoderDecoderResults& r = *s.own<EncoderDecoderResults>();
  Columns out{{"layer", "head", "mean weight on n + 1 − t", "steps with the largest weight there",
               "mean weight on <end> at step n + 1"},
              {}};
  for (std::size_t i = 0; i < r.score.mirrored.size(); ++i) {
    const nn::MirrorShare& share = r.score.mirrored[i];
    const std::size_t heads = count(r.settings.heads);
    out.row(i / heads + 1, i % heads + 1, share.weight, share.largest, share.end);
  }
  return out.take("head of a layer");
}

MaybeNumbers pair_score(const TableSource& s) {
  if (!s.own<EncoderDecoderResults>()) return std::nullopt;
  const EncoderDecoderResults& r = *s.own<EncoderDecoderResults>();
  return one_each({{"training steps", r.settings.training},
                   {"parameters", static_cast<double>(r.parameters)},
                   {"held-out words", r.score.words},
                   {"decoded exactly", r.score.exact},
                   {"held-out loss", r.score.loss},
                   {"this word is held out", r.held_out ? 1.0 : 0.0}});
}

MaybeNumbers block_stream(const TableSource& s) {
  if (!block(s) && !opened_in(s)) return std::nullopt;
  Columns out{{"mean", "variance", "norm", "standard deviation"}, {}};
  Names names;
  for (const nn::StageStatistics& stage : opened_in(s) ? opened_in(s)->stream : block(s)->stream) {
    out.row(stage.mean, stage.variance, stage.norm, std::sqrt(stage.variance));
    names.push_back(stage.stage);
  }
  return out.take("stage", names);
}

/// The depth statistics with and without residual connections, as in the plot.
MaybeNumbers block_depth(const TableSource& s) {
  if (!block(s) || block(s)->depth.empty()) return std::nullopt;
  std::vector<double> values;
  for (const bool residual : {true, false}) {
    for (const nn::DepthStatistics& f : block(s)->depth_with(residual, s.results.scene.block.residual))
      values.insert(values.end(), {f.similarity, f.spread, f.gradient});
  }
  Names depths = {"input"};
  for (std::size_t l = 1; l < block(s)->depth.size(); ++l)
    depths.push_back("after layer " + std::to_string(l));
  return own(
      std::move(values), {2, depths.size(), 3}, {"stack", "depth", "quantity"},
      {{"with residuals", "without residuals"}, depths, {"mean cosine of two tokens", "spread", "gradient"}});
}

}  // namespace

std::vector<Table> block_tables() {
  constexpr Page page = Page::block;
  return {
      {"block_figures", page, "flow", "largest magnitude, mean and standard deviation of every stage",
       block_figures},
      {"block_input", page, "flow", "input of the layer shown", block_stage<BlockStage::input>},
      {"block_output", page, "flow", "output of the layer shown", block_stage<BlockStage::output>},
      {"block_stages", page, "flow", "of an opened model: RMS and largest magnitude of every stage",
       opened_figures},
      {"block_map", page, "map", "weights of the head shown", block_map},
      {"block_stage", page, "map", "the stage shown large; none where it is the weights", stage_shown},
      {"block_weights", page, "overview", "weights of every head of the layer shown", block_weights},
      {"block_stream", page, "stream", "mean, variance, norm and standard deviation of the residual stream",
       block_stream},
      {"block_depth", page, "stream", "similarity of the tokens and the gradient, with and without residuals",
       block_depth},
      {"encdec_encoder", page, "encoder-decoder", "encoder self-attention: weights of every layer and head",
       pair_weights<&EncoderDecoderResults::encoder, &EncoderDecoderResults::source_names,
                    &EncoderDecoderResults::source_names>},
      {"encdec_masked", page, "encoder-decoder", "masked decoder self-attention, the same",
       pair_weights<&EncoderDecoderResults::masked, &EncoderDecoderResults::target_names,
                    &EncoderDecoderResults::target_names>},
      {"encdec_cross", page, "encoder-decoder",
       "cross-attention, the same: queries of the target, keys of the source",
       pair_weights<&EncoderDecoderResults::cross, &EncoderDecoderResults::target_names,
                    &EncoderDecoderResults::source_names>},
      {"encdec_probabilities", page, "decoding", "probability of every token at every decoding step",
       pair_probabilities},
      {"encdec_decoded", page, "decoding", "decoded tokens, and the weight on the mirrored source position",
       pair_decoded},
      {"encdec_mirrored", page, "mirrored", "cross-attention of every head on held-out words", pair_mirrored},
      {"encdec_score", page, "mirrored", "held-out words decoded exactly, loss, size", pair_score},
  };
}

}  // namespace headlight::scene
