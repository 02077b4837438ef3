// One clock: a disc, the hand of position i, the ghost of i + δ and the arc between them. Angles run
// clockwise from upright, so that (sin, cos) of a position is (x, up). Tested in
// tests/views/position_clocks_test.cpp.
#pragma once

#include "kit/card.h"

namespace headlight::views {

struct ClockFace {
  draw::Point centre;
  float radius = 30;
  double position = 0;  // of the hand
  double offset = 0;    // the ghost is at position + offset
  double omega = 1;     // radians per position
  bool chosen = false, lit = false;
};

/// More than a full turn is a light disc and the rest of the turn on top of it. Without offset there is only
/// the hand.
void clock_face(const Pen& pen, const ClockFace& face);

/// Speeds for the logarithmic setting, which are not the encoding's: 1 / (1 + ln(ω₀/ω)) of the fastest, so
/// that slow hands move visibly and keep their order.
double logarithmic_speed(double omega, double fastest);

/// The angle of a hand, radians clockwise from upright, reduced to (−π, π]: (sin, cos) as (x, up).
double hand_angle(double position, double omega);
/// The point at `radius` from `centre` in the direction of a hand.
draw::Point hand_end(draw::Point centre, double radius, double angle);

}  // namespace headlight::views
