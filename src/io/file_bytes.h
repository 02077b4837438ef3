// The bytes of a file that stays open, for weights that are read while they are used. When another program
// cuts it short or writes into it, the next read is an error that can be said. A file that is replaced by
// another of the same name stays as it was opened. A file of up to 32 MiB is kept in memory once more than
// 64 KiB of it were read, while all that are kept have at most 64 MiB together; a larger one is mapped, so
// that the system keeps it as long as it has room, and is read where it cannot be mapped. Tested in
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
  /// Of a file that is open already.
  FileBytes(OpenedFile opened, const std::filesystem::path& path);

  ~FileBytes() override;

  std::uint64_t size() const { return size_; }
  /// Errors: past the end, shorter than when it was opened, written to since.
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
  std::unique_ptr<Kept> kept_;                // of a small file
  std::unique_ptr<const MappedFile> mapped_;  // of a large one; null: it is read
};

/// The same from memory.
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
