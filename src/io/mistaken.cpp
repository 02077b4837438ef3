#include "io/mistaken.h"

#include <algorithm>

namespace headlight::io {

std::string mistaken_for(std::string_view start) {
  using namespace std::string_view_literals;
  const std::string_view first = start.substr(0, 8);
  const auto begins = [&](std::string_view with) { return first.starts_with(with); };
  // Before UTF-16, whose mark begins that of UTF-32.
  if (begins("\xFF\xFE\0\0"sv) || begins("\0\0\xFE\xFF"sv)) return "it is UTF-32 text: save it as UTF-8";
  if (begins("\xFF\xFE"sv) || begins("\xFE\xFF"sv)) return "it is UTF-16 text: save it as UTF-8";
  // Without a mark every second byte of ASCII text is 0. Numbers such as 123 have more zeros.
  if (first.size() >= 4 && (first[0] == '{' || first[0] == '[') && first[1] == '\0' && first[2] != '\0' &&
      first[3] == '\0')
    return "it is UTF-16 text: save it as UTF-8";
  if (first.size() >= 4 && first[0] == '\0' && (first[1] == '{' || first[1] == '[') && first[2] == '\0' &&
      first[3] != '\0')
    return "it is UTF-16 text: save it as UTF-8";
  if (first.size() == 8 && std::all_of(first.begin(), first.end(), [](char c) { return c == '\0'; }))
    return "it begins with zeros: it was not written whole; copy or download it again";
  if (begins("\x1F\x8B"sv)) return "it is packed with gzip: unpack it first";
  if (begins("BZh"sv)) return "it is packed with bzip2: unpack it first";
  if (begins("\xFD"
             "7zXZ"sv))
    return "it is packed with xz: unpack it first";
  if (begins("\x28\xB5\x2F\xFD"sv)) return "it is packed with zstd: unpack it first";
  if (begins("version "sv) && (start.size() <= 8 || start.starts_with("version https://git-lfs")))
    return "it is a pointer of Git LFS, not the file: fetch the file with git lfs pull";
  std::string lower(start.substr(0, 32));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  // A picture may begin with "<!DOCTYPE svg".
  constexpr std::string_view doctype = "<!doctype";
  bool page = lower.starts_with("<html") || (lower.size() <= 8 && lower.starts_with("<!doctyp"));
  if (lower.starts_with(doctype)) {
    const std::size_t kind = lower.find_first_not_of(" \t\r\n", doctype.size());
    page = kind == std::string::npos || lower.compare(kind, 4, "html") == 0;
  }
  if (page) return "it is a web page: download the file itself";
  return {};
}

bool says_what_to_do(std::string_view error) {
  for (const char* advice :
       {"save it as UTF-8", "unpack it first", "git lfs pull", "download the file itself",
        "copy or download it again", "into the same folder"}) {
    if (error.ends_with(advice)) return true;
  }
  return false;
}

}  // namespace headlight::io
