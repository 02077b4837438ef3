// One training run of the Training page, from its settings: the task, one or two models that learn it (or the
// many small ones of the two relations), the steps that are kept, and the curves. No thread of its own:
// whoever holds it says advance(). The same settings give the same run, however it is paused, rewound, saved
// and continued. Tested in tests/scene/training_run_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/parallel.h"
#include "base/result.h"
#include "io/json_reader.h"
#include "pages/training/training.h"
#include "scene/trained_model.h"
#include "tasks/task.h"

namespace headlight::scene {

/// What of a run is looked at.
struct TrainingLook {
  int run = 0;          // counted from 0
  int example = 0;      // −1: the sentence, where the task can read it
  int shown_step = -1;  // a kept one; −1: the newest
  std::string sentence;
  TrainingPlot plot = TrainingPlot::curves;
  bool operator==(const TrainingLook&) const = default;
};

/// Kept with a model: a sentence that shows something, and what.
struct FirstLook {
  std::string sentence, look_at;
  std::vector<std::string> set;  // settings that show it: "weights_layer=2", "head=2"
};

/// How the weights of a model are stored. A run that can be continued is stored as it is: in float32.
enum class StoredWeights { float32, float16 };

class TrainingRun {
 public:
  virtual ~TrainingRun() = default;
  virtual int step() const = 0;
  virtual int steps() const = 0;
  virtual double tokens_in_a_step() const = 0;

  /// One update of every model of the run. False when nothing moved: finished, or every model was stopped by
  /// a number that is none.
  virtual bool advance(base::Parallel& parallel) = 0;
  /// Goes back to the newest kept step that is at most `step`; what came after it is dropped.
  virtual void rewind(int step, base::Parallel& parallel) = 0;
  virtual void look(const TrainingLook& look, base::Parallel& parallel) = 0;

  /// Everything but version, state, settings, speed and messages.
  virtual void fill(TrainingSnapshot& snapshot) const = 0;

  /// A safetensors file with the model of run `run` (from 0) as it is now and, `to_continue`, all that is
  /// needed to go on with the whole run, and of its film the first step, the newest, and between them as many
  /// as fit into a few megabytes. An error where there is no model to be used: the two relations have none,
  /// but can be continued.
  /// `at`, of a model alone: as it was at the kept step nearest to `at`; −1: now.
  virtual base::Result<std::string> file(int run, bool to_continue, const FirstLook& first = {},
                                         StoredWeights stored = StoredWeights::float32,
                                         int at = -1) const = 0;
};

using GoesOn = std::function<bool(float)>;

/// What is learned with these settings; an error where a text is missing or cannot be used. Not for the two
/// relations.
base::Result<std::shared_ptr<const nn::Task>> training_task(const TrainingSettings& settings,
                                                            const GoesOn& goes_on = {});

/// A run at step 0. `goes_on` is told how much of the preparation is done (reading a text takes time); false
/// stops it.
base::Result<std::unique_ptr<TrainingRun>> start_training(const TrainingSettings& settings,
                                                          base::Parallel& parallel,
                                                          const GoesOn& goes_on = {});

/// The run that was saved in a file, where it was; `settings` becomes what it was started with.
base::Result<std::unique_ptr<TrainingRun>> continue_training(const std::string& path,
                                                             TrainingSettings& settings,
                                                             base::Parallel& parallel,
                                                             const GoesOn& goes_on = {});

// The two kinds, for the functions above; a file has the metadata `training_entry`, a JSON object. A file of
// the world may say anything: what a run could not have been is an error, and no number of it is used before
// it was seen to be in its range.
inline constexpr const char* training_entry = "training";
std::unique_ptr<TrainingRun> relations_run(const TrainingSettings& settings);
base::Result<std::unique_ptr<TrainingRun>> relations_run_from(const TrainingSettings& settings,
                                                              const io::TensorFile& file,
                                                              const std::string& name);
std::unique_ptr<TrainingRun> language_run(const TrainingSettings& settings,
                                          std::shared_ptr<const nn::Task> task, base::Parallel& parallel);
/// Has the file the models and moments that such a run needs, in their shapes? Nothing of their size is
/// allocated. Without the task, as far as it can be said without one.
base::Status check_language_run(const TrainingSettings& settings, const nn::Task* task,
                                const io::TensorFile& file, const std::string& name);
base::Result<std::unique_ptr<TrainingRun>> language_run_from(const TrainingSettings& settings,
                                                             std::shared_ptr<const nn::Task> task,
                                                             const io::TensorFile& file,
                                                             const io::Json& state, const std::string& name,
                                                             base::Parallel& parallel);

}  // namespace headlight::scene
