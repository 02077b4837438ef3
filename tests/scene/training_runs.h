// Short runs of small models: as a picture, to their end, and as a file that is opened again.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/files.h"
#include "io/safetensors.h"
#include "learn/training_run.h"
#include "pages/training/training.h"
#include "support/scratch_folder.h"

namespace headlight::scene::training_run_test {

inline TrainingSettings quick(TrainingTask task = TrainingTask::reverse) {
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

inline void advance(TrainingRun& run, int steps, base::Parallel& parallel) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(run.advance(parallel)) << "step " << i << " of " << steps;
}

inline void finish(TrainingRun& run, base::Parallel& parallel) {
  while (run.advance(parallel)) {
  }
}

inline std::unique_ptr<TrainingRun> finished(const TrainingSettings& settings, base::Parallel& parallel) {
  auto run = started(settings, parallel);
  if (run) finish(*run, parallel);
  return run;
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

inline std::string bytes_of(const io::TensorFile& file) {
  std::vector<io::TensorView<float>> views;
  for (const auto& [name, tensor] : file.tensors) views.push_back({name, tensor.shape, tensor.values, {}});
  return io::write_safetensors(views, file.metadata);
}

/// A run as a file, as tests change it.
inline io::TensorFile tensors_of(const TrainingRun& run) {
  auto file = io::read_safetensors(bytes_of(run), "run");
  EXPECT_TRUE(file) << (file ? "" : file.error());
  return file ? std::move(*file) : io::TensorFile{};
}

struct OpenedRun {
  std::unique_ptr<TrainingRun> run;  // null: see `error`
  TrainingSettings settings;
  std::string error;
};

/// What a file "run.safetensors" of these bytes is opened as.
inline OpenedRun open_run(const std::string& bytes, base::Parallel& parallel) {
  const tests::ScratchFolder folder;
  const std::string path = (folder / "run.safetensors").string();
  EXPECT_TRUE(io::write_file(path, bytes));
  OpenedRun out;
  auto run = continue_training(path, out.settings, parallel);
  if (run)
    out.run = std::move(*run);
  else
    out.error = run.error();
  return out;
}

/// The same, of a file that a run can be continued from.
inline OpenedRun opened(const std::string& bytes, base::Parallel& parallel) {
  OpenedRun out = open_run(bytes, parallel);
  EXPECT_TRUE(out.run) << out.error;
  return out;
}

}  // namespace headlight::scene::training_run_test
