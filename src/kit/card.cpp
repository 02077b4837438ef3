#include "kit/card.h"

#include <cmath>

#include "base/utf8.h"

namespace headlight::views {

using draw::Font;
using draw::VAlign;

TextStyle words_style(Color color, float size) {
  return {.size = size, .color = color, .font = Font::sans, .valign = VAlign::middle};
}
TextStyle strong_style(Color color, float size) {
  return {.size = size, .color = color, .font = Font::semibold, .valign = VAlign::middle};
}
TextStyle mono_style(Color color, float size) {
  return {.size = size, .color = color, .font = Font::mono, .valign = VAlign::middle};
}
TextStyle aligned(TextStyle style, Align align) {
  style.align = align;
  return style;
}

TextStyle literal(TextStyle style) {
  style.literal = true;
  return style;
}

float text_line(const Pen& pen, float line) {
  constexpr float line_em = 1.2f;
  return std::max(line, line_em * pen.canvas.least_text());
}

namespace {

/// Is this a number, followed by its unit at most: "-0.25", "1.23·10⁹", "100 %"?
bool is_number(std::string_view words) {
  for (const std::string_view sign : {"−", "-", "+", "≥ ", "≤ ", "±"}) {
    if (words.starts_with(sign)) words.remove_prefix(sign.size());
  }
  if (words.empty() || words[0] < '0' || words[0] > '9') return false;
  const std::size_t blank = words.find(' ');
  constexpr std::size_t longest_unit = 4;  // in bytes, with its blank
  return blank == std::string_view::npos || words.size() - blank <= longest_unit;
}

/// The beginning of a number would be another number, so a number becomes smaller instead of being cut.
TextStyle number_style(const Pen& pen, std::string_view words, TextStyle style, float width) {
  constexpr float least = 9.5f;
  while (style.size > least && pen.canvas.text_width(words, style) > width)
    style.size = std::max(least, style.size - 0.5f);
  return style;
}

/// Paper has no tooltip for what is cut off, so words become a little smaller first.
TextStyle printed_style(const Pen& pen, std::string_view words, TextStyle style, float width) {
  constexpr float least_printed = 9.5f;
  if (const float needs = pen.canvas.text_width(words, style); needs > width)
    style.size =
        std::min(style.size, std::max(least_printed, std::floor(style.size * width / needs * 4) / 4));
  return style;
}

}  // namespace

TextStyle fitting_style(const Pen& pen, std::span<const std::string> words, TextStyle style, float width) {
  if (!pen.canvas.plain()) return style;
  TextStyle out = style;
  for (const std::string& one : words)
    out.size = std::min(out.size, printed_style(pen, one, style, width).size);
  return out;
}

float put(const Pen& pen, Point at, std::string_view words, const TextStyle& style, float width) {
  if (words.empty() || width <= 0) return 0;
  TextStyle look = pen.canvas.plain() ? printed_style(pen, words, style, width) : style;
  if (is_number(words)) look = number_style(pen, words, look, width);
  const std::string shown = draw::fit_text(pen.canvas, words, look, width);
  const bool cut = shown != words;
  if (cut && (shown == "…" || is_number(words))) return 0;
  pen.canvas.text(at, shown, look);
  return pen.canvas.text_width(shown, look);
}

float first_row(float room, float wanted, float below, float most) {
  const bool alone = wanted + card_gap + below > room + 0.5f;
  return alone ? std::max(wanted, std::min(room, most)) : wanted;
}

void fill_screens(const Pen& pen, std::span<float> rows, float room, float question, float most) {
  if (pen.canvas.plain() || on_slide(pen)) return;
  for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
    float sum = 0, gaps = -card_gap;
    for (end = first; end < rows.size(); ++end) {
      if (end > first && sum + gaps + rows[end] + card_gap > room + 0.5f) break;
      sum += rows[end], gaps += card_gap;
    }
    if (first == 0) {  // the page itself lays out its first screen
      room -= question;
      continue;
    }
    const float growth = std::min(most, (room - gaps) / sum);
    if (growth <= 1) continue;
    for (float& row : rows.subspan(first, end - first)) row = std::floor(row * growth);
  }
}

