// Attention as retrieval from memory: the modern continuous Hopfield network (Ramsauer et al. 2020, eq. 3 and
// 5).
//
//   E(ξ) = −lse(β, X ξ) + ½ ξᵀξ + log(N)/β + ½ M²,  lse(β, z) = log(Σ exp(β z_i)) / β, M = max ‖x_i‖
//   ξ ← Xᵀ softmax(β X ξ)                            never raises E
//
// With patterns = keys, β = 1/√d, and values in place of the patterns in the last product, one step is one
// row of scaled dot-product attention. E is float, or double for the twin; lse subtracts the largest exponent
// first. Tested in tests/nn/golden_variants.cpp and tests/nn/memory_test.cpp.
#pragma once

#include "kernels/tensor.h"

namespace headlight::nn {

template <class E>
struct HopfieldTrace {
  Tensor<E> states;                    // [steps + 1, M, d]; plane 0 holds the probes
  Tensor<E> weights;                   // [steps, M, N] the softmax that made the next state
  Tensor<E> energy;                    // [steps + 1, M]
  Tensor<E> energy_without_constants;  // [steps + 1, M] −lse + ½ ξᵀξ
};

/// Applies `steps` updates to every probe [M, d], with patterns [N, d], N >= 1, and beta > 0. O(steps·M·N·d).
template <class E>
HopfieldTrace<E> hopfield(const Tensor<E>& patterns, const Tensor<E>& probes, double beta, int steps);

/// The part of the plane that a landscape covers.
struct PlaneBox {
  double left = -1, right = 1, bottom = -1, top = 1;
  bool operator==(const PlaneBox&) const = default;
};

/// Returns E on a grid over the plane, for patterns [N, 2]: [rows, cols]. Element (0, 0) is at (left, top);
/// the corners of the grid are the corners of the box. O(rows·cols·N).
MatrixF64 hopfield_landscape(const Matrix& patterns, double beta, const PlaneBox& box, int rows, int cols);

/// How many random patterns of width d can be stored?
///   1982  about 0.14 d binary patterns, with few errors
///         (Hopfield 1982; Amit, Gutfreund and Sompolinsky 1985)
///   2017  2^(d/2) binary patterns, with the exponential energy: exp(α d) for every α < log(2)/2, as d grows
///         (Demircigil et al. 2017)
double hopfield_capacity_1982(int d);
double hopfield_capacity_2017(int d);

/// For this network a lower bound is proven: patterns drawn from the sphere of radius K √(d − 1) are all
/// stored with probability 1 − p (Ramsauer et al. 2020, theorem 3).
///   N ≥ √p c^((d−1)/4),  c = b / W₀(exp(a + ln b)),
///   a = 2/(d − 1) · (1 + ln(2 β K² p (d − 1))),  b = 2 K² β / 5
/// W₀ is Lambert's function. The result is NaN where the theorem does not apply: d < 2, or c <
/// (2/√p)^(4/(d−1)).
struct HopfieldBound {
  double beta = 1, radius = 3, failure = 0.001;  // β, K, p of the theorem's first example
};
double hopfield_growth_2020(int d, const HopfieldBound& bound);    // c, even where the theorem does not apply
double hopfield_capacity_2020(int d, const HopfieldBound& bound);  // √p c^((d−1)/4)

}  // namespace headlight::nn
