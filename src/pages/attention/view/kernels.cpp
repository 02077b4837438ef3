#include <algorithm>
#include <cmath>

#include "kit/plot.h"
#include "kit/weight_bar.h"
#include "kit/words.h"
#include "pages/attention/offset_words.h"
#include "pages/attention/view/below.h"
#include "scene/detail_query.h"

namespace headlight::views {

namespace {

struct Kernel {
  int query = 0;
  std::span<const float> weights;
  base::Interval allowed;  // keys that the query may attend to
  draw::Color color;       // of its words
  float top = 1;           // of the scale
};

/// The offsets on view: those at which either query has keys, at most 32 to each side of 0, or of the marked
/// offset when that is further away.
struct Offsets {
  int first = 0, last = 0;
  int count() const { return last - first + 1; }
};

Offsets offsets_of_both(int detail_query, int other, int tokens) {
  return {-std::max(detail_query, other), tokens - 1 - std::min(detail_query, other)};
}

Offsets offsets_on_view(const Offsets& all, int spoken_of) {
  constexpr int most = 32;
  const int middle = std::abs(spoken_of) > most ? spoken_of : 0;
  return {std::max(all.first, middle - most), std::min(all.last, middle + most)};
}

/// "Shown: offsets −6 … +32 of −6 … +84."; empty: all are.
std::string not_all_words(const Offsets& shown, const Offsets& all) {
  if (shown.count() == all.count()) return {};
  return "Shown: offsets " + scene::offset_words({shown.first, shown.last + 1}) + " of " +
         scene::offset_words({all.first, all.last + 1}) + ". ";
}

/// Writes the keys below the bars: first those of the framed offset and of the largest weight, then others
/// that have room.
void name_keys(const Sheet& sheet, Box row, const Kernel& kernel, const Offsets& offsets, int marked) {
  const draw::TextStyle style = aligned(words_style(sheet.theme().text, small_size), Align::centre);
  const float pitch = row.w / static_cast<float>(offsets.count());
  const int S = static_cast<int>(kernel.weights.size()), step = label_step(pitch, 52);
  std::vector<int> wanted = {marked};
  if (S > 0)
    wanted.push_back(static_cast<int>(std::max_element(kernel.weights.begin(), kernel.weights.end()) -
                                      kernel.weights.begin()) -
                     kernel.query);
  for (int offset = offsets.first; offset <= offsets.last; ++offset)
    if (offset % step == 0) wanted.push_back(offset);
  std::vector<base::Interval> taken;  // in units of the row
  for (const int offset : wanted) {
    const int key = kernel.query + offset;
    if (offset < offsets.first || offset > offsets.last || key < 0 || key >= S) continue;
    const std::string name = token_label(sheet.in, key);
    const float most = std::max(52.f, pitch * static_cast<float>(step)) - 4;
    const float half = std::min(most, sheet.pen.canvas.text_width(name, literal(style))) / 2 + 3;
    // Centre the word below its bar, but keep it inside the row.
    const float middle = std::max(
        row.x + half,
        std::min(row.right() - half, row.x + (static_cast<float>(offset - offsets.first) + 0.5f) * pitch));
    const base::Interval place{static_cast<int>(std::floor(middle - half)),
                               static_cast<int>(std::ceil(middle + half))};
    if (std::any_of(taken.begin(), taken.end(), [&](const base::Interval& other) {
          return place.begin < other.end && other.begin < place.end;
        }))
      continue;
    taken.push_back(place);
    put(sheet.pen, {middle, row.centre().y}, name, literal(style), most);
  }
}

/// Draws the lines of a vertical axis from 0 to `top` across the box, and their numbers at its left.
void draw_axis(const Pen& pen, Box box, float top) {
  const draw::TextStyle style = aligned(words_style(pen.theme.dim, small_size), Align::right);
  for (const Tick& one : round_ticks(static_cast<double>(top), std::max(1.f, box.h / 40))) {
    if (one.value > static_cast<double>(top)) continue;
    const float y = box.bottom() - static_cast<float>(one.value) / top * box.h;
    if (one.value > 0) pen.canvas.line({box.x, y}, {box.right(), y}, {pen.theme.faint, 1});
    pen.canvas.text({box.x - 6, std::clamp(y, box.y + 6, box.bottom() - 6)}, one.words, style);
  }
}

/// Draws bars by offset, in the colours of their weights. An offset without a key stays empty. A masked key
/// has a name but no bar, since no weight was computed.
void draw_kernel(const Sheet& sheet, Box box, const Kernel& kernel, const Offsets& offsets, int marked) {
  const Pen& pen = sheet.pen;
  const draw::Theme& theme = sheet.theme();
  const Box title = box.cut_top(18);
  put(pen, {title.x, title.centre().y},
      "query " + quoted_token(sheet.in, kernel.query) + " " + std::to_string(kernel.query),
      strong_style(kernel.color, 12), title.w);
  constexpr int many = 40;  // bars that are too narrow for their numbers have an axis
  constexpr float axis_room = 34, number_line = 14;
  const bool axis = offsets.count() > many;
  if (axis) box.cut_left(axis_room);
  const Box labels = box.cut_bottom(30);
  if (box.h < 12) return;
  if (axis) draw_axis(pen, box, kernel.top);
  const float pitch = box.w / static_cast<float>(offsets.count());
  const int S = static_cast<int>(kernel.weights.size());
  pen.canvas.line({box.x, box.bottom()}, {box.right(), box.bottom()}, {theme.dim, 1});
  const draw::TextStyle tick = aligned(words_style(theme.dim, small_size), Align::centre);
  const std::string widest = "+" + std::to_string(std::max(std::abs(offsets.first), std::abs(offsets.last)));
  const int step = label_step(pitch, std::max(24.f, pen.canvas.text_width(widest, tick) + 10));
  const std::string detail_query =
      "query " + quoted_token(sheet.in, kernel.query) + " " + std::to_string(kernel.query) + ", offset ";
  const int decimals = shown_decimals(sheet.in);
  for (int offset = offsets.first; offset <= offsets.last; ++offset) {
    const float x = box.x + static_cast<float>(offset - offsets.first) * pitch;
    const int key = kernel.query + offset;
    const Box place{x, box.y, pitch, box.h};
    if (offset % step == 0)
      put(pen, {x + pitch / 2, labels.y + 8}, offset > 0 ? "+" + std::to_string(offset) : fixed(offset, 0),
          tick, std::max(pitch * float(step), 20.f));
    if (key < 0 || key >= S) {
      masked_area(pen, place.inset(1));
      continue;
    }
    const bool masked = key < kernel.allowed.begin || key >= kernel.allowed.end;
    const float weight = kernel.weights[static_cast<std::size_t>(key)];
    const float part = std::isfinite(weight) ? std::clamp(weight / kernel.top, 0.f, 1.f) : 0.f;
    draw::Mark mark;
    mark.part = draw::Part::note, mark.area = place;
    mark.note =
        detail_query + fixed(offset, 0) + ": key " + quoted_token(sheet.in, key) + " " + std::to_string(key) +
        "\n" +
        (masked ? std::string("masked") : "weight " + weight_text(static_cast<double>(weight), decimals));
    pen.canvas.mark(mark);
    const float gap = pitch > 8 ? 2.f : 0.5f, high = masked ? 0.f : std::max(1.f, part * box.h);
    if (masked) {
      masked_area(pen, place.inset(1));
    } else {
      pen.canvas.rect({x + gap, box.bottom() - high, pitch - 2 * gap, high},
                      draw::color_of(theme, draw::Colormap::weight, theme.dark ? 0.8f : 0.72f, 0, 1),
                      pitch > 8 ? 2.f : 0.f);
    }
    pen.canvas.mark({});
    if (offset == marked) pen.canvas.frame(place, {theme.text, 1.2f}, 3);
    if (axis && offset == marked && !masked) {  // above all bars, beside the frame
      const std::string number = weight_text(static_cast<double>(weight), decimals);
      const draw::TextStyle style = mono_style(theme.text, small_size);
      const bool left = place.right() + 4 + pen.canvas.text_width(number, style) > box.right();
      pen.canvas.text({left ? place.x - 4 : place.right() + 4, box.y + number_line / 2}, number,
                      aligned(style, left ? Align::right : Align::left));
    }
    if (masked) {
      if (pitch >= 12)
        put(pen, {x + pitch / 2, box.bottom() - 7}, "–",
            aligned(mono_style(theme.dim, small_size), Align::centre));
    } else if (pitch >= 34 && high + number_line < box.h && weight >= unwritten_weight(2)) {
      put(pen, {x + pitch / 2, box.bottom() - high - 7}, fixed(static_cast<double>(weight), 2),
          aligned(mono_style(theme.dim, small_size), Align::centre));
    }
  }
  name_keys(sheet, {labels.x, labels.y + 14, labels.w, 16}, kernel, offsets, marked);
}

}  // namespace

void draw_kernels(const Sheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const int T = sheet.trace().T;
  if (other_keys(sheet.in)) {
    placeholder(pen, card(pen, box, {"Weights by offset j − i"}, "kernels"),
                "Queries and keys are different tokens",
                "an offset from a query to a key needs one line of tokens");
    return;
  }
  const int detail_query = sheet.selection.detail_query >= 0 ? sheet.selection.detail_query : 0;
  const int other = scene::other_query(sheet.in.scene, detail_query, T);
  std::vector<Choice> steps;
  if (T > 2) {
    const auto beside = [&](int by) {
      int to = ((other + by) % T + T) % T;
      if (to == detail_query) to = ((to + by) % T + T) % T;
      return "other_query=" + std::to_string(to);
    };
    steps = {{"‹", beside(-1), "other query before", false, "compare with the previous query"},
             {"›", beside(1), "other query after", false, "compare with the next query"}};
  }
  const float controls = steps.empty() ? 0.f : segmented_width(pen, steps);
  Box inside = card(pen, box, {"Weights by offset j − i", "", controls}, "kernels");
  if (!steps.empty()) segmented(pen, card_corner(box), steps);
  if (other < 0) {
    constexpr float one_line = 60;
    if (pen.canvas.plain()) pen.canvas.saved(inside.h - one_line);
    placeholder(pen, inside, pen.canvas.plain() ? "One token has no second query" : "One token",
                in_window(pen, "two queries are needed: type a longer sentence"));
    return;
  }
  std::vector<float> room_a, room_b;
  const std::span<const float> a = combined_row(sheet, detail_query, room_a),
                               b = combined_row(sheet, other, room_b);
  const auto of_both = [&](const char* name) {
    return quantity(name, {{"query", detail_query}, {"other", other}});
  };
  // Each number is read once, since long rows are expensive.
  const std::string difference = of_both("kernel_difference");
  const scene::NamedNumber read = sheet.in.numbers ? sheet.in.read(difference) : scene::NamedNumber{};
  const double most = read.value;
  const bool same = scene::same_kernel(most);
  const double where = same ? 0 : sheet.in.value(of_both("kernel_offset"));
  const auto allowed = [&](int query) { return sheet.trace().allowed[static_cast<std::size_t>(query)]; };
  const std::string none = scene::not_compared(a, detail_query, b, other, most);
  // The mask of saved attention is not known: it was inferred from the zero weights.
  const scene::OpenedLayer* const opened = sheet.in.results.opened.get();
  const bool unsaid = same || (opened && opened->saved);
  const std::string mask = unsaid ? ""
                                  : scene::masks_in_words(allowed(detail_query), detail_query, allowed(other),
                                                          other, sheet.trace().S);
  const bool spoken_of = !same && none.empty();
  const Offsets all = offsets_of_both(detail_query, other, T),
                offsets = offsets_on_view(all, spoken_of ? static_cast<int>(where) : 0);
  const std::string words =
      !none.empty() ? none
      : same ? "At every offset that both queries share, the weights are equal to three decimals, as in a "
               "convolution. " +
                   not_all_words(offsets, all)
             : "A convolution has one kernel for all positions. Here the two queries have different weights "
               "at the same offset: they differ by " +
                   sheet.in.noted(difference, most, base::written(most, read.form)) + " at offset " +
                   sheet.in.text(of_both("kernel_offset")) + " (framed), the largest difference. " + mask +
                   (mask.empty() ? "" : " ") + not_all_words(offsets, all) + "Empty: no key at that offset." +
                   (sheet.selection.masked ? " –: a masked key." : "");
  const draw::TextStyle quiet = words_style(sheet.theme().dim, small_size);
  const Box foot = inside.cut_bottom(paragraph(pen, {}, inside.w, words, quiet, 6, false));
  paragraph(pen, {foot.x, foot.y}, foot.w, words, quiet, 6);
  inside.cut_bottom(8);
  const Box upper = inside.cut_top((inside.h - 8) / 2);
  inside.cut_top(8);
  const int marked = spoken_of ? static_cast<int>(where) : offsets.last + 1;
  // Both kernels share one scale, with room for a number above the highest bar.
  float top = 0.02f;
  for (const std::span<const float> row : {a, b}) {
    for (const float weight : row) top = std::isfinite(weight) ? std::max(top, weight) : top;
  }
  top *= 1.25f;
  const Color pinned = marks_selection(pen) ? sheet.theme().query : sheet.theme().text;
  draw_kernel(sheet, upper, {detail_query, a, allowed(detail_query), pinned, top}, offsets, marked);
  draw_kernel(sheet, inside, {other, b, allowed(other), sheet.theme().text, top}, offsets, marked);
}

}  // namespace headlight::views
