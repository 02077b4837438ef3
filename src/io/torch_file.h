// What torch.save has written (PyTorch 1.6 and later): a zip with a pickle, which is read and never run
// (pickle.h), and the bytes of each storage as an entry of its own. Tensors are read in place. Tested in
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
  /// Where the first element of a tensor lies in the file.
  std::uint64_t begin(const PickleValue& tensor) const;
  /// All elements in C order, whatever the strides; of floats, whole numbers and truths. At most `most`.
  base::Result<std::vector<double>> values(const PickleValue& tensor, std::size_t most) const;

 private:
  TorchFile() = default;
  base::Status check_storages() const;

  std::string name_, folder_;  // "ckpt/" in front of every entry
  std::shared_ptr<const FileBytes> bytes_;
  std::map<std::string, ZipEntry> entries_;
  Pickle pickle_;
};

/// "F32" of "FloatStorage", as safetensors call it; empty for one that is not known.
std::string element_type_of(const std::string& storage_type);
/// Bytes of an element of a type as safetensors call it; 0 when it is not known.
std::size_t element_bytes(const std::string& type);

/// Elements of a tensor.
std::uint64_t element_count(const PickleValue& tensor);

}  // namespace headlight::io
