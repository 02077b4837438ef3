#include "text/bidi.h"

#include <fribidi.h>

#include <algorithm>
#include <numeric>

namespace headlight::text {

namespace {

FriBidiCharType type_of(char32_t c) {
  return fribidi_get_bidi_type(static_cast<FriBidiChar>(c));
}

}  // namespace

bool has_right_to_left(std::u32string_view line) {
  for (const char32_t c : line) {
    if (c < 0x590) continue;  // no character below Hebrew is right-to-left
    if (FRIBIDI_IS_RTL(type_of(c)) || c == 0x202E || c == 0x202B || c == 0x2067) return true;
  }
  return false;
}

bool is_combining_mark(char32_t c) {
  return c >= 0x300 && type_of(c) == FRIBIDI_TYPE_NSM && !is_invisible(c);
}

bool is_invisible(char32_t c) {
  if (c == 0xAD) return true;
  if (c < 0x34F) return false;
  return c == 0x34F || c == 0x61C || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF ||
         (c >= 0xE0000 && c <= 0xE0FFF);
}

std::vector<std::uint8_t> embedding_levels(std::u32string_view line) {
  std::vector<std::uint8_t> out(line.size(), 0);
  if (line.empty()) return out;
  const auto count = static_cast<FriBidiStrIndex>(line.size());
  const std::vector<FriBidiChar> text(line.begin(), line.end());
  std::vector<FriBidiCharType> types(line.size());
  std::vector<FriBidiBracketType> brackets(line.size());
  std::vector<FriBidiLevel> levels(line.size());
  FriBidiParType paragraph = FRIBIDI_PAR_ON;
  fribidi_get_bidi_types(text.data(), count, types.data());
  fribidi_get_bracket_types(text.data(), count, types.data(), brackets.data());
  if (fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), count, &paragraph, levels.data()) ==
      0)
    return out;
  // Rule L1: white space at the end of the line has the paragraph's direction.
  const FriBidiLevel base = FRIBIDI_DIR_TO_LEVEL(paragraph);
  for (std::size_t i = line.size(); i > 0 && FRIBIDI_IS_EXPLICIT_OR_BN_OR_WS(types[i - 1]); --i)
    levels[i - 1] = base;
  std::transform(levels.begin(), levels.end(), out.begin(),
                 [](FriBidiLevel level) { return static_cast<std::uint8_t>(level); });
  return out;
}

std::vector<std::size_t> visual_order(const std::vector<std::uint8_t>& levels) {
  std::vector<std::size_t> order(levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (levels.empty()) return order;
  for (int level = *std::max_element(levels.begin(), levels.end()); level > 0; --level) {
    for (std::size_t from = 0; from < order.size();) {
      std::size_t to = from;
      while (to < order.size() && levels[order[to]] >= level) ++to;
      std::reverse(order.begin() + static_cast<std::ptrdiff_t>(from),
                   order.begin() + static_cast<std::ptrdiff_t>(to));
      from = std::max(to, from + 1);
    }
  }
  return order;
}

}  // namespace headlight::text
