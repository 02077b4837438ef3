#include "pages/block/view/stream.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kit/curve.h"
#include "pages/block/view/view.h"

namespace headlight::views {

namespace {

struct Curve {
  std::string name;
  draw::Color color;
  int place;  // its dash and its mark
  double (*value)(const nn::StageStatistics&);
};

double norm_of(const nn::StageStatistics& s) {
  return s.norm;
}
double deviation_of(const nn::StageStatistics& s) {
  return std::sqrt(s.variance);
}
double mean_of(const nn::StageStatistics& s) {
  return s.mean;
}

/// As many as it takes to write all of them without rounding.
int decimals_for(const std::vector<double>& values) {
  for (int decimals = 0; decimals < 4; ++decimals) {
    const double shift = std::pow(10.0, decimals);
    if (std::all_of(values.begin(), values.end(), [&](double v) {
          return std::abs(v * shift - std::round(v * shift)) < 1e-6 * shift * std::abs(v) + 1e-12;
        }))
      return decimals;
  }
  return 4;
}

/// The curves over the stages, on one scale.
void plot_curves(const StreamPlot& plotted, Box box, std::span<const Curve> curves, bool labels) {
  const Pen& pen = plotted.pen;
  const std::vector<nn::StageStatistics>& stages = plotted.stages;
  const Box keys = box.cut_top(18);
  float x = keys.x;
  for (const Curve& curve : curves) {
    if (x + series_legend_width(pen, curve.name) > keys.right()) break;
    x += series_legend(pen, {x, keys.centre().y}, curve.color, curve.place, curve.name) + 12;
  }
  box.cut_left(38), box.cut_right(10), box.cut_top(8), box.cut_bottom(labels ? 34.f : 8.f);
  if (box.w < 60 || box.h < 30 || stages.empty()) return;
  double low = 0, high = 0;
  for (const Curve& curve : curves) {
    for (const nn::StageStatistics& s : stages) {
      const double value = curve.value(s);
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
    }
  }
  high = nice_ceiling(high);
  if (low > -0.02 * high) low = std::min(low, -0.02 * high);
  const auto last = static_cast<double>(std::max<std::size_t>(1, stages.size() - 1));
  const Plot plot{box, 0, last, low, high};
  std::vector<double> grid = {0, high};
  if (box.h > 70) grid.push_back(high / 2);
  y_grid(pen, plot, grid, decimals_for(grid));
  // Where the shown layer begins and ends.
  const double of_layer = plotted.of_layer, begin = of_layer * plotted.layer;
  pen.canvas.rect({plot.x(begin), box.y, plot.x(std::min(last, begin + of_layer)) - plot.x(begin), box.h},
                  draw::faded(pen.theme.accent, 0.12f));
  for (const Curve& one : curves) {
    std::vector<PlotPoint> points;
    for (std::size_t i = 0; i < stages.size(); ++i)
      points.push_back({static_cast<double>(i), one.value(stages[i])});
    curve(pen, plot, points, series_style(one.color, one.place, 3.2f));
  }
  if (!labels) return;
  const float pitch = box.w / static_cast<float>(last) * static_cast<float>(of_layer);
  const int step = label_step(pitch, 22);
  std::vector<Tick> ticks;
  for (int l = step; l <= plotted.layers; l += step)
    ticks.push_back({of_layer * (l - 0.5), std::to_string(l)});
  x_axis(pen, plot, ticks, plotted.final_norm ? "layer; last: final norm" : "layer");
}

/// A quantity of the stages, whose form is read once for all of them.
struct StageNumber {
  const PageInput& in;
  const char* name;
  base::NumberForm form = in.numbers ? in.read(quantity(name, {{"stage", 0}})).form : base::NumberForm{};
  std::string at(std::size_t stage, double value) const {
    std::string words = base::written(value, form);
    if (in.stated) in.noted(quantity(name, {{"stage", static_cast<int>(stage)}}), value, words);
    return words;
  }
};

void stage_notes(const StreamPlot& plotted, Box box) {
  const auto& stages = plotted.stages;
  box.cut_left(38), box.cut_right(10);
  const StageNumber norm{plotted.in, "stream_norm"}, deviation{plotted.in, "stream_deviation"},
      mean{plotted.in, "stream_mean"};
  column_marks(plotted.pen, box, stages.size(), [&](std::size_t i) {
    const nn::StageStatistics& s = stages[i];
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "stream " + std::to_string(i);
    mark.note = s.stage + "\nnorm " + norm.at(i, s.norm) + "\nstd " + deviation.at(i, deviation_of(s)) +
                "\nmean " + mean.at(i, s.mean);
    if (plotted.chooses && i > 0 && static_cast<int>(i) <= plotted.layers) {
      mark.part = draw::Part::control;
      mark.set = "weights_layer=" + std::to_string(i);
      mark.note += "\nclick: show this layer";
    }
    return mark;
  });
}

std::string norm_at(const StreamPlot& plotted, std::size_t stage) {
  return size_text(plotted.in, quantity("stream_norm", {{"stage", static_cast<int>(stage)}}));
}

}  // namespace

std::string stream_growth(const StreamPlot& plotted) {
  const auto& stages = plotted.stages;
  const std::size_t last = stages.size() - (plotted.final_norm ? 2 : 1);
  return "norm of a token: " + norm_at(plotted, 0) + " at the input, " + norm_at(plotted, last) + " after " +
         std::to_string(plotted.layers) + (plotted.layers == 1 ? " layer" : " layers") +
         (plotted.final_norm ? ", " + norm_at(plotted, stages.size() - 1) + " after the final norm" : "");
}

void stream_plots(const StreamPlot& plotted, Box inside) {
  const Pen& pen = plotted.pen;
  const std::array<Curve, 1> norm = {Curve{"norm, mean over tokens", draw::series(pen.theme, 0), 0, norm_of}};
  const std::array<Curve, 2> rest = {Curve{"standard deviation", draw::series(pen.theme, 0), 0, deviation_of},
                                     Curve{"mean", draw::series(pen.theme, 1), 1, mean_of}};
  const Box whole = inside;
  const Box upper = inside.cut_top(std::round(inside.h * 0.5f));
  stage_notes(plotted, whole);
  plot_curves(plotted, upper, norm, false);
  plot_curves(plotted, inside, rest, true);
}

void block_stream_card(const BlockView& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const StreamPlot plotted{pen,
                           sheet.in,
                           sheet.results.stream,
                           sheet.settings.feed_forward ? 2 : 1,
                           sheet.layer,
                           sheet.results.layers,
                           sheet.results.final_norm};
  const bool depth = sheet.in.scene.block.plot == scene::BlockPlot::depth;
  const std::array<Choice, 2> plots = {
      Choice{"size", "block_plot=size", "plot size", !depth, "norm, standard deviation and mean of a token"},
      Choice{"depth", "block_plot=depth", "plot depth", depth,
             "similarity of the tokens and norm of the gradient, with and without residuals"}};
  Box inside = card(pen, box,
                    {depth ? "Depth" : "The residual stream",
                     depth ? block_depth_words(sheet) : stream_growth(plotted), segmented_width(pen, plots)},
                    "stream");
  segmented(pen, card_corner(box), plots);
  if (depth) return block_depth_plots(sheet, inside);
  stream_plots(plotted, inside);
}

}  // namespace headlight::views
