// The Variants page: one sentence under two settings, A and B, and their difference; padding in a batch, why
// scores are divided by √d_k, attention over a second sentence, and decoding one token at a time. Its
// settings are in settings.h. Tested in tests/scene/variants_sides_test.cpp, variants_cards_test.cpp and
// variants_limits_test.cpp.
//
// With a trained model, a side that has the model's own positions, no mask and the division by √d_k equals
// what the Attention page shows for the scene of adopt_model() without its mask. Other positions replace the
// model's own, see model.h. The two pages differ for other scenes. A side has the positions that it names
// even if the scene's `position` is none, and only these even if the scene adds sines and cosines to a model
// without positions. It has no temperature. If the offset goes beyond a model's table, it has an error, while
// the Attention page repeats the last row and says so.
//
// Everything is computed for one head, `variants_head`, with its columns of W_Q, W_K and W_V, so that the
// cost does not grow with the number of heads.
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
#include "scene/page_results.h"

namespace headlight::scene {

struct Scene;
struct Results;

inline constexpr int most_variant_tokens = 512;  // of the sentence; later tokens are left out
inline constexpr int most_cross_tokens = 64;     // of either sentence in cross-attention
inline constexpr int most_batch_tokens = 16;
inline constexpr int most_decoded_tokens = 64;
inline constexpr int most_shift = 64;

/// The change when the sentence moves by `shift` positions, over the allowed pairs of the head.
struct ShiftPoint {
  int shift = 0;
  double score_change = 0;   // max |score − score at shift 0|
  double weight_change = 0;  // the same for the weights
};

struct VariantSideResults {
  VariantSide settings;
  std::string error;                      // why nothing was computed; then all below but table_rows is empty
  nn::Matrix weights;                     // [T, T]
  nn::Matrix scores;                      // [T, T] scaled, with the bias, before the mask
  std::vector<std::uint8_t> allow;        // [T·T], 1 = may attend
  std::vector<base::Interval> intervals;  // [T], if the keys of every row are one interval; else empty
  std::size_t allowed = 0;                // pairs
  double entropy_bits = 0;                // mean over the rows that have weights
  double largest = 0;
  nn::WeightCounts counts;     // over the weights of allowed pairs
  double score_variance = 0;   // over the allowed pairs
  double score_magnitude = 0;  // largest |score| over the allowed pairs

  int table_rows = 0;  // positions in the learned table, drawn or the model's; also set with an error

  // What the side applies: those members that its scheme has.
  nn::Matrix bias;             // [T, T] added to the scores: T5, ALiBi, Shaw
  std::vector<double> slopes;  // [heads] ALiBi
  int bucket_count = 0, max_distance = 0;
  bool bidirectional = true;
  std::vector<int> bucket;         // [2·max_distance + 1] for distances from −max_distance on
  std::vector<float> bucket_bias;  // [bucket_count] of the head
  nn::Matrix p, p_shifted;         // [T, D] positions from 0 and from `shift` on; sinusoidal, concat, learned
  std::vector<double> omega;       // RoPE: radians per position of each pair
  int rotary_dim = 0;
  int clip = 0;  // Shaw: larger distances count as this one
  nn::Matrix
      by_clipped;  // [T, 2·clip + 1] Shaw: what query i adds to the score of a key at distance c − clip

  std::vector<ShiftPoint> shifts;  // by ascending shift, 0 first; the scene's own is among them
  ShiftPoint shift;                // the scene's own
  std::string shift_error;         // why there is no shifted sentence: it has no positions; else empty
};

struct VariantDifference {
  nn::Matrix weights;  // [T, T] A − B
  std::vector<std::uint8_t> allow;
  std::vector<base::Interval> intervals;  // as in a side; allowed in A or in B
  double largest = 0;                     // max |A − B|
  nn::WeightCounts counts;                // of |A − B|, over the allowed pairs
  int query = -1, key = -1;               // the first place of this change
  int places = 0, rows = 0;               // cells, and rows, with an equally large change, up to rounding
  double moved = 0;  // mean of ½ Σ |A − B| over the rows that have weights on both sides; NaN: none has
};

/// q·k of independent N(0, 1) vectors of width d_k, and the softmax over `keys` of them.
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

/// One sentence of the batch, cut to its valid length and padded with zero vectors.
struct BatchSentence {
  std::vector<nn::Token> tokens;  // [length]
  int length = 0;
  int tokens_in_all = 0;  // also those beyond `length`, up to most_batch_tokens
  nn::Matrix weights;     // [width, width], keys from `length` on masked
  double pad_share = 0;   // mean weight of pads in a valid row, without the mask
  double residual = 0;    // valid rows: max |context − context of the sentence alone|
};

struct CrossAttention {
  std::vector<nn::Token> queries, keys;
  /// The number of keys that are not in the model's vocabulary; the model has one embedding for all of them.
  int unknown = 0;
  nn::Matrix weights;  // [T, S]
  double entropy_bits = 0;
};

/// Decoding one token at a time, with a cache of keys and values, the positions of A and a causal mask.
struct Decoding {
  struct Step {
    double input_residual = 0;      // max |x_t alone − row t of X|
    double context_residual = 0;    // the same for the head's output
    double forgotten_residual = 0;  // for the head's output when every token is encoded at position 0
  };
  std::vector<Step> steps;  // [T]
  std::string error;
};

struct VariantsResults : PageResults {
  int layer = 0;                                // in the model, 1-based; 0: random weights
  VariantPosition own = VariantPosition::none;  // the positions that the model was trained with
  bool own_causal = false;                      // it was trained with a causal mask
  int head = 0;                                 // 0-based
  int heads = 1, d_k = 1;
  int T = 0;  // tokens used, of Results::tokens
  VariantSideResults a, b;
  VariantDifference difference;  // empty when a side has an error
  /// Of the head that the batch and the second sentence are computed with, which has no causal mask.
  VariantPosition plain_position = VariantPosition::sinusoidal;
  int batch_width = 0;
  std::vector<BatchSentence> batch;  // two
  CrossAttention cross;
  Decoding decoding;
  std::vector<DotProducts> dots;  // d_k = 1, 2, 4 … most_dot_width
};

/// For the scene's page `variants` only; `results` holds what every page has (tokens, attention). Null when
/// `progress`, which is called with the fraction done between the parts, returns false.
std::shared_ptr<const VariantsResults> compute_variants(const Scene& scene, const Results& results,
                                                        base::Parallel& parallel,
                                                        const std::function<bool(float)>& progress = {});

/// The time that it takes in addition to the layer that every page has, in the unit of work() in
/// pages/compute.h.
double variants_work(const Scene& scene, int tokens);

}  // namespace headlight::scene
