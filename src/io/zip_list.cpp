#include "io/zip_list.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "io/little_endian.h"

namespace headlight::io {

namespace {

constexpr std::size_t listed_header = 46, entry_header = 30;
constexpr std::uint64_t most_zip_entries = 100'000, largest_zip_list = std::uint64_t(16) << 20;
constexpr std::uint64_t elsewhere = 0xFFFFFFFFu;  // the number is in the 64-bit record

base::Result<std::string> part(const FileBytes& file, std::uint64_t begin, std::uint64_t size) {
  std::string out(static_cast<std::size_t>(size), '\0');
  if (const base::Status read = file.read(begin, out.size(), reinterpret_cast<std::byte*>(out.data())); !read)
    return base::Error{read.error()};
  return out;
}

struct List {
  std::uint64_t begin = 0, size = 0, entries = 0;
};

/// Finds the list from the record at the end of the file.
std::optional<List> find_list(std::string_view tail) {
  const std::size_t at = tail.rfind("PK\5\6");
  if (at == std::string_view::npos || tail.size() - at < zip_end) return std::nullopt;
  List list{little_endian(tail, at + 16, 4), little_endian(tail, at + 12, 4),
            little_endian(tail, at + 10, 2)};
  if (at >= zip_locator + wide_zip_end && tail.substr(at - zip_locator, 4) == "PK\6\7") {
    const std::size_t wide = at - zip_locator - wide_zip_end;
    if (tail.substr(wide, 4) != "PK\6\6") return std::nullopt;
    list = {little_endian(tail, wide + 48, 8), little_endian(tail, wide + 40, 8),
            little_endian(tail, wide + 32, 8)};
  }
  return list;
}

/// Reads the 64-bit numbers of an entry, in the order in which its 32-bit ones say "elsewhere".
void widen(std::string_view extra, std::uint64_t& size, std::uint64_t& packed, std::uint64_t& begin) {
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t kind = little_endian(extra, at, 2), length = little_endian(extra, at + 2, 2);
    at += 4;
    if (length > extra.size() - at) return;
    if (kind == 1) {
      std::size_t from = at;
      const std::size_t end = at + static_cast<std::size_t>(length);
      for (std::uint64_t* wide : {&size, &packed, &begin}) {
        if (*wide != elsewhere || from + 8 > end) continue;
        *wide = little_endian(extra, from, 8);
        from += 8;
      }
    }
    at += static_cast<std::size_t>(length);
  }
}

}  // namespace

base::Result<std::map<std::string, ZipEntry>> list_zip(const FileBytes& file) {
  const auto wrong = [&](const std::string& what) {
    return base::Error{file.name() + ": invalid zip archive: " + what};
  };
  const std::uint64_t size = file.size();
  const std::uint64_t tail_size =
      std::min<std::uint64_t>(size, zip_end + longest_zip_note + zip_locator + wide_zip_end);
  const base::Result<std::string> tail = part(file, size - tail_size, tail_size);
  if (!tail) return base::Error{tail.error()};
  const std::optional<List> list = find_list(*tail);
  if (!list) return wrong("its list of entries is missing; the file is truncated or not an archive");
  if (list->entries > most_zip_entries || list->size > largest_zip_list)
    return wrong("it has too many entries");
  if (list->size > size || list->begin > size - list->size)
    return wrong("its list of entries lies beyond its end");
  const base::Result<std::string> listed = part(file, list->begin, list->size);
  if (!listed) return base::Error{listed.error()};

  std::map<std::string, ZipEntry> out;
  const std::string_view bytes = *listed;
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < list->entries; ++i) {
    if (bytes.size() - at < listed_header || bytes.substr(at, 4) != "PK\1\2")
      return wrong("its list is damaged");
    const std::uint64_t method = little_endian(bytes, at + 10, 2);
    const bool encrypted = (little_endian(bytes, at + 8, 2) & 1) != 0;
    const std::uint64_t checksum = little_endian(bytes, at + 16, 4);
    std::uint64_t packed = little_endian(bytes, at + 20, 4), unpacked = little_endian(bytes, at + 24, 4),
                  begin = little_endian(bytes, at + 42, 4);
    const std::uint64_t name = little_endian(bytes, at + 28, 2), extra = little_endian(bytes, at + 30, 2),
                        note = little_endian(bytes, at + 32, 2);
    if (name + extra + note > bytes.size() - at - listed_header) return wrong("its list is damaged");
    at += listed_header;
    widen(bytes.substr(at + name, extra), unpacked, packed, begin);
    ZipEntry entry;
    entry.stored = method == 0 && !encrypted;
    entry.deflated = method == 8 && !encrypted;
    if (entry.stored || entry.deflated) {
      if ((entry.stored && packed != unpacked) || size < entry_header || begin > size - entry_header)
        return wrong("an entry lies beyond its end");
      const base::Result<std::string> header = part(file, begin, entry_header);
      if (!header) return base::Error{header.error()};
      if (header->compare(0, 4, "PK\3\4") != 0) return wrong("an entry lacks its header");
      entry.begin = begin + entry_header + little_endian(*header, 26, 2) + little_endian(*header, 28, 2);
      entry.size = unpacked, entry.packed = packed;
      entry.checksum = static_cast<std::uint32_t>(checksum);
      if (entry.begin > size || packed > size - entry.begin) return wrong("an entry lies beyond its end");
    }
    if (!out.emplace(std::string(bytes.substr(at, name)), entry).second)
      return wrong("two entries have the same name");
    at += name + extra + note;
  }
  return out;
}

}  // namespace headlight::io
