// `headlight train`: a run of the Training page without a window, with a progress bar; it can be stopped at
// any moment and resumed. Tested in tests/command/train_command_test.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "learn/training_run.h"

namespace headlight::app {

struct TrainOptions {
  scene::TrainingSettings settings;
  std::filesystem::path out;  // .safetensors; empty: nothing is written
  bool resume = false;        // continues the run in `out`, if there is one
  bool keep_run = false;      // the final file also holds all that is needed to continue
  scene::StoredWeights stored = scene::StoredWeights::float32;  // of the model alone
  bool prune = false;                                           // the report gives the score without heads
  scene::FirstLook first;                                       // kept with the model: what to show first
  bool progress = true;                                         // a bar on standard error
  std::function<bool()> stop = [] { return false; };            // called after every step
};

struct TrainReport {
  std::string text;      // for standard output: what was learned, or where the run is kept
  bool stopped = false;  // by `stop`, before the last step
};

/// Trains to the last step. Meanwhile the run is saved into `out` every few seconds; at the end, the model
/// alone. When it is stopped, it saves the run after the current step, for `resume`; while a text is still
/// being read there is nothing to save, and the file remains unchanged.
base::Result<TrainReport> train(const TrainOptions& options);

/// "small-english" and "english", "reverse", "copy", "induction", "text" …; an error lists them all.
base::Result<scene::TrainingTask> task_named(const std::string& name);

}  // namespace headlight::app
