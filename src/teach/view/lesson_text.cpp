#include "teach/view/lesson_text.h"

#include <algorithm>
#include <string>

#include "draw/scripts.h"

namespace headlight::views {

using scene::Emphasis;
using scene::WordRun;

namespace {

constexpr float button_margin = 0.42f;  // at either side of a button's word, in em
constexpr float number_size = 0.96f;    // of the mono font, which looks larger

struct Fragment {
  std::string text;
  WordRun look;
  draw::TextStyle style;
  float width = 0, margin = 0;
};

/// The text between two blanks: it is never broken.
struct Word {
  std::vector<Fragment> fragments;
  float width = 0;
};

draw::TextStyle style_of(const Pen& pen, const WordRun& run, const LessonText& look) {
  const draw::Theme& theme = pen.theme;
  draw::TextStyle style{.size = look.size * (run.script != 0 ? draw::script_size : 1.f),
                        .color = look.color,
                        .font = look.strong ? draw::Font::semibold : draw::Font::sans};
  switch (run.emphasis) {
    case Emphasis::plain:
      break;
    case Emphasis::bold:
      style.color = theme.text;
      break;
    case Emphasis::query:
      style.color = theme.query;
      break;
    case Emphasis::key:
      style.color = theme.key;
      break;
    case Emphasis::value:
      style.color = theme.value;
      break;
    case Emphasis::offset:
      style.color = theme.offset;
      break;
    case Emphasis::button:
      style.color = theme.text;
      break;
  }
  if (run.emphasis != Emphasis::plain && run.emphasis != Emphasis::button) style.font = draw::Font::semibold;
  if (run.maths && run.emphasis == Emphasis::plain) style.color = theme.text;
  if (run.counts && run.emphasis == Emphasis::plain) {
    style.color = theme.text, style.font = draw::Font::mono, style.size *= number_size;
  }
  style.color = draw::faded(style.color, look.alpha);
  return style;
}

std::vector<Word> words_of(const Pen& pen, std::span<const WordRun> runs, const LessonText& look) {
  std::vector<Word> words(1);
  for (const WordRun& run : runs) {
    const bool button = run.emphasis == Emphasis::button;
    std::string_view rest = run.text;
    while (!rest.empty()) {
      // A button is one word, and so is a number with its unit.
      std::size_t blank = button || run.counts ? std::string_view::npos : rest.find(' ');
      while (blank != std::string_view::npos && rest.substr(blank).starts_with(" %"))
        blank = rest.find(' ', blank + 1);
      const std::string_view piece = rest.substr(0, blank);
      if (!piece.empty()) {
        Fragment f{std::string(piece), run, style_of(pen, run, look), 0,
                   button ? button_margin * look.size : 0};
        f.width = pen.canvas.text_width(piece, f.style) + 2 * f.margin;
        words.back().width += f.width;
        words.back().fragments.push_back(std::move(f));
      }
      if (blank == std::string_view::npos) break;
      if (!words.back().fragments.empty()) words.emplace_back();
      rest.remove_prefix(blank + 1);
    }
  }
  if (words.back().fragments.empty()) words.pop_back();
  return words;
}

void put_word(const Pen& pen, float x, float baseline, float room, const Word& word, const LessonText& look) {
  for (const Fragment& f : word.fragments) {
    const float lift = f.look.script < 0 ? -draw::script_below : f.look.script > 0 ? draw::script_above : 0;
    if (f.margin > 0) {
      const float height = look.size * 1.24f;
      // Drawn like a key of the keyboard: it names a button and cannot be pressed.
      const Box box{x, baseline - look.size * 0.36f - height / 2, std::min(f.width, room), height};
      pen.canvas.rect(box, draw::faded(pen.theme.border, look.alpha), look.size * 0.26f);
      const float edge = std::max(1.f, look.size * 0.06f);
      pen.canvas.rect({box.x + edge, box.y + edge, box.w - 2 * edge, box.h - 2 * edge},
                      draw::faded(pen.theme.panel, look.alpha), look.size * 0.22f);
    }
    const std::string text = f.width <= room ? f.text : draw::fit_text(pen.canvas, f.text, f.style, room);
    pen.canvas.text({x + f.margin, baseline - lift * look.size}, text, f.style);
    x += f.width, room -= f.width;
    if (room <= 0) return;
  }
}

/// Lays out the words and calls put(word, x, line) for each. Returns the number of lines.
template <class Put>
int lay_out(const Pen& pen, float width, const std::vector<Word>& words, const LessonText& look, Put put) {
  const LessonText& plain = look;
  const float blank =
      pen.canvas.text_width("a b", {.size = plain.size}) - pen.canvas.text_width("ab", {.size = plain.size});
  float x = 0;
  int line = 0;
  for (const Word& word : words) {
    if (x > 0 && x + word.width > width) x = 0, ++line;
    put(word, x, line);
    x += word.width + blank;
  }
  return words.empty() ? 0 : line + 1;
}

}  // namespace

float lesson_text(const Pen& pen, Box box, std::span<const WordRun> runs, const LessonText& look, bool draw) {
  const std::vector<Word> words = words_of(pen, runs, look);
  const float step = look.size * look.leading;
  const int lines = lay_out(pen, box.w, words, look, [&](const Word& word, float x, int line) {
    if (!draw) return;
    const float baseline = box.y + step * (static_cast<float>(line) + 0.5f) + look.size * 0.36f;
    put_word(pen, box.x + x, baseline, box.w - x, word, look);
  });
  return step * static_cast<float>(lines);
}

}  // namespace headlight::views
