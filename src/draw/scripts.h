// Subscripts and superscripts in words: "W_Q", "Σ_j α_j v_j", "2^(d/2)". Visible canvases set them below and
// above the line, as the lessons do. Tested in tests/draw/scripts_test.cpp.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "draw/canvas.h"

namespace headlight::draw {

inline constexpr float script_size = 0.7f, script_below = 0.2f, script_above = 0.36f;  // in em

struct ScriptPiece {
  std::string_view words;  // a part of the given words
  int script = 0;          // −1 a subscript, +1 a superscript
  bool operator==(const ScriptPiece&) const = default;
};
/// A base is one letter, a symbol, a closing bracket or "log". Its script is a short word, or is in brackets,
/// which are removed. Names such as "small_english" and "a_b.json" have no scripts, and neither has quoted
/// text. If there is none, one piece is returned.
std::vector<ScriptPiece> script_pieces(std::string_view words);

/// Returns whether a quotation is open after this line, given whether one was open before it. If so, the next
/// line is literal.
bool open_quotation(std::string_view line, bool open);

/// Draws the pieces with canvas.text(), each with `literal`; returns false, without drawing, if there is no
/// script.
bool text_in_pieces(Canvas& canvas, Point at, std::string_view words, const TextStyle& style);
/// Returns their width; nothing: there is no script.
std::optional<float> width_in_pieces(Canvas& canvas, std::string_view words, const TextStyle& style);

}  // namespace headlight::draw
