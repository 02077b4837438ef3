#include "pages/presets/view/slide_rows.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kit/words.h"

namespace headlight::views {

using scene::Preset;
using scene::PresetLine;

namespace {

/// The rows of an example as a table with one line each, for a slide.
struct Table {
  std::vector<std::string> names;
  float what = 0, printed = 0, here = 0, verdict = 0;
  static constexpr float gap = 22;
  float width() const { return what + printed + here + verdict + 3 * gap; }
};

Table table_of(const Pen& pen, const Preset& preset) {
  Table out;
  const auto widen = [&](float& to, const std::string& words, const draw::TextStyle& style) {
    to = std::max(to, std::ceil(pen.canvas.text_width(words, style)));
  };
  for (const PresetLine& line : preset.lines) {
    out.names.push_back(line.what + (line.by.empty() || line.by == "printed" ? "" : ", " + line.by));
    widen(out.what, out.names.back(), words_style({}));
    widen(out.printed, line.printed, mono_style({}));
    widen(out.here, line.here, mono_style({}));
    out.verdict = std::max(
        out.verdict, std::ceil(put_verdict_width(pen, verdict_words(line), word_size, slide_disc(pen))));
  }
  widen(out.printed, "formula", words_style({}));
  widen(out.here, ours, words_style({}));
  return out;
}

constexpr int most_remark_lines = 6;
float remark_height(const Pen& pen, const Preset& preset, float width) {
  return paragraph(pen, {}, width, preset.remark, words_style({}), most_remark_lines, false) + 10;
}

/// Returns the height of a row: one line, or three when the numbers do not fit beside the name.
float slide_row(const Pen& pen, const Table& table, float width) {
  return table.width() <= width ? text_line(pen, 0) : 3 * text_line(pen, 0) + 6;
}
/// Draws three lines: the name with the verdict, the source's number, and the computed one.
void slide_block(const Pen& pen, Box row, const std::string& name, const PresetLine& line) {
  const draw::Theme& theme = pen.theme;
  const float high = text_line(pen, 0);
  const draw::TextStyle quiet = words_style(theme.dim);
  Box top = row.cut_top(high);
  const float used = line.here.empty() ? 0
                                       : put_verdict(pen, {top.right(), top.centre().y}, verdict_of(line),
                                                     verdict_words(line), word_size, slide_disc(pen));
  put(pen, {top.x, top.centre().y}, name, words_style(theme.text), top.w - used - 12);
  const char* source = line.kind == scene::PresetKind::formula ? "formula" : "source";
  const float label = 12 + std::max(pen.canvas.text_width(ours, quiet), pen.canvas.text_width(source, quiet));
  const auto write = [&](const char* what, const std::string& words, draw::Color color) {
    const Box one = row.cut_top(high);
    put(pen, {one.x, one.centre().y}, what, quiet, label);
    put(pen, {one.x + label, one.centre().y}, words, mono_style(color), one.w - label);
  };
  write(source, line.printed, theme.dim);
  write(ours, line.here.empty() ? "not on this page" : line.here, theme.text);
}

}  // namespace

int rows_that_fit(float height, float row, int count) {
  constexpr float rounding = 0.01f;
  const auto fit = static_cast<int>(std::clamp(height / row + rounding, 0.f, 1e6f));
  return fit >= count ? count : std::max(0, fit - 1);
}

void say_left_out(const Pen& pen, Box line, int shown, int count) {
  put(pen, {line.x, line.centre().y}, std::to_string(shown) + " of " + std::to_string(count) + " shown",
      words_style(pen.theme.dim), line.w);
}

const char* verdict_words(const PresetLine& line) {
  return line.here.empty()                         ? ""
         : !line.agrees                            ? "differs"
         : line.kind == scene::PresetKind::formula ? "same formula"
                                                   : "agrees";
}

Verdict verdict_of(const PresetLine& line) {
  return !line.agrees                              ? Verdict::bad
         : line.kind == scene::PresetKind::formula ? Verdict::equal
                                                   : Verdict::good;
}

float slide_disc(const Pen& pen) {
  return std::max(verdict_width, 0.72f * text_line(pen, 0));
}

void draw_slide_rows(const Pen& pen, Box inside, const Preset& preset) {
  const draw::Theme& theme = pen.theme;
  Box remark = inside.cut_bottom(remark_height(pen, preset, inside.w));
  remark.cut_top(10);
  paragraph(pen, {remark.x, remark.y}, remark.w, preset.remark, words_style(theme.text), most_remark_lines);
  const Table table = table_of(pen, preset);
  const bool fits = table.width() <= inside.w;
  // Spare width is divided among the columns.
  const float gap = fits ? Table::gap + std::min(60.f, (inside.w - table.width()) / 3) : 0;
  const float printed_x = inside.x + table.what + gap, here_x = printed_x + table.printed + gap,
              least = slide_row(pen, table, inside.w);
  if (fits) {
    const bool formulas = std::all_of(preset.lines.begin(), preset.lines.end(), [](const PresetLine& line) {
      return line.kind == scene::PresetKind::formula;
    });
    const float y = inside.cut_top(text_line(pen, 0)).centre().y;
    put(pen, {printed_x, y}, formulas ? "formula" : "source", words_style(theme.dim));
    put(pen, {here_x, y}, ours, words_style(theme.dim));
  }
  const int count = static_cast<int>(preset.lines.size());
  constexpr float most_apart = 1.4f;
  const float row_h =
      std::clamp(inside.h / static_cast<float>(std::max(1, count)), least, most_apart * least);
  const int shown = rows_that_fit(inside.h, row_h, count);
  for (int i = 0; i < shown; ++i) {
    const PresetLine& line = preset.lines[static_cast<std::size_t>(i)];
    const std::string& name = table.names[static_cast<std::size_t>(i)];
    const Box row = inside.cut_top(row_h);
    pen.canvas.line({row.x, row.y}, {row.right(), row.y}, {theme.faint, 1});
    if (!fits) {
      slide_block(pen, row, name, line);
      continue;
    }
    const float y = row.centre().y;
    put(pen, {row.x, y}, name, words_style(theme.text));
    put(pen, {printed_x, y}, line.printed, mono_style(theme.dim));
    put(pen, {here_x, y}, line.here.empty() ? "–" : line.here, mono_style(theme.text));
    if (line.here.empty()) continue;
    const float disc = slide_disc(pen), words = put_verdict_width(pen, verdict_words(line), word_size, disc);
    put_verdict(pen, {here_x + table.here + gap + words, y}, verdict_of(line), verdict_words(line), word_size,
                disc);
  }
  if (shown < count) say_left_out(pen, inside.cut_top(text_line(pen, 0)), shown, count);
}

}  // namespace headlight::views
