// How do people with colour-blindness see a colour? By the model of Machado, Oliveira and Fernandes ("A
// Physiologically-based Model for Simulation of Color Vision Deficiency", 2009), at full severity: a 3 × 3
// matrix on linear RGB. And how different do two colours look? ΔE of CIELAB, 1976. Tested in
// tests/draw/colour_vision_test.cpp; the screen's shader has the same matrices.
#pragma once

#include <array>

#include "draw/geometry.h"

namespace headlight::draw {

enum class Vision { full, deuteranopia, protanopia, tritanopia };

/// Returns the matrix, row by row: seen = matrix · linear RGB, clamped to 0 … 1.
const std::array<float, 9>& matrix_of(Vision vision);

/// Returns the colour as seen; alpha does not change.
Color seen(Color color, Vision vision);

/// CIELAB of an opaque sRGB colour, white D65: L 0 … 100, a, b.
struct Lab {
  double l = 0, a = 0, b = 0;
};
Lab lab(Color color);
double delta_e(Color a, Color b);

/// OKLab (Ottosson 2020) of an opaque sRGB colour: L 0 … 1, a, b; and the distance between two colours in it.
Lab oklab(Color color);
double ok_distance(Color a, Color b);

}  // namespace headlight::draw
