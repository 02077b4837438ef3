#include "ui/frame_layout.h"

#include <algorithm>

#include "kit/columns.h"

namespace headlight::app {

namespace {

constexpr float compact_below_width = 960, compact_below_height = 560;
constexpr float rail_width = 64, narrow_rail = 48;
constexpr float top_height = 56, tabs_height = 40, compact_height = 44;
constexpr float panel_width = 296, narrow_panel = 280, narrowest_panel = 264, margin = 16, edge = 8,
                gap = 6;  // beside a card, and above and below it

}  // namespace

float width_beside_editor(float width) {
  return width - std::clamp(width * 0.29f, 300.f, 460.f) - margin;
}

FrameLayout frame_layout(float width, float height, SettingsPlace settings, bool editor, bool page_tabs,
                         bool beside) {
  FrameLayout at;
  at.compact = width < compact_below_width || height < compact_below_height;
  draw::Box rest{0, 0, width, height};
  at.rail = rest.cut_left(at.compact ? narrow_rail : rail_width);
  at.top = rest.cut_top(at.compact ? compact_height : top_height);
  if (!at.compact) {
    at.tabs = rest.cut_top(tabs_height);
    at.status = rest.cut_bottom(page_tabs ? page_tabs_height : status_height);
  }
  if (editor) {
    const float side = width - width_beside_editor(width) - margin;
    const draw::Box column = rest.cut_right(side + margin);
    at.editor = {column.x + gap, column.y + edge, side - gap, column.h - (at.compact ? 2 : 1) * edge};
  }
  at.page = rest;
  if (settings == SettingsPlace::closed) return at;
  const bool own_width = at.compact || settings == SettingsPlace::third_column;
  const float free_width = beside ? views::picture_column(rest.w - 2 * margin) : narrow_panel;
  const float third = !at.compact && width < third_column_narrow_below ? narrowest_panel : panel_width;
  const float wide = std::min(own_width ? third : free_width, rest.w - 2 * edge);
  if (at.compact) {
    at.panel = {rest.right() - wide - edge, rest.y, wide, rest.h - edge};
  } else {
    at.panel = {rest.right() - wide - margin, rest.y + edge, wide, rest.h - 2 * edge};
    at.page.w -= wide + margin;
  }
  return at;
}

}  // namespace headlight::app
