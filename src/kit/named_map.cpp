#include "kit/named_map.h"

#include <algorithm>
#include <cmath>

#include "kit/cell_shape.h"
#include "kit/plot.h"
#include "kit/weight_bar.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Color;
using draw::Heatmap;
using draw::Point;
using draw::TextStyle;

namespace {

constexpr float caption_height = 15, most_uneven = 1.35f, number_em = 0.6f;
constexpr float named_pitch = 12;     // below it not every row is named
constexpr float least_named_row = 7;  // below it those that are have numbers
constexpr float label_gap = 6;

/// One edge: items first … last − 1 of `names`, each `pitch` long.
struct Edge {
  const std::vector<std::string>& names;
  int first = 0, last = 0;
  float start = 0, pitch = 0, low = 0, high = 0;
  int strong = -1, lit = -1;
  Color strong_color;
  float middle(int item) const {
    const float a = start + static_cast<float>(item) * pitch;
    return (std::max(a, low) + std::min(a + pitch, high)) / 2;
  }
  float seen(int item) const {
    const float a = start + static_cast<float>(item) * pitch;
    return std::min(a + pitch, high) - std::max(a, low);
  }
};

TextStyle label_style(const Pen& pen, const Edge& edge, int item) {
  const float size = edge.pitch >= 24 ? 12.f : 11.f;
  if (item == edge.strong) return strong_style(edge.strong_color, size);
  return words_style(item == edge.lit ? pen.theme.text : pen.theme.dim, size);
}

/// Rows stand apart by more than their own height where not all are named, and keep their names.
std::string name_of(const Edge& edge, int item, bool down = false) {
  const auto at = static_cast<std::size_t>(item);
  const std::string name = at < edge.names.size() ? edge.names[at] : std::string();
  return edge.pitch < (down ? least_named_row : named_pitch) ? std::to_string(item) : name;
}

/// From one named row to the next.
int row_step(const Edge& edge) {
  return label_step(edge.pitch, edge.pitch < named_pitch ? 20.f : named_pitch);
}

/// Of the rows' names.
float widest(const Pen& pen, const Edge& edge) {
  float width = 0;
  const int step = row_step(edge);
  for (int item = (edge.first + step - 1) / step * step; item < edge.last; item += step)
    width = std::max(width, pen.canvas.text_width(name_of(edge, item, true), label_style(pen, edge, item)));
  return std::ceil(width);
}

void names_down(const Pen& pen, const Edge& edge, float right, float room) {
  const int step = row_step(edge);
  for (int item = (edge.first + step - 1) / step * step; item < edge.last; item += step) {
    if (edge.seen(item) < std::min(10.f, edge.pitch * 0.5f)) continue;
    put(pen, {right, edge.middle(item)}, name_of(edge, item, true),
        aligned(label_style(pen, edge, item), Align::right), room);
  }
}

/// How the names of the columns stand.
struct Standing {
  bool upwards = false;
  float height = 16;
};

Standing stand(const Pen& pen, const Edge& edge, float most) {
  if (edge.pitch < named_pitch || edge.pitch >= 48) return {};
  const float width = widest(pen, edge);
  if (width + 4 <= edge.pitch) return {};
  return {true, std::min(width + 4, most)};
}

void names_across(const Pen& pen, const Edge& edge, float y, Standing standing) {
  const int step = edge.pitch < named_pitch ? label_step(edge.pitch, 30) : 1;
  for (int item = (edge.first + step - 1) / step * step; item < edge.last; item += step) {
    if (edge.seen(item) < std::min(12.f, edge.pitch * 0.5f)) continue;
    TextStyle style = label_style(pen, edge, item);
    if (standing.upwards) {
      style.upwards = true;
      put(pen, {edge.middle(item), y - 3}, name_of(edge, item), style, standing.height);
    } else {
      const std::string name = name_of(edge, item);
      float x = edge.middle(item);
      if (step > 1) {
        const float half = pen.canvas.text_width(name, style) / 2;
        x = std::clamp(x, edge.low + half, std::max(edge.low + half, edge.high - half));
      }
      put(pen, {x, y - 8}, name, aligned(style, Align::centre), step > 1 ? 40.f : edge.seen(item) - 3);
    }
  }
}

class Drawing {
 public:
  Drawing(const Pen& pen, const NamedMap& map) : pen_(pen), map_(map) {
    heat_.values = map.values, heat_.rows = map.rows, heat_.cols = map.cols, heat_.row_stride = map.cols;
    heat_.version = map.version, heat_.lo = map.lo, heat_.hi = map.hi, heat_.map = map.map;
    heat_.transposed = map.transposed, heat_.allowed = map.allowed;
    const float w = static_cast<float>(map.transposed ? map.rows : map.cols);
    const float h = static_cast<float>(map.transposed ? map.cols : map.rows);
    view_ = {0, 0, w, h};
    if (map.view.w > 0 && map.view.h > 0) {
      view_.w = std::min(map.view.w, w), view_.h = std::min(map.view.h, h);
      view_.x = std::clamp(map.view.x, 0.f, w - view_.w), view_.y = std::clamp(map.view.y, 0.f, h - view_.h);
      heat_.view = view_;
    }
  }

