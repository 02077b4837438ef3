// What does a layer cost? Counted by formula, and counted again by loops that note every multiplication.
//
//                      multiplications        sequential   longest path
//   self-attention     2 n² d (QKᵀ and AV)    1            1
//   recurrence         n d² (2 n d² with W_x) n            n
//   convolution        k n d²                 1            n/k stacked, log_k n dilated
//                                                          (Vaswani et al. 2017, table 1)
//
// n length, d width, k kernel. The softmax, its scaling and the projections are left out, as in the table.
// Tested in tests/nn/cost_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/tensor.h"

namespace headlight::nn {

enum class Architecture { self_attention, recurrence, convolution, dilated_convolution };

struct LayerSize {
  int n = 1, d = 1, k = 3;  // all >= 1; k is read for convolutions only
};

struct LayerCost {
  std::uint64_t leading = 0;          // n² d, n d², k n d²: what the table prints
  std::uint64_t multiplications = 0;  // 2 n² d, 2 n d², k n d²: what the loops do
  std::uint64_t sequential = 1;       // steps that wait for one another
  double longest_path = 1;            // between any two positions, as the table has it: n, n/k, log_k n
};

LayerCost cost_of(Architecture architecture, const LayerSize& size);

/// K V ᵀ and its reading, 2 n d²: what attention costs without the softmax.
std::uint64_t linear_attention_multiplications(const LayerSize& size);

/// Multiplications noted one by one, by plain loops over arrays of that size. The convolution pads with zeros
/// at both ends and multiplies them; a convolution with dilation costs the same.
struct CountedCost {
  std::uint64_t first = 0;   // QKᵀ · W_h h · convolution · KᵀV
  std::uint64_t second = 0;  // A V · W_x x · 0 · Q(KᵀV)
  std::uint64_t total() const { return first + second; }
};
CountedCost count_by_running(Architecture architecture, const LayerSize& size);
CountedCost count_linear_attention_by_running(const LayerSize& size);

/// Positions that one position sees after some layers of stacked convolution: 1 + layers (k − 1).
int receptive_field(int layers, int k);

/// A step on the way of information from one token to another.
struct Hop {
  int layer = 0;     // the layer that is read, counted from 0; a recurrence stays in one layer
  int position = 0;  // where the information is after it
};

/// The shortest chain from token `from` to token `to`, both in [0, n). Empty when from == to, and when there
/// is none: a recurrence and a dilated convolution (causal, as in WaveNet) read backwards only, and k = 1
/// reads nothing else.
///   self_attention  one hop · recurrence  |to − from| steps
///   convolution     ⌈distance / reach⌉ layers, reach k/2 to the left and (k − 1)/2 to the right
///   dilated         layer l reaches back by 0 … k − 1 times k^l: ⌈log_k(distance + 1)⌉ layers
std::vector<Hop> hop_chain(Architecture architecture, const LayerSize& size, int from, int to);

/// Bytes of all T×T maps: batch · heads · layers · T² · bytes_per_value (2 for half, 4 for single precision).
std::uint64_t attention_map_bytes(std::uint64_t T, std::uint64_t batch = 1, std::uint64_t heads = 1,
                                  std::uint64_t layers = 1, std::uint64_t bytes_per_value = 2);

/// h_t = tanh(x_t W_x + h_(t−1) W_h + b), h_(−1) = 0: one step after the other, to be timed beside attention.
struct RecurrenceWeights {
  Matrix w_x, w_h, b;  // [D, d], [d, d], [1, d] or empty
};
RecurrenceWeights random_recurrence_weights(int d_in, int d, std::uint64_t seed);
/// h [T, d]. O(T·(D + d)·d).
void recurrence(const Matrix& x, const RecurrenceWeights& weights, Matrix& h);

}  // namespace headlight::nn
