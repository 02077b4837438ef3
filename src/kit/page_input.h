// What every page is drawn from. A view reads types and draws; it never computes what belongs to the core.
#pragma once

#include <memory>
#include <string>

#include "draw/canvas.h"
#include "draw/pick_canvas.h"
#include "draw/theme.h"
#include "nn/explain.h"
#include "scene/results.h"
#include "scene/scene.h"

namespace headlight::scene {
struct EarlyMap;  // scene/preview.h
struct Preview;
struct CostMeasurements;  // pages/cost/cost.h
struct TrainingSnapshot;  // pages/training/training.h
}  // namespace headlight::scene

namespace headlight::views {

struct PageInput {
  const scene::Scene& scene;      // what the controls say; may be newer than the results
  const scene::Results& results;  // what was computed last
  const nn::CellTrace* cell;      // the pinned cell's arithmetic; null = none
  const draw::Hit* hover;         // under the pointer; null = nothing
  const draw::Theme& theme;
  draw::Box map_view;         // the part of the large map on view, in cells; w = 0: everything
  float busy = -1;            // a computation runs: its fraction done, 0 … 1; −1 = none
  double play_position = -1;  // while the position runs: its fractional value, else −1
  float transition = 1;       // 0 … 1 since a step of the page was changed; 1 = at rest
  int dragged_slot = -1;      // the slot that is being dragged, on a page that has slots,
  int drop_slot = -1;         // the one that it would take now, −1: none,
  draw::Point dragged_at{};   // and the pointer
  /// Times of this machine for the Cost page, as far as they are measured; null = none yet.
  std::shared_ptr<const scene::CostMeasurements> measured = nullptr;
  /// The newest picture of a training run, for the Training page; null = nothing was trained yet.
  std::shared_ptr<const scene::TrainingSnapshot> training = nullptr;
  /// What is known of the newest sentence while the Attention page is computed; null = no more than
  /// `results`.
  const scene::Preview* preview = nullptr;
  /// Its map for some heads, before the others are computed; null = not yet.
  const scene::EarlyMap* early_map = nullptr;
};

}  // namespace headlight::views
