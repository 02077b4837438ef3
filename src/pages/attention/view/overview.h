// A small view of a whole long map, in the corner below its strip at the right and beside its strip below,
// or, where that is too small, in the row of the colours. A frame marks the part on view; a click or a drag
// moves it. Tested in tests/views/attention_overview_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// The least number of tokens of a map with an overview.
inline constexpr int overview_from = 128;

/// Is the map so long that it has an overview? There is none on paper and on slides.
bool has_overview(const Sheet& sheet);

/// The least side in the corner.
inline constexpr float least_overview = 56;
/// Returns its side in the row of the colours of a card of this height.
float overview_in_row(float card_height);

/// Draws the overview of [T, S] values at the left of the area, as large as it fits.
void draw_overview(const Sheet& sheet, draw::Box area, const float* values);

}  // namespace headlight::views
