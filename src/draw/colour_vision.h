// How do people with colour-blindness see a colour? By the model of Machado, Oliveira and Fernandes ("A
// Physiologically-based Model for Simulation of Color Vision Deficiency", 2009), at full severity: a 3 × 3
// matrix on linear RGB. Tested in tests/draw/colour_vision_test.cpp; the screen's shader has the same
// matrices.
#pragma once

#include <array>

#include "draw/geometry.h"

namespace headlight::draw {

enum class Vision { full, deuteranopia, protanopia, tritanopia };

/// Returns the matrix, row by row: seen = matrix · linear RGB, clamped to 0 … 1.
const std::array<float, 9>& matrix_of(Vision vision);

/// Returns the colour as seen; alpha does not change.
Color seen(Color color, Vision vision);

}  // namespace headlight::draw
