// One matrix of attention weights with its tokens along both edges, the numbers in its cells while they fit,
// the pinned rows framed and the opened cell framed. The cost follows what is on view, not T². Tested in
// tests/views/attention_matrix_test.cpp.
#pragma once

#include "kit/selection.h"
#include "pages/attention/view/marginals.h"

namespace headlight::views {

struct MatrixSource {
  const float* values = nullptr;  // [T, S]
  int head = -1;                  // 0-based; −1 = several heads combined
};

struct MatrixLook {
  bool captions = true;    // "query ↓" and "key →" along the edges
  float most_cell = 140;   // cells are never larger
  MarginalRoom marginals;  // at the right and below the cells
};

/// Draws inside `area`, centred across and at its top. Returns the box of the cells.
draw::Box draw_matrix(const Sheet& sheet, draw::Box area, const MatrixSource& source, const MatrixLook& look);

/// The side of a cell that draw_matrix() would choose, to decide how several matrices share an area.
float cell_side(const Sheet& sheet, float width, float height);

}  // namespace headlight::views
