// The attention on show beside a run that another program has saved: the largest difference of every head.
#include <algorithm>
#include <array>
#include <cmath>

#include "draw/heatmap_raster.h"
#include "kit/matrix_panel.h"
#include "pages/model/view/page.h"

namespace headlight::views {

namespace {

constexpr float check_gutter = 30, check_names = 38, check_foot = 34, least_check_row = 16,
                most_check_row = 26;
constexpr float decades = 6;  // of the colours, below the end

/// Decimals of two weights that show how they differ.
int pair_decimals(double difference) {
  constexpr int least = 6, most = 9;
  return difference > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(difference))) + 1, least, most)
                        : least;
}

/// "0.12345678 here, 0.12345671 in the file".
std::string pair_words(const scene::CheckedHead& one) {
  const int decimals = pair_decimals(one.difference);
  return weight_text(one.a, decimals) + " here, " + weight_text(one.b, decimals) + " in the file";
}

/// Ticks at every power of ten below the end of the colours, and a mark where rounding ends.
void ramp_ticks(const Pen& pen, Box bar, double end, double rounding) {
  const auto at = [&](double value) {
    return bar.x + bar.w * static_cast<float>(1 + std::log10(value / end) / double{decades});
  };
  for (double power = std::pow(10, std::floor(std::log10(end) + 1e-6)); at(power) >= bar.x - 0.01f;
       power /= 10)
    pen.canvas.line({at(power), bar.bottom()}, {at(power), bar.bottom() + 3}, {pen.theme.dim, 1});
  const float x = at(rounding);
  if (!(rounding > 0) || x < bar.x || x > bar.right() + 0.01f) return;
  const std::array<draw::Point, 3> mark = {draw::Point{x, bar.y - 1}, draw::Point{x - 4, bar.y - 7},
                                           draw::Point{x + 4, bar.y - 7}};
  pen.canvas.polygon(mark, pen.theme.text);
}

float rows_height(const scene::Check& check) {
  const auto layers = static_cast<float>(check.differences.rows());
  return layers * std::clamp(200 / layers, least_check_row, most_check_row);
}

/// A cell for each head, and what it says under the pointer.
void draw_head(const ModelView& view, const scene::Check& check, const scene::CheckedHead& one, Box cell) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const std::string layer = std::to_string(one.layer + 1), head = std::to_string(one.head + 1);
  const std::string number =
      in.text(quantity("model_check", {{"layer", one.layer + 1}, {"head", one.head + 1}}));
  draw::Mark mark;
  mark.part = draw::Part::control, mark.area = cell;
  mark.name = "difference of layer " + layer + " head " + head;
  mark.set = choosing({one.layer, one.head}) + ";query=" + std::to_string(one.query) +
             ";key=" + std::to_string(one.key);
  mark.note = "layer " + layer + ", head " + head + ": largest difference " + number + "\nat " +
              pair_in_words(in, one.query, one.key) + ": " + pair_words(one) +
              "\nclick: show this head and pin the pair";
  pen.canvas.mark(mark);
  pen.canvas.mark({});
  const bool beyond = one.difference > check.tolerance;
  if (cell.w >= 44 && cell.h >= 14) {
    draw::Heatmap colours;
    colours.hi = static_cast<float>(std::max(check.largest.difference, check.tolerance)),
    colours.decades = decades;
    const draw::Color ground = draw::color_of(pen.theme, colours, static_cast<float>(one.difference));
    put(pen, cell.centre(), number, aligned(mono_style(draw::readable_on(ground), 12), Align::centre),
        cell.w - 4);
  }
  if (beyond) pen.canvas.frame(cell.inset(1), {pen.theme.bad, 1.5f}, 2);
  if (pen.over(mark.name)) pen.canvas.frame(cell, {pen.theme.text, 1.5f}, 2);
}

}  // namespace

