// Which numbers does a heatmap need on the GPU? Not the matrix but a level of it: each block of 2^x × 2^y
// cells is represented by its value of largest magnitude. The two axes are reduced separately, so that a
// block is never larger than a pixel and a single spike is never lost. NaN and infinity outrank every number;
// a block is masked only if all its cells are. If a matrix is too large for one texture, only the visible
// part is taken. Pure; tested by tests/screen/heatmap_level_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "draw/canvas.h"

namespace headlight::screen {

/// In a level's texels, these two values represent masked and non-finite cells. Real values that are equal to
/// them are changed to the next float.
inline constexpr float masked_texel = -0x1.23456cp+127f;
inline constexpr float nonfinite_texel = 0x1.23456cp+127f;

/// Along one axis of the matrix: blocks of 2^shift cells, of which [begin, begin + size) are taken.
struct LevelAxis {
  int shift = 0, begin = 0, size = 0;
  bool operator==(const LevelAxis&) const = default;
};

struct Level {
  LevelAxis rows, cols;  // of the matrix, however it is shown
  bool operator==(const Level&) const = default;
};

/// Returns the level for showing the cells [from, from + shown) of `cells` on `pixels` pixels, with at most
/// `most` texels.
LevelAxis choose_axis(int cells, float from, float shown, float pixels, int most);

/// Returns the part of the picture that a map shows, in cells: map.view, or all of it.
draw::Box shown_part(const draw::Heatmap& map);

/// Returns the level for `map` drawn on width × height pixels.
Level choose_level(const draw::Heatmap& map, float width, float height, int most);

/// Returns [level.rows.size × level.cols.size] texels, row-major. 4096 × 4096 cells take 10 to 45 ms.
std::vector<float> reduce(const draw::Heatmap& map, const Level& level);

}  // namespace headlight::screen
