// The Variants page: one sentence under two settings, A and B, and what differs; padding in a batch, why
// scores are divided by √d_k, attention over a second sentence, and decoding one token at a time. What is
// computed for it; its settings are in settings.h. Tested in tests/scene/variants_sides_test.cpp,
// variants_cards_test.cpp and variants_limits_test.cpp.
//
// With a trained model a side that has the model's own positions, no mask and the division is exactly what
// the Attention page shows of the scene that adopt_model() makes, without its mask; other positions take
// their place, see model.h. The two part where a scene leaves that: a side has the positions that it
// names when the scene's `position` is none, and none but these when the scene adds sines and cosines to a
// model that has none; it knows no temperature; and when the offset goes beyond a model's table it has an
// error, while the Attention page repeats the last row and remarks it.
//
// Everything is computed for one head, `variants_head`, whose columns of W_Q, W_K and W_V are cut out, so
// that the cost does not grow with the number of heads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/interval.h"
#include "base/parallel.h"
#include "kernels/tensor.h"
#include "nn/tokens.h"
#include "nn/weight_counts.h"
#include "pages/variants/settings.h"

namespace headlight::scene {

struct Scene;
struct Results;

inline constexpr int most_variant_tokens = 512;  // of the sentence; the rest is left out
inline constexpr int most_cross_tokens = 64;     // of either sentence in cross-attention
inline constexpr int most_batch_tokens = 16;
inline constexpr int most_decoded_tokens = 64;
inline constexpr int most_shift = 64;

/// The sentence `shift` positions later; over the allowed pairs of the head.
struct ShiftPoint {
  int shift = 0;
  double score_change = 0;   // max |score − score at shift 0|
  double weight_change = 0;  // the same of the weights
};

struct VariantSideResults {
  VariantSide settings;
  std::string error;                      // not empty: this cannot be computed, and why; the rest is empty
  nn::Matrix weights;                     // [T, T]
  nn::Matrix scores;                      // [T, T] scaled, with the bias, before the mask
  std::vector<std::uint8_t> allow;        // [T·T], 1 = may attend
  std::vector<base::Interval> intervals;  // [T], when every row may read one run of keys; else empty
  std::size_t allowed = 0;                // pairs
  double entropy_bits = 0;                // mean over the rows that may read something
  double largest = 0;
  nn::WeightCounts counts;     // of the weights of allowed pairs
  double score_variance = 0;   // over the allowed pairs
  double score_magnitude = 0;  // largest |score| over the allowed pairs

  int table_rows = 0;  // positions that the learned table has: drawn, or the model's own; also with an error

  // What it applies: those that its scheme has.
  nn::Matrix bias;             // [T, T] added to the scores: T5, ALiBi, Shaw
  std::vector<double> slopes;  // [heads] ALiBi
  int bucket_count = 0, max_distance = 0;
  bool bidirectional = true;
  std::vector<int> bucket;         // [2·max_distance + 1] of distance −max_distance …
  std::vector<float> bucket_bias;  // [bucket_count] of the head
  nn::Matrix p, p_shifted;         // [T, D] positions 0 … and shift …; sinusoidal, concat, learned
  std::vector<double> omega;       // RoPE: radians per position of each pair
  int rotary_dim = 0;
  int clip = 0;  // Shaw: distances beyond it are cut to it
  nn::Matrix
      by_clipped;  // [T, 2·clip + 1] Shaw: what query i adds to the score of a key at distance c − clip

  std::vector<ShiftPoint> shifts;  // by growing shift, 0 first; the scene's own is among them
  ShiftPoint shift;                // the scene's own
  std::string shift_error;         // not empty: the shifted sentence has no positions
};

struct VariantDifference {
  nn::Matrix weights;  // [T, T] A − B
  std::vector<std::uint8_t> allow;
  std::vector<base::Interval> intervals;  // as in a side; allowed in A or in B
  double largest = 0;                     // max |A − B|
  nn::WeightCounts counts;                // of |A − B|, over the allowed pairs
  int query = -1, key = -1;               // where: the first of them
  int places = 0, rows = 0;               // cells, and rows, with a change as large up to rounding
  double moved = 0;  // mean of ½ Σ |A − B| over the rows that have weights on both sides; NaN: there are none
};

/// q·k of independent N(0, 1) vectors of width d_k: what the softmax over `keys` of them makes of it.
struct DotProducts {
  int d_k = 1;
  double variance = 0;         // of q·k, measured; predicted: d_k
  double scaled_variance = 0;  // of q·k / √d_k; predicted: 1
  struct Softmax {
    double largest = 0, entropy_bits = 0;  // means over the queries
    double gradient = 0;                   // Frobenius norm of ∂softmax/∂score = diag(a) − a aᵀ, mean
  };
  Softmax raw, scaled;
};
inline constexpr int dot_queries = 64, dot_keys = 8, most_dot_width = 512;

/// One sentence of the batch, cut to its valid length and filled up with pads (zero vectors).
struct BatchSentence {
  std::vector<nn::Token> tokens;  // [length]
  int length = 0;
  nn::Matrix weights;    // [width, width], keys from `length` on masked
  double pad_share = 0;  // what pads would take of a valid row without the mask, mean
  double residual = 0;   // valid rows: max |context − context of the sentence alone|
};

struct CrossAttention {
  std::vector<nn::Token> queries, keys;
  /// How many keys are not in the vocabulary of the model, which has one embedding for all of them.
  int unknown = 0;
  nn::Matrix weights;  // [T, S]
  double entropy_bits = 0;
};

/// One token at a time, with a cache of keys and values, by the positions of A and a causal mask.
struct Decoding {
  struct Step {
    double input_residual = 0;      // max |x_t alone − row t of X|
    double context_residual = 0;    // the same of the head's output
    double forgotten_residual = 0;  // of the head's output when every token is encoded at position 0
  };
  std::vector<Step> steps;  // [T]
  std::string error;
};

struct VariantsResults {
  int layer = 0;                                // of the model, 1-based; 0: random weights
  VariantPosition own = VariantPosition::none;  // the positions that the model was trained with
  bool own_causal = false;                      // and its mask
  int head = 0;                                 // 0-based
  int heads = 1, d_k = 1;
  int T = 0;  // tokens used, of Results::tokens
  VariantSideResults a, b;
  VariantDifference difference;  // empty when a side has an error
  int batch_width = 0;
  std::vector<BatchSentence> batch;  // two
  CrossAttention cross;
  Decoding decoding;
  std::vector<DotProducts> dots;  // d_k = 1, 2, 4 … most_dot_width
};

/// For the scene's page `variants` only; `results` holds what every page has (tokens, attention). Null when
/// `progress`, which is told a fraction done between the parts, says that it is no longer wanted.
std::shared_ptr<const VariantsResults> compute_variants(const Scene& scene, const Results& results,
                                                        base::Parallel& parallel,
                                                        const std::function<bool(float)>& progress = {});

/// What that takes beside the layer that every page has, in the unit of work() in pages/compute.h.
double variants_work(const Scene& scene, int tokens);

}  // namespace headlight::scene
