// An array in a user's file, in place: its type, its shape and its steps. Numbers are widened while they are
// read, a few rows at a time. Tested in tests/dumps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/zip_list.h"
#include "kernels/tensor_ref.h"

namespace headlight::dumps {

struct Array {
  std::string name;  // name in its file: "blocks.0.attn.hook_pattern"
  std::shared_ptr<const nn::WeightBytes> bytes;
  std::string type;       // for messages: "float32", "int64", "complex64"
  std::size_t width = 0;  // bytes per element
  std::string problem;    // why it cannot be read, if known: an error when it is needed
  bool numbers = false;   // floating-point numbers of type `element`
  nn::ElementType element = nn::ElementType::f32;
  char kind = 'f';                             // NumPy's letter: f, i, u, b, U, S, c, V
  bool swapped = false;                        // big-endian
  std::uint64_t begin = 0;                     // byte offset of the first element
  std::shared_ptr<const io::ZipEntry> member;  // its entry in an archive with a checksum; or null
  std::vector<std::int64_t> shape, steps;      // steps in elements

  std::size_t rank() const { return shape.size(); }
  std::int64_t side(std::size_t axis) const { return shape.at(axis); }
};

/// Returns the steps of C order.
std::vector<std::int64_t> steps_of(const std::vector<std::int64_t>& shape);
/// Returns the number of elements; the largest number if it overflows.
std::uint64_t count_of(const Array& array);
/// Returns the number of elements from the first to the furthest, inclusive; 0 for an empty array.
std::uint64_t extent_of(const Array& array);
/// "[2, 4, 8, 8]".
std::string shape_words(const Array& array);

/// Returns entry `index` of the first axis: an array with one axis less.
Array entry_of(const Array& array, std::int64_t index);
/// Returns the array with an additional first axis of one entry.
Array with_axis(Array array);

/// Reads rows [first, first + count) of a matrix (rank 2) of numbers into `to` [count, columns], exactly.
/// Error: the bytes cannot be read.
base::Status read_rows(const Array& matrix, std::int64_t first, std::int64_t count, std::span<double> to);

/// Returns the same array, copied to memory in C order if its rows are so scattered that reading them would
/// take long. `may_copy`: the bytes left for copies of all arrays of a file. Error: the array is larger.
base::Result<Array> settled(Array array, std::uint64_t& may_copy);
inline constexpr std::uint64_t most_copied = std::uint64_t(128) << 20;

/// An element as text or integer; for small arrays of kind U, S, i, u, b or f.
struct Element {
  std::string text;
  double number = 0;
};
base::Result<std::vector<Element>> elements_of(const Array& array, std::uint64_t most);

}  // namespace headlight::dumps
