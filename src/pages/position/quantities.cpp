// The quantities of the page: its numbers by name.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "pages/quantity_values.h"
#include "scene/model_answers.h"
#include "scene/settings.h"
#include "scene/shown.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;

using S = const QuantitySource&;

double omega(Q q, S s) {
  return entry(s.results.position.omega, q.number("pair", s.scene.positions.pair));
}

double p_distance(S s, int a, int b) {
  const nn::Matrix& p = s.results.position.p;
  if (a < 0 || b < 0 || a >= p.rows() || b >= p.rows()) return no_value;
  double sum = 0;
  for (int c = 0; c < p.cols(); ++c) {
    const double d = static_cast<double>(p.at(a, c)) - static_cast<double>(p.at(b, c));
    sum += d * d;
  }
  return std::sqrt(sum);
}

double p_dot(S s, int a, int b) {
  const nn::Matrix& p = s.results.position.p;
  if (a < 0 || b < 0 || a >= p.rows() || b >= p.rows()) return no_value;
  double sum = 0;
  for (int c = 0; c < p.cols(); ++c) sum += static_cast<double>(p.at(a, c)) * static_cast<double>(p.at(b, c));
  return sum;
}

double last_position_turns(Q q, S s) {
  return omega(q, s) * (s.results.position.p.rows() - 1) / (2 * std::numbers::pi);
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"p", "Element of P", decimals(3), "row col", "an element of P; row 0 is the first position",
     [](Q q, S s) { return element(s.results.position.p, q.number("row", 0), q.number("col", 0)); }},
    {"omega", "Angular frequency ω", significant(4), "pair", "radians by which a pair rotates per position",
     omega, "radians per position"},
    {"wavelength", "Wavelength", length_form, "pair", "positions per full turn of a pair",
     [](Q q, S s) { return 2 * std::numbers::pi / omega(q, s); }, "positions"},
    {"turns", "Turns over all positions", significant(2), "pair",
     "turns of a pair from the first position to the last", last_position_turns, "turns"},
    {"clocks", "Pairs of columns", whole_form, "", "pairs of columns",
     [](Q, S s) {
       const PositionResults& r = s.results.position;
       return double(r.waves() ? r.p.cols() / 2 : 0);
     }},
    {"p_distance", "Distance between two rows of P", significant(3), "a b", "distance between two rows of P",
     [](Q q, S s) { return p_distance(s, q.number("a", 0), q.number("b", 1)); }},
    {"p_dot", "Dot product of two rows of P", decimals(2), "a b", "dot product of two rows of P",
     [](Q q, S s) { return p_dot(s, q.number("a", 0), q.number("b", 1)); }},
    {"closest", "Smallest distance between two rows of P", significant(3), "",
     "distance between the two most similar rows of P",
     [](Q, S s) {
       return s.results.position.closest_a < 0 ? no_value : s.results.position.closest_distance;
     }},
    {"rotation_residual", "Largest error of the rotation", rounding_form, "",
     "largest |p(i+δ) − R(δ) p(i)| over all positions and pairs",
     [](Q, S s) {
       const PositionResults& r = s.results.position;
       const bool rotates = r.waves() && r.p.cols() > 1 && r.p.rows() > 1;
       return rotates ? r.worst_rotation_residual : no_value;
     }},
    {"concatenation_difference", "Largest difference between concatenating and adding", rounding_form, "",
     "largest |[x; p] W − (x W₁ + p W₂)|, in float32",
     [](Q, S s) { return s.results.concatenated ? s.results.concatenated->largest_difference : no_value; }},
    {"first_position", "First position", whole_form, "", "position of row 0 of P",
     [](Q, S s) { return double(s.results.position.first); }},
    {"rotation_cos", "cos δω", decimals(3), "pair", "cos(δω) of a pair, for the scene’s δ",
     [](Q q, S s) { return std::cos(s.scene.positions.delta * omega(q, s)); }},
    {"rotation_sin", "sin δω", decimals(3), "pair", "sin(δω) of a pair, for the scene’s δ",
     [](Q q, S s) { return std::sin(s.scene.positions.delta * omega(q, s)); }},
    {"angle", "Angle at position i", decimals(1), "pair",
     "angle of a pair at the scene’s position, within one turn",
     [](Q q, S s) {
       constexpr double turn = 2 * std::numbers::pi;
       return std::fmod(std::fmod(omega(q, s) * s.scene.positions.index, turn) + turn, turn) * 180 /
              std::numbers::pi;
     },
     "°"},
    {"rotation_angle", "Angle of the rotation δω", decimals(3), "pair",
     "angle by which R rotates a pair, for the scene’s δ",
     [](Q q, S s) { return s.scene.positions.delta * omega(q, s); }, "rad"},
    {"nearest_distance", "Distance to the nearest row of P", significant(3), "row",
     "distance from a row of P (by default the scene’s position) to the row nearest to it",
     [](Q q, S s) {
       const PositionResults& r = s.results.position;
       const int row = q.number("row", s.scene.positions.index - r.first);
       return row >= 0 && static_cast<std::size_t>(row) < r.nearest.size()
                  ? r.nearest[static_cast<std::size_t>(row)].distance
                  : no_value;
     }},
    {"closest_row", "Position of the first of the two closest rows", whole_form, "",
     "position of the first of the two most similar rows of P",
     [](Q, S s) {
       const PositionResults& r = s.results.position;
       return r.closest_a < 0 ? no_value : double(r.first + r.closest_a);
     }},
    {"closest_other", "Position of the second of the two closest rows", whole_form, "",
     "position of the second of the two most similar rows of P",
     [](Q, S s) {
       const PositionResults& r = s.results.position;
       return r.closest_a < 0 ? no_value : double(r.first + r.closest_b);
     }},
    {"as_close", "Rows as close as the two closest", whole_form, "",
     "rows of P that have another row at the smallest distance",
     [](Q, S s) {
       return s.results.position.closest_a < 0 ? no_value : double(s.results.position.as_close);
     }},
    {"p_rows", "Rows of P", whole_form, "", "number of positions in P",
     [](Q, S s) { return double(s.results.position.p.rows()); }},
    {"p_largest", "Largest |element| of P", significant(4), "",
     "magnitude at which the colours of P end: 1, or the largest of a learned table",
     [](Q, S s) { return s.results.position.p.empty() ? no_value : double(s.results.position.largest); }},
    {"p_columns", "Columns of P", whole_form, "",
     "components of a row of P: d_model, or as many as an opened model has",
     [](Q, S s) { return double(s.results.position.p.cols()); }},
};

}  // namespace

std::span<const QuantityInfo> position_quantities() {
  return list;
}

}  // namespace headlight::scene