namespace {

/// Breaks the words below a title into one or two lines, or three on paper, where nothing is cut.
std::vector<std::string> quiet_words(const Pen& pen, const std::string& words, float width) {
  return wrap(pen, words, words_style({}), width, pen.canvas.plain() && !on_slide(pen) ? 3 : 2);
}

/// Writes the dimmed lines below a title.
void quiet_lines(const Pen& pen, Box& inside, const std::string& words) {
  const std::vector<std::string> lines = quiet_words(pen, words, inside.w);
  const TextStyle quiet = fitting_style(pen, lines, words_style(pen.theme.dim), inside.w);
  const float line = text_line(pen, 16);
  for (const std::string& one : lines) {
    put(pen, {inside.x, inside.y + line / 2}, one, quiet, inside.w);
    inside.cut_top(line);
  }
  inside.cut_top(8);
}

float quiet_height(const Pen& pen, Box box, const std::string& words) {
  const std::size_t lines = quiet_words(pen, words, box.inset(card_padding).w).size();
  return text_line(pen, 16) * static_cast<float>(lines) + 8;
}

/// Draws the background and outline of a card; returns the area inside its padding. In a figure without
/// titles, the card begins `head` units lower, and everything else stays in place.
Box ground(const Pen& pen, Box box, std::string_view name, std::string_view title, float head) {
  Box inside = box.inset(card_padding);
  inside.cut_top(head), box.cut_top(head);
  pen.canvas.panel(box, name, title);
  if (!pen.canvas.parts().frame) return inside;
  pen.canvas.rect(box, pen.theme.panel, card_radius);
  pen.canvas.frame(box, {pen.theme.border, 1}, card_radius);
  return inside;
}

}  // namespace

void card_head(const Pen& pen, Box& inside, const CardHead& head) {
  const float line = text_line(pen, 16);
  const float controls = pen.canvas.plain() ? 0 : head.controls;  // paper has no controls
  put(pen, {inside.x, inside.y + line / 2}, head.title, strong_style(pen.theme.text),
      inside.w - (controls > 0 ? controls + 8 : 0));
  inside.cut_top(line + (head.controls > 0 ? 6.f : 2.f));
  quiet_lines(pen, inside, head.subtitle);
}

Box card_part(const Pen& pen, Box box, const CardHead& head, std::string_view name) {
  pen.canvas.panel(box, name, head.title);
  Box inside = box.inset(card_padding);
  card_head(pen, inside, head);
  return inside;
}

Box card(const Pen& pen, Box box, const CardHead& head, std::string_view name) {
  box.h = pen.canvas.card_height(name, head.title, box.h);
  const std::string& called = head.title.empty() ? head.called : head.title;
  if (pen.canvas.takes_head(name, called, head.subtitle)) return ground(pen, box, name, called, 0);
  if (head.title.empty()) return ground(pen, box, name, head.called, 0);
  if (!pen.canvas.parts().title) {
    const float above = text_line(pen, 16) + (head.controls > 0 ? 6.f : 2.f);
    return ground(pen, box, name, head.title, above + quiet_height(pen, box, head.subtitle));
  }
  Box inside = ground(pen, box, name, head.title, 0);
  card_head(pen, inside, head);
  return inside;
}

namespace {

constexpr float large_question = 28, small_question = 18;
constexpr float roomy_width = 560, roomy_height = 460;  // least card for a large question on paper

/// Writes one line with its left middle at `at`. The words in quotation marks have a colour of their own.
void write_question(const Pen& pen, Point at, const Question& question, float size, float width) {
  constexpr std::string_view opens = "“", closes = "”";
  const std::string shown =
      draw::fit_text(pen.canvas, question.words, strong_style(pen.theme.text, size), width);
  const auto write = [&](std::size_t from, std::size_t end, Color color) {
    if (end <= from) return;
    const TextStyle look = strong_style(color, size);
    const std::string part = shown.substr(from, end - from);
    pen.canvas.text(at, part, look);
    at.x += pen.canvas.text_width(part, look);
  };
  std::size_t done = 0;
  while (question.quoted.a > 0) {
    const std::size_t from = shown.find(opens, done), to = shown.find(closes, from);
    if (from == std::string::npos || to == std::string::npos) break;
    write(done, from, pen.theme.text);
    done = to + closes.size();
    write(from, done, question.quoted);
  }
  write(done, shown.size(), pen.theme.text);
}

}  // namespace

