#include "pages/attention/view/pairs.h"

#include <algorithm>
#include <cmath>

#include "draw/turned.h"
#include "kit/weight_bar.h"

namespace headlight::views {

std::span<const float> PairWeights::row(int query) {
  if (const auto kept = rows_.find(query); kept != rows_.end()) return kept->second;
  std::vector<float> room;
  const std::span<const float> row = combined_row(sheet_, query, room);
  if (room.empty()) return row;
  return rows_[query] = std::move(room);
}

float PairWeights::at(int query, int key) const {
  const nn::AttentionTrace& trace = sheet_.trace();
  const Selection& s = sheet_.selection;
  const auto column = static_cast<std::size_t>(key);
  if (s.kind == HeadsShown::one) return trace.weights.row(s.heads.front(), query)[column];
  const bool mean = sheet_.in.scene.combine == scene::Combine::mean;
  if (s.kind == HeadsShown::all) {
    const nn::Matrix& whole = mean ? sheet_.in.results.mean : sheet_.in.results.max;
    if (whole.rows() == trace.T && whole.cols() == trace.S) return whole.row(query)[column];
  }
  float sum = 0, largest = 0;
  for (const int head : s.heads) {
    const float weight = trace.weights.row(head, query)[column];
    sum += weight, largest = std::max(largest, weight);
  }
  return mean ? sum / static_cast<float>(s.heads.size()) : largest;
}

int PairWeights::head() const {
  return sheet_.selection.kind == HeadsShown::one ? sheet_.selection.heads.front() : -1;
}

PairRange pairs_on_view(const Sheet& sheet) {
  const Box view = sheet.in.map_view;
  PairRange out{0, sheet.trace().T, 0, sheet.trace().S, true};
  if (view.w <= 0 || view.h <= 0) return out;
  const bool turned = sheet.in.scene.query_axis == scene::QueryAxis::columns;
  const auto cut = [](int& first, int& last, float from, float size) {
    const int count = last;
    first = std::clamp(static_cast<int>(from), 0, count - 1);
    last = std::clamp(static_cast<int>(std::ceil(from + size - 1e-3f)), first + 1, count);
  };
  cut(out.first_query, out.last_query, turned ? view.x : view.y, turned ? view.w : view.h);
  cut(out.first_key, out.last_key, turned ? view.y : view.x, turned ? view.h : view.w);
  out.whole =
      out.last_query - out.first_query == sheet.trace().T && out.last_key - out.first_key == sheet.trace().S;
  return out;
}

std::string pair_weight_words(const Sheet& sheet, const PairWeights& weights, int query, int key) {
  const auto value = static_cast<double>(weights.at(query, key));
  std::string words = weight_text(value, weight_decimals(shown_scale(sheet).end));
  if (!sheet.in.stated) return words;
  const int head = weights.head();
  sheet.in.noted(head >= 0 ? quantity("weight", {{"head", head + 1}, {"query", query}, {"key", key}})
                           : quantity("map_weight", {{"query", query}, {"key", key}}),
                 value, words);
  return words;
}

void pair_area(const Sheet& sheet, const PairWeights& weights, Box area, const char* name) {
  Mark mark;
  mark.part = Part::cell, mark.head = weights.head(), mark.area = area, mark.name = name;
  sheet.pen.canvas.mark(mark);
  sheet.pen.canvas.mark({});
}

void pair_note(const Sheet& sheet, Box area, const std::string& words) {
  put(sheet.pen, {area.x, area.bottom() - 7}, words, words_style(sheet.theme().dim), area.w);
}

Mark pair_mark(const PairWeights& weights, int query, int key) {
  Mark mark;
  mark.part = Part::cell, mark.head = weights.head(), mark.query = query, mark.key = key;
  return mark;
}

Box value_label(const Sheet& sheet, Point middle, const std::string& words, float least, Box within) {
  const float size = std::max(least, sheet.pen.canvas.least_text());
  const draw::TextStyle style = aligned(mono_style(sheet.theme().text, size), draw::Align::centre);
  const float wide = sheet.pen.canvas.text_width(words, style) + size, high = std::round(size * 1.6f);
  middle.x =
      std::clamp(middle.x, within.x + wide / 2, std::max(within.x + wide / 2, within.right() - wide / 2));
  middle.y =
      std::clamp(middle.y, within.y + high / 2, std::max(within.y + high / 2, within.bottom() - high / 2));
  const Box box{std::round(middle.x - wide / 2), std::round(middle.y - high / 2), std::round(wide), high};
  sheet.pen.canvas.rect(box, sheet.theme().dark ? sheet.theme().window : sheet.theme().panel, 8);
  sheet.pen.canvas.frame(box, {sheet.theme().border, 1}, 8);
  sheet.pen.canvas.text(box.centre(), words, style);
  return box;
}

draw::Color lit(const Sheet& sheet, draw::Color role) {
  return draw::mix(sheet.theme().panel, role, 0.95f);
}

float token_at(const Sheet& sheet, Point at, int token, const draw::TextStyle& style, float room) {
  const float width = put(sheet.pen, at, token_label(sheet.in, token), literal(style), room);
  if (unknown_token(sheet.in, token)) {
    const float back = style.align == draw::Align::right    ? width
                       : style.align == draw::Align::centre ? width / 2
                                                            : 0;
    mark_unknown(sheet.pen, draw::turned(at, -back, 0, style.turn), width, style.size, style.turn);
  }
  return width;
}

}  // namespace headlight::views
