#include "io/npz.h"

#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <list>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/one_line.h"
#include "io/descriptor.h"
#include "io/little_endian.h"
#include "io/npy.h"
#include "io/zip_file.h"
#include "io/zip_list.h"

namespace headlight::io {

base::Result<std::string> encode_npz(std::span<const AnyTensor> tensors, const std::string& scene) {
  std::list<std::string> headers;
  std::vector<ZipPart> parts;
  for (const AnyTensor& any : tensors) {
    std::visit(
        [&](const auto& tensor) {
          using Element = typename std::decay_t<decltype(tensor.values)>::value_type;
          check_shape(tensor);
          headers.push_back(npy_header(npy_type<Element>(), tensor.shape));
          ZipPart part{tensor.name + ".npy", {headers.back()}};
          if (!tensor.values.empty())
            part.pieces.emplace_back(reinterpret_cast<const char*>(tensor.values.data()),
                                     tensor.values.size_bytes());
          parts.push_back(std::move(part));
        },
        any);
  }
  if (!scene.empty()) parts.push_back({"scene.json", {scene}});
  return encode_zip(parts);
}

namespace {

constexpr std::size_t most_text = std::size_t(16) << 20, most_listed = std::size_t(16) << 20;
constexpr std::uint64_t most_entries = 10'000;
constexpr std::size_t tail_bytes = zip_end + longest_zip_note + zip_locator + wide_zip_end;

/// The end of an archive states how many entries it has and how long their list is, and libzip allocates
/// memory for each of them before it reads anything. If several end records are possible, all are checked. An
/// archive of more than 4 GB has a 64-bit record.
bool list_is_small(std::string_view tail) {
  for (std::size_t at = tail.find("PK\5\6"); at != std::string_view::npos; at = tail.find("PK\5\6", at + 1)) {
    if (tail.size() - at < zip_end) break;
    std::uint64_t entries = little_endian(tail, at + 10, 2), listed = little_endian(tail, at + 12, 4);
    if (at >= zip_locator && tail.substr(at - zip_locator, 4) == "PK\6\7") {
      const std::size_t wide = at - zip_locator;
      if (wide < wide_zip_end || tail.substr(wide - wide_zip_end, 4) != "PK\6\6") return false;
      entries = little_endian(tail, wide - wide_zip_end + 32, 8);
      listed = little_endian(tail, wide - wide_zip_end + 40, 8);
    }
    if (entries > most_entries || listed > most_listed) return false;
  }
  return true;
}

/// Takes ownership of the source.
base::Result<std::string> entry_of(zip_source_t* source, const std::string& entry,
                                   const std::string& origin) {
  const std::string shown = base::shortened(entry);  // a name from another entry may have any bytes
  zip_error_t error;
  zip_error_init(&error);
  zip_t* archive = source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error) : nullptr;
  if (!archive) {
    base::Error out{origin + ": invalid archive: " + zip_error_strerror(&error)};
    if (source) zip_source_free(source);
    zip_error_fini(&error);
    return out;
  }
  const std::unique_ptr<zip_t, void (*)(zip_t*)> closed(archive, zip_discard);
  zip_stat_t size;
  if (zip_stat(archive, entry.c_str(), 0, &size) != 0)
    return base::Error{origin + ": it contains no " + shown};
  if (size.size > most_text)
    return base::Error{origin + ": " + shown + " in it is larger than " + std::to_string(most_text) +
                       " bytes"};
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen(archive, entry.c_str(), 0),
                                                               zip_fclose);
  if (!file) return base::Error{origin + ": " + shown + " in it cannot be read: " + zip_strerror(archive)};
  std::string text;
  for (;;) {  // reads what exists, not what is claimed
    char piece[16384];
    const zip_int64_t got = zip_fread(file.get(), piece, sizeof piece);
    if (got < 0) return base::Error{origin + ": " + shown + " is damaged"};
    if (got == 0) break;
    text.append(piece, static_cast<std::size_t>(got));
    if (text.size() > size.size) break;
  }
  if (text.size() != size.size) return base::Error{origin + ": " + shown + " is damaged"};
  return text;
}

base::Error too_many(const std::string& origin) {
  return {origin + ": this archive has too many entries"};
}

}  // namespace

base::Result<std::string> read_zip_entry(const std::string& bytes, const std::string& entry,
                                         const std::string& origin) {
  const std::string_view all = bytes;
  if (!list_is_small(all.substr(all.size() - std::min(all.size(), tail_bytes)))) return too_many(origin);
  return entry_of(zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr), entry, origin);
}

base::Result<std::string> read_zip_entry(const std::filesystem::path& path, const std::string& entry) {
  auto opened = open_to_read(path);
  if (!opened) return base::Error{opened.error()};
  const auto size = static_cast<std::size_t>(opened->status.st_size);
  std::string tail(std::min(size, tail_bytes), '\0');
  const ssize_t got =
      ::pread(opened->descriptor.number(), tail.data(), tail.size(), static_cast<off_t>(size - tail.size()));
  if (got != static_cast<ssize_t>(tail.size())) return cannot("read", path, "it is truncated");
  const std::string origin = path_text(path);
  if (!list_is_small(tail)) return too_many(origin);
  std::FILE* file = ::fdopen(opened->descriptor.number(), "rb");
  if (!file) return cannot("read", path, cause(errno));
  (void)opened->descriptor.release();  // the stream closes it
  zip_source_t* source = zip_source_filep_create(file, 0, -1, nullptr);
  if (!source) {
    std::fclose(file);
    return base::Error{origin + ": invalid archive"};
  }
  return entry_of(source, entry, origin);
}

}  // namespace headlight::io
