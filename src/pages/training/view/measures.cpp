// What a trained model does beyond its training: the score at other lengths, and with heads removed.
#include <algorithm>
#include <array>
#include <cmath>

#include "kit/curve.h"
#include "kit/words.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"

namespace headlight::views {

using scene::LengthPoint;
using scene::PrunedHead;
using scene::Pruning;
using scene::RunSnapshot;

namespace {

constexpr float table_row = 19, left_of_plot = 42, below_plot = 40;

std::string score_words(double score) {
  return fixed(score * 100, 1);
}

/// Every length that some run was measured at.
std::vector<int> lengths_of(const TrainingView& view) {
  std::vector<int> all;
  for (const RunSnapshot& run : view.snapshot.runs) {
    for (const LengthPoint& p : run.lengths) all.push_back(p.length);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// The columns of the table of lengths: each has room for "100.0", and where that leaves none for the names
/// of the runs, they have lines of their own.
struct LengthTable {
  float names = 0, wide = 0, height = 0;
  bool two_lines = false;
  LengthTable(const TrainingView& view, float width, std::size_t lengths) {
    const Pen& pen = view.pen;
    const auto count = static_cast<float>(lengths), runs = static_cast<float>(view.snapshot.runs.size());
    const float needs = pen.canvas.text_width("100.0", mono_style(pen.theme.text)) + 6;
    float widest = pen.canvas.text_width(view.snapshot.score_name + ", %", words_style({}, small_size));
    for (const RunSnapshot& run : view.snapshot.runs)
      widest = std::max(
          widest, pen.canvas.text_width(run_name(view, run, width * 0.3f), strong_style(pen.theme.text, 12)));
    wide = std::min(58.f, (width - 8 - widest - 46) / count);
    two_lines = wide < needs;
    if (two_lines) wide = std::min(58.f, (width - 12) / count);
    names = width - wide * count - 8;
    height = table_row * (two_lines ? 2 * runs + 2 : runs + 1);
  }
};

/// A row for each run, a column for each length.
void length_table(const TrainingView& view, Box area, const std::vector<int>& lengths) {
  const Pen& pen = view.pen;
  const draw::TextStyle quiet = aligned(words_style(pen.theme.dim, small_size), Align::right);
  const LengthTable table(view, area.w, lengths.size());
  const float wide = table.wide, names = table.names;
  const int trained = view.snapshot.runs.front().config.context;
  const auto right_of = [&](std::size_t i) { return area.x + names + wide * static_cast<float>(i + 1); };
  Box row = area.cut_top(table_row);
  put(pen, {row.x + 8, row.centre().y}, std::string(view.snapshot.score_name) + ", %",
      words_style(pen.theme.dim, small_size), table.two_lines ? row.w - 8 : names - 8);
  if (table.two_lines) row = area.cut_top(table_row);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const bool own = lengths[i] == trained;
    put(pen, {right_of(i), row.centre().y}, std::to_string(lengths[i]),
        own ? aligned(strong_style(pen.theme.text, small_size), Align::right) : quiet, wide - 4);
  }
  for (int r = 0; r < static_cast<int>(view.snapshot.runs.size()); ++r) {
    const RunSnapshot& run = view.snapshot.runs[static_cast<std::size_t>(r)];
    row = area.cut_top(table_row);
    run_row(view, row, r, (table.two_lines ? row.w : names) - 46);
    if (table.two_lines) row = area.cut_top(table_row);
    for (const LengthPoint& p : run.lengths) {
      const auto at =
          static_cast<std::size_t>(std::find(lengths.begin(), lengths.end(), p.length) - lengths.begin());
      draw::Mark note;
      note.part = draw::Part::note;
      note.name = "length " + std::to_string(p.length) + " of run " + std::to_string(r + 1);
      note.area = {right_of(at) - wide, row.y, wide, row.h};
      note.note = p.possible ? "length " + std::to_string(p.length) + ": " + view.snapshot.score_name + " " +
                                   percent_words(p.score) + ", loss " + loss_words(p.loss)
                             : "the table of learned positions has " + std::to_string(run.config.context) +
                                   " rows: none for position " + std::to_string(run.config.context);
      pen.canvas.mark(note);
      put(pen, {right_of(at), row.centre().y}, p.possible ? score_words(p.score) : "no rows",
          p.possible ? aligned(mono_style(pen.theme.text), Align::right) : quiet, wide - 4);
      pen.canvas.mark({});
    }
  }
}

void length_plot(const TrainingView& view, Box area, const std::vector<int>& lengths) {
  const Pen& pen = view.pen;
  area.cut_top(22), area.cut_bottom(below_plot), area.cut_left(left_of_plot), area.cut_right(14);
  if (area.w < 60 || area.h < 40) return;
  // Doublings are equally far apart.
  const double beyond = std::exp2(0.08);
  const Plot plot{area, lengths.front() / beyond, lengths.back() * beyond, 0, 1, true};
  y_grid(pen, plot, {0, 0.25, 0.5, 0.75, 1}, 0, 100);
  std::vector<Tick> ticks;
  for (const int length : lengths) {
    if (ticks.empty() || plot.x(length) - plot.x(ticks.back().value) >= 22)
      ticks.push_back({static_cast<double>(length), std::to_string(length)});
  }
  x_axis(pen, plot, ticks, "tokens in a sequence");
  percent_name(view, area);
  const float trained = plot.x(view.snapshot.runs.front().config.context);
  pen.canvas.line({trained, area.y}, {trained, area.bottom()}, {draw::faded(pen.theme.accent, 0.9f), 1.5f});
  line_labels(pen, {{trained, "trained", pen.theme.accent}}, area.y - 9, area.x, area.right());
  const int count = static_cast<int>(view.snapshot.runs.size());
  for (int turn = 0; turn < count; ++turn) {  // the chosen one last, on top
    const int r = turn + 1 == count ? view.run : turn < view.run ? turn : turn + 1;
    std::vector<PlotPoint> points;
    for (const LengthPoint& p : view.snapshot.runs[static_cast<std::size_t>(r)].lengths) {
      if (p.possible) points.push_back({static_cast<double>(p.length), p.score});
    }
    curve(pen, plot, points, run_curve(pen.theme, r));
  }
}

std::string head_name(const RunSnapshot& run, const PrunedHead& head) {
  return head_words(run, {head.layer, head.head});
}

/// Each head removed by itself: what is left of the score, a bar each.
void removed_alone(const TrainingView& view, Box area) {
  const Pen& pen = view.pen;
  const RunSnapshot& run = view.shown();
  const Pruning& p = run.pruning;
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  area.cut_top(paragraph(pen, {area.x, area.y}, area.w,
                         std::string(view.snapshot.score_name) + " in %, one head removed", quiet, 2) +
               4);
  const float row_high = std::min(table_row, area.h / static_cast<float>(p.alone.size() + 1));
  if (row_high < 11) {
    put(pen, {area.x, area.y + 8}, "too many heads for this card: `headlight measure` prints them", quiet,
        area.w);
    return;
  }
  constexpr float number = 48;
  float names = pen.canvas.text_width("every head", strong_style(pen.theme.text, small_size));
  for (const PrunedHead& head : p.alone)
    names = std::max(names, pen.canvas.text_width(head_name(run, head), quiet));
  names = std::min(std::ceil(names) + 8, area.w - number);
  const auto row = [&](const std::string& name, double score, double loss, bool whole) {
    const Box line = area.cut_top(row_high);
    const float y = line.centre().y;
    put(pen, {line.x, y}, name,
        whole ? strong_style(pen.theme.text, small_size) : words_style(pen.theme.text, small_size),
        names - 6);
    const Box track{line.x + names, y - 4, std::max(0.f, line.w - names - number), 8};
    pen.canvas.rect(track, pen.theme.field, 3);
    pen.canvas.rect({track.x, track.y, track.w * static_cast<float>(score), 8},
                    whole ? draw::faded(pen.theme.text, 0.7f) : run_color(pen.theme, view.run), 3);
    draw::Mark note;
    note.part = draw::Part::note, note.name = "without " + name, note.area = line;
    note.note = (whole ? name : "without " + name) + ": " + view.snapshot.score_name + " " +
                percent_words(score) + ", loss " + loss_words(loss);
    pen.canvas.mark(note);
    put(pen, {line.right(), y}, score_words(score), aligned(mono_style(pen.theme.text), Align::right),
        number - 4);
    pen.canvas.mark({});
  };
  row("every head", p.score, p.loss, true);
  for (const PrunedHead& head : p.alone) row(head_name(run, head), head.score, head.loss, false);
}

/// Heads removed one after the other.
void removed_in_turn(const TrainingView& view, Box area) {
  const Pen& pen = view.pen;
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const std::string rule = "each time the head whose removal leaves the highest score, ties by loss";
  const std::string title =
      "removed in turn" +
      (pen.canvas.text_width("removed in turn: " + rule, quiet) <= area.w ? ": " + rule : std::string());
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "removed in turn", mark.note = rule;
  mark.area = {area.x, area.y, area.w, table_row};
  pen.canvas.mark(mark);
  put(pen, {area.x, area.y + 8}, title, quiet, area.w);
  pen.canvas.mark({});
  area.cut_top(table_row);
  const RunSnapshot& shown = view.shown();
  std::string order;
  for (const PrunedHead& head : shown.pruning.greedy)
    order +=
        (order.empty() ? "" : ", ") + std::to_string(head.layer + 1) + "." + std::to_string(head.head + 1);
  const float words = order.empty() ? 0 : paragraph(pen, {}, area.w, "layer.head: " + order, quiet, 2, false);
  paragraph(pen, {area.x, area.bottom() - words}, area.w, order.empty() ? "" : "layer.head: " + order, quiet,
            2);
  area.cut_bottom(words + below_plot), area.cut_left(left_of_plot), area.cut_right(10), area.cut_top(6);
  if (area.w < 50 || area.h < 40) return;
  std::size_t most = 1;
  for (const RunSnapshot& run : view.snapshot.runs) most = std::max(most, run.pruning.greedy.size());
  const Plot plot{area, 0, static_cast<double>(most), 0, 1};
  y_grid(pen, plot, {0, 0.5, 1}, 0, 100);
  x_axis(pen, plot, whole_ticks(static_cast<int>(most), area.w, 24), "heads removed");
  percent_name(view, area);
  for (int r = 0; r < static_cast<int>(view.snapshot.runs.size()); ++r) {
    const Pruning& p = view.snapshot.runs[static_cast<std::size_t>(r)].pruning;
    if (p.greedy.empty()) continue;
    std::vector<PlotPoint> points = {{0, p.score}};
    for (std::size_t i = 0; i < p.greedy.size(); ++i)
      points.push_back({static_cast<double>(i + 1), p.greedy[i].score});
    curve(pen, plot, points, run_curve(pen.theme, r));
  }
}

}  // namespace

std::string training_plot_words(const TrainingView& view) {
  if (view.settings.plot == scene::TrainingPlot::lengths) return "held-out sequences of other lengths";
  const int step = view.shown().pruning.step;
  return "without retraining" + (step < 0 ? std::string() : "; weights of step " + with_commas(step));
}

void training_lengths(const TrainingView& view, Box area) {
  const std::vector<int> lengths = lengths_of(view);
  if (lengths.empty()) {
    const bool other = view.snapshot.settings.task == scene::TrainingTask::pronouns;
    placeholder(view.pen, area, other ? "The sentences have their own lengths" : "Not measured yet",
                other ? "pronouns: 9 to 14 words, all trained" : "measured at the end of the run");
    return;
  }
  length_table(view, area.cut_top(LengthTable(view, area.w, lengths.size()).height), lengths);
  length_plot(view, area, lengths);
}

void training_pruning(const TrainingView& view, Box area) {
  if (view.shown().pruning.alone.empty()) {
    placeholder(view.pen, area, "Not measured yet",
                "measured when the run is paused or finished; takes seconds");
    return;
  }
  if (view.snapshot.runs.size() > 1) {
    for (int r = 0; r < static_cast<int>(view.snapshot.runs.size()); ++r)
      run_row(view, area.cut_top(table_row), r, area.w - 46);
    area.cut_top(6);
  }
  Box left = area.cut_left(std::round(area.w * 0.46f));
  area.cut_left(24);
  removed_alone(view, left);
  removed_in_turn(view, area);
}

}  // namespace headlight::views