  Box place(Box area) {
    const bool captions = !map_.across.empty();
    Point room{area.w - 40, area.h - 30};
    for (int round = 0; round < 3; ++round) {
      float w = std::min(std::max(room.x, 8.f) / view_.w, map_.most_cell);
      float h = std::min(std::max(room.y, 8.f) / view_.h, map_.most_cell);
      w = std::min(w, h * (h < least_flat ? most_uneven : most_flat)), h = std::min(h, w * most_uneven);
      if (w >= 8 && h >= 8) w = std::floor(w), h = std::floor(h);
      box_ = {0, 0, w * view_.w, h * view_.h};
      left_ = std::min(widest(pen_, rows()), std::clamp(area.w * 0.26f, 20.f, 110.f)) + label_gap;
      if (captions) left_ = std::max(left_, 50.f);
      standing_ = stand(pen_, columns(), std::clamp(area.h * 0.24f, 20.f, 80.f));
      top_ = standing_.height + (captions ? caption_height : 0) + 2;
      room = {area.w - left_ - 2, area.h - top_ - 2};
    }
    const float spare = std::max(0.f, area.w - left_ - box_.w - 2) / 2;
    box_.x = std::floor(area.x + left_ + spare), box_.y = std::floor(area.y + top_);
    return box_;
  }

  void draw() {
    if (!map_.across.empty()) {
      const TextStyle style = words_style(pen_.theme.dim, small_size);
      const float y = box_.y - top_ + 7;
      const std::string across = map_.transposed ? "query →" : map_.across;
      const std::string down = map_.transposed ? "key ↓" : map_.down;
      put(pen_, {box_.x, y}, across, style, box_.w);
      put(pen_, {box_.x - label_gap, y}, down, aligned(style, Align::right), left_ - label_gap);
    }
    names_down(pen_, rows(), box_.x - label_gap, left_ - label_gap);
    names_across(pen_, columns(), box_.y - 1, standing_);
    pen_.canvas.mark(map_.mark);
    pen_.canvas.heatmap(box_, heat_);
    pen_.canvas.mark({});
    pen_.canvas.push_clip(box_.inset(-3));
    if (map_.allowed.empty() && can_mask(map_)) masked_runs();
    if (map_.numbers) numbers();
    frame(map_.hover_query, map_.hover_key, false);
    frame(map_.query, map_.key, true);
    pen_.canvas.pop_clip();
  }

 private:
  Edge rows() const {
    Edge edge{.names = map_.transposed ? map_.col_names : map_.row_names};
    along(edge, view_.y, view_.h, box_.y, box_.h);
    emphasise(edge, !map_.transposed);
    return edge;
  }
  Edge columns() const {
    Edge edge{.names = map_.transposed ? map_.row_names : map_.col_names};
    along(edge, view_.x, view_.w, box_.x, box_.w);
    emphasise(edge, map_.transposed);
    return edge;
  }
  static void along(Edge& edge, float from, float count, float start, float length) {
    edge.first = static_cast<int>(from);
    edge.last = static_cast<int>(std::ceil(from + count - 1e-4f));
    edge.pitch = length / count;
    edge.start = start - from * edge.pitch;
    edge.low = start, edge.high = start + length;
  }
  void emphasise(Edge& edge, bool queries) const {
    edge.strong = queries ? map_.query : map_.key;
    edge.strong_color = queries ? pen_.theme.query : pen_.theme.text;
    edge.lit = queries ? map_.hover_query : map_.hover_key;
  }

  bool masked(int row, int col) const {
    if (!map_.allowed.empty()) return !map_.allowed[static_cast<std::size_t>(row)].has(col);
    return !map_.allow.empty() &&
           !map_.allow[static_cast<std::size_t>(row) * static_cast<std::size_t>(map_.cols) +
                       static_cast<std::size_t>(col)];
  }

  Box cell(int row, int col) const {
    return map_.transposed ? cell_box(box_, heat_, row, col) : cell_box(box_, heat_, col, row);
  }

