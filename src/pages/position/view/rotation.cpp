#include <algorithm>
#include <array>
#include <cmath>

#include "kit/clock_face.h"
#include "kit/words.h"
#include "pages/position/view/cards.h"

namespace headlight::views {

namespace {

constexpr float bracket = 6;

/// From one line of numbers to the next.
float line_pitch(float size) {
  return std::max(26.f, 1.7f * size);
}

/// Square brackets around two lines of numbers; `columns` of them, right-aligned.
struct Bracketed {
  std::vector<std::string> numbers;  // row by row
  int columns = 1;
  Color color, ink;
  std::string name;  // below
  float size = 13;
};

float number_width(const Pen& pen, float size) {
  return pen.canvas.text_width("−0.000", mono_style({}, size));
}

float width_of(const Pen& pen, const Bracketed& b) {
  const float number = number_width(pen, b.size);
  return static_cast<float>(b.columns) * number + static_cast<float>(b.columns - 1) * 10 + 2 * (bracket + 4);
}

/// Returns the width.
float draw_bracketed(const Pen& pen, Point left_middle, const Bracketed& b) {
  const float w = width_of(pen, b), number = number_width(pen, b.size), pitch = line_pitch(b.size),
              half = pitch + 2;
  const float left = left_middle.x, right = left + w, top = left_middle.y - half,
              bottom = left_middle.y + half;
  const draw::Stroke stroke{b.color, 2};
  const std::array<Point, 4> opening = {Point{left + bracket, top}, Point{left, top}, Point{left, bottom},
                                        Point{left + bracket, bottom}};
  const std::array<Point, 4> closing = {Point{right - bracket, top}, Point{right, top}, Point{right, bottom},
                                        Point{right - bracket, bottom}};
  pen.canvas.polyline(opening, stroke);
  pen.canvas.polyline(closing, stroke);
  for (std::size_t n = 0; n < b.numbers.size(); ++n) {
    const auto column = static_cast<float>(static_cast<int>(n) % b.columns);
    const float line = static_cast<int>(n) / b.columns == 0 ? -0.5f : 0.5f;
    pen.canvas.text({left + bracket + 4 + number + column * (number + 10), left_middle.y + line * pitch},
                    b.numbers[n], aligned(mono_style(b.ink, b.size), Align::right));
  }
  pen.canvas.text(
      {(left + right) / 2, bottom + 13}, b.name,
      aligned(words_style(b.color == pen.theme.text ? pen.theme.dim : b.color, small_size), Align::centre));
  return w;
}

std::string three(double value) {
  return fixed(value, 3);
}

/// "p(i + δ) = R(δ) p(i) holds to 2e-07 for every i and every pair", or why it cannot be said.
std::string residual_sentence(const PositionView& view) {
  const int delta = view.in.results.scene.positions.delta;
  if (std::abs(delta) >= view.rows)
    return "P has no two positions that are " + std::to_string(std::abs(delta)) + " apart.";
  return "p(i+δ) = R(δ) p(i) holds to " + view.in.text("rotation_residual") + " for every i and every pair" +
         (view.cols % 2 == 1 ? "; the last sine has no pair." : ".");
}

std::string move(int from, int delta) {
  return fixed(from, 0) + " → " + fixed(from + delta, 0);
}

/// Another position with both ends in P, about 20 away from i; else 20 further on, outside P or not.
int other_position(const PositionView& view) {
  for (const int step : {20, -20, view.rows / 2, -(view.rows / 2), 7, -7, 1, -1}) {
    const int other = view.i + step;
    if (step != 0 && view.has(other) && view.has(other + view.delta)) return other;
  }
  return view.i + 20;
}

}  // namespace

void rotation_card(const PositionView& view, Box box) {
  const Pen& pen = view.pen;
  std::string title = "One matrix moves every position by δ = " + fixed(view.delta, 0);
  if (pen.canvas.text_width(title, strong_style(pen.theme.text)) > box.w - 2 * card_padding)
    title = "One matrix for δ = " + fixed(view.delta, 0);
  if (view.pair < 0) {
    const Box inside = card(pen, box, {title, ""}, "rotation");
    placeholder(pen, inside, "No pair to rotate", "d = 1 has one sine and no cosine");
    return;
  }
  const double omega = view.omega(view.pair);
  Box inside =
      card(pen, box,
           {title, "pair j = " + std::to_string(view.pair) + ", columns " + std::to_string(2 * view.pair) +
                       " and " + std::to_string(2 * view.pair + 1) + ", ω = " + frequency_words(omega)},
           "rotation");
  const double c = std::cos(view.delta * omega), s = std::sin(view.delta * omega);
  const int column = 2 * view.pair;
  // p(i) as P has it; a position outside P has no row, so its sine and cosine stand for it.
  const auto vector_at = [&](int position) {
    std::array<double, 2> p{};
    for (int n = 0; n < 2; ++n) {
      p[static_cast<std::size_t>(n)] = view.has(position)
                                           ? static_cast<double>(view.value(position, column + n))
                                           : column_at(column + n, position, omega);
    }
    return p;
  };
  const std::array<double, 2> from = vector_at(view.i), to = vector_at(view.ahead());
  const Color text = pen.theme.text;
  const auto named = [&](int position) { return "p(" + fixed(position, 0) + ")"; };
  const auto element = [&](const char* name) { return view.in.text(quantity(name, {{"pair", view.pair}})); };
  const std::string cosine = element("rotation_cos");
  Bracketed matrix{{cosine, element("rotation_sin"), three(-s), cosine},
                   2,
                   text,
                   text,
                   "R(δω" + subscript(view.pair) + ")"};
  Bracketed here{{three(from[0]), three(from[1])}, 1, pen.theme.key, text, named(view.i)};
  Bracketed there{{three(to[0]), three(to[1])}, 1, pen.theme.offset, text, named(view.ahead())};

  constexpr float between = 8, equals = 24;
  float natural = 0;
  const float largest = inside.h > 280 ? 20.f : 15.f;
  for (const float size : {largest, 14.f, 13.f, 12.f, 11.f, 10.f}) {
    matrix.size = here.size = there.size = size;
    natural = width_of(pen, matrix) + between + width_of(pen, here) + equals + width_of(pen, there);
    if (natural <= inside.w) break;
  }
  const float pitch = line_pitch(matrix.size), middle = inside.y + pitch + 6;
  float x = inside.x + std::max(0.f, (inside.w - natural) / 2);
  x += draw_bracketed(pen, {x, middle}, matrix) + between;
  x += draw_bracketed(pen, {x, middle}, here);
  pen.canvas.text({x + equals / 2, middle}, "=", aligned(mono_style(text, 14), Align::centre));
  x += equals;
  draw_bracketed(pen, {x, middle}, there);
  inside.cut_top(2 * pitch + 36);

  // The two products written out, where there is room.
  constexpr float wide_card = 420, with_lines = 96,
                  with_more_lines = 128;  // long sentences take two lines each
  if (inside.h > (inside.w >= wide_card ? with_lines : with_more_lines)) {
    const draw::TextStyle style = aligned(mono_style(pen.theme.dim, small_size), Align::centre);
    const auto product = [&](double first, double second, double sum) {
      const double last = second * from[1];
      const std::string words = three(first) + " · " + three(from[0]) + (last < 0 ? " − " : " + ") +
                                three(std::abs(second)) + " · " + three(std::abs(from[1])) + " = " +
                                three(sum);
      draw::TextStyle fitted = style;  // a narrow card has the whole line, smaller
      fitted.size *= std::min(1.f, inside.w / std::max(1.f, pen.canvas.text_width(words, style)));
      put(pen, {inside.centre().x, inside.y + 10}, words, fitted, inside.w + 1);
      inside.cut_top(18);
    };
    product(c, s, c * from[0] + s * from[1]);
    product(-s, c, -s * from[0] + c * from[1]);
    inside.cut_top(10);
  }

  const auto say = [&](const std::string& words, const draw::TextStyle& style) {
    const int most = static_cast<int>(inside.h / (style.size * 1.4f));
    if (most < 1) return;
    inside.cut_top(paragraph(pen, {inside.x, inside.y}, inside.w, words, style, most) + 5);
  };
  if (!view.has(view.ahead())) {
    say(fixed(view.ahead(), 0) + " is outside P; R rotates the hand there as well.",
        words_style(pen.theme.offset));
  }
  say(residual_sentence(view), words_style(pen.theme.text));
  const std::string both = move(view.i, view.delta) + " and " + move(other_position(view), view.delta);
  say(inside.h < 34 ? "The same matrix takes " + both + "."
                    : "The same matrix takes " + both + ": it depends on δ, not on i.",
      words_style(pen.theme.dim));
}

void same_arc_card(const PositionView& view, Box box) {
  const Pen& pen = view.pen;
  const int other = other_position(view);
  Box inside = card(pen, box,
                    {"Same offset, same arc",
                     "i = " + move(view.i, view.delta) + " and " + move(other, view.delta) + " side by side" +
                         (view.pair >= 0 ? ", pair j = " + std::to_string(view.pair) : "")},
                    "same-arc");
  if (view.pair < 0) {
    placeholder(pen, inside, "No clock", "d = 1 has one sine and no cosine");
    return;
  }
  const double omega = view.omega(view.pair);
  constexpr float below = 62;  // three lines under the clocks
  const float radius = std::min({(inside.h - below) / 2, inside.w / 4 - 12, 170.f});
  if (radius < 12) return;
  const float apart = std::min(inside.w / 2, 2 * radius + 90);
  const float top = inside.y + std::max(0.f, (inside.h - 2 * radius - below) / 2);
  const float line = top + 2 * radius + 14;
  int side = 0;
  for (const int from : {view.i, other}) {
    const Point centre{inside.centre().x + (side == 0 ? -0.5f : 0.5f) * apart, top + radius};
    draw::Mark mark;
    mark.part = draw::Part::note;
    mark.note = "pair " + std::to_string(view.pair) + " from position " + fixed(from, 0) + " to " +
                fixed(from + view.delta, 0) + ": the arc is δω = " + arc_words(view.delta * omega);
    mark.area = {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius};
    pen.canvas.mark(mark);
    clock_face(pen, {centre, radius, static_cast<double>(from), static_cast<double>(view.delta), omega, false,
                     false});
    pen.canvas.mark({});
    const bool outside = !view.has(from) || !view.has(from + view.delta);
    put(pen, {centre.x, line}, move(from, view.delta) + (outside ? ", outside P" : ""),
        aligned(strong_style(outside ? pen.theme.offset : pen.theme.text, word_size), Align::centre),
        apart - 6);
    ++side;
  }
  put(pen, {inside.centre().x, line + 22}, "δω = " + arc_words(view.delta * omega),
      aligned(mono_style(pen.theme.offset, word_size), Align::centre), inside.w);
  put(pen, {inside.centre().x, line + 40}, "the same arc on both, whatever i is",
      aligned(words_style(pen.theme.dim, small_size), Align::centre), inside.w);
}

}  // namespace headlight::views
