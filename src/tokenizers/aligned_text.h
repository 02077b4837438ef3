// A text that is being rewritten, and for each of its bytes the bytes of the typed text it stands for.
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
  std::vector<ByteRange> from;  // of each byte

  /// `text` as it stands at byte `begin` of the typed text.
  static AlignedText of(std::string_view text, std::size_t begin);

  void reserve(std::size_t bytes);
  /// Appends bytes [begin, end) of another text, each with where it comes from.
  void keep(const AlignedText& other, std::size_t begin, std::size_t end);
  /// Appends bytes that all stand for the same ones.
  void put(std::string_view bytes, ByteRange whole);

  /// The typed bytes behind bytes [begin, end), begin < end: from the first to the last; those that were
  /// inserted count only when there are no others.
  ByteRange range(std::size_t begin, std::size_t end) const;
  /// Where something inserted before byte `at` stands in the typed text.
  ByteRange point_before(std::size_t at) const;
};

}  // namespace headlight::tokenizers
