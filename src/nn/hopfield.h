// Attention as retrieval from memory: the modern continuous Hopfield network (Ramsauer et al. 2020, eq. 3 and
// 5).
//
//   E(ξ) = −lse(β, X ξ) + ½ ξᵀξ + log(N)/β + ½ M²,  lse(β, z) = log(Σ exp(β z_i)) / β, M = max ‖x_i‖
//   ξ ← Xᵀ softmax(β X ξ)                            never raises E
//
// With patterns = keys, β = 1/√d and the values read instead of the patterns, one step is one row of scaled
// dot-product attention. E is float, or double for the twin; lse takes the largest exponent out. Tested in
// tests/nn/golden_variants.cpp and tests/nn/memory_test.cpp.
#pragma once

#include "nn/tensor.h"

namespace headlight::nn {

template <class E>
struct HopfieldTrace {
  Tensor<E> states;                    // [steps + 1, M, d] plane 0 holds the probes
  Tensor<E> weights;                   // [steps, M, N] the softmax that made the next state
  Tensor<E> energy;                    // [steps + 1, M]
  Tensor<E> energy_without_constants;  // [steps + 1, M] −lse + ½ ξᵀξ
};

/// `steps` updates of every probe [M, d] towards the patterns [N, d], N >= 1; beta > 0. O(steps·M·N·d).
template <class E>
HopfieldTrace<E> hopfield(const Tensor<E>& patterns, const Tensor<E>& probes, double beta, int steps);

/// E(ξ) of one point, `point` [d], in double.
double hopfield_energy(const Matrix& patterns, double beta, const double* point, bool with_constants = true);

/// The part of the plane that a landscape covers.
struct PlaneBox {
  double left = -1, right = 1, bottom = -1, top = 1;
  bool operator==(const PlaneBox&) const = default;
};

/// E on a grid over the plane, for patterns [N, 2]: [rows, cols], element (0, 0) at (left, top), the corners
/// on the corners of the box. O(rows·cols·N).
MatrixF64 hopfield_landscape(const Matrix& patterns, double beta, const PlaneBox& box, int rows, int cols);

/// How many patterns of width d can be stored, as orders of magnitude: 0.14 d for the binary network of 1982,
/// exp(d/2) for this one (Ramsauer et al. 2020, theorem 3).
double hopfield_capacity_1982(int d);
double hopfield_capacity_modern(int d);

}  // namespace headlight::nn
