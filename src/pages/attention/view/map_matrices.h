// The cells of the card of weights: one map with its edges, or the maps of several heads, and the row of
// their colours. Tested in tests/views/attention_matrix_test.cpp.
#pragma once

#include <array>

#include "kit/choices.h"
#include "kit/selection.h"

namespace headlight::views {

bool queries_down(const Sheet& sheet);
std::array<Choice, 2> axis_choices(const Sheet& sheet);
/// Draws one map with its edges and colour bar. `with_axes`: the choice of the axes is at the bar's right, as
/// it has no other place. Returns whether the mask is named on the map.
bool one_matrix(const Sheet& sheet, draw::Box area, bool with_axes);
/// The same for the maps of the heads that are compared.
bool several_matrices(const Sheet& sheet, draw::Box area, bool with_axes);

}  // namespace headlight::views
