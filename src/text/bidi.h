// In which direction does each character of a line run, after the Unicode bidirectional algorithm (UAX #9)
// by fribidi? And which characters show nothing, or sit on the one before them? Only lines that contain
// right-to-left characters need levels. Tested in tests/text/bidi_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace headlight::text {

/// True when some character is of a right-to-left script or an explicit right-to-left control.
bool has_right_to_left(std::u32string_view line);

/// True for a mark that sits on the character before it and takes no room of its own.
bool is_combining_mark(char32_t c);

/// True for joiners, variation selectors and direction controls: they take no room and show nothing.
bool is_invisible(char32_t c);

/// The embedding level of each character; odd levels run from right to left. The paragraph's direction is
/// that of its first strong character. All 0 when memory runs out.
std::vector<std::uint8_t> embedding_levels(std::u32string_view line);

/// For runs of these levels, in the order of the line: their order on the screen, from left to right (rule
/// L2).
std::vector<std::size_t> visual_order(const std::vector<std::uint8_t>& levels);

}  // namespace headlight::text
