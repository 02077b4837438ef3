#include "pages/presets/view/example.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>
#include <vector>

#include "kit/card.h"
#include "kit/verdict.h"
#include "kit/words.h"
#include "pages/presets/view/slide_rows.h"

namespace headlight::views {

using scene::Preset;
using scene::PresetLine;

namespace {

/// The numbers of a source and of Headlight, padded with blanks so that their decimal points are aligned:
/// "0.39   0.22" above "0.401  0.198". Other words are unchanged.
struct AlignedNumbers {
  std::string printed, here;
};

/// Returns the words between blanks; empty when one of them is not a number.
std::vector<std::string> numbers_in(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream words(line);
  for (std::string word; words >> word; out.push_back(word)) {
    const std::string digits = word.starts_with("−") ? word.substr(std::string_view("−").size()) : word;
    if (digits.find_first_not_of("0123456789.,") != std::string::npos) return {};
  }
  return out;
}

AlignedNumbers aligned_numbers(const PresetLine& line) {
  const std::vector<std::string> a = numbers_in(line.printed), b = numbers_in(line.here);
  AlignedNumbers out{line.printed, line.here};
  if (a.size() != b.size() || a.empty()) return out;
  out = {};
  const auto before = [](const std::string& word) {  // characters before the decimal point
    const std::string_view whole = std::string_view(word).substr(0, word.find('.'));
    return whole.starts_with("−") ? whole.size() - std::string_view("−").size() + 1 : whole.size();
  };
  const auto after = [](const std::string& word) {
    const std::size_t point = word.find('.');
    return point == std::string::npos ? 0 : word.size() - point;
  };
  const auto add = [&](std::string& to, const std::string& word, const std::string& other, bool last) {
    if (!to.empty()) to += "  ";
    to += std::string(std::max(before(word), before(other)) - before(word), ' ') + word;
    if (!last) to += std::string(std::max(after(word), after(other)) - after(word), ' ');
  };
  for (std::size_t i = 0; i < a.size(); ++i)
    add(out.printed, a[i], b[i], i + 1 == a.size()), add(out.here, b[i], a[i], i + 1 == a.size());
  return out;
}

/// The width of the names of the rows in a card that writes the numbers beside them, and of the verdicts.
constexpr float last_column = 124;
float names_width(float width, float unit) {
  constexpr float wide = 720;
  return std::clamp(std::floor(width * (width < wide ? 0.36f : 0.31f)), 110.f, 250.f * unit);
}

/// Narrow cards write the numbers below their name instead of beside it; how narrow depends on the rows.
bool numbers_beside(const Pen& pen, const Preset& preset, float width) {
  constexpr float always = 720, never = 520, label = 70, gaps = 8, least_number = 10;
  if (width >= always || width < never) return width >= always;
  const float names = names_width(width, 1), numbers = width - names - last_column - gaps - label;
  return std::all_of(preset.lines.begin(), preset.lines.end(), [&](const PresetLine& line) {
    const AlignedNumbers both = aligned_numbers(line);
    const auto fits = [&](const std::string& words, const draw::TextStyle& style, float room) {
      return pen.canvas.text_width(words, style) <= room;
    };
    return fits(line.what, words_style({}, 12), names - gaps) &&
           fits(both.printed, mono_style({}, least_number), numbers) &&
           fits(both.here, mono_style({}, least_number), numbers);
  });
}
float line_height(bool beside) {
  return beside ? 36.f : 56.f;
}

constexpr float largest_unit = 1.4f, highest_row = 2;

/// Returns the size at which both rows of numbers fit.
float number_size(const Pen& pen, const AlignedNumbers& line, float width, float unit) {
  float widest = 1;
  for (const std::string* words : {&line.printed, &line.here})
    widest = std::max(widest, pen.canvas.text_width(*words, mono_style({}, 10)));
  return std::clamp(9.7f * width / widest, 5.f, 12.f * unit);
}

/// Draws the numbers of a row; `unit` is the enlargement of the row.
void draw_numbers(const Pen& pen, Box box, float top, float bottom, const PresetLine& line, float unit) {
  const draw::Theme& theme = pen.theme;
  const AlignedNumbers numbers = aligned_numbers(line);
  const float label = 70 * unit;
  const float x = box.x + label, width = box.w - label, size = number_size(pen, numbers, width, unit);
  put(pen, {box.x, top}, line.kind == scene::PresetKind::formula ? "formula" : "source",
      words_style(theme.dim, small_size * unit), label);
  put(pen, {x, top}, numbers.printed, mono_style(theme.dim, size), width);
  put(pen, {box.x, bottom}, ours, words_style(theme.dim, small_size * unit), label);
  if (line.here.empty()) {
    put(pen, {x, bottom}, "not computed on this page", words_style(theme.dim, small_size * unit), width);
  } else {
    put(pen, {x, bottom}, numbers.here, mono_style(theme.text, size), width);
  }
}

void draw_line(const Pen& pen, Box row, const PresetLine& line, bool beside, float unit) {
  const draw::Theme& theme = pen.theme;
  const std::string verdict = verdict_words(line);
  // "printed" would only repeat the word "source" beside the numbers.
  const std::string by = line.by == "printed" ? std::string() : line.by;
  // Words have no distance.
  const std::string gap = line.here.empty() || line.gap < 0 || (!line.agrees && line.gap == 0)
                              ? ""
                              : "difference " + difference_words(line.gap);
  const draw::TextStyle quiet = words_style(theme.dim, small_size * unit);
  if (!beside) {
    const float y = row.y + 0.2f * row.h;
    float right = row.right();
    if (!verdict.empty())
      right -= put_verdict(pen, {right, y}, verdict_of(line), verdict, 12 * unit, small_verdict * unit) + 12;
    right -= put(pen, {right, y}, gap, aligned(quiet, Align::right), 130 * unit) + 12;
    const float used = put(pen, {row.x, y}, line.what, words_style(theme.text, 12 * unit), right - row.x);
    put(pen, {row.x + used + 10, y}, by, quiet, right - row.x - used - 10);
    draw_numbers(pen, {row.x, row.y, row.w, row.h}, row.y + 0.5f * row.h, row.y + 0.79f * row.h, line, unit);
    return;
  }
  const float top = row.y + row.h * 0.28f, bottom = row.y + row.h * 0.70f;
  const float first = names_width(row.w, unit), last = last_column * unit;
  put(pen, {row.x, top}, line.what, words_style(theme.text, 12 * unit), first - 8);
  put(pen, {row.x, bottom}, by, quiet, first - 8);
  draw_numbers(pen, {row.x + first, row.y, row.w - first - last - 8, row.h}, top, bottom, line, unit);
  if (!verdict.empty())
    put_verdict(pen, {row.right(), top}, verdict_of(line), verdict, 12 * unit, small_verdict * unit);
  put(pen, {row.right(), bottom}, gap, aligned(quiet, Align::right), last);
}

constexpr float remark_line = 17, below_remark = 8;

std::vector<std::string> remark_lines(const Pen& pen, const Preset& preset, float width, float unit = 1) {
  const draw::TextStyle style = words_style(pen.theme.text, 12 * unit);
  const float whole = pen.canvas.text_width(preset.remark, style);
  const auto lines = static_cast<std::size_t>(std::clamp(whole / std::max(1.f, width) * 1.1f + 1, 1.f, 4.f));
  return wrap(pen, preset.remark, style, width, lines);
}

/// In a low window the rows of a wide card are closer together, so that all of them are on view.
constexpr float tight_line = 30;

}  // namespace

std::string difference_words(double gap) {
  return gap == 0 ? "0" : brief(gap, 2);
}

float example_height(const Pen& pen, const Preset& preset, float width) {
  const float inside = width - 2 * card_padding;
  return 2 * card_padding + 22 + 16 + 8 +
         remark_line * static_cast<float>(remark_lines(pen, preset, inside).size()) + below_remark +
         line_height(numbers_beside(pen, preset, inside)) * static_cast<float>(preset.lines.size());
}

float low_example_height(const Pen& pen, const Preset& preset, float width) {
  const float high = example_height(pen, preset, width);
  if (!numbers_beside(pen, preset, width - 2 * card_padding)) return high;
  return high - (line_height(true) - tight_line) * static_cast<float>(preset.lines.size());
}

void draw_example(const Pen& pen, Box box, const Preset& preset) {
  const Choice open{"Open this scene", preset.set, "open scene", false,
                    "apply all settings of the example and open its page"};
  Box inside = card(pen, box, {preset.title, preset.source, button_width(pen, open)}, "preset");
  button(pen, card_corner(box), open);
  if (on_slide(pen)) return draw_slide_rows(pen, inside, preset);
  // A high card gives its rows more room and larger text, and the words above them the same.
  const bool beside = numbers_beside(pen, preset, inside.w);
  const float usual = line_height(beside), least = beside ? tight_line : usual;
  const auto row_height = [&](float room) {
    return std::clamp(room / static_cast<float>(std::max<std::size_t>(1, preset.lines.size())), least,
                      highest_row * usual);
  };
  const auto remark_height = [&](float unit) {
    return remark_line * unit * static_cast<float>(remark_lines(pen, preset, inside.w, unit).size());
  };
  float unit = std::clamp(row_height(inside.h - remark_height(1) - below_remark) / usual, 1.f, largest_unit);
  unit = std::clamp(row_height(inside.h - remark_height(unit) - below_remark) / usual, 1.f, unit);
  for (const PresetLine& line : preset.lines) {  // no name is cut because it is larger
    const float names = names_width(inside.w, 1) - 8;
    const float fits = names / std::max(1.f, pen.canvas.text_width(line.what, words_style({}, 12)));
    if (beside) unit = std::clamp(fits, 1.f, unit);
  }
  // What follows from the numbers comes first: it is on view where the rows are not.
  const draw::TextStyle style = words_style(pen.theme.text, 12 * unit);
  for (const std::string& words : remark_lines(pen, preset, inside.w, unit))
    put(pen, {inside.x, inside.cut_top(remark_line * unit).centre().y}, words, style, inside.w);
  inside.cut_top(below_remark);
  const float high = row_height(inside.h);
  for (const PresetLine& line : preset.lines) {
    Box row = inside.cut_top(high);
    pen.canvas.line({row.x, row.y}, {row.right(), row.y}, {pen.theme.faint, 1});
    draw_line(pen, row, line, beside, unit);
  }
}

}  // namespace headlight::views
