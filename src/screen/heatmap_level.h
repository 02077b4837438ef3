// Which numbers does a heatmap need on the GPU? Not the matrix but a level of it: cells in blocks of 2^x ×
// 2^y, each block the value of largest magnitude, with the two axes reduced apart, so that a block is never
// larger than a pixel and a lone spike is never lost. NaN and infinity outrank every number; a block is
// masked only where all its cells are. Of a matrix too large for one texture only the part on view is taken.
// Pure; tested by tests/screen/heatmap_level_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "draw/canvas.h"

namespace headlight::screen {

/// In a level's texels, these two stand for what is not a number to be coloured. Real values that are equal
/// to them are moved to the next float.
inline constexpr float masked_texel = -0x1.23456cp+127f;
inline constexpr float nonfinite_texel = 0x1.23456cp+127f;

/// Along one axis of the matrix: blocks of 2^shift cells, of which [begin, begin + size) are taken.
struct LevelAxis {
  int shift = 0, begin = 0, size = 0;
  bool operator==(const LevelAxis&) const = default;
};

struct Level {
  LevelAxis rows, cols;  // of the matrix, whichever way it is shown
  bool operator==(const Level&) const = default;
};

/// The level to show the cells [from, from + shown) of `cells` on `pixels` pixels, in no more than `most`
/// texels.
LevelAxis choose_axis(int cells, float from, float shown, float pixels, int most);

/// The part of the picture that a map shows, in cells: map.view, or all of it.
draw::Box shown_part(const draw::Heatmap& map);

/// The level for `map` drawn on width × height pixels.
Level choose_level(const draw::Heatmap& map, float width, float height, int most);

/// [level.rows.size × level.cols.size] texels, row-major. 4096 × 4096 cells take 10 to 45 ms.
std::vector<float> reduce(const draw::Heatmap& map, const Level& level);

}  // namespace headlight::screen
