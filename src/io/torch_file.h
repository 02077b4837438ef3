// A file that torch.save wrote (PyTorch 1.6 and later): a zip with a pickle, which is parsed and never run
// (pickle.h), and an entry with the bytes of each storage. Tensors are read in place. Tested in
// tests/models/torch_file_test.cpp.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/file_bytes.h"
#include "io/pickle.h"
#include "io/zip_list.h"

namespace headlight::io {

class TorchFile {
 public:
  /// Every tensor lies within its storage, and every storage within the file. Errors: one line.
  static base::Result<TorchFile> open(const std::filesystem::path& path);

  const Pickle& pickle() const { return pickle_; }
  const std::shared_ptr<const FileBytes>& bytes() const { return bytes_; }
  /// Returns the position of a tensor's first element in the file.
  std::uint64_t begin(const PickleValue& tensor) const;
  /// Returns all elements in C order, for any strides; for floats, integers and bools. At most `most`.
  base::Result<std::vector<double>> values(const PickleValue& tensor, std::size_t most) const;

 private:
  TorchFile() = default;
  base::Status check_storages() const;

  std::string name_, folder_;  // "ckpt/" in front of every entry
  std::shared_ptr<const FileBytes> bytes_;
  std::map<std::string, ZipEntry> entries_;
  Pickle pickle_;
};

/// Returns the safetensors type of a storage type, "F32" for "FloatStorage"; empty if it is unknown.
std::string element_type_of(const std::string& storage_type);
/// Returns the bytes per element of a safetensors type; 0 if it is unknown.
std::size_t element_bytes(const std::string& type);

/// Returns the number of elements of a tensor.
std::uint64_t element_count(const PickleValue& tensor);

}  // namespace headlight::io
