// A forward pass of multi-head self-attention that returns the output (T, d) and the weights of every head.
// The first run allocates the buffers; the weights are packed once.
#pragma once

#include "nn/attention.h"
#include "nn/weights.h"

namespace headlight::nn {

inline Matrix inputs(int rows, int cols) {
  Matrix x(rows, cols);
  unsigned state = 1;
  for (float& v : x.values()) {
    state = state * 1664525u + 1013904223u;
    v = static_cast<float>(state >> 8) * (3.4f / 16777216.0f) - 1.7f;  // variance 1
  }
  return x;
}

class ForwardPass {
 public:
  ForwardPass(int T, int d, int heads, int threads)
      : parallel_(threads),
        x_(inputs(T, d)),
        weights_(random_attention_weights(d, d, 1)),
        packed_(packed(weights_, heads, parallel_)) {
    options_.heads = heads;
    options_.packed = &packed_;
  }
  void run() { attention_forward(x_, x_, weights_, options_, parallel_, trace_); }
  const float* output() const { return trace_.output.data(); }

 private:
  base::Parallel parallel_;
  Matrix x_;
  AttentionWeights weights_;
  PackedWeights packed_;  // cached, as the program does from one sentence to the next
  AttentionOptions options_;
  AttentionTrace trace_;
};

}  // namespace headlight::nn
