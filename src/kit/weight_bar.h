// The colours of the maps of weights on the pages Attention, Model, Compare and Block: what a weight's colour
// is, the bar that says it, the choice of the scale, and what has to be said beside it. Tested in
// tests/views/weight_bar_test.cpp.
#pragma once

#include <array>
#include <string>

#include "kit/selection.h"
#include "scene/map_scale.h"

namespace headlight::views {

/// The scale of the maps that the Attention page shows, from what was computed for them.
scene::WeightScale shown_scale(const Sheet& sheet);
/// The scale of the small maps of all heads, whose points show the largest of many weights: where it ends by
/// itself it ends as that of the largest over the heads does.
scene::WeightScale small_maps_scale(const PageInput& in);
/// Sets the colours of a map: of weights, or of differences of weights, which have both signs.
void set_scale(draw::Heatmap& map, const scene::WeightScale& scale, bool has_signs = false);

/// With how many decimals weights are written, in cells, tooltips and lists, where the colours end at `end`:
/// two, or three where all are small.
constexpr int weight_decimals(float end) {
  return end < 0.1001f ? 3 : 2;
}
/// The same for what the Attention page shows.
int shown_decimals(const PageInput& in);
/// What is smaller has no number in its cell, and up to the second its number is quiet.
constexpr float unwritten_weight(int decimals) {
  return decimals > 2 ? 0.0005f : 0.005f;
}
constexpr float quiet_weight(int decimals) {
  return decimals > 2 ? 0.0095f : 0.095f;
}

/// auto | 0–1 | log, for maps of so many tokens.
std::array<Choice, 3> scale_choices(const scene::Scene& scene, int tokens);

/// The words at the ends of the bar: "0" and "≥ 0.02", "≤ 10⁻⁴" and "1"; with signs "−0.5" and "+0.5".
ColourBar scale_words(const scene::WeightScale& scale, const std::string& middle, bool has_signs = false);

/// "the brightest 0.9 % share the last colour"; empty where none are above it.
std::string above_words(const scene::WeightScale& scale, const draw::Theme& theme);
/// "each pixel shows the largest weight", where a cell is smaller than a pixel; else empty.
std::string pooled_words(float cell);

struct WeightBar {
  scene::WeightScale scale;
  int tokens = 0;
  float cell = 0;          // the smaller side of a cell of the map, in units
  float weight = -1;       // has a mark above the bar; below 0: none
  bool unwritten = false;  // cells have numbers, and the smallest have none
};
/// `low`: the numbers of the scale stand beside the bar, not below it.
float weight_bar_height(const Pen& pen, bool low = false);
/// Of the maps of the Attention page: the bar, to its right the choice of the scale and the notes, as far as
/// there is room, in a row of weight_bar_height.
void weight_bar(const Pen& pen, const PageInput& in, draw::Box row, const WeightBar& bar);

}  // namespace headlight::views
