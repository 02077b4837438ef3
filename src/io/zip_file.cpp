#include "io/zip_file.h"

#include <zip.h>
#include <zlib.h>

#include <cstddef>
#include <memory>

#include "base/one_line.h"

namespace headlight::io {

namespace {

/// 1 January 1980, the earliest time in ZIP.
constexpr zip_uint16_t first_date = (0 << 9) | (1 << 5) | 1, first_time = 0;

struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using ZipSource = std::unique_ptr<zip_source_t, FreeSource>;

base::Error not_created(zip_error_t& error) {
  base::Error out{std::string("cannot create the archive: ") + zip_error_strerror(&error)};
  zip_error_fini(&error);
  return out;
}

/// The data it points to must live until the archive is closed.
bool add_part(zip_t* archive, const ZipPart& entry) {
  std::vector<zip_buffer_fragment_t> fragments;
  for (const std::string_view piece : entry.pieces)
    fragments.push_back({reinterpret_cast<zip_uint8_t*>(const_cast<char*>(piece.data())),
                         static_cast<zip_uint64_t>(piece.size())});
  zip_source_t* source = zip_source_buffer_fragment(archive, fragments.data(), fragments.size(), 0);
  if (!source) return false;
  const zip_int64_t at = zip_file_add(archive, entry.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (at < 0) {
    zip_source_free(source);
    return false;
  }
  const auto index = static_cast<zip_uint64_t>(at);
  return zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) == 0 &&
         zip_file_set_dostime(archive, index, first_time, first_date, 0) == 0;
}

}  // namespace

base::Result<std::string> encode_zip(std::span<const ZipPart> parts) {
  zip_error_t error;
  zip_error_init(&error);
  ZipSource target(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!target) return not_created(error);
  zip_source_keep(target.get());  // one reference for the archive, one to read it back
  zip_t* archive = zip_open_from_source(target.get(), ZIP_TRUNCATE, &error);
  if (!archive) {
    zip_source_free(target.get());
    return not_created(error);
  }
  bool good = true;
  for (const ZipPart& part : parts) good = good && add_part(archive, part);
  if (!good || zip_close(archive) != 0) {
    base::Error out{std::string("cannot create the archive: ") + zip_strerror(archive)};
    zip_discard(archive);
    return out;
  }
  std::string bytes;
  zip_stat_t size;
  if (zip_source_stat(target.get(), &size) != 0 || zip_source_open(target.get()) != 0)
    return base::Error{"the archive cannot be read back"};
  bytes.resize(size.size);
  const zip_int64_t got = zip_source_read(target.get(), bytes.data(), bytes.size());
  zip_source_close(target.get());
  if (got != static_cast<zip_int64_t>(bytes.size())) return base::Error{"the archive cannot be read back"};
  return bytes;
}

base::Result<std::string> stored_entry(const FileBytes& file, const std::string& name,
                                       const ZipEntry& entry) {
  const std::string what = file.name() + ": " + base::shortened(name) + " in it";
  if (!entry.stored) return base::Error{what + " is compressed or encrypted; it must be stored as it is"};
  std::string out(static_cast<std::size_t>(entry.size), '\0');
  if (const base::Status read = file.read(entry.begin, out.size(), reinterpret_cast<std::byte*>(out.data()));
      !read)
    return base::Error{read.error()};
  const auto checksum =
      ::crc32_z(0, reinterpret_cast<const Bytef*>(out.data()), static_cast<z_size_t>(out.size()));
  if (static_cast<std::uint32_t>(checksum) != entry.checksum)
    return base::Error{what + " is damaged: its checksum differs"};
  return out;
}

}  // namespace headlight::io
