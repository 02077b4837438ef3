// Collects cairo's output as bytes.
#pragma once

#include <cairo.h>

#include "base/bytes_from_c.h"

namespace headlight::figure {

/// A cairo_write_func_t; `to` is the address of a base::BytesFromC.
inline cairo_status_t append_bytes(void* to, const unsigned char* bytes, unsigned size) noexcept {
  static_cast<base::BytesFromC*>(to)->append(bytes, size);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace headlight::figure
