// An array where it lies in somebody's file: its type, its shape and its steps. Numbers are widened while
// they are read, a few rows at a time. Tested in tests/dumps.
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
  std::string name;  // in its file: "blocks.0.attn.hook_pattern"
  std::shared_ptr<const nn::WeightBytes> bytes;
  std::string type;       // as people call it: "float32", "int64", "complex64"
  std::size_t width = 0;  // bytes of an element
  std::string problem;    // why it cannot be read, where that is known: an error for whoever needs it
  bool numbers = false;   // floating-point, of `element`
  nn::ElementType element = nn::ElementType::f32;
  char kind = 'f';                             // as NumPy calls it: f, i, u, b, U, S, c, V
  bool swapped = false;                        // big-endian
  std::uint64_t begin = 0;                     // byte of the first element
  std::shared_ptr<const io::ZipEntry> member;  // of an archive that has a checksum of these bytes; or null
  std::vector<std::int64_t> shape, steps;      // steps in elements

  std::size_t rank() const { return shape.size(); }
  std::int64_t side(std::size_t axis) const { return shape.at(axis); }
};

/// The steps of C order.
std::vector<std::int64_t> steps_of(const std::vector<std::int64_t>& shape);
/// Elements; the largest number when they are more than that.
std::uint64_t count_of(const Array& array);
/// Elements from the first to the farthest, both included; 0 of an empty one.
std::uint64_t extent_of(const Array& array);
/// "[2, 4, 8, 8]".
std::string shape_words(const Array& array);

/// Entry `index` of the first axis: an array of one axis less.
Array entry_of(const Array& array, std::int64_t index);
/// With an axis of one entry in front.
Array with_axis(Array array);

/// Rows [first, first + count) of a matrix (rank 2) of numbers into `to` [count, columns], exactly. Error:
/// the bytes cannot be read.
base::Status read_rows(const Array& matrix, std::int64_t first, std::int64_t count, std::span<double> to);

/// The same array, copied into memory in C order when its rows lie so far apart that reading them would take
/// long. `may_copy`: bytes that are left for that, of all arrays of a file. Error: it is larger.
base::Result<Array> settled(Array array, std::uint64_t& may_copy);
inline constexpr std::uint64_t most_copied = std::uint64_t(128) << 20;

/// Every element as text or whole number: of a small array of kind U, S, i, u, b or f.
struct Element {
  std::string text;
  double number = 0;
};
base::Result<std::vector<Element>> elements_of(const Array& array, std::uint64_t most);

}  // namespace headlight::dumps
