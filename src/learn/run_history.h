// The settings of a run, with every change that was made while it was trained: what both kinds of run keep
// and write into their files. Tested in tests/scene/training_changes_test.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "pages/training/training.h"

namespace headlight::scene {

struct RunHistory {
  TrainingSettings settings;            // the newest
  std::vector<TrainingChange> changes;  // ascending steps

  /// The step that the run goes back to at most: where it was forked last, else 0.
  int first_step() const;
  /// Takes over the rate after `step` steps. Rates that no step had leave no trace.
  void set_rate(int step, double rate);
  /// Forgets what was changed after `step` steps and later, but for the fork.
  void rewind(int step);
  /// The settings of the run after `step` steps, and with its first seed.
  TrainingSettings settings_at(int step) const;
  /// The seed that drew the first weights.
  int first_seed() const;
  /// The history of a run that goes on from `step` with other settings.
  RunHistory forked(int step, const TrainingSettings& other) const;

  void write(nlohmann::ordered_json& state) const;
};

}  // namespace headlight::scene
