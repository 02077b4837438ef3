// y = x W + b for the rows of x, and the activations between two such layers.
//
//   relu(x) = max(x, 0)
//   gelu_erf(x) = x/2 · (1 + erf(x/√2)), gelu_tanh(x) = x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³)))
//                                                                       (Hendrycks and Gimpel 2016)
// The float32 product runs on the same kernels as attention; the double one is its twin. Shapes that do not
// fit stop the program. Tested in tests/nn/golden_blocks.cpp and tests/nn/block_test.cpp.
#pragma once

#include <optional>
#include <string_view>

#include "base/parallel.h"
#include "kernels/tensor.h"

namespace headlight::nn {

/// y [T, D_out] = x [T, D_in] · w [D_in, D_out] + b [1, D_out], b may be empty. y is not x. O(T·D_in·D_out);
/// the result does not depend on the number of threads.
void linear(const Matrix& x, const Matrix& w, const Matrix& b, base::Parallel& parallel, Matrix& y);
/// The same in double, from float32 weights.
void linear(const MatrixF64& x, const Matrix& w, const Matrix& b, base::Parallel& parallel, MatrixF64& y);

/// Returns [cols, rows] of a matrix [rows, cols].
Matrix transposed(const Matrix& m);
/// Returns a copy of the first rows.
Matrix first_rows(const Matrix& m, int rows);

enum class Activation { relu, gelu_erf, gelu_tanh };

/// "relu", "gelu_erf" or "gelu_tanh".
const char* name_of(Activation activation);
/// The inverse of name_of(); nothing for any other text.
std::optional<Activation> activation_named(std::string_view name);

/// Applies the activation to one value, computed in E.
template <class E>
E activate(Activation activation, E x);

/// y = activation(x), element by element; y may be x.
template <class E>
void activate(Activation activation, const Tensor<E>& x, base::Parallel& parallel, Tensor<E>& y);

}  // namespace headlight::nn