float question_size(const Pen& pen, const Question& question, float width, float height) {
  constexpr float two_lines_from = 520;
  const bool paper = pen.canvas.plain();
  if (paper ? width < roomy_width / 2 || height < roomy_height : question.compact) return small_question;
  const TextStyle large = strong_style({}, large_question);
  const std::vector<std::string> lines =
      wrap(pen, question.words, large, width, paper && height < two_lines_from ? 1 : 2);
  const bool fits = std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return pen.canvas.text_width(line, large) <= width;
  });
  return fits ? large_question : small_question;
}

namespace {

/// Breaks the question into two lines where one is too narrow, and into more where two are and it may.
std::vector<std::string> question_lines(const Pen& pen, const Question& question, float size, float width) {
  const TextStyle style = strong_style({}, size);
  std::vector<std::string> lines = wrap(pen, question.words, style, width, 2);
  const bool whole = std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return pen.canvas.text_width(line, style) <= width;
  });
  return whole ? lines : wrap(pen, question.words, style, width, question.most_lines);
}

struct QuestionRoom {
  float width = 0, size = 0, line = 0;
  std::vector<std::string> lines;
};
QuestionRoom question_room(const Pen& pen, Box box, const Question& question, const CardHead& head) {
  const float controls = pen.canvas.plain() ? 0 : head.controls;
  QuestionRoom out;
  if (on_slide(pen)) return out;  // the slide has its own words above and below the card
  out.width = box.w - 2 * card_padding - (controls > 0 ? controls + 12 : 0);
  out.size = question_size(pen, question, out.width, box.h);
  out.line = text_line(pen, std::max(out.size + 4, head.controls > 0 ? 24.f : 0.f));
  out.lines = question_lines(pen, question, out.size, out.width);
  return out;
}

}  // namespace

float question_height(const Pen& pen, Box box, const Question& question, const CardHead& head) {
  const QuestionRoom room = question_room(pen, box, question, head);
  return room.line * static_cast<float>(room.lines.size());
}

Box hero_card(const Pen& pen, Box box, const Question& question, const CardHead& head,
              std::string_view name) {
  // The words keep their size when the card's height follows from its contents.
  const QuestionRoom room = question_room(pen, box, question, head);
  box.h = pen.canvas.card_height(name, question.words, box.h);
  if (pen.canvas.takes_head(name, question.words, head.subtitle))
    return ground(pen, box, name, question.words, 0);
  if (!pen.canvas.parts().title)
    return ground(pen, box, name, question.words,
                  room.line * static_cast<float>(room.lines.size()) + quiet_height(pen, box, head.subtitle));
  Box inside = ground(pen, box, name, question.words, 0);
  for (const std::string& line : room.lines) {
    write_question(pen, {inside.x, inside.y + room.line / 2 - 2}, {line, question.quoted}, room.size,
                   room.width);
    inside.cut_top(room.line);
  }
  quiet_lines(pen, inside, head.subtitle);
  return inside;
}

void page_question(const Pen& pen, Box& rest, const Question& question, float window_height) {
  const float width = rest.w - 4, size = question_size(pen, question, width, window_height);
  const std::vector<std::string> lines = question_lines(pen, question, size, width);
  for (const std::string& words : lines) {
    const Box line = rest.cut_top(size + (&words == &lines.back() ? 12 : 4));
    write_question(pen, {line.x + 2, line.y + size / 2 + 1}, {words, question.quoted}, size, width);
  }
}

void instead_line(const Pen& pen, Box& body, const std::string& words) {
  constexpr float line = 20, above = 8, edge = 6;
  constexpr std::size_t most = 4;
  if (words.empty()) return;
  const TextStyle style = words_style(pen.theme.text, title_size);
  const float width = body.w - 2 * card_gap - 2 * card_padding;
  // Use as few lines as hold all words.
  std::vector<std::string> lines;
  for (std::size_t count = 1; count <= most; ++count) {
    lines = wrap(pen, words, style, width, count);
    if (pen.canvas.text_width(lines.back(), style) <= width) break;
  }
  body.cut_top(above);
  Box strip = body.cut_top(line * static_cast<float>(lines.size()) + 2 * edge);
  strip.cut_left(card_gap), strip.cut_right(card_gap);
  pen.canvas.rect(strip, pen.theme.field, 8);
  pen.canvas.frame(strip, {pen.theme.border, 1}, 8);
  float y = strip.y + edge + line / 2;
  for (const std::string& one : lines) {
    put(pen, {strip.x + card_padding, y}, one, style, width);
    y += line;
  }
}

