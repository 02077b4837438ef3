// Draws scores, exponentials and weights one above the other, with a column for each score; the arithmetic;
// and the entropy against the temperature. Tested in tests/app/softmax_page_test.cpp.
#include "pages/softmax/view/page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kit/card.h"
#include "kit/columns.h"
#include "kit/curve.h"
#include "kit/weight_bar.h"
#include "pages/softmax/softmax.h"

namespace headlight::views {

using scene::SoftmaxResults;

namespace {

struct SoftmaxView {
  Pen pen;
  const PageInput& in;
  const SoftmaxResults& r;
  int n() const { return static_cast<int>(r.scores.size()); }
  /// Returns the end of the scores' axis, which runs from −reach() to reach().
  double reach() const {
    double most = 0;
    for (const double score : r.scores) most = std::max(most, std::abs(score));
    return std::max(4.0, nice_ceiling(most));
  }
};

double at(const std::vector<double>& list, int i) {
  return list[static_cast<std::size_t>(i)];
}

std::string scores_text(const std::vector<double>& scores) {
  std::string text;
  for (const double score : scores) {
    std::string word = brief(score, 9);
    if (word.starts_with("−")) word = "-" + word.substr(std::string_view("−").size());
    text += (text.empty() ? "" : ";") + word;
  }
  return text;
}

/// One of the three rows of bars, and its name at the left.
struct Row {
  const char* name;
  const char* formula;
  Color color;
};

float slot_centre(Box plot, int i, int n) {
  return plot.x + plot.w * (static_cast<float>(i) + 0.5f) / static_cast<float>(n);
}

void row_name(const SoftmaxView& view, Box box, const Row& row) {
  const float y = box.centre().y;
  put(view.pen, {box.x, y - 9}, row.name, strong_style(view.pen.theme.text, 14), box.w);
  put(view.pen, {box.x, y + 10}, row.formula, words_style(view.pen.theme.dim, small_size), box.w);
}

/// Draws the scores up and down from zero. A dragged column follows the pointer's height.
void draw_scores(const SoftmaxView& view, Box plot, float bar, const Row& row) {
  const Pen& pen = view.pen;
  plot.cut_top(18), plot.cut_bottom(18);  // room for the numbers of the longest bars
  const double reach = view.reach();
  const auto y_of = [&](double score) {
    return plot.centre().y - plot.h / 2 * static_cast<float>(std::clamp(score / reach, -1.0, 1.0));
  };
  pen.canvas.line({plot.x, plot.centre().y}, {plot.right(), plot.centre().y}, {pen.theme.border, 1});
  for (int i = 0; i < view.n(); ++i) {
    const double score = at(view.r.scores, i);
    const float x = slot_centre(plot, i, view.n()), y = y_of(score), zero = plot.centre().y;
    const Box column{x - bar / 2, plot.y, bar, plot.h};
    draw::Mark mark;
    mark.part = draw::Part::plane, mark.set = "softmax_scores * 0 1", mark.query = i;
    mark.area = column, mark.from = static_cast<float>(-reach), mark.to = static_cast<float>(reach);
    mark.name = "score " + std::to_string(i), mark.note = "drag up or down; click the number to type a value";
    const bool lit =
        view.in.hover && view.in.hover->mark.part == draw::Part::plane && view.in.hover->mark.query == i;
    pen.canvas.mark(mark);
    const bool held = !pen.canvas.plain();  // a handle for the pointer; paper has only bars
    if (held) pen.canvas.rect(column, draw::faded(pen.theme.faint, lit ? 0.9f : 0.35f), 4);
    pen.canvas.rect({x - bar / 2, std::min(y, zero), bar, std::max(1.f, std::abs(y - zero))}, row.color, 3);
    if (held) pen.canvas.circle({x, y}, 5, pen.theme.panel), pen.canvas.ring({x, y}, 5, {row.color, 2});
    pen.canvas.mark({});
    draw::Mark number;
    number.part = draw::Part::number, number.set = "softmax_scores", number.query = i, number.key = 0;
    // Inside the column or wholly outside it, never over its edge.
    float at_y = score < 0 ? y + 15 : y - 15;
    if (at_y - 8 < plot.y) at_y = plot.y - 10;
    if (at_y + 8 > plot.bottom()) at_y = plot.bottom() + 10;
    number.area = {x - bar / 2, at_y - 8, bar, 16};
    pen.canvas.mark(number);
    const draw::TextStyle style = aligned(mono_style(pen.theme.text, 12), Align::centre);
    const bool wide = std::abs(score) >= 100;
    put(pen, {x, at_y}, wide ? brief(score, 4) : fixed(score, 2), style,
        plot.w / static_cast<float>(view.n()) - 2);
    pen.canvas.mark({});
  }
}

/// Writes a row of numbers, all in the same form, the longest that fits. One that this form would write as
/// zero is left out.
std::vector<std::string> fitting(const Pen& pen, const std::vector<double>& values, float room,
                                 const draw::TextStyle& style) {
  std::vector<std::string> words;
  for (int form = 0; form < 3; ++form) {
    words.clear();
    float widest = 0;
    for (const double value : values) {
      words.push_back(form == 0                                         ? weight_text(value)
                      : value > 0 && value < unwritten_weight(4 - form) ? std::string()
                                                                        : fixed(value, 4 - form));
      widest = std::max(widest, pen.canvas.text_width(words.back(), style));
    }
    if (widest <= room) break;
  }
  return words;
}

/// Draws numbers from 0 to 1. Rows of the same height have the same scale.
void draw_bars(const SoftmaxView& view, Box plot, float bar, const std::vector<double>& values,
               const Row& row) {
  const Pen& pen = view.pen;
  constexpr float above = 18;  // room for the number of a bar of 1
  pen.canvas.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, {pen.theme.border, 1});
  pen.canvas.line({plot.x, plot.y + above}, {plot.x + 6, plot.y + above}, {pen.theme.border, 1});
  pen.canvas.line({plot.x, plot.y + above}, {plot.x, plot.bottom()}, {pen.theme.border, 1});
  for (const auto& [tick, y] : {std::pair{"1", plot.y + above}, std::pair{"0", plot.bottom()}})
    pen.canvas.text({plot.x - 6, y}, tick, aligned(words_style(pen.theme.dim, small_size), Align::right));
  const float slot = plot.w / static_cast<float>(view.n());
  const draw::TextStyle style = aligned(mono_style(pen.theme.text, slot < 30 ? 10.f : 12.f), Align::centre);
  const std::vector<std::string> words = fitting(pen, values, slot - 4, style);
  for (int i = 0; i < view.n(); ++i) {
    const double value = at(values, i);
    const float x = slot_centre(plot, i, view.n());
    const float high = (plot.h - above) * static_cast<float>(std::clamp(value, 0.0, 1.0));
    pen.canvas.rect({x - bar / 2, plot.bottom() - std::max(1.f, high), bar, std::max(1.f, high)}, row.color,
                    3);
    put(pen, {x, plot.bottom() - high - 10}, words[static_cast<std::size_t>(i)], style);
  }
}

/// Numbers the columns as the rows of the arithmetic are numbered: all where they fit, else every fifth.
void number_columns(const SoftmaxView& view, Box line, float names) {
  const Pen& pen = view.pen;
  const draw::TextStyle style = words_style(pen.theme.dim, small_size);
  put(pen, {line.cut_left(names).x, line.centre().y}, "key", style, names);
  const float widest = pen.canvas.text_width(std::to_string(view.n() - 1), style) + 6;
  const bool all = widest <= line.w / static_cast<float>(view.n());
  for (int i = 0; i < view.n(); ++i) {
    if (all || i % 5 == 0)
      put(pen, {slot_centre(line, i, view.n()), line.centre().y}, std::to_string(i),
          aligned(style, Align::centre));
  }
}

constexpr float low_hero = 320;  // has all three rows, without the note below the title

void draw_hero(const SoftmaxView& view, Box box) {
  const Pen& pen = view.pen;
  const SoftmaxResults& r = view.r;
  constexpr std::array<double, 5> temperatures{0.25, 0.5, 1, 2, 4};
  std::vector<Choice> choices;
  for (const double t : temperatures)
    choices.push_back({"τ " + brief(t, 3), "softmax_temperature=" + brief(t, 3), "temperature " + brief(t, 3),
                       std::abs(r.temperature - t) < 1e-9, "the scores are divided by " + brief(t, 3)});
  Box inside = card(pen, box,
                    {"From scores to weights",
                     box.h < low_hero ? std::string()
                                      : "exponentials and weights on one scale" +
                                            in_window(pen, "; drag a score, or type a number"),
                     segmented_width(pen, choices)},
                    "softmax");
  segmented(pen, card_corner(box), choices);
  Box foot = inside.cut_bottom(control_height + 6);
  if (!r.problem.empty())
    put(pen, {inside.x, inside.cut_top(20).centre().y}, r.problem, words_style(pen.theme.bad, 12), inside.w);
  const float names = std::clamp(inside.w * 0.22f, 120.f, 200.f);
  const float slot = (inside.w - names) / static_cast<float>(view.n());
  const float bar = std::clamp(slot * 0.6f, 14.f, 64.f);
  const Row rows[] = {
      {"scores", r.temperature == 1 ? "s" : "s, before ÷ τ", pen.theme.dim},
      {"exponentials", "exp(s/τ − m)", pen.theme.dim},
      {"weights", "exp(s/τ − m) / Σ",
       draw::color_of(pen.theme, draw::Colormap::weight, pen.theme.dark ? 0.8f : 0.72f, 0, 1)}};
  // Three parts for the scores and two for each of the others, which have one scale.
  constexpr float between = 12, foot_gap = 8;
  const float numbers = text_line(pen, small_size);
  const float part = (inside.h - 2 * between - numbers - foot_gap) / 7;
  const auto cut = [&](float high, const Row& row) {
    Box line = inside.cut_top(high);
    row_name(view, line.cut_left(names), row);
    inside.cut_top(between);
    return line;
  };
  draw_scores(view, cut(3 * part, rows[0]), bar, rows[0]);
  draw_bars(view, cut(2 * part, rows[1]), bar, r.row.exponentials, rows[1]);
  draw_bars(view, cut(2 * part, rows[2]), bar, r.row.weights, rows[2]);
  inside.y -= between - 3;  // clear of the axis
  number_columns(view, inside.cut_top(numbers), names);
  // Actions to try.
  std::vector<double> more = r.scores, less = r.scores, equal(r.scores.size(), 0), shifted = r.scores;
  more.push_back(0), less.pop_back();
  for (double& score : shifted) score += 1;
  const bool higher = *std::max_element(r.scores.begin(), r.scores.end()) <= 9999;
  const bool room = view.n()<scene::most_softmax_scores, some = view.n()> 1;
  std::array<Choice, 4> tries{
      Choice{"Add one", "softmax_scores=" + scores_text(room ? more : r.scores), "one more", false,
             room ? "a score of 0 at the end" : "the maximum is reached", room},
      Choice{"Remove one", "softmax_scores=" + scores_text(some ? less : r.scores), "one fewer", false,
             some ? "remove the last score" : "at least one score is needed", some},
      Choice{"Make equal", "softmax_scores=" + scores_text(equal), "all equal", false,
             "every weight is then 1/n, at any temperature"},
      Choice{"Add 1 to all", "softmax_scores=" + scores_text(higher ? shifted : r.scores), "add 1", false,
             higher ? "the weights do not change: the softmax depends only on differences"
                    : "a score is at most 10000",
             higher}};
  const auto wide = [&] {
    float width = -8;
    for (const Choice& choice : tries) width += button_width(pen, choice) + 8;
    return width;
  };
  if (wide() > foot.w)
    tries[0].label = "Add", tries[1].label = "Remove", tries[2].label = "Equal", tries[3].label = "Add 1";
  float x = foot.x;
  for (const Choice& choice : tries) {
    const float width = button_width(pen, choice);
    button(pen, {x + width, foot.bottom() - control_height}, choice);
    x += width + 8;
  }
}

void draw_arithmetic(const SoftmaxView& view, Box box) {
  const Pen& pen = view.pen;
  const SoftmaxResults& r = view.r;
  Box inside =
      card(pen, box,
           {"The arithmetic", "m = " + view.in.text("softmax_maximum") + ", the largest s/τ, is subtracted"},
           "arithmetic");
  const float row = std::min(22.f, (inside.h - 6) / static_cast<float>(view.n() + 2));
  using Cells = std::array<std::string, 5>;
  const TextStyle heading = words_style(pen.theme.dim, small_size), number = mono_style(pen.theme.text, 12);
  std::vector<Cells> lines{{"key", "s", "s/τ", "exp(s/τ − m)", "weight"}};
  for (int i = 0; i < view.n(); ++i)
    lines.push_back({std::to_string(i), fixed(at(r.scores, i), 2), fixed(at(r.row.scaled, i), 3),
                     view.in.text(quantity("softmax_exponential", {{"key", i}})),
                     view.in.text(quantity("softmax_row_weight", {{"key", i}}))});
  lines.push_back({"", "", "Σ", view.in.text("softmax_sum"), "1"});
  // Every column is as wide as its widest number, and what is left is between them.
  constexpr float least_between = 8;
  std::array<float, 5> widths{};
  float all = 0;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    for (const Cells& cells : lines)
      widths[c] =
          std::max(widths[c], pen.canvas.text_width(cells[c], &cells == &lines.front() ? heading : number));
    all += widths[c];
  }
  const float between = std::max(least_between, (inside.w - all) / 4);
  const float smaller = std::min(1.f, (inside.w - 4 * least_between) / all);
  const auto write = [&](Box line, const Cells& cells, const TextStyle& style) {
    float right = line.right();
    for (std::size_t c = cells.size(); c-- > 0; right -= widths[c] * smaller + between)
      put(pen, {right, line.centre().y}, cells[c], aligned(style, Align::right), widths[c] * smaller + 1);
  };
  for (const Cells& cells : lines) {
    if (&cells == &lines.back()) {
      pen.canvas.line({inside.x, inside.y + 2}, {inside.right(), inside.y + 2}, {pen.theme.border, 1});
      inside.cut_top(4);
    }
    write(inside.cut_top(row), cells,
          &cells == &lines.front()  ? heading
          : &cells == &lines.back() ? mono_style(pen.theme.accent, 12)
                                    : number);
  }
}

