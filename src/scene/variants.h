// The Variants page: one sentence under two settings, A and B, and what differs; padding in a batch, why
// scores are divided by √d_k, attention over a second sentence, and decoding one token at a time. Its
// settings, and what is computed for it. Tested in
// tests/scene/variants_sides_test.cpp, variants_cards_test.cpp and variants_limits_test.cpp.
//
// With a trained model a side that has the model's own positions, no mask and the division is exactly what
// the Attention page shows of the scene that adopt_model() makes, without its mask; other positions take
// their place, see variants_model.h. The two part where a scene leaves that: a side has the positions that it
// names when the scene's `position` is none, and none but these when the scene adds sines and cosines to a
// model that has none; it knows no temperature; and when the offset goes beyond a model's table it has an
// error, while the Attention page repeats the last row and remarks it.
//
// Everything is computed for one head, `variants_head`, whose columns of W_Q, W_K and W_V are cut out, so
// that the cost does not grow with the number of heads.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/interval.h"
#include "base/parallel.h"
#include "nn/tensor.h"
#include "nn/tokens.h"
#include "scene/field.h"

namespace headlight::scene {

struct Scene;
struct Results;

enum class VariantMask {
  none,
  causal,
  padding,  // the first variants_valid keys
  window,
  window_global,
  dilated,
  blocks,
  strided,
  fixed,
  random
};
/// Shaw: rows r^K and r^V of the clipped distance of key and query, added to keys and to values.
enum class VariantPosition { none, sinusoidal, concat, learned, t5, alibi, rope, rope_half, shaw };

template <>
struct Words<VariantMask> {
  static constexpr const char* list[] = {"none",    "causal", "padding", "window", "window_global",
                                         "dilated", "blocks", "strided", "fixed",  "random"};
};
template <>
struct Words<VariantPosition> {
  static constexpr const char* list[] = {"none",  "sinusoidal", "concat",    "learned", "t5",
                                         "alibi", "rope",       "rope_half", "shaw"};
};

struct VariantSide {
  VariantMask mask = VariantMask::none;
  VariantPosition position = VariantPosition::sinusoidal;
  bool scale = true;
  bool operator==(const VariantSide&) const = default;
};

struct VariantsSettings {
  VariantSide a{VariantMask::none, VariantPosition::rope, true};
  VariantSide b;
  int head = 1;  // 1-based; more than there are: the last one
  int shift = 8;
  int window = 1;
  int valid = 4;
  int global_tokens = 1;
  int stride = 2;
  int table_rows = 128;
  int buckets = 32;
  int max_distance = 128;
  int clip = 4;
  std::string sentence_kv = "le chat est assis sur le tapis";
  IndexList batch_lengths = {5, 3};
  bool operator==(const VariantsSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, VariantsSettings>
void fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{"variants_a_mask", "mask of A", "which keys a query of A may read", G::none, 0, 0, false, true},
        s.a.mask);
  visit(Field{"variants_a_position", "positions of A", "how order enters A", G::none, 0, 0, false, true},
        s.a.position);
  visit(Field{"variants_a_scale", "A divides by √d_k",
              "divide A's scores by the square root of the head width", G::none, 0, 0, false, true},
        s.a.scale);
  visit(Field{"variants_b_mask", "mask of B", "which keys a query of B may read", G::none, 0, 0, false, true},
        s.b.mask);
  visit(Field{"variants_b_position", "positions of B", "how order enters B", G::none, 0, 0, false, true},
        s.b.position);
  visit(Field{"variants_b_scale", "B divides by √d_k",
              "divide B's scores by the square root of the head width", G::none, 0, 0, false, true},
        s.b.scale);
  visit(Field{"variants_head", "head", "the head that is compared, counted from 1", G::none, 1, 1024, false,
              true},
        s.head);
  visit(Field{"variants_shift", "shift", "the whole sentence stands so many positions later", G::variants, 0,
              64, false, true},
        s.shift);
  visit(Field{"variants_window", "window reach", "keys to either side that a window leaves", G::variants, 0,
              512, true, true},
        s.window);
  visit(Field{"variants_valid", "valid length", "keys that the padding mask leaves", G::variants, 0, 512,
              true, true},
        s.valid);
  visit(Field{"variants_global_tokens", "global tokens",
              "so many first tokens read and are read by all, in window + global", G::variants, 0, 16, false,
              true},
        s.global_tokens);
  visit(Field{"variants_stride", "stride", "dilation, stride or block size of the sparse masks", G::variants,
              1, 64, true, true},
        s.stride);
  visit(Field{"variants_table_rows", "learned rows", "positions that the learned table has", G::variants, 1,
              1024, true, true},
        s.table_rows);
  visit(Field{"variants_buckets", "T5 buckets", "buckets of relative distance, both directions; even",
              G::variants, 4, 64, false, true},
        s.buckets);
  visit(Field{"variants_max_distance", "T5 max distance",
              "all distances from here on share the last bucket, which can begin earlier", G::variants, 2,
              1024, true, true},
        s.max_distance);
  visit(Field{"variants_clip", "Shaw's clip distance",
              "keys further away than this share the row of this distance", G::variants, 1, 64, true, true},
        s.clip);
  visit(Field{"variants_sentence_kv", "second sentence",
              "gives keys and values to cross-attention, and is second in the batch", G::variants, 0, 0,
              false, true},
        s.sentence_kv);
  visit(Field{"variants_batch_lengths", "batch lengths", "valid lengths of the two sentences of the batch",
              G::none, 0, 16, false, true},
        s.batch_lengths);
}

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
  int query = -1, key = -1;               // where
  double moved = 0;  // mean over the rows of ½ Σ |A − B|: the part of a row that moves
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

/// What that takes beside the layer that every page has, in the unit of work() in compute.h.
double variants_work(const Scene& scene, int tokens);

}  // namespace headlight::scene
