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

using F = const Quantity&;

using S = const QuantitySource&;

double omega(F f, S s) {
  return entry(s.results.position.omega, f.number("pair", s.scene.position_pair));
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

double last_position_turns(F f, S s) {
  return omega(f, s) * (s.scene.positions - 1) / (2 * std::numbers::pi);
}

constexpr QuantityInfo list[] = {
    {"p", "row col", "an element of P; row 0 is the first position",
     [](F f, S s) { return element(s.results.position.p, f.number("row", 0), f.number("col", 0)); }},
    {"omega", "pair", "radians that a pair turns in one position", omega, "radians per position"},
    {"wavelength", "pair", "positions that a pair takes for a full turn",
     [](F f, S s) { return 2 * std::numbers::pi / omega(f, s); }, "positions"},
    {"turns", "pair", "turns of a pair from the first position to the last", last_position_turns, "turns"},
    {"clocks", "", "pairs of columns", [](F, S s) { return double(s.results.position.omega.size()); }},
    {"p_distance", "a b", "distance between two rows of P",
     [](F f, S s) { return p_distance(s, f.number("a", 0), f.number("b", 1)); }},
    {"p_dot", "a b", "product of two rows of P",
     [](F f, S s) { return p_dot(s, f.number("a", 0), f.number("b", 1)); }},
    {"closest", "", "distance between the two most similar rows of P",
     [](F, S s) {
       return s.results.position.closest_a < 0 ? no_value : s.results.position.closest_distance;
     }},
    {"rotation_residual", "", "largest |p(i+δ) − R(δ) p(i)| over all positions and pairs",
     [](F, S s) { return s.results.position.worst_rotation_residual; }},
    {"concatenation_difference", "", "largest |[x; p] W − (x W₁ + p W₂)|, in float32",
     [](F, S s) { return s.results.concatenated ? s.results.concatenated->largest_difference : no_value; }},
    {"first_position", "", "position of row 0 of P", [](F, S s) { return double(s.results.position.first); },
     "positions"},
    {"rotation_cos", "pair", "cos(δω) of a pair, for the scene's δ",
     [](F f, S s) { return std::cos(s.scene.position_delta * omega(f, s)); }},
    {"rotation_sin", "pair", "sin(δω) of a pair, for the scene's δ",
     [](F f, S s) { return std::sin(s.scene.position_delta * omega(f, s)); }},
};

}  // namespace

std::span<const QuantityInfo> position_quantities() {
  return list;
}

}  // namespace headlight::scene
