// The cells of the card of weights: one map with its edges, or the maps of several heads, and the row of
// their colours. Tested in tests/views/attention_matrix_test.cpp.
#pragma once

#include <array>

#include "kit/choices.h"
#include "kit/selection.h"

namespace headlight::views {

bool queries_down(const Sheet& sheet);
std::array<Choice, 2> axis_choices(const Sheet& sheet);
/// How the heads shown become one map.
std::array<Choice, 2> combine_choices(const Sheet& sheet);

/// Choices that have no other place than at the right of the colour bar.
struct MapChoices {
  bool axes = false, combine = false;
};
/// Draws one map with its edges and colour bar, and the choices `beside` it. Returns whether the mask is
/// named on the map.
bool one_matrix(const Sheet& sheet, draw::Box area, const MapChoices& beside);
/// The same for the maps of the heads that are compared.
bool several_matrices(const Sheet& sheet, draw::Box area, const MapChoices& beside);

}  // namespace headlight::views
