// The tables of the Block, Head bench and Training page.
#include <algorithm>
#include <limits>

#include "nn/reversal.h"
#include "pages/block/block.h"
#include "pages/block/encoder_decoder.h"
#include "pages/head_bench/head_bench.h"
#include "pages/table_parts.h"
#include "pages/training/training.h"

namespace headlight::scene {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

const BlockResults* block(const TableSource& s) {
  return s.results.block && s.results.block->T > 0 ? s.results.block.get() : nullptr;
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
  for (const auto& layer : block(s)->figures) {
    for (const StageFigures& stage : layer)
      values.insert(values.end(), {static_cast<double>(stage.largest), stage.mean, stage.deviation});
  }
  return own(std::move(values), {block(s)->figures.size(), count(block_stages), 3},
             {"layer", "stage", "quantity"},
             {{},
              {"input", "attention input", "attention output", "attention sum", "after attention",
               "ffn input", "activated", "ffn output", "ffn sum", "output"},
              {"largest", "mean", "deviation"}});
}

template <BlockStage stage>
MaybeNumbers block_stage(const TableSource& s) {
  if (!block(s)) return std::nullopt;
  return view(block(s)->stage(layer_shown(s), stage), {"token", "column"}, {block_tokens(s), {}});
}

/// Of the layer on show, every head.
MaybeNumbers block_weights(const TableSource& s) {
  if (!block(s)) return std::nullopt;
  return view(block(s)->trace.layers[count(layer_shown(s))].attention.weights, {"head", "query", "key"},
              {{}, block_tokens(s), block_tokens(s)});
}

MaybeNumbers block_map(const TableSource& s) {
  if (!block(s)) return std::nullopt;
  const nn::AttentionTrace& trace = block(s)->trace.layers[count(layer_shown(s))].attention;
  const float* from = trace.weights.plane(std::clamp(s.scene.block.head, 1, trace.heads) - 1);
  return own(std::vector<float>(from, from + count(trace.T) * count(trace.S)),
             {count(trace.T), count(trace.S)}, {"query", "key"}, {block_tokens(s), block_tokens(s)});
}

const EncoderDecoderResults* pair(const TableSource& s) {
  return s.results.encoder_decoder && s.results.encoder_decoder->n > 0 ? s.results.encoder_decoder.get()
                                                                       : nullptr;
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

/// What was decoded, and where the head on show looked for it.
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
  if (!s.results.encoder_decoder) return std::nullopt;
  const EncoderDecoderResults& r = *s.results.encoder_decoder;
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
  if (!s.results.encoder_decoder) return std::nullopt;
  const EncoderDecoderResults& r = *s.results.encoder_decoder;
  return quantities({{"training steps", r.settings.training},
                     {"parameters", static_cast<double>(r.parameters)},
                     {"held-out words", r.score.words},
                     {"decoded exactly", r.score.exact},
                     {"held-out loss", r.score.loss},
                     {"this word is held out", r.held_out ? 1.0 : 0.0}});
}

MaybeNumbers block_stream(const TableSource& s) {
  if (!block(s)) return std::nullopt;
  Columns out{{"mean", "variance", "norm"}, {}};
  Names names;
  for (const nn::StageStatistics& stage : block(s)->stream) {
    out.row(stage.mean, stage.variance, stage.norm);
    names.push_back(stage.stage);
  }
  return out.take("stage", names);
}

/// With residual connections and without, as the picture has them.
MaybeNumbers block_depth(const TableSource& s) {
  if (!block(s) || block(s)->depth.empty()) return std::nullopt;
  std::vector<double> values;
  for (const bool residual : {true, false}) {
    for (const nn::DepthFigures& f : block(s)->depth_with(residual, s.results.scene.block.residual))
      values.insert(values.end(), {f.similarity, f.spread, f.gradient});
  }
  Names depths = {"input"};
  for (std::size_t l = 1; l < block(s)->depth.size(); ++l)
    depths.push_back("after layer " + std::to_string(l));
  return own(
      std::move(values), {2, depths.size(), 3}, {"stack", "depth", "quantity"},
      {{"with residuals", "without residuals"}, depths, {"mean cosine of two tokens", "spread", "gradient"}});
}

const BenchResults* bench(const TableSource& s) {
  return s.results.bench.get();
}

/// The layer that head A is in.
const nn::AttentionTrace& bench_trace(const TableSource& s) {
  return bench(s)->stack ? bench(s)->stack->trace.layers[count(bench(s)->layer_a)].attention
                         : s.results.attention;
}

Names bench_tokens(const TableSource& s) {
  return token_names(s.results.tokens, bench_trace(s).T);
}

MaybeNumbers bench_a(const TableSource& s) {
  if (!bench(s) || bench_trace(s).T == 0) return std::nullopt;
  const nn::AttentionTrace& trace = bench_trace(s);
  const float* from = trace.weights.plane(bench(s)->a);
  return own(std::vector<float>(from, from + count(trace.T) * count(trace.S)),
             {count(trace.T), count(trace.S)}, {"query", "key"}, {bench_tokens(s), bench_tokens(s)});
}

template <nn::Matrix BenchResults::*member>
MaybeNumbers bench_map(const TableSource& s) {
  if (!bench(s) || (bench(s)->*member).empty()) return std::nullopt;
  return view(bench(s)->*member, {"query", "key"}, {bench_tokens(s), bench_tokens(s)});
}

MaybeNumbers bench_similarity(const TableSource& s) {
  if (!bench(s) || bench(s)->similarity.empty()) return std::nullopt;
  return view(bench(s)->similarity, {"head of A's layer", "head of B's layer"});
}

MaybeNumbers bench_roles(const TableSource& s) {
  if (!bench(s) || bench(s)->roles.empty()) return std::nullopt;
  Columns out{{"previous", "next", "first", "diagonal", "same token"}, {}};
  for (const nn::HeadRoles& r : bench(s)->roles)
    out.row(r.previous, r.next, r.first, r.diagonal, r.same_token);
  return out.take("head");
}

MaybeNumbers bench_effects(const TableSource& s) {
  if (!bench(s) || bench(s)->effects.empty()) return std::nullopt;
  Columns out{{"change without it", "share"}, {}};
  for (const nn::HeadEffect& e : bench(s)->effects) out.row(e.change, e.share);
  return out.take("head");
}

MaybeNumbers bench_tokens_change(const TableSource& s) {
  if (!bench(s) || bench(s)->token_change.empty()) return std::nullopt;
  Columns out{{"change of the output row", "norm of the output row"}, {}};
  for (std::size_t t = 0; t < bench(s)->token_change.size(); ++t)
    out.row(bench(s)->token_change[t], t < bench(s)->token_norm.size() ? bench(s)->token_norm[t] : none);
  return out.take("token", bench_tokens(s));
}

/// A curve of every run; shorter ones end in NaN.
template <std::vector<CurvePoint> RunSnapshot::*curve>
MaybeNumbers training_curve(const TableSource& s) {
  if (!s.training || s.training->runs.empty()) return std::nullopt;
  std::size_t longest = 0;
  Names names;
  for (const RunSnapshot& run : s.training->runs) {
    longest = std::max(longest, (run.*curve).size());
    names.push_back(run.name);
  }
  if (longest == 0) return std::nullopt;
  std::vector<double> values;
  for (const RunSnapshot& run : s.training->runs) {
    for (std::size_t i = 0; i < longest; ++i) {
      const bool there = i < (run.*curve).size();
      const CurvePoint point = there ? (run.*curve)[i] : CurvePoint{};
      for (const float value : {point.value, point.low, point.high, static_cast<float>(point.step)})
        values.push_back(there ? static_cast<double>(value) : none);
      std::rotate(values.end() - 4, values.end() - 1, values.end());  // the step first
    }
  }
  return own(std::move(values), {names.size(), longest, 4}, {"run", "point", "quantity"},
             {names, {}, {"step", "value", "low", "high"}});
}

/// Rows of every run; shorter ones end in NaN. `rows_of` gives the numbers of a run, `width` for each row.
template <class RowsOf>
MaybeNumbers of_runs(const TableSource& s, Names axes, Names quantities, RowsOf rows_of) {
  if (!s.training || s.training->runs.empty()) return std::nullopt;
  std::vector<std::vector<double>> all;
  Names names;
  std::size_t longest = 0;
  for (const RunSnapshot& run : s.training->runs) {
    longest = std::max(longest, all.emplace_back(rows_of(run)).size());
    names.push_back(run.name);
  }
  if (longest == 0) return std::nullopt;
  std::vector<double> values;
  for (std::vector<double>& one : all) {
    one.resize(longest, none);
    values.insert(values.end(), one.begin(), one.end());
  }
  return own(std::move(values), {names.size(), longest / quantities.size(), quantities.size()},
             std::move(axes), {names, {}, quantities});
}

MaybeNumbers training_lengths(const TableSource& s) {
  return of_runs(s, {"run", "point", "quantity"}, {"length", "score", "loss"}, [](const RunSnapshot& run) {
    std::vector<double> rows;
    for (const LengthPoint& p : run.lengths) {
      rows.push_back(p.length);
      rows.insert(rows.end(), {p.possible ? p.score : none, p.possible ? p.loss : none});
    }
    return rows;
  });
}

/// The first row of a run, with layer and head 0, is that of every head; layers and heads are counted from 1.
template <std::vector<PrunedHead> Pruning::*removed>
MaybeNumbers training_removed(const TableSource& s) {
  return of_runs(s, {"run", "removed", "quantity"}, {"layer", "head", "score", "loss"},
                 [](const RunSnapshot& run) {
                   const Pruning& p = run.pruning;
                   std::vector<double> rows;
                   if ((p.*removed).empty()) return rows;
                   rows = {0, 0, p.score, p.loss};
                   for (const PrunedHead& head : p.*removed)
                     rows.insert(rows.end(), {head.layer + 1.0, head.head + 1.0, head.score, head.loss});
                   return rows;
                 });
}

const RunSnapshot* run_shown(const TableSource& s) {
  if (!s.training || s.training->runs.empty()) return nullptr;
  return &s.training
              ->runs[std::min(count(std::max(1, s.scene.training.run)) - 1, s.training->runs.size() - 1)];
}

/// The kept step on show: the newest that is no later than asked for.
const FilmFrame* frame_shown(const TableSource& s) {
  const RunSnapshot* run = run_shown(s);
  if (!run || run->film.empty()) return nullptr;
  const FilmFrame* shown = &run->film.back();
  if (s.scene.training.shown_step < 0) return shown;
  for (const FilmFrame& frame : run->film) {
    if (frame.step <= s.scene.training.shown_step) shown = &frame;
  }
  return shown;
}

MaybeNumbers training_film(const TableSource& s) {
  const RunSnapshot* run = run_shown(s);
  if (!run || run->film.empty() || !run->film[0].maps || run->film[0].maps->empty()) return std::nullopt;
  const nn::Matrix& first = *run->film[0].maps;
  std::vector<float> values;
  Names steps;
  for (const FilmFrame& frame : run->film) {
    if (!frame.maps || frame.maps->size() != first.size()) continue;
    values.insert(values.end(), frame.maps->values().begin(), frame.maps->values().end());
    steps.push_back("step " + std::to_string(frame.step));
  }
  const std::size_t kept = steps.size();
  return own(std::move(values), {kept, count(first.depth()), count(first.rows()), count(first.cols())},
             {"kept step", "head of a layer", "query", "key"}, {steps, {}, {}, {}});
}

MaybeNumbers training_map(const TableSource& s) {
  const FilmFrame* frame = frame_shown(s);
  const RunSnapshot* run = run_shown(s);
  if (!frame || !frame->maps || frame->maps->empty()) return std::nullopt;
  const int plane = std::clamp(
      (std::max(1, s.scene.training.layer) - 1) * run->config.heads + std::max(1, s.scene.training.head) - 1,
      0, frame->maps->depth() - 1);
  const nn::Matrix& maps = *frame->maps;
  return own(
      std::vector<float>(maps.plane(plane), maps.plane(plane) + count(maps.rows()) * count(maps.cols())),
      {count(maps.rows()), count(maps.cols())}, {"query", "key"}, {s.training->example, s.training->example});
}

}  // namespace

