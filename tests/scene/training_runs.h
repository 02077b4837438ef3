// Short runs of small models, as a picture and as a file.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "learn/training_run.h"
#include "pages/training/training.h"

namespace headlight::scene::training_run_test {

inline TrainingSettings quick(TrainingTask task) {
  TrainingSettings s;
  s.task = task;
  s.d_model = 16, s.heads = 2, s.layers = 1, s.length = 8, s.steps = 24, s.batch = 4;
  s.compare = TrainingCompare::nothing;
  return s;
}

inline std::unique_ptr<TrainingRun> started(const TrainingSettings& settings, base::Parallel& parallel) {
  auto run = start_training(settings, parallel);
  EXPECT_TRUE(run) << (run ? "" : run.error());
  return run ? std::move(*run) : nullptr;
}

inline TrainingSnapshot picture(const TrainingRun& run) {
  TrainingSnapshot snapshot;
  run.fill(snapshot);
  return snapshot;
}

inline std::string bytes_of(const TrainingRun& run, bool to_continue = true) {
  const auto file = run.file(0, to_continue);
  EXPECT_TRUE(file) << (file ? "" : file.error());
  return file ? *file : "";
}

}  // namespace headlight::scene::training_run_test
