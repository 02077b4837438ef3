// A weight in place, in an open file or in memory, in its stored type. It is widened to float32 a few rows at
// a time, when a product needs them: a model of many gigabytes needs no memory of its own beyond that of one
// product.
//
// Weights in memory, or in a mapped file, are used in place. If a file is truncated or overwritten meanwhile,
// an error reports it (WeightBytes::unchanged). Tested in tests/models/tensor_ref_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"

namespace headlight::nn {

/// The types in which weights are stored. bf16 is the upper half of a float32.
enum class ElementType { f32, f16, bf16, f64 };

/// Bytes of one element.
std::size_t width_of(ElementType type);

/// The bytes that weights are stored in; several threads read at once.
class WeightBytes {
 public:
  WeightBytes() = default;
  WeightBytes(const WeightBytes&) = delete;
  WeightBytes& operator=(const WeightBytes&) = delete;
  virtual ~WeightBytes() = default;
  /// Copies `bytes` bytes from `begin` on. The error is one line that names the file.
  virtual base::Status read(std::uint64_t begin, std::size_t bytes, std::byte* to) const = 0;
  /// Returns where `bytes` bytes from `begin` on are in memory; valid as long as this object lives. Null:
  /// they must be read. Results computed from them count only if unchanged() succeeds afterwards.
  virtual const std::byte* in_memory(std::uint64_t begin, std::size_t bytes) const {
    static_cast<void>(begin), static_cast<void>(bytes);
    return nullptr;
  }
  /// Returns an error if the bytes have changed since this was opened.
  virtual base::Status unchanged() const { return {}; }
  /// The name that errors use: a path.
  virtual const std::string& name() const = 0;
};

/// A matrix [rows, cols] = [out, in], or a vector [n, 1], inside such bytes. Element (r, c) is
///   (r / group) · group_step + (r % group) · row_step + c · col_step
/// elements after the first; group 0 means one group of all rows. [out, in] in C order has steps (in, 1),
/// [in, out] has (1, out). Groups of rows describe a matrix that stores q, k and v of each head together.
struct TensorRef {
  std::shared_ptr<const WeightBytes> bytes;
  std::string name;  // the tensor's name in its file
  ElementType type = ElementType::f32;
  std::uint64_t begin = 0;  // byte offset of element (0, 0)
  int rows = 0, cols = 0;
  std::int64_t row_step = 1, col_step = 1;
  int group = 0;
  std::int64_t group_step = 0;

  bool empty() const { return rows == 0; }
};

/// Widens the rows [begin, end) to [end − begin, cols]. col_step or cols must be 1. Errors: the bytes cannot
/// be read, or a number is not finite; the error names file and tensor.
base::Status read_rows(const TensorRef& tensor, int begin, int end, float* to);
/// Widens the columns [begin, end) of a matrix whose row_step is 1, to [end − begin, rows].
base::Status read_columns(const TensorRef& tensor, int begin, int end, float* to);

/// Widens `count` numbers exactly (f64 is rounded). Returns false when one of them is infinite or NaN.
bool widen(ElementType type, const std::byte* from, std::size_t count, float* to);

/// Reads everything once and checks every number. Errors as above.
base::Status check_finite(const TensorRef& tensor);

}  // namespace headlight::nn
