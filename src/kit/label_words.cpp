#include "kit/label_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "base/utf8.h"
#include "base/words.h"
#include "kit/page_input.h"
#include "kit/words.h"

namespace headlight::views::label {

namespace {

constexpr float sparse_pitch = 12;  // below this, not every item can be named

float size_for(float pitch) {
  return pitch >= 26 ? title_size : small_size;
}

/// Returns the name of an item without its position.
std::string name_of(const AxisNames& names, const TokenAxis& axis, int item) {
  const int token = axis.token(item);
  if (!names.tokens && static_cast<std::size_t>(token) >= names.names.size()) return {};
  return !names.tokens            ? names.names[static_cast<std::size_t>(token)]
         : axis.role == Role::key ? key_label(*names.tokens, token)
                                  : token_label(*names.tokens, token);
}

/// Returns a word, shortened to `room`, `placed` before its position: "books… 500". Where too little would be
/// left of it, its position stands alone.
std::string numbered(const Pen& pen, const std::string& word, int token, const TextStyle& style, float room,
                     bool placed) {
  const std::string number = std::to_string(token), after = placed ? " " + number : std::string();
  if (word == number) return word;
  const float left = room - (placed ? pen.canvas.text_width(after, style) : 0);
  const std::string cut = left > 0 ? draw::fit_text(pen.canvas, word, style, left) : "…";
  return cut != word && base::characters(cut) < least_letters + 1 ? number : cut + after;
}

/// Returns the first letters of a word that has more than these and an ellipsis would take; else nothing.
std::string beginning_of(const std::string& word) {
  if (base::characters(word) <= least_letters + 1) return {};
  std::size_t bytes = 0;
  for (std::size_t n = 0; n < least_letters; ++n) bytes += base::cluster_bytes(word, bytes);
  return word.substr(0, bytes);
}

}  // namespace

float size_at(const Pen& pen, float pitch) {
  const bool small = on_paper(pen) && pitch >= least_on_paper && pitch < size_for(pitch);
  return small ? std::floor(2 * pitch) / 2 : size_for(pitch);
}
float size_on(const Pen& pen, float pitch) {
  return std::max(size_at(pen, pitch), pen.canvas.least_text());
}
float enlarged(const Pen& pen, float room) {
  return room * std::max(1.f, pen.canvas.least_text() / 12);
}

bool sparse(const Pen& pen, const TokenAxis& axis) {
  return axis.pitch < (on_paper(pen) ? least_on_paper : enlarged(pen, sparse_pitch));
}

bool with_positions(const Pen& pen, const AxisNames& names, const TokenAxis& axis) {
  return names.placed || sparse(pen, axis);
}

std::string label_of(const Pen& pen, const AxisNames& names, const TokenAxis& axis, int item) {
  std::string words = name_of(names, axis, item);
  if (names.numbered || !with_positions(pen, names, axis) || words.empty()) return words;
  const std::string number = std::to_string(axis.token(item));
  return words == number ? words : words + " " + number;
}

TextStyle style_of(const Pen& pen, const AxisNames& names, const TokenAxis& axis, int item) {
  const int token = axis.token(item);
  const float size = size_at(pen, axis.pitch);
  if (!marks_selection(pen)) return literal(words_style(pen.theme.dim, size));
  const bool query = axis.role == Role::query || token == names.own;
  const Color role = query ? pen.theme.query : pen.theme.key;
  if (token == names.chosen) return literal(strong_style(role, size));
  const bool pinned = std::find(names.pinned.begin(), names.pinned.end(), token) != names.pinned.end();
  if (pinned || token == names.own) return literal(words_style(role, size));
  return literal(words_style(token == names.hovered ? pen.theme.text : pen.theme.dim, size));
}

std::vector<std::string> shown(const Pen& pen, const AxisNames& names, const TokenAxis& axis,
                               const std::vector<int>& items, const std::vector<float>& rooms, float size) {
  std::vector<std::string> whole, out;
  std::map<std::string, std::set<std::string>> alike;
  const auto style = [&](int item) {
    TextStyle one = style_of(pen, names, axis, item);
    if (size > 0) one.size = size;
    return one;
  };
  for (std::size_t i = 0; i < items.size(); ++i) {
    const int item = items[i];
    const float room = rooms[i];
    const TextStyle one = style(item);
    whole.push_back(label_of(pen, names, axis, item));
    const bool fits = pen.canvas.plain() || names.numbered || whole.back().empty() ||
                      pen.canvas.text_width(whole.back(), one) <= room;
    out.push_back(fits ? whole.back()
                       : numbered(pen, name_of(names, axis, item), axis.token(item), one, room,
                                  with_positions(pen, names, axis)));
    if (!fits) alike[out.back()].insert(whole.back());
  }
  for (std::size_t i = 0; i < items.size() && !with_positions(pen, names, axis); ++i) {
    const auto same = alike.find(out[i]);
    if (out[i] != whole[i] && same != alike.end() && same->second.size() > 1)
      out[i] = numbered(pen, whole[i], axis.token(items[i]), style(items[i]), rooms[i], true);
  }
  return out;
}

float least_room(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const std::vector<int>& items,
                 float size) {
  const TextStyle style = strong_style(pen.theme.text, size);
  std::map<std::string, std::set<std::string>> alike;
  for (const int item : items) {
    const std::string word = name_of(names, axis, item);
    if (const std::string cut = beginning_of(word); !cut.empty()) alike[cut].insert(word);
  }
  float most = 0;
  for (const int item : items) {
    const std::string word = name_of(names, axis, item), cut = beginning_of(word);
    float wide = pen.canvas.text_width(label_of(pen, names, axis, item), style);
    if (!cut.empty() && !names.numbered) {
      const bool placed = with_positions(pen, names, axis) || alike[cut].size() > 1;
      const std::string position = placed ? " " + std::to_string(axis.token(item)) : std::string();
      wide = std::min(wide, pen.canvas.text_width(cut + "…" + position, style));
    }
    most = std::max(most, wide);
  }
  return std::ceil(most) + 1;
}

bool cut_well(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const std::vector<int>& items,
              float size, float most) {
  const TextStyle style = strong_style(pen.theme.text, size);
  std::map<std::string, std::string> seen;
  for (const int item : items) {
    const std::string word = label_of(pen, names, axis, item);
    const std::string cut = draw::fit_text(pen.canvas, word, style, most);
    if (base::characters(cut) < least_letters + 1) return false;
    if (const auto [at, first] = seen.emplace(cut, word); !first && at->second != word) return false;
  }
  return true;
}

}  // namespace headlight::views::label