std::vector<std::string> wrap(const Pen& pen, std::string_view words, const TextStyle& style, float width,
                              std::size_t lines) {
  std::vector<std::string> out;
  const TextStyle measured = literal(style);  // no narrower than with indices, and quick to measure
  // Lines, as few as possible, have about the same length, so that the last one is not a single word.
  const float whole = pen.canvas.text_width(words, measured);
  if (whole > width && lines > 1) {
    constexpr float breaks = 1.05f;  // of the width: lines are broken at blanks
    const float needed = std::min(std::ceil(whole * breaks / width), static_cast<float>(lines));
    width = std::min(width, std::max(width * 0.5f, whole / needed * 1.12f));
  }
  while (!words.empty()) {
    std::size_t end = words.size();
    while (out.size() + 1 < lines && pen.canvas.text_width(words.substr(0, end), measured) > width) {
      std::size_t space = words.rfind(' ', end - 1);
      while (space != std::string_view::npos && space > 0 && words.substr(space).starts_with(" %"))
        space = words.rfind(' ', space - 1);  // a number keeps its unit
      if (space == std::string_view::npos || space == 0) break;
      end = space;
    }
    out.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(words.size(), end + 1));
  }
  return out;
}

void placeholder(const Pen& pen, Box box, std::string_view title, std::string_view words) {
  const Point c = box.centre();
  put(pen, {c.x, words.empty() ? c.y : c.y - 9}, title, aligned(strong_style(pen.theme.text), Align::centre),
      box.w);
  if (!pen.canvas.parts().hints) return;
  put(pen, {c.x, c.y + 12}, words, aligned(words_style(pen.theme.dim), Align::centre), box.w);
}

void progress_line(const Pen& pen, Box card_box, float fraction) {
  if (fraction < 0) return;
  const Box track{card_box.x + card_radius, card_box.y, card_box.w - 2 * card_radius, 2};
  pen.canvas.rect(track, pen.theme.faint, 1);
  pen.canvas.rect({track.x, track.y, track.w * std::clamp(fraction, 0.02f, 1.f), track.h}, pen.theme.accent,
                  1);
}

std::string isolated(std::string_view words) {
  bool leftwards = false;
  for (std::size_t at = 0; at < words.size() && !leftwards;) {
    const base::CodePoint c = base::decode(words, at);
    at += c.bytes;
    const char32_t v = c.value;
    leftwards = (v >= 0x590 && v <= 0x8FF) || (v >= 0xFB1D && v <= 0xFDFF) || (v >= 0xFE70 && v <= 0xFEFE) ||
                (v >= 0x10800 && v <= 0x10FFF) || (v >= 0x1E800 && v <= 0x1EFFF) || v == 0x200F ||
                v == 0x202B || v == 0x202E || v == 0x2067;
  }
  return leftwards ? "\u2068" + std::string(words) + "\u2069" : std::string(words);
}

std::string in_quotes(std::string_view words) {
  return "“" + isolated(words) + "”";
}

std::string shown_token(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint c = base::decode(text, at);
    at += c.bytes;
    if (c.value == ' ' || c.value == 0xA0 || c.value == 0x3000) {
      out += "␣";
    } else if (c.value == '\t') {
      out += "⇥";
    } else if (c.value == '\n' || c.value == '\r') {
      const bool pair = c.value == '\r' && at < text.size() && text[at] == '\n';
      if (!pair) out += "↵";
    } else if (c.value < 32 || c.value == 127) {
      constexpr char digits[] = "0123456789ABCDEF";
      out += {'<', digits[c.value >> 4], digits[c.value & 15], '>'};
    } else {
      base::append_utf8(out, c.value);
    }
  }
  return out.empty() ? "·" : out;
}

}  // namespace headlight::views
