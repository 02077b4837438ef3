// How far the cells of a map may be from square.
#pragma once

namespace headlight::views {

/// Cells at least this high may be wide: their numbers and their columns' words gain from the room beside
/// them.
constexpr float least_flat = 8;
/// Width to height, at most.
constexpr float most_flat = 2.8f;

}  // namespace headlight::views
