// Sinusoidal positional encoding and its properties.
//
//   p[i, 2j] = sin(i ω_j), p[i, 2j+1] = cos(i ω_j), ω_j = base^(−2j/D)          (Vaswani et al. 2017, 3.5)
//   p(i + δ) = R(δ ω_j) p(i) for each pair, R(φ) = [[cos φ, sin φ], [−sin φ, cos φ]] on the column (sin, cos)
//
// The exponent is per pair, 2j/D; an odd D has ⌈D/2⌉ sines and ⌊D/2⌋ cosines.
#pragma once

#include <array>
#include <vector>

#include "base/parallel.h"
#include "kernels/tensor.h"

namespace headlight::nn {

struct PositionalSpec {
  int length = 0;       // rows
  int width = 0;        // D, >= 1
  double base = 10000;  // > 0
  long offset = 0;      // position of row 0
  bool operator==(const PositionalSpec&) const = default;
};

/// ω_j for j = 0 … ⌈width/2⌉ − 1, radians per position.
std::vector<double> frequencies(int width, double base);

/// Computes P [length, width] with an error of at most 2e-7 at any offset: angles are reduced in double, and
/// only some rows call sine and cosine; the rows between them are rotated.
void sinusoidal(const PositionalSpec& spec, base::Parallel& parallel, Matrix& p);

/// The same in double precision, one sine or cosine for each element.
MatrixF64 sinusoidal_f64(const PositionalSpec& spec);

using Rotation = std::array<std::array<double, 2>, 2>;

/// R(δ ω_j), acting on the column (p[i, 2j], p[i, 2j+1]).
Rotation rotation(double delta, double omega);

/// Returns the largest |p(i + δ) − R(δ ω_j) p(i)| over the rows i of P for which i + δ is also a row of P,
/// and over the two columns. Pair j must have both columns. It is computed from the float32 P that is shown.
/// 0 if there is no such row.
double rotation_residual(const Matrix& p, int delta, double omega, int pair);

struct NearestRow {
  int row = -1;         // the nearest other row; −1 if P has only one row
  double distance = 0;  // Euclidean
};

/// Returns, for each row of P, the nearest other row. O(n² D): call it in the background when n is large.
std::vector<NearestRow> nearest_rows(const Matrix& p, base::Parallel& parallel);

/// Returns p_i · p_{i+δ} for δ = 0 … n − 1 − i, in double: how the dot product depends on distance.
std::vector<double> dot_by_distance(const Matrix& p, int from_row);

}  // namespace headlight::nn
