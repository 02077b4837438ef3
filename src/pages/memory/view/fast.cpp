// Fast weights: the matrix before the step, the outer product that is written, the matrix after it, and the
// query that reads it.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "kit/cells.h"
#include "kit/words.h"
#include "pages/memory/memory.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

namespace {

constexpr float sign_width = 32, label_height = 19;
constexpr float readback_height = 134, strip_height = control_height + 8;

/// Tokens around the current one as chips, as many as fit, between buttons that move by one.
void step_strip(const MemoryView& view, Box box) {
  const Pen& pen = view.pen;
  const int T = view.tokens(), now = view.step();
  const auto to = [](int step) { return "memory_step=" + std::to_string(step); };
  const bool last_step = now >= T, first_step = now <= 1;
  const Choice next{"Next",
                    to(std::min(T, now + 1)),
                    "next step",
                    false,
                    last_step ? "this is the last token" : "write the next token",
                    !last_step};
  const Choice back{"Back",
                    to(std::max(1, now - 1)),
                    "previous step",
                    false,
                    first_step ? "this is the first token" : "undo the last write",
                    !first_step};
  Box rest = box;
  button(pen, {rest.right(), rest.y}, next);
  rest.cut_right(button_width(pen, next) + 6);
  button(pen, {rest.right(), rest.y}, back);
  rest.cut_right(button_width(pen, back) + 12);
  const draw::TextStyle quiet = words_style(pen.theme.dim);

  const auto width = [&](int t) {
    return std::min(110.f,
                    std::ceil(pen.canvas.text_width(view.token(t), literal(words_style(pen.theme.text))))) +
           16;
  };
  float all = -4;
  for (int t = 0; t < T && all <= rest.w; ++t) all += width(t) + 4;
  if (all > rest.w) {  // how many are left out is said at either end
    const float words = pen.canvas.text_width(std::to_string(T) + " earlier", quiet) + 8;
    if (now > 1) rest.cut_left(words);
    if (now < T) rest.cut_right(words);
  }
  int first = now - 1, last = now;  // grows to both sides while there is room
  float used = width(first);
  for (bool grown = true; grown;) {
    grown = false;
    if (last < T && used + 4 + width(last) <= rest.w) used += 4 + width(last++), grown = true;
    if (first > 0 && used + 4 + width(first - 1) <= rest.w) used += 4 + width(--first), grown = true;
  }
  if (first > 0) put(pen, {box.x, rest.y + control_height / 2}, std::to_string(first) + " earlier", quiet);
  float x = first > 0 ? rest.x : box.x;
  for (int t = first; t < last; ++t) {
    draw::Mark mark;
    mark.part = draw::Part::control, mark.name = "step " + std::to_string(t + 1), mark.set = to(t + 1);
    mark.note = "step " + std::to_string(t + 1) + " of " + std::to_string(T) + ": " + view.token(t);
    mark.area = {x, rest.y, std::min(width(t), rest.right() - x), control_height};
    pen.canvas.mark(mark);
    const bool current = t + 1 == now, written = t < now;
    if (current) {
      pen.canvas.rect(mark.area, pen.theme.selected, 6);
    } else if (written || pen.over(mark.name)) {
      pen.canvas.rect(mark.area, pen.over(mark.name) ? pen.theme.field_hover : pen.theme.field, 6);
    }
    pen.canvas.frame(mark.area, {current ? pen.theme.dim : pen.theme.border, 1}, 6);
    const draw::Color color = written || current ? pen.theme.text : pen.theme.dim;
    draw::TextStyle style = words_style(color);
    if (current) style.font = draw::Font::semibold;
    put(pen, mark.area.centre(), view.token(t), aligned(literal(style), Align::centre), mark.area.w - 8);
    pen.canvas.mark({});
    x += width(t) + 4;
  }
  if (last < T) put(pen, {x + 4, rest.y + control_height / 2}, std::to_string(T - last) + " more", quiet);
}

void sign(const MemoryView& view, Point centre, const char* words) {
  view.pen.canvas.text(centre, words, aligned(strong_style(view.theme().dim, 18), Align::centre));
}

void caption(const MemoryView& view, Box box, const std::string& words, draw::Color color) {
  put(view.pen, {box.x, box.y - 11}, words, strong_style(color, small_size), box.w);
}

/// Where the three matrices stand; how high a vector above one is and how wide one beside it, and y.
struct Places {
  Box before, written, after;
  Point plus, equals;  // the signs between them
  Box beside;          // two rows: what is left beside the last matrix, for the foot
  float high = 15, wide = 15, read = 48;
};

/// The vectors have room for their numbers in a wide card and on a slide.
void size_vectors(const MemoryView& view, Places& at, float width) {
  constexpr float wide_card = 900;
  const bool narrow = !on_slide(view.pen) && width < wide_card;
  if (view.pen.canvas.plain() ? !on_slide(view.pen) : narrow && !view.in.alone) return;
  const draw::TextStyle number = mono_style(view.theme().text);
  at.high = text_line(view.pen, 20);
  at.wide = view.pen.canvas.text_width(narrow ? "−0.0" : "−0.00", number) + 8;
  at.read = view.pen.canvas.text_width("−00.0", number) + 8;
}

/// `rows` by `cols`: 0: as high as the box; else with square cells.
Places places(const MemoryView& view, Box box, int rows = 0, int cols = 1) {
  Places out;
  size_vectors(view, out, box.w);
  // Above each matrix a caption; above the last two also a vector, at the left of the second and at the right
  // of the last one, too.
  float side = (box.w - 2 * sign_width - (out.wide + 4) - (out.read + 4) - 11) / 3;
  const float top = box.y + text_line(view.pen, label_height) + out.high + 4;
  float high = box.bottom() - top;
  if (rows > 0) {
    const auto down = static_cast<float>(rows), across = static_cast<float>(cols);
    const float cell = std::min(side / across, std::max(high, down) / down);
    side = cell * across, high = cell * down;
  }
  out.before = {box.x, top, side, high};
  out.written = {out.before.right() + sign_width + out.wide + 4, top, side, high};
  out.after = {out.written.right() + sign_width, top, side, high};
  out.plus = {out.before.right() + sign_width / 2, out.before.centre().y};
  out.equals = {out.written.right() + sign_width / 2, out.written.centre().y};
  return out;
}

/// The sum in two rows, for a card that is high and narrow: W after the step is below W before it, and all
/// vectors have room for their numbers.
Places two_rows(const MemoryView& view, Box box) {
  Places out;
  const draw::TextStyle number = mono_style(view.theme().text);
  out.high = text_line(view.pen, 20);
  out.wide = view.pen.canvas.text_width("−0.00", number) + 12;
  out.read = view.pen.canvas.text_width("−00.0", number) + 8;
  const float above = text_line(view.pen, label_height) + out.high + 4;
  constexpr float between = 10;
  const float side = (box.w - 2 * sign_width - (out.wide + 4)) / 2;
  const float high = (box.h - 2 * above - between) / 2;
  out.before = {box.x + sign_width, box.y + above, side, high};
  out.written = {out.before.right() + sign_width + out.wide + 4, out.before.y, side, high};
  out.after = {out.before.x, out.before.bottom() + between + above, side, high};
  out.plus = {out.before.right() + sign_width / 2, out.before.centre().y};
  out.equals = {box.x + sign_width / 2, out.after.centre().y};
  const float left = out.written.x;
  out.beside = {left, out.after.y - above, box.right() - left, out.after.h + above};
  return out;
}

/// "0.9 " before a W that fades; nothing where all of it is kept.
std::string kept_words(const MemoryView& view) {
  return view.settings.decay == 1 ? "" : brief(view.settings.decay, 3) + " ";
}

/// While a step is taken, the product moves onto the matrix that it is added to.
void flight(const MemoryView& view, const Places& at) {
  const float t = view.in.transition;
  if (t >= 1) return;
  const float eased = t * t * (3 - 2 * t);
  const Box box{at.written.x + (at.after.x - at.written.x) * eased,
                at.written.y + (at.after.y - at.written.y) * eased, at.written.w, at.written.h};
  view.pen.canvas.frame(box, {draw::faded(view.theme().accent, 1 - 0.6f * eased), 2.5f}, 3);
}

/// Can a written number of the sum be unequal to the sum of the two written numbers?
bool rounds_apart(int decimals, std::span<const float> before, std::span<const float> written,
                  std::span<const float> after) {
  if (decimals < 0) return false;
  const double unit = std::pow(10, decimals);
  const auto rounded = [unit](float value) { return std::round(static_cast<double>(value) * unit); };
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (rounded(after[i]) != rounded(before[i]) + rounded(written[i])) return true;
  }
  return false;
}

