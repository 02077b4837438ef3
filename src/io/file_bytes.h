// The bytes of a file that stays open, for weights that are read while they are used. If another program
// truncates or overwrites the file, the next read returns an error. If the file is replaced by another one of
// the same name, the opened one is still read. A file of up to 32 MiB is kept in memory once more than 64 KiB
// of it were read, as long as all kept files together have at most 64 MiB. A larger file is mapped, so that
// the system caches it as memory allows; if it cannot be mapped, it is read. Tested in
// tests/models/open_test.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "io/descriptor.h"
#include "io/mapped_file.h"
#include "kernels/tensor_ref.h"

namespace headlight::io {

class FileBytes final : public nn::WeightBytes {
 public:
  static base::Result<std::shared_ptr<const FileBytes>> open(const std::filesystem::path& path);
  /// Takes a file that is already open.
  FileBytes(OpenedFile opened, const std::filesystem::path& path);

  ~FileBytes() override;

  std::uint64_t size() const { return size_; }
  /// Errors: past the end, shorter than when it was opened, or written to since.
  base::Status read(std::uint64_t begin, std::size_t bytes, std::byte* to) const override;
  const std::byte* in_memory(std::uint64_t begin, std::size_t bytes) const override;
  base::Status unchanged() const override;
  const std::string& name() const override { return name_; }

 private:
  base::Status read_now(std::uint64_t begin, std::size_t bytes, std::byte* to) const;
  base::Error changed() const;

  OpenedFile opened_;
  std::uint64_t size_;
  std::string name_;
  struct Kept;
  std::unique_ptr<Kept> kept_;                // for a small file
  std::unique_ptr<const MappedFile> mapped_;  // for a large one; null: it is read
};

/// The same for bytes in memory.
class MemoryBytes final : public nn::WeightBytes {
 public:
  MemoryBytes(std::string bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {}
  base::Status read(std::uint64_t begin, std::size_t bytes, std::byte* to) const override;
  const std::byte* in_memory(std::uint64_t begin, std::size_t bytes) const override;
  const std::string& name() const override { return name_; }

 private:
  std::string bytes_, name_;
};

}  // namespace headlight::io
