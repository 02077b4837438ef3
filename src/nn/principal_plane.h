// The plane in which points differ most: its two directions, the coordinates of the points in it, and the
// share of their variance that it shows.
//
//   C = Σ_i (x_i − x̄)(x_i − x̄)ᵀ / n = Σ_c λ_c u_c u_cᵀ, λ_1 ≥ λ_2 ≥ …
//   point i lies at (u_1 · (x_i − x̄), u_2 · (x_i − x̄)); share c = λ_c / Σ λ
//                                                                     (Pearson 1901; Hotelling 1933)
//
// The sign of a direction is free. It is chosen so that the component with the largest magnitude (the first
// of equal ones) is positive. Tested in tests/nn/principal_plane_test.cpp against a double twin by Jacobi
// rotations.
#pragma once

#include <array>

#include "kernels/tensor.h"

namespace headlight::nn {

struct PrincipalPlane {
  MatrixF64 points;               // [n, 2]
  MatrixF64 directions;           // [2, d] of length 1; the second is 0 where d is 1
  std::array<double, 2> share{};  // of the variance; NaN where all points are equal, or a number is not
                                  // finite
};

/// Returns the plane for the rows of x [n, d], n and d at least 1. O(n d² + d³), in double precision.
PrincipalPlane principal_plane(const MatrixF64& x);

}  // namespace headlight::nn
