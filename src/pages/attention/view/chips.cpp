#include "pages/attention/view/chips.h"

#include <cmath>

#include "scene/preview.h"

namespace headlight::views {

using draw::Box;
using draw::Color;
using draw::Mark;
using draw::Part;

namespace {

constexpr float widest_word = 120;

/// Chips stand closer when that makes all of them fit.
struct Spacing {
  float gap = 6, padding = 9;
};

draw::TextStyle word_look(Color color) {
  return words_style(color, 13);
}
draw::TextStyle index_look(Color color) {
  return words_style(color, 10);
}

int tokens_of(const Sheet& sheet) {
  return sheet.in.preview ? static_cast<int>(sheet.in.preview->tokens.size()) : sheet.trace().T;
}

/// A chip's width without its index's place being known: measured, never guessed.
float chip_width(const Sheet& sheet, int token, Spacing spacing) {
  const Color any = sheet.theme().text;
  const float word =
      std::min(widest_word, sheet.pen.canvas.text_width(token_label(sheet.in, token), word_look(any)));
  return std::ceil(word + 4 + sheet.pen.canvas.text_width(std::to_string(token), index_look(any)) +
                   2 * spacing.padding);
}

bool all_fit(const Sheet& sheet, float room, Spacing spacing) {
  float width = -spacing.gap;
  for (int token = 0; token < tokens_of(sheet) && width <= room; ++token)
    width += spacing.gap + chip_width(sheet, token, spacing);
  return width <= room;
}

void draw_chip(const Sheet& sheet, Box box, int token, float padding) {
  const draw::Theme& theme = sheet.theme();
  const Selection& s = sheet.selection;
  const bool asked = token == s.asked, pinned = s.pinned(token);
  Mark mark;
  mark.part = Part::query_token, mark.query = token, mark.area = box;
  sheet.pen.canvas.mark(mark);
  const Color fill = asked ? theme.query : token == s.hover_query ? theme.field_hover : theme.field;
  sheet.pen.canvas.rect(box, fill, 7);
  if (!asked) sheet.pen.canvas.frame(box, {pinned ? theme.query : theme.border, pinned ? 1.5f : 1.f}, 7);
  const Color words = asked ? draw::readable_on(theme.query) : pinned ? theme.query : theme.text;
  const Color number = asked ? draw::faded(words, 0.85f) : theme.dim;
  const float width = put(sheet.pen, {box.x + padding, box.centre().y}, token_label(sheet.in, token),
                          word_look(words), widest_word);
  if (unknown_token(sheet.in, token))
    mark_unknown(sheet.pen, {box.x + padding, box.centre().y}, width, word_look(words).size);
  sheet.pen.canvas.text({box.x + padding + width + 4, box.centre().y + 1}, std::to_string(token),
                        index_look(number));
  sheet.pen.canvas.mark({});
}

}  // namespace

void draw_chips(const Sheet& sheet, Box row) {
  const int count = tokens_of(sheet);
  const draw::TextStyle quiet = words_style(sheet.theme().dim, word_size);
  const float label = put(sheet.pen, {row.x + 2, row.centre().y}, "query", quiet) + 14;
  row.cut_left(label);
  const std::size_t in_sentence =
      sheet.in.preview ? sheet.in.preview->tokens_in_sentence : sheet.in.results.tokens_in_sentence;
  std::string beyond;  // the sentence goes on after the tokens that can be shown
  if (in_sentence > static_cast<std::size_t>(count))
    beyond = std::to_string(in_sentence - static_cast<std::size_t>(count)) + " not computed";
  if (!beyond.empty()) {
    const Box end = row.cut_right(std::min(row.w / 2, sheet.pen.canvas.text_width(beyond, quiet) + 12));
    put(sheet.pen, {end.right(), end.centre().y}, beyond,
        aligned(words_style(sheet.theme().offset), draw::Align::right), end.w);
  }
  Spacing spacing;
  if (static_cast<float>(count) * 60 < row.w * 2 && !all_fit(sheet, row.w, spacing)) {
    constexpr Spacing close{4, 6};
    if (all_fit(sheet, row.w, close)) spacing = close;
  }
  // The window grows from the asked token to both sides while it fits, and leaves room for "… 12" at its
  // ends.
  const int middle = std::clamp(sheet.selection.asked, 0, count - 1);
  int first = middle, last = middle + 1;
  float used = chip_width(sheet, middle, spacing);
  const float more_room = 52;
  auto room = [&](int from, int to) {
    return row.w - (from > 0 ? more_room : 0) - (to < count ? more_room : 0);
  };
  for (bool grew = true; grew;) {
    grew = false;
    if (last < count) {
      const float wider = used + spacing.gap + chip_width(sheet, last, spacing);
      if (wider <= room(first, last + 1)) used = wider, ++last, grew = true;
    }
    if (first > 0) {
      const float wider = used + spacing.gap + chip_width(sheet, first - 1, spacing);
      if (wider <= room(first - 1, last)) used = wider, --first, grew = true;
    }
  }
  float x = row.x;
  const float y = row.centre().y;
  if (first > 0) {
    put(sheet.pen, {x, y}, "… " + std::to_string(first), quiet, more_room - 6);
    x += more_room;
  }
  for (int token = first; token < last; ++token) {
    const float width = std::min(chip_width(sheet, token, spacing), row.right() - x);
    draw_chip(sheet, {x, row.y + 2, width, row.h - 4}, token, spacing.padding);
    x += width + spacing.gap;
  }
  if (last < count) put(sheet.pen, {x + 2, y}, "… " + std::to_string(count - last), quiet, more_room - 6);
}

}  // namespace headlight::views
