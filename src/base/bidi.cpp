#include "base/bidi.h"

#include <fribidi.h>

namespace headlight::base {

namespace {

FriBidiCharType type_of(char32_t c) {
  return fribidi_get_bidi_type(static_cast<FriBidiChar>(c));
}

}  // namespace

bool has_right_to_left(std::u32string_view line) {
  for (const char32_t c : line) {
    if (c < 0x590) continue;  // nothing below Hebrew reads leftwards
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

VisualLine visual_order(std::u32string_view line) {
  const auto count = static_cast<FriBidiStrIndex>(line.size());
  VisualLine out;
  out.leftwards.assign(line.size(), false);
  std::vector<FriBidiChar> text(line.begin(), line.end());
  std::vector<FriBidiCharType> types(line.size());
  std::vector<FriBidiBracketType> brackets(line.size());
  std::vector<FriBidiLevel> levels(line.size());
  std::vector<FriBidiJoiningType> joining(line.size());
  std::vector<FriBidiStrIndex> map(line.size());
  for (FriBidiStrIndex i = 0; i < count; ++i) map[static_cast<std::size_t>(i)] = i;

  FriBidiParType paragraph = FRIBIDI_PAR_ON;
  bool ordered = count > 0;
  if (ordered) {
    fribidi_get_bidi_types(text.data(), count, types.data());
    fribidi_get_bracket_types(text.data(), count, types.data(), brackets.data());
    ordered = fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), count, &paragraph,
                                                  levels.data()) != 0;
  }
  if (ordered) {
    for (std::size_t i = 0; i < line.size(); ++i) out.leftwards[i] = levels[i] % 2 != 0;
    fribidi_get_joining_types(text.data(), count, joining.data());
    fribidi_join_arabic(types.data(), count, levels.data(), joining.data());
    fribidi_shape(FRIBIDI_FLAGS_DEFAULT | FRIBIDI_FLAGS_ARABIC, levels.data(), count, joining.data(),
                  text.data());
    // 0 means that memory ran out; then the line stays as it is.
    (void)!fribidi_reorder_line(FRIBIDI_FLAGS_DEFAULT, types.data(), count, 0, paragraph, levels.data(),
                                text.data(), map.data());
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (text[i] == FRIBIDI_CHAR_FILL) continue;  // the second half of a ligature
    out.shown += static_cast<char32_t>(text[i]);
    out.source.push_back(map[i]);
  }
  return out;
}

}  // namespace headlight::base
