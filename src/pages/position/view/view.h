// What every card of the Position page is drawn from: P as it was computed, the two positions that are
// compared, what is plotted and what lies under the pointer; and the words for frequencies and angles. Tested
// in tests/views/position_view_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kit/card.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Made once for a drawing of the page; refers to its input. Columns are columns of P, positions its rows.
struct PositionView {
  Pen pen;
  const PageInput& in;
  const scene::PositionResults& results;
  int first = 0;  // the position of row 0; positions, below, are counted from 0 whatever it is
  int rows = 0, cols = 0;
  int pairs = 0;                    // with both columns, ⌊cols/2⌋; 0 of a learned table
  int i = 0, delta = 0;             // the position and the offset; i + delta may lie outside P
  double running = 0;               // the position while it runs, with its fraction; else i
  int pair = -1;                    // the chosen one; −1: P has none
  std::vector<int> columns;         // plotted, those that P has
  std::vector<draw::Color> colors;  // of each plotted column

  // Under the pointer; −1: nothing. A clock lights its two columns, a column its clock.
  int lit_pair = -1, lit_column = -1, lit_row = -1;

  PositionView(draw::Canvas& canvas, const PageInput& input);

  draw::Canvas& canvas() const { return pen.canvas; }
  const draw::Theme& theme() const { return pen.theme; }
  int ahead() const { return i + delta; }
  bool has(int position) const { return position >= first && position - first < rows; }
  float value(int position, int col) const {
    return results.p.row(position - first)[static_cast<std::size_t>(col)];
  }
  int last() const { return first + rows - 1; }
  /// Columns are sines and cosines; false: numbers that a model has learned.
  bool waves() const { return results.waves(); }
  bool sine(int column) const { return !waves() || column % 2 == 0; }
  /// A column between the rows of P too: its sine or cosine, or along the line from row to row.
  double along(int column, double position) const;
  /// What P is of a model of another program, in a line; empty: it is the scene's.
  const std::string& about() const { return results.about; }
  /// ω of the pair that column 2j or 2j + 1 belongs to, radians per position.
  double omega(int pair_index) const { return results.omega[static_cast<std::size_t>(pair_index)]; }
  bool plotted(int column) const;
  /// The positions whose rows are most like that of i: one, or with whole pairs of columns the two that stand
  /// as far on either side, whose distances differ by rounding only. Empty while rows are not compared.
  std::vector<int> nearest() const;
  /// Lit by the pointer, either alone or with its pair.
  bool lit(int column) const { return column == lit_column || (lit_pair >= 0 && column / 2 == lit_pair); }
};

/// That the trained model of the scene adds other positions than these, or none; empty: it adds these, or
/// there is no such model.
std::string not_added(const scene::Results& results);

/// Even columns are sines, odd ones cosines.
inline bool is_sine(int column) {
  return column % 2 == 0;
}
/// sin or cos of `position` · ω, the function that a column samples; for drawing between the rows of P.
double column_at(int column, double position, double omega);

/// "6.3", "1,987", "61,343": the wavelength 2π/ω in positions.
std::string wavelength_words(double omega);
/// "1", "0.1778", "1.8e−4", about `digits` significant digits.
std::string frequency_words(double omega, int digits = 4);
/// Width to keep for the labels of positions on an x axis.
float tick_room(const PositionView& view);
/// "row 11", "rows 9 and 11"
std::string rows_words(const std::vector<int>& rows);
/// "0.889 rad = 50.9°", and with more than a turn "… = 1.6 turns".
std::string arc_words(double radians);
/// "ω₃" is written "ω_3" where a line has no room for subscripts; this one has.
std::string subscript(int number);

/// The assignment "position_columns=…" that adds `column` or, if it is plotted, takes it away.
std::string toggled_columns(const PositionView& view, int column);

}  // namespace headlight::views
