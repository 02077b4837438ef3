#include "kit/cells.h"

#include <algorithm>
#include <cmath>

#include "draw/boxes.h"
#include "draw/heatmap_raster.h"
#include "kit/weight_bar.h"

namespace headlight::views {

using draw::Heatmap;

Heatmap heat_of(const nn::Matrix& m, std::uint64_t version, int plane) {
  Heatmap heat;
  heat.values = m.plane(plane), heat.rows = m.rows(), heat.cols = heat.row_stride = m.cols();
  heat.version = version;
  return heat;
}

Heatmap heat_of(std::span<const float> values, int rows, std::uint64_t version) {
  Heatmap heat;
  heat.values = values.data(), heat.rows = rows;
  heat.cols = heat.row_stride = rows > 0 ? static_cast<int>(values.size()) / rows : 0;
  heat.version = version;
  return heat;
}

Heatmap with_signs(Heatmap heat, float limit) {
  heat.lo = -limit, heat.hi = limit, heat.map = draw::Colormap::signed_weight;
  return heat;
}

float largest_magnitude(std::span<const float> values) {
  float most = 0;
  for (const float value : values) {
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  }
  return most;
}

void draw_cells(const Pen& pen, Box box, const Heatmap& heat, const Mark& mark) {
  if (mark.part != Part::none) pen.canvas.mark(mark);
  pen.canvas.heatmap(box, heat);
  if (mark.part != Part::none) pen.canvas.mark({});
}

namespace {

constexpr float least_printed_number = 8.5f, digit_em = 0.6f;

/// Returns the smallest size of a number in a cell.
float least_number(const Pen& pen) {
  if (on_slide(pen)) return pen.canvas.least_text();
  return pen.canvas.plain() ? least_printed_number : small_size;
}

/// Is this value, which is not zero, zero with so many decimals?
bool rounds_to_zero(double value, int decimals) {
  return value != 0 && std::abs(value) < 0.5 * std::pow(10.0, -decimals);
}

/// The format of a map's numbers: their decimals, and the length of the longest.
struct NumberPlan {
  int places = 2, characters = 4;
};

float largest_written(const Heatmap& heat, const CellNumbers& which) {
  return std::max(std::abs(heat.lo), std::abs(heat.hi)) * std::abs(which.factor);
}

NumberPlan planned(const Heatmap& heat, const CellNumbers& which) {
  const float largest = largest_written(heat, which);
  NumberPlan out;
  out.places = which.decimals >= 0 ? which.decimals
               : which.weights     ? weight_decimals(heat.hi)
               : largest >= 100    ? 0
               : largest >= 10     ? 1
                                   : 2;
  out.characters = out.places > 0 ? out.places + 2 : 1;
  for (float rest = largest; rest >= 10 && out.characters < 12; rest /= 10) ++out.characters;
  if (heat.lo < 0) ++out.characters;
  return out;
}

}  // namespace

void cell_numbers(const Pen& pen, Box box, const Heatmap& heat, const CellNumbers& which) {
  const float across = static_cast<float>(heat.transposed ? heat.rows : heat.cols),
              down = static_cast<float>(heat.transposed ? heat.cols : heat.rows);
  const Box view = heat.view.w > 0 && heat.view.h > 0 ? heat.view : Box{0, 0, across, down};
  const float wide = box.w / view.w, high = box.h / view.h;
  if (!numbers_fit(pen, {wide, high})) return;
  NumberPlan plan = planned(heat, which);
  const float least = least_number(pen);
  const float most = std::clamp(std::min(wide, high) * 0.25f, 13.f, 24.f);  // large cells, large numbers
  // Beside a number its cell has room in proportion to the text, so that the numbers of two cells stay apart.
  // On a slide the numbers are as large as they must be, and keep only so much apart that each is one.
  const float beside_em = on_slide(pen) ? 0.2f : 0.35f;
  const auto needed = [&] { return static_cast<float>(plan.characters) * digit_em + beside_em; };
  while (which.fewest_decimals >= 0 && plan.places > which.fewest_decimals && wide < needed() * least)
    plan.characters -= plan.places == 1 ? 2 : 1, --plan.places;  // the last one goes with its point
  // The size may follow the cell down to the least one. At that size some numbers may only just fit.
  const float longest = static_cast<float>(plan.characters) * digit_em;  // in units of the size
  const float size = std::max(least, std::min({(wide - 2) / needed(), high * 0.72f, most}));
  if (wide < needed() * size) return;
  const float beside = on_slide(pen) ? 0.15f * size : 3.f;
  const int first_row = static_cast<int>(view.y), first_col = static_cast<int>(view.x);
  const int last_row = static_cast<int>(std::min(down, std::ceil(view.bottom() - 1e-4f))),
            last_col = static_cast<int>(std::min(across, std::ceil(view.right() - 1e-4f)));
  for (int row = first_row; row < last_row; ++row) {
    for (int col = first_col; col < last_col; ++col) {
      const int r = heat.transposed ? col : row, c = heat.transposed ? row : col;
      if (!heat.allowed.empty() && !heat.allowed[static_cast<std::size_t>(r)].has(c)) continue;
      if (which.left_out && which.left_out(r, c)) continue;
      // In a zoomed map, a number at the edge is centred in the visible part of its cell, or left out.
      const Box seen = draw::common_part(cell_box(box, heat, col, row), box);
      if (seen.h < size + beside || seen.w < longest * size + beside) continue;
      const float shown =
          heat.values[static_cast<std::size_t>(r) * static_cast<std::size_t>(heat.row_stride) +
                      static_cast<std::size_t>(c)];
      if (which.weights && std::abs(shown) < unwritten_weight(plan.places)) continue;
      const Color ground = draw::color_of(pen.theme, heat, shown);
      const bool quiet = which.weights && std::abs(shown) < quiet_weight(plan.places) &&
                         draw::contrast(pen.theme.dim, ground) >= 4.5;
      const auto number = static_cast<double>(shown * which.factor);
      if (rounds_to_zero(number, plan.places)) continue;
      const std::string words = std::isnan(shown) ? which.undefined : fixed(number, plan.places);
      const draw::Color ink = quiet ? pen.theme.dim : draw::readable_on(ground);
      pen.canvas.text(seen.centre(), words, aligned(mono_style(ink, size), Align::centre));
    }
  }
}

void selected_frame(const Pen& pen, Box cell) {
  pen.canvas.frame(cell.inset(-1.5f), {pen.theme.text, 2.5f}, 3);
  pen.canvas.frame(cell.inset(1), {pen.theme.panel, 1.2f}, 2);
}

}  // namespace headlight::views