void draw_temperature(const SoftmaxView& view, Box box) {
  const Pen& pen = view.pen;
  const SoftmaxResults& r = view.r;
  const double most = std::log2(static_cast<double>(view.n()));
  Box inside = card(pen, box,
                    {"Entropy by temperature", "H = " + view.in.text("softmax_entropy") +
                                                   " bits of at most log₂ " + view.in.text("softmax_scores") +
                                                   " = " + view.in.text("softmax_most_entropy")},
                    "temperature");
  inside.cut_left(34), inside.cut_bottom(34), inside.cut_right(8), inside.cut_top(8);
  const double high = std::max(1.0, std::ceil(most));
  const Plot plot{inside, r.curve.front().temperature, r.curve.back().temperature, 0, high, true};
  std::vector<double> ticks;
  for (double bits = 0; bits <= high; ++bits) ticks.push_back(bits);
  y_grid(pen, plot, ticks, 0);
  std::vector<Tick> powers;
  for (const double t : {0.01, 0.1, 1.0, 10.0, 100.0}) powers.push_back({t, brief(t, 3)});
  x_axis(pen, plot, powers, "temperature τ");
  if (most > 0)
    pen.canvas.line({inside.x, plot.y(most)}, {inside.right(), plot.y(most)}, {pen.theme.dim, 1, 4});
  std::vector<PlotPoint> points;
  for (const auto& point : r.curve) points.push_back({point.temperature, point.entropy_bits});
  curve(pen, plot, points, {draw::series(pen.theme, 0)});
  const double shown = std::clamp(r.temperature, r.curve.front().temperature, r.curve.back().temperature);
  const Point here = plot.at(shown, r.row.entropy_bits);
  pen.canvas.line({here.x, inside.y}, {here.x, inside.bottom()}, {pen.theme.accent, 1, 3});
  pen.canvas.circle(here, 5, pen.theme.accent);
}

}  // namespace

