// The Memory page: what does attention have in common with a memory that is written and read? It shows three
// views: linear attention beside softmax attention; the same sums as a fast weight matrix that is written
// step by step; and one step of retrieval in a modern Hopfield network. The page's settings are in
// settings.h. Tested in tests/scene/memory_test.cpp and memory_further_test.cpp.
//
// Symbols: T tokens, d width of the one head (d_k = d_v), m features (d, or the number that is drawn), N
// patterns, D their dimension, γ the factor by which a step multiplies the earlier fast weights.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "kernels/tensor.h"
#include "nn/hopfield.h"
#include "nn/linear_attention.h"
#include "nn/weight_counts.h"
#include "pages/memory/settings.h"
#include "scene/page_results.h"

namespace headlight::scene {

struct Scene;
struct Results;
struct TrainedModel;

/// One causal head over the sentence. Queries and keys depend only on the word, so that a repeated word has
/// the same key again. Values depend on the word and its position (sinusoidal, base 10000), so that each
/// occurrence has a new value. Projections are drawn from the scene's seed, `memory_width` wide. With a model
/// whose heads fit, it is the head that the Attention page shows, with its projections and biases. In the
/// first layer values are the model's own, and queries and keys those of the word without its position. In
/// later layers word and position are mixed, and all three are the model's own.
struct SentenceMemory {
  int head = 0;                               // in the model, 1-based; 0: drawn from the seed
  int layer = 0;                              // the same
  std::shared_ptr<const TrainedModel> model;  // null: drawn from the seed
  nn::Matrix q, k, v;                         // [T, d]
  nn::Matrix phi_q, phi_k;                    // [T, m] under the chosen feature map
  nn::Matrix unit_q, unit_k;                  // [T, m] the same scaled to length 1, for the delta rule
  nn::Matrix linear, softmax;  // [T, T] weights, 0 above the diagonal; linear ones are normalised
  nn::Matrix linear_output, softmax_output;         // [T, d]
  nn::Matrix weight_difference, output_difference;  // linear − softmax
  nn::Matrix denominator;                           // [1, T] Σ φ(q)·φ(k)
  double decay = 1;                // γ of the three traces below; the members above do not use it
  nn::FastWeightTrace<float> sum;  // γ W + v φ(k)ᵀ with φ(k) unscaled; for γ = 1 the sums of linear attention
  nn::FastWeightTrace<float> delta;  // γ W + (v − γ W φ) φᵀ with φ at length 1: replaces the old value
  nn::FastWeightTrace<float> unit_sum;  // the sum rule with φ at length 1, to compare with `delta`
  double fast_residual = 0;  // largest |W φ(q) − Σ γ^(t−s) (φ(q)·φ(k)) v|: both compute the same sum
  double delta_residual = 0;  // largest |y of the delta rule in float32 − in double|
  double sharpness_linear = 0, sharpness_softmax = 0;  // mean over the rows of the largest weight
  float largest_linear = 0;                            // |weight|
  nn::ScaleEnd weights_end;  // the end of the colour scale of both maps of weights; 1 for short sentences
  float largest_state[2] = {0, 0};   // |element| of any W_t and any write, by MemoryWrite
  float largest_vector[2] = {0, 0};  // |element| of any φ and any written value
  double largest_difference = 0;     // |linear − softmax| of the outputs
};

/// After `step` writes, does a token's key still retrieve the value that was last written at it?
struct ReadBack {
  int token = 0;              // the last one with this key
  int times = 1;              // how often its key was written
  double sum = 0, delta = 0;  // ‖W φ(k) − v‖ / ‖v‖, both with φ at length 1
};

/// A line of equal energy in the plane; closed if its ends are the same point.
using Contour = std::vector<std::array<float, 2>>;

/// Stored patterns, and everything that does not depend on the probe.
struct StoredPatterns {
  nn::MatrixF64 patterns;  // [N, D] on a sphere of radius √D; for D = 2 spread around the circle
  nn::Matrix patterns_f32;
  nn::Matrix landscape;            // D = 2: the energy over the plane, row 0 at the top
  double lowest = 0, highest = 0;  // of the landscape
  std::vector<Contour> contours;
  int probes = 0, recovered = 0;  // noisy probes, and those that came within a tenth of their pattern
};

inline constexpr int memory_updates = 12;       // computed for the probe
inline constexpr int recovery_updates = 5;      // computed for a noisy probe
inline constexpr double recovery_radius = 0.1;  // of the length of a pattern

struct Retrieval {
  nn::Matrix weights;               // [updates, N] the softmax of each update
  nn::Matrix comparison;            // [updates + 2, D] the nearest pattern, then every state
  nn::HopfieldTrace<double> trace;  // for the page's probe
  std::vector<double> distance;     // [updates + 1] to the pattern that is nearest at the end, ÷ its length
  int nearest = 0;                  // that pattern
  int recovered_at = -1;            // the first update within the radius around it; −1 = never
  int settled_at = -1;              // the first update that moved by less than 1e−6; −1 = never
  double effective = 0;             // 1 / Σ p² at the end: the number of patterns that share the weight
  nn::Matrix one_step;              // [1, D] scaled dot-product attention, query = probe, keys = values = X
  double attention_residual = 0;    // largest |one_step − first update|
};

struct Capacity {
  int dimension = 0;
  double classical = 0;  // about 0.14 d (1982)
  double binary = 0;     // 2^(d/2) (2017)
  double proven = 0;     // √p c^((d−1)/4) for β = 1, K = 3, p = 0.001 (2020); NaN: not proven for this d
};

/// What an earlier token s adds to the output at step t: γ^(t−s) (φ(q_t)·φ(k_s)) v_s.
struct RecurrenceTerm {
  double kept = 1;        // γ^(t−s)
  double similarity = 0;  // φ(q_t)·φ(k_s)
};

struct MemoryExperiments;  // experiments.h
struct SizeErrors;         // sizes.h
struct BinaryRetrieval;    // binary.h

struct MemoryResults : PageResults {
  int step = 0;                                    // 1 … T; 0 without tokens
  std::shared_ptr<const SentenceMemory> sentence;  // null without tokens
  nn::Matrix kept;                         // [d, m] γ W_(t−1); empty for γ = 1, when it equals W_(t−1)
  nn::Matrix written;                      // [d, m] what the chosen rule adds at this step
  std::vector<float> value;                // [d] its left factor
  std::vector<ReadBack> read_back;         // by the first occurrence of the key
  std::vector<RecurrenceTerm> recurrence;  // for tokens 1 … step, with the sum rule
  std::shared_ptr<const StoredPatterns> stored;
  Retrieval retrieval;
  std::shared_ptr<const BinaryRetrieval> binary;
  std::shared_ptr<const MemoryExperiments> experiments;
  std::shared_ptr<const SizeErrors> sizes;
  std::vector<Capacity> capacity;  // for the dimension of the patterns, then for 10, 16, 50 and 64
};

/// For the scene's page `memory` only; `results` holds what every page has (tokens, attention).
std::shared_ptr<const MemoryResults> compute_memory(const Scene& scene, const Results& results,
                                                    base::Parallel& parallel);

/// The parts of compute_memory(). It uses the sentence's first tokens, at most most_memory_tokens; T >= 1.
SentenceMemory remember_sentence(const Scene& scene, const Results& results, base::Parallel& parallel);
/// `step` 1 … T.
std::vector<ReadBack> read_back(const SentenceMemory& memory, int step);
StoredPatterns store_patterns(const Scene& scene);
Retrieval retrieve(const Scene& scene, const StoredPatterns& stored, base::Parallel& parallel);

}  // namespace headlight::scene
