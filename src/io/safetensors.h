// Named tensors in one file, as other programs read and write them: 8 bytes little-endian length, a JSON
// header
// {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …, "__metadata__": {"key": "text"}},
// the data in C order, covered without holes or overlaps. Written as F32 or F16; F32, F16 and BF16 are read
// and widened. Bad files give one line that names the file, the tensor and what was expected. Tested in
// tests/io/safetensors_test.cpp.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "io/descriptor.h"
#include "io/tensor_view.h"

namespace headlight::io {

using TensorMetadata = std::map<std::string, std::string>;

struct NamedTensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;  // as many as the shape requires
};

struct TensorFile {
  std::map<std::string, NamedTensor> tensors;
  TensorMetadata metadata;
};

/// Returns the bytes of a file; every tensor as F32, in the order given.
std::string write_safetensors(const std::vector<TensorView<float>>& tensors, const TensorMetadata& metadata);
/// The same as F16, half as large: each number is rounded to the nearest float16, ties to even. A one-line
/// error names the first number that float16 cannot represent: one that rounds to more than 65504, or is not
/// finite.
base::Result<std::string> write_safetensors_f16(const std::vector<TensorView<float>>& tensors,
                                                const TensorMetadata& metadata);

/// Reads such bytes; `name` is the file's name in errors.
base::Result<TensorFile> read_safetensors(std::string_view bytes, const std::string& name);

/// Reads only the metadata, whose length the file gives; the tensors are neither read nor checked.
base::Result<TensorMetadata> load_safetensors_metadata(const std::filesystem::path& path);

/// A file of which only the header has been read, and compared with the size of the file. Each tensor has its
/// shape, and gets its values only when they are requested. A file of many gigabytes costs no more than its
/// header.
class TensorReader {
 public:
  static base::Result<TensorReader> open(const std::filesystem::path& path);
  const TensorFile& file() const { return file_; }
  /// Returns the tensor's bytes in the file.
  std::size_t bytes_of(const std::string& tensor) const;
  /// Fills in the values. `keep_going` receives the number of bytes after every megabyte or so; if it returns
  /// false, the rest is skipped and the error is "cancelled". Integers and bools have no values.
  base::Status read(const std::string& tensor, base::FunctionRef<bool(std::size_t bytes)> keep_going);
  /// Returns the file; tensors that were not read still have no values.
  TensorFile take() && { return std::move(file_); }

 private:
  struct Part {
    std::string type;
    std::size_t begin = 0, bytes = 0;  // in the file
  };
  TensorReader() = default;

  std::string name_;
  OpenedFile opened_;
  TensorFile file_;
  std::map<std::string, Part> parts_;
};

/// A tensor in a file, as the header describes it.
struct StoredTensor {
  std::string type;  // as in the file: "F32", "I64", …
  std::vector<std::size_t> shape;
  std::size_t begin = 0, bytes = 0;  // in the file
};
/// A file that stays open, and the position of each tensor in it.
struct StoredTensors {
  OpenedFile opened;
  std::map<std::string, StoredTensor> tensors;
};
/// Lists every tensor, including those that hold no weights. Types that the format does not have are an
/// error.
base::Result<StoredTensors> open_stored_tensors(const std::filesystem::path& path);

/// Reads a file of at most max_bytes.
base::Result<TensorFile> load_safetensors(const std::filesystem::path& path,
                                          std::size_t max_bytes = std::size_t(1) << 30);

}  // namespace headlight::io