std::vector<Table> block_tables() {
  constexpr Page page = Page::block;
  return {
      {"block_figures", page, "flow", "largest, mean and deviation of every stage", block_figures},
      {"block_input", page, "flow", "what enters the layer on show", block_stage<BlockStage::input>},
      {"block_output", page, "flow", "what leaves it", block_stage<BlockStage::output>},
      {"block_map", page, "map", "weights of the head on show", block_map},
      {"block_weights", page, "overview", "weights of every head of the layer on show", block_weights},
      {"block_stream", page, "stream", "mean, variance and norm of the residual stream", block_stream},
      {"block_depth", page, "stream", "how alike tokens become and the gradient, with residuals and without",
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

std::vector<Table> bench_tables() {
  constexpr Page page = Page::bench;
  return {
      {"bench_a", page, "maps", "weights of head A", bench_a},
      {"bench_b", page, "maps", "weights of head B", bench_map<&BenchResults::map_b>},
      {"bench_difference", page, "maps", "the one less the other", bench_map<&BenchResults::difference>},
      {"bench_similarity", page, "similarity", "cosine of the maps", bench_similarity},
      {"bench_roles", page, "roles", "mean weight on five familiar places", bench_roles},
      {"bench_effects", page, "off", "what each head adds to the output", bench_effects},
      {"bench_tokens", page, "off", "what the heads that are off change, by token", bench_tokens_change},
  };
}

std::vector<Table> training_tables() {
  constexpr Page page = Page::training;
  return {
      {"training_loss", page, "loss header", "of training batches, with the range of each bin",
       training_curve<&RunSnapshot::loss>},
      {"training_validation", page, "loss", "loss on held-out sequences",
       training_curve<&RunSnapshot::validation>},
      {"training_score", page, "loss", "score on held-out sequences", training_curve<&RunSnapshot::score>},
      {"training_lengths", page, "loss", "score and loss at other lengths, at the end of the run",
       training_lengths},
      {"training_heads_removed", page, "loss", "score and loss with every head, then with each one removed",
       training_removed<&Pruning::alone>},
      {"training_removed_in_turn", page, "loss", "the same with heads removed one after the other",
       training_removed<&Pruning::greedy>},
      {"training_map", page, "map", "weights of the head and step on show", training_map},
      {"training_film", page, "film", "every head at every kept step", training_film},
  };
}

}  // namespace headlight::scene
