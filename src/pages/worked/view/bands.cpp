#include "pages/worked/view/bands.h"

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "pages/worked/worked.h"

namespace headlight::views {

namespace {

constexpr float tight_margin = 14, tight_gap = 12;  // where cells are as narrow as their numbers
constexpr float least_cell = 16, most_cell = 92, most_large_cell = 128;

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
void share_width(std::vector<CellBand>& bands, float width, float most) {
  float alike = most, need = least_cell;
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

/// The columns of the chosen step: what it is made from, and its result.
std::vector<CellColumn> columns_of_step(const WorkedView& view, float digit,
                                        std::vector<CellColumn> projections) {
  const scene::WorkedResults& r = view.results;
  const nn::AttentionTrace& t = r.trace;
  const int T = view.T();
  switch (view.step) {
    case 1:
      return projections;
    case 2:
      return {cells_column(digit, {&t.q}, t.d_k), cells_column(digit, {&t.k, &r.products}, T)};
    case 3:
      return {cells_column(digit, {&r.products}, T), cells_column(digit, {&t.scores}, T)};
    case 4:
      return {cells_column(digit, {&t.scores}, T), cells_column(digit, {&t.weights}, T)};
    default:  // X is above the weights, so that it can be typed into while its output is in view
      return {cells_column(digit, {&t.weights, &r.x}, std::max(T, r.x.cols())),
              cells_column(digit, {&t.v, &t.output}, t.d_v)};
  }
}

FlowPlace place_among_all(FlowMatrix which, bool three) {
  const FlowPlace weights = three ? FlowPlace{2, 0} : FlowPlace{1, 3};
  const std::size_t output = weights.column + 1;
  switch (which) {
    case FlowMatrix::x:
      return {0, 0};
    case FlowMatrix::w_q:
      return {0, 1, true};
    case FlowMatrix::w_k:
      return {0, 2, true};
    case FlowMatrix::w_v:
      return {0, 3, true};
    case FlowMatrix::q:
      return {0, 1};
    case FlowMatrix::k:
      return {0, 2};
    case FlowMatrix::v:
      return {0, 3};
    case FlowMatrix::q_again:
      return {1, 0};
    case FlowMatrix::k_turned:
      return {1, 1, true};
    case FlowMatrix::products:
      return {1, 1};
    case FlowMatrix::scores:
      return {1, 2};
    case FlowMatrix::weights:
      return weights;
    case FlowMatrix::v_again:
      return {weights.band, output, true};
    case FlowMatrix::output:
      break;
  }
  return {weights.band, output};
}

std::optional<FlowPlace> place_in_step(FlowMatrix which, int step) {
  if (step == 1 && which <= FlowMatrix::v) return place_among_all(which, false);
  struct Shown {
    int step;
    FlowMatrix which;
    FlowPlace place;
  };
  constexpr Shown shown[] = {{2, FlowMatrix::q_again, {0, 0}},  {2, FlowMatrix::k_turned, {0, 1, true}},
                             {2, FlowMatrix::products, {0, 1}}, {3, FlowMatrix::products, {0, 0}},
                             {3, FlowMatrix::scores, {0, 1}},   {4, FlowMatrix::scores, {0, 0}},
                             {4, FlowMatrix::weights, {0, 1}},  {5, FlowMatrix::x, {0, 0, true}},
                             {5, FlowMatrix::weights, {0, 0}},  {5, FlowMatrix::v_again, {0, 1, true}},
                             {5, FlowMatrix::output, {0, 1}}};
  for (const Shown& one : shown) {
    if (one.step == step && one.which == which) return one.place;
  }
  return std::nullopt;
}

bool holds_its_numbers(const std::vector<CellBand>& bands) {
  return std::all_of(bands.begin(), bands.end(), [](const CellBand& band) {
    return std::all_of(band.columns.begin(), band.columns.end(),
                       [](const CellColumn& column) { return column.cell >= column.need; });
  });
}

}  // namespace

std::vector<CellBand> rows_of_bands(const WorkedView& view, FlowLayout layout) {
  const int T = view.T(), D = view.results.x.cols(), d_k = view.results.trace.d_k;
  const auto band = [](int upper, int lower) {
    CellBand out;
    out.upper = upper, out.lower = lower;
    return out;
  };
  switch (layout) {
    case FlowLayout::two:
      return {band(D, T), band(std::max(d_k, T), T)};
    case FlowLayout::three:
      return {band(D, T), band(d_k, T), band(T, T)};
    case FlowLayout::step:
      break;
  }
  // The scores and the weights are made from what is beside them, without a factor above.
  return {band(view.step == 1 ? D : view.step == 2 ? d_k : view.step == 5 ? T : 0, T)};
}

std::vector<CellBand> bands_of(const WorkedView& view, float width, FlowLayout layout) {
  const scene::WorkedResults& r = view.results;
  const nn::AttentionTrace& t = r.trace;
  const int T = view.T(), D = r.x.cols();
  const float digit = view.pen.canvas.text_width("0", mono_style({}, word_size));
  std::vector<CellBand> bands = rows_of_bands(view, layout);
  bands[0].columns = {cells_column(digit, {&r.x}, D), cells_column(digit, {&r.w_q, &t.q}, t.d_k),
                      cells_column(digit, {&r.w_k, &t.k}, t.d_k), cells_column(digit, {&r.w_v, &t.v}, t.d_v)};
  if (layout == FlowLayout::step) {
    bands[0].columns = columns_of_step(view, digit, std::move(bands[0].columns));
  } else {
    bands[1].columns = {cells_column(digit, {&t.q}, t.d_k), cells_column(digit, {&t.k, &r.products}, T),
                        cells_column(digit, {&t.scores}, T)};
    std::vector<CellColumn>& output = bands.back().columns;
    output.push_back(cells_column(digit, {&t.weights}, T));
    output.push_back(cells_column(digit, {&t.v, &t.output}, t.d_v));
  }
  share_width(bands, width, view.pen.canvas.plain() || on_slide(view.pen) ? most_cell : most_large_cell);
  return bands;
}

std::optional<FlowPlace> flow_place(const WorkedView& view, FlowLayout layout, FlowMatrix which) {
  if (layout == FlowLayout::step) return place_in_step(which, view.step);
  return place_among_all(which, layout == FlowLayout::three);
}

FlowLayout flow_layout(const WorkedView& view, float width) {
  if (!view.pen.canvas.plain()) return view.one_step ? FlowLayout::step : FlowLayout::two;
  return holds_its_numbers(bands_of(view, width, FlowLayout::two)) ? FlowLayout::two : FlowLayout::three;
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