constexpr float foot_lines = 2;

/// Are two rows better for a card that is shown alone? In one row the numbers of neighbouring cells would
/// nearly touch, or have none of their decimals, and in two they have room.
template <class DecimalsIn>
bool wants_two_rows(const MemoryView& view, Box box, float foot, const DecimalsIn& decimals_in) {
  constexpr float least_high = 330, most_wide = 720, least_cells = 90;
  if (!view.in.alone || view.pen.canvas.plain() || box.h < least_high || box.w > most_wide) return false;
  const Places rows = two_rows(view, box);
  Box one = box;
  one.cut_bottom(foot);
  return rows.after.h >= least_cells && decimals_in(rows) > decimals_in(places(view, one));
}

/// What the foot has where the sum is in two rows.
struct BesideRows {
  Cells matrices, vectors;
  std::string same, next, rounded;
};

/// The colour bars and the words of the foot, beside the last matrix.
void beside_rows(const MemoryView& view, Box box, const BesideRows& what) {
  const Pen& pen = view.pen;
  const float line = text_line(pen, 16);
  const float bar = std::min(160.f, box.w);
  const draw::Theme& theme = view.theme();
  box.cut_top(label_height);
  cells_bar(view, {box.x, box.y, bar, 2 * line}, what.matrices, "W");
  box.cut_top(2 * line + 8);
  cells_bar(view, {box.x, box.y, bar, 2 * line}, what.vectors, "vectors");
  box.cut_top(2 * line + 10);
  const float top = box.y;
  constexpr int most = 3;
  box.cut_top(paragraph(pen, {box.x, box.y}, box.w, what.same, words_style(theme.text), most) + 4);
  box.cut_top(paragraph(pen, {box.x, box.y}, box.w, what.next, words_style(theme.dim), most));
  if (!what.rounded.empty()) {
    box.cut_top(4);
    box.cut_top(paragraph(pen, {box.x, box.y}, box.w, what.rounded, words_style(theme.dim), most));
  }
  pen.canvas.mark({.part = draw::Part::note,
                   .note = what.same,
                   .name = "agreement",
                   .area = {box.x - 6, top - 3, box.w + 8, box.y - top + 6}});
  pen.canvas.mark({});
}

