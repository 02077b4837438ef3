// The texts of tokens as words. Inline; tested in tests/app/palette_test.cpp.
#pragma once

#include <string_view>

namespace headlight::app {

/// A token's text without the blanks that it begins with, as characters or as the signs that tokenizers and
/// labels write for them.
inline std::string_view without_blank(std::string_view text) {
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view blank : {" ", "␣", "Ġ", "▁"}) {
      if (!text.starts_with(blank)) continue;
      text.remove_prefix(blank.size());
      found = true;
    }
  }
  return text;
}

}  // namespace headlight::app
