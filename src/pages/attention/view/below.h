// The cards below the map of the Attention page: the matrices of the layer, and a query's weights as a kernel
// over relative offsets. Tested in tests/views/attention_below_test.cpp.
#pragma once

#include "kit/page_input.h"
#include "kit/selection.h"

namespace headlight::views {

/// Draws X, the projections, Q, K, V, the concatenation, W_O and the output as small heatmaps. One of them is
/// opened and shows its numbers for the shown head.
void draw_matrices(const Sheet& sheet, draw::Box box);

/// Draws the weights of the pinned query by offset j − i, above those of another query.
void draw_kernels(const Sheet& sheet, draw::Box box);

/// Describes the element of the opened matrix under the pointer.
std::string matrix_cell_words(const PageInput& in, const draw::Hit& hit);

}  // namespace headlight::views
