#include "session/gestures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "kit/clock_face.h"
#include "pages/page.h"
#include "scene/mask_and_order.h"
#include "scene/matrix_text.h"
#include "scene/pinned.h"
#include "scene/settings.h"
#include "scene/shown.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

using draw::Part;
using scene::IndexList;
using scene::Scene;

bool has(const IndexList& list, int i) {
  return std::find(list.begin(), list.end(), i) != list.end();
}

void toggle(IndexList& list, int i) {
  if (has(list, i)) {
    list.erase(std::remove(list.begin(), list.end(), i), list.end());
  } else {
    list.push_back(i);
  }
}

Scene click_head(Scene next, int head, bool extend) {
  const int shown = head + 1;
  if (extend) {
    toggle(next.head, shown);
    std::sort(next.head.begin(), next.head.end());
  } else if (next.head == IndexList{shown}) {
    next.head.clear();
  } else {
    next.head = {shown};
  }
  return next;
}

Scene click_query(Scene next, int query, bool extend) {
  if (extend) {
    toggle(next.query, query);
  } else if (next.query == IndexList{query}) {
    next.query.clear();
  } else {
    next.query = {query};
  }
  next.key = -1;
  return next;
}

Scene click_cell(Scene next, int query, int key, bool extend) {
  const bool pinned = !next.query.empty() && next.query.back() == query && next.key == key;
  if (extend) {
    if (has(next.query, query)) toggle(next.query, query);
    next.query.push_back(query);  // last: the asked query
    next.key = key;
  } else {
    next.query = {query};
    next.key = pinned ? -1 : key;
  }
  return next;
}

std::optional<Scene> assign(Scene next, const std::string& assignments) {
  base::Result<Scene> set = scene::with_fields(std::move(next), assignments);
  return set ? std::optional(*std::move(set)) : std::nullopt;
}

constexpr std::string_view power_of_ten = " = 10^";

/// The name of the field that a slider sets.
std::string slider_field(const draw::Mark& mark) {
  return mark.set.substr(0, mark.set.size() - power_of_ten.size());
}

/// The field of a slider at this power of ten.
std::optional<Scene> slid(const Scene& scene, const draw::Mark& mark, double power) {
  char value[64];
  std::snprintf(value, sizeof value, "=%.2g", std::pow(10.0, power));
  return assign(scene, slider_field(mark) + value);
}

int clamp_index(double value, int count) {
  return static_cast<int>(std::clamp(std::lround(value), 0L, std::max(0L, count - 1L)));
}

/// The nearest position for which P has a row.
int clamp_position(double value, const Scene& scene) {
  return scene.position_offset + clamp_index(value - scene.position_offset, scene.positions.count);
}

std::string matrix_text(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const auto& cells : rows) {
    if (!text.empty()) text += ';';
    for (std::size_t c = 0; c < cells.size(); ++c) text += (c ? "," : "") + cells[c];
  }
  return text;
}

bool is_number(const std::string& words) {
  char* end = nullptr;
  const double value = std::strtod(words.c_str(), &end);
  while (end && *end == ' ') ++end;
  return !words.empty() && end && *end == '\0' && std::isfinite(value);
}

/// Several numbers as the text of a matrix: their own rows, or, of one line, rows of `width` if they fill
/// them.
std::string whole_matrix(const std::string& words, std::size_t width) {
  auto rows = scene::matrix_words(words);
  if (rows.size() > 1 || width == 0 || rows.front().size() % width != 0) return matrix_text(rows);
  const std::vector<std::string> all = std::move(rows.front());
  rows.clear();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % width == 0) rows.emplace_back();
    rows.back().push_back(all[i]);
  }
  return matrix_text(rows);
}

/// "name * a b c d": row mark.query of the matrix text `name` becomes (x, y) [[a, b], [c, d]]; "name * a b":
/// its only number becomes a x + b y.
std::optional<Scene> drag_row(const Scene& scene, const draw::Mark& mark, draw::Point point) {
  const std::size_t star = mark.set.find(" *");
  double m[4];
  if (star == std::string::npos) return std::nullopt;
  const int factors = std::sscanf(mark.set.c_str() + star + 2, "%lf %lf %lf %lf", m, m + 1, m + 2, m + 3);
  if (factors != 2 && factors != 4) return std::nullopt;
  const std::string name = mark.set.substr(0, star);
  auto rows = scene::matrix_words(scene::get_field(scene, name));
  const auto row = static_cast<std::size_t>(mark.query);
  if (mark.query < 0 || row >= rows.size()) return std::nullopt;
  const double x = static_cast<double>(point.x), y = static_cast<double>(point.y);
  rows[row].clear();
  std::vector<double> values{x * m[0] + y * m[1]};
  if (factors == 4) values = {x * m[0] + y * m[2], x * m[1] + y * m[3]};
  for (const double value : values) {
    char word[64];
    std::snprintf(word, sizeof word, "%.5g", std::round(value * 100) / 100 + 0.0);  // no "-0"
    rows[row].emplace_back(word);
  }
  return assign(scene, name + "=" + matrix_text(rows));
}

