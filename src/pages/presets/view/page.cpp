#include "pages/presets/view/page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/words.h"
#include "kit/card.h"
#include "kit/columns.h"
#include "kit/page_input.h"
#include "kit/verdict.h"
#include "kit/words.h"
#include "pages/presets/presets.h"
#include "pages/presets/view/example.h"
#include "pages/presets/view/slide_rows.h"

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

constexpr float list_row = 27, low_list_row = 20, list_apart = 24, list_head = 60;

/// The list with its rows in one column or in two.
struct ListPlan {
  int columns = 1;
  float width = 0, row = list_row;
  float size = title_size;  // of the names
  int rows(const PresetsResults& r) const {
    return (static_cast<int>(r.presets.size()) + columns - 1) / columns;
  }
  float height(const PresetsResults& r) const {
    return 2 * card_padding + list_head + row * static_cast<float>(rows(r));
  }
};

/// On a slide the list has two columns, so that as many rows fit as in a window; in a window where one is
/// higher than the page, and the names of two have room beside the example.
ListPlan list_plan(const Pen& pen, const PresetsResults& r, Box page) {
  constexpr float least = 356, most = 480, beside = 25, least_example = 600;
  const ListPlan one{1, std::clamp((page.w + 2 * card_gap) * 0.30f, least, most)};
  if (one.height(r) <= page.h || pen.canvas.plain()) return one;
  for (const float size : {title_size, small_size}) {
    float names = 0;
    for (const Preset& preset : r.presets)
      names = std::max(names, pen.canvas.text_width(preset.title, words_style({}, size)));
    ListPlan two{2, std::ceil(2 * (names + beside) + list_apart + 2 * card_padding), list_row, size};
    if (two.height(r) > page.h) two.row = low_list_row;
    if (page.w - card_gap - two.width >= least_example) return two;
  }
  return one;
}

/// What the signs of the verdicts mean, with how many there are of each, in place of a subtitle.
void draw_legend(const Pen& pen, Box row, const PageInput& in, const PresetsResults& r, int lines) {
  struct Entry {
    scene::Verdict verdict;
    const char *quantity, *words, *note;
  };
  const Entry entries[] = {
      {scene::Verdict::agrees, "presets_agreeing", " agree", "what the source prints is what is computed"},
      {scene::Verdict::contradiction, "presets_contradictions", " contradictions",
       "the source contradicts itself, another source or the numbers"},
      {scene::Verdict::formula, "presets_formulas", " formulas",
       "the source prints no number; Headlight uses the same formula"},
      {scene::Verdict::differs, "presets_differing", r.differing == 1 ? " differs" : " differ",
       "what the source prints is not what is computed"}};
  constexpr float after_sign = 4, between = 16;
  const float disc = on_slide(pen) ? text_line(pen, 0) : small_verdict;
  const draw::TextStyle style = words_style(pen.theme.dim);
  const bool two_rows = lines > 1;
  row.h /= static_cast<float>(lines);
  float x = row.x;
  for (const Entry& entry : entries) {
    const std::string words = in.text(entry.quantity) + entry.words;
    if (two_rows && entry.verdict == scene::Verdict::formula) x = row.x, row.y += row.h;
    const float wide = disc + after_sign + pen.canvas.text_width(words, style);
    Mark mark;
    mark.part = Part::note, mark.name = std::string("legend ") + word_of(entry.verdict);
    mark.note = entry.note, mark.area = {x, row.y, wide, row.h};
    pen.canvas.mark(mark);
    verdict_sign(pen, {x + disc / 2, row.centre().y}, sign_of(entry.verdict), disc);
    put(pen, {x + disc + after_sign, row.centre().y}, words, style, row.right() - x - disc - after_sign);
    pen.canvas.mark({});
    x += wide + between;
  }
}

