#include "draw/scripts.h"

#include <algorithm>
#include <array>

#include "draw/turned.h"

namespace headlight::draw {

namespace {

constexpr std::size_t longest = 9;  // bytes without brackets: "softmax"

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool beyond_ascii(char c) {
  return (static_cast<unsigned char>(c) & 0x80) != 0;
}

/// Returns the character that ends before `at`.
std::string_view last_of(std::string_view words, std::size_t at) {
  std::size_t from = at;
  while (from > 0 && (static_cast<unsigned char>(words[from - 1]) & 0xC0) == 0x80) --from;
  return from > 0 ? words.substr(from - 1, at - from + 1) : std::string_view();
}

bool is_greek(std::string_view character) {
  return character.size() == 2 && (character[0] == '\xCE' || character[0] == '\xCF');
}
/// Returns whether it is a sign that occurs next to letters in formulas.
bool is_sign(std::string_view character) {
  constexpr std::array<std::string_view, 14> signs = {"√", "∂", "‖", "′", "ᵀ", "−", "·",
                                                      "×", "÷", "±", "∇", "∘", "←", "²"};
  return std::find(signs.begin(), signs.end(), character) != signs.end();
}

enum class Base { none, letter, other };
/// Returns what kind of base ends before `at`. A single letter can have a word as its script; a bracket or
/// "log" can have one character or a script in brackets.
Base base_before(std::string_view words, std::size_t at) {
  if (at == 0) return Base::none;
  const char last = words[at - 1];
  if (last == ')') return Base::other;
  if (beyond_ascii(last)) {
    const std::string_view character = last_of(words, at);
    return is_greek(character) || character == "‖" || character == "′" || character == "ᵀ" ? Base::letter
                                                                                           : Base::none;
  }
  if (!is_letter(last)) return Base::none;
  std::size_t from = at;
  while (from > 0 && is_letter(words[from - 1])) --from;
  const std::string_view name = words.substr(from, at - from);
  const char before = from > 0 ? words[from - 1] : ' ';
  if (is_digit(before) || before == '_' || before == '.' || before == '/' || before == '-') return Base::none;
  if (beyond_ascii(before)) {
    const std::string_view character = last_of(words, from);
    if (!is_greek(character) && !is_sign(character)) return Base::none;
  }
  return name.size() == 1 ? Base::letter : name == "log" || name == "max" ? Base::other : Base::none;
}

/// Returns where the script that begins at `from` ends; `from` if there is none.
std::size_t script_end(std::string_view words, std::size_t from) {
  if (from >= words.size()) return from;
  if (words[from] == '(') {
    int depth = 0;
    for (std::size_t at = from; at < words.size(); ++at) {
      depth += words[at] == '(' ? 1 : words[at] == ')' ? -1 : 0;
      if (depth == 0) return at + 1;
    }
    return from;
  }
  constexpr std::string_view minus = "−";
  const auto bears = [&](std::size_t at) {
    return at < words.size() && (is_letter(words[at]) || is_digit(words[at]) || words[at] == '\xCE' ||
                                 words[at] == '\xCF');  // Greek
  };
  std::size_t to = from;
  bool list = false;  // "A_i,i−1"
  while (to < words.size()) {
    if (bears(to)) {
      to += beyond_ascii(words[to]) ? 2 : 1;
    } else if (words[to] == ',' && to > from && bears(to + 1)) {
      list = true, ++to;
    } else if (list && words.substr(to).starts_with(minus) && bears(to + minus.size())) {
      to += minus.size();
    } else {
      break;
    }
  }
  const bool keep_going = to < words.size() && (words[to] == '_' || (words[to] == '.' && bears(to + 1)));
  return to - from > longest || keep_going ? from : to;
}

/// Returns the distance from the anchor to the baseline, in em.
float baseline(VAlign align) {
  return align == VAlign::middle ? 0.36f : align == VAlign::top ? 0.95f : 0.f;
}

TextStyle style_of(const ScriptPiece& piece, const TextStyle& style) {
  TextStyle out = style;
  out.literal = true, out.align = Align::left, out.valign = VAlign::baseline;
  if (piece.script != 0) out.size *= script_size;
  return out;
}

bool may_have(std::string_view words, const TextStyle& style) {
  return !style.literal &&
         (words.find('_') != std::string_view::npos || words.find('^') != std::string_view::npos);
}

}  // namespace

std::vector<ScriptPiece> script_pieces(std::string_view words) {
  constexpr std::string_view opens = "“", closes = "”";
  std::vector<ScriptPiece> out;
  std::size_t from = 0;  // where the current piece on the line begins
  for (std::size_t at = 0; at < words.size();) {
    const char c = words[at];
    const bool plain = c == '"';
    if (plain || words.substr(at).starts_with(opens)) {  // quoted text does not change
      const std::string_view closing = plain ? std::string_view("\"") : closes;
      const std::size_t close = words.find(closing, at + 1);
      at = close == std::string_view::npos ? words.size() : close + closing.size();
      continue;
    }
    if (c != '_' && c != '^') {
      ++at;
      continue;
    }
    const bool behind_index = c == '^' && at == from && !out.empty();
    const Base base = behind_index || (c == '^' && at > 0 && is_digit(words[at - 1]))
                          ? Base::letter
                          : base_before(words, at);
    std::size_t end = base != Base::none ? script_end(words, at + 1) : at;
    if (base == Base::other && end > at + 2 && words[at + 1] != '(') end = at;  // a word after a bracket
    if (end <= at + 1) {
      ++at;
      continue;
    }
    std::string_view script = words.substr(at + 1, end - at - 1);
    if (script.starts_with('(')) script = script.substr(1, script.size() - 2);
    if (at > from) out.push_back({words.substr(from, at - from), 0});
    out.push_back({script, c == '_' ? -1 : 1});
    from = at = end;
  }
  if (out.empty() || from < words.size()) out.push_back({words.substr(from), 0});
  return out;
}

bool open_quotation(std::string_view line, bool open) {
  constexpr std::string_view opens = "“", closes = "”";
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::string_view rest = line.substr(at);
    if (rest[0] == '"')
      open = !open;
    else if (rest.starts_with(opens))
      open = true;
    else if (rest.starts_with(closes))
      open = false;
  }
  return open;
}

bool text_in_pieces(Canvas& canvas, Point at, std::string_view words, const TextStyle& style) {
  if (!may_have(words, style)) return false;
  const std::vector<ScriptPiece> pieces = script_pieces(words);
  if (pieces.size() < 2) return false;
  std::vector<float> widths;
  float whole = 0;
  for (const ScriptPiece& piece : pieces) {
    widths.push_back(canvas.text_width(piece.words, style_of(piece, style)));
    whole += widths.back();
  }
  float along = style.align == Align::centre ? -whole / 2 : style.align == Align::right ? -whole : 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const int script = pieces[i].script;
    const float lift = script < 0 ? script_below : script > 0 ? -script_above : 0;
    canvas.text(turned(at, along, (baseline(style.valign) + lift) * style.size, style.turn), pieces[i].words,
                style_of(pieces[i], style));
    along += widths[i];
  }
  return true;
}

std::optional<float> width_in_pieces(Canvas& canvas, std::string_view words, const TextStyle& style) {
  if (!may_have(words, style)) return std::nullopt;
  const std::vector<ScriptPiece> pieces = script_pieces(words);
  if (pieces.size() < 2) return std::nullopt;
  float whole = 0;
  for (const ScriptPiece& piece : pieces) whole += canvas.text_width(piece.words, style_of(piece, style));
  return whole;
}

}  // namespace headlight::draw
