// The light of the first start: the beam from one word to another, and the soft halo around it. Both are
// drawn with opaque colours.
#pragma once

#include <vector>

#include "draw/canvas.h"
#include "kit/card.h"

namespace headlight::app {

/// The place of a beam from a query to a key, in units.
struct BeamPlace {
  draw::Point query, key;
  float query_width = 0, key_width = 0;  // of the words
  float weight = 0;
  bool there = false;
  std::vector<draw::Point> path;  // from the query to the key
  bool operator==(const BeamPlace&) const = default;
};
/// Returns the place at the fraction `part` of the movement from one to the other.
BeamPlace between(const BeamPlace& from, const BeamPlace& to, float part);

/// The curve of a beam over the words; a ring from a word to itself.
struct BeamCurve {
  draw::Point a, control_a, control_b, b;
  bool ring = false;
};
/// Returns the curve of a beam. `height` is that of the longest curve, which spans `reach`.
BeamCurve beam_curve(const BeamPlace& place, float height, float reach);

/// A way from one line of words to another that crosses no word.
struct BeamRoute {
  float from = 0, to = 0;  // heights of the gaps between lines, beside the query's line and the key's
  bool around = false;     // it passes lines between the two, at `side`
  float side = 0;
};
/// Returns the path of a place whose words are on different lines. Its bends have this radius at most.
std::vector<draw::Point> path_of(const BeamPlace& place, const BeamRoute& route, float radius);

/// The light from the query to the key. It starts narrow and in the query's colour, and ends wide.
struct Light {
  std::vector<draw::Point> path;  // the whole path
  std::size_t last = 0;           // index of the point up to which it is drawn
  float narrow = 0, wide = 0;
  draw::Color query, glow, key;  // at its start, in the middle, at its end
};

/// Returns the light of a place with its path. `drawn` is the fraction to draw, 0 … 1. `thick` scales the
/// width: 1 in a window of 1440 × 900.
Light light_of(const draw::Theme& t, const BeamPlace& place, float thick, float drawn);
/// Returns the width of the light at its end.
float wide_end(float weight, float thick);

/// Draws the light widened by `wider` on both sides, blended with the background by `opacity`.
void draw_layer(const views::Pen& pen, const Light& light, float wider, float opacity);
/// Draws the soft light around the beam. Call it before drawing anything else.
void draw_halo(const views::Pen& pen, const Light& light, float reach);

}  // namespace headlight::app
