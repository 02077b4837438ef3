// How far the cells of a map may be from square.
#pragma once

namespace headlight::views {

/// Cells at least this high may be wider than high: numbers and column labels then have more room, and a map
/// of about a hundred tokens fills its card.
constexpr float least_flat = 2;
/// The largest ratio of width to height.
constexpr float most_flat = 2.8f;

}  // namespace headlight::views
