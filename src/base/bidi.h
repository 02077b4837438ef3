// In which order do the characters of a line stand on the screen, and which Arabic letter forms do they take?
// After the Unicode bidirectional algorithm (UAX #9) by fribidi. Only lines that contain right-to-left
// characters need it. Tested in tests/screen/text_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::base {

/// True when some character is of a right-to-left script or an explicit right-to-left control.
bool has_right_to_left(std::u32string_view line);

/// True for a mark that sits on the character before it and takes no room of its own.
bool is_combining_mark(char32_t c);

/// True for joiners, variation selectors and direction controls: they take no room and show nothing.
bool is_invisible(char32_t c);

struct VisualLine {
  std::u32string shown;         // left to right, in presentation forms; combining marks follow their base
  std::vector<int> source;      // for each character shown, its index in the line it came from
  std::vector<bool> leftwards;  // for each character of the line: it is read from right to left
};

VisualLine visual_order(std::u32string_view line);

}  // namespace headlight::base
