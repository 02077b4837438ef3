// The output that a C library passes to a callback piece by piece. Exceptions must not pass through the
// library, and not every library reports that a callback failed. Tested in tests/base/caught_test.cpp.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace headlight::base {

class BytesFromC {
 public:
  /// If memory runs out, this piece and all later ones are dropped, and take() throws. The library still
  /// finishes its file normally, which not every library does after an error.
  void append(const void* bytes, std::size_t size) noexcept {
    if (failed_) return;
    try {
      bytes_.append(static_cast<const char*>(bytes), size);
    } catch (...) {
      failed_ = true;
    }
  }
  /// Returns everything that was appended. Throws std::bad_alloc if memory ran out for a piece.
  std::string take() {
    if (failed_) throw std::bad_alloc();
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  bool failed_ = false;
};

}  // namespace headlight::base