void draw_list(const Pen& pen, Box box, const PageInput& in, const PresetsResults& r, const ListPlan& plan) {
  const int chosen = chosen_in(in, r);
  Box inside = card(pen, box, {"Examples from the sources"}, "list");
  constexpr float one_line = 380;  // of the legend
  const int lines = inside.w < one_line ? 2 : 1;
  const float high = text_line(pen, 20) * static_cast<float>(lines);
  draw_legend(pen, {inside.x, inside.y - 6, inside.w, high}, in, r, lines);
  inside.cut_top(high);
  const int count = static_cast<int>(r.presets.size()), columns = plan.columns, rows = plan.rows(r);
  constexpr float apart = list_apart;
  const float wide = (inside.w - apart * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const float row_h = std::clamp(inside.h / static_cast<float>(rows), text_line(pen, low_list_row), 42.f);
  const int fit = on_slide(pen) ? rows_that_fit(inside.h, row_h, rows) : rows;
  if (fit < rows)
    say_left_out(pen, {inside.x, inside.y + static_cast<float>(fit) * row_h, inside.w, row_h}, fit * columns,
                 count);
  const bool with_verdicts =
      pen.canvas.plain() || std::all_of(r.presets.begin(), r.presets.end(), [&](const Preset& preset) {
        return pen.canvas.text_width(preset.title, words_style(pen.theme.text, plan.size)) +
                   pen.canvas.text_width(word_of(preset.verdict), words_style({}, small_size)) +
                   verdict_width + 19 <=
               wide;
      });
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
    const float disc = on_slide(pen) ? slide_disc(pen) : std::min(verdict_width, row_h - 5);
    verdict_sign(pen, {row.x + disc / 2, y}, sign_of(preset.verdict), disc);
    // The sign says the verdict too; in a narrow list the names have the room of its word.
    const float used = with_verdicts
                           ? put(pen, {row.right(), y}, word_of(preset.verdict),
                                 aligned(words_style(color, small_size), Align::right), row.w * 0.4f)
                           : 0;
    put(pen, {row.x + disc + 7, y}, preset.title, words_style(pen.theme.text, plan.size),
        row.w - used - disc - (with_verdicts ? 19 : 7));
    pen.canvas.mark({});
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
      const bool one = pen.canvas.text_width(base::capital(preset.short_word), literal(style)) <= room;
      heights.push_back(one ? line
                            : paragraph(pen, {}, room, base::capital(preset.short_word), style, 99, false));
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
    mark.note = preset.title + ": " + base::capital(preset.short_word);
    pen.canvas.mark(mark);
    if (pen.over(mark.name)) pen.canvas.rect({row.x - 6, row.y, row.w + 12, row.h}, pen.theme.field_hover, 5);
    verdict_sign(pen, {row.x + lines.disc / 2, row.y + line / 2}, views::Verdict::alert, lines.disc);
    const float left = row.x + lines.disc + 8;
    if (high <= line) {
      put(pen, {left, row.y + line / 2}, base::capital(preset.short_word), lines.style, lines.room);
    } else {
      paragraph(pen, {left, row.y}, lines.room, base::capital(preset.short_word), lines.style);
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
    placeholder(pen, area, "References", "being computed");
    return area.h;
  }
  const PresetsResults& r = *in.own<scene::PresetsResults>();
  const Preset& preset = r.presets[static_cast<std::size_t>(chosen_in(in, r))];
  if (on_slide(pen)) {
    constexpr float two_from = 560;
    const float high = slide_height(rest.w);
    rest.h = 1e6f;
    draw_list(pen, rest.cut_top(high), in, r, {rest.w >= two_from ? 2 : 1});
    // All of them fit, in lines as wide as a slide, whose picture is at least this wide for its height.
    constexpr float of_slide = 0.4f;
    const ContradictionLines lines(pen, r, rest.w);
    const float needed =
        std::accumulate(lines.heights.begin(), lines.heights.end(), 2 * card_padding + 0.5f * lines.line);
    draw_contradictions(pen, rest.cut_top(std::max(needed, of_slide * rest.w)), r, lines);
    draw_example(pen, rest.cut_top(high), preset);
    return rest.y - area.y;
  }
  const bool two = area.w >= 900;
  const float list_h = 2 * card_padding + list_head + list_row * static_cast<float>(r.presets.size());
  if (two) {
    const ListPlan list = list_plan(pen, r, rest);
    float detail_w = rest.w - list.width - card_gap, detail_h = example_height(pen, preset, detail_w);
    if (detail_h > rest.h) detail_h = low_example_height(pen, preset, detail_w);
    const bool wide = rest.w >= columns_from - 2 * card_gap;  // else there are no columns
    const float side_h = wide ? ContradictionLines(pen, r, side_column).card_height() : 0;
    const ColumnCard later[] = {{side_h, [&](Box box) {
                                   draw_contradictions(pen, box, r, {pen, r, box.w});
                                 }}};
    if (wide && rest.h >= std::max(list.height(r), detail_h) && in_columns(rest, later)) {
      draw_list(pen, rest.cut_left(list.width), in, r, list);
      rest.cut_left(card_gap);
      draw_example(pen, rest, preset);
      return area.h;
    }
    // The list and the example have a screen, the contradictions the next one.
    const float window = rest.h;
    rest.h = std::max({window, list.height(r), detail_h});
    Box row = rest;
    draw_list(pen, row.cut_left(list.width), in, r, list);
    row.cut_left(card_gap);
    row.h = std::max(window, detail_h);  // it does not grow with the list
    draw_example(pen, row, preset);
    const ContradictionLines lines(pen, r, rest.w);
    const Box below{rest.x, rest.bottom() + card_gap, rest.w, std::max(window, lines.card_height())};
    draw_contradictions(pen, pen.canvas.plain() ? Box{below.x, below.y, below.w, lines.card_height()} : below,
                        r, lines);
    return std::max(area.h, below.bottom() + card_gap - area.y);
  }
  const ContradictionLines lines(pen, r, rest.w);
  const float wrong_h = lines.card_height(), detail_h = example_height(pen, preset, rest.w);
  Stack stack(rest);
  // The list is far below: the examples are also one step from each other.
  if (const std::vector<Choice> steps = neighbours(r, chosen_in(in, r)); !pen.canvas.plain()) {
    segmented(pen, {rest.x + segmented_width(pen, steps), stack.y()}, steps);
    stack.skip(control_height + 8);
  }
  draw_example(pen, stack.next(detail_h), preset);
  draw_contradictions(pen, stack.next(wrong_h), r, lines);
  draw_list(pen, stack.next(list_h), in, r, {});
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
  return numbers ? verdict + ", largest difference where they agree " + difference_words(preset.gap)
                 : verdict;
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
