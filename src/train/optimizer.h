// How does an optimizer change the weights?
//
//   Adam    m ← β1 m + (1 − β1) g, v ← β2 v + (1 − β2) g², w ← w − lr m̂/(√v̂ + ε),
//           m̂ = m/(1 − β1^t), v̂ = v/(1 − β2^t) (Kingma and Ba 2015); weight decay adds λ w to g
//   AdamW   the same without that term, but first w ← w (1 − lr λ) (Loshchilov and Hutter 2019)
//   clip    g ← g · max_norm / ‖g‖ when ‖g‖ > max_norm, ‖g‖ over all tensors
//   rate    linear from 0 over the warm-up, then lr_min + (lr − lr_min)(1 + cos(π·done))/2
//
// Tested in tests/train/golden_gradients.cpp and tests/train/optimizer_test.cpp.
#pragma once

#include "base/parallel.h"
#include "train/model.h"

namespace headlight::nn {

struct AdamOptions {
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
  bool decoupled = true;  // AdamW; false: Adam
};

struct RateSchedule {
  double rate = 3e-3;
  int warmup_steps = 0;
  int total_steps = 0;         // length of the cosine; 0 = constant after the warm-up
  double last_fraction = 0.1;  // the final fraction of `rate`
  /// Returns the learning rate of step `step`, counted from 1.
  double at(int step) const;
};

/// Updates one tensor; `step` counts from 1. The shapes must be equal. With an empty gradient nothing
/// changes, not even by weight decay.
void adam_step(const AdamOptions& options, double rate, int step, const Matrix& gradient, Matrix& m,
               Matrix& v, Matrix& weights);
/// The same in double.
void adam_step(const AdamOptions& options, double rate, int step, const MatrixF64& gradient, MatrixF64& m,
               MatrixF64& v, MatrixF64& weights);

struct AdamState {
  int step = 0;
  ModelWeights m, v;  // empty at the start, which means zeros
};
/// Updates all tensors that have a gradient and increments state.step. Any number of threads gives the same
/// bits.
void adam_step(const AdamOptions& options, double rate, const ModelWeights& gradients,
               base::Parallel& parallel, AdamState& state, ModelWeights& weights);

/// Returns √Σ g² over all tensors, summed in an order that does not depend on threads.
double gradient_norm(const ModelWeights& gradients);
/// Returns the factor of clipping: max_norm / norm if norm > max_norm > 0, else 1.
double clip_factor(double max_norm, double norm);
/// Scales every gradient if the norm is larger than max_norm > 0; returns the norm before scaling.
double clip_gradients(double max_norm, ModelWeights& gradients);

}  // namespace headlight::nn
