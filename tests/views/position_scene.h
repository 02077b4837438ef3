// A Position page with the results that the program computes for it.
#pragma once

#include <cmath>
#include <numbers>

#include "kit/page_input.h"
#include "pages/position/view/page.h"
#include "quantities.h"
#include "support/computed_scene.h"

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
    scene.sentence = "the cat";
    scene.d_model = d, scene.heads = 1, scene.positions.count = positions, scene.position_base = base;
    scene.positions.index = i, scene.positions.delta = delta;
    compute();
  }

  /// Again, after a setting was changed.
  void compute() {
    EXPECT_TRUE(scene::check(scene));
    results = scene::known_results(scene);
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
