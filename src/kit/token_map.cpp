#include "kit/token_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "draw/heatmap_raster.h"
#include "kit/cell_shape.h"
#include "kit/map_labels.h"
#include "kit/weight_bar.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Color;
using draw::Heatmap;
using draw::Mark;
using draw::Part;
using draw::Point;

namespace {

constexpr float title_height = 20;
constexpr float most_uneven = 1.3f;  // width to height of a cell, at most
constexpr float most_cell = 64;

Box part_on_view(int across, int down, Box wanted) {
  const auto cols = static_cast<float>(across), rows = static_cast<float>(down);
  if (wanted.w <= 0 || wanted.h <= 0) return {0, 0, cols, rows};
  const float w = std::min(wanted.w, cols), h = std::min(wanted.h, rows);
  return {std::clamp(wanted.x, 0.f, cols - w), std::clamp(wanted.y, 0.f, rows - h), w, h};
}

TokenAxis axis_along(Role role, float from, float cells, float start, float length) {
  TokenAxis axis;
  axis.role = role;
  axis.first = static_cast<int>(from);
  axis.last = static_cast<int>(std::ceil(from + cells - 1e-4f));
  axis.pitch = length / cells;
  axis.start = start - from * axis.pitch;
  axis.low = start, axis.high = start + length;
  return axis;
}

struct Layout {
  Box box;  // of the cells
  TokenAxis rows, cols;
  RowPlan plan;
  float left = 0, top = 0;
};

Layout lay_out(const Sheet& sheet, Box area, const Heatmap& heat, bool titled) {
  Layout out;
  const Role down = heat.transposed ? Role::key : Role::query,
             across = heat.transposed ? Role::query : Role::key;
  const Box view = heat.view;
  Point size{area.w - 40, area.h - 30};
  // Labels depend on the cells and the cells on the room that the labels leave.
  for (int round = 0; round < 3; ++round) {
    float w = std::min(std::max(size.x, 8.f) / view.w, most_cell),
          h = std::min(std::max(size.y, 8.f) / view.h, most_cell);
    w = std::min(w, h * (h < least_flat ? most_uneven : most_flat)), h = std::min(h, w * most_uneven);
    if (w >= 8 && h >= 8) w = std::floor(w), h = std::floor(h);
    const Point cells{w * view.w, h * view.h};
    out.rows = axis_along(down, view.y, view.h, area.y, cells.y);
    out.cols = axis_along(across, view.x, view.w, area.x, cells.x);
    out.left = column_width(sheet, out.rows, std::clamp(area.w * 0.26f, 20.f, 110.f)) + 8;
    out.plan = plan_row(sheet, out.cols, std::clamp(area.h * 0.22f, 24.f, 80.f));
    out.top = (titled ? title_height : 0) + out.plan.height + 4;
    size = {area.w - out.left - 2, area.h - out.top - 2};
    out.box = {std::floor(area.x + out.left), std::floor(area.y + out.top), cells.x, cells.y};
  }
  out.rows = axis_along(down, view.y, view.h, out.box.y, out.box.h);
  out.cols = axis_along(across, view.x, view.w, out.box.x, out.box.w);
  return out;
}

bool has_pair(const TokenMap& map) {
  return map.query >= 0 && map.key >= 0 && map.query < map.tokens && map.key < map.keys;
}

/// The row of the framed cell has a frame, and two lines run from the key's label to the cell.
void frame_pair(const Sheet& sheet, const Heatmap& heat, const TokenMap& map,
                const std::function<Box(int query, int key)>& cell) {
  const draw::Theme& theme = sheet.theme();
  draw::Canvas& canvas = sheet.pen.canvas;
  const auto [from_key, to_key] =
      map.striped ? keys_allowed(sheet.trace(), map.query) : std::pair{0, map.keys - 1};
  const Box first = cell(map.query, from_key), last = cell(map.query, to_key);
  canvas.frame(Box{first.x, first.y, last.right() - first.x, last.bottom() - first.y}.inset(-1),
               {theme.query, 2}, 2);
  const Box from = cell(0, map.key), to = cell(map.query, map.key);
  for (const draw::Stroke line : {draw::Stroke{theme.panel, 4.5f}, {theme.key, 1.5f}}) {
    if (heat.transposed) {
      canvas.line({from.x, to.y}, {to.x, to.y}, line);
      canvas.line({from.x, to.bottom()}, {to.x, to.bottom()}, line);
    } else {
      canvas.line({to.x, from.y}, {to.x, to.y}, line);
      canvas.line({to.right(), from.y}, {to.right(), to.y}, line);
    }
  }
}

/// The cell under the pointer on any map of the page is framed on all of them, and so is the opened one.
void frames(const Sheet& sheet, Box box, const Heatmap& heat, const TokenMap& map) {
  const auto cell = [&](int query, int key) {
    Box out = heat.transposed ? cell_box(box, heat, query, key) : cell_box(box, heat, key, query);
    if (out.w < 5) out = {out.centre().x - 2.5f, out.y, 5, out.h};
    if (out.h < 5) out = {out.x, out.centre().y - 2.5f, out.w, 5};
    return out;
  };
  const draw::Theme& theme = sheet.theme();
  const Selection& s = sheet.selection;
  if (s.hover_query >= 0 && s.hover_key >= 0 && s.hover_query < map.tokens && s.hover_key < map.keys)
    sheet.pen.canvas.frame(cell(s.hover_query, s.hover_key), {draw::faded(theme.text, 0.75f), 1.5f}, 2);
  if (!has_pair(map)) return;
  frame_pair(sheet, heat, map, cell);
  const Box open = cell(map.query, map.key);
  sheet.pen.canvas.frame(open.inset(-1.5f), {theme.dark ? draw::rgb(0xffffff) : draw::rgb(0x0e1016), 2.5f},
                         3);
  sheet.pen.canvas.frame(open.inset(1), {theme.dark ? draw::rgb(0x0e1016) : draw::rgb(0xffffff), 1.2f}, 2);
}

void numbers(const Sheet& sheet, Box box, const Heatmap& heat, const TokenMap& map) {
  const float wide = box.w / heat.view.w, high = box.h / heat.view.h;
  double largest = 0;
  const auto count = static_cast<std::size_t>(map.tokens) * static_cast<std::size_t>(map.keys);
  if (high < 14 || wide < 25 || count > 4096) return;
  for (std::size_t i = 0; i < count; ++i)
    largest = std::max(largest, std::abs(static_cast<double>(map.values[i] * map.factor)));
  const int decimals = map.weights ? weight_decimals(map.hi) : largest >= 100 ? 0 : largest >= 10 ? 1 : 2;
  const float size = std::min({(wide - 6) / (5 * 0.6f), high * 0.5f, 13.f});
  if (size < 8) return;
  const int rows = heat.transposed ? map.keys : map.tokens, cols = heat.transposed ? map.tokens : map.keys;
  for (int row = 0; row < rows; ++row) {
    for (int col = 0; col < cols; ++col) {
      const int query = heat.transposed ? col : row, key = heat.transposed ? row : col;
      if (map.striped && !may_read(sheet.trace(), query, key)) continue;
      const Box cell = cell_box(box, heat, col, row);
      if (cell.x < box.x - 1 || cell.right() > box.right() + 1 || cell.y < box.y - 1 ||
          cell.bottom() > box.bottom() + 1)
        continue;
      const float value = map.values[static_cast<std::size_t>(query) * static_cast<std::size_t>(map.keys) +
                                     static_cast<std::size_t>(key)];
      if (map.weights && std::abs(value) < unwritten_weight(decimals)) continue;
      const Color ground = draw::color_of(sheet.theme(), heat, value);
      const bool quiet = map.weights && std::abs(value) < quiet_weight(decimals) &&
                         draw::contrast(sheet.theme().dim, ground) >= 4.5;
      sheet.pen.canvas.text(
          cell.centre(), fixed(static_cast<double>(value * map.factor), decimals),
          aligned(mono_style(quiet ? sheet.theme().dim : draw::readable_on(ground), size), Align::centre));
    }
  }
}

}  // namespace

