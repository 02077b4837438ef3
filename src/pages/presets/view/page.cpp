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
  const bool with_verdicts =
      pen.canvas.plain() || std::all_of(r.presets.begin(), r.presets.end(), [&](const Preset& preset) {
        return pen.canvas.text_width(preset.title, words_style(pen.theme.text, 14)) +
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
    put(pen, {row.x + disc + 7, y}, preset.title, words_style(pen.theme.text, 14),
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
    const float high = slide_height(rest.w);
    rest.h = 1e6f;
    draw_list(pen, rest.cut_top(high), in, r);
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
  const float list_w = two ? std::clamp(area.w * 0.30f, 356.f, 480.f) : rest.w;
  const float list_h = 2 * card_padding + 60 + list_row * static_cast<float>(r.presets.size());
  const float detail_w = two ? rest.w - list_w - card_gap : rest.w;
  const ContradictionLines lines(pen, r, detail_w);
  const float wrong_h = lines.card_height();
  float detail_h = example_height(pen, preset, detail_w);
  if (two && detail_h > rest.h) detail_h = low_example_height(pen, preset, detail_w);
  if (two) {
    const bool wide = rest.w >= columns_from - 2 * card_gap;  // else there are no columns
    const float side_h = wide ? ContradictionLines(pen, r, side_column).card_height() : wrong_h;
    const ColumnCard later[] = {{side_h, [&](Box box) {
                                   draw_contradictions(pen, box, r, {pen, r, box.w});
                                 }}};
    if (rest.h >= std::max(list_h, detail_h) && in_columns(rest, later)) {
      draw_list(pen, rest.cut_left(list_w), in, r);
      rest.cut_left(card_gap);
      draw_example(pen, rest, preset);
      return area.h;
    }
    const float whole = std::max({rest.h, list_h, detail_h + card_gap + wrong_h});
    rest.h = whole;
    draw_list(pen, rest.cut_left(list_w), in, r);
    rest.cut_left(card_gap);
    draw_contradictions(pen, rest.cut_bottom(wrong_h), r, lines);
    rest.cut_bottom(card_gap);
    draw_example(pen, rest, preset);
    return std::max(area.h, whole + 2 * card_gap);
  }
  Stack stack(rest);
  // The list is far below: the examples are also one step from each other.
  if (const std::vector<Choice> steps = neighbours(r, chosen_in(in, r)); !pen.canvas.plain()) {
    segmented(pen, {rest.x + segmented_width(pen, steps), stack.y()}, steps);
    stack.skip(control_height + 8);
  }
  draw_example(pen, stack.next(detail_h), preset);
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
