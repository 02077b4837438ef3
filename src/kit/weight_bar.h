// The colours of weight maps on the pages Attention, Model, Compare, Variants and Block: the scale, the
// colour bar that shows it, the choice of scale, and the notes beside the bar. Tested in
// tests/views/weight_bar_test.cpp.
#pragma once

#include <array>
#include <string>

#include "kit/selection.h"
#include "scene/map_scale.h"

namespace headlight::views {

/// Returns the scale of the maps that the Attention page shows, large and small.
scene::WeightScale shown_scale(const Sheet& sheet);
scene::WeightScale shown_scale(const PageInput& in);
/// Sets the colours of a map of weights, or of differences of weights, which have both signs.
void set_scale(draw::Heatmap& map, const scene::WeightScale& scale, bool has_signs = false);

/// The number of decimals of weights in cells, tooltips and lists when the scale ends at `end`: two, or three
/// when all weights are small.
constexpr int weight_decimals(float end) {
  return end < 0.1001f ? 3 : 2;
}
/// The same for what the Attention page shows.
int shown_decimals(const PageInput& in);
/// A weight below unwritten_weight() has no number in its cell; below quiet_weight() its number is dimmed.
constexpr float unwritten_weight(int decimals) {
  return decimals > 2 ? 0.0005f : 0.005f;
}
constexpr float quiet_weight(int decimals) {
  return decimals > 2 ? 0.0095f : 0.095f;
}

/// Returns the choices auto | 0–1 | log for maps of `tokens` tokens.
std::array<Choice, 3> scale_choices(const scene::Scene& scene, int tokens);

/// Returns the words at the ends of the bar: "0" and "≥ 0.02", "≤ 10⁻⁴" and "1"; with signs "−0.5" and
/// "+0.5".
ColorBar scale_words(const scene::WeightScale& scale, const std::string& middle, bool has_signs = false);

/// Returns "the brightest 0.9 % share the last colour"; empty when no weight is above the scale.
std::string above_words(const scene::WeightScale& scale, const draw::Theme& theme);
/// Adds to the words in the middle of a bar that some of the picture is above its end, briefly where the bar
/// is short: "0.9 % share the last colour".
ColorBar with_share(ColorBar bar, const scene::WeightScale& scale, const draw::Theme& theme);
/// The same for the second of several maps that have one scale: the first one's bar has its name.
ColorBar with_share_alone(ColorBar bar, const scene::WeightScale& scale, const draw::Theme& theme);
/// Adds to the words in the middle of a bar that cells smaller than a pixel share it: `cell` is the smaller
/// side of one. A short bar says it alone, unless it has other words.
ColorBar with_pooled(ColorBar bar, float cell);
/// The width of a bar below a map whose cells are so wide: that of the cells, unless the numbers at the bar's
/// ends need more.
float bar_width(const Pen& pen, float cells, const ColorBar& words);
/// Do numbers like −0.27 fit into cells of this width, with room at each side?
bool signed_numbers_fit(const Pen& pen, float cell, int decimals);
/// Returns "each pixel shows the largest weight" when a cell is smaller than a pixel; else empty.
std::string pooled_words(float cell);

/// Marks a value above a bar of this scale. It takes pointer_height above the bar.
inline constexpr float pointer_height = 7;
void bar_pointer(const Pen& pen, draw::Box bar, const scene::WeightScale& scale, float value,
                 bool has_signs = false);

struct WeightBar {
  scene::WeightScale scale;
  int tokens = 0;
  float cell = 0;          // the smaller side of a cell of the map, in units
  float weight = -1;       // marked above the bar; below 0: no mark
  bool unwritten = false;  // cells have numbers, except those of small weights
  int largest_head = -1;   // the head with the largest weight of the map, from 0; −1: of no single head
};
/// `low`: the numbers of the scale are beside the bar, not below it.
float weight_bar_height(const Pen& pen, bool low = false);
/// Draws the colour bar of the Attention page's maps in a row of weight_bar_height(). To its right are the
/// choice of scale and the notes, as far as there is room.
void weight_bar(const Pen& pen, const PageInput& in, draw::Box row, const WeightBar& bar);

}  // namespace headlight::views