Box draw_token_map(const Sheet& of_scene, Box area, const TokenMap& wanted) {
  TokenMap map = wanted;
  if (map.keys == 0) map.keys = map.tokens;
  if (map.tokens < 1 || map.keys < 1 || area.w < 40 || area.h < 40) return {};
  // The labels name the pair that is framed.
  Selection framed = of_scene.selection;
  if (has_pair(map)) framed.asked = map.query, framed.key = map.key, framed.queries = {map.query};
  const Sheet sheet{of_scene.pen, of_scene.in, framed, of_scene.shown};
  Heatmap heat;
  heat.values = map.values;
  heat.rows = map.tokens, heat.cols = heat.row_stride = map.keys;
  heat.version = map.version != 0 ? map.version : sheet.in.results.version;
  heat.lo = map.lo, heat.hi = map.hi, heat.decades = map.decades, heat.map = map.map;
  heat.transposed = sheet.in.scene.query_axis == scene::QueryAxis::columns;
  const nn::AttentionTrace& trace = sheet.trace();
  if (map.striped && sheet.selection.masked && static_cast<int>(trace.allowed.size()) >= map.tokens)
    heat.allowed = {trace.allowed.data(), static_cast<std::size_t>(map.tokens)};
  heat.view = heat.transposed ? part_on_view(map.tokens, map.keys, sheet.in.map_view)
                              : part_on_view(map.keys, map.tokens, sheet.in.map_view);
  const Layout layout = lay_out(sheet, area, heat, !map.title.empty());
  if (!map.title.empty()) {
    const Point at{layout.box.x, area.y + 8};
    const float room = area.right() - at.x;
    const float width = put(sheet.pen, at, map.title, strong_style(sheet.theme().text, 13), room);
    put(sheet.pen, {at.x + width + 8, at.y}, map.words, words_style(sheet.theme().dim, small_size),
        room - width - 8);
  }
  labels_down(sheet, layout.rows, {layout.box.x - 7, layout.left - 7, false});
  const float y = layout.plan.upwards ? layout.box.y - 4 : layout.box.y - 4 - layout.plan.height / 2;
  labels_across(sheet, layout.cols, {y, layout.plan.height, layout.plan.upwards, false, layout.plan.numbers});
  Mark mark;
  mark.part = Part::cell, mark.head = map.head;
  sheet.pen.canvas.mark(mark);
  sheet.pen.canvas.heatmap(layout.box, heat);
  sheet.pen.canvas.mark({});
  sheet.pen.canvas.push_clip(layout.box.inset(-3));
  numbers(sheet, layout.box, heat, map);
  frames(sheet, layout.box, heat, map);
  sheet.pen.canvas.pop_clip();
  return layout.box;
}