/// The coordinates of `at` in the plane of the mark; y grows upwards.
draw::Point plane_point(const draw::Mark& mark, draw::Point at) {
  const float x = std::clamp((at.x - mark.area.x) / mark.area.w, 0.f, 1.f);
  const float y = std::clamp((mark.area.bottom() - at.y) / mark.area.h, 0.f, 1.f);
  return {mark.from + x * (mark.to - mark.from), mark.from + y * (mark.to - mark.from)};
}

/// Sets the two fields of the mark to the coordinates of `at` in its square.
std::optional<Scene> drag_plane(const Scene& scene, const draw::Mark& mark, draw::Point at) {
  if (mark.area.w <= 0 || mark.area.h <= 0) return std::nullopt;
  if (mark.set.find('*') != std::string::npos) return drag_row(scene, mark, plane_point(mark, at));
  if (is_slider(mark)) return slid(scene, mark, static_cast<double>(plane_point(mark, at).x));
  const std::size_t comma = mark.set.find(',');
  if (comma == std::string::npos) return std::nullopt;
  const draw::Point point = plane_point(mark, at);
  char assignments[256];
  std::snprintf(assignments, sizeof assignments, "%s=%.3g;%s=%.3g", mark.set.substr(0, comma).c_str(),
                static_cast<double>(point.x), mark.set.substr(comma + 1).c_str(),
                static_cast<double>(point.y));
  return assign(scene, assignments);
}

double hand_angle(draw::Point centre, draw::Point at) {  // clockwise from straight up
  return std::atan2(static_cast<double>(at.x - centre.x), static_cast<double>(centre.y - at.y));
}

}  // namespace

std::optional<Scene> click(const Scene& scene, const scene::Results& results, const draw::Hit& hit,
                           bool extend) {
  const draw::Mark& mark = hit.mark;
  Scene next = scene;
  switch (mark.part) {
    case Part::control:
      if (mark.set.empty()) return std::nullopt;
      return assign(scene, mark.set);
    case Part::head:
      return click_head(next, mark.head, extend);
    case Part::query_token:
      scene::choose_shown_query(next, results.attention.T);
      return click_query(next, mark.query, extend);
    case Part::key_token:
    case Part::bar:
      scene::choose_shown_query(next, results.attention.T);
      if (mark.query >= 0 && !next.query.empty() && next.query.back() != mark.query) {
        return click_cell(next, mark.query, mark.key, true);  // a bar in the panel of another pinned query
      }
      if (next.query.empty()) return std::nullopt;
      if (mark.part == Part::bar && next.cell_head != 0)
        next.cell_head = 0, next.key = -1;  // of all that are shown
      next.key = next.key == mark.key ? -1 : mark.key;
      return next;
    case Part::slot: {
      const std::vector<int> order = shown_order(results);
      if (mark.query < 0 || mark.query >= static_cast<int>(order.size())) return std::nullopt;
      scene::choose_shown_query(next, results.attention.T);
      return click_query(next, order[static_cast<std::size_t>(mark.query)], extend);
    }
    case Part::cell:
      if (mark.query < 0 || mark.query >= results.attention.T) return std::nullopt;
      scene::choose_shown_query(next, results.attention.T);
      // If several maps are compared, the clicked one is opened.
      next.cell_head = next.head.size() > 1 ? mark.head + 1 : 0;
      if (next.cell_head != scene.cell_head && !extend) next.query = {mark.query}, next.key = -1;
      return click_cell(next, mark.query, mark.key, extend);
    case Part::position_row:
      next.positions.index = clamp_position(mark.query, next);
      return next;
    case Part::position_cell:  // rows of the heatmap are counted from 0
      next.positions.index = clamp_position(next.position_offset + mark.query, next);
      return next;
    case Part::position_column:
      toggle(next.positions.columns, mark.key);
      std::sort(next.positions.columns.begin(), next.positions.columns.end());
      return next;
    case Part::clock:
      next.positions.pair = mark.key;
      return next;
    case Part::position_axis:
    case Part::offset_axis:
    case Part::number:
    case Part::text:
    case Part::plane:
    case Part::overview:
    case Part::note:
    case Part::none:
      break;
  }
  return std::nullopt;
}

