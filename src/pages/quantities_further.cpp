// Figures of the Cost, Block and Training pages.
#include <algorithm>

#include "nn/cost.h"
#include "pages/block/block.h"
#include "pages/block/encoder_decoder.h"
#include "pages/cost/cost.h"
#include "pages/quantity_values.h"
#include "pages/training/training.h"

namespace headlight::scene {

namespace {

using F = const Figure&;
using S = const FigureSource&;

nn::Architecture architecture(F f) {
  const std::string_view of = f.word("of", "attention");
  return of == "recurrence"    ? nn::Architecture::recurrence
         : of == "convolution" ? nn::Architecture::convolution
         : of == "dilated"     ? nn::Architecture::dilated_convolution
         : of == "linear"      ? nn::Architecture::linear_attention
                               : nn::Architecture::self_attention;
}

template <class Pick>
double cost(F f, S s, Pick pick) {
  return s.results.cost ? static_cast<double>(pick(s.results.cost->of(architecture(f)))) : no_value;
}

const MemoryRow* memory_row(F f, S s) {
  if (!s.results.cost) return nullptr;
  for (const MemoryRow& row : s.results.cost->memory) {
    if (row.T == static_cast<std::uint64_t>(f.number("T", 512))) return &row;
  }
  return nullptr;
}

const BlockResults* block(S s) {
  return s.results.block.get();
}

const EncoderDecoderResults* pair(S s) {
  return s.results.encoder_decoder.get();
}

/// The head's measurement on held-out words; layer and head are those on show where none is named.
double mirrored(F f, S s, double nn::MirrorShare::*member) {
  if (!pair(s)) return no_value;
  const EncoderDecoderSettings& shown = s.scene.encoder_decoder;
  const int layer = f.number("layer", pair(s)->layer(shown) + 1) - 1,
            head = f.number("head", pair(s)->head(shown) + 1) - 1, heads = pair(s)->settings.heads;
  if (layer < 0 || layer >= pair(s)->settings.layers || head < 0 || head >= heads) return no_value;
  return pair(s)->score.mirrored[static_cast<std::size_t>(layer * heads + head)].*member;
}

/// A weight of the word that is decoded; query and key are counted from 1.
double pair_weight(F f, S s, std::vector<nn::Matrix> EncoderDecoderResults::*maps) {
  if (!pair(s) || pair(s)->n == 0) return no_value;
  const EncoderDecoderSettings& shown = s.scene.encoder_decoder;
  const int layer = f.number("layer", pair(s)->layer(shown) + 1) - 1;
  if (layer < 0 || layer >= static_cast<int>((pair(s)->*maps).size())) return no_value;
  return element((pair(s)->*maps)[static_cast<std::size_t>(layer)],
                 f.number("head", pair(s)->head(shown) + 1) - 1, f.number("query", pair(s)->step(shown)) - 1,
                 f.number("key", 1) - 1);
}

double stream(F f, S s, double nn::StageStatistics::*member) {
  const int stage = f.number("stage", 0);
  return block(s) && stage >= 0 && static_cast<std::size_t>(stage) < block(s)->stream.size()
             ? block(s)->stream[static_cast<std::size_t>(stage)].*member
             : no_value;
}

double depth(F f, S s, double nn::DepthFigures::*member) {
  if (!block(s) || block(s)->depth.empty()) return no_value;
  const bool own = s.results.scene.block.residual;
  const bool with = f.word("residuals", own ? "with" : "without") != "without";
  const int layer = f.number("layer", block(s)->layers);
  const auto& all = block(s)->depth_with(with, own);
  return layer >= 0 && static_cast<std::size_t>(layer) < all.size()
             ? all[static_cast<std::size_t>(layer)].*member
             : no_value;
}

const RunSnapshot* run(F f, S s) {
  const int n = f.number("run", 1) - 1;
  return s.training && n >= 0 && static_cast<std::size_t>(n) < s.training->runs.size()
             ? &s.training->runs[static_cast<std::size_t>(n)]
             : nullptr;
}

double last(const std::vector<CurvePoint>& curve) {
  return curve.empty() ? no_value : static_cast<double>(curve.back().value);
}

template <class Pick>
double label(F f, S s, Pick pick) {
  const RunSnapshot* r = run(f, s);
  if (!r) return no_value;
  for (const HeadLabel& one : r->labels) {
    if (one.layer == f.number("layer", 1) - 1 && one.head == f.number("head", 1) - 1)
      return static_cast<double>(pick(one));
  }
  return no_value;
}

double at_length(F f, S s, double LengthPoint::*member) {
  const RunSnapshot* r = run(f, s);
  if (!r) return no_value;
  for (const LengthPoint& p : r->lengths) {
    if (p.length == f.number("length", r->config.context) && p.possible) return p.*member;
  }
  return no_value;
}

/// Without layer and head: of the model with every head.
double without_head(F f, S s) {
  const RunSnapshot* r = run(f, s);
  if (!r || r->pruning.step < 0) return no_value;
  const int layer = f.number("layer", 0), head = f.number("head", 0);
  if (layer == 0 && head == 0) return r->pruning.score;
  for (const PrunedHead& one : r->pruning.alone) {
    if (one.layer == layer - 1 && one.head == head - 1) return one.score;
  }
  return no_value;
}

double removed_in_turn(F f, S s) {
  const RunSnapshot* r = run(f, s);
  const int removed = f.number("removed", 1);
  if (!r || r->pruning.greedy.empty()) return no_value;
  if (removed == 0) return r->pruning.score;
  return removed > 0 && static_cast<std::size_t>(removed) <= r->pruning.greedy.size()
             ? r->pruning.greedy[static_cast<std::size_t>(removed - 1)].score
             : no_value;
}

constexpr double bytes_of_mib = 1024.0 * 1024.0, bytes_of_gib = bytes_of_mib * 1024;

constexpr FigureInfo list[] = {
    // Cost
    {"operations", "of", "n²d, n d² or k n d²; of attention, recurrence, convolution, dilated or linear",
     [](F f, S s) { return cost(f, s, [](auto& r) { return r.cost.leading; }); }},
    {"multiplications", "of", "multiply-adds of the loops, without the projections",
     [](F f, S s) { return cost(f, s, [](auto& r) { return r.cost.multiplications; }); }},
    {"projections", "of", "multiply-adds by W_Q, W_K, W_V and W_O, 4 n d²; 0 where there are none",
     [](F f, S s) { return cost(f, s, [](auto& r) { return r.cost.projections; }); }},
    {"layer_multiplications", "of", "multiply-adds of the whole layer",
     [](F f, S s) { return cost(f, s, [](auto& r) { return r.cost.whole(); }); }},
    {"layer_flop", "of", "floating-point operations of the whole layer, two for each multiply-add",
     [](F f, S s) { return cost(f, s, [](auto& r) { return 2 * r.cost.whole(); }); }},
    {"heads_multiplications", "", "multiply-adds of the whole layer with as many heads as are set",
     [](F, S s) { return s.results.cost ? double(s.results.cost->heads.many.multiplications) : no_value; }},
    {"heads_exponentials", "", "exponentials of its softmax, h n²",
     [](F, S s) { return s.results.cost ? double(s.results.cost->heads.many.exponentials) : no_value; }},
    {"one_head_exponentials", "", "the same of one head as wide as all of them",
     [](F, S s) { return s.results.cost ? double(s.results.cost->heads.one.exponentials) : no_value; }},
    {"counted_as_run", "of", "1 when running the loops gives the formula's count",
     [](F f, S s) { return cost(f, s, [](auto& r) { return r.agrees() ? 1 : 0; }); }},
    {"steps", "of", "operations that wait for one another",
     [](F f, S s) { return cost(f, s, [](auto& r) { return r.cost.sequential; }); }},
    {"longest_path", "of",
     "the most hops, steps or layers between two positions that have a path; 0: none have one",
     [](F f, S s) { return cost(f, s, [](auto& r) { return r.cost.longest_path; }); }},
    {"hops", "of", "hops from the chosen position to the other; 0: no path, or the same position",
     [](F f, S s) {
       return s.results.cost ? double(s.results.cost->path(architecture(f)).size()) : no_value;
     }},
    {"layers_to_meet", "", "stacked convolutions until one unit sees both positions",
     [](F, S s) { return s.results.cost ? double(s.results.cost->layers_to_meet) : no_value; }},
    {"linear_operations", "", "multiplications of linear attention in one head, 2 n d²",
     [](F, S s) {
       return double(nn::linear_attention_multiplications({s.scene.cost.n, s.scene.cost.d, s.scene.cost.k}));
     }},
    {"map_mib", "T", "MiB of one map of T × T",
     [](F f, S s) { return memory_row(f, s) ? double(memory_row(f, s)->one_map) / bytes_of_mib : no_value; }},
    {"maps_gib", "T", "GiB of the maps of all heads and layers",
     [](F f, S s) {
       return memory_row(f, s) ? double(memory_row(f, s)->all_maps) / bytes_of_gib : no_value;
     }},
    {"tiled_mib", "T", "MiB that tiled attention keeps instead",
     [](F f, S s) { return memory_row(f, s) ? double(memory_row(f, s)->tiled) / bytes_of_mib : no_value; }},
    {"longest_in_gib", "gib", "the longest sequence whose maps fit into 8, 24 or 80 GiB",
     [](F f, S s) {
       if (!s.results.cost) return no_value;
       for (const MemoryWall& wall : s.results.cost->walls)
         if (wall.gib == f.number("gib", 80)) return double(wall.T);
       return no_value;
     }},
    {"tiled_difference", "", "largest difference between tiled and dense attention, both run",
     [](F, S s) { return s.results.cost ? s.results.cost->check.largest_difference : no_value; }},
    // Block
    {"block_layers_shown", "", "layers of the stack",
     [](F, S s) { return block(s) ? double(block(s)->layers) : no_value; }},
    {"stream_norm", "stage", "mean length of a token's vector; stage 0 is the input",
     [](F f, S s) { return stream(f, s, &nn::StageStatistics::norm); }},
    {"stream_variance", "stage", "mean variance within a token",
     [](F f, S s) { return stream(f, s, &nn::StageStatistics::variance); }},
    {"depth_cosine", "layer residuals",
     "mean cosine of two tokens after a layer, 0 is the input; residuals=with or without",
     [](F f, S s) { return depth(f, s, &nn::DepthFigures::similarity); }},
    {"depth_spread", "layer residuals", "distance of the tokens from their mean as a share of their norm",
     [](F f, S s) { return depth(f, s, &nn::DepthFigures::spread); }},
    {"depth_gradient", "layer residuals",
     "norm of the gradient of a random direction of norm about 1 at the end",
     [](F f, S s) { return depth(f, s, &nn::DepthFigures::gradient); }},
    {"block_head_weight", "layer head query key", "a weight of a head of the stack",
     [](F f, S s) {
       const int layer = f.number("layer", s.scene.block.layer) - 1;
       if (!block(s) || layer < 0 || layer >= block(s)->layers) return no_value;
       return element(block(s)->trace.layers[static_cast<std::size_t>(layer)].attention.weights,
                      f.number("head", s.scene.block.head) - 1, f.number("query", 0), f.number("key", 0));
     }},
    {"encdec_exact", "",
     "share of held-out words that the encoder–decoder writes backwards, letter for letter",
     [](F, S s) { return pair(s) ? double(pair(s)->score.exact) / pair(s)->score.words : no_value; }},
    {"encdec_loss", "", "its loss on held-out words",
     [](F, S s) { return pair(s) ? pair(s)->score.loss : no_value; }},
    {"encdec_mirrored", "layer head",
     "mean cross-attention weight of step t on source position n + 1 − t, over held-out words",
     [](F f, S s) { return mirrored(f, s, &nn::MirrorShare::weight); }},
    {"encdec_largest", "layer head", "share of those steps whose largest weight is there",
     [](F f, S s) { return mirrored(f, s, &nn::MirrorShare::largest); }},
    {"encdec_end", "layer head", "mean cross-attention weight on <end> at the step that must decode <end>",
     [](F f, S s) { return mirrored(f, s, &nn::MirrorShare::end); }},
    {"encdec_held_out", "", "1: training never sees the word that is decoded; 0: it may",
     [](F, S s) { return pair(s) && pair(s)->n > 0 ? double(pair(s)->held_out) : no_value; }},
    {"encdec_right", "", "decoded tokens of the word before the first wrong one",
     [](F, S s) { return pair(s) && pair(s)->n > 0 ? double(pair(s)->right) : no_value; }},
    {"encdec_probability", "step", "probability of the token that is decoded at a step",
     [](F f, S s) {
       if (!pair(s) || pair(s)->n == 0) return no_value;
       const int step = f.number("step", pair(s)->step(s.scene.encoder_decoder));
       if (step < 1 || step > static_cast<int>(pair(s)->candidates.size())) return no_value;
       return pair(s)->candidates[static_cast<std::size_t>(step - 1)].front().probability;
     }},
    {"encdec_encoder_weight", "layer head query key",
     "a weight of the encoder's self-attention; query and key from 1",
     [](F f, S s) { return pair_weight(f, s, &EncoderDecoderResults::encoder); }},
    {"encdec_masked_weight", "layer head query key",
     "a weight of the decoder's masked self-attention; query and key from 1",
     [](F f, S s) { return pair_weight(f, s, &EncoderDecoderResults::masked); }},
    {"encdec_cross_weight", "layer head query key",
     "a weight of the cross-attention; query is the decoding step, key the source position, from 1",
     [](F f, S s) { return pair_weight(f, s, &EncoderDecoderResults::cross); }},
    // Training
    {"training_step", "run", "steps that a run has made",
     [](F f, S s) { return run(f, s) ? double(run(f, s)->step) : no_value; }},
    {"training_loss", "run", "newest loss on training batches",
     [](F f, S s) { return run(f, s) ? last(run(f, s)->loss) : no_value; }},
    {"validation_loss", "run", "newest loss on held-out sequences",
     [](F f, S s) { return run(f, s) ? last(run(f, s)->validation) : no_value; }},
    {"training_score", "run", "newest score on held-out sequences, 0 to 1",
     [](F f, S s) { return run(f, s) ? last(run(f, s)->score) : no_value; }},
    {"length_score", "run length", "score at another length, at the end of a run, 0 to 1",
     [](F f, S s) { return at_length(f, s, &LengthPoint::score); }},
    {"length_loss", "run length", "held-out loss at another length",
     [](F f, S s) { return at_length(f, s, &LengthPoint::loss); }},
    {"removed_score", "run layer head",
     "score with one head removed, without layer and head with every head; with training_plot=pruning",
     without_head},
    {"removed_in_turn_score", "run removed",
     "score with so many heads removed in turn, each the one that leaves the highest score", removed_in_turn},
    {"repair_loss", "of",
     "two relations, two heads, held out, with none, places, bias, contents, width, places+bias, "
     "bias+contents, places+contents or all repaired",
     [](F f, S s) {
       const std::string begins = "2 heads, repaired " + std::string(f.word("of", "all")) + ",";
       if (!s.training) return no_value;
       for (const TrainingVerdict& v : s.training->verdicts) {
         if (v.what.rfind(begins, 0) == 0) return v.ours;
       }
       return no_value;
     }},
    {"chance_loss", "", "loss of a model that guesses",
     [](F, S s) {
       return s.training && s.training->baseline_loss > 0 ? s.training->baseline_loss : no_value;
     }},
    {"label_score", "run layer head", "how well the name of a trained head fits, 0 to 1",
     [](F f, S s) { return label(f, s, [](auto& one) { return one.score; }); }},
};

}  // namespace

std::span<const FigureInfo> further_figures() {
  return list;
}

}  // namespace headlight::scene