float button_flow(const Pen& pen, Point top_left, float width, const std::vector<Choice>& choices,
                  bool draw) {
  constexpr float gap = 6;
  float x = top_left.x, y = top_left.y;
  for (const Choice& choice : choices) {
    const float wide = button_width(pen, choice);
    if (x > top_left.x && x + wide > top_left.x + width) x = top_left.x, y += control_height + gap;
    if (draw) button(pen, {x + wide, y}, choice);
    x += wide + gap;
  }
  return y + control_height - top_left.y;
}

std::vector<Choice> head_choices(int heads, int chosen, int most, const std::string& name,
                                 const std::string& field) {
  std::vector<Choice> out;
  const auto add = [&](int head, std::string label, const std::string& what) {
    out.push_back({std::move(label), field + "=" + std::to_string(head + 1), name + " " + what,
                   head == chosen, "head " + std::to_string(head + 1) + " of " + std::to_string(heads)});
  };
  if (heads <= most) {
    for (int head = 0; head < heads; ++head) add(head, std::to_string(head + 1), std::to_string(head + 1));
    return out;
  }
  add((chosen + heads - 1) % heads, "‹", "before");
  add(chosen, std::to_string(chosen + 1) + " of " + std::to_string(heads), std::to_string(chosen + 1));
  add((chosen + 1) % heads, "›", "after");
  return out;
}

}  // namespace headlight::views
