// What does a .npy file hold, and where? The header of formats 1.0 to 3.0: magic, version, and a dictionary
// in Python syntax, {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, which is parsed and never
// evaluated. The elements are not read here. Tested in tests/dumps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "kernels/tensor_ref.h"

namespace headlight::io {

struct NpyArray {
  std::string type;            // as written: "<f4", "|S5", ">f8", "|O"
  bool big_endian = false;     // from the first letter
  char kind = 'f';             // f, i, u, b, c, U, S, O, V, M, m
  std::size_t width = 0;       // bytes per element; for U four per character
  bool columns_first = false;  // Fortran order: the elements of the first axis are contiguous
  std::vector<std::size_t> shape;
  std::uint64_t begin = 0;  // of the first element, in `bytes`
  std::uint64_t rest = 0;   // bytes after the last element
};

/// Reads the header of the `size` bytes from `begin` on. It is an error if they are not such an array, or if
/// its elements need more bytes than there are: one line that begins with `name`.
base::Result<NpyArray> read_npy_header(const nn::WeightBytes& bytes, std::uint64_t begin, std::uint64_t size,
                                       const std::string& name);

}  // namespace headlight::io
