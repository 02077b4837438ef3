// A file that is mapped for reading. A page that cannot be had when it is looked at, because another program
// cut the file short or its disk fails, would end the program by SIGBUS: here what is left of the mapping
// becomes zeros instead, and lost() says so from then on. Tested in tests/io/mapped_file_test.cpp.
#pragma once

#include <cstddef>
#include <memory>

namespace headlight::io {

class MappedFile {
 public:
  /// The first `bytes` bytes of an open file; the descriptor may be closed afterwards. Null: the system does
  /// not map them, or `most` files are mapped already.
  static std::unique_ptr<const MappedFile> map(int descriptor, std::size_t bytes);
  static constexpr int most = 64;

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const;
  /// Some of it was not there when it was looked at: what was read since counts for nothing.
  bool lost() const;

 private:
  explicit MappedFile(int place) : place_(place) {}
  int place_;  // in the table that the signal's handler looks into
};

}  // namespace headlight::io
