// What a library that is written in C hands over, piece by piece, to a callback: nothing may be thrown
// through it, and not every one of them says that a callback failed. Tested in tests/base/caught_test.cpp.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace headlight::base {

class BytesFromC {
 public:
  /// Where there is no memory, this piece and all that follow are dropped, and take() says so: the library
  /// ends its file in order, which after an error not every one does.
  void append(const void* bytes, std::size_t size) noexcept {
    if (failed_) return;
    try {
      bytes_.append(static_cast<const char*>(bytes), size);
    } catch (...) {
      failed_ = true;
    }
  }
  /// All that was appended. Throws std::bad_alloc where a piece had no room.
  std::string take() {
    if (failed_) throw std::bad_alloc();
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  bool failed_ = false;
};

}  // namespace headlight::base
