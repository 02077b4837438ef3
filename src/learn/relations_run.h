// A run of the two relations: every kind of small model, each from several seeds, trained side by side. Only
// relations_*.cpp include this file. Tested in tests/scene/training_relations_test.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "learn/relations_kinds.h"
#include "learn/run_history.h"
#include "learn/training_run.h"
#include "pages/training/training.h"
#include "train/two_relations.h"

namespace headlight::scene {

inline constexpr int relations_kept_steps = 24;      // of the film
inline constexpr int relations_printed_steps = 400;  // after this many steps the source prints its losses

using HeldOut = std::vector<nn::TwoRelationsBatch>;

/// One kind of model, trained from several seeds in parallel.
struct RelationsFamily {
  RelationsKind kind;
  std::vector<nn::TwoRelationsRun> runs;
  std::vector<CurvePoint> loss;                          // of every step
  std::vector<CurvePoint> validation;                    // of the kept steps
  std::vector<FilmFrame> film;                           // of the first seed
  std::vector<std::vector<nn::TwoRelationsRun>> states;  // of the kept steps
  std::vector<std::shared_ptr<const HeldOut>> held_out;  // of each seed
  nn::TwoRelationsTerms terms;                           // of the newest kept step, mean over the seeds
  double last_loss = 0;                                  // mean over the seeds, after relations_printed_steps
};

class RelationsRun final : public TrainingRun {
 public:
  explicit RelationsRun(const TrainingSettings& settings, std::vector<TrainingChange> changes = {});

  int step() const override { return step_; }
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
  /// Restores the state that file() wrote, into a run at step 0.
  base::Status restore(const io::TensorFile& file, const std::string& name);

 private:
  std::string tensor_name(std::size_t family, std::size_t part) const;
  /// The kind of model whose newest loss is not a number for some seed; empty: none.
  std::string not_finite() const;
  nn::TwoRelationsBatch example(const nn::TwoRelationsRun& run) const;
  /// The positions of the example with what is planted there. Runs with fixed contents have examples of their
  /// own, so their planted token may be another one.
  std::vector<std::string> example_words(const nn::TwoRelationsRun& run) const;
  std::shared_ptr<const nn::Matrix> maps(const nn::TwoRelationsRun& run) const;
  /// Measures the two terms of the family's runs in their current state; returns their sums.
  /// `parallel` may be null.
  static std::vector<double> measure(RelationsFamily& family, base::Parallel* parallel);
  void keep(RelationsFamily& family, base::Parallel* parallel);
  /// Gives every run its held-out batches; runs that have the same ones share them.
  void draw_held_out();
  /// The relation on which the head has more weight, place or planted content, with its mean weight over the
  /// queries of batch −1; no name if the weight is hardly above uniform attention.
  HeadLabel label(const RelationsFamily& family, int head) const;
  void add_verdicts(TrainingSnapshot& snapshot) const;
  /// Adds the losses of two heads with every repair of the list, and with the chosen repairs.
  void add_repairs(TrainingSnapshot& snapshot) const;

  RunHistory history_;
  std::size_t shown_;  // number of families at the front that are shown
  std::vector<RelationsFamily> families_;
  TrainingLook look_;
  int step_ = 0, stride_ = 1;
  std::string stopped_;  // why the run cannot continue
};

}  // namespace headlight::scene
