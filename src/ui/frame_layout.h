// The positions of the window's parts, in units of the interface, computed only from the size of the window:
// the rail at the left, the sentence and the tabs above, the page, the settings panel at the right, and the
// line at the bottom with the tabs of the page's screens and the status. Tested in
// tests/app/frame_layout_test.cpp.
#pragma once

#include "draw/geometry.h"

namespace headlight::app {

/// From these widths on, the panel stands beside the page with its column of cards: where the settings alone
/// determine the numbers of a layer or of P, and on every page, whatever the weights are.
/// In a narrower window it is opened by hand and replaces the column.
inline constexpr float third_column_from = 1440, third_column_narrow_below = 1600,
                       third_column_always_from = 2000;

/// The height of the line at the bottom: with the status alone, and with the tabs of the page's screens.
inline constexpr float status_height = 22, page_tabs_height = 36;

enum class SettingsPlace { closed, replaces_cards, third_column };

struct FrameLayout {
  /// A small window: a rail without words, one row above the page, the panel in front of the page.
  bool compact = false;
  /// `tabs` and `status` are empty in a small window, `panel` when it is closed.
  draw::Box rail, top, tabs, page, panel, status;
  /// The column of the lesson editor at the right; the panel is beside it.
  draw::Box editor;
};

/// `editor`: a lesson is being edited. `page_tabs`: the page is cut into screens, whose tabs are in the line
/// of the status. `beside`: the page has a column of cards, and a panel that replaces it takes its width, so
/// that the picture beside it stays as it is.
FrameLayout frame_layout(float width, float height, SettingsPlace settings, bool editor = false,
                         bool page_tabs = false, bool beside = false);
/// The width that then remains for everything else.
float width_beside_editor(float width);

}  // namespace headlight::app
