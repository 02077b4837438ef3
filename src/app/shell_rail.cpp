// The rail at the left: the groups of pages and, at the bottom, the controls of the window, and help.
#include <imgui.h>

#include <array>
#include <cmath>
#include <cstring>

#include "app/shell.h"
#include "pictures/pages.h"
#include "screen/paint.h"
#include "ui/settings_panel.h"

namespace headlight::app {

namespace {

using scene::PageGroup;

struct RailGroup {
  PageGroup group;
  const char *name, *help;
};
constexpr std::array<RailGroup, scene::page_groups> groups{
    {{PageGroup::explore, "Explore", "attention, heads, positions, masks, blocks"},
     {PageGroup::learn, "Learn", "lessons, an example by hand, the sources’ numbers"},
     {PageGroup::train, "Train", "heads that learn while you watch"},
     {PageGroup::theory, "Theory", "what attention costs; attention as a memory"}}};

/// Draws lines and squares in a square of 20 units around `c`.
struct IconPainter {
  ImDrawList& list;
  ImVec2 c;
  float unit;
  ImU32 ink;
  float thick;

  ImVec2 at(float x, float y) const { return {c.x + x * unit, c.y + y * unit}; }
  void path(std::initializer_list<ImVec2> points, bool closed = false) const {
    for (const ImVec2& p : points) list.PathLineTo(at(p.x, p.y));
    list.PathStroke(ink, closed ? int{ImDrawFlags_Closed} : 0, thick);
  }
};

/// The map of a head that attends to the previous token.
void explore_icon(const IconPainter& p, draw::Color color) {
  for (int row = 0; row < 3; ++row) {
    for (int col = 0; col < 3; ++col) {
      const float x = -9 + 6.5f * static_cast<float>(col), y = -9 + 6.5f * static_cast<float>(row);
      const bool lit = col == row || (row == 2 && col == 1);
      p.list.AddRectFilled(p.at(x, y), p.at(x + 5, y + 5),
                           lit ? p.ink : screen::packed(draw::faded(color, 0.45f)), p.unit);
    }
  }
}
void learn_icon(const IconPainter& p, draw::Color) {
  p.path({{0, -5}, {-3, -7}, {-9, -7}, {-9, 6}, {-3, 6}, {0, 8}, {3, 6}, {9, 6}, {9, -7}, {3, -7}}, true);
  p.path({{0, -5}, {0, 8}});
}
void train_icon(const IconPainter& p, draw::Color) {
  p.path({{-9, -9}, {-9, 8}, {9, 8}});
  p.list.PathLineTo(p.at(-6, -8));
  p.list.PathBezierCubicCurveTo(p.at(-4, 2), p.at(-1, 3), p.at(8, 4));
  p.list.PathStroke(p.ink, 0, p.thick);
}
void theory_icon(const IconPainter& p, draw::Color) {
  p.path({{7, -5}, {7, -8}, {-7, -8}, {1, 0}, {-7, 8}, {7, 8}, {7, 5}});
}
void gear_icon(const IconPainter& p) {
  constexpr int teeth = 8;
  for (int i = 0; i < 4 * teeth; ++i) {
    const float turn = (static_cast<float>(i) - 0.5f) * 6.2831853f / (4 * teeth);
    const float reach = i % 4 < 2 ? 8.5f : 6.3f;
    p.list.PathLineTo(p.at(reach * std::cos(turn), reach * std::sin(turn)));
  }
  p.list.PathStroke(p.ink, ImDrawFlags_Closed, p.thick);
  p.list.AddCircle(p.c, 2.8f * p.unit, p.ink, 0, p.thick);
}

void paint_icon(PageGroup group, const IconPainter& pencil, draw::Color color) {
  constexpr std::array icons{explore_icon, learn_icon, train_icon, theory_icon};
  icons[static_cast<std::size_t>(group)](pencil, color);
}

/// The mark of the program: a lamp that throws light.
void paint_lamp(ImDrawList& list, ImVec2 c, float radius, const draw::Theme& theme) {
  const draw::Color light = draw::color_of(theme, draw::Colormap::weight, theme.dark ? 0.75f : 0.5f, 0, 1);
  const float reach = radius * 1.35f;
  list.AddTriangleFilled(c, ImVec2(c.x + reach, c.y - reach * 0.55f),
                         ImVec2(c.x + reach, c.y + reach * 0.55f), screen::packed(draw::faded(light, 0.75f)));
  list.PathArcTo(c, radius * 0.78f, 0.6f, 6.2831853f - 0.6f, 40);
  list.PathStroke(screen::packed(theme.text), 0, radius * 0.36f);
  list.AddCircleFilled(c, radius * 0.24f, screen::packed(theme.text), 20);
}

}  // namespace

void Shell::open_group(PageGroup group, double now) {
  const scene::Page left = session_.scene().page;
  const PageGroup open = page_info(left).room.group;
  if (group == PageGroup::learn && open == group && lessons_.listing()) return;
  lessons_.close_list();
  if (open != group) open_page(last_page_[static_cast<std::size_t>(group)], now);
  // Most users look for the lessons there.
  if (group == PageGroup::learn) open == group ? lessons_.open_list() : lessons_.open_list_from(left);
}

void Shell::rail(draw::Box pixels, bool words, double now) {
  if (ui_.begin_panel("rail", pixels, theme().window, 0, false)) {
    const draw::Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = std::max(1.f, std::floor(ui_.scale()));
    list.AddRectFilled(ImVec2(pixels.right() - line, pixels.y), ImVec2(pixels.right(), pixels.bottom()),
                       screen::packed(t.border));
    const float middle = pixels.x + (pixels.w - line) / 2;
    paint_lamp(list, {std::round(middle - ui_.px(2)), std::round(pixels.y + ui_.px(words ? 32 : 20))},
               ui_.px(words ? 14 : 11), t);
    const float wide = pixels.w / ui_.scale() - (words ? 12 : 8), high = words ? 56 : 40;
    const scene::PageGroup open = page_info(session_.scene().page).room.group;
    last_page_[static_cast<std::size_t>(open)] = session_.scene().page;
    const auto entry = [&](const char* name, const char* help, float top, float height) {
      ImGui::SetCursorScreenPos({std::round(middle - ui_.px(wide / 2)), std::round(top)});
      return ui_.item(name, ui_.px(wide), ui_.px(height), help);
    };
    const auto pencil = [&](const screen::Ui::Item& it, float y, draw::Color ink) {
      return IconPainter{list, {(it.from.x + it.to.x) / 2, y}, ui_.px(1), screen::packed(ink), ui_.px(1.6f)};
    };
    float top = pixels.y + ui_.px(words ? 72 : 44);
    for (const RailGroup& group : groups) {
      const screen::Ui::Item it = entry(group.name, group.help, top, high);
      const bool on = group.group == open;
      if (on || it.hovered)
        list.AddRectFilled(it.from, it.to, screen::packed(on && t.dark ? t.field : t.panel), ui_.px(8));
      if (on && !t.dark)  // raised is hardly darker than the ground
        list.AddRect(it.from, it.to, screen::packed(t.border), ui_.px(8), 0, line);
      const draw::Color ink = on || it.hovered ? t.text : t.dim;
      paint_icon(group.group, pencil(it, it.from.y + ui_.px(words ? 21 : high / 2), ink), ink);
      if (words)
        ui_.words((it.from.x + it.to.x) / 2, it.to.y - ui_.px(13), group.name,
                  on ? draw::Font::semibold : draw::Font::sans, 12, ink, draw::Align::centre);
      ui_.focus_ring(it, ui_.px(8));
      if (it.pressed) open_group(group.group, now);
      top += ui_.px(high + 8);
    }
    constexpr float small = 36;
    const float foot = pixels.bottom() - ui_.px(2 * small + 16);
    const screen::Ui::Item gear = entry("gear", "theme, colours, scale, motion", foot, small);
    gear_icon(pencil(gear, (gear.from.y + gear.to.y) / 2, gear.hovered ? t.text : t.dim));
    ui_.focus_ring(gear, ui_.px(8));
    if (gear.pressed) ui_.open_popup("interface");
    const screen::Ui::Item help =
        entry("help", "keys and mathematics (F1 or ?)", foot + ui_.px(small + 4), small);
    ui_.words((help.from.x + help.to.x) / 2, (help.from.y + help.to.y) / 2, "?", draw::Font::semibold, 18,
              help.hovered ? t.text : t.dim, draw::Align::centre);
    ui_.focus_ring(help, ui_.px(8));
    if (help.pressed) perform(Action::help, now);
    if (ui_.begin_popup("interface", nullptr, 340)) {
      ui_.label("Interface", 18, draw::Font::semibold);
      ui_.gap(8);
      interface_controls(ui_, session_, now);
      ui_.end_popup();
    }
  }
  ui_.end_panel();
}

}  // namespace headlight::app
