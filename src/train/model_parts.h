// The common parts of the model's forward and backward passes: how a batch is cut into tasks, which keys each
// query may attend to, and RoPE's angles. Only model*.cpp include this file.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/panels.h"
#include "train/model.h"

namespace headlight::nn {

/// Cuts 0 … size into `parts` equal parts of at most `most`.
struct EqualParts {
  int size, parts;
  EqualParts(int n, int most) : size(n), parts((n + most - 1) / most) {}
  int begin(int i) const { return static_cast<int>(static_cast<long long>(size) * i / parts); }
};

/// Groups the sequences of a batch into tasks of about 64 rows, whatever the number of threads.
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

/// Cosines and sines of RoPE's angles, [T, d/2] each, and the pairs that the config applies them to.
struct Turns {
  Matrix cosines, sines;
  int T = 0, d = 0;
  double base = 0;
  RopePairs pairs = RopePairs::half;
};
void prepare(const ModelConfig& config, int T, Turns& turns);
/// Rotates row t of x by the angles of position t; with `back`, by the negative angles.
void turn(const Turns& turns, bool back, int heads, int T, Rows x);

/// Computes which keys each query of a sequence may attend to.
void allowed_ranges(const ModelConfig& config, int T, std::vector<KeyRange>& ranges);

/// Stops the program if the batch does not fit the model.
void check_batch(const ModelConfig& config, const Batch& batch);

/// Returns the number of queries with a goal; 0 if no head is guided.
int count_goals(const Batch& batch);

}  // namespace headlight::nn
