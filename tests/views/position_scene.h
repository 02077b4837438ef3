// A scene of the Position page with results from plain loops, so that the page is tested without the core.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kit/page_input.h"
#include "pages/position/view/page.h"
#include "quantities.h"

namespace headlight::views::test {

inline constexpr double pi = std::numbers::pi;

struct PositionScene {
  scene::Scene scene;
  scene::Results results;
  draw::Hit hover;
  bool hovering = false;
  float busy = -1;
  double play_position = -1;

  PositionScene(int d, int positions, int i, int delta, double base = 10000) {
    scene.page = scene::Page::position;
    scene.d_model = d, scene.positions = positions, scene.position_base = base;
    scene.position_index = i, scene.position_delta = delta;
    compute();
  }

  void compute() {
    results.version = 1, results.scene = scene;
    scene::PositionResults& r = results.position;
    const int n = scene.positions, d = scene.d_model;
    r = {};
    r.first = scene.position_offset;
    for (int j = 0; j < (d + 1) / 2; ++j) r.omega.push_back(std::pow(scene.position_base, -2.0 * j / d));
    r.p.resize(n, d);
    for (int row = 0; row < n; ++row) {
      for (int col = 0; col < d; ++col) {
        const double angle = (r.first + row) * r.omega[static_cast<std::size_t>(col / 2)];
        r.p.at(row, col) = static_cast<float>(col % 2 == 0 ? std::sin(angle) : std::cos(angle));
      }
    }
    for (int row = 0; row < n; ++row) r.dot_from_index.push_back(dot(0, row));
    if (n <= 200) {
      double least = 1e300;
      for (int a = 0; a < n; ++a) {
        nn::NearestRow nearest{-1, 1e300};
        for (int b = 0; b < n; ++b) {
          const double between = distance(a, b);
          if (b != a && between < nearest.distance) nearest = {b, between};
        }
        r.nearest.push_back(nearest);
        if (nearest.distance < least && nearest.row >= 0)
          least = nearest.distance, r.closest_a = a, r.closest_b = nearest.row;
      }
      r.closest_distance = r.closest_a >= 0 ? least : 0;
    }
    r.worst_rotation_residual = 6.3e-8;
    concatenate();
  }

  /// Small numbers in the halves of a W that is not shown: the sums are what the card is about.
  void concatenate() {
    results.tokens = {{"the", 0, 3, 0}, {"cat", 4, 7, 1}};
    auto c = std::make_shared<scene::Concatenated>();
    const int d = scene.d_model;
    for (nn::Matrix* m : {&c->x, &c->p, &c->joined, &c->from_x, &c->from_p, &c->sum}) m->resize(2, d);
    for (int t = 0; t < 2; ++t) {
      for (int col = 0; col < d; ++col) {
        c->x.at(t, col) = static_cast<float>(t + 1) / 8, c->p.at(t, col) = static_cast<float>(col % 2);
        c->from_x.at(t, col) = 0.25f, c->from_p.at(t, col) = -0.5f;
        c->joined.at(t, col) = c->sum.at(t, col) = -0.25f;
      }
    }
    c->largest = 0.25, c->largest_difference = 1.2e-7;
    results.concatenated = c;
  }

  double dot(int a, int b) const {
    double sum = 0;
    for (int col = 0; col < scene.d_model; ++col)
      sum += static_cast<double>(results.position.p.at(a, col)) *
             static_cast<double>(results.position.p.at(b, col));
    return sum;
  }
  double distance(int a, int b) const {
    double sum = 0;
    for (int col = 0; col < scene.d_model; ++col) {
      const double apart = static_cast<double>(results.position.p.at(a, col) - results.position.p.at(b, col));
      sum += apart * apart;
    }
    return std::sqrt(sum);
  }
  double p(int row, int col) const { return static_cast<double>(results.position.p.at(row, col)); }
  double omega(int pair) const { return results.position.omega[static_cast<std::size_t>(pair)]; }

  PageInput input() const {
    return with_numbers({scene,
                         results,
                         nullptr,
                         hovering ? &hover : nullptr,
                         draw::theme(scene.theme == scene::ThemeName::dark),
                         true,
                         {},
                         busy,
                         play_position});
  }
};

}  // namespace headlight::views::test
