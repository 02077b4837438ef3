// Softmax attention over fewer keys: keys and values are projected along the sequence (Linformer: Wang et al.
// 2020, eq. 7), so that time and memory grow with T·r, not with T².
//
//   y = softmax(Q (E K)ᵀ / √d) (E V),  E [r, T]
//
// There is no mask: a projected key mixes tokens, so none of them can be hidden. The Linformer learns two
// such matrices, one for keys and one for values; here E is given. With E = I this is softmax attention. In
// double. Tested in tests/nn/memory_further_test.cpp.
#pragma once

#include "kernels/tensor.h"

namespace headlight::nn {

/// Returns E in which row j averages the neighbouring tokens t with ⌊t r / T⌋ = j; the identity for r = T. 1
/// <= r <= T.
MatrixF64 mean_projection(int r, int T);

/// q [Tq, d], k [T, d], v [T, d_v], projection [r, T]; returns [Tq, d_v]. O(T·r·d).
MatrixF64 projected_attention(const MatrixF64& q, const MatrixF64& k, const MatrixF64& v,
                              const MatrixF64& projection);

}  // namespace headlight::nn
