// Caret positions in a line: for each boundary between characters, in bytes and in pixels.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "text/layout.h"

namespace headlight::screen {

struct CaretStop {
  std::size_t byte;
  float x;
};

inline float caret_x(const std::vector<text::CharacterSpan>& spans, std::size_t index) {
  if (spans.empty()) return 0;
  if (index < spans.size()) return spans[index].leftwards ? spans[index].right : spans[index].left;
  return spans.back().leftwards ? spans.back().left : spans.back().right;
}

inline std::vector<CaretStop> caret_stops(std::string_view words,
                                          const std::vector<text::CharacterSpan>& spans) {
  std::vector<CaretStop> out;
  std::size_t index = 0, boundary = 0;
  for (std::size_t at = 0; at < words.size(); ++index) {
    if (at == boundary) {
      out.push_back({at, caret_x(spans, index)});
      boundary = at + base::cluster_bytes(words, at);
    }
    at += base::decode(words, at).bytes;
  }
  out.push_back({words.size(), caret_x(spans, spans.size())});
  return out;
}

inline float caret_at(const std::vector<CaretStop>& stops, std::size_t byte) {
  for (const CaretStop& stop : stops) {
    if (stop.byte >= byte) return stop.x;
  }
  return stops.back().x;
}

}  // namespace headlight::screen
