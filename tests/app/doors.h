// A scene behind all its doors: the picture with its notes, `describe`, `export`, and the quantities that
// lessons name.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "pages/training/training.h"
#include "pictures/describe.h"
#include "pictures/pages.h"
#include "scene/shown.h"
#include "session/train_now.h"

namespace headlight::app {

inline base::Parallel& parallel_of_tests() {
  static base::Parallel parallel(2);
  return parallel;
}

struct Doors {
  explicit Doors(scene::Scene wanted) : scene(std::move(wanted)) {
    results = scene::compute_now(scene, parallel, nullptr);
    cell = scene::explain_pinned(scene, *results);
    if (scene.page != scene::Page::training) return;
    auto trained = train_now(scene, parallel);
    EXPECT_TRUE(trained) << trained.error();
    training = std::make_shared<scene::TrainingSnapshot>(std::move(*trained));
  }
  views::PageInput input() const {
    views::PageInput in{scene, *results, cell.get(), nullptr, draw::theme(true), true, {}};
    in.training = training;
    in.measured = measured;
    in.numbers = scene::read_quantity;
    return in;
  }
  scene::QuantitySource source() const { return {scene, *results, training.get()}; }
  std::string described() const { return describe_page(input(), 5); }
  /// What a tooltip says over a mark of the picture; "" when there is no such mark.
  std::string note(const std::string& name) const {
    draw::RecordCanvas canvas;
    page_info(scene.page).view.draw(canvas, {0, 0, 1400, 1600}, input());
    for (const draw::Mark& mark : canvas.marks) {
      if (mark.name == name) return mark.note;
    }
    ADD_FAILURE() << "nothing is called " << name;
    return {};
  }
  scene::MaybeNumbers numbers(const scene::Table& table) const {
    return scene::numbers_of(table, {scene, *results, parallel, training.get(), measured.get()});
  }
  std::vector<double> exported(const scene::Table& table) const {
    const scene::MaybeNumbers numbers = this->numbers(table);
    std::vector<double> out;
    if (!numbers) return out;
    std::visit([&](const auto& tensor) { out.assign(tensor.values.begin(), tensor.values.end()); },
               numbers->tensor);
    return out;
  }
  std::vector<double> exported(const char* name) const {
    const std::vector<double> out = exported(*scene::find_table(name));
    EXPECT_FALSE(out.empty()) << name;
    return out;
  }
  double quantity(const std::string& text) const {
    return scene::quantity_value(*scene::parse_quantity(text), source());
  }
  base::Parallel& parallel = parallel_of_tests();
  scene::Scene scene;
  std::shared_ptr<const scene::Results> results;
  std::shared_ptr<const nn::CellTrace> cell;
  std::shared_ptr<const scene::TrainingSnapshot> training;
  std::shared_ptr<const scene::CostMeasurements> measured;  // null: nothing was measured
};

/// A run of the Training page that takes a moment.
inline scene::Scene small_training(scene::TrainingPlot plot) {
  scene::Scene scene;
  scene.page = scene::Page::training;
  scene::TrainingSettings& t = scene.training;
  t.task = scene::TrainingTask::reverse, t.steps = 60, t.batch = 8, t.d_model = 16, t.heads = 2, t.layers = 1;
  t.length = 6, t.positions = scene::TrainingPositions::learned;
  t.compare = scene::TrainingCompare::no_positions, t.plot = plot;
  return scene;
}

}  // namespace headlight::app
