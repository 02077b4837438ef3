#include "pages/position/view/view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "kit/page_input.h"
#include "scene/trained_model.h"

namespace headlight::views {

namespace {

/// Columns keep their colour when others come and go: the colour goes by the column, moved on only while it
/// is taken. Columns 6, 7, 8, 9 have four neighbouring ones.
std::vector<draw::Color> column_colors(const draw::Theme& theme, const std::vector<int>& columns) {
  constexpr int known = 7;
  std::vector<draw::Color> colors;
  std::array<int, known> used{};
  for (const int column : columns) {
    const int least = *std::min_element(used.begin(), used.end());
    int slot = (column + 1) % known;
    while (used[static_cast<std::size_t>(slot)] > least) slot = (slot + 1) % known;
    ++used[static_cast<std::size_t>(slot)];
    colors.push_back(draw::series(theme, slot + 1));  // the first one is that of the offset
  }
  return colors;
}

}  // namespace

PositionView::PositionView(draw::Canvas& canvas, const PageInput& input)
    : pen{canvas, input.theme, input.hover}, in(input), results(input.results.position) {
  first = results.first, rows = results.p.rows(), cols = results.p.cols();
  if (waves() && results.omega.size() < static_cast<std::size_t>((cols + 1) / 2))
    rows = cols = 0;  // nothing computed yet
  pairs = waves() ? cols / 2 : 0;
  i = input.scene.positions.index, delta = input.scene.positions.delta;
  running = i;
  if (input.play_position >= 0) {
    running = input.play_position;
    i = static_cast<int>(std::floor(running));
  }
  pair = pairs > 0 ? std::clamp(input.scene.positions.pair, 0, pairs - 1) : -1;
  for (const int column : input.scene.positions.columns) {
    if (column >= 0 && column < cols) columns.push_back(column);
  }
  colors = column_colors(input.theme, columns);

  if (!input.hover) return;
  const draw::Hit& hit = *input.hover;
  const draw::Mark& mark = hit.mark;
  switch (mark.part) {
    case draw::Part::clock:
      lit_pair = mark.key;
      break;
    case draw::Part::position_column:
      lit_column = mark.key;
      break;
    case draw::Part::position_cell:
      lit_column = mark.key, lit_row = first + mark.query;  // rows of the heatmap are counted from 0
      break;
    case draw::Part::position_row:
      lit_row = mark.query;
      if (mark.name == "row i" && mark.area.w > 0) {  // the grip lies over the row's cells
        const float across = (hit.at.x - mark.area.x) / mark.area.w;
        lit_column =
            std::clamp(static_cast<int>(across * static_cast<float>(cols)), 0, std::max(0, cols - 1));
      }
      break;
    case draw::Part::position_axis:
    case draw::Part::offset_axis:
      if (mark.area.w > 0) {
        const double along = static_cast<double>((hit.at.x - mark.area.x) / mark.area.w);
        const double span = static_cast<double>(mark.to - mark.from);
        lit_row = static_cast<int>(std::lround(static_cast<double>(mark.from) + along * span));
      }
      break;
    default:
      break;
  }
  if (lit_pair >= pairs) lit_pair = -1;
  if (lit_column >= cols) lit_column = -1;
  if (!has(lit_row)) lit_row = -1;
}

std::string not_added(const scene::Results& results) {
  if (!results.model || results.opened) return {};
  using nn::ModelPositions;
  const std::string none = "The trained model adds none of these sinusoids: ";
  switch (results.model->config.positions) {
    case ModelPositions::sinusoidal:
      return {};
    case ModelPositions::none:
      return none + "it has no positions.";
    case ModelPositions::learned:
      return none + "it adds learned vectors.";
    case ModelPositions::t5:
      return none + "it adds a learned bias to its scores (T5).";
    case ModelPositions::alibi:
      return none + "it subtracts a penalty on distance from its scores (ALiBi).";
    case ModelPositions::rope:
      return none + "it rotates queries and keys (RoPE).";
  }
  return {};
}

std::vector<int> PositionView::nearest() const {
  if (!has(i) || static_cast<std::size_t>(i - first) >= results.nearest.size()) return {};
  const int nearest_row = results.nearest[static_cast<std::size_t>(i - first)].row;
  if (nearest_row < 0) return {};
  const int row = first + nearest_row;
  const int mirrored = 2 * i - row;
  if (!waves() || cols % 2 != 0 || !has(mirrored)) return {row};
  return {std::min(row, mirrored), std::max(row, mirrored)};
}

double PositionView::along(int column, double position) const {
  if (waves()) return column_at(column, position, omega(column / 2));
  const int before = std::clamp(static_cast<int>(std::floor(position)), first, last()),
            after = std::min(before + 1, last());
  const double part = std::clamp(position - before, 0.0, 1.0),
               from = static_cast<double>(value(before, column));
  return from + part * (static_cast<double>(value(after, column)) - from);
}

bool PositionView::plotted(int column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

double column_at(int column, double position, double omega) {
  return is_sine(column) ? std::sin(position * omega) : std::cos(position * omega);
}

std::string wavelength_words(double omega) {
  return base::length_words(2 * std::numbers::pi / omega);
}

float tick_room(const PositionView& view) {
  return std::max(44.f, 12 + 7 * static_cast<float>(std::to_string(view.last()).size()));
}

std::string rows_words(const std::vector<int>& rows) {
  std::string words = rows.size() == 1 ? "row " : "rows ";
  for (std::size_t n = 0; n < rows.size(); ++n) words += (n > 0 ? " and " : "") + std::to_string(rows[n]);
  return words;
}

std::string frequency_words(double omega, int digits) {
  return omega >= 0.001 || omega == 0 ? brief(omega, digits) : base::power_text(omega, std::min(digits, 2));
}

std::string arc_words(double radians) {
  const double turns = std::abs(radians) / (2 * std::numbers::pi), degrees = radians * 180 / std::numbers::pi;
  const int decimals = std::abs(degrees) >= 100 ? 0 : std::abs(degrees) >= 1 ? 1 : 2;
  std::string words = std::abs(radians) >= 0.001 || radians == 0
                          ? fixed(radians, 3)
                          : (radians < 0 ? "−" : "") + frequency_words(std::abs(radians));
  words += " rad = ";
  words += std::abs(degrees) >= 0.01 || radians == 0
               ? fixed(degrees, decimals)
               : (radians < 0 ? "−" : "") + frequency_words(std::abs(degrees));
  words += "°";
  if (turns >= 1) words += " = " + fixed(turns, 1) + " turns";
  return words;
}

std::string subscript(int number) {
  static constexpr const char* digits[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  std::string out;
  for (const char c : std::to_string(number)) out += c == '-' ? "₋" : digits[c - '0'];
  return out;
}

std::string toggled_columns(const PositionView& view, int column) {
  std::vector<int> columns = view.columns;
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found != columns.end()) {
    columns.erase(found);
  } else {
    columns.push_back(column);
    std::sort(columns.begin(), columns.end());
  }
  std::string out = "position_columns=";
  for (std::size_t n = 0; n < columns.size(); ++n) out += (n > 0 ? "," : "") + std::to_string(columns[n]);
  return out;
}

}  // namespace headlight::views
