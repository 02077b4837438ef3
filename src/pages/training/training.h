// What is trained, how, and what of it is shown; and the snapshot of a run that the trainer hands out.
// Settings are part of the scene. A run is not: it belongs to the trainer, and the page draws its newest
// snapshot. Tested in tests/scene/training_run_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nn/head_roles.h"
#include "pages/training/settings.h"
#include "train/model.h"

namespace headlight::scene {

/// A point of a curve; low = value = high if there is no band.
struct CurvePoint {
  int step = 0;
  float value = 0, low = 0, high = 0;
};

/// The lowest point of a curve, the first of equal ones; null: it has no number.
inline const CurvePoint* lowest_point(const std::vector<CurvePoint>& curve) {
  const CurvePoint* lowest = nullptr;
  for (const CurvePoint& p : curve) {
    if (std::isfinite(p.value) && (!lowest || p.value < lowest->value)) lowest = &p;
  }
  return lowest;
}

/// A setting that was changed, as settings are written.
struct ChangedSetting {
  std::string name, before, after;
  bool operator==(const ChangedSetting&) const = default;
};
/// What was changed after `step` steps of a run; `forked`: by a new run, which goes on from that step.
struct TrainingChange {
  int step = 0;
  bool forked = false;
  std::vector<ChangedSetting> settings;
  bool operator==(const TrainingChange&) const = default;
};

/// A step whose maps are kept.
struct FilmFrame {
  int step = 0;
  std::shared_ptr<const nn::Matrix> maps;  // [L·H, T, T] of the example; plane l·H + h; never null
  bool whole = true;  // the run can go back to it; false: from a file with the model's weights only
  double moved = -1;  // share_moved() since the kept step before it; 0 for the first; −1: not measured yet
};

/// The kept step nearest to `step`, the earlier of two that are equally near; for step −1 the newest. Returns
/// −1 when none is kept. Inline, because views need it.
inline int shown_frame(const std::vector<FilmFrame>& film, int step) {
  const int count = static_cast<int>(film.size());
  if (step < 0 || count == 0) return count - 1;
  const auto nearer = [step](const FilmFrame& a, const FilmFrame& b) {
    return std::abs(a.step - step) < std::abs(b.step - step);
  };
  return static_cast<int>(std::min_element(film.begin(), film.end(), nearer) - film.begin());
}

/// The share of the attention weight that differs between two steps: the mean of ½ Σ|b − a| over all rows of
/// all maps [L·H, T, T]. It is 1 for a row when all of its weight has moved, and when the shapes differ.
/// O(L·H·T²).
double share_moved(const nn::Matrix& before, const nn::Matrix& after);
/// Fills in `moved` of the frames that lack it.
void measure_film(std::vector<FilmFrame>& film);

/// What a head does, according to its largest score on held-out sequences.
struct HeadLabel {
  int layer = 0, head = 0;  // counted from 0
  std::string role;  // "previous token", "induction", "subject of the verb", …; empty when no score is large
  double score = 0;     // mean weight on that relation
  bool guided = false;  // a guide trained its attention weights; all others learned from the answers alone
};

/// The result of a trained model on sequences of another length.
struct LengthPoint {
  int length = 0;
  double score = 0, loss = 0;
  bool possible = true;  // false: its table of learned positions is too short
};

/// The score that remains when heads are removed: their rows of W_O are 0.
struct PrunedHead {
  int layer = 0, head = 0;  // counted from 0
  double score = 0, loss = 0;
};
struct Pruning {
  int step = -1;                  // the step of the measured weights; −1: not measured
  double score = 0, loss = 0;     // with every head
  std::vector<PrunedHead> alone;  // each head removed by itself
  std::vector<PrunedHead>
      greedy;  // removed in turn: each time the one that leaves the best score, ties by loss
};

/// A printed number of a source and ours.
struct TrainingVerdict {
  std::string what;  // "one head, last batch of 400 steps"
  double printed = 0, ours = 0;
  bool has_printed = false;
};

struct RunSnapshot {
  std::string name;  // "4 heads, sinusoidal positions", "1 head", "without positions"
  nn::ModelConfig config;
  std::vector<CurvePoint> loss;        // of training batches, thinned: the mean and the range of each bin
  std::vector<CurvePoint> validation;  // with ± one standard error; for the two relations bands over seeds
  std::vector<CurvePoint> score;       // 0 … 1, on validation data; empty when the task has no score
  std::vector<FilmFrame> film;         // ascending steps: the first is step 0, the last the newest
  std::vector<HeadLabel> labels;       // one for each head of each layer, from the newest evaluation
  std::vector<int> predicted;          // [T] the likeliest tokens for the example at the step on show
  int step = 0;                        // of this run
  double rate = 0;                     // learning rate of the newest step
  std::vector<LengthPoint> lengths;    // ascending; with the newest weights, at the end of the run
  Pruning pruning;                     // measured while it is shown and the run has ended or is paused
  std::string stopped;                 // "layer0_w_q is NaN after step 12; step 11 is kept"; empty: no error
  std::vector<std::string> example;    // [T] its own example, where runs have different ones; else empty
};

/// The value of `shown_step` that shows the kept step nearest to the lowest held-out loss: −1 where that is
/// the newest. Nothing: no held-out loss is a number, or no step is kept.
inline std::optional<int> best_shown_step(const RunSnapshot& run) {
  const CurvePoint* lowest = lowest_point(run.validation);
  const int frame = lowest ? shown_frame(run.film, lowest->step) : -1;
  if (frame < 0) return {};
  return frame + 1 == static_cast<int>(run.film.size()) ? -1 : run.film[static_cast<std::size_t>(frame)].step;
}

enum class TrainingState { idle, running, paused, finished };

/// A run of another task that continues while this one is shown.
struct TrainingElsewhere {
  TrainingTask task = TrainingTask::reverse;
  int step = 0, steps = 0;
};

/// The loss of a predictor without what the task teaches.
struct TrainingBaseline {
  std::string name;
  double loss = 0;
};

struct TrainingSnapshot {
  std::uint64_t version = 0;
  TrainingState state = TrainingState::idle;
  TrainingSettings settings;                // the run's; without runs only the task has a meaning
  std::vector<RunSnapshot> runs;            // 1 or 2; up to 4 for the two relations, 6 for every position
  std::string score_name;                   // "exact match"; empty = none
  std::vector<TrainingBaseline> baselines;  // "chance", "bigram table"; the simplest first
  int step = 0, steps = 0;
  double tokens_per_second = 0, seconds_left = 0;  // 0 = not known
  std::vector<std::string> example;                // [T] token texts of the example shown
  std::vector<std::string> wanted;                 // [T] target texts, empty where there is no target
  std::vector<std::string> vocabulary;             // texts of `predicted`; may be empty for large ones
  std::string note;                                // a sentence or two to show beside the curves
  std::vector<TrainingVerdict> verdicts;
  std::vector<TrainingChange> changes;  // ascending steps
  std::string message;                  // the newest message: "saved as …"
  std::optional<TrainingElsewhere> elsewhere;
  int kept_step = -1;    // the run's step in the file that outlives the program; −1: in none yet
  float preparing = -1;  // 0 … 1 while a text is read and its vocabulary learned; −1 = done
};

/// The example that the maps of this run are of.
inline const std::vector<std::string>& example_of(const TrainingSnapshot& snapshot, const RunSnapshot& run) {
  return run.example.empty() ? snapshot.example : run.example;
}

}  // namespace headlight::scene