void program(const MemoryView& view, Box box) {
  const scene::SentenceMemory& m = *view.results.sentence;
  const int d = m.v.cols(), t = view.step() - 1;
  const int features = m.phi_k.cols();  // columns of W
  const auto rule = static_cast<std::size_t>(view.settings.write);
  const nn::FastWeightTrace<float>& trace = view.delta() ? m.delta : m.sum;
  // One scale for all steps, so that colours can be compared while the step moves; unless the step would then
  // be all white, as the first of hundreds are.
  const auto largest_of = [](std::span<const float> values) {
    float most = 0;
    for (const float value : values) most = std::max(most, std::abs(value));
    return most;
  };
  const std::size_t entries = static_cast<std::size_t>(d) * static_cast<std::size_t>(features);
  const auto limit = [](float here, float anywhere) {
    constexpr float pale = 1.f / 5;
    return signed_limit(here < pale * anywhere ? here : anywhere);
  };
  const float states =
      limit(std::max({largest_of({trace.states.plane(t), entries}), largest_of(view.results.written.values()),
                      t > 0 ? largest_of({trace.states.plane(t - 1), entries}) : 0.f}),
            m.largest_state[rule]);
  const float vectors = signed_limit(m.largest_vector[rule]);
  static constexpr std::array<float, 16 * scene::most_memory_features> nothing{};  // before the first write
  const float* before_values = !view.results.kept.empty() ? view.results.kept.data()
                               : t > 0                    ? trace.states.plane(t - 1)
                                                          : nothing.data();

  const float line = text_line(view.pen, 16);
  const bool fades = view.settings.decay != 1;
  const std::string sum = fades ? "|W φ(q) − Σ γ^(t−s) (φ(q)·φ(k)) v| ≤ " : "|W φ(q) − Σ (φ(q)·φ(k)) v| ≤ ";
  std::string same = view.delta() ? "|y in float32 − y in double| ≤ " + view.in.text("delta_residual")
                                  : sum + view.in.text("fast_residual");
  const std::string next =
      view.delta() ? "φ has length 1 here, so a write replaces exactly"
      : fades      ? "state space: a = γ = " + brief(view.settings.decay, 3) + ", B = φ(k), C = φ(q)"
                   : "y ÷ " + view.in.text("fast_denominator") + " is row " + in_quotes(view.token(t)) +
                    " of linear attention";
  const bool square = view.pen.canvas.parts().square;
  const std::span<const float> was{before_values, entries}, becomes{trace.states.plane(t), entries};
  // The three matrices are a sum, so their numbers have the same form.
  const auto decimals_in = [&](const Places& at) {
    const draw::Point cell{at.after.w / static_cast<float>(features), at.after.h / static_cast<float>(d)};
    return fitting_decimals(view, cell, {was, view.results.written.values(), becomes});
  };
  // The words beside the colour bars, or below them where those have no room for them.
  const draw::TextStyle stated = words_style(view.theme().text);
  const std::string rounded = "sums of exact numbers, then rounded", after_next = "; " + rounded;
  const bool in_rows = !square && wants_two_rows(view, box, foot_lines * line, decimals_in);
  float bar = std::min(130.f, box.w * 0.22f);
  const float beside = box.w - 2 * bar - 30;
  const bool below = view.pen.canvas.plain() && std::max(view.pen.canvas.text_width(same, stated),
                                                         view.pen.canvas.text_width(next, stated)) > beside;
  if (below) bar = std::min(130.f, (box.w - 14) / 2);
  Box foot = in_rows ? Box{} : box.cut_bottom((below ? 4 : foot_lines) * line + (below ? 4 : 0));
  Places at = in_rows ? two_rows(view, box) : square ? places(view, box, d, features) : places(view, box);
  int decimals = decimals_in(at);
  // A slide has the same numbers in every window, and says how they are rounded.
  constexpr int slide_decimals = 1;
  const bool numbered =
      on_slide(view.pen) &&
      numbers_fit(view.pen, {at.after.w / static_cast<float>(features), at.after.h / static_cast<float>(d)});
  // Beside a line of the foot if there is room, else on its own.
  const bool apart =
      rounds_apart(numbered ? slide_decimals : decimals, was, view.results.written.values(), becomes);
  const float room_beside = below ? box.w : beside;
  const bool on_next =
                 !in_rows && apart && view.pen.canvas.text_width(next + after_next, stated) <= room_beside,
             own_line = apart && !on_next;
  if (own_line && !square && !in_rows) {
    foot.y -= line, foot.h += line, box.h -= line;
    at = places(view, box);
    decimals = decimals_in(at);
  }
  if (square) {
    const float widest = places(view, box).before.w / static_cast<float>(features);
    view.pen.canvas.spare(box.bottom() - at.before.y - widest * static_cast<float>(d));
  }
  const draw::Theme& theme = view.theme();
  const std::string n = std::to_string(t + 1);
  Cells before = signed_cells(before_values, d, features, states, "W before");
  Cells written = signed_cells(view.results.written.data(), d, features, states, "outer product");
  Cells after = signed_cells(trace.states.plane(t), d, features, states, "W after");
  before.decimals = written.decimals = after.decimals = decimals;
  before.on_slides = written.on_slides = after.on_slides = slide_decimals;
  const float above = at.written.y - at.high - 4, above_after = at.after.y - at.high - 4;
  // All captions of a row are on one line.
  caption(view, {at.before.x, above, at.before.w, 0}, kept_words(view) + "W before step " + n, theme.dim);
  cells(view, at.before, before);
  sign(view, at.plus, "+");

  const nn::Matrix& keys = view.delta() ? m.unit_k : m.phi_k;
  const nn::Matrix& queries = view.delta() ? m.unit_q : m.phi_q;
  const Box key{at.written.x, above, at.written.w, at.high};
  const Box value{at.written.x - at.wide - 4, at.written.y, at.wide, at.written.h};
  const Box query{at.after.x, above_after, at.after.w, at.high};
  const Box read{at.after.right() + 4, at.after.y, at.read, at.after.h};
  caption(view, key, view.delta() ? "(v − W φ(k)) φ(k)ᵀ" : "v φ(k)ᵀ, " + in_quotes(view.token(t)), theme.key);
  // In a card that is shown alone the vectors have numbers too, with the decimals that fit.
  const auto vector_cells = [&](Box where, std::span<const float> values, int rows, int cols,
                                const char* name) {
    Cells out = signed_cells(values.data(), rows, cols, vectors, name);
    if (view.in.alone)
      out.decimals = fitting_decimals(
          view, {where.w / static_cast<float>(cols), where.h / static_cast<float>(rows)}, {values});
    cells(view, where, out);
  };
  vector_cells(key, keys.row(t), 1, features, "φ(k)");
  vector_cells(value, view.results.value, d, 1, view.delta() ? "v − W φ(k)" : "v");
  cells(view, at.written, written);
  sign(view, at.equals, "=");

  caption(view, query, "W after step " + n, theme.dim);
  vector_cells(query, queries.row(t), 1, features, "φ(q)");
  cells(view, at.after, after);
  const float reads = limit(largest_of(trace.y.row(t)), largest_of(trace.y.values()));
  caption(view, {read.x, query.y, in_rows ? at.beside.x - read.x : box.right() - read.x, 0},
          "y ±" + brief(static_cast<double>(reads), 4), theme.text);
  Cells y = signed_cells(trace.y.row(t).data(), d, 1, reads, "y");
  y.decimals = fitting_decimals(view, {read.w, at.after.h / static_cast<float>(d)}, {trace.y.row(t)});
  cells(view, read, y);
  // The coloured edges say what each vector is: key, value, query.
  view.pen.canvas.frame(key.inset(-1.5f), {theme.key, 1.5f}, 2);
  view.pen.canvas.frame(value.inset(-1.5f), {theme.value, 1.5f}, 2);
  view.pen.canvas.frame(query.inset(-1.5f), {theme.query, 1.5f}, 2);
  // Their names are in the gaps beside them.
  const draw::TextStyle named = words_style(theme.dim, small_size);
  put(view.pen, {key.x - 6, key.centre().y}, "φ(k)", aligned(named, Align::right), sign_width + at.wide - 4);
  put(view.pen, {query.x - 4, query.centre().y}, "φ(q)", aligned(named, Align::right), sign_width - 1);
  if (!view.delta())
    put(view.pen, {value.x - 6, value.y + 8}, "v", aligned(named, Align::right), sign_width - 8);
  flight(view, at);

  if (in_rows)
    return beside_rows(
        view, at.beside,
        {before, signed_cells(nullptr, 1, 1, vectors, ""), same, next, apart ? rounded : std::string()});
  foot.cut_top(8);
  Box bars = below ? foot.cut_top(2 * line) : foot.cut_left(2 * bar + 14);
  if (!below) foot.cut_left(16);
  cells_bar(view, bars.cut_left(bar), before, "W");
  bars.cut_left(14);
  cells_bar(view, bars.cut_left(bar), signed_cells(nullptr, 1, 1, vectors, ""), "vectors");
  if (fades && !view.delta() && view.pen.canvas.text_width(same, words_style(theme.text)) > foot.w)
    same = "both ways to y agree to within " + view.in.text("fast_residual");
  // With the line below it, which says the same of a row: an outline of one of them would cross the other.
  const std::string second = on_next ? next + after_next : next;
  const float longest = std::max({view.pen.canvas.text_width(same, words_style({})),
                                  view.pen.canvas.text_width(second, words_style({})),
                                  own_line ? view.pen.canvas.text_width(rounded, words_style({})) : 0.f});
  view.pen.canvas.mark({.part = draw::Part::note,
                        .note = same,
                        .name = "agreement",
                        .area = {foot.x - 6, foot.y - 7, std::min(foot.w, longest) + 10,
                                 (own_line && !square ? 3 : 2) * line + 6}});
  view.pen.canvas.mark({});
  put(view.pen, {foot.x, foot.y + line / 2 - 4}, same, words_style(theme.text), foot.w);
  put(view.pen, {foot.x, foot.y + 1.5f * line - 4}, second, words_style(theme.dim), foot.w);
  if (own_line && !square)
    put(view.pen, {foot.x, foot.y + 2.5f * line - 4}, rounded, words_style(theme.dim), foot.w);
}

}  // namespace

