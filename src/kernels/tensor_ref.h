// A weight where it lies, in a file that stays open or in memory, in the type that it was stored in. It is
// widened to float32 a few rows at a time, when a product needs them: a model of many gigabytes takes no
// memory of its own but what one product needs.
//
// What lies in memory, or in a file that is mapped, is multiplied with where it lies; a file that is cut
// short or written into meanwhile is an error that can be said (WeightBytes::unchanged). Tested in
// tests/models/tensor_ref_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"

namespace headlight::nn {

/// As weights are stored. bf16 is the upper half of a float32.
enum class ElementType { f32, f16, bf16, f64 };

/// Bytes of one element.
std::size_t width_of(ElementType type);

/// Bytes that weights are made of; several threads read at once.
class WeightBytes {
 public:
  WeightBytes() = default;
  WeightBytes(const WeightBytes&) = delete;
  WeightBytes& operator=(const WeightBytes&) = delete;
  virtual ~WeightBytes() = default;
  /// Copies `bytes` bytes from `begin` on. The error is one line that names the file.
  virtual base::Status read(std::uint64_t begin, std::size_t bytes, std::byte* to) const = 0;
  /// Where `bytes` bytes from `begin` on lie as long as this lives; null: they have to be read. What is taken
  /// from there counts only when unchanged() says so afterwards.
  virtual const std::byte* in_memory(std::uint64_t begin, std::size_t bytes) const {
    static_cast<void>(begin), static_cast<void>(bytes);
    return nullptr;
  }
  /// Error: the bytes are no longer what they were when this was opened.
  virtual base::Status unchanged() const { return {}; }
  /// What errors call it: a path.
  virtual const std::string& name() const = 0;
};

/// A matrix [rows, cols] = [out, in], or a vector [n, 1], inside such bytes. Element (r, c) lies
///   (r / group) · group_step + (r % group) · row_step + c · col_step
/// elements behind the first; group 0 is one group of all rows. [out, in] in C order has steps (in, 1),
/// [in, out] has (1, out). Rows in groups are what a matrix that keeps q, k and v of each head together
/// needs.
struct TensorRef {
  std::shared_ptr<const WeightBytes> bytes;
  std::string name;  // of the tensor in its file
  ElementType type = ElementType::f32;
  std::uint64_t begin = 0;  // byte of element (0, 0)
  int rows = 0, cols = 0;
  std::int64_t row_step = 1, col_step = 1;
  int group = 0;
  std::int64_t group_step = 0;

  bool empty() const { return rows == 0; }
};

/// Rows [begin, end) widened, [end − begin, cols]. col_step must be 1, or cols. Error: the bytes cannot be
/// read, or a number is not finite; it names file and tensor.
base::Status read_rows(const TensorRef& tensor, int begin, int end, float* to);
/// Columns [begin, end) of a matrix whose row_step is 1, [end − begin, rows].
base::Status read_columns(const TensorRef& tensor, int begin, int end, float* to);

/// `count` numbers widened, exactly (f64 rounded). False when one of them is infinite or NaN.
bool widen(ElementType type, const std::byte* from, std::size_t count, float* to);

/// Everything is read once, and every number looked at. Error as above.
base::Status check_finite(const TensorRef& tensor);

}  // namespace headlight::nn
