// One training run of the Training page, made from its settings: the task, one or two models that learn it
// (or the many small ones of the two relations), the kept steps, and the curves. It has no thread: its owner
// calls advance(). Equal settings give the same run, however it is paused, rewound, saved and continued.
// Tested in tests/scene/training_run_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "io/json_reader.h"
#include "pages/training/training.h"
#include "scene/trained_model.h"
#include "tasks/task.h"

namespace headlight::scene {

using KeepGoing = std::function<bool(float)>;

/// The part of a run that is shown.
struct TrainingLook {
  int run = 0;          // counted from 0
  int example = 0;      // −1: the sentence, if the task can use it
  int shown_step = -1;  // a kept step; −1: the newest
  std::string sentence;
  TrainingPlot plot = TrainingPlot::curves;
  bool operator==(const TrainingLook&) const = default;
};

/// Kept with a model: a sentence that shows something, and a description of it.
struct FirstLook {
  std::string sentence, look_at;
  std::vector<std::string> set;  // settings that show it: "weights_layer=2", "head=2"
};

/// How the weights of a model are stored. A run that can be continued is stored in float32, without loss.
enum class StoredWeights { float32, float16 };

class TrainingRun {
 public:
  virtual ~TrainingRun() = default;
  virtual int step() const = 0;
  virtual int steps() const = 0;
  virtual double tokens_in_a_step() const = 0;

  /// Makes one update of every model of the run. False when nothing changed: the run is finished, or every
  /// model was stopped by a number that is not finite.
  virtual bool advance(base::Parallel& parallel) = 0;
  /// Goes back to the newest kept step that is at most `step`; drops later steps.
  virtual void rewind(int step, base::Parallel& parallel) = 0;
  virtual void look(const TrainingLook& look, base::Parallel& parallel) = 0;

  /// The learning rate of every step from the next one on; the change belongs to the run and its file.
  virtual void set_rate(double rate) = 0;
  /// The settings with the changes that were made so far, and these changes.
  virtual const TrainingSettings& settings() const = 0;
  virtual const std::vector<TrainingChange>& changes() const = 0;
  /// A new run that goes on from kept step `step` (−1: from the current state) with other settings, and has
  /// the curves and pictures up to there. An error when they change the network, or the state of that step
  /// is not known.
  virtual base::Result<std::unique_ptr<TrainingRun>> forked(int step, const TrainingSettings& settings,
                                                            base::Parallel& parallel,
                                                            const KeepGoing& keep_going = {}) const = 0;

  /// Fills in everything but version, state, settings, speed and messages.
  virtual void fill(TrainingSnapshot& snapshot) const = 0;

  /// A safetensors file with the model of run `run` (from 0) as it is now and, if `to_continue`, everything
  /// that is needed to continue the whole run; of its film the first and the newest step, and between them as
  /// many as fit into a few megabytes. An error when there is no usable model: the two relations have none,
  /// but can be continued.
  /// `at`, for a model alone: its state at the kept step nearest to `at`; −1: now.
  virtual base::Result<std::string> file(int run, bool to_continue, const FirstLook& first = {},
                                         StoredWeights stored = StoredWeights::float32,
                                         int at = -1) const = 0;
};

/// The task of these settings; an error when a text is missing or cannot be used. Not for the two relations.
base::Result<std::shared_ptr<const nn::Task>> training_task(const TrainingSettings& settings,
                                                            const KeepGoing& keep_going = {});

/// A run at step 0. `keep_going` receives the fraction of the preparation that is done (reading a text takes
/// time) and returns false to stop it.
base::Result<std::unique_ptr<TrainingRun>> start_training(const TrainingSettings& settings,
                                                          base::Parallel& parallel,
                                                          const KeepGoing& keep_going = {});

/// The run in a file, at the step where it was saved; `settings` becomes its settings.
base::Result<std::unique_ptr<TrainingRun>> continue_training(const std::string& path,
                                                             TrainingSettings& settings,
                                                             base::Parallel& parallel,
                                                             const KeepGoing& keep_going = {});

// The two kinds of run, for the functions above. Their files have the metadata `training_entry`, a JSON
// object. An external file may contain anything: a state that a run cannot have is an error, and every number
// is range-checked before it is used.
inline constexpr const char* training_entry = "training";
/// The changes in the state of a run whose newest settings these are, every value checked.
base::Result<std::vector<TrainingChange>> changes_in(const io::Json& state, const TrainingSettings& settings,
                                                     const std::string& name);
std::unique_ptr<TrainingRun> relations_run(const TrainingSettings& settings);
base::Result<std::unique_ptr<TrainingRun>> relations_run_from(const TrainingSettings& settings,
                                                              const io::TensorFile& file,
                                                              std::vector<TrainingChange> changes,
                                                              const std::string& name);
std::unique_ptr<TrainingRun> language_run(const TrainingSettings& settings,
                                          std::shared_ptr<const nn::Task> task, base::Parallel& parallel);
/// Checks that the file has the models and moments of such a run, with their shapes. Nothing of their size is
/// allocated. Without the task, checks what does not depend on it.
base::Status check_language_run(const TrainingSettings& settings, const nn::Task* task,
                                const io::TensorFile& file, const std::string& name);
base::Result<std::unique_ptr<TrainingRun>> language_run_from(
    const TrainingSettings& settings, std::shared_ptr<const nn::Task> task, const io::TensorFile& file,
    const io::Json& state, std::vector<TrainingChange> changes, const std::string& name,
    base::Parallel& parallel);

}  // namespace headlight::scene
