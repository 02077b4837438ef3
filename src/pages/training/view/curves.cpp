#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "kit/area_name.h"
#include "kit/curve.h"
#include "kit/words.h"
#include "pages/training/changes.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"

namespace headlight::views {

using scene::CurvePoint;
using scene::RunSnapshot;

namespace {

constexpr float axis_room = 38, left_room = 42;
constexpr float side_by_side_from = 1400;  // width of both plots: losses and scores beside each other

double highest_loss(const TrainingView& view) {
  double means = 0, bands = 0;
  const auto include = [](double& to, double value) {
    if (std::isfinite(value)) to = std::max(to, value);
  };
  for (const RunSnapshot& run : view.snapshot.runs) {
    for (const auto* curve : {&run.loss, &run.validation}) {
      for (const CurvePoint& p : *curve)
        include(means, static_cast<double>(p.value)), include(bands, static_cast<double>(p.high));
    }
  }
  for (const scene::TrainingBaseline& level : view.snapshot.baselines) include(means, level.loss);
  for (const scene::TrainingVerdict& v : view.snapshot.verdicts) {
    if (v.has_printed) include(means, v.printed);
  }
  // A lone wide band does not press everything else to the floor.
  const double top = std::min(std::max(means, bands), means * 1.25);
  return top > 0 ? top * 1.05 : 1;
}

/// Of a run that diverged the rest has no line; what stopped it is marked.
void curve_line(const Pen& pen, const Plot& plot, const std::vector<CurvePoint>& values,
                draw::Stroke stroke) {
  std::vector<PlotPoint> points;
  for (const CurvePoint& p : values)
    points.push_back({static_cast<double>(p.step), static_cast<double>(p.value)});
  CurveStyle style{stroke.color, stroke.width, stroke.dash};
  style.lost_marked = false;
  curve(pen, plot, points, style);
}

/// The range of a curve as upright strips two units wide: they meet on whole pixels, so nothing shines
/// through between them.
void curve_band(const Pen& pen, const Plot& plot, const std::vector<CurvePoint>& curve, draw::Color color) {
  if (curve.size() < 2) return;
  constexpr float wide = 2;
  std::size_t at = 0;
  Box strip;
  const auto flush = [&] {
    if (strip.h >= 0.5f && strip.w > 0) pen.canvas.rect(strip, color, 0);
    strip = {};
  };
  // Within the plot, whatever the steps are: as many strips as it is wide.
  const float begin = std::max(std::ceil(plot.x(curve.front().step)), std::floor(plot.box.x)),
              end = std::min(plot.x(curve.back().step), plot.box.right());
  const int strips = end > begin ? static_cast<int>((end - begin) / wide) : 0;
  for (int n = 0; n < strips; ++n) {
    const float x = begin + static_cast<float>(n) * wide;
    const double step = plot.from_x + static_cast<double>((x + wide / 2 - plot.box.x) / plot.box.w) *
                                          (plot.to_x - plot.from_x);
    while (at + 2 < curve.size() && curve[at + 1].step < step) ++at;
    const CurvePoint &a = curve[at], &b = curve[at + 1];
    const double length = static_cast<double>(b.step) - a.step;
    const double part = length > 0 ? std::clamp((step - a.step) / length, 0.0, 1.0) : 0;
    const auto between = [&](float from, float to) {
      return static_cast<double>(from) + static_cast<double>(to - from) * part;
    };
    const double low = between(a.low, b.low), high = between(a.high, b.high);
    if (!std::isfinite(low) || !std::isfinite(high)) {
      flush();
      continue;
    }
    const float top = std::round(std::clamp(plot.y(high), plot.box.y, plot.box.bottom())),
                bottom = std::round(std::clamp(plot.y(low), plot.box.y, plot.box.bottom()));
    if (strip.w > 0 && strip.y == top && strip.bottom() == bottom) {
      strip.w += wide;
    } else {
      flush();
      strip = {x, top, wide, bottom - top};
    }
  }
  flush();
}

void curve_markers(const Pen& pen, const Plot& plot, const std::vector<CurvePoint>& curve, int run) {
  constexpr float apart = 44;
  float last = -1e9f;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const CurvePoint& p = curve[i];
    if (!std::isfinite(p.value)) continue;
    const Point at = plot.at(p.step, static_cast<double>(p.value));
    if (at.x - last < apart && i + 1 < curve.size()) continue;
    if (at.y < plot.box.y - 1) continue;
    last = at.x;
    run_marker(pen, at, run, 3.5f);
  }
}

/// A level with a name in the gutter at the right.
struct Level {
  double value = 0;
  std::string words;
  bool printed = false;
  int run = -1;  // whose loss a source printed; −1: of none
};

/// The run that a printed loss belongs to: "1 head, last batch of 400 steps" is of "1 head".
int run_of(const TrainingView& view, const std::string& what) {
  for (int r = 0; r < static_cast<int>(view.snapshot.runs.size()); ++r) {
    if (what.starts_with(view.snapshot.runs[static_cast<std::size_t>(r)].name + ", last batch")) return r;
  }
  return -1;
}

std::vector<Level> levels_of(const TrainingView& view) {
  std::vector<Level> out;
  const scene::TrainingSnapshot& s = view.snapshot;
  for (const scene::TrainingBaseline& level : s.baselines)
    out.push_back({level.loss, level.name + " " + fixed(level.loss, 3)});
  for (const scene::TrainingVerdict& v : s.verdicts) {
    const bool known = std::any_of(out.begin(), out.end(), [&](const Level& l) {
      return l.printed && fixed(l.value, 4) == fixed(v.printed, 4);
    });
    if (!v.has_printed || known) continue;
    const int run = run_of(view, v.what);
    const std::string whose =
        run < 0 ? "printed" : run_name(view, view.snapshot.runs[static_cast<std::size_t>(run)], 1);
    out.push_back({v.printed, whose + " " + fixed(v.printed, 4), true, run});
  }
  return out;
}

float gutter_width(const Pen& pen, const std::vector<Level>& levels, float width) {
  float widest = 0;
  for (const Level& level : levels)
    widest = std::max(widest, pen.canvas.text_width(level.words, words_style(pen.theme.dim, small_size)));
  return levels.empty() ? 14 : std::min(std::ceil(widest) + 12, width * 0.34f);
}

/// The levels of runs have their colours, below the word that says where they come from.
void draw_levels(const Pen& pen, const Plot& plot, std::vector<Level> levels, float right) {
  std::stable_sort(levels.begin(), levels.end(),
                   [](const Level& a, const Level& b) { return a.value > b.value; });
  struct Label {
    float y;
    std::string words;
    draw::Color color;
  };
  std::vector<Label> labels;
  const float line = text_line(pen, 14);
  const auto add = [&](float y, const std::string& words, draw::Color color) {
    labels.push_back({std::max(y, labels.empty() ? plot.box.y + 5 : labels.back().y + line), words, color});
  };
  bool stated = false;
  for (const Level& level : levels) {
    const float y = plot.y(level.value);
    const draw::Color color = level.run >= 0 ? run_color(pen.theme, level.run)
                                             : draw::faded(pen.theme.text, level.printed ? 0.75f : 0.5f);
    pen.canvas.line({plot.box.x, y}, {plot.box.right() + 4, y}, {color, 1.2f, level.printed ? 6.f : 2.f});
    if (level.run >= 0 && !std::exchange(stated, true)) add(y - line, "printed", pen.theme.dim);
    add(y, level.words, level.run >= 0 ? color : pen.theme.dim);
  }
  for (std::size_t i = labels.size(); i-- > 0;) {
    Label& label = labels[i];
    label.y = std::min(label.y, i + 1 < labels.size() ? labels[i + 1].y - line : plot.box.bottom() - 5);
    put(pen, {plot.box.right() + 8, label.y}, label.words, words_style(label.color, small_size),
        right - plot.box.right() - 8);
  }
}

void draw_steps_axis(const TrainingView& view, const Plot& plot) {
  const int last = static_cast<int>(plot.to_x);
  const float room = view.pen.canvas.text_width(with_commas(last), words_style({}, small_size)) + 18;
  std::vector<Tick> ticks;
  for (const int tick : whole_ticks(last, plot.box.w, room))
    ticks.push_back({static_cast<double>(tick), with_commas(tick)});
  constexpr float below_kept = 24;
  x_axis(view.pen, plot, ticks, "", below_kept);
}

/// Kept steps: a dot each below the plots, the shown one large. Between two dots the nearer one answers.
void draw_kept(const TrainingView& view, const Plot& low, float top) {
  const Pen& pen = view.pen;
  const auto& film = view.shown().film;
  const float y = low.box.bottom() + 10;
  const auto step_of = [&](std::size_t i) { return film[i].step; };
  const auto edge = [&](std::size_t i) {  // between frame i − 1 and frame i
    return (step_of(i - 1) + step_of(i)) / 2.0;
  };
  for (std::size_t i = 0; i < film.size(); ++i) {
    const bool last = i + 1 == film.size();
    draw::Mark mark;
    mark.part = draw::Part::control, mark.scrubs = true;
    mark.name = curve_mark + std::to_string(step_of(i));
    mark.set = "training_shown_step=" + std::to_string(last ? -1 : step_of(i));
    const double from = i == 0 ? low.from_x : edge(i), to = last ? low.to_x : edge(i + 1);
    mark.from = static_cast<float>(from), mark.to = static_cast<float>(to);
    const float left = low.x(from), right = std::max(left + 0.5f, low.x(to));
    mark.area = {left, top, right - left, low.box.bottom() + 15 - top};
    mark.note = "step " + with_commas(step_of(i)) + " is kept";
    pen.canvas.mark(mark);
    const bool lit = pen.over(mark.name), shown = static_cast<int>(i) == view.frame;
    pen.canvas.circle({low.x(step_of(i)), y},
                      shown ? 4.5f
                      : lit ? 3.5f
                            : 2.f,
                      shown ? pen.theme.accent
                      : lit ? pen.theme.text
                            : draw::faded(pen.theme.dim, 0.8f));
    pen.canvas.mark({});
  }
}

/// The lowest held-out loss of the run on show, with its step: a click shows the kept step beside it. While
/// the run goes on, the latest one is not marked: nothing got worse yet.
void draw_lowest(const TrainingView& view, const Plot& plot) {
  const RunSnapshot& run = view.shown();
  const CurvePoint* lowest = scene::lowest_point(run.validation);
  const std::optional<int> shows = scene::best_shown_step(run);
  const bool moves = view.snapshot.state == scene::TrainingState::running;
  if (!lowest || !shows || run.validation.size() < 2 || (moves && lowest == &run.validation.back())) return;
  const int kept = *shows < 0 ? run.film.back().step : *shows;
  const Pen& pen = view.pen;
  const Point at = plot.at(lowest->step, static_cast<double>(lowest->value));
  if (at.y < plot.box.y) return;
  const std::string step = view.in.text(quantity("lowest_validation_step", {{"run", view.run + 1}}));
  std::string words = "lowest " + view.in.text(quantity("lowest_validation_loss", {{"run", view.run + 1}}));
  const std::string whole = words + " at step " + step;  // in a narrow plot it would cover the curves
  if (pen.canvas.text_width(whole, words_style({}, small_size)) < 0.4f * plot.box.w) words = whole;
  const bool lit = pen.over("lowest held-out loss");
  const draw::TextStyle style =
      aligned(words_style(lit ? pen.theme.text : pen.theme.dim, small_size), Align::centre);
  const float half = pen.canvas.text_width(words, style) / 2 + 3, below = at.y + 16;
  const float y = below + 8 <= plot.box.bottom() ? below : at.y - 16;
  const float x = std::clamp(at.x, plot.box.x + half, std::max(plot.box.x + half, plot.box.right() - half));
  // Four curves with bands leave no room for words: there the pointer brings them.
  const bool ring_only = view.snapshot.settings.task == scene::TrainingTask::two_relations && !lit;
  const Box label = ring_only ? Box{at.x - 7, at.y - 7, 14, 14} : Box{x - half, y - 7, 2 * half, 14};
  const float top = std::min(label.y, at.y - 7), bottom = std::max(label.bottom(), at.y + 7);
  control_mark(pen, "lowest held-out loss", "training_shown_step=" + std::to_string(*shows),
               "the held-out loss was lowest at step " + step + "\nclick, or L: show step " +
                   with_commas(kept) + ", which is kept",
               {label.x, top, label.w, bottom - top});
  if (!ring_only) {
    pen.canvas.rect(label, draw::faded(pen.theme.panel, 0.85f), 3);
    pen.canvas.text(label.centre(), words, style);
  }
  pen.canvas.ring(at, 6, {pen.theme.text, lit ? 2.5f : 1.5f});
  pen.canvas.mark({});
}

/// Where settings were changed, or the run goes on from another one: a dotted line that says what.
void draw_changes(const TrainingView& view, const Plot& plot) {
  const Pen& pen = view.pen;
  for (const scene::TrainingChange& change : view.snapshot.changes) {
    const float x = plot.x(change.step);
    const std::string name = "change at step " + std::to_string(change.step);
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = name, mark.note = scene::changes_words({change});
    mark.area = {x - 4, plot.box.y, 8, plot.box.h / 3};
    pen.canvas.mark(mark);
    const bool lit = pen.over(name);
    pen.canvas.line({x, plot.box.y}, {x, plot.box.bottom()},
                    {lit ? pen.theme.text : draw::faded(pen.theme.dim, 0.7f), 1, 2});
    pen.canvas.mark({});
  }
}

/// The step on show as a line and, with `named`, its number above; a lighter line at the pointer.
void draw_moment(const TrainingView& view, const Plot& plot, float top, float bottom, bool named = true) {
  const Pen& pen = view.pen;
  const int step = view.frame >= 0 ? view.shown().film[static_cast<std::size_t>(view.frame)].step : -1;
  if (step >= 0) {
    const float x = plot.x(step);
    pen.canvas.line({x, top}, {x, bottom}, {draw::faded(pen.theme.accent, 0.9f), 1.5f});
  }
  if (step >= 0 && named) {
    const float x = plot.x(step);
    const std::string words = (step == view.shown().step ? "now " : "step ") + with_commas(step);
    const draw::TextStyle style = aligned(strong_style(pen.theme.on_accent, small_size), Align::centre);
    const float half = pen.canvas.text_width(words, style) / 2 + 7;
    const float at = std::clamp(x, plot.box.x + half, std::max(plot.box.x + half, plot.box.right() - half));
    const float high = text_line(pen, 17);
    pen.canvas.rect({at - half, top - high, 2 * half, high}, pen.theme.accent, 5);
    pen.canvas.text({at, top - high / 2}, words, style);
  }
  if (view.lit_step < 0) return;
  const float x = plot.x(view.lit_step);
  pen.canvas.line({x, top}, {x, bottom}, {draw::faded(pen.theme.text, 0.6f), 1, 3});
}

/// Where the pointer's step meets a curve.
void lit_points(const TrainingView& view, const Plot& plot, bool score) {
  if (view.lit_step < 0) return;
  for (int r = 0; r < static_cast<int>(view.snapshot.runs.size()); ++r) {
    const RunSnapshot& run = view.snapshot.runs[static_cast<std::size_t>(r)];
    for (const auto* curve : {&run.loss, &run.validation, &run.score}) {
      if ((curve == &run.score) != score) continue;
      const CurvePoint* p = nearest_point(*curve, view.lit_step);
      if (!p || !std::isfinite(p->value)) continue;
      const Point at = plot.at(p->step, static_cast<double>(p->value));
      if (at.y < plot.box.y) continue;
      view.pen.canvas.ring(at, 5, {view.theme().text, 1.5f});
    }
  }
}

void draw_loss(const TrainingView& view, const Plot& plot) {
  const Pen& pen = view.pen;
  y_grid(pen, plot, round_ticks(plot.to_y, std::clamp(plot.box.h / 32, 2.f, 6.f)));
  const int count = static_cast<int>(view.snapshot.runs.size());
  const auto each = [&](auto&& draw_run) {  // the chosen one last, on top
    for (int r = 0; r < count; ++r) {
      if (r != view.run) draw_run(r, view.snapshot.runs[static_cast<std::size_t>(r)]);
    }
    draw_run(view.run, view.shown());
  };
  pen.canvas.push_clip({plot.box.x - 7, plot.box.y - 2, plot.box.w + 13, plot.box.h + 6});
  each([&](int r, const RunSnapshot& run) {
    const draw::Color color = run_color(pen.theme, r);
    curve_band(pen, plot, run.loss, draw::faded(color, 0.16f));
    curve_band(pen, plot, run.validation, draw::faded(color, 0.22f));
  });
  each([&](int r, const RunSnapshot& run) {
    curve_line(pen, plot, run.loss, {draw::faded(run_color(pen.theme, r), 0.75f), 1.3f});
  });
  each([&](int r, const RunSnapshot& run) {
    curve_line(pen, plot, run.validation, {run_color(pen.theme, r), 2.2f, run_dash(r)});
    curve_markers(pen, plot, run.validation.empty() ? run.loss : run.validation, r);
  });
  pen.canvas.pop_clip();
}

void draw_score(const TrainingView& view, const Plot& plot) {
  const Pen& pen = view.pen;
  y_grid(pen, plot, plot.box.h >= 50 ? std::vector<double>{0, 0.5, 1} : std::vector<double>{0, 1}, 0, 100);
  percent_name(view, plot.box);
  for (int r = 0; r < static_cast<int>(view.snapshot.runs.size()); ++r) {
    const RunSnapshot& run = view.snapshot.runs[static_cast<std::size_t>(r)];
    curve_band(pen, plot, run.score, draw::faded(run_color(pen.theme, r), 0.22f));
    curve_line(pen, plot, run.score, {run_color(pen.theme, r), 2.2f, run_dash(r)});
    curve_markers(pen, plot, run.score, r);
  }
}

void draw_stopped(const TrainingView& view, const Plot& plot) {
  const Pen& pen = view.pen;
  for (const RunSnapshot& run : view.snapshot.runs) {
    if (run.stopped.empty()) continue;
    const Point c{plot.x(run.step), plot.box.y + 12};
    pen.canvas.line({c.x, plot.box.y}, {c.x, plot.box.bottom()}, {draw::faded(pen.theme.bad, 0.7f), 1, 2});
    pen.canvas.circle(c, 8, pen.theme.panel);
    pen.canvas.line({c.x - 4, c.y - 4}, {c.x + 4, c.y + 4}, {pen.theme.bad, 2});
    pen.canvas.line({c.x - 4, c.y + 4}, {c.x + 4, c.y - 4}, {pen.theme.bad, 2});
  }
}

void draw_plots(const TrainingView& view, Box area) {
  const Pen& pen = view.pen;
  area.cut_bottom(axis_room - 6), area.cut_top(3 + text_line(pen, 17)), area.cut_left(left_room);
  const auto levels = levels_of(view);
  // In a wide card the scores stand beside the losses, and both have the whole height.
  constexpr float score_share = 0.3f, between = 40;
  const bool beside = !pen.canvas.plain() && view.scored() && area.w >= side_by_side_from;
  Box score_box{};
  if (beside) {
    score_box = area.cut_right(std::round(area.w * score_share));
    score_box.cut_left(between + left_room), score_box.cut_right(14);
  }
  const float right = area.right();
  // In a large card the two plots are apart, and each has its name.
  constexpr float large = 200, wide_from = 800, beside_axis = 12;
  constexpr const char* dots = "dots: kept steps";
  const bool apart = beside || (!pen.canvas.plain() && area.h >= large);
  const float of_dots = apart && area.w >= wide_from
                            ? beside_axis + pen.canvas.text_width(dots, words_style({}, small_size))
                            : 0;
  area.cut_right(std::max(gutter_width(pen, levels, area.w), of_dots));
  if (area.w < 40 || area.h < 40) return;
  if (view.scored() && !beside) {
    const float name = (apart ? 24.f : 8.f) + text_line(pen, 14);
    score_box = area.cut_bottom(std::round(name + (area.h - name) * 0.26f));
    score_box.cut_top(name);
  }
  const double last = view.last_step();
  const Plot loss{area, 0, last, 0, highest_loss(view)}, score{score_box, 0, last, 0, 1};
  const Plot& low = view.scored() && !beside ? score : loss;
  draw_steps_axis(view, low);
  draw_moment(view, loss, area.y, low.box.bottom());
  if (beside) draw_steps_axis(view, score), draw_moment(view, score, score_box.y, score_box.bottom(), false);
  draw_loss(view, loss);
  draw_levels(pen, loss, levels, right);
  draw_stopped(view, loss);
  if (view.scored()) draw_score(view, score);
  lit_points(view, loss, false);
  if (view.scored()) lit_points(view, score, true);
  draw_kept(view, low, area.y);
  if (apart && view.scored()) {
    const draw::TextStyle named = words_style(pen.theme.dim, small_size);
    constexpr const char* of_loss = "loss, nats";
    const float name_to = area.x - left_room + pen.canvas.text_width(of_loss, named);
    constexpr float half_label = 60;  // of the step in view, at most
    const int step =
        view.frame < 0 ? view.snapshot.step : view.shown().film[static_cast<std::size_t>(view.frame)].step;
    if (view.frame < 0 || loss.x(step) - half_label > name_to)
      put(pen, {area.x - left_room, area.y - 9}, of_loss, named);
    const float after = low.box.right() + beside_axis;
    if (after + pen.canvas.text_width(dots, named) <= right + 0.5f)
      put(pen, {after, low.box.bottom() + 10}, dots, named);
  }
  draw_changes(view, loss);
  draw_lowest(view, loss);
  constexpr float marker = 5;  // beyond the first and the last step
  name_area(pen, view.in, "loss curves",
            {loss.box.x - marker, loss.box.y, loss.box.w + 2 * marker + 1, loss.box.h + 4});
  if (view.scored()) {
    name_area(pen, view.in, "score curves",
              {score.box.x - marker, score.box.y - 4, score.box.w + 2 * marker + 1, score.box.h + 8});
  }
}

}  // namespace

