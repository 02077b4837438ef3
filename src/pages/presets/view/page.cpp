#include "pages/presets/view/page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>

#include "base/words.h"
#include "kit/card.h"
#include "kit/columns.h"
#include "kit/page_input.h"
#include "kit/verdict.h"
#include "kit/words.h"
#include "pages/presets/presets.h"
#include "pages/presets/view/hall.h"

namespace headlight::views {

using scene::Preset;
using scene::PresetLine;
using scene::PresetsResults;

namespace {

/// Maps the verdict on an example, scene::Verdict, to the sign that is drawn, views::Verdict.
views::Verdict sign_of(scene::Verdict verdict) {
  return verdict == scene::Verdict::agrees    ? views::Verdict::good
         : verdict == scene::Verdict::formula ? views::Verdict::equal
         : verdict == scene::Verdict::differs ? views::Verdict::bad
                                              : views::Verdict::alert;
}
const char* word_of(scene::Verdict verdict) {
  return verdict == scene::Verdict::agrees    ? "agrees"
         : verdict == scene::Verdict::formula ? "formula"
         : verdict == scene::Verdict::differs ? "differs"
                                              : "contradiction";
}

int chosen_in(const PageInput& in, const PresetsResults& r) {
  return std::clamp(in.scene.presets.shown - 1, 0, static_cast<int>(r.presets.size()) - 1);
}

std::string difference(double gap) {
  return gap == 0 ? "0" : brief(gap, 2);
}

constexpr float list_row = 27;

/// On a slide the list has two columns, so that as many rows fit as in a window.
int list_columns(const Pen& pen, float width) {
  constexpr float two_from = 560;
  return on_slide(pen) && width >= two_from ? 2 : 1;
}
void draw_list(const Pen& pen, Box box, const PageInput& in, const PresetsResults& r) {
  const int chosen = chosen_in(in, r);
  Box inside = card(pen, box,
                    {"Examples from the sources",
                     in.text("presets_agreeing") + " agree, " + in.text("presets_contradictions") +
                         " contradictions, " + in.text("presets_formulas") + " formulas, " +
                         in.text("presets_differing") + (r.differing == 1 ? " differs" : " differ")},
                    "list");
  const int count = static_cast<int>(r.presets.size()), columns = list_columns(pen, box.w),
            rows = (count + columns - 1) / columns;
  constexpr float apart = 36;
  const float wide = (inside.w - apart * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const float row_h = std::clamp(inside.h / static_cast<float>(rows), text_line(pen, 20), 42.f);
  const int fit = on_slide(pen) ? rows_that_fit(inside.h, row_h, rows) : rows;
  if (fit < rows)
    say_left_out(pen, {inside.x, inside.y + static_cast<float>(fit) * row_h, inside.w, row_h}, fit * columns,
                 count);
  for (int n = 0; n < count; ++n) {
    if (n % rows >= fit) continue;
    const Preset& preset = r.presets[static_cast<std::size_t>(n)];
    const Box row{inside.x + static_cast<float>(n / rows) * (wide + apart),
                  inside.y + static_cast<float>(n % rows) * row_h, wide, row_h};
    const Box hit{row.x - 6, row.y, row.w + 12, row.h - 1};
    Mark mark;
    mark.part = Part::control, mark.name = "preset " + std::to_string(n + 1);
    mark.set = "presets_shown=" + std::to_string(n + 1);
    mark.note = preset.source, mark.area = hit;
    pen.canvas.mark(mark);
    if (n == chosen) {
      pen.canvas.rect(hit, draw::faded(pen.theme.accent, pen.theme.dark ? 0.14f : 0.08f), 5);
    } else if (pen.over(mark.name)) {
      pen.canvas.rect(hit, pen.theme.field_hover, 5);
    }
    const float y = row.y + row.h / 2;
    const Color color = verdict_color(pen.theme, sign_of(preset.verdict));
    const float disc = on_slide(pen) ? hall_disc(pen) : std::min(verdict_width, row_h - 5);
    verdict_sign(pen, {row.x + disc / 2, y}, sign_of(preset.verdict), disc);
    const float used = put(pen, {row.right(), y}, word_of(preset.verdict),
                           aligned(words_style(color, small_size), Align::right), row.w * 0.4f);
    put(pen, {row.x + disc + 7, y}, preset.title, words_style(pen.theme.text, 14), row.w - used - disc - 19);
    pen.canvas.mark({});
  }
}

/// The numbers of a source and of Headlight, padded with blanks so that their decimal points are aligned:
/// "0.39   0.22" above "0.401  0.198". Other words are unchanged.
struct LinedUp {
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

LinedUp lined_up(const PresetLine& line) {
  const std::vector<std::string> a = numbers_in(line.printed), b = numbers_in(line.here);
  LinedUp out{line.printed, line.here};
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

/// Narrow cards write the numbers below their name instead of beside it.
constexpr float narrow = 720;
float line_height(float width) {
  return width < narrow ? 56.f : 36.f;
}

constexpr float largest_unit = 1.4f, highest_row = 2;

/// Returns the size at which both rows of numbers fit.
float number_size(const Pen& pen, const LinedUp& line, float width, float unit) {
  float widest = 1;
  for (const std::string* words : {&line.printed, &line.here})
    widest = std::max(widest, pen.canvas.text_width(*words, mono_style({}, 10)));
  return std::clamp(9.7f * width / widest, 5.f, 12.f * unit);
}

/// Draws the numbers of a row; `unit` is the enlargement of the row.
void draw_numbers(const Pen& pen, Box box, float top, float bottom, const PresetLine& line, float unit) {
  const draw::Theme& theme = pen.theme;
  const LinedUp numbers = lined_up(line);
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

void draw_line(const Pen& pen, Box row, const PresetLine& line) {
  const draw::Theme& theme = pen.theme;
  const std::string verdict = verdict_words(line);
  // "printed" would only repeat the word "source" beside the numbers.
  const std::string by = line.by == "printed" ? std::string() : line.by;
  // Words have no distance.
  const std::string gap = line.here.empty() || line.gap < 0 || (!line.agrees && line.gap == 0)
                              ? ""
                              : "difference " + difference(line.gap);
  const float unit = std::clamp(row.h / line_height(row.w), 1.f, largest_unit);
  const draw::TextStyle quiet = words_style(theme.dim, small_size * unit);
  if (row.w < narrow) {
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
  const float first = std::clamp(std::floor(row.w * 0.31f), 110.f, 250.f * unit), last = 124 * unit;
  put(pen, {row.x, top}, line.what, words_style(theme.text, 12 * unit), first - 8);
  put(pen, {row.x, bottom}, by, quiet, first - 8);
  draw_numbers(pen, {row.x + first, row.y, row.w - first - last - 8, row.h}, top, bottom, line, unit);
  if (!verdict.empty())
    put_verdict(pen, {row.right(), top}, verdict_of(line), verdict, 12 * unit, small_verdict * unit);
  put(pen, {row.right(), bottom}, gap, aligned(quiet, Align::right), last);
}

constexpr float remark_line = 17, below_remark = 8;

std::vector<std::string> remark_lines(const Pen& pen, const Preset& preset, float width) {
  const draw::TextStyle style = words_style(pen.theme.text, 12);
  const float whole = pen.canvas.text_width(preset.remark, style);
  const auto lines = static_cast<std::size_t>(std::clamp(whole / std::max(1.f, width) * 1.1f + 1, 1.f, 4.f));
  return wrap(pen, preset.remark, style, width, lines);
}

/// In a low window the rows of a wide card are closer together, so that all of them are on view.
constexpr float tight_line = 30;

float detail_height(const Pen& pen, const Preset& preset, float width) {
  const float inside = width - 2 * card_padding;
  return 2 * card_padding + 22 + 16 + 8 +
         remark_line * static_cast<float>(remark_lines(pen, preset, inside).size()) + below_remark +
         line_height(inside) * static_cast<float>(preset.lines.size());
}

void draw_detail(const Pen& pen, Box box, const Preset& preset) {
  const Choice open{"Open this scene", preset.set, "open scene", false,
                    "apply all settings of the example and open its page"};
  Box inside = card(pen, box, {preset.title, preset.source, button_width(pen, open)}, "preset");
  button(pen, card_corner(box), open);
  if (on_slide(pen)) return draw_hall_rows(pen, inside, preset);
  // What follows from the numbers comes first: it is on view where the rows are not.
  const draw::TextStyle style = words_style(pen.theme.text, 12);
  for (const std::string& words : remark_lines(pen, preset, inside.w))
    put(pen, {inside.x, inside.cut_top(remark_line).centre().y}, words, style, inside.w);
  inside.cut_top(below_remark);
  // A high card gives its rows more room and larger text.
  const float usual = line_height(inside.w), least = inside.w < narrow ? usual : tight_line;
  const float high = std::clamp(inside.h / static_cast<float>(std::max<std::size_t>(1, preset.lines.size())),
                                least, highest_row * usual);
  // In a wide card the verdicts stand beside the numbers, not at its far edge.
  const float unit = std::clamp(high / usual, 1.f, largest_unit);
  float widest = 0;
  for (const PresetLine& line : preset.lines) {
    const LinedUp numbers = lined_up(line);
    for (const std::string* words : {&numbers.printed, &numbers.here})
      widest = std::max(widest, pen.canvas.text_width(*words, mono_style({}, 12 * unit)));
  }
  constexpr float around = 250 + 70 + 124;  // the name, the source's name and the verdict
  const float row_width =
      std::min(inside.w, std::max({narrow, 810 * unit, around * unit + 1.05f * widest + 60}));
  for (const PresetLine& line : preset.lines) {
    Box row = inside.cut_top(high);
    pen.canvas.line({row.x, row.y}, {row.right(), row.y}, {pen.theme.faint, 1});
    row.w = row_width;
    draw_line(pen, row, line);
  }
}

constexpr float narrow_list = 560;

/// How the contradictions are written: one line each where all fit on one, else as many as each needs. A page
/// measures them once a frame, whether they are on view or not.
struct ContradictionLines {
  float apart = 0, disc = 0, room = 0;  // between them; their sign; the width of the words
  float line = 0;                       // height of one line
  draw::TextStyle style;
  std::vector<float> heights;  // of the contradictions, in their order

  ContradictionLines(const Pen& pen, const PresetsResults& r, float card_width)
      : style(words_style(pen.theme.text, 12)) {
    constexpr float close = 9, single = 7, small_disc = 16;
    disc = on_slide(pen) ? text_line(pen, 0) : small_disc;
    room = card_width - 2 * card_padding - disc - 8;
    line = text_line(pen, on_slide(pen) ? 0 : 1.4f * style.size);
    bool wrapped = false;
    for (const Preset& preset : r.presets) {
      if (preset.verdict != scene::Verdict::contradiction) continue;
      const bool one = pen.canvas.text_width(preset.short_word, literal(style)) <= room;
      heights.push_back(one ? line : paragraph(pen, {}, room, preset.short_word, style, 99, false));
      wrapped = wrapped || !one;
    }
    apart = on_slide(pen) ? 0 : wrapped ? close : single;
  }
  /// Returns the height at which no contradiction is cut.
  float card_height() const {
    float out = 2 * card_padding + 42;
    for (const float high : heights) out += high + apart;
    return out;
  }
};

void draw_contradictions(const Pen& pen, Box box, const PresetsResults& r, const ContradictionLines& lines) {
  Box inside = card(pen, box,
                    {box.w < narrow_list ? "Contradictions"
                                         : "Where a source contradicts itself, another source or the numbers",
                     "Headlight follows the numbers"},
                    "contradictions");
  const float line = lines.line;
  // A high card has more room between them.
  constexpr float most_apart = 26;
  const float spare = (box.h - lines.card_height()) / static_cast<float>(std::max(1, r.contradictions));
  // A slide has all of them, close together where they need the room.
  const float needed = std::accumulate(lines.heights.begin(), lines.heights.end(), 0.f);
  const float apart =
      on_slide(pen) ? std::clamp((inside.h - needed) / static_cast<float>(std::max(1, r.contradictions)), 0.f,
                                 0.4f * line)
                    : std::clamp(lines.apart + spare, lines.apart, std::max(lines.apart, most_apart));
  int shown = 0;
  for (std::size_t n = 0; n < r.presets.size(); ++n) {
    const Preset& preset = r.presets[n];
    if (preset.verdict != scene::Verdict::contradiction) continue;
    const float high = lines.heights[static_cast<std::size_t>(shown)];
    // On a slide the last line says how many are left out.
    if (on_slide(pen) && inside.h < high + (shown + 1 < r.contradictions ? line : 0)) {
      say_left_out(pen, inside.cut_top(line), shown, r.contradictions);
      return;
    }
    ++shown;
    const Box row = inside.cut_top(high);
    inside.cut_top(apart);
    Mark mark;
    mark.part = Part::control, mark.name = "contradiction " + std::to_string(n + 1);
    mark.set = "presets_shown=" + std::to_string(n + 1), mark.area = row;
    mark.note = preset.title + ": " + preset.short_word;
    pen.canvas.mark(mark);
    if (pen.over(mark.name)) pen.canvas.rect({row.x - 6, row.y, row.w + 12, row.h}, pen.theme.field_hover, 5);
    verdict_sign(pen, {row.x + lines.disc / 2, row.y + line / 2}, views::Verdict::alert, lines.disc);
    const float left = row.x + lines.disc + 8;
    if (high <= line) {
      put(pen, {left, row.y + line / 2}, preset.short_word, lines.style, lines.room);
    } else {
      paragraph(pen, {left, row.y}, lines.room, preset.short_word, lines.style);
    }
    pen.canvas.mark({});
  }
}

/// The chosen example between the steps to the one before and the one after it.
std::vector<Choice> neighbours(const PresetsResults& r, int chosen) {
  const auto count = static_cast<int>(r.presets.size());
  const auto one = [&](int at, std::string label, const char* name) {
    at = (at + count) % count;
    return Choice{std::move(label), "presets_shown=" + std::to_string(at + 1), name, at == chosen,
                  r.presets[static_cast<std::size_t>(at)].title};
  };
  return {one(chosen - 1, "‹", "example before"),
          one(chosen, "example " + std::to_string(chosen + 1) + " of " + std::to_string(count), "example"),
          one(chosen + 1, "›", "example after")};
}

}  // namespace

std::string presets_question(const PageInput&) {
  return "Do the numbers agree with the sources?";
}

float presets_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const Pen pen{canvas, in.theme, in.hover};
  Box rest = area.inset(card_gap);
  if (!in.own<scene::PresetsResults>() || rest.w < 120) {
    placeholder(pen, area, "Presets", "being computed");
    return area.h;
  }
  const PresetsResults& r = *in.own<scene::PresetsResults>();
  const Preset& preset = r.presets[static_cast<std::size_t>(chosen_in(in, r))];
  if (on_slide(pen)) {
    const float high = hall_height(rest.w);
    rest.h = 1e6f;
    draw_list(pen, rest.cut_top(high), in, r);
    // All of them fit, in lines as wide as a slide, whose picture is at least this wide for its height.
    constexpr float of_slide = 0.4f;
    const ContradictionLines lines(pen, r, rest.w);
    const float needed =
        std::accumulate(lines.heights.begin(), lines.heights.end(), 2 * card_padding + 0.5f * lines.line);
    draw_contradictions(pen, rest.cut_top(std::max(needed, of_slide * rest.w)), r, lines);
    draw_detail(pen, rest.cut_top(high), preset);
    return rest.y - area.y;
  }
  const bool two = area.w >= 900;
  const float list_w = two ? std::clamp(area.w * 0.30f, 320.f, 480.f) : rest.w;
  const float list_h = 2 * card_padding + 60 + list_row * static_cast<float>(r.presets.size());
  const float detail_w = two ? rest.w - list_w - card_gap : rest.w;
  const ContradictionLines lines(pen, r, detail_w);
  const float wrong_h = lines.card_height();
  float detail_h = detail_height(pen, preset, detail_w);
  if (two && detail_h > rest.h && detail_w - 2 * card_padding >= narrow)
    detail_h -= (line_height(detail_w) - tight_line) * static_cast<float>(preset.lines.size());
  if (two) {
    const bool wide = rest.w >= columns_from - 2 * card_gap;  // else there are no columns
    const float side_h = wide ? ContradictionLines(pen, r, side_column).card_height() : wrong_h;
    const ColumnCard later[] = {{side_h, [&](Box box) {
                                   draw_contradictions(pen, box, r, {pen, r, box.w});
                                 }}};
    if (rest.h >= std::max(list_h, detail_h) && in_columns(rest, later)) {
      draw_list(pen, rest.cut_left(list_w), in, r);
      rest.cut_left(card_gap);
      draw_detail(pen, rest, preset);
      return area.h;
    }
    const float whole = std::max({rest.h, list_h, detail_h + card_gap + wrong_h});
    rest.h = whole;
    draw_list(pen, rest.cut_left(list_w), in, r);
    rest.cut_left(card_gap);
    draw_contradictions(pen, rest.cut_bottom(wrong_h), r, lines);
    rest.cut_bottom(card_gap);
    draw_detail(pen, rest, preset);
    return std::max(area.h, whole + 2 * card_gap);
  }
  Stack stack(rest);
  // The list is far below: the examples are also one step from each other.
  if (const std::vector<Choice> steps = neighbours(r, chosen_in(in, r)); !pen.canvas.plain()) {
    segmented(pen, {rest.x + segmented_width(pen, steps), stack.y()}, steps);
    stack.skip(control_height + 8);
  }
  draw_detail(pen, stack.next(detail_h), preset);
  draw_contradictions(pen, stack.next(wrong_h), r, lines);
  draw_list(pen, stack.next(list_h), in, r);
  return std::max(area.h, stack.y() - area.y);
}

std::string presets_tooltip(const PageInput&, const draw::Hit& hit) {
  return hit.mark.note;
}

std::string presets_words(const PageInput& in) {
  const auto* r = in.own<scene::PresetsResults>();
  if (!r) return {};
  const Preset& preset = r->presets[static_cast<std::size_t>(chosen_in(in, *r))];
  if (preset.verdict == scene::Verdict::formula)
    return preset.title + ": no printed number; Headlight uses the same formula";
  const std::string verdict = preset.title + ": " + word_of(preset.verdict);
  // Words have no distance.
  const bool numbers = std::any_of(preset.lines.begin(), preset.lines.end(),
                                   [](const PresetLine& line) { return line.agrees && line.gap >= 0; });
  return numbers ? verdict + ", largest difference where they agree " + difference(preset.gap) : verdict;
}

std::string preset_finding(const PageInput& in) {
  const auto* r = in.own<scene::PresetsResults>();
  if (!r) return {};
  const Preset& preset = r->presets[static_cast<std::size_t>(chosen_in(in, *r))];
  if (preset.verdict == scene::Verdict::formula)
    return "The source prints no number; Headlight uses the same formula";
  const auto computed = std::count_if(preset.lines.begin(), preset.lines.end(),
                                      [](const PresetLine& line) { return !line.here.empty(); });
  const auto differing = std::count_if(preset.lines.begin(), preset.lines.end(), [](const PresetLine& line) {
    return !line.here.empty() && !line.agrees;
  });
  if (computed == 0) return {};
  const std::string rows = base::counted(computed, "row");
  if (differing == 0)
    return computed == 1 ? std::string("Its only row agrees with Headlight")
                         : "All " + rows + " agree with Headlight";
  return std::to_string(differing) + " of " + rows + (differing == 1 ? " differs" : " differ") +
         " from what Headlight computes";
}

}  // namespace headlight::views
