// The keyboard of the whole window. A text field has the letters while it is typed into; a widget in focus
// has Space and Enter, and the arrows when it uses them; everything else is here.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/gestures.h"
#include "app/pages.h"
#include "app/shell.h"

namespace headlight::app {

namespace {

using scene::Scene;
using screen::Key;

constexpr double scales[] = {0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3};

double next_scale(double now, int step) {
  if (step > 0) {
    for (double s : scales) {
      if (s > now + 1e-6) return s;
    }
    return std::end(scales)[-1];
  }
  for (int i = static_cast<int>(std::size(scales)) - 1; i >= 0; --i) {
    if (scales[i] < now - 1e-6) return scales[i];
  }
  return scales[0];
}

scene::Page neighbour(scene::Page page, int step) {
  const auto all = pages();
  const int count = static_cast<int>(all.size());
  for (int i = 0; i < count; ++i) {
    if (all[static_cast<std::size_t>(i)].page == page)
      return all[static_cast<std::size_t>((i + step + count) % count)].page;
  }
  return page;
}

/// Keys that work everywhere, also while a text is typed.
void control_keys(const screen::InputQueue& input, Scene& next) {
  if (input.pressed(Key::plus, screen::ctrl_only) || input.pressed(Key::equal, screen::ctrl_only) ||
      input.pressed(Key::plus, screen::ctrl_shift) || input.pressed(Key::equal, screen::ctrl_shift)) {
    next.interface_scale = next_scale(next.interface_scale, 1);
  }
  if (input.pressed(Key::minus, screen::ctrl_only))
    next.interface_scale = next_scale(next.interface_scale, -1);
  if (input.pressed(Key::digit_0, screen::ctrl_only)) next.interface_scale = 1;
  if (input.pressed(Key::page_down, screen::ctrl_only)) next.page = neighbour(next.page, 1);
  if (input.pressed(Key::page_up, screen::ctrl_only)) next.page = neighbour(next.page, -1);
}

void arrow_keys(const screen::InputQueue& input, const scene::Results& results, Scene& next) {
  constexpr std::pair<Key, Arrow> keys[] = {
      {Key::left, Arrow::left}, {Key::right, Arrow::right}, {Key::up, Arrow::up}, {Key::down, Arrow::down}};
  for (const auto& [key, where] : keys) {
    if (input.pressed(key)) next = arrow(next, results, where);
  }
}

void attention_keys(const screen::InputQueue& input, Scene& next) {
  for (int digit = 0; digit <= 9; ++digit) {
    if (input.pressed(static_cast<Key>(static_cast<int>(Key::digit_0) + digit))) next = head_key(next, digit);
  }
  if (input.pressed(Key::m)) {
    next.attention_view = next.attention_view == scene::AttentionView::matrix ? scene::AttentionView::ribbons
                                                                              : scene::AttentionView::matrix;
  }
  if (input.pressed(Key::o)) {
    next.query_axis =
        next.query_axis == scene::QueryAxis::rows ? scene::QueryAxis::columns : scene::QueryAxis::rows;
  }
  if (input.pressed(Key::s)) next.bars_sorted = !next.bars_sorted;
}

}  // namespace

void Shell::shortcuts(double now, bool beneath_a_card) {
  Scene next = session_.scene();
  control_keys(input_, next);
  if (input_.pressed(Key::z, screen::ctrl_only)) return session_.undo(now);
  if (input_.pressed(Key::z, screen::ctrl_shift) || input_.pressed(Key::y, screen::ctrl_only))
    return session_.redo(now);
  if (input_.pressed(Key::b, screen::ctrl_only)) panel_shown_ = !panel_shown_;
  if (input_.pressed(Key::f11) && toggle_fullscreen) toggle_fullscreen();
  if (input_.pressed(Key::f1) && !beneath_a_card) open_help_ = true;
  if (ui_.typing()) {
    session_.change(std::move(next), "", now);
    return;
  }
  if (beneath_a_card) {
    session_.change(std::move(next), "", now);
    return;
  }
  const Scene unmoved = next;
  if (!ui_.focus.uses_arrows()) arrow_keys(input_, session_.results(), next);
  const bool moved = next != unmoved && unmoved == session_.scene();
  if (next.page == scene::Page::attention) attention_keys(input_, next);
  if (next.page == scene::Page::position && input_.pressed(Key::space) && !ui_.focus.any())
    next.play = !next.play;
  if (input_.pressed(Key::t)) {
    next.theme = next.theme == scene::ThemeName::dark ? scene::ThemeName::light : scene::ThemeName::dark;
  }
  if (input_.pressed(Key::slash)) focus_sentence_ = true;
  if (input_.pressed(Key::escape)) {
    if (ui_.focus.any()) {
      ui_.focus.clear();
    } else {
      next = release(next);
    }
  }
  session_.change(std::move(next), moved ? "arrows" : "", now);
}

}  // namespace headlight::app
