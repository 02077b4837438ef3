#include "base/words.h"

#include <algorithm>
#include <cstddef>

#include "draw/no_canvas.h"
#include "kit/page_input.h"
#include "pages/training/training.h"
#include "pages/training/view/page.h"
#include "pages/training/view/view.h"

namespace headlight::views {

using scene::CurvePoint;
using scene::RunSnapshot;

namespace {

/// The weight under the pointer: from the map's own cell.
struct Cell {
  int query = -1, key = -1;
};
Cell cell_of(const draw::Hit& hit, int T) {
  if (hit.map.w <= 0) return {};
  const Cell cell{static_cast<int>(hit.cell.y), static_cast<int>(hit.cell.x)};
  return cell.query >= 0 && cell.key >= 0 && cell.query < T && cell.key < T ? cell : Cell{};
}

std::string weight_words(const TrainingView& view, const RunSnapshot& run, int frame, HeadPlace place,
                         const draw::Hit& hit) {
  const int T = map_tokens(run, frame);
  const Cell cell = cell_of(hit, T);
  const float* values = map_of(run, frame, place);
  if (cell.query < 0 || !values) return {};
  const std::string pair =
      in_quotes(example_token(view.snapshot, run, cell.query)) + " " + std::to_string(cell.query) + " → " +
      in_quotes(example_token(view.snapshot, run, cell.key)) + " " + std::to_string(cell.key);
  if (run.config.causal && cell.key > cell.query) return pair + ": masked, it comes later";
  return pair + ": " + weight_text(static_cast<double>(values[cell.query * T + cell.key]), 2);
}

/// The run, head and frame that a map or a cell of the film stands for.
struct Place {
  const RunSnapshot* run = nullptr;
  HeadPlace head;
  int frame = -1;
};
Place place_of(const TrainingView& view, const draw::Hit& hit) {
  Place out;
  if (!view.has_runs()) return out;
  if (starts_with(hit.mark.name, map_mark)) {
    const auto r = static_cast<std::size_t>(hit.mark.item);
    if (r >= view.snapshot.runs.size()) return out;
    out.run = &view.snapshot.runs[r];
    out.head = place_in(view, *out.run), out.frame = frame_in(view, *out.run);
    return out;
  }
  FilmPicture at;
  if (film_picture(view.shown(), hit.mark, at)) out = {&view.shown(), at.place, at.frame};
  return out;
}

std::string prediction_words(const TrainingView& view, const RunSnapshot& run, int t) {
  const Prediction p = prediction_at(view.snapshot, run, t);
  if (p.predicted.empty()) return {};
  std::string out =
      "\nat " + in_quotes(example_token(view.snapshot, run, t)) + " predicted " + in_quotes(p.predicted);
  if (p.judged) out += p.right ? ", which is right" : "; the target is " + in_quotes(p.wanted);
  return out;
}

/// "training 0.0213 (0.0150 – 0.0304)", with the step where it is another one.
std::string point_words(const char* what, const std::vector<CurvePoint>& curve, int step, bool share) {
  const CurvePoint* p = nearest_point(curve, step);
  if (!p) return {};
  const auto words = [&](float value) {
    const auto v = static_cast<double>(value);
    return share ? percent_words(v) : loss_words(v);
  };
  std::string out = std::string("\n  ") + what + " " + words(p->value);
  if (p->low < p->high) out += " (" + words(p->low) + " – " + words(p->high) + ")";
  if (p->step != step) out += ", step " + with_commas(p->step);
  return out;
}

std::string curves_words(const TrainingView& view, const draw::Hit& hit) {
  std::string out = "step " + with_commas(view.lit_step);
  for (const RunSnapshot& run : view.snapshot.runs) {
    out += "\n" + run.name;
    out += point_words("training", run.loss, view.lit_step, false);
    out += point_words("held-out", run.validation, view.lit_step, false);
    out += point_words(view.snapshot.score_name.c_str(), run.score, view.lit_step, true);
  }
  for (const scene::TrainingBaseline& level : view.snapshot.baselines)
    out += "\n" + level.name + " " + loss_words(level.loss);
  return out + "\n" + hit.mark.note + ": click to show it";
}

}  // namespace

std::string training_tooltip(const PageInput& in, const draw::Hit& hit) {
  draw::NoCanvas none;  // a view wants a canvas; nothing is drawn
  PageInput here = in;
  here.hover = &hit;
  const TrainingView view(none, here);
  if (starts_with(hit.mark.name, curve_mark) && view.lit_step >= 0) return curves_words(view, hit);
  const Place place = place_of(view, hit);
  if (!place.run) return hit.mark.note;
  std::string out = hit.mark.note;
  const std::string weight = weight_words(view, *place.run, place.frame, place.head, hit);
  if (!weight.empty()) out += "\n" + weight;
  if (starts_with(hit.mark.name, map_mark)) {
    const Cell cell = cell_of(hit, map_tokens(*place.run, place.frame));
    if (cell.query >= 0) out += prediction_words(view, *place.run, cell.query);
  }
  return out;
}

std::string training_words(const PageInput& in) {
  draw::NoCanvas none;
  const TrainingView view(none, in);
  const scene::TrainingSnapshot& s = view.snapshot;
  if (s.preparing >= 0) return "reading the text, " + fixed(static_cast<double>(s.preparing) * 100, 0) + " %";
  if (!view.has_runs()) return "no run has been trained yet";
  const RunSnapshot& run = view.shown();
  if (in.hover) {
    const Place place = place_of(view, *in.hover);
    if (place.run) {
      const std::string weight = weight_words(view, *place.run, place.frame, place.head, *in.hover);
      const int step = place.run->film[static_cast<std::size_t>(std::max(0, place.frame))].step;
      if (!weight.empty())
        return head_words(*place.run, place.head) + " at step " + with_commas(step) + ": " + weight;
    }
  }
  std::string out = "step " + with_commas(view.step());
  if (view.lit_step < 0 && view.newest) out += " / " + with_commas(s.steps);
  const auto add = [&](const char* what, const std::vector<CurvePoint>& curve, bool share) {
    const CurvePoint* p = nearest_point(curve, view.step());
    if (!p) return;
    const auto value = static_cast<double>(p->value);
    out += std::string("   ") + what + " " + (share ? percent_words(value) : loss_words(value));
  };
  if (s.runs.size() > 1) out += "   " + run_name(view, run) + ":";
  add("loss", run.loss, false), add("held-out", run.validation, false);
  if (view.scored()) add(s.score_name.c_str(), run.score, true);
  if (run.rate > 0) out += "   learning rate now " + brief(run.rate, 2);
  return out;
}

namespace {

/// "head 1 of “2 heads”".
std::string head_of_run(const TrainingView& view, const RunSnapshot& run, HeadPlace place) {
  return head_words(run, place) +
         (view.snapshot.runs.size() > 1 ? " of “" + run_name(view, run) + "”" : std::string());
}

/// What the source prints beside what was computed.
std::string printed_finding(const TrainingView& view) {
  std::string printed, computed, of;
  for (const scene::TrainingVerdict& v : view.snapshot.verdicts) {
    if (!v.has_printed) continue;
    const char* between = of.empty() ? "" : " and ";
    of += between + v.what.substr(0, v.what.find(", ")), printed += between + fixed(v.printed, 4),
        computed += between + fixed(v.ours, 4);
  }
  if (of.empty()) return {};
  return "Last batch, " + of + ": the source prints " + printed + "; computed here: " + computed;
}

/// The largest weight of the map on show, of queries that may attend to more than one key.
std::string map_finding(const TrainingView& view) {
  const RunSnapshot& run = view.shown();
  const HeadPlace place{view.layer, view.head};
  const int T = map_tokens(run, view.frame);
  const float* values = map_of(run, view.frame, place);
  if (!values) return {};
  int query = -1, key = -1, alike = 0;
  for (int i = run.config.causal ? 1 : 0; i < T; ++i) {
    for (int j = 0; j < (run.config.causal ? i + 1 : T); ++j) {
      if (query < 0 || values[i * T + j] > values[query * T + key]) query = i, key = j, alike = 0;
      alike += values[i * T + j] == values[query * T + key];
    }
  }
  if (query < 0) return {};
  const int step = run.film[static_cast<std::size_t>(view.frame)].step;
  return "At step " + with_commas(step) + " the largest weight of " + head_of_run(view, run, place) +
         (run.config.causal ? ", of queries after the first, is " : " is ") +
         weight_text(static_cast<double>(values[query * T + key]), 2) +
         (alike > 1 ? ", in " + base::counted(alike, "pair") + ", such as " : ": ") +
         in_quotes(example_token(view.snapshot, run, query)) + " at position " + std::to_string(query) +
         " attends to " + in_quotes(example_token(view.snapshot, run, key)) + " at position " +
         std::to_string(key);
}

/// The head whose role is clearest, of all runs.
std::string film_finding(const TrainingView& view) {
  const scene::HeadLabel* best = nullptr;
  const RunSnapshot* of = nullptr;
  int alike = 0;  // heads with this score as it is written
  for (const RunSnapshot& run : view.snapshot.runs) {
    for (const scene::HeadLabel& label : run.labels) {
      if (label.role.empty()) continue;
      if (!best || label.score > best->score) best = &label, of = &run;
    }
  }
  for (const RunSnapshot& run : view.snapshot.runs) {
    for (const scene::HeadLabel& label : run.labels)
      alike += best && !label.role.empty() && fixed(label.score, 2) == fixed(best->score, 2);
  }
  if (!best)
    return "At step " + with_commas(role_step(view, view.shown())) + " no head has a role that stands out";
  std::string head = head_of_run(view, *of, {best->layer, best->head});
  head[0] = static_cast<char>(head[0] - 'a' + 'A');
  return head + (alike > 1 ? " has a role at step " : " has the clearest role at step ") +
         with_commas(role_step(view, *of)) + ": " + best->role + ", mean weight " + fixed(best->score, 2) +
         (best->role == "mirror" ? " on the mirrored position" : "");
}

}  // namespace

std::string training_finding(const PageInput& in, std::string_view card) {
  draw::NoCanvas none;
  const TrainingView view(none, in);
  if (view.snapshot.preparing >= 0 || !view.has_runs()) return {};
  if (card == "printed") return printed_finding(view);
  if (card == "map") return map_finding(view);
  if (card == "film") return film_finding(view);
  const RunSnapshot& run = view.shown();
  const CurvePoint* loss = nearest_point(run.validation, view.step());
  if (!loss) return {};
  std::string words = "At step " + with_commas(view.step()) + " the held-out loss" +
                      (view.snapshot.runs.size() > 1 ? " of “" + run_name(view, run) + "”" : std::string()) +
                      " is " + loss_words(static_cast<double>(loss->value));
  const CurvePoint* score = view.scored() ? nearest_point(run.score, view.step()) : nullptr;
  if (score)
    words += ", " + view.snapshot.score_name + " " + percent_words(static_cast<double>(score->value));
  return words;
}

int role_step(const TrainingView& view, const RunSnapshot& run) {
  const bool kept = view.snapshot.settings.task != scene::TrainingTask::two_relations && !run.film.empty();
  return kept ? run.film.back().step : run.step;
}

const char* no_role(const TrainingView& view) {
  return view.snapshot.state == scene::TrainingState::finished ? "no simple role" : "no simple role yet";
}

}  // namespace headlight::views
