// A file that is mapped for reading. If a page cannot be read because another program truncated the file or
// the disk fails, SIGBUS would end the program. Instead, the rest of the mapping becomes zeros, and lost()
// returns true from then on. Tested in tests/io/mapped_file_test.cpp.
#pragma once

#include <cstddef>
#include <memory>

namespace headlight::io {

class MappedFile {
 public:
  /// Maps the first `bytes` bytes of an open file; the descriptor may be closed afterwards. Null: the system
  /// cannot map them, or `most` files are mapped already.
  static std::unique_ptr<const MappedFile> map(int descriptor, std::size_t bytes);
  static constexpr int most = 64;

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const;
  /// Returns whether some of it could not be read; all results computed from it since are invalid.
  bool lost() const;

 private:
  explicit MappedFile(int place) : place_(place) {}
  int place_;  // in the table that the signal handler uses
};

}  // namespace headlight::io