  void masked_runs() {
    for (int row = 0; row < map_.rows && !map_.allow.empty(); ++row) {
      for (int col = 0; col < map_.cols; ++col) {
        if (!masked(row, col)) continue;
        int end = col;
        while (end + 1 < map_.cols && masked(row, end + 1)) ++end;
        const Box a = cell(row, col), b = cell(row, end);
        const Box run{std::max(a.x, box_.x), std::max(a.y, box_.y),
                      std::min(b.right(), box_.right()) - std::max(a.x, box_.x),
                      std::min(b.bottom(), box_.bottom()) - std::max(a.y, box_.y)};
        if (run.w > 0 && run.h > 0) {
          masked_area(pen_, run);
        }
        col = end;
      }
    }
  }

  void numbers() {
    const float wide = box_.w / view_.w, high = box_.h / view_.h;
    const int decimals = map_.weights ? weight_decimals(map_.hi) : 2;
    const int characters = decimals + (map_.lo < 0 ? 3 : 2);
    const float size = std::min({(wide - 6) / (static_cast<float>(characters) * number_em), high * 0.45f,
                                 std::clamp(high * 0.22f, 13.f, 16.f)});
    if (size < 8 || high < 13) return;
    for (int row = 0; row < map_.rows; ++row) {
      for (int col = 0; col < map_.cols; ++col) {
        if (masked(row, col)) continue;
        const Box at = cell(row, col);
        if (at.x < box_.x - 1 || at.y < box_.y - 1 || at.right() > box_.right() + 1 ||
            at.bottom() > box_.bottom() + 1)
          continue;
        const float value = map_.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(map_.cols) +
                                        static_cast<std::size_t>(col)];
        if (map_.weights && std::abs(value) < unwritten_weight(decimals)) continue;
        const std::string words =
            weight_in_cell(static_cast<double>(value), std::abs(value) >= 9.995f ? 1 : decimals);
        const Color ground = draw::color_of(pen_.theme, map_.map, value, map_.lo, map_.hi);
        const bool quiet = map_.weights && std::abs(value) < quiet_weight(decimals) &&
                           draw::contrast(pen_.theme.dim, ground) >= 4.5;
        const TextStyle style =
            aligned(mono_style(quiet ? pen_.theme.dim : draw::readable_on(ground), size), Align::centre);
        if (pen_.canvas.text_width(words, style) <= wide - 2) pen_.canvas.text(at.centre(), words, style);
      }
    }
  }

  void frame(int row, int col, bool opened) {
    if (row < 0 || col < 0 || row >= map_.rows || col >= map_.cols) return;
    Box box = cell(row, col);
    if (box.w < 6) box = {box.centre().x - 3, box.y, 6, box.h};
    if (box.h < 6) box = {box.x, box.centre().y - 3, box.w, 6};
    if (!opened) return pen_.canvas.frame(box, {draw::faded(pen_.theme.text, 0.75f), 1.5f}, 2);
    const Color light = draw::rgb(0xffffff), dark = draw::rgb(0x0e1016);
    pen_.canvas.frame(box.inset(-1.5f), {pen_.theme.dark ? light : dark, 2.5f}, 3);
    pen_.canvas.frame(box.inset(1), {draw::faded(pen_.theme.dark ? dark : light, 0.85f), 1.2f}, 2);
  }

  const Pen& pen_;
  const NamedMap& map_;
  Heatmap heat_;
  Box view_, box_;
  float left_ = 0, top_ = 0;
  Standing standing_;
};

}  // namespace

bool has_masked(const NamedMap& map) {
  if (!map.allowed.empty())
    return std::any_of(map.allowed.begin(), map.allowed.end(),
                       [&](base::Interval keys) { return keys.size() < map.cols; });
  return std::any_of(map.allow.begin(), map.allow.end(), [](std::uint8_t a) { return a == 0; });
}

bool can_mask(const NamedMap& map) {
  if (!map.allowed.empty() || map.allow.empty()) return true;
  int runs = 0;
  for (std::size_t i = 0; i < map.allow.size(); ++i) {
    const bool starts = i % static_cast<std::size_t>(map.cols) == 0 || map.allow[i - 1] != 0;
    if (map.allow[i] == 0 && starts && ++runs > most_masked_runs) return false;
  }
  return true;
}

Box draw_named_map(const Pen& pen, Box area, const NamedMap& map) {
  if (map.rows < 1 || map.cols < 1 || area.w < 30 || area.h < 30) return {area.x, area.y, 0, 0};
  Drawing drawing(pen, map);
  const Box box = drawing.place(area);
  drawing.draw();
  return box;
}

}  // namespace headlight::views
