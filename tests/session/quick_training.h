// A small model that is trained in an instant, and waiting for what the trainer's thread does.
#pragma once

#include <chrono>
#include <thread>

#include "pages/training/training.h"

namespace headlight::tests {

inline scene::TrainingSettings quick_training(scene::TrainingTask task, int steps) {
  scene::TrainingSettings s;
  s.task = task;
  s.d_model = 16, s.heads = 2, s.layers = 1, s.length = 6, s.steps = steps, s.batch = 4;
  s.compare = scene::TrainingCompare::nothing;
  return s;
}

/// Within a minute.
template <class Condition>
bool soon(Condition&& condition) {
  for (int i = 0; i < 12000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return condition();
}

}  // namespace headlight::tests
