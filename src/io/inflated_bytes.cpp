#include "io/inflated_bytes.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

namespace headlight::io {

namespace {

constexpr std::size_t piece = std::size_t(1) << 16;

std::uint32_t checksum(std::uint32_t so_far, const std::byte* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(
      ::crc32_z(so_far, reinterpret_cast<const Bytef*>(bytes), static_cast<z_size_t>(count)));
}

}  // namespace

struct InflatedBytes::Stream {
  z_stream zlib{};
  std::vector<std::byte> packed = std::vector<std::byte>(piece), passed = std::vector<std::byte>(piece);
  std::uint64_t taken = 0;  // packed bytes consumed
  std::uint64_t at = 0;     // unpacked bytes produced
  std::uint32_t checksum = 0;
  bool ended = false;

  Stream() { ready_ = ::inflateInit2(&zlib, -MAX_WBITS) == Z_OK; }
  ~Stream() {
    if (ready_) ::inflateEnd(&zlib);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Unpacks the next `bytes` bytes; returns an empty string, or what is wrong.
  std::string next(const nn::WeightBytes& file, const ZipEntry& entry, std::size_t bytes, std::byte* to) {
    if (!ready_) return "there is not enough memory to unpack it";
    while (bytes > 0) {
      const std::size_t now = std::min(bytes, piece);
      zlib.next_out = reinterpret_cast<Bytef*>(to), zlib.avail_out = static_cast<uInt>(now);
      while (zlib.avail_out > 0) {
        if (ended) return "it is shorter than the archive says";
        if (const std::string wrong = step(file, entry); !wrong.empty()) return wrong;
      }
      checksum = io::checksum(checksum, to, now);
      to += now, bytes -= now, at += now;
    }
    return {};
  }

  /// Checks the end: nothing may follow the last byte, and the checksum must be the archive's.
  std::string finish(const nn::WeightBytes& file, const ZipEntry& entry) {
    std::byte more{};
    zlib.next_out = reinterpret_cast<Bytef*>(&more), zlib.avail_out = 1;
    while (!ended && zlib.avail_out > 0) {
      if (const std::string wrong = step(file, entry); !wrong.empty()) return wrong;
    }
    if (zlib.avail_out == 0) return "it is longer than the archive says";
    return checksum == entry.checksum ? "" : "its checksum differs: it is damaged";
  }

 private:
  std::string step(const nn::WeightBytes& file, const ZipEntry& entry) {
    if (zlib.avail_in == 0) {
      const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(entry.packed - taken, piece));
      if (now == 0) return "its compressed data end unexpectedly";
      if (const base::Status read = file.read(entry.begin + taken, now, packed.data()); !read)
        return read.error();
      taken += now;
      zlib.next_in = reinterpret_cast<Bytef*>(packed.data()), zlib.avail_in = static_cast<uInt>(now);
    }
    const int status = ::inflate(&zlib, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
      return "its compressed data are damaged";
    ended = status == Z_STREAM_END;
    return {};
  }

  bool ready_ = false;
};

InflatedBytes::InflatedBytes(std::shared_ptr<const nn::WeightBytes> file, const ZipEntry& entry,
                             std::string name)
    : file_(std::move(file)), entry_(entry), name_(std::move(name)) {}

InflatedBytes::~InflatedBytes() = default;

base::Status InflatedBytes::read(std::uint64_t begin, std::size_t bytes, std::byte* to) const {
  if (begin > entry_.size || bytes > entry_.size - begin) return base::Error{name_ + ": read past its end"};
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!stream_ || stream_->at > begin) stream_ = std::make_unique<Stream>();
  Stream& stream = *stream_;
  std::string wrong;
  while (wrong.empty() && stream.at < begin) {
    const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(begin - stream.at, piece));
    wrong = stream.next(*file_, entry_, now, stream.passed.data());
  }
  if (wrong.empty()) wrong = stream.next(*file_, entry_, bytes, to);
  if (wrong.empty() && stream.at == entry_.size) {
    wrong = stream.finish(*file_, entry_);
    stream_.reset();
  }
  if (wrong.empty()) return {};
  stream_.reset();
  return base::Error{name_ + ": " + wrong};
}

base::Status check_stored(const nn::WeightBytes& file, const ZipEntry& entry, const std::string& name) {
  std::vector<std::byte> buffer(piece);
  std::uint32_t sum = 0;
  for (std::uint64_t at = 0; at < entry.size; at += piece) {
    const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(entry.size - at, piece));
    if (const base::Status read = file.read(entry.begin + at, now, buffer.data()); !read) return read;
    sum = checksum(sum, buffer.data(), now);
  }
  if (sum == entry.checksum) return {};
  return base::Error{name + ": its checksum differs: it is damaged"};
}

}  // namespace headlight::io
