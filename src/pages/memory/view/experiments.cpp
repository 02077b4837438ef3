// The table of 1991 and 2017, the error of linear attention over the length, and influence over the distance.
#include "pages/memory/experiments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "kit/cells.h"
#include "kit/curve.h"
#include "kit/words.h"
#include "pages/memory/memory.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

namespace {

struct Pair {
  const char *now, *then;
};
constexpr Pair pairs[] = {{"query q", "retrieval signal"},
                          {"key k", "storage key"},
                          {"value v", "storage value"},
                          {"Kᵀ V", "fast weight matrix"},
                          {"linear attention", "the 1991 lookup"}};

/// What the sentence has of a row of the table.
std::string here(const MemoryView& view, std::size_t row) {
  const scene::SentenceMemory* m = view.results.sentence.get();
  if (!m) return {};
  const std::string T = std::to_string(m->q.rows()), d = std::to_string(m->q.cols());
  switch (row) {
    case 0:
    case 1:
    case 2:
      return T + " × " + d;
    case 3:
      return d + " × " + d + ", " + T + (m->q.rows() == 1 ? " write" : " writes");
    default:
      return "agree to within " + view.in.text("fast_residual");
  }
}

/// The matrix of the sentence that a row of the table names, each on its own scale; none without a sentence.
Cells matrix_of(const MemoryView& view, std::size_t row) {
  const scene::SentenceMemory* m = view.results.sentence.get();
  if (!m || m->q.rows() == 0) return {};
  const auto picture = [](const float* values, int rows, int cols, const char* name) {
    const std::span<const float> all(values, static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
    return signed_cells(values, rows, cols, signed_limit(largest_magnitude(all)), name);
  };
  const auto whole = [&](const nn::Matrix& matrix, const char* name) {
    return picture(matrix.data(), matrix.rows(), matrix.cols(), name);
  };
  switch (row) {
    case 0:
      return whole(m->q, "q");
    case 1:
      return whole(m->k, "k");
    case 2:
      return whole(m->v, "values");
    case 3:
      return picture(m->sum.states.plane(m->q.rows() - 1), m->v.cols(), m->phi_k.cols(), "W at the end");
    default:
      return whole(m->linear_output, "output");
  }
}

/// One card's plot, with its foot of words cut off below.
Box plot_box(const MemoryView& view, Box inside, const std::string& words) {
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const Box foot = inside.cut_bottom(paragraph(view.pen, {}, inside.w, words, quiet, 8, false));
  paragraph(view.pen, {foot.x, foot.y}, foot.w, words, quiet, 8);
  inside.cut_bottom(8);
  return inside;
}

void note(const MemoryView& view, const std::string& name, Box area, const std::string& words) {
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = name, mark.area = area, mark.note = words;
  view.pen.canvas.mark(mark);
  view.pen.canvas.mark({});
}

}  // namespace

void memory_lineage_card(const MemoryView& view, Box box) {
  const Pen& pen = view.pen;
  Box inside = card(
      pen, box,
      {"The same operation, 2017 and 1991", "the terms of 2017 and of 1991; the matrices of this sentence"},
      "lineage");
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const std::string words =
      "Both are equal before linear attention divides by its normaliser, with the same φ. In 1991, φ is the "
      "identity and there is no normaliser; linear attention uses elu + 1. The difference from 2017 is the "
      "softmax: exp(q · k) is not a product φ(q) · φ(k) of finitely many features. Schlag, Irie and "
      "Schmidhuber (2021) show the equivalence of linear attention and fast weights.";
  constexpr int most_lines = 8;
  const Box foot = inside.cut_bottom(paragraph(pen, {}, inside.w, words, quiet, most_lines, false));
  paragraph(pen, {foot.x, foot.y}, foot.w, words, quiet, most_lines);
  inside.cut_bottom(8);
  // A narrow card gives the numbers the width that they need.
  float third = inside.w * 0.34f;
  for (std::size_t row = 0; row < std::size(pairs); ++row)
    third = std::max(third, pen.canvas.text_width(here(view, row), words_style(view.theme().dim)) + 2);
  third = std::min(third, inside.w * 0.46f);
  const Box head = inside.cut_top(20);
  constexpr float drawn_from = 60;  // a row so high has its matrix, too
  const float pitch = std::min(150.f, inside.h / static_cast<float>(std::size(pairs)));
  const bool drawn = pitch >= drawn_from && view.results.sentence;
  if (drawn) third = std::max(third, inside.w - 260);
  const float first = std::round((inside.w - third) * 0.455f),
              second = std::round((inside.w - third) * 0.545f);
  const char* now = "Transformer, 2017";
  const char* then = "fast weights, 1991";
  if (pen.canvas.text_width(now, quiet) > first - 8) now = "2017", then = "1991";
  put(pen, {head.x, head.centre().y}, now, quiet, first - 8);
  put(pen, {head.x + first, head.centre().y}, then, quiet, second - 8);
  put(pen, {head.x + first + second, head.centre().y}, "here", quiet, head.w - first - second);
  for (std::size_t row = 0; row < std::size(pairs); ++row) {
    const Box line = inside.cut_top(pitch);
    pen.canvas.line({line.x, line.y}, {line.right(), line.y}, {view.theme().faint, 1});
    const float y = line.centre().y;
    put(pen, {line.x, y}, pairs[row].now, strong_style(view.theme().text, word_size), first - 8);
    put(pen, {line.x + first, y}, pairs[row].then, words_style(view.theme().text), second - 8);
    Box own = line;
    own.cut_left(first + second);
    const Cells matrix = drawn ? matrix_of(view, row) : Cells{};
    if (matrix.rows == 0) {
      put(pen, {own.x, y}, here(view, row), words_style(view.theme().dim), own.w);
      continue;
    }
    put(pen, {own.x, own.y + 13}, here(view, row), words_style(view.theme().dim), own.w);
    own.cut_top(24), own.cut_bottom(8);
    cells(view, own, matrix);
  }
}

void memory_error_card(const MemoryView& view, Box box) {
  const Pen& pen = view.pen;
  const bool over_size = view.in.scene.memory.error_over == scene::MemoryErrorOver::size;
  const std::vector<Choice> over = {
      {"T", "memory_error_over=length", "error over length", !over_size, "over the length T"},
      {"m, r", "memory_error_over=size", "error over size", over_size,
       "over the number m of random features or r of projected keys"}};
  if (over_size) {
    memory_sizes_card(view, box, over);
    return;
  }
  const scene::MemoryExperiments* e = view.results.experiments.get();
  const std::string d = e ? std::to_string(e->width) : "";
  Box inside =
      card(pen, box,
           {"Linear attention against softmax",
            "relative error of the outputs, one draw of q, k and v of width " + d + " for each T, no mask",
            segmented_width(pen, over)},
           "error");
  segmented(pen, card_corner(box), over);
  if (!e || e->errors.empty()) return;
  const scene::LinearError& last = e->errors.back();
  inside = plot_box(view, inside,
                    "Mean over queries of ‖y_linear − y_softmax‖ ÷ ‖y_softmax‖. At T\u00a0=\u00a0" +
                        with_commas(last.T) + " the softmax costs 2\u00a0T²\u00a0d\u00a0=\u00a0" +
                        with_commas(static_cast<long long>(last.softmax_cost)) +
                        " multiply-adds, linear attention 2\u00a0T\u00a0d²\u00a0=\u00a0" +
                        with_commas(static_cast<long long>(last.linear_cost)) +
                        ". φ = identity divides by sums that can be nearly 0.");
  const std::array<draw::Color, 2> colors = {draw::series(view.theme(), 0), draw::series(view.theme(), 1)};
  legend_lines(pen, inside, {{"φ = elu + 1", colors[0], 0}, {"φ = identity", colors[1], 1}});
  inside.cut_bottom(36), inside.cut_left(44), inside.cut_top(8), inside.cut_right(10);
  if (inside.w < 60 || inside.h < 40) return;
  Plot plot = log_plot(inside, double(e->errors.front().T), double(last.T), 0.1, 1);
  for (const scene::LinearError& one : e->errors) {
    for (const double error : {one.elu1, one.identity}) {
      while (error > 0 && error < plot.from_y && plot.from_y > 1e-6) plot.from_y /= 10;
      while (error > plot.to_y && plot.to_y < 1e9) plot.to_y *= 10;
    }
  }
  std::vector<Tick> ticks;
  for (double value = plot.from_y; value <= plot.to_y * 1.001; value *= 10)
    ticks.push_back({value, value >= 1 ? with_commas(std::llround(value)) : brief(value, 1)});
  y_grid(pen, plot, ticks);
  log_x_axis(pen, plot, "length T");
  std::vector<PlotPoint> elu1, identity;
  for (const scene::LinearError& one : e->errors) {
    elu1.push_back({double(one.T), one.elu1});
    identity.push_back({double(one.T), one.identity});
    note(view, "error " + std::to_string(one.T), {plot.x(one.T) - 12, inside.y, 24, inside.h},
         "T = " + with_commas(one.T) + "\nφ = elu + 1: " + brief(one.elu1, 3) +
             "\nφ = identity: " + brief(one.identity, 3) + "\nmultiply-adds: softmax " +
             with_commas(static_cast<long long>(one.softmax_cost)) + ", linear " +
             with_commas(static_cast<long long>(one.linear_cost)));
  }
  curve(pen, plot, identity, series_style(colors[1], 1));
  curve(pen, plot, elu1, series_style(colors[0], 0));
}

void memory_influence_card(const MemoryView& view, Box box) {
  const Pen& pen = view.pen;
  const scene::MemoryExperiments* e = view.results.experiments.get();
  Box inside = card(pen, box,
                    {"How does influence fall with distance?",
                     "on the last of " + std::to_string(scene::influence_tokens) + " random tokens, width " +
                         (e ? std::to_string(e->width) : "") + ", mean of " +
                         std::to_string(scene::influence_draws) + " draws"},
                    "influence");
  if (!e || e->influence.empty()) return;
  inside = plot_box(view, inside,
                    "Recurrence: ‖∂h_T / ∂h_(T−δ)‖ ÷ √d through tanh and an untrained W_h, a product over "
                    "every step in between; at large distances a few draws dominate the mean. Attention: the "
                    "weight α, which does not depend on the distance; with random q and k it is 1/T on "
                    "average. Training and gates change what a recurrence keeps.");
  const std::array<draw::Color, 2> colors = {draw::series(view.theme(), 4), draw::series(view.theme(), 0)};
  legend_lines(pen, inside, {{"recurrence", colors[0], 1}, {"attention", colors[1], 0}});
  inside.cut_bottom(36), inside.cut_left(52), inside.cut_top(8), inside.cut_right(10);
  if (inside.w < 60 || inside.h < 40) return;
  // Distances along, powers of ten upwards.
  Plot plot{inside, 0, double(e->influence.back().distance), 1e-2, 1, false, true};
  for (const scene::Influence& one : e->influence) {
    while (one.recurrence > 0 && one.recurrence < plot.from_y && plot.from_y > 1e-12) plot.from_y /= 10;
    while (one.recurrence > plot.to_y) plot.to_y *= 10;
  }
  std::vector<Tick> ticks;
  for (double value = plot.from_y; value <= plot.to_y * 1.001; value *= 10)
    ticks.push_back({value, value > 0.9          ? fixed(value, 0)
                            : plot.from_y > 9e-4 ? brief(value, 1)
                                                 : power_words(value)});
  y_grid(pen, plot, ticks);
  x_axis(pen, plot, whole_ticks(e->influence.back().distance, inside.w, 36), "distance δ");
  for (int which = 0; which < 2; ++which) {
    std::vector<PlotPoint> points;
    for (const scene::Influence& one : e->influence) {
      const double value = which == 0 ? one.recurrence : one.attention;
      if (value > 0) points.push_back({double(one.distance), value});
    }
    curve(pen, plot, points, series_style(colors[static_cast<std::size_t>(which)], 1 - which, 2.5f));
  }
  const float half = inside.w / static_cast<float>(2 * e->influence.size());
  for (const scene::Influence& one : e->influence)
    note(view, "influence " + std::to_string(one.distance),
         {plot.x(one.distance) - half, inside.y, 2 * half, inside.h},
         "distance " + std::to_string(one.distance) + "\nrecurrence " + brief(one.recurrence, 3) +
             "\nattention " + brief(one.attention, 3));
}

}  // namespace headlight::views
