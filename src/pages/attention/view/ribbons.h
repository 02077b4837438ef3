// The weights as ribbons between two columns of tokens: width and opacity follow the weight, colour the head.
// With many tokens only ribbons above a weight that is stated are drawn, those of the asked query always.
// Tested in tests/views/attention_ribbons_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// Draws into `area` and says under it what was left out.
void draw_ribbons(const Sheet& sheet, draw::Box area);

/// More heads than colours: the ribbons are then those of the combined map.
inline constexpr int most_coloured_heads = 10;

}  // namespace headlight::views
