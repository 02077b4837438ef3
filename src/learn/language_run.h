// The run of a language model, of one or of several beside each other: what language_run.cpp computes and
// language_file.cpp writes and restores.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/json_reader.h"
#include "io/safetensors.h"
#include "learn/run_history.h"
#include "learn/training_run.h"
#include "pages/training/training.h"
#include "tasks/trainer.h"

namespace headlight::scene::language {

using std::size_t;

/// How a control without positions is built.
enum class ControlHead {
  same,  // like the model beside it: they differ only in their positions
  own    // as its own positions require: runs that were saved when controls were built this way
};

/// One model of a run: its settings, and the positions that determine its head and its initial weights.
struct Compared {
  TrainingSettings settings;
  nn::ModelPositions drawn_for;
};

nn::ModelConfig config_of(const TrainingSettings& s);

/// The models of a run: the chosen one, and the one beside it or those with each of the other positions. All
/// schemes are built as for sinusoidal positions, which need a separate output head and large embeddings, so
/// that the schemes differ only in their positions.
std::vector<Compared> compared(const TrainingSettings& s, ControlHead control);

/// True if the run can continue from this step. For a step from a file only the weights are known.
inline bool whole(const nn::Checkpoint& point) {
  return point.adam.step == point.step;
}

/// One model of the run, its kept steps, and its curves.
struct Learner {
  Learner(nn::TrainerSetup setup, const TrainingSettings& of, std::string called)
      : trainer(std::move(setup)), settings(of), name(std::move(called)) {
    settings.compare = TrainingCompare::nothing;
  }
  void set_rate(double rate) { settings.rate = rate, trainer.set_rate(rate); }
  nn::Trainer trainer;
  TrainingSettings settings;  // of this model alone
  std::string name;
  std::vector<float> losses;  // of steps first_loss, first_loss + 1, …
  std::vector<CurvePoint> validation, score;
  std::vector<nn::Checkpoint> kept;  // ascending
  std::vector<FilmFrame> film;       // of the kept steps, for the shown example
  std::vector<HeadLabel> labels;
  std::vector<int> predicted;
  std::vector<LengthPoint> lengths;  // of the last step
  Pruning pruning;
};

class LanguageRun final : public TrainingRun {
 public:
  LanguageRun(RunHistory history, std::shared_ptr<const nn::Task> task, ControlHead control);
  void keep_start(base::Parallel& parallel);
  int step() const override { return learners_.front().trainer.step(); }
  int steps() const override { return history_.settings.steps; }
  double tokens_in_a_step() const override;
  bool advance(base::Parallel& parallel) override;
  void rewind(int step, base::Parallel& parallel) override;
  void look(const TrainingLook& look, base::Parallel& parallel) override;
  void fill(TrainingSnapshot& snapshot) const override;
  void set_rate(double rate) override;
  const TrainingSettings& settings() const override { return history_.settings; }
  const std::vector<TrainingChange>& changes() const override { return history_.changes; }
  base::Result<std::unique_ptr<TrainingRun>> forked(int step, const TrainingSettings& settings,
                                                    base::Parallel& parallel,
                                                    const KeepGoing& keep_going) const override;
  base::Result<std::string> file(int run, bool to_continue, const FirstLook& first, StoredWeights stored,
                                 int at) const override;

  /// Restores the state that file() wrote; an error names what is missing.
  base::Status restore(const io::TensorFile& file, const io::Json& state, const std::string& name,
                       base::Parallel& parallel);

 private:
  /// The steps of the film that go into a file besides the first step, which the seed gives, and the newest:
  /// as many as its size allows, evenly spaced.
  std::vector<const nn::Checkpoint*> filed(const Learner& learner) const;

  /// A run that was continued often may have stored more steps than are shown: returns some of them, evenly
  /// spaced.
  std::vector<int> shown_of(const std::vector<int>& steps) const;
  void add(const TrainingSettings& s, nn::ModelPositions drawn_for);
  int kept_at_most() const;
  void choose_example();
  void keep(Learner& learner, base::Parallel& parallel);
  void measure_end(Learner& learner, base::Parallel& parallel) const;

  /// Computes the plot of removed heads if it is shown; takes seconds.
  void prune(Learner& learner, base::Parallel& parallel) const;
  void label(Learner& learner, base::Parallel& parallel) const;
  nn::ModelTrace trace_of(const Learner& learner, const nn::ModelWeights& weights,
                          base::Parallel& parallel) const;
  std::shared_ptr<const nn::Matrix> maps(const Learner& learner, const nn::ModelWeights& weights,
                                         base::Parallel& parallel) const;

  /// The kept step nearest to `step`, whose map the film shows; null for the newest (−1).
  static const nn::Checkpoint* kept_at(const Learner& learner, int step);

  /// Predicts the most probable token at each position of the example, at the shown step.
  void predict(Learner& learner, base::Parallel& parallel) const;

  /// Every model has the rate of its settings, in which the second may differ.
  void take_over_rate();
  /// Goes on from the step of another run, whose models have the same shapes.
  base::Status go_on_from(const LanguageRun& before, int step, base::Parallel& parallel);

  RunHistory history_;
  ControlHead control_;
  std::shared_ptr<const nn::Task> task_;
  std::vector<Learner> learners_;
  std::vector<std::string> vocabulary_;
  TrainingLook look_;
  nn::Example example_;
  int stride_ = 1;
};

}  // namespace headlight::scene::language
