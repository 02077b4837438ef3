// The controls inside cards, segmented or single, and the legends of their colours.
#include <algorithm>
#include <array>
#include <cmath>

#include "kit/card.h"

namespace headlight::views {

using draw::Font;

namespace {

constexpr float segment_padding = 11;

TextStyle choice_style(const Pen& pen, const Choice& choice) {
  TextStyle style = words_style(choice.enabled ? pen.theme.text : pen.theme.dim);
  if (choice.on) style.font = Font::semibold;
  return aligned(style, Align::centre);
}

/// Colour is for data, so the chosen segment is grey; its background and bold text mark it.
TextStyle segment_style(const Pen& pen, const Choice& choice) {
  TextStyle style = words_style(choice.on ? pen.theme.text : pen.theme.dim);
  if (choice.on) style.font = Font::semibold;
  return aligned(style, Align::centre);
}

draw::Mark choice_mark(const Choice& choice, Box area) {
  draw::Mark mark;
  mark.part = choice.enabled ? draw::Part::control : draw::Part::note;
  if (choice.enabled) mark.set = choice.set;
  mark.name = choice.name, mark.note = choice.note, mark.area = area;
  return mark;
}

}  // namespace

float segmented_width(const Pen& pen, std::span<const Choice> choices) {
  float width = 4;
  for (const Choice& c : choices)
    width += std::ceil(pen.canvas.text_width(c.label, segment_style(pen, c))) + 2 * segment_padding;
  return width;
}

Box segmented(const Pen& pen, Point top_right, std::span<const Choice> choices) {
  const float width = segmented_width(pen, choices);
  const Box box{top_right.x - width, top_right.y, width, control_height};
  if (pen.canvas.plain()) return box;
  pen.canvas.rect(box, pen.theme.field, 7);
  Box rest = box.inset(2);
  for (const Choice& c : choices) {
    const TextStyle style = segment_style(pen, c);
    const Box part = rest.cut_left(std::ceil(pen.canvas.text_width(c.label, style)) + 2 * segment_padding);
    pen.canvas.mark(choice_mark(c, part));
    if (c.on) {
      pen.canvas.rect(part, c.enabled ? pen.theme.selected : pen.theme.faint, 5);
      if (!pen.theme.dark) pen.canvas.frame(part, {pen.theme.border, 1}, 5);
    } else if (pen.over(c.name)) {
      pen.canvas.rect(part, pen.theme.field_hover, 5);
    }
    TextStyle words = style;
    if (pen.over(c.name)) words.color = pen.theme.text;
    if (!c.on && !c.enabled) words.color = draw::faded(pen.theme.dim, 0.6f);
    pen.canvas.text(part.centre(), c.label, words);
    pen.canvas.mark({});
  }
  return box;
}

float button_width(const Pen& pen, const Choice& choice) {
  return std::ceil(pen.canvas.text_width(choice.label, choice_style(pen, choice))) + 2 * segment_padding;
}

Box button(const Pen& pen, Point top_right, const Choice& choice) {
  const float width = button_width(pen, choice);
  const Box box{top_right.x - width, top_right.y, width, control_height};
  if (pen.canvas.plain()) return box;
  pen.canvas.mark(choice_mark(choice, box));
  pen.canvas.rect(box,
                  choice.on               ? pen.theme.selected
                  : pen.over(choice.name) ? pen.theme.field_hover
                                          : pen.theme.field,
                  6);
  pen.canvas.frame(box, {choice.on ? pen.theme.dim : pen.theme.border, 1}, 6);
  pen.canvas.text(box.centre(), choice.label, choice_style(pen, choice));
  pen.canvas.mark({});
  return box;
}

void color_bar(const Pen& pen, Box bar, const ColorBar& words) {
  static const std::array<float, 256> ramp = [] {
    std::array<float, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 255.f;
    return values;
  }();
  draw::Heatmap map;
  map.values = ramp.data(), map.rows = 1, map.cols = 256, map.row_stride = 256, map.version = 1;
  map.map = words.map, map.gaps = false;
  pen.canvas.heatmap(bar, map);
  const float y = bar.bottom() + 10 + (text_line(pen, 14) - 14) / 2;
  const TextStyle style = words_style(pen.theme.dim, small_size);
  const float left = put(pen, {bar.x, y}, words.left, style);
  const float right = put(pen, {bar.right(), y}, words.right, aligned(style, Align::right));
  const float room = bar.w - 2 * std::max(left, right) - 12;
  // A part of a word would say nothing, so the word is left out when it does not fit.
  for (const std::string& middle : {words.middle, words.short_middle}) {
    if (middle.empty() || pen.canvas.text_width(middle, style) > room) continue;
    put(pen, {bar.centre().x, y}, middle, aligned(style, Align::centre));
    break;
  }
}

Box low_color_bar(const Pen& pen, Box row, const ColorBar& words) {
  constexpr float thick = 8, apart = 6;
  const TextStyle ends = words_style(pen.theme.dim, small_size);
  Box bar{row.x, row.centre().y - thick / 2, row.w, thick};
  bar.cut_left(put(pen, {bar.x, bar.centre().y}, words.left, ends, bar.w) + apart);
  bar.cut_right(pen.canvas.text_width(words.right, ends) + apart);
  put(pen, {bar.right() + apart, bar.centre().y}, words.right, ends);
  color_bar(pen, bar, {words.map, "", "", ""});
  return bar;
}

float legend_width(const Pen& pen, std::string_view words) {
  return 16 + pen.canvas.text_width(words, words_style(pen.theme.dim, small_size));
}

float legend(const Pen& pen, Point at, Color color, std::string_view words) {
  pen.canvas.rect({at.x, at.y - 5, 10, 10}, color, 2);
  pen.canvas.text({at.x + 16, at.y}, words, words_style(pen.theme.dim, small_size));
  return legend_width(pen, words);
}

void masked_area(const Pen& pen, Box box) {
  pen.canvas.rect(box, pen.theme.mask);
}

float masked_legend(const Pen& pen, Point at, std::string_view words) {
  const Box swatch{at.x, at.y - 6, 12, 12};
  masked_area(pen, swatch);
  pen.canvas.frame(swatch, {pen.theme.border, 1}, 0);
  pen.canvas.text({at.x + 18, at.y}, words, words_style(pen.theme.dim, small_size));
  return legend_width(pen, words) + 2;
}

}  // namespace headlight::views