std::string check_words(const PageInput& in, const scene::Check& check) {
  if (check.largest.difference == 0) return "the same numbers in every layer";
  return "largest difference " + in.text("model_check_largest") + " at layer " +
         in.text("model_check_layer") + ", head " + in.text("model_check_head") + ", " +
         quoted_token(in, check.largest.query) + " " + in.text("model_check_query") + " → " +
         quoted_key(in, check.largest.key) + " " + in.text("model_check_key") + ": " +
         pair_words(check.largest);
}

std::string rounding_words(const PageInput& in, const scene::Check& check) {
  const std::string limit = in.text("model_check_rounding") + " in " + check.type;
  if (check.first_beyond < 0) return "every layer is within rounding (" + limit + ")";
  return "first layer beyond rounding (" + limit + "): layer " + in.text("model_check_first_layer") +
         ", by " + in.text("model_check_first");
}

float check_height(const scene::Check* check, float) {
  if (!check) return 0;
  if (!check->problem.empty()) return 2 * card_padding + 44;
  return 2 * card_padding + 64 + check_names + rows_height(*check) + check_foot;
}

void check_card(const ModelView& view, const scene::Check& check, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const std::string title = check.name.empty() ? "Where does it differ from the saved run?"
                                               : "Where does it differ from " + check.name + "?";
  if (!check.problem.empty()) {
    card(pen, box, {title, check.problem}, "check");
    return;
  }
  Box inside = card(pen, box, {title, check_words(in, check)}, "check");
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const Box line = inside.cut_top(20);
  std::string words = rounding_words(in, check);
  if (!check.left_out.empty()) words += " · " + check.left_out;
  if (!check.other_tokens.empty()) words += " · " + check.other_tokens;
  put(pen, {line.x, line.y + 6}, words, words_style(pen.theme.text), line.w);
  const Box foot = inside.cut_bottom(check_foot);
  MatrixPanel panel;
  panel.values = check.differences.data();
  panel.rows = check.differences.rows(), panel.cols = check.differences.cols();
  panel.hi = static_cast<float>(std::max(check.largest.difference, check.tolerance)), panel.decades = decades;
  panel.version = in.results.version * 2 + 1;
  panel.down = "layer ↓", panel.across = "head →";
  for (int l = 0; l < panel.rows; ++l) panel.row_names.push_back(std::to_string(l + 1));
  for (int h = 0; h < panel.cols; ++h) panel.col_names.push_back(std::to_string(h + 1));
  panel.row_numbers = panel.col_numbers = true;
  panel.numbers = false;  // those of draw_head(), as they are written everywhere
  panel.stretched = true, panel.centred = false;
  constexpr float widest_cell = 84;
  const Box room{inside.x, inside.y,
                 std::min(inside.w, check_gutter + widest_cell * static_cast<float>(panel.cols)), inside.h};
  const Box map = draw_matrix_panel(pen, room, panel).cells;
  const float wide = map.w / static_cast<float>(panel.cols), high = map.h / static_cast<float>(panel.rows);
  for (const scene::CheckedHead& one : check.heads) {
    draw_head(view, check, one,
              {map.x + static_cast<float>(one.head) * wide, map.y + static_cast<float>(one.layer) * high,
               wide, high});
  }
  const auto end = static_cast<double>(panel.hi);
  const Box bar{map.x, foot.bottom() - 22, std::min(220.f, foot.w * 0.5f), 8};
  color_bar(pen, bar,
            {draw::Colormap::weight, "≤ " + brief(end * std::pow(10, -double{decades}), 2), "|a − b|, log",
             brief(end, 2)});
  ramp_ticks(pen, bar, end, check.tolerance);
  put(pen, {bar.right() + 24, bar.centre().y},
      std::string(check.first_beyond < 0 ? "▼ rounding ends" : "▼ rounding ends · framed: beyond it"), quiet,
      std::max(0.f, foot.right() - bar.right() - 24));
}

}  // namespace headlight::views