void memory_fast_card(const MemoryView& view, Box box) {
  const Pen& pen = view.pen;
  const bool delta = view.in.scene.memory.write == scene::MemoryWrite::delta;
  const std::array<Choice, 2> rules = {
      Choice{"sum", "memory_write=sum", "write sum", !delta,
             "W + v φ(k)ᵀ: adds to the value stored at the key"},
      Choice{"delta", "memory_write=delta", "write delta", delta,
             "W + (v − W φ(k)) φ(k)ᵀ: replaces the value stored at the key"}};
  std::string subtitle = "the same sums, written one token at a time into a matrix";
  const std::string kept = kept_words(view);
  if (view.step() > 0)
    subtitle = "step " + std::to_string(view.step()) + " of " + std::to_string(view.tokens()) + ": W ← " +
               kept +
               (view.delta() ? "W + (v − " + kept + "W φ(k)) φ(k)ᵀ, then y = W φ(q)"
                             : "W + v φ(k)ᵀ, then y = W φ(q)");
  if (view.in.results.tokens.size() > static_cast<std::size_t>(std::max(1, view.tokens())))
    subtitle += "; the first " + std::to_string(view.tokens()) + " tokens";
  const Choice repeated{
      "repeated key",
      "sentence=the cat sat on the mat;tokenizer=words;memory_width=8;memory_write=delta;memory_step=5",
      "preset repeated", false,
      "“the” is written a second time, with a new value: sum and delta differ\nreplaces the sentence with "
      "“the "
      "cat sat on the mat”; Ctrl + Z restores it"};
  const float controls = segmented_width(pen, rules) + 8 + button_width(pen, repeated);
  Box inside = card(pen, box, {"Fast weight programmer", subtitle, controls}, "fast");
  const Box chosen = segmented(pen, card_corner(box), rules);
  button(pen, {chosen.x - 8, chosen.y}, repeated);
  if (!view.results.sentence) {
    placeholder(pen, inside, "No tokens", in_window(pen, "type a sentence above"));
    return;
  }
  if (!pen.canvas.plain()) step_strip(view, inside.cut_top(strip_height));
  // Matrices are squares where there is room; what they do not need goes to the bars, as far as these are no
  // larger than they.
  const float matrices =
      label_height + Places{}.high + 4 + places(view, inside).before.w + 2 * text_line(pen, 20);
  const bool square = pen.canvas.parts().square;  // then the height of the card follows from the matrices
  // One token is one pair of bars, which are 0; and on a slide the numbers of the matrices need the height.
  const float bars = square || view.tokens() == 1 ? 0 : std::min(inside.h - 8 - matrices, 0.42f * inside.h);
  constexpr float least_matrices = 150;  // what is written comes before what is read back
  const bool reads_back = view.tokens() > 1 && !on_slide(pen) && !view.in.leaves_out("read back");
  if (reads_back && (square || inside.h >= least_matrices + 8 + readback_height)) {
    memory_read_back(view, inside.cut_bottom(std::max(readback_height, bars)));
    inside.cut_bottom(8);
  }
  program(view, inside);
}

}  // namespace headlight::views
