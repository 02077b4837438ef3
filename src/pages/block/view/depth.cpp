// What depth does to the tokens and to the gradient, with residual connections and without.
#include <algorithm>
#include <array>
#include <cmath>

#include "kit/curve.h"
#include "pages/block/block.h"
#include "pages/block/view/view.h"

namespace headlight::views {

namespace {

using Statistics = std::vector<nn::DepthStatistics>;

constexpr double least_gradient = 1e-6;  // below it the axis ends

double similarity_of(const nn::DepthStatistics& f) {
  return f.similarity;
}
double gradient_of(const nn::DepthStatistics& f) {
  return std::log10(std::max(f.gradient, least_gradient));
}

std::string power(double exponent) {
  return exponent == 0 ? "1" : exponent == 1 ? "10" : "1e" + fixed(exponent, 0);
}

void draw_curve(const Pen& pen, const Plot& plot, const Statistics& all,
                double (*value)(const nn::DepthStatistics&), const CurveStyle& style) {
  std::vector<PlotPoint> points;
  for (std::size_t l = 0; l < all.size(); ++l) {
    const double y = value(all[l]);
    points.push_back({static_cast<double>(l), std::isfinite(y) ? std::clamp(y, plot.from_y, plot.to_y) : y});
  }
  curve(pen, plot, points, style);
}

void notes(const BlockView& sheet, const Plot& plot, Box area) {
  const scene::BlockResults& r = sheet.results;
  const Box columns{plot.box.x, area.y, plot.box.w, area.h};
  column_marks(sheet.pen, columns, r.depth.size(), [&](std::size_t l) {
    const auto words = [](const char* what, const nn::DepthStatistics& f) {
      return std::string("\n") + what + ": mean cosine " +
             (std::isnan(f.similarity) ? "–" : fixed(f.similarity, 4)) + ", spread " + brief(f.spread, 3) +
             ", gradient " + brief(f.gradient, 3);
    };
    const nn::DepthStatistics &with = sheet.settings.residual ? r.depth[l] : r.other_depth[l],
                              &without = sheet.settings.residual ? r.other_depth[l] : r.depth[l];
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "depth " + std::to_string(l);
    mark.note = (l == 0 ? "input" : "after layer " + std::to_string(l)) + words("with residuals", with) +
                words("without residuals", without);
    return mark;
  });
}

}  // namespace

std::string block_depth_words(const BlockView& sheet) {
  const scene::BlockResults& r = sheet.results;
  if (r.depth.empty()) return "not computed for a stack of this size";
  const Statistics& with = sheet.settings.residual ? r.depth : r.other_depth;
  const Statistics& without = sheet.settings.residual ? r.other_depth : r.depth;
  const auto cosine = [](const Statistics& all) {
    const double mean = all.back().similarity;
    return std::isnan(mean) ? std::string("–") : fixed(mean, 2);
  };
  if (sheet.results.T == 1) return "one token: there is no pair to compare";
  return "mean cosine of two tokens after " + std::to_string(r.layers) +
         (r.layers == 1 ? " layer: " : " layers: ") + cosine(with) + " with residuals, " + cosine(without) +
         " without";
}

void block_depth_plots(const BlockView& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::BlockResults& r = sheet.results;
  if (r.depth.empty()) {
    const std::string needed = "this needs two forward and two backward passes";
    placeholder(pen, box, "A large stack", needed + in_window(pen, ": use fewer layers or tokens"));
    return;
  }
  const Statistics& with = sheet.settings.residual ? r.depth : r.other_depth;
  const Statistics& without = sheet.settings.residual ? r.other_depth : r.depth;
  const CurveStyle first = series_style(draw::series(pen.theme, 2), 0, 3.2f),
                   second = series_style(draw::series(pen.theme, 1), 1, 3.2f);
  const Box keys = box.cut_top(18);
  float x = keys.x;
  x += series_legend(pen, {x, keys.centre().y}, first.color, first.place, "with residuals") + 12;
  series_legend(pen, {x, keys.centre().y}, second.color, second.place, "without");
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const auto last = static_cast<double>(std::max<std::size_t>(1, r.depth.size() - 1));
  double low = -1, high = 0.3;
  for (const Statistics* all : {&with, &without}) {
    for (const nn::DepthStatistics& f : *all)
      low = std::min(low, gradient_of(f)), high = std::max(high, gradient_of(f));
  }
  low = std::floor(low), high = std::ceil(high);
  const Box whole = box;
  Box upper = box.cut_top(std::round(box.h * 0.47f));
  const auto frame = [&](Box area, const char* name, double from, double to, float foot) {
    put(pen, {area.x + 38, area.y + 9}, name, quiet, area.w - 38);
    area.cut_top(22), area.cut_left(38), area.cut_right(10), area.cut_bottom(foot);
    return Plot{area, 0, last, from, to};
  };
  double least = 0;
  for (const Statistics* all : {&with, &without}) {
    for (const nn::DepthStatistics& f : *all) least = std::min(least, f.similarity);
  }
  const Plot alike =
      frame(upper, "mean cosine of two tokens", std::min(0.0, std::floor(least * 5) / 5), 1.02, 8);
  const Plot gradient = frame(box, "norm of the gradient", low, high, 34);
  if (alike.box.w < 60 || alike.box.h < 20 || gradient.box.h < 20) return;
  y_grid(pen, alike, {0, 0.5, 1}, 1);
  std::vector<Tick> powers, layers;
  for (double tick = low; tick <= high + 0.5; tick += 1) powers.push_back({tick, power(tick)});
  y_grid(pen, gradient, powers);
  for (const Plot* plot : {&alike, &gradient}) {
    const double begin = sheet.layer;
    pen.canvas.rect({plot->x(begin), plot->box.y, plot->x(begin + 1) - plot->x(begin), plot->box.h},
                    draw::faded(pen.theme.accent, 0.12f));
  }
  draw_curve(pen, alike, with, similarity_of, first), draw_curve(pen, alike, without, similarity_of, second);
  draw_curve(pen, gradient, with, gradient_of, first),
      draw_curve(pen, gradient, without, gradient_of, second);
  for (const int layer : whole_ticks(r.layers, gradient.box.w, 22))
    layers.push_back({double(layer), layer == 0 ? "x" : std::to_string(layer)});
  x_axis(pen, gradient, layers, "after layer");
  notes(sheet, gradient, whole);
}

}  // namespace headlight::views
