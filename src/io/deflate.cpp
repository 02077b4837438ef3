#include "io/deflate.h"

#include <zlib.h>

#include <algorithm>

#include "base/check.h"

namespace headlight::io {

std::string deflated(std::string_view bytes) {
  uLongf size = ::compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int status =
      ::compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  HEADLIGHT_CHECK(status == Z_OK);  // compressBound() guarantees enough room
  out.resize(size);
  return out;
}

base::Result<std::string> inflated(std::string_view bytes, std::size_t max_bytes) {
  constexpr std::size_t step = std::size_t(1) << 16;
  z_stream stream{};
  if (::inflateInit(&stream) != Z_OK) return base::Error{"there is not enough memory to unpack it"};
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  int status = Z_OK;
  while (status == Z_OK && out.size() <= max_bytes) {
    const std::size_t before = out.size();
    out.resize(before + step);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = static_cast<uInt>(step);
    status = ::inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
  }
  const bool everything = stream.avail_in == 0;
  ::inflateEnd(&stream);
  if (out.size() > max_bytes) return base::Error{"it is larger than " + std::to_string(max_bytes) + " bytes"};
  if (status == Z_BUF_ERROR) return base::Error{"it ends unexpectedly"};
  if (status != Z_STREAM_END || !everything) return base::Error{"it is damaged"};
  return out;
}

}  // namespace headlight::io
