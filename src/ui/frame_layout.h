// Where the parts of the window stand, in units of the interface, from the size of the window alone: the rail
// at the left, the sentence and the tabs above, the page, the panel of settings at the right, the status
// line. Tested in tests/app/frame_layout_test.cpp.
#pragma once

#include "draw/geometry.h"

namespace headlight::app {

/// A window this wide keeps the panel beside the page with its column of cards; below, it takes the column's
/// place.
inline constexpr float third_column_from = 1440;
/// From this width on the panel is open whatever the weights are.
inline constexpr float always_open_from = 2000;

struct FrameLayout {
  /// A small window: a rail without words, one row above the page, the panel over the page.
  bool compact = false;
  /// The panel, where it is open, leaves the page its column of cards.
  bool third_column = false;
  /// `tabs` and `status` are empty in a small window, `panel` where it is closed.
  draw::Box rail, top, tabs, page, panel, status;
  /// A lesson that is written has a column at the right, beside which the panel takes its place.
  draw::Box editor;
};

/// `editor`: a lesson is written.
FrameLayout frame_layout(float width, float height, bool panel_open, bool editor = false);
/// The width that is left for everything else then.
float width_beside_editor(float width);

}  // namespace headlight::app
