// The loss of a task's first baseline; 0 = no baseline.
#pragma once

#include "tasks/task.h"

namespace headlight::tests {

inline double baseline_loss(const nn::Task& task) {
  const auto all = task.baselines();
  return all.empty() ? 0 : all.front().loss;
}

}  // namespace headlight::tests
