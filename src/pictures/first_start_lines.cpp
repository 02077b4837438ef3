#include "pictures/first_start_lines.h"

#include <algorithm>
#include <cmath>

#include "kit/beam.h"

namespace headlight::app {

using draw::Box;
using draw::TextStyle;
using views::Pen;

namespace {

constexpr float line_height = 1.75f;   // of one line, relative to its size
constexpr float parted_lines = 2.25f;  // of several lines, between which there is room for the beam
constexpr float least_sentence = 13;   // the smallest size of its letters, in units

}  // namespace

float Lines::step() const {
  return (widths.size() > 1 ? parted_lines : line_height) * size;
}

Lines lines_at(const Pen& pen, const views::PageInput& in, float size, float room) {
  const TextStyle style = views::literal(views::strong_style(pen.theme.dim, size));
  Lines out{.size = size};
  const auto& tokens = in.results.tokens;
  const std::string& sentence = in.results.scene.sentence;
  const float space = pen.canvas.text_width(" ", style);
  float x = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    PlacedWord word{.text = draw::fit_text(pen.canvas, views::shown_token(tokens[i].text), style, room)};
    const bool in_order = i > 0 && tokens[i].begin >= tokens[i - 1].end && tokens[i].end <= sentence.size();
    const bool apart = tokens[i].end == 0;  // tokens of saved attention, which has no sentence
    if (i > 0 && (apart || !in_order || tokens[i].begin > tokens[i - 1].end)) word.gap = space;
    word.width = pen.canvas.text_width(word.text, style);
    if (out.widths.empty() || (x > 0 && x + word.gap + word.width > room)) {
      out.widths.push_back(0);
      x = 0;
    }
    word.line = static_cast<int>(out.widths.size()) - 1;
    word.x = x > 0 ? x + word.gap : 0;
    x = word.x + word.width;
    out.widths.back() = x;
    out.words.push_back(std::move(word));
  }
  // The sentence is right-to-left if most tokens are.
  std::size_t left = 0;
  for (const nn::Token& token : tokens) left += views::isolated(token.text) != token.text ? 1 : 0;
  out.leftwards = 2 * left > tokens.size();
  if (out.leftwards) {
    for (PlacedWord& word : out.words)
      word.x = out.widths[static_cast<std::size_t>(word.line)] - word.x - word.width;
  }
  return out;
}

Lines lines_of(const Pen& pen, const views::PageInput& in, float size, float room, float height) {
  Lines out = lines_at(pen, in, size, room);
  if (out.widths.size() < 2) return out;
  const Lines whole = lines_at(pen, in, size, 1e9f);
  const float one = size * room / whole.widths.front() * 0.995f;
  if (one >= 0.66f * size && one >= 16) return lines_at(pen, in, one, room);
  for (float smaller = 0.8f * size;; smaller *= 0.94f) {
    smaller = std::max(smaller, least_sentence);
    out = lines_at(pen, in, smaller, room - 3 * smaller);  // with room for an ellipsis at each end
    if (static_cast<float>(out.widths.size()) * out.step() <= height || smaller <= least_sentence) break;
  }
  return out;
}

void leave_out(Lines& lines, float height, int query, int key) {
  const int room = std::max(2, static_cast<int>(height / lines.step()));
  const int count = static_cast<int>(lines.widths.size());
  if (count <= room || lines.words.empty()) return;
  const auto line_of = [&](int i) { return i < 0 ? 0 : lines.words[static_cast<std::size_t>(i)].line; };
  std::vector<bool> kept(static_cast<std::size_t>(count), false);
  int left = room;
  const auto keep = [&](int line) {
    if (line < 0 || line >= count || left == 0 || kept[static_cast<std::size_t>(line)]) return;
    kept[static_cast<std::size_t>(line)] = true, --left;
  };
  keep(line_of(query)), keep(line_of(key));
  for (int away = 1; away < count && left > 0; ++away)
    keep(line_of(query) - away), keep(line_of(query) + away);
  std::vector<int> place(static_cast<std::size_t>(count), -1);
  std::vector<float> widths;
  for (int i = 0; i < count; ++i) {
    if (!kept[static_cast<std::size_t>(i)]) continue;
    place[static_cast<std::size_t>(i)] = static_cast<int>(widths.size());
    lines.cut.push_back(i + 1 < count && !kept[static_cast<std::size_t>(i) + 1]);
    widths.push_back(lines.widths[static_cast<std::size_t>(i)]);
  }
  for (PlacedWord& word : lines.words) {
    const int line = place[static_cast<std::size_t>(word.line)];
    word.shown = line >= 0, word.line = std::max(0, line);
  }
  lines.widths = std::move(widths);
}

