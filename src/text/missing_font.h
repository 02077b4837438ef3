// Text in a script that no font here has is drawn as replacement characters. Which package has a font? Tested
// in tests/text/missing_font_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "text/faces.h"

namespace headlight::text {

/// Returns the first visible character of `words` that no font has; 0: there is none.
char32_t without_font(std::string_view words, Faces& faces);

/// Returns one line: the character's script, and the package with a font for it. Empty for 0.
std::string font_advice(char32_t c);

}  // namespace headlight::text
