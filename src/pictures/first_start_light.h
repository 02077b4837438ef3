// The light of the first start: from one word to another, and what is soft around it. Drawn opaque.
#pragma once

#include <vector>

#include "draw/canvas.h"
#include "kit/card.h"

namespace headlight::app {

/// From a query to a key, in units.
struct BeamPlace {
  draw::Point query, key;
  float query_width = 0, key_width = 0;  // of the words
  float weight = 0;
  bool there = false;
  bool operator==(const BeamPlace&) const = default;
};
/// On the way from one to another.
BeamPlace between(const BeamPlace& from, const BeamPlace& to, float part);

/// A bow over the words; from a word to itself a ring.
struct Bow {
  draw::Point a, control_a, control_b, b;
  bool ring = false;
};
/// `height` of the longest bow, which spans `reach`.
Bow bow_of(const BeamPlace& place, float height, float reach);

/// Light from the query to the key: narrow and in the query's colour where it begins, wide where it arrives.
struct Light {
  std::vector<draw::Point> path;  // all of it
  std::size_t last = 0;           // point of the path up to which it is drawn
  float narrow = 0, wide = 0;
  draw::Color query, glow, key;  // at its beginning, in the middle, at its end
};

/// `drawn` of it, 0 … 1; `thick`: 1 at a window of 1440 × 900.
Light light_of(const draw::Theme& t, const Bow& bow, float weight, float thick, float drawn);
/// How wide it is where it arrives.
float wide_end(float weight, float thick);

/// The light `wider` on both sides, `opacity` of it over the ground.
void draw_layer(const views::Pen& pen, const Light& light, float wider, float opacity);
/// The soft light around the beam: under everything else.
void draw_halo(const views::Pen& pen, const Light& light, float reach);

}  // namespace headlight::app
