// A tensor of any rank to be written to a file: names for people, a shape, and the elements in C order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/check.h"

namespace headlight::io {

template <class E>
struct TensorView {
  std::string name;                // "weights"
  std::vector<std::size_t> shape;  // empty: a single number
  std::span<const E> values;       // as many as the shape requires
  std::vector<std::string> axes;   // a name for each axis: "layer", "head", "query", "key"
};

/// float32 or double, as computed; integers are ids.
using AnyTensor = std::variant<TensorView<float>, TensorView<double>, TensorView<std::int64_t>>;

/// Returns NumPy's name for the type of an element.
template <class E>
constexpr const char* npy_type() {
  return std::is_same_v<E, float> ? "<f4" : std::is_same_v<E, double> ? "<f8" : "<i8";
}

template <class E>
void check_shape(const TensorView<E>& tensor) {
  std::size_t wanted = 1;
  for (std::size_t n : tensor.shape) wanted *= n;
  HEADLIGHT_CHECK_OP(wanted, ==, tensor.values.size());
}

}  // namespace headlight::io
