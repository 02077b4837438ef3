// What positions add to the scores: biases, buckets, slopes, and products by clipped distance.
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "kit/curve.h"
#include "kit/matrix_panel.h"
#include "kit/words.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/applied.h"

namespace headlight::views {

void bias_map(const VariantsView& view, Box area, const scene::VariantSideResults& side) {
  MatrixPanel map = token_map_of(view, "bias");
  map.weights = false;
  map.mark = {};
  map.mark.part = draw::Part::note, map.mark.note = "the number added to each score before the softmax";
  map.mark.name = "bias map";
  map.values = side.bias.data();
  map.map = draw::Colormap::signed_weight;
  map.hi = static_cast<float>(nice_ceiling(static_cast<double>(largest_magnitude(side.bias.values()))));
  map.lo = -map.hi;
  map.across.clear(), map.down.clear();
  map.view = {};
  map.hover_query = view.hover_query, map.hover_key = view.hover_key;
  area.cut_bottom(32);
  const Box cells = draw_matrix_panel(view.pen, area, map).cells;
  const std::string end = brief(static_cast<double>(map.hi), 2);
  const float width = std::max(90.f, std::min(cells.w, 200.f));
  color_bar(view.pen, {std::min(cells.x, area.right() - width), cells.bottom() + 8, width, 8},
            {draw::Colormap::signed_weight, "−" + end, "bias", "+" + end});
}

void bucket_plot(const VariantsView& view, Box area, const scene::VariantSideResults& side) {
  const int reach = side.max_distance, first = -reach;
  const int last = side.bidirectional ? reach : 0;
  PlotWords words{"bucket by distance", {{double(first), "−" + std::to_string(reach)}, {0, "0"}}, {}};
  if (last > 0) words.x.push_back({double(last), "+" + std::to_string(last)});
  for (const int bucket : {0, side.bucket_count / 2, side.bucket_count - 1})
    words.y.push_back({double(bucket), std::to_string(bucket)});
  std::vector<PlotPoint> steps;
  for (int distance = first; distance <= last; ++distance) {
    const double bucket = side.bucket[static_cast<std::size_t>(distance + reach)];
    steps.push_back({std::max<double>(first, distance - 0.5), bucket});
    steps.push_back({std::min<double>(last, distance + 0.5), bucket});
  }
  const double most = std::max(1, side.bucket_count - 1);
  const Plot plot =
      framed_plot(view.pen, area, {{}, double(first), double(std::max(first + 1, last)), 0, most}, words);
  const Box& box = plot.box;
  if (box.w >= 10 && box.h >= 10) curve(view.pen, plot, steps, {view.theme().accent});
  // The tooltip of each bucket has its distances and its number.
  for (int from = first; from <= last && box.w > 10;) {
    int to = from;
    const int bucket = side.bucket[static_cast<std::size_t>(from + reach)];
    while (to < last && side.bucket[static_cast<std::size_t>(to + 1 + reach)] == bucket) ++to;
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "bucket at " + std::to_string(from);
    mark.note = "key − query = " + fixed(from, 0) + (to > from ? " … " + fixed(to, 0) : "") + "\nbucket " +
                std::to_string(bucket) + ", bias " +
                fixed(static_cast<double>(side.bucket_bias[static_cast<std::size_t>(bucket)]), 3);
    const float x0 = plot.x(std::max<double>(first, from - 0.5)),
                x1 = plot.x(std::min<double>(last, to + 0.5));
    mark.area = {x0, box.y, x1 - x0, box.h};
    view.pen.canvas.mark(mark);
    view.pen.canvas.mark({});
    from = to + 1;
  }
}

void slopes(const VariantsView& view, Box area, const scene::VariantSideResults& side) {
  put(view.pen, {area.x, area.y + 7}, "slopes m", strong_style(view.theme().text, word_size), area.w);
  area.cut_top(22);
  const int heads = static_cast<int>(side.slopes.size()), head = view.results.head;
  const int room = std::max(1, static_cast<int>(area.h / 20));
  const int shown = std::min(heads, heads > room ? room - 1 : room);
  const int first = std::clamp(head - shown / 2, 0, heads - shown);
  const float number = 58;
  for (int h = first; h < first + shown; ++h) {
    const Box row = area.cut_top(20);
    const float y = row.centre().y;
    const double slope = side.slopes[static_cast<std::size_t>(h)];
    const draw::Color color = h == head ? view.theme().text : view.theme().dim;
    put(view.pen, {row.x, y}, "head " + std::to_string(h + 1), words_style(color, small_size), 56);
    const std::string name = of_side_of(view, side) + " head=" + std::to_string(h + 1);
    put(view.pen, {row.right(), y}, view.in.text("variant_slope" + name),
        aligned(mono_style(color, small_size), Align::right), number);
    const float width = std::max(0.f, row.w - 60 - number - 4);
    view.pen.canvas.rect({row.x + 60, y - 4, width * static_cast<float>(slope / side.slopes.front()), 8},
                         h == head ? view.theme().accent : view.theme().faint, 2);
  }
  if (shown < heads) {
    put(view.pen, {area.x, area.y + 9}, "of " + std::to_string(heads) + " heads",
        words_style(view.theme().dim, small_size), area.w);
  }
}

void clipped_distances(const VariantsView& view, Box area, const scene::VariantSideResults& side) {
  const draw::Theme& theme = view.theme();
  const draw::TextStyle quiet = words_style(theme.dim, small_size);
  const nn::Matrix& all = side.by_clipped;
  put(view.pen, {area.x, area.y + 7}, "by clipped distance", strong_style(theme.text, word_size), area.w);
  area.cut_top(20);
  put(view.pen, {area.x, area.bottom() - 8}, "key − query, clipped to ±" + std::to_string(side.clip), quiet,
      area.w);
  area.cut_bottom(24);
  if (area.w < 30 || area.h < 30) return;
  MatrixPanel map;
  map.values = all.data(), map.rows = all.rows(), map.cols = all.cols();
  map.version = view.in.results.version;
  map.hi = static_cast<float>(nice_ceiling(static_cast<double>(largest_magnitude(all.values()))));
  map.lo = -map.hi, map.map = draw::Colormap::signed_weight, map.weights = false;
  map.across.clear(), map.down.clear();
  map.row_names = view.tokens;
  std::vector<std::string> distances;
  for (int distance = -side.clip; distance <= side.clip; ++distance) {
    const bool clipped = std::abs(distance) == side.clip;
    distances.push_back((!clipped ? "" : distance < 0 ? "≤ " : "≥ ") + fixed(distance, 0));
    map.col_names.push_back(clipped || distance == 0 ? distances.back() : "");
  }
  map.col_numbers = true;
  const Box cells = draw_matrix_panel(view.pen, area, map).cells;
  const float wide = cells.w / static_cast<float>(all.cols());
  for (int c = 0; c < all.cols(); ++c) {
    const int distance = c - side.clip;
    const std::string& words = distances[static_cast<std::size_t>(c)];
    const float x = cells.x + (static_cast<float>(c) + 0.5f) * wide;
    float least = all.at(0, c), largest = least;
    for (int row = 0; row < all.rows(); ++row)
      least = std::min(least, all.at(row, c)), largest = std::max(largest, all.at(row, c));
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "distance " + std::to_string(distance);
    mark.note = "key − query " + words + "\nadded " + fixed(static_cast<double>(least), 3) + " to " +
                fixed(static_cast<double>(largest), 3) + ", by the query";
    mark.area = {x - wide / 2, cells.y, wide, cells.h};
    view.pen.canvas.mark(mark);
    view.pen.canvas.mark({});
  }
}

}  // namespace headlight::views
