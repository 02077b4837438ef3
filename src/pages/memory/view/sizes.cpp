// The error of attention with fewer numbers: random features, and projected keys.
#include <algorithm>
#include <array>
#include <cmath>

#include "kit/curve.h"
#include "kit/words.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

namespace {

std::string feet(const PageInput& in, const scene::SizeErrors& s) {
  return "m random features (Performer) estimate each exp(q·k ÷ √d) without bias; the relative deviation "
         "grows with ‖q′ + k′‖; m = " +
         std::to_string(s.m) + ": error " + in.text("random_feature_error") +
         ". r projected keys (Linformer) are means of neighbours here, not learned; r = " +
         std::to_string(s.r) + ": " + in.text("projected_error") +
         ", 0 at r = T. φ = elu + 1: " + in.text("size_error") + ".";
}

std::string noted(const scene::SizeError& one) {
  std::string words = std::to_string(one.size) + "\nrandom features m: error " + brief(one.features, 3);
  if (!std::isnan(one.keys))
    words += "\nprojected keys r: error " + (one.keys < 1e-9 ? "0" : brief(one.keys, 3));
  return words;
}

}  // namespace

void memory_sizes_card(const MemoryView& view, Box box, const std::vector<Choice>& over) {
  const Pen& pen = view.pen;
  const scene::SizeErrors* s = view.results.sizes.get();
  const std::string T = std::to_string(scene::size_tokens), d = s ? std::to_string(s->width) : "";
  Box inside =
      card(pen, box,
           {"Random features and projected keys",
            "error of the outputs relative to softmax attention, T = " + T + ", width " + d +
                ", no mask; random features: mean of " + std::to_string(scene::size_draws) + " draws of ω",
            segmented_width(pen, over)},
           "error");
  segmented(pen, card_corner(box), over);
  if (!s || s->sizes.empty()) return;
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const Box foot = inside.cut_bottom(paragraph(pen, {}, inside.w, feet(view.in, *s), quiet, 6, false));
  paragraph(pen, {foot.x, foot.y}, foot.w, feet(view.in, *s), quiet, 6);
  inside.cut_bottom(8);
  const std::array<draw::Color, 2> colors = {draw::series(view.theme(), 0), draw::series(view.theme(), 1)};
  legend_lines(pen, inside, {{"m random features", colors[0], 0}, {"r projected keys", colors[1], 1}});
  inside.cut_bottom(36), inside.cut_left(44), inside.cut_top(8), inside.cut_right(10);
  if (inside.w < 60 || inside.h < 40) return;

  const auto drawn = [](double error) { return error > 1e-9; };  // NaN, and 0 where r = T, are not
  std::vector<PlotPoint> features, keys;
  double least = 1, most = 1;
  for (const scene::SizeError& one : s->sizes) {
    const auto size = static_cast<double>(one.size);
    for (const double error : {one.features, one.keys}) {
      if (drawn(error)) least = std::min(least, error), most = std::max(most, error);
    }
    if (drawn(one.features)) features.push_back({size, one.features});
    if (drawn(one.keys)) keys.push_back({size, one.keys});
  }
  // From the last of 1, 2, 5, 10 … below all of them to the first above.
  std::vector<Tick> ticks;
  for (double ten = 1e-6; ten < 1e9 && (ticks.empty() || ticks.back().value < most); ten *= 10) {
    for (const double value : {ten, 2 * ten, 5 * ten}) {
      if (value <= least) ticks.clear();
      if (ticks.empty() || ticks.back().value < most)
        ticks.push_back({value, value >= 10 ? fixed(value, 0) : brief(value, 1)});
    }
  }
  const Plot plot =
      log_plot(inside, 1, double(s->sizes.back().size), ticks.front().value, ticks.back().value);
  y_grid(pen, plot, ticks);
  log_x_axis(pen, plot, "m, or r");
  for (const scene::SizeError& one : s->sizes) {
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "size " + std::to_string(one.size), mark.note = noted(one);
    mark.area = {plot.x(one.size) - 12, inside.y, 24, inside.h};
    pen.canvas.mark(mark);
    pen.canvas.mark({});
  }
  curve(pen, plot, keys, series_style(colors[1], 1));
  curve(pen, plot, features, series_style(colors[0], 0));
  // The scene's own m and r, as rings.
  const auto ring = [&](double size, double error, draw::Color color) {
    if (drawn(error)) pen.canvas.circle(plot.at(size, error), 6, draw::faded(color, 0.45f));
  };
  ring(s->m, s->at_m, colors[0]);
  ring(s->r, s->at_r, colors[1]);
  const Point exact{plot.x(scene::size_tokens), inside.bottom() - 8};
  put(pen, exact, "0 at r = T", aligned(words_style(colors[1], small_size), Align::centre), 80);
}

}  // namespace headlight::views
