// Indices and exponents in words: "W_Q", "Σ_j α_j v_j", "2^(d/2)". Canvases that people see set them below
// and above the line, as the lessons do. Tested in tests/draw/scripts_test.cpp.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "draw/canvas.h"

namespace headlight::draw {

inline constexpr float script_size = 0.7f, script_below = 0.2f, script_above = 0.36f;  // in em

struct ScriptPiece {
  std::string_view words;  // a part of what was asked for
  int script = 0;          // −1 an index, +1 an exponent
  bool operator==(const ScriptPiece&) const = default;
};
/// A base is one letter, a symbol, a closing bracket or "log"; what it bears is a short word or stands in
/// brackets, which are left out. Names as "small_english" and "a_b.json" have none, nor has what is quoted.
/// One piece: there is none.
std::vector<ScriptPiece> script_pieces(std::string_view words);

/// Is a quotation open behind this line, where one was, or was not, before it? The next line is literal then.
bool open_quotation(std::string_view line, bool open);

/// Draws the pieces with canvas.text(), each with `literal`; false: there is no script, and nothing is drawn.
bool text_in_pieces(Canvas& canvas, Point at, std::string_view words, const TextStyle& style);
/// Their width; nothing: there is no script.
std::optional<float> width_in_pieces(Canvas& canvas, std::string_view words, const TextStyle& style);

}  // namespace headlight::draw
