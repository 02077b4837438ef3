#include <cmath>

#include "draw/no_canvas.h"
#include "kit/page_input.h"
#include "pages/position/view/page.h"
#include "pages/position/view/view.h"

namespace headlight::views {

namespace {

std::string size_words(const PositionView& view) {
  return "P is " + with_commas(view.rows) + " × " + with_commas(view.cols) +
         (view.first > 0 ? ", from position " + with_commas(view.first) + " on" : "");
}

std::string function_words(int column, int position) {
  return std::string(is_sine(column) ? "sin(" : "cos(") + std::to_string(position) + " · ω" +
         subscript(column / 2) + ")";
}

std::string frequency_line(const PositionView& view, int pair) {
  const std::string j = subscript(pair);
  return "ω" + j + " = " +
         view.in.text(quantity("omega", {{"pair", pair}}),
                      [](double omega) { return frequency_words(omega); }) +
         ", λ = " + view.in.text(quantity("wavelength", {{"pair", pair}})) + " positions";
}

std::string cell_words(const PositionView& view, int row, int column) {
  if (!view.has(row) || column < 0 || column >= view.cols) return "";
  return "P[" + std::to_string(row) + ", " + std::to_string(column) +
         "] = " + fixed(static_cast<double>(view.value(row, column)), 3) +
         (view.waves() ? "\n" + function_words(column, row) + ", " + frequency_line(view, column / 2) : "");
}

std::string clock_words(const PositionView& view, int pair) {
  if (pair < 0 || pair >= view.pairs) return "";
  const double omega = view.omega(pair);
  std::string words = "pair " + std::to_string(pair) + ", columns " + std::to_string(2 * pair) + " and " +
                      std::to_string(2 * pair + 1) + "\n" + frequency_line(view, pair) + "\nhand at " +
                      view.in.text(quantity("angle", {{"pair", pair}})) +
                      "° for i = " + std::to_string(view.i);
  if (view.delta != 0) words += "\nδω = " + arc_words(view.delta * omega);
  return words;
}

std::string residual_line(const PositionView& view) {
  if (view.pairs == 0 || view.rows < 2 || std::abs(view.in.results.scene.positions.delta) >= view.rows)
    return "";
  return "p(i+δ) = R(δ) p(i) holds to " + view.in.text("rotation_residual") +
         (view.cols % 2 == 1 ? " for every pair; the last sine has none" : "");
}

}  // namespace

std::string position_words(const PageInput& in) {
  draw::NoCanvas nothing;
  const PositionView view(nothing, in);
  if (view.rows == 0 || view.cols == 0) return "";
  const std::string apart = " · ";
  if (view.lit_row >= 0 && view.lit_column >= 0) {
    return size_words(view) + apart + "row " + std::to_string(view.lit_row) + ", column " +
           std::to_string(view.lit_column) + ": " +
           fixed(static_cast<double>(view.value(view.lit_row, view.lit_column)), 4);
  }
  if (view.lit_pair >= 0) {
    return size_words(view) + apart + "columns " + std::to_string(2 * view.lit_pair) + " and " +
           std::to_string(2 * view.lit_pair + 1) + ": " + frequency_line(view, view.lit_pair);
  }
  if (!view.waves()) return size_words(view) + apart + "a learned table";
  std::string words = size_words(view) + apart + "ω_0 = " + frequency_words(view.omega(0));
  const int last = (view.cols + 1) / 2 - 1;
  if (last > 0) words += " … ω_" + std::to_string(last) + " = " + frequency_words(view.omega(last), 2);
  const std::string residual = residual_line(view);
  return residual.empty() ? words : words + apart + residual;
}

std::string position_tooltip(const PageInput& in, const draw::Hit& hit) {
  if (!hit.mark.note.empty()) return hit.mark.note;
  draw::NoCanvas nothing;
  PageInput pointed = in;
  pointed.hover = &hit;
  const PositionView view(nothing, pointed);
  if (view.rows == 0 || view.cols == 0) return "";
  switch (hit.mark.part) {
    case Part::position_cell:
      return cell_words(view, view.first + hit.mark.query, hit.mark.key);
    case Part::position_row:
      if (view.lit_column >= 0)
        return cell_words(view, hit.mark.query, view.lit_column) + "\ndrag: move the position";
      return view.has(hit.mark.query)
                 ? "position " + std::to_string(hit.mark.query) + "\nclick or drag: move the position"
                 : "";
    case Part::position_column:
      if (hit.mark.key < 0 || hit.mark.key >= view.cols) return "";
      return "column " + std::to_string(hit.mark.key) +
             (view.waves() ? std::string(", ") + (is_sine(hit.mark.key) ? "sin" : "cos") + "(i · ω" +
                                 subscript(hit.mark.key / 2) + ")\n" + frequency_line(view, hit.mark.key / 2)
                           : std::string()) +
             "\nclick: " + (view.plotted(hit.mark.key) ? "remove from the plot" : "plot it");
    case Part::position_axis:
      return view.lit_row >= 0 ? "position " + std::to_string(view.lit_row) + "\ndrag: move the position"
                               : "";
    case Part::offset_axis:
      return "i + δ = " + fixed(view.ahead(), 0) + "\ndrag: change the offset δ";
    case Part::clock:
      return clock_words(view, hit.mark.key);
    default:
      return "";
  }
}

namespace {

/// Columns against bits: both from fast to slow.
std::string waves_finding(const PositionView& view) {
  const int last = view.pairs - 1;
  return "Bit 0 repeats every 2 positions, columns 0 and 1 every " +
         view.in.text(quantity("wavelength", {{"pair", 0}})) +
         (last > 0 ? "; columns " + std::to_string(2 * last) + " and " + std::to_string(2 * last + 1) +
                         " every " + view.in.text(quantity("wavelength", {{"pair", last}}))
                   : std::string());
}

/// The wavelengths of the first and the last plotted column.
std::string columns_finding(const PositionView& view) {
  if (view.columns.empty()) return {};
  const auto [first, last] = std::minmax_element(view.columns.begin(), view.columns.end());
  const auto one = [&](int column) {
    return std::to_string(column) + " repeats every " +
           view.in.text(quantity("wavelength", {{"pair", column / 2}})) + " positions";
  };
  return *first / 2 == *last / 2 ? "Column " + one(*first)
                                 : "Column " + one(*first) + ", column " + one(*last);
}

std::string arc_finding(const PositionView& view) {
  const int pair = std::max(0, view.pair);
  return "From every position to the one " + fixed(view.delta, 0) + " further, pair " + std::to_string(pair) +
         " rotates by " + view.in.text(quantity("rotation_angle", {{"pair", pair}})) + " rad";
}

std::string closest_rows(const PageInput& in) {
  const scene::PositionResults& r = in.results.position;
  if (r.closest_a < 0) return {};
  const std::string both = in.text("closest_row") + " and " + in.text("closest_other");
  if (r.closest_distance == 0) return "Positions " + both + " have the same row of P";
  const std::string who =
      r.as_close > 2 ? "the closest, such as those of positions " : "the closest, of positions ";
  return "No two rows of P are equal: " + who + both + ", are " + in.text("closest") + " apart";
}

}  // namespace

std::string position_finding(const PageInput& in, std::string_view card) {
  if (card == "uniqueness" || card == "build-up") return closest_rows(in);
  if (card == "concat")
    return in.results.concatenated ? "Concatenating and adding two projections differ by at most " +
                                         in.text("concatenation_difference")
                                   : std::string();
  if (card == "binary" || card == "same-arc") {
    draw::NoCanvas nothing;
    const PositionView view(nothing, in);
    if (view.pairs == 0) return {};
    return card == "binary" ? waves_finding(view) : arc_finding(view);
  }
  if (card != "p" && card != "columns" && card != "clocks" && card != "rotation") return {};
  draw::NoCanvas nothing;
  const PositionView view(nothing, in);
  if (view.rows == 0 || view.cols == 0 || !view.waves()) return {};
  const std::string first = wavelength_words(view.omega(0)),
                    last = wavelength_words(view.omega((view.cols + 1) / 2 - 1));
  if (card == "clocks")
    return "The fastest clock turns once in " + first + " positions, the slowest once in " + last;
  if (card == "columns") return columns_finding(view);
  if (card == "rotation") {
    if (view.pairs == 0) return {};
    const int pair = std::max(0, view.pair);
    return "For δ = " + std::to_string(view.delta) + " the angle of pair " + std::to_string(pair) + " is " +
           in.text(quantity("rotation_angle", {{"pair", pair}})) + " rad at every position";
  }
  return size_words(view) + " with wavelengths from " + first + " to " + last + " positions";
}

}  // namespace headlight::views
