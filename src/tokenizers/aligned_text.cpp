#include "tokenizers/aligned_text.h"

#include <algorithm>

namespace headlight::tokenizers {

AlignedText AlignedText::of(std::string_view text, std::size_t begin) {
  AlignedText out;
  out.text = text;
  out.from.resize(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    out.from[i] = {static_cast<std::uint32_t>(begin + i), static_cast<std::uint32_t>(begin + i + 1)};
  }
  return out;
}

void AlignedText::reserve(std::size_t bytes) {
  text.reserve(bytes);
  from.reserve(bytes);
}

void AlignedText::keep(const AlignedText& other, std::size_t begin, std::size_t end) {
  text.append(other.text, begin, end - begin);
  from.insert(from.end(), other.from.begin() + static_cast<std::ptrdiff_t>(begin),
              other.from.begin() + static_cast<std::ptrdiff_t>(end));
}

void AlignedText::put(std::string_view bytes, ByteRange whole) {
  text += bytes;
  from.insert(from.end(), bytes.size(), whole);
}

ByteRange AlignedText::range(std::size_t begin, std::size_t end) const {
  ByteRange out = from[begin];
  bool real = out.begin < out.end;
  for (std::size_t i = begin + 1; i < end; ++i) {
    const ByteRange& byte = from[i];
    if (byte.begin == byte.end) continue;
    out = real ? ByteRange{std::min(out.begin, byte.begin), std::max(out.end, byte.end)} : byte;
    real = true;
  }
  return out;
}

ByteRange AlignedText::point_before(std::size_t at) const {
  if (at < from.size()) return {from[at].begin, from[at].begin};
  return from.empty() ? ByteRange{} : ByteRange{from.back().end, from.back().end};
}

}  // namespace headlight::tokenizers
