// What does a layer cost? Counted by formula, and counted again by loops that record every multiplication.
//
//                      multiply-adds         whole layer       sequential   maximum path
//   self-attention     2 n² d (QKᵀ and AV)   + 4 n d²          1            1
//   linear attention   2 n d² (KᵀV, Q(KᵀV))  + 4 n d²          1            1
//   recurrence         2 n d² (W_h and W_x)  the same          n            n − 1 steps
//   convolution        k n d²                the same          1            see gap_base()
//                          (Vaswani et al. 2017, table 1: n² d, n d², k n d²; Katharopoulos et al. 2020)
//
// n is the length, d the width, k the kernel size. The whole layer includes the projections by W_Q, W_K, W_V
// and W_O, n d² each; a recurrence and a convolution have no further projections. The softmax, the feature
// map and biases are not counted. One multiply-add is two floating-point operations (FLOP). Tested in
// tests/nn/cost_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/tensor.h"

namespace headlight::nn {

enum class Architecture { self_attention, recurrence, convolution, dilated_convolution, linear_attention };

/// Selects the inputs from which an output of a convolution is computed.
enum class KernelSide { centred, one_sided };

struct LayerSize {
  int n = 1, d = 1, k = 3;  // all >= 1; only convolutions use k and the side
  KernelSide side = KernelSide::centred;
};

/// An output at t is computed from the inputs t − left · gap … t + right · gap, k positions in total.
struct KernelReach {
  int left = 0, right = 0;
};
constexpr KernelReach kernel_reach(int k, KernelSide side) {
  return side == KernelSide::one_sided ? KernelReach{k - 1, 0} : KernelReach{k / 2, (k - 1) / 2};
}

/// The gap of layer l of a dilated convolution is this number to the power l; 1 means no gaps. One-sided
/// kernels use k, as in WaveNet (van den Oord et al. 2016). Centred kernels use ⌈k/2⌉, at least 2: the widest
/// gaps that connect every position to every other without leaving the sequence. (With gaps of k a centred
/// kernel reaches further, but from position 1 of 10 there is no path to 8: 7 = 9 − 3 + 1 passes position
/// −1.)
constexpr int gap_base(Architecture architecture, int k, KernelSide side) {
  if (architecture != Architecture::dilated_convolution) return 1;
  return side == KernelSide::one_sided ? k : std::max(2, (k + 1) / 2);
}

struct LayerCost {
  std::uint64_t leading = 0;          // n² d, n d², k n d²: the expressions that the paper's table prints
  std::uint64_t multiplications = 0;  // 2 n² d, 2 n d², k n d²: multiply-adds of the loops
  std::uint64_t projections = 0;      // 4 n d² for both kinds of attention, else 0
  std::uint64_t sequential = 1;       // operations that must run one after another
  int longest_path = 1;  // the most hops, steps or layers between two positions that have a path; 0 = none
  std::uint64_t whole() const { return multiplications + projections; }
};

/// longest_path is the largest number of hops that hop_chain() finds between any two of n positions:
///   attention 1 · recurrence n − 1 · stacked ⌈(n − 1) / r⌉, r the shorter reach among the sides with a reach
///   dilated: the smallest L with g^L >= n, g = gap_base()
LayerCost cost_of(Architecture architecture, const LayerSize& size);

/// Returns the cost of Kᵀ V and its product with Q, 2 n d²: what attention costs without the softmax.
std::uint64_t linear_attention_multiplications(const LayerSize& size);

/// Multiplications recorded one by one, by plain loops over arrays of this size. The convolution pads with
/// zeros at both ends and multiplies them too; a dilated convolution costs the same.
struct CountedCost {
  std::uint64_t first = 0;   // QKᵀ · W_h h · convolution · KᵀV
  std::uint64_t second = 0;  // A V · W_x x · 0 · Q(KᵀV)
  std::uint64_t projections = 0;
  std::uint64_t total() const { return first + second; }
  std::uint64_t whole() const { return total() + projections; }
};
CountedCost count_by_running(Architecture architecture, const LayerSize& size);

/// Cost of self-attention with its projections in several heads. The widths of the heads add up to d and
/// differ by at most one; there are no more heads than d.
struct HeadsCost {
  int heads = 1, narrowest = 1, widest = 1;
  std::uint64_t multiplications = 0;  // with the projections: 2 n² d + 4 n d², for any number of heads
  std::uint64_t exponentials = 0;     // of the softmax: heads · n²
  std::uint64_t parameters = 0;       // W_Q, W_K, W_V, W_O: 4 d²
};
HeadsCost heads_cost(const LayerSize& size, int heads);
/// Counts the multiplications of such a layer, head by head, one by one.
std::uint64_t count_heads_by_running(const LayerSize& size, int heads);

/// Returns how many positions reach one output after some layers of stacked convolution: 1 + layers (k − 1).
int receptive_field(int layers, int k);

/// A step on the path of information from one token to another.
struct Hop {
  int layer = 0;     // the layer that is used, counted from 0; a recurrence stays in one layer
  int position = 0;  // where the information is after it
};

/// Returns a shortest chain from token `from` to token `to`, both in [0, n), that stays in [0, n). It is
/// empty when from == to and when there is no chain: a recurrence and a one-sided convolution carry
/// information only to the right, and k = 1 does not carry it anywhere. Convolutions are searched layer by
/// layer (breadth first).
std::vector<Hop> hop_chain(Architecture architecture, const LayerSize& size, int from, int to);

/// Returns the bytes of all T×T maps: batch · heads · layers · T² · bytes_per_value (2 for half, 4 for single
/// precision).
std::uint64_t attention_map_bytes(std::uint64_t T, std::uint64_t batch = 1, std::uint64_t heads = 1,
                                  std::uint64_t layers = 1, std::uint64_t bytes_per_value = 2);

/// h_t = tanh(x_t W_x + h_(t−1) W_h + b), h_(−1) = 0: sequential steps, timed for comparison with attention.
struct RecurrenceWeights {
  Matrix w_x, w_h, b;  // [D, d], [d, d], [1, d] or empty
};
RecurrenceWeights random_recurrence_weights(int d_in, int d, std::uint64_t seed);
/// h [T, d]. O(T·(D + d)·d).
void recurrence(const Matrix& x, const RecurrenceWeights& weights, Matrix& h);

}  // namespace headlight::nn