void training_curves_card(const TrainingView& view, Box box, std::span<const Choice> corner) {
  const Pen& pen = view.pen;
  const bool seeds = view.snapshot.settings.task == scene::TrainingTask::two_relations;
  std::string words =
      seeds ? "distance of the maps from their targets; bands: over the seeds"
            : "cross-entropy in nats; thin: training batches and their range; thick: held-out sequences";
  const float room = box.w - 2 * card_padding;
  if (!seeds && (pen.canvas.plain() || pen.canvas.text_width(words, words_style({})) > room))
    words = "cross-entropy in nats; thin: training, thick: held out";  // for a column
  using P = scene::TrainingPlot;
  const P plot = seeds ? P::curves : view.settings.plot;
  const std::array<Choice, 3> choices = {
      Choice{"steps", "training_plot=curves", "plot curves", plot == P::curves, "losses and scores by step"},
      Choice{"lengths", "training_plot=lengths", "plot lengths", plot == P::lengths,
             "score on sequences longer and shorter than in training"},
      Choice{"heads removed", "training_plot=pruning", "plot pruning", plot == P::pruning,
             "score with one head removed, and with more and more heads removed"}};
  const bool below = !corner.empty();  // the corner is taken
  const float controls = below ? segmented_width(pen, corner) : seeds ? 0 : segmented_width(pen, choices);
  if (plot != P::curves) words = training_plot_words(view);
  const char* title = plot == P::curves ? "Loss" : plot == P::lengths ? "Other lengths" : "Heads removed";
  Box inside =
      card(pen, box,
           {title, draw::fit_text(pen.canvas, words, words_style(view.theme().dim), room), controls}, "loss");
  if (below) segmented(pen, card_corner(box), corner);
  if (!seeds && !below) segmented(pen, card_corner(box), choices);
  if (!seeds && below) {
    const Box row = inside.cut_top(control_height + 8);
    segmented(pen, {row.x + segmented_width(pen, choices), row.y}, choices);
  }
  if (plot == P::lengths) return training_lengths(view, inside);
  if (plot == P::pruning) return training_pruning(view, inside);
  // In a wide card the numbers of the runs stand beside the plots, which have their height.
  constexpr float legend_column = 460, legend_apart = 24;
  const bool column = !pen.canvas.plain() && view.scored() &&
                      inside.w - left_room - legend_column - legend_apart >= side_by_side_from;
  Box numbers = column ? inside.cut_right(legend_column) : inside;
  if (column) inside.cut_right(legend_apart);
  training_legend(view, numbers.cut_top(training_legend_height(view)));
  if (!column) inside.cut_top(training_legend_height(view));
  if (!training_has_printed(view)) {
    const Box note = inside.cut_bottom(training_note_height(view, inside.w));
    paragraph(pen, {note.x, note.y + 8}, note.w, view.snapshot.note, words_style(view.theme().dim),
              most_note_lines);
  }
  draw_plots(view, inside);
}

}  // namespace headlight::views
