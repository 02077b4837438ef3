// What cairo writes, as bytes. Cairo is written in C: nothing may be thrown through it.
#pragma once

#include <cairo.h>

#include <new>
#include <string>
#include <utility>

namespace headlight::figure {

/// For a function of cairo that takes a cairo_write_func_t: append, with the address of a CairoBytes.
class CairoBytes {
 public:
  /// Where there is no memory, what follows is dropped and take() says so: cairo ends its file in order,
  /// which after an error of its stream it does not always.
  static cairo_status_t append(void* self, const unsigned char* bytes, unsigned size) noexcept {
    auto& out = *static_cast<CairoBytes*>(self);
    if (out.failed_) return CAIRO_STATUS_SUCCESS;
    try {
      out.bytes_.append(reinterpret_cast<const char*>(bytes), size);
    } catch (const std::bad_alloc&) {
      out.failed_ = true;
    }
    return CAIRO_STATUS_SUCCESS;
  }
  /// All that was written. Throws std::bad_alloc where a part of it had no room.
  std::string take() {
    if (failed_) throw std::bad_alloc();
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  bool failed_ = false;
};

}  // namespace headlight::figure
