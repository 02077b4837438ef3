// Weights for a product, whose result shows whether one of them was not finite: 0 · ∞ and 0 · NaN are NaN, so
// that no such weight goes by unseen. Looking at every weight takes as long as reading it.
#pragma once

#include <cstddef>

#include "kernels/tensor_ref.h"

namespace headlight::nn {

enum class Look {
  now,      // a number that is not finite is an error
  not_now,  // float32 is copied as it is; other types are looked at while they are widened
};

/// As without `look`.
base::Status read_rows(const TensorRef& tensor, int begin, int end, Look look, float* to);
base::Status read_columns(const TensorRef& tensor, int begin, int end, Look look, float* to);

/// Float32 weights where they lie, each row (or column) `stride` numbers from the next. `at` is null when
/// they have to be read: of another type, in groups, not in memory, not at a whole float.
struct InMemory {
  const float* at = nullptr;
  std::size_t stride = 0;
};
InMemory rows_in_memory(const TensorRef& tensor);     // whose col_step is 1
InMemory columns_in_memory(const TensorRef& tensor);  // whose row_step is 1

bool finite(const float* x, std::size_t count);

}  // namespace headlight::nn
