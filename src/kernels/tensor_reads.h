// Reads weights for a product whose result shows whether one of them was not finite: 0 · ∞ and 0 · NaN are
// NaN, so that no such weight goes unnoticed. Checking every weight takes as long as reading it.
#pragma once

#include <cstddef>

#include "kernels/tensor_ref.h"

namespace headlight::nn {

enum class Look {
  now,      // a number that is not finite is an error
  not_now,  // float32 is copied unchecked; other types are checked while they are widened
};

/// The overloads without `look` use Look::now.
base::Status read_rows(const TensorRef& tensor, int begin, int end, Look look, float* to);
base::Status read_columns(const TensorRef& tensor, int begin, int end, Look look, float* to);

/// Float32 weights used in place, each row (or column) `stride` numbers from the next. `at` is null when they
/// must be read instead: of another type, in groups, not in memory, or not aligned to a float.
struct InMemory {
  const float* at = nullptr;
  std::size_t stride = 0;
};
InMemory rows_in_memory(const TensorRef& tensor);     // requires col_step 1
InMemory columns_in_memory(const TensorRef& tensor);  // requires row_step 1

bool finite(const float* x, std::size_t count);

}  // namespace headlight::nn