float WordPlaces::left(int line) const {
  return window.centre().x - lines.widths[static_cast<std::size_t>(line)] / 2;
}

Box WordPlaces::box(int i) const {
  const PlacedWord& word = lines.words[static_cast<std::size_t>(i)];
  const float step = lines.step(), middle = first_line + step * static_cast<float>(word.line);
  return {left(word.line) + word.x, middle - step / 2, word.width, step};
}

BeamPlace WordPlaces::beam(int query, int key, float weight) const {
  const Box q = box(query), k = box(key);
  const int from = lines.words[static_cast<std::size_t>(query)].line,
            to = lines.words[static_cast<std::size_t>(key)].line;
  const float up = 0.74f * lines.size;
  const float step = lines.step(), half = wide_end(weight, thick) / 2;
  // The round end at the key is beside the word; for a ring, both ends are.
  const float key_up = std::max(up, 0.52f * lines.size + half);
  const float query_up = query == key ? key_up : up;
  BeamPlace place{{q.centre().x, q.centre().y - query_up},
                  {k.centre().x, k.centre().y - key_up},
                  q.w,
                  k.w,
                  weight,
                  true,
                  {}};
  constexpr float letters_up = 0.5f, letters_down = 0.36f;  // of words without underline, in their size
  if (from == to) {
    const float between_lines = step - key_up - letters_down * lines.size - half;
    const BeamCurve arc = beam_curve(place, from == 0 ? beam_height : between_lines, reach);
    place.path = views::cubic_path(arc.a, arc.control_a, arc.control_b, arc.b);
    return place;
  }
  // The beam leaves and arrives between the lines, and passes the lines between them at their side.
  const bool downwards = from < to;
  if (downwards) place.query.y = q.centre().y + up;
  if (!downwards) place.key.y = k.centre().y + std::max(up, 0.72f * lines.size + half);
  BeamRoute route;
  if (std::abs(from - to) == 1) {
    route.from = route.to = (place.query.y + place.key.y) / 2;
  } else {
    const float way = downwards ? 1.f : -1.f;
    const float beyond = step - (downwards ? letters_up : letters_down) * lines.size;
    route.from = (place.query.y + q.centre().y + way * beyond) / 2;
    const float before = step - (downwards ? letters_down : letters_up) * lines.size;
    route.to = (place.key.y + k.centre().y - way * before) / 2;
    float left = window.right(), right = window.x;
    for (int line = std::min(from, to) + 1; line < std::max(from, to); ++line) {
      const auto at = static_cast<std::size_t>(line);
      const float sign = at < lines.cut.size() && lines.cut[at] ? 1.3f * lines.size : 0;
      left = std::min(left, this->left(line) - (lines.leftwards ? sign : 0));
      right = std::max(right, this->left(line) + lines.widths[at] + (lines.leftwards ? 0 : sign));
    }
    const float away = half + 0.45f * lines.size;
    left -= away, right += away;
    const float by_left = place.query.x + place.key.x - 2 * left,
                by_right = 2 * right - place.query.x - place.key.x;
    const bool fits_left = left - half >= window.x, fits_right = right + half <= window.right();
    route.around = true;
    route.side = fits_left && (!fits_right || by_left <= by_right) ? left : right;
  }
  place.path = path_of(place, route, 0.6f * lines.size);
  return place;
}

}  // namespace headlight::app
