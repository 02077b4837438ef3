// One clock: a disc, the hand at position i, a ghost hand at i + δ, and the arc between them. Angles run
// clockwise from upright, so that (sin, cos) of a position is (x, up). Tested in
// tests/views/position_clocks_test.cpp.
#pragma once

#include "kit/card.h"

namespace headlight::views {

struct ClockFace {
  draw::Point centre;
  float radius = 30;
  double position = 0;  // shown by the hand
  double offset = 0;    // from the hand to the ghost hand
  double omega = 1;     // radians per position
  bool chosen = false, lit = false;
};

/// Draws the clock. More than a full turn becomes a light disc with the rest of the turn on top of it.
/// Without an offset, only the hand is drawn.
void clock_face(const Pen& pen, const ClockFace& face);

/// Returns the speed of a hand in the logarithmic setting: 1 / (1 + ln(ω₀/ω)) of the fastest. It differs from
/// the encoding's, so that slow hands move visibly; the order of speeds is kept.
double logarithmic_speed(double omega, double fastest);

/// The angle of a hand, radians clockwise from upright, reduced to (−π, π]: (sin, cos) as (x, up).
double hand_angle(double position, double omega);
/// The point at `radius` from `centre` in the direction of a hand.
draw::Point hand_end(draw::Point centre, double radius, double angle);

}  // namespace headlight::views
