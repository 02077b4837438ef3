#include "pages/worked/view/bands.h"

#include <algorithm>

#include "base/words.h"
#include "pages/worked/worked.h"

namespace headlight::views {

namespace {

constexpr float tight_margin = 14, tight_gap = 12;  // where cells are as narrow as their numbers
constexpr float least_cell = 16, most_cell = 92;

/// The font of numbers has one width for all digits.
CellColumn cells_column(float digit, std::initializer_list<const nn::Matrix*> blocks, int cells) {
  std::size_t longest = 1;
  for (const nn::Matrix* block : blocks) {
    for (const float v : block->values())
      longest = std::max(longest, base::characters(worked_number(static_cast<double>(v))));
  }
  CellColumn out;
  out.cells = cells;
  out.need = std::max(least_cell, digit * static_cast<float>(longest) + 5);
  return out;
}

/// All cells alike where the numbers have room in them, else each as its column needs it.
void share_width(std::vector<CellBand>& bands, float width) {
  float alike = most_cell, need = least_cell;
  for (const CellBand& band : bands) {
    int cells = 0;
    for (const CellColumn& column : band.columns) cells += column.cells, need = std::max(need, column.need);
    const float gaps = 2 * flow_margin + flow_block_gap * static_cast<float>(band.columns.size() - 1);
    alike = std::min(alike, (width - gaps) / static_cast<float>(cells));
  }
  for (CellBand& band : bands) {
    if (alike >= need) {
      for (CellColumn& column : band.columns) column.cell = alike;
      continue;
    }
    band.gap = tight_gap, band.left = tight_margin;
    const float room = width - tight_margin - tight_gap * static_cast<float>(band.columns.size() - 1);
    float all = 0;
    int cells = 0;
    for (const CellColumn& column : band.columns)
      all += static_cast<float>(column.cells) * column.need, cells += column.cells;
    const float spare = std::min(16.f, std::max(0.f, room - all) / static_cast<float>(cells));
    for (CellColumn& column : band.columns)
      column.cell = std::max(8.f, column.need * std::min(1.f, room / all) + spare);
  }
}

bool holds_its_numbers(const std::vector<CellBand>& bands) {
  return std::all_of(bands.begin(), bands.end(), [](const CellBand& band) {
    return std::all_of(band.columns.begin(), band.columns.end(),
                       [](const CellColumn& column) { return column.cell >= column.need; });
  });
}

}  // namespace

std::vector<CellBand> rows_of_bands(const WorkedView& view, bool three) {
  const int T = view.T(), D = view.results.x.cols(), d_k = view.results.trace.d_k;
  const auto band = [](int upper, int lower) {
    CellBand out;
    out.upper = upper, out.lower = lower;
    return out;
  };
  if (three) return {band(D, T), band(d_k, T), band(T, T)};
  return {band(D, T), band(std::max(d_k, T), T)};
}

std::vector<CellBand> bands_of(const WorkedView& view, float width, bool three) {
  const scene::WorkedResults& r = view.results;
  const nn::AttentionTrace& t = r.trace;
  const int T = view.T(), D = r.x.cols();
  const float digit = view.pen.canvas.text_width("0", mono_style({}, word_size));
  std::vector<CellBand> bands = rows_of_bands(view, three);
  bands[0].columns = {cells_column(digit, {&r.x}, D), cells_column(digit, {&r.w_q, &t.q}, t.d_k),
                      cells_column(digit, {&r.w_k, &t.k}, t.d_k), cells_column(digit, {&r.w_v, &t.v}, t.d_v)};
  bands[1].columns = {cells_column(digit, {&t.q}, t.d_k), cells_column(digit, {&t.k, &r.products}, T),
                      cells_column(digit, {&t.scores}, T)};
  std::vector<CellColumn>& output = bands.back().columns;
  output.push_back(cells_column(digit, {&t.weights}, T));
  output.push_back(cells_column(digit, {&t.v, &t.output}, t.d_v));
  share_width(bands, width);
  return bands;
}

bool in_three_bands(const WorkedView& view, float width) {
  return view.pen.canvas.plain() && !holds_its_numbers(bands_of(view, width, false));
}

float rows_of_all(const std::vector<CellBand>& bands) {
  int rows = 0;
  for (const CellBand& band : bands) rows += band.upper + band.lower;
  return static_cast<float>(rows);
}
float labels_height(const std::vector<CellBand>& bands) {
  const auto count = static_cast<float>(bands.size());
  return count * (2 * flow_label_line + flow_factor_gap) + (count - 1) * flow_band_gap;
}

}  // namespace headlight::views
