// In which direction does each character of a line run? By the Unicode bidirectional algorithm (UAX #9),
// implemented by fribidi. And which characters are invisible, or combine with the one before them? Only lines
// that contain right-to-left characters need levels. Tested in tests/text/bidi_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace headlight::text {

/// Returns whether some character is of a right-to-left script or an explicit right-to-left control.
bool has_right_to_left(std::u32string_view line);

/// Returns whether `c` is a mark that is placed on the character before it and has no width of its own.
bool is_combining_mark(char32_t c);

/// Returns whether `c` is a joiner, a variation selector or a direction control: these have no width and are
/// invisible.
bool is_invisible(char32_t c);

/// Returns the embedding level of each character; odd levels run from right to left. The paragraph has the
/// direction of its first strong character. All levels are 0 if memory runs out.
std::vector<std::uint8_t> embedding_levels(std::u32string_view line);

/// Takes the levels of runs in the order of the line; returns their order on the screen, from left to right
/// (rule L2).
std::vector<std::size_t> visual_order(const std::vector<std::uint8_t>& levels);

}  // namespace headlight::text
