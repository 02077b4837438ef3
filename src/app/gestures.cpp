#include "app/gestures.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "scene/settings.h"

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
    next.query.push_back(query);  // last: the one that is asked
    next.key = key;
  } else {
    next.query = {query};
    next.key = pinned ? -1 : key;
  }
  return next;
}

std::optional<Scene> assign(Scene next, const std::string& assignments) {
  for (std::size_t at = 0; at < assignments.size();) {
    const std::size_t end = std::min(assignments.find(';', at), assignments.size());
    if (!scene::set_field(next, assignments.substr(at, end - at))) return std::nullopt;
    at = end + 1;
  }
  return next;
}

int clamp_index(double value, int count) {
  return static_cast<int>(std::clamp(std::lround(value), 0L, std::max(0L, count - 1L)));
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
      return click_query(next, mark.query, extend);
    case Part::key_token:
    case Part::bar:
      if (mark.query >= 0 && !next.query.empty() && next.query.back() != mark.query) {
        return click_cell(next, mark.query, mark.key, true);  // a bar in the panel of another pinned query
      }
      if (next.query.empty()) return std::nullopt;
      next.key = next.key == mark.key ? -1 : mark.key;
      return next;
    case Part::cell:
      if (mark.query < 0 || mark.query >= results.attention.T) return std::nullopt;
      return click_cell(next, mark.query, mark.key, extend);
    case Part::position_row:
    case Part::position_cell:
      next.position_index = clamp_index(mark.query, next.positions);
      return next;
    case Part::position_column:
      toggle(next.position_columns, mark.key);
      std::sort(next.position_columns.begin(), next.position_columns.end());
      return next;
    case Part::clock:
      next.position_pair = mark.key;
      return next;
    case Part::position_axis:
    case Part::offset_axis:
    case Part::note:
    case Part::none:
      break;
  }
  return std::nullopt;
}

std::optional<Scene> drag(const Scene& scene, const draw::Mark& mark, draw::Point at) {
  Scene next = scene;
  if (mark.part != Part::position_axis && mark.part != Part::offset_axis && mark.part != Part::position_row) {
    return std::nullopt;
  }
  // A plot runs along x, the rows of P along y.
  const bool along_y = mark.part == Part::position_row;
  const float start = along_y ? mark.area.y : mark.area.x, size = along_y ? mark.area.h : mark.area.w;
  if (size <= 0) return std::nullopt;
  const float t = ((along_y ? at.y : at.x) - start) / size;
  const double position = static_cast<double>(mark.from + t * (mark.to - mark.from));
  if (mark.part == Part::offset_axis) {
    next.position_delta = clamp_index(position, next.positions) - next.position_index;
  } else {
    next.position_index = clamp_index(along_y ? std::floor(position) : position, next.positions);
  }
  return next;
}

HandDrag::HandDrag(const Scene& scene, draw::Point centre, double radians_per_position, draw::Point start)
    : centre_(centre),
      speed_(radians_per_position),
      position_(scene.position_index),
      angle_(hand_angle(centre, start)) {}

Scene HandDrag::move(const Scene& scene, draw::Point at) {
  const double now = hand_angle(centre_, at);
  position_ += std::remainder(now - angle_, 2 * std::numbers::pi) / speed_;
  position_ = std::clamp(position_, 0.0, static_cast<double>(scene.positions - 1));
  angle_ = now;
  Scene next = scene;
  next.position_index = clamp_index(position_, scene.positions);
  return next;
}

Scene arrow(const Scene& scene, const scene::Results& results, Arrow key) {
  Scene next = scene;
  if (scene.page == scene::Page::position) {
    if (key == Arrow::left || key == Arrow::right) {
      next.position_index =
          clamp_index(scene.position_index + (key == Arrow::right ? 1 : -1), scene.positions);
    } else {
      next.position_pair =
          clamp_index(scene.position_pair + (key == Arrow::down ? 1 : -1), std::max(1, scene.d_model / 2));
    }
    return next;
  }
  const int T = results.attention.T, S = results.attention.S;
  if (T == 0) return next;
  if (next.query.empty()) {
    next.query = {0};
    return next;
  }
  const bool along_rows = key == Arrow::up || key == Arrow::down;
  const int step = key == Arrow::down || key == Arrow::right ? 1 : -1;
  const bool moves_query = along_rows == (scene.query_axis == scene::QueryAxis::rows);
  if (moves_query) {
    const int moved = std::clamp(std::min(next.query.back(), T - 1) + step, 0, T - 1);
    // The asked query moves; the other pinned ones stay.
    next.query.pop_back();
    next.query.erase(std::remove(next.query.begin(), next.query.end(), moved), next.query.end());
    next.query.push_back(moved);
  } else {
    // Without a pinned key the strongest one is open: the first step starts at the query itself.
    const int from = next.key >= 0 ? std::min(next.key, S - 1) : std::min(next.query.back(), S - 1) - step;
    next.key = std::clamp(from + step, 0, S - 1);
  }
  return next;
}

Scene head_key(const Scene& scene, int digit) {
  Scene next = scene;
  if (digit == 0) {
    next.head.clear();
  } else if (digit <= scene.heads) {
    next = click_head(next, digit - 1, false);
  }
  return next;
}

Scene release(const Scene& scene) {
  Scene next = scene;
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
  // The cell under the pointer stays under the pointer.
  const float x = cell.x - (cell.x - view.x) * w / view.w, y = cell.y - (cell.y - view.y) * h / view.h;
  return pan({x, y, w, h}, whole, {});
}

draw::Box pan(draw::Box view, draw::Box whole, draw::Point cells) {
  if (view.w <= 0 || view.h <= 0) return {};
  view.x = std::clamp(view.x + cells.x, whole.x, std::max(whole.x, whole.right() - view.w));
  view.y = std::clamp(view.y + cells.y, whole.y, std::max(whole.y, whole.bottom() - view.h));
  return view;
}

}  // namespace headlight::app
