// A Cost page with the results that the program computes for it.
#pragma once

#include <memory>

#include "kit/page_input.h"
#include "pages/cost/cost.h"
#include "pages/cost/view/page.h"
#include "quantities.h"
#include "support/computed_scene.h"

namespace headlight::views::test {

inline scene::Scene cost_scene(const scene::CostSettings& settings) {
  scene::Scene scene = scene::page_scene(scene::Page::cost);
  scene.cost = settings;
  scene::repair(scene);
  return scene;
}

struct CostScene {
  scene::Scene scene;
  scene::Results results;
  std::shared_ptr<scene::CostMeasurements> measured;

  explicit CostScene(const scene::CostSettings& settings = {})
      : scene(cost_scene(settings)), results(scene::known_results(scene)) {}

  /// By hand: times of this machine are different every time.
  void measure(int lengths, bool running) {
    measured = std::make_shared<scene::CostMeasurements>();
    measured->d = 64, measured->running = running, measured->fraction = 0.4f, measured->seconds_left = 2.5;
    for (int i = 0, T = 16; i < lengths; ++i, T *= 2)
      measured->rows.push_back({T, {0.0017 * T, 31 - i}, {1e-6 * T * T * 4, 32}, {1.1e-6 * T * T * 4, 33}});
    measured->lengths = 9;
  }

  PageInput input() const {
    PageInput in = with_numbers(
        {scene, results, nullptr, nullptr, draw::theme(scene.theme == scene::ThemeName::dark), true, {}});
    in.measured = measured;
    return in;
  }
};

}  // namespace headlight::views::test
