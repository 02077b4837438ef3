// `headlight train`: a run of the Training page without a window, with a progress bar, that can be stopped at
// any moment and resumed. Tested in tests/app/train_command_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "scene/training_run.h"

namespace headlight::app {

struct TrainOptions {
  scene::TrainingSettings settings;
  std::filesystem::path out;  // .safetensors
  bool resume = false;        // go on with the run in `out`, if there is one
  bool keep_run = false;      // at the end too the file holds all that is needed to go on
  scene::FirstLook first;     // kept with the model: what to look at first
  bool progress = true;       // a bar on standard error
};

/// Trains to the last step. On the way the run is saved into `out` every few seconds; at the end the model
/// alone. The report, for standard output, says what it has learned.
base::Result<std::string> train(const TrainOptions& options);

/// "small-english" and "english", "reverse", "copy", "induction", "text" …; an error names them all.
base::Result<scene::TrainingTask> task_named(const std::string& name);

}  // namespace headlight::app