std::optional<Scene> drag(const Scene& scene, const draw::Mark& mark, draw::Point at) {
  Scene next = scene;
  if (mark.part == Part::plane) return drag_plane(scene, mark, at);
  if (mark.part != Part::position_axis && mark.part != Part::offset_axis && mark.part != Part::position_row) {
    return std::nullopt;
  }
  // A plot extends along x, the rows of P along y.
  const bool along_y = mark.part == Part::position_row;
  const float start = along_y ? mark.area.y : mark.area.x, size = along_y ? mark.area.h : mark.area.w;
  if (size <= 0) return std::nullopt;
  const float t = ((along_y ? at.y : at.x) - start) / size;
  const double position = static_cast<double>(mark.from + t * (mark.to - mark.from));
  if (mark.part == Part::offset_axis) {
    next.positions.delta = clamp_position(position, next) - next.positions.index;
  } else {
    next.positions.index = clamp_position(along_y ? std::floor(position) : position, next);
  }
  return next;
}

std::optional<Scene> reorder(const Scene& scene, const draw::Mark& mark, int to, int count,
                             const std::vector<int>& shown) {
  std::vector<int> order;
  bool of_page = false;
  if (const scene::Setting* one = scene::find_setting(mark.set)) {
    one->visit(scene, [&](const auto& value) {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, IndexList>)
        order = value, of_page = &value == &scene.order.permutation;
    });
  }
  // The page may open with another order than the one that the setting begins with.
  const bool opening = of_page && static_cast<int>(shown.size()) == count && scene::opens(scene.order);
  order = opening ? shown : scene::order_of(order, std::max(0, count));
  const std::vector<int> before = order;
  if (mark.query < 0 || mark.query >= count || to < 0 || to >= count) return std::nullopt;
  const int moved = order[static_cast<std::size_t>(mark.query)];
  order.erase(order.begin() + mark.query);
  order.insert(order.begin() + to, moved);
  std::string words;
  for (int i : order) words += (words.empty() ? "" : ",") + std::to_string(i);
  std::optional<Scene> next = assign(scene, mark.set + "=" + words);
  // The order before it tells a list that was made from the one that the page opens with.
  if (next && of_page && order != before) next->order.from = before;
  return next;
}

std::vector<int> shown_order(const scene::Results& results) {
  return results.own ? results.own->shown_order() : std::vector<int>();
}

std::string typed_at(const Scene& scene, const draw::Mark& mark) {
  if (mark.part == Part::text) return scene::get_field(scene, mark.set);
  const auto rows = scene::matrix_words(scene::get_field(scene, mark.set));
  const auto row = static_cast<std::size_t>(mark.query), col = static_cast<std::size_t>(mark.key);
  return row < rows.size() && col < rows[row].size() ? rows[row][col] : "";
}

bool is_slider(const draw::Mark& mark) {
  return mark.part == Part::plane && mark.set.ends_with(power_of_ten);
}

std::optional<Scene> step_slider(const Scene& scene, const draw::Mark& mark, int steps) {
  constexpr double step = 0.05;
  const double value = std::strtod(scene::get_field(scene, slider_field(mark)).c_str(), nullptr);
  if (steps == 0 || !(value > 0)) return std::nullopt;
  // A value beyond the ends of the slider comes back from there, and never moves against the key.
  const double now = std::log10(value);
  const double to =
      std::clamp(step * (std::round(now / step) + steps), std::min(static_cast<double>(mark.from), now),
                 std::max(static_cast<double>(mark.to), now));
  if (std::abs(to - now) < 1e-9) return std::nullopt;
  return slid(scene, mark, to);
}

std::optional<Scene> slider_default(const Scene& scene, const draw::Mark& mark) {
  const std::string field = slider_field(mark);
  return assign(scene, field + "=" + scene::get_field(Scene{}, field));
}

bool several_numbers(const std::string& words) {
  std::size_t count = 0;
  for (const auto& row : scene::matrix_words(words)) {
    count += row.size();
    if (!std::all_of(row.begin(), row.end(), is_number)) return false;
  }
  return count > 1;
}

std::optional<Scene> with_typed(const Scene& scene, const draw::Mark& mark, const std::string& words) {
  if (mark.part == Part::text) {
    Scene next = scene;
    if (!scene::set_field(next, mark.set + "=" + words)) return std::nullopt;
    return next;
  }
  auto rows = scene::matrix_words(scene::get_field(scene, mark.set));
  const auto row = static_cast<std::size_t>(mark.query), col = static_cast<std::size_t>(mark.key);
  if (row >= rows.size() || col >= rows[row].size()) return std::nullopt;
  if (several_numbers(words)) return assign(scene, mark.set + "=" + whole_matrix(words, rows[row].size()));
  if (!is_number(words)) return std::nullopt;
  rows[row][col] = words.substr(0, words.find_last_not_of(' ') + 1);
  return assign(scene, mark.set + "=" + matrix_text(rows));
}

