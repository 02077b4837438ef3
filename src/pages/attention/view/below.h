// What stands below the map of the Attention page: the matrices of the layer, and a query's weights as a
// kernel over relative offsets. Tested in tests/views/attention_below_test.cpp.
#pragma once

#include "kit/page_input.h"
#include "kit/selection.h"

namespace headlight::views {

/// X, the projections, Q, K, V, the concatenation, W_O and the output, each as a small heatmap; one is opened
/// to its numbers, of the head that is shown.
void draw_matrices(const Sheet& sheet, draw::Box box);

/// The weights of the asked query by offset j − i, above those of another query.
void draw_kernels(const Sheet& sheet, draw::Box box);

/// The element of the opened matrix under the pointer.
std::string matrix_cell_words(const PageInput& in, const draw::Hit& hit);

}  // namespace headlight::views
