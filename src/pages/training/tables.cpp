// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <limits>

#include "pages/table_parts.h"
#include "pages/training/training.h"
#include "tasks/reversal.h"

namespace headlight::scene {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A curve of every run; NaN after the end of shorter ones.
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
      std::rotate(values.end() - 4, values.end() - 1, values.end());  // puts the step first
    }
  }
  return own(std::move(values), {names.size(), longest, 4}, {"run", "point", "quantity"},
             {names, {}, {"step", "value", "low", "high"}});
}

/// Rows of every run; NaN after the end of shorter ones. `rows_of` returns the numbers of a run, `width` per
/// row.
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

/// The first row of a run, with layer and head 0, is for every head; layers and heads count from 1.
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

/// The kept step on show.
const FilmFrame* frame_shown(const TableSource& s) {
  const RunSnapshot* run = run_shown(s);
  const int shown = run ? shown_frame(run->film, s.scene.training.shown_step) : -1;
  return shown < 0 ? nullptr : &run->film[count(shown)];
}

/// Losses of predictors without what the task teaches.
MaybeNumbers training_baselines(const TableSource& s) {
  if (!s.training || s.training->baselines.empty()) return std::nullopt;
  std::vector<std::pair<std::string, double>> all;
  for (const TrainingBaseline& one : s.training->baselines) all.emplace_back(one.name, one.loss);
  return one_each(std::move(all));
}

/// Printed losses beside ours.
MaybeNumbers training_printed(const TableSource& s) {
  if (!s.training || s.training->verdicts.empty()) return std::nullopt;
  Columns out{{"source", "computed", "difference"}, {}};
  Names names;
  for (const TrainingVerdict& one : s.training->verdicts) {
    out.row(one.has_printed ? one.printed : none, one.ours, one.has_printed ? one.ours - one.printed : none);
    names.push_back(one.what);
  }
  return out.take("loss", names);
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

/// The map of the head on show at a kept step; a run with fewer layers or heads shows its last.
std::vector<float> map_in(const TableSource& s, const RunSnapshot& run, const FilmFrame& frame) {
  const nn::Matrix& maps = *frame.maps;
  const int heads = std::max(1, run.config.heads), layers = std::max(1, maps.depth() / heads);
  const int plane = (std::clamp(s.scene.training.layer, 1, layers) - 1) * heads +
                    std::clamp(s.scene.training.head, 1, heads) - 1;
  return {maps.plane(plane), maps.plane(plane) + count(maps.rows()) * count(maps.cols())};
}

MaybeNumbers training_map(const TableSource& s) {
  const FilmFrame* frame = frame_shown(s);
  if (!frame || !frame->maps || frame->maps->empty()) return std::nullopt;
  return own(map_in(s, *run_shown(s), *frame), {count(frame->maps->rows()), count(frame->maps->cols())},
             {"query", "key"},
             {example_of(*s.training, *run_shown(s)), example_of(*s.training, *run_shown(s))});
}

/// The maps of all runs, side by side.
MaybeNumbers training_maps(const TableSource& s) {
  const FilmFrame* first = frame_shown(s);
  if (!first || !first->maps || first->maps->empty()) return std::nullopt;
  const std::size_t T = count(first->maps->rows());
  std::vector<float> values;
  Names names;
  for (const RunSnapshot& run : s.training->runs) {
    const int shown = shown_frame(run.film, s.scene.training.shown_step);
    const FilmFrame* frame = shown < 0 ? nullptr : &run.film[count(shown)];
    if (!frame || !frame->maps || count(frame->maps->rows()) != T) continue;
    const std::vector<float> map = map_in(s, run, *frame);
    values.insert(values.end(), map.begin(), map.end());
    names.push_back(run.name);
  }
  const std::size_t runs = names.size();
  Names tokens = s.training->example;
  const bool differ = std::any_of(
      s.training->runs.begin(), s.training->runs.end(),
      [&](const RunSnapshot& run) { return example_of(*s.training, run) != s.training->example; });
  for (std::size_t t = 0; differ && t < tokens.size(); ++t) tokens[t] = std::to_string(t);
  return own(std::move(values), {runs, T, T}, {"run", "query", "key"}, {std::move(names), tokens, tokens});
}

}  // namespace

std::vector<Table> training_tables() {
  constexpr Page page = Page::training;
  return {
      {"training_loss", page, "loss header", "loss on training batches, with the range of each bin",
       training_curve<&RunSnapshot::loss>},
      {"training_validation", page, "loss", "loss on held-out sequences",
       training_curve<&RunSnapshot::validation>},
      {"training_score", page, "loss", "score on held-out sequences", training_curve<&RunSnapshot::score>},
      {"training_lengths", page, "loss", "score and loss at other lengths, at the end of the run",
       training_lengths},
      {"training_heads_removed", page, "loss", "score and loss with all heads, then with each one removed",
       training_removed<&Pruning::alone>},
      {"training_removed_in_turn", page, "loss", "score and loss with heads removed in turn",
       training_removed<&Pruning::greedy>},
      {"training_baselines", page, "loss", "losses of predictors without what the task teaches",
       training_baselines},
      {"training_printed", page, "loss", "losses that a source prints beside those computed here",
       training_printed},
      {"training_map", page, "map", "weights of the head and step shown", training_map},
      {"training_maps", page, "map", "the same of every run", training_maps},
      {"training_film", page, "film", "maps of every head at every kept step", training_film},
  };
}

}  // namespace headlight::scene