HandDrag::HandDrag(const Scene& scene, draw::Point centre, double radians_per_position, draw::Point start)
    : centre_(centre),
      speed_(radians_per_position),
      position_(scene.positions.index),
      angle_(hand_angle(centre, start)) {}

Scene HandDrag::move(const Scene& scene, draw::Point at) {
  const double now = hand_angle(centre_, at);
  position_ += std::remainder(now - angle_, 2 * std::numbers::pi) / speed_;
  const double first = scene.position_offset;
  position_ = std::clamp(position_, first, first + scene.positions.count - 1);
  angle_ = now;
  Scene next = scene;
  next.positions.index = clamp_position(position_, scene);
  return next;
}

Scene arrow(const Scene& scene, const scene::Results& results, Arrow key) {
  Scene next = scene;
  const scene::PageUses uses = scene::room_of(scene.page).uses(scene);
  if (uses.plays) {
    if (key == Arrow::left || key == Arrow::right) {
      next.positions.index = clamp_position(scene.positions.index + (key == Arrow::right ? 1 : -1), scene);
    } else {
      next.positions.pair =
          clamp_index(scene.positions.pair + (key == Arrow::down ? 1 : -1), std::max(1, scene.d_model / 2));
    }
    return next;
  }
  const int T = results.attention.T, S = results.attention.S;
  if (T == 0 || !uses.pins) return next;
  if (next.query.empty()) {
    next.query = {0};
    return next;
  }
  const bool along_rows = key == Arrow::up || key == Arrow::down;
  const int step = key == Arrow::down || key == Arrow::right ? 1 : -1;
  bool moves_query = along_rows == (scene.query_axis == scene::QueryAxis::rows);
  // Beams list the queries vertically, arcs have all words in one line.
  if (uses.large_map && scene.attention.view != scene::AttentionView::matrix)
    moves_query = along_rows == (scene.attention.view == scene::AttentionView::ribbons);
  const int detail_query = scene::pinned(next, T, S).detail_query;  // as the page shows it
  if (moves_query) {
    const int moved = std::clamp(detail_query + step, 0, T - 1);
    // The asked query moves; the other pinned ones remain.
    next.query = scene::pinned(next, T, S).queries;
    next.query.pop_back();
    next.query.erase(std::remove(next.query.begin(), next.query.end(), moved), next.query.end());
    next.query.push_back(moved);
  } else {
    // Without a pinned key the strongest one is open and framed: the first step starts there.
    const int open = scene::opened_key(scene, results, detail_query);
    const int from = open >= 0 ? std::min(open, S - 1) : std::min(detail_query, S - 1) - step;
    next.key = std::clamp(from + step, 0, S - 1);
  }
  return next;
}

Scene head_key(const Scene& scene, int digit) {
  Scene next = scene;
  if (digit == 0) {
    next.head.clear();
  } else if (digit <= scene::heads_to_show(scene)) {
    next = click_head(next, digit - 1, false);
  }
  return next;
}

Scene release(const Scene& scene) {
  Scene next = scene;
  if (!scene::room_of(scene.page).uses(scene).pins) return next;
  if (next.key >= 0) {
    next.key = -1;
  } else if (next.query.size() > 1) {
    next.query = {next.query.back()};
  } else if (!next.query.empty()) {
    next.query.clear();
  } else {
    next.head.clear();
  }
  return next;
}

draw::Box zoom(draw::Box view, draw::Box whole, draw::Point cell, float steps) {
  if (view.w <= 0 || view.h <= 0) view = whole;
  const float factor = std::pow(0.8f, steps);
  const float smallest = std::min({2.f, whole.w, whole.h});
  const float w = std::clamp(view.w * factor, smallest, whole.w),
              h = std::clamp(view.h * factor, smallest, whole.h);
  if (w >= whole.w && h >= whole.h) return {};
  // The cell under the pointer remains under the pointer.
  const float x = cell.x - (cell.x - view.x) * w / view.w, y = cell.y - (cell.y - view.y) * h / view.h;
  return pan({x, y, w, h}, whole, {});
}

draw::Box view_at(draw::Box view, draw::Box whole, draw::Point part) {
  if (view.w <= 0 || view.h <= 0) view = {0, 0, whole.w / 4, whole.h / 4};
  view.x = whole.x + part.x * whole.w - view.w / 2, view.y = whole.y + part.y * whole.h - view.h / 2;
  return pan(view, whole, {});
}

draw::Box pan(draw::Box view, draw::Box whole, draw::Point cells) {
  if (view.w <= 0 || view.h <= 0) return {};
  view.x = std::clamp(view.x + cells.x, whole.x, std::max(whole.x, whole.right() - view.w));
  view.y = std::clamp(view.y + cells.y, whole.y, std::max(whole.y, whole.bottom() - view.h));
  return view;
}

}  // namespace headlight::app
