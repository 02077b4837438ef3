// A text that is being rewritten; each of its bytes has a range of bytes in the typed text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::tokenizers {

struct ByteRange {
  std::uint32_t begin = 0, end = 0;  // begin = end: inserted there
};

struct AlignedText {
  std::string text;             // well-formed UTF-8
  std::vector<ByteRange> from;  // one for each byte

  /// Returns `text`, which starts at byte `begin` of the typed text.
  static AlignedText of(std::string_view text, std::size_t begin);

  void reserve(std::size_t bytes);
  /// Appends bytes [begin, end) of another text with their ranges.
  void keep(const AlignedText& other, std::size_t begin, std::size_t end);
  /// Appends bytes that all have the same range.
  void put(std::string_view bytes, ByteRange whole);

  /// Returns the typed bytes for bytes [begin, end), begin < end: from the first to the last. Inserted bytes
  /// count only if there are no others.
  ByteRange range(std::size_t begin, std::size_t end) const;
  /// Returns the point in the typed text for something inserted before byte `at`.
  ByteRange point_before(std::size_t at) const;
};

}  // namespace headlight::tokenizers
