// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <cmath>
#include <limits>

#include "nn/attention.h"
#include "nn/explain.h"
#include "nn/positional.h"
#include "pages/table_parts.h"
#include "scene/layer_input.h"
#include "scene/shown.h"

namespace headlight::scene {

namespace {

/// The element of P at a position; outside P, the sine or cosine that it would be.
double element(const TableSource& s, int position, int column) {
  const nn::Matrix& p = s.results.position.p;
  const int row = position - s.results.position.first;
  if (row >= 0 && row < p.rows()) return static_cast<double>(p.at(row, column));
  const double angle = position * s.results.position.omega[count(column / 2)];
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

bool has_pairs(const TableSource& s) {
  return s.results.position.waves() && s.results.position.p.cols() >= 2;
}

int pair_shown(const TableSource& s) {
  return std::clamp(s.scene.positions.pair, 0, std::max(0, s.results.position.p.cols() / 2 - 1));
}

/// The positions of P's rows as labels; without an offset there are none.
Names positions_of(const TableSource& s) {
  Names names;
  const int first = s.results.position.first;
  for (int row = 0; first > 0 && row < s.results.position.p.rows(); ++row)
    names.push_back(std::to_string(first + row));
  return names;
}

MaybeNumbers positions(const TableSource& s) {
  if (s.results.position.p.empty()) return std::nullopt;
  return view(s.results.position.p, {"row", "column"}, {positions_of(s), {}});
}

MaybeNumbers columns(const TableSource& s) {
  const nn::Matrix& p = s.results.position.p;
  if (p.empty()) return std::nullopt;
  std::vector<float> values;
  Names names;
  for (const int column : s.scene.positions.columns) {
    if (column >= 0 && column < p.cols()) names.push_back(std::to_string(column));
  }
  for (int row = 0; row < p.rows(); ++row) {
    for (const std::string& column : names) values.push_back(p.at(row, std::stoi(column)));
  }
  return own(std::move(values), {count(p.rows()), names.size()}, {"position", "column"},
             {positions_of(s), names});
}

MaybeNumbers clocks(const TableSource& s) {
  if (s.results.position.omega.empty()) return std::nullopt;
  constexpr double turn = 2 * 3.14159265358979323846;
  Columns out{{"ω", "wavelength", "angle", "turn δω"}, {}};
  for (const double omega : s.results.position.omega)
    out.row(omega, turn / omega, std::fmod(s.scene.positions.index * omega, turn),
            s.scene.positions.delta * omega);
  return out.take("pair");
}

MaybeNumbers rotation(const TableSource& s) {
  if (!has_pairs(s)) return std::nullopt;
  const auto r = nn::rotation(s.scene.positions.delta, s.results.position.omega[count(pair_shown(s))]);
  return own(std::vector<double>{r[0][0], r[0][1], r[1][0], r[1][1]}, {2, 2}, {"row", "column"});
}

MaybeNumbers rotated(const TableSource& s) {
  if (!has_pairs(s)) return std::nullopt;
  const int pair = pair_shown(s), i = s.scene.positions.index, delta = s.scene.positions.delta;
  const auto r = nn::rotation(delta, s.results.position.omega[count(pair)]);
  const double a = element(s, i, 2 * pair), b = element(s, i, 2 * pair + 1);
  return own(std::vector<double>{a, b, r[0][0] * a + r[0][1] * b, r[1][0] * a + r[1][1] * b,
                                 element(s, i + delta, 2 * pair), element(s, i + delta, 2 * pair + 1)},
             {3, 2}, {"vector", "component"}, {{"p(i)", "R(δ) p(i)", "p(i+δ)"}, {"sin", "cos"}});
}

MaybeNumbers turn(const TableSource& s) {
  if (!has_pairs(s)) return std::nullopt;
  const double omega = s.results.position.omega[count(pair_shown(s))];
  return one_each({{"i", s.scene.positions.index},
                   {"δ", s.scene.positions.delta},
                   {"pair", pair_shown(s)},
                   {"ω", omega},
                   {"angle of i", s.scene.positions.index * omega},
                   {"turn δω", s.scene.positions.delta * omega}});
}

MaybeNumbers nearest(const TableSource& s) {
  if (s.results.position.nearest.empty()) return std::nullopt;
  Columns out{{"nearest row", "distance"}, {}};
  for (const nn::NearestRow& row : s.results.position.nearest)
    out.row(s.results.position.first + row.row, row.distance);
  return out.take("position", positions_of(s));
}

MaybeNumbers bits(const TableSource& s) {
  const int rows = s.results.position.p.rows(), first = s.results.position.first;
  if (!has_pairs(s) && rows == 0) return std::nullopt;
  int digits = 3;
  while ((1 << digits) < first + rows) ++digits;
  std::vector<float> values;
  Names names;
  for (int bit = digits - 1; bit >= 0; --bit) names.push_back("2^" + std::to_string(bit));
  for (int row = 0; row < rows; ++row) {
    for (int bit = digits - 1; bit >= 0; --bit)
      values.push_back(static_cast<float>((first + row) >> bit & 1));
  }
  return own(std::move(values), {count(rows), count(digits)}, {"position", "digit"},
             {positions_of(s), names});
}

/// Both sides of [x; p] W = x W₁ + p W₂, token by token.
MaybeNumbers concatenated(const TableSource& s) {
  const Concatenated* c = s.results.concatenated.get();
  if (!c) return std::nullopt;
  std::vector<float> values;
  for (int t = 0; t < c->x.rows(); ++t) {
    for (const nn::Matrix* m : {&c->x, &c->p, &c->joined, &c->from_x, &c->from_p, &c->sum})
      values.insert(values.end(), m->row(t).begin(), m->row(t).end());
  }
  return own(std::move(values), {count(c->x.rows()), 6, count(c->x.cols())}, {"token", "vector", "column"},
             {token_names(s.results.tokens, c->x.rows()),
              {"x", "p", "[x; p] W", "x W_1", "p W_2", "x W_1 + p W_2"},
              {}});
}

}  // namespace

std::vector<Table> position_tables() {
  constexpr Page page = Page::position;
  return {
      {"positions", page, "p build-up", "P, from the first position on", positions},
      {"concatenated", page, "concat", "[x; p] W and x W_1 + p W_2, token by token", concatenated},
      {"columns", page, "columns", "the plotted columns of P", columns},
      {"clocks", page, "clocks", "speed, wavelength, angle at position i and turn by δ of every pair",
       clocks},
      {"rotation", page, "rotation", "R(δ) of the pair shown", rotation},
      {"rotated", page, "rotation", "p(i), R(δ) p(i) and p(i+δ)", rotated},
      {"turn", page, "same-arc", "rotation angle of an offset", turn},
      {"bits", page, "binary", "binary digits of the positions", bits},
      {"nearest", page, "uniqueness build-up", "nearest other row for each row of P", nearest},
      {"dot_products", page, "uniqueness", "p_i · p_{i+δ} by the distance δ, with i the first row",
       [](const TableSource& s) -> MaybeNumbers {
         const std::vector<double>& dots = s.results.position.dot_from_index;
         if (dots.empty()) return std::nullopt;
         return own(dots, {dots.size()}, {"distance"});
       }},
  };
}

}  // namespace headlight::scene