std::string softmax_question(const PageInput&) {
  return "How do scores become weights?";
}

float softmax_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const Pen pen{canvas, in.theme, in.hover};
  Box rest = area.inset(card_gap);
  const auto* results = in.own<SoftmaxResults>();
  if (!results || rest.w < 120) {
    placeholder(pen, area, "Softmax", "being computed");
    return area.h;
  }
  const SoftmaxView view{pen, in, *results};
  const float table = 2 * card_padding + 46 + (view.n() > 8 ? 17.f : 22.f) * static_cast<float>(view.n() + 2);
  if (area.w >= 900) {
    // In a window the bars have most of it, as near to its edges as the question allows.
    const bool window = !pen.canvas.plain();
    constexpr float edge = 8;
    if (window) rest.y -= card_gap - edge, rest.h += 2 * (card_gap - edge);
    rest.h = std::max({rest.h, 480.f, table + card_gap + 220});
    Box side = rest.cut_right(window ? std::round(std::clamp(rest.w * 0.25f, 296.f, 800.f))
                                     : std::clamp(area.w * 0.34f, 330.f, 620.f));
    rest.cut_right(card_gap);
    draw_hero(view, rest);
    draw_arithmetic(view, side.cut_top(std::max(table, std::min(side.h * 0.45f, table * 1.2f))));
    side.cut_top(card_gap);
    draw_temperature(view, side);
    return rest.h + 2 * (window ? edge : card_gap);
  }
  Stack stack(rest);
  draw_hero(view, stack.next(hero_height(pen, rest.h, 460, 280)));
  draw_arithmetic(view, stack.next(table));
  draw_temperature(view, stack.next(260));
  return std::max(area.h, stack.y() - area.y);
}

std::string softmax_tooltip(const PageInput&, const draw::Hit& hit) {
  return hit.mark.note;
}

std::string softmax_words(const PageInput& in) {
  const auto* r = in.own<SoftmaxResults>();
  if (!r) return {};
  if (!r->problem.empty()) return r->problem;
  return "largest weight " + in.text("softmax_largest") + "   entropy " + in.text("softmax_entropy") +
         " bits   τ " + in.text("softmax_temperature");
}

std::string softmax_finding(const PageInput& in, std::string_view) {
  const auto* r = in.own<SoftmaxResults>();
  if (!r || !r->problem.empty()) return {};
  return "At temperature " + in.text("softmax_temperature") + " the largest weight is " +
         in.text("softmax_largest") + " and the entropy is " + in.text("softmax_entropy") + " bits";
}

}  // namespace headlight::views
