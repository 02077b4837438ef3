// How does NumPy read our tensors? In format 1.0: magic, version, a padded dictionary, and the elements,
// little-endian in C order. The bytes are those that numpy.save writes; NaN and infinities are preserved bit
// for bit. npy_reader.h reads them. Tested in tests/io/npy_test.cpp.
#pragma once

#include "io/files.h"
#include "io/tensor_view.h"

namespace headlight::io {

/// Returns the 10 bytes of magic, version and length, and the header, which ends at a multiple of 64 bytes.
/// `type` is "<f4", "<f8" or "<i8".
std::string npy_header(const char* type, const std::vector<std::size_t>& shape);

void write_npy(const TensorView<float>& tensor, Sink sink);
void write_npy(const TensorView<double>& tensor, Sink sink);
void write_npy(const TensorView<std::int64_t>& tensor, Sink sink);
inline void write_npy(const AnyTensor& any, Sink sink) {
  std::visit([&](const auto& tensor) { write_npy(tensor, sink); }, any);
}

}  // namespace headlight::io
