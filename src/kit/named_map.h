// A map of numbers with names along both edges, rectangular if need be, its masked cells striped whatever the
// shape of the mask. Tested in tests/views/variants_page_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kit/card.h"

namespace headlight::views {

struct NamedMap {
  const float* values = nullptr;  // [rows, cols]
  int rows = 0, cols = 0;
  std::uint64_t version = 0;
  float lo = 0, hi = 1;
  draw::Colormap map = draw::Colormap::weight;
  std::span<const base::Interval> allowed;  // [rows] or empty
  std::span<const std::uint8_t> allow;      // [rows·cols] or empty: read where `allowed` is empty
  std::vector<std::string> row_names, col_names;
  std::string down = "query ↓", across = "key →";  // captions; both empty: none
  draw::Box view;                                  // in cells of the picture; w 0: everything
  bool transposed = false;                         // rows of values run across
  draw::Mark mark;                                 // of the cells
  int query = -1, key = -1;                        // row and column of the opened cell
  int hover_query = -1, hover_key = -1;
  bool numbers = true;
  bool weights = true;  // or their differences: small ones have no number; false: scores
  float most_cell = 64;
};

/// More runs than this are not striped one by one.
inline constexpr int most_masked_runs = 1500;
/// Can the mask of the map be drawn? If not, masked cells look like zeros, which must be said.
bool can_mask(const NamedMap& map);
bool has_masked(const NamedMap& map);

/// Returns the box of the cells.
draw::Box draw_named_map(const Pen& pen, draw::Box area, const NamedMap& map);

}  // namespace headlight::views
