// What the model's way forward and its way back have in common: how a batch is cut into tasks, who may read
// whom, RoPE's angles. Only model*.cpp include it.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/panels.h"
#include "train/model.h"

namespace headlight::nn {

/// 0 … size cut into `parts` equal parts of at most `most`.
struct EqualParts {
  int size, parts;
  EqualParts(int n, int most) : size(n), parts((n + most - 1) / most) {}
  int begin(int i) const { return static_cast<int>(static_cast<long long>(size) * i / parts); }
};

/// The sequences of a batch in groups of about 64 rows: one task's work, whatever the number of threads.
struct SequenceGroups {
  int T, at_once, count;
  SequenceGroups(int B, int length)
      : T(length),
        at_once(std::max(1, 64 / std::max(1, length))),
        count((B + at_once - 1) / at_once),
        B_(B) {}
  int first(int group) const { return group * at_once; }
  int end(int group) const { return std::min(B_, (group + 1) * at_once); }
  int most_rows() const { return std::min(B_, at_once) * T; }

 private:
  int B_;
};

/// Cosines and sines of RoPE's angles, [T, d/2] each; and their use, by the pairs of the config.
struct Turns {
  Matrix cosines, sines;
  int T = 0, d = 0;
  double base = 0;
  RopePairs pairs = RopePairs::half;
};
void prepare(const ModelConfig& config, int T, Turns& turns);
/// Turns row t of x by the angles of position t, or back by them.
void turn(const Turns& turns, bool back, int heads, int T, Rows x);

/// Which keys each query of a sequence may read.
void allowed_ranges(const ModelConfig& config, int T, std::vector<KeyRange>& ranges);

/// Stops the program where the batch does not fit the model.
void check_batch(const ModelConfig& config, const Batch& batch);

/// Queries with a goal; 0 where no head is guided.
int count_goals(const Batch& batch);

}  // namespace headlight::nn
