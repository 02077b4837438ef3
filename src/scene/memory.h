// The Memory page: what does attention have in common with a memory that is written and read? Three readings:
// linear attention beside softmax attention, the same sums as a fast weight matrix that is written step by
// step, and one step of retrieval in a modern Hopfield network. Its settings, and what is computed for it.
// Tested in tests/scene/memory_test.cpp and memory_further_test.cpp.
//
// Letters: T tokens, d width of the one head (d_k = d_v), m features (d, or as many as are drawn), N
// patterns, D their dimension, γ what a step keeps of the fast weights.
#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/parallel.h"
#include "nn/hopfield.h"
#include "nn/linear_attention.h"
#include "nn/tensor.h"
#include "scene/field.h"

namespace headlight::scene {

struct Scene;
struct Results;
struct TrainedModel;

enum class MemoryFeature {
  elu1,
  identity,
  random
};  // random: positive random features, nn/random_features.h
enum class MemoryWrite { sum, delta };
enum class MemoryNetwork { continuous, binary };  // that of 2020, and that of 1982
enum class MemoryErrorOver { length, size };      // what the error of linear attention is drawn over

inline constexpr int most_memory_tokens = 512;  // of a longer sentence the first ones
inline constexpr double memory_reach = 2;       // the plane that is shown runs from minus this to this
inline constexpr int most_memory_features = 256;
inline constexpr int size_tokens = 64;  // T of the errors over features and projected keys
inline constexpr int most_memory_bits = 256;

struct MemorySettings {
  MemoryFeature feature = MemoryFeature::elu1;
  int features = 64;
  int width = 4;
  MemoryWrite write = MemoryWrite::sum;
  double decay = 1;
  int step = 5;  // 1-based: the token that is written last; no more than there are tokens
  MemoryNetwork network = MemoryNetwork::continuous;
  int patterns = 6;
  int dimension = 2;
  double noise = 0.5;
  double beta = 4;
  double closeness = 0;
  double probe_x = 0.2, probe_y = 0.7;
  int bits = 100;
  int flips = 15;
  MemoryErrorOver error_over = MemoryErrorOver::length;
  int keys = 8;
  bool operator==(const MemorySettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, MemorySettings>
void fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{"memory_feature", "feature map φ", "what linear attention does to queries and keys", G::memory,
              0, 0, false, true},
        s.feature);
  visit(Field{"memory_features", "random features m", "numbers in φ(q) and φ(k) when φ is random", G::memory,
              1, most_memory_features, true, true},
        s.features);
  visit(Field{"memory_width", "head width d_k", "numbers in a query, a key and a value", G::memory, 2, 16,
              false, true},
        s.width);
  visit(Field{"memory_write", "write rule", "add to what stands at the key, or replace it", G::memory, 0, 0,
              false, true},
        s.write);
  visit(Field{"memory_decay", "decay γ", "what each step keeps of the fast weights; 1 keeps all", G::memory,
              0, 1, false, true},
        s.decay);
  visit(Field{"memory_step", "step", "tokens written so far", G::none, 1, most_memory_tokens, false, true},
        s.step);
  visit(Field{"memory_network", "network", "continuous patterns of 2020, or bits of 1982", G::none},
        s.network);
  visit(
      Field{"memory_patterns", "patterns N", "stored in the Hopfield network", G::memory, 2, 64, false, true},
      s.patterns);
  visit(Field{"memory_dimension", "dimension d", "numbers in a pattern; 2 shows the energy as a landscape",
              G::memory, 2, 64, false, true},
        s.dimension);
  visit(Field{"memory_beta", "β", "inverse temperature of the retrieval", G::memory, 0.05, 100, true, true},
        s.beta);
  visit(Field{"memory_noise", "noise", "standard deviation of what is added to a pattern to make a probe",
              G::memory, 0, 3, false, true},
        s.noise);
  visit(Field{"memory_closeness", "pattern 2 → 1", "moves pattern 2 towards pattern 1; 1 puts it there",
              G::memory, 0, 1, false, true},
        s.closeness);
  visit(Field{"memory_probe_x", "probe x", "where retrieval starts in two dimensions", G::none, -memory_reach,
              memory_reach, false, true},
        s.probe_x);
  visit(Field{"memory_probe_y", "probe y", "where retrieval starts in two dimensions", G::none, -memory_reach,
              memory_reach, false, true},
        s.probe_y);
  visit(Field{"memory_bits", "bits D", "neurons of the network of 1982", G::memory, 8, most_memory_bits,
              false, true},
        s.bits);
  visit(Field{"memory_flips", "bits flipped", "of a pattern, to make a probe; at most all of them", G::memory,
              0, most_memory_bits, false, true},
        s.flips);
  visit(Field{"memory_error_over", "error over",
              "the length, or the numbers of features and of projected keys", G::none},
        s.error_over);
  visit(Field{"memory_keys", "projected keys r",
              "keys and values that are left of 64, each a mean of neighbours", G::memory, 1, size_tokens,
              true, true},
        s.keys);
}

template <>
struct Words<MemoryFeature> {
  static constexpr const char* list[] = {"elu1", "identity", "random"};
};
template <>
struct Words<MemoryWrite> {
  static constexpr const char* list[] = {"sum", "delta"};
};
template <>
struct Words<MemoryNetwork> {
  static constexpr const char* list[] = {"continuous", "binary"};
};
template <>
struct Words<MemoryErrorOver> {
  static constexpr const char* list[] = {"length", "size"};
};

/// One causal head over the sentence. Queries and keys come from the word alone, so that a word that comes
/// back has the same key again; values from the word and its place (sinusoidal, base 10000), so that what it
/// carries is new. Projections from the scene's seed, `memory_width` wide.
/// With a model whose heads fit it is the head that the Attention page shows, with its projections and
/// biases: in the first layer values are the model's own, queries and keys those of the word without its
/// position; behind the first layer word and position are mixed, and all three are the model's own.
struct SentenceMemory {
  int head = 0;                               // of the model, 1-based; 0: drawn from the seed
  int layer = 0;                              // the same
  std::shared_ptr<const TrainedModel> model;  // null: drawn from the seed
  nn::Matrix q, k, v;                         // [T, d]
  nn::Matrix phi_q, phi_k;                    // [T, m] under the chosen feature map
  nn::Matrix unit_q, unit_k;                  // [T, m] the same at length 1, as the delta rule uses them
  nn::Matrix linear, softmax;  // [T, T] weights, 0 above the diagonal; linear ones are normalised
  nn::Matrix linear_output, softmax_output;         // [T, d]
  nn::Matrix weight_difference, output_difference;  // linear − softmax
  nn::Matrix denominator;                           // [1, T] Σ φ(q)·φ(k)
  double decay = 1;                                 // γ of the three below; what is above knows none
  nn::FastWeightTrace<float> sum;  // γ W + v φ(k)ᵀ, φ(k) as it is: with γ = 1 the sums of linear attention
  nn::FastWeightTrace<float> delta;  // γ W + (v − γ W φ) φᵀ with φ at length 1: replaces what stood there
  nn::FastWeightTrace<float> unit_sum;  // the sum rule with φ at length 1, to compare with `delta`
  double fast_residual = 0;  // largest |W φ(q) − Σ γ^(t−s) (φ(q)·φ(k)) v| of all: two ways to one sum
  double delta_residual = 0;  // largest |y of the delta rule in float32 − in double|
  double sharpness_linear = 0, sharpness_softmax = 0;  // mean over the rows of the largest weight
  float largest_linear = 0;                            // |weight|
  float largest_state[2] = {0, 0};                     // |element| of any W_t and any write, by MemoryWrite
  float largest_vector[2] = {0, 0};                    // |element| of any φ and what is written
  double largest_difference = 0;                       // |linear − softmax| of the outputs
};

/// After `step` writes: is the value that was last written at a token's key still found there?
struct ReadBack {
  int token = 0;              // the last one with this key
  int times = 1;              // how often its key was written
  double sum = 0, delta = 0;  // ‖W φ(k) − v‖ / ‖v‖, both with φ at length 1
};

/// A line of equal energy in the plane; closed where its ends are one point.
using Contour = std::vector<std::array<float, 2>>;

/// Stored patterns, and what does not depend on the probe.
struct StoredPatterns {
  nn::MatrixF64 patterns;  // [N, D] on a sphere of radius √D; in two dimensions spread around the circle
  nn::Matrix patterns_f32;
  nn::Matrix landscape;            // D = 2: the energy over the plane, row 0 at the top
  double lowest = 0, highest = 0;  // of the landscape
  std::vector<Contour> contours;
  int probes = 0, recovered = 0;  // noisy probes, and those that led to within a tenth of their own pattern
};

inline constexpr int memory_updates = 12;       // that are computed
inline constexpr int recovery_updates = 5;      // that a noisy probe has
inline constexpr double recovery_radius = 0.1;  // of the length of a pattern

struct Retrieval {
  nn::Matrix weights;               // [updates, N] the softmax of each update
  nn::Matrix comparison;            // [updates + 2, D] the nearest pattern, then every state
  nn::HopfieldTrace<double> trace;  // of the one probe
  std::vector<double> distance;     // [updates + 1] to the pattern that is nearest at the end, ÷ its length
  int nearest = 0;                  // that pattern
  int recovered_at = -1;            // first update within the radius of it; −1 = never
  int settled_at = -1;              // first update that moved by less than 1e−6; −1 = never
  double effective = 0;             // 1 / Σ p² at the end: among how many patterns the weight is spread
  nn::Matrix one_step;              // [1, D] scaled dot-product attention, query = probe, keys = values = X
  double attention_residual = 0;    // largest |one_step − first update|
};

struct Capacity {
  int dimension = 0;
  double classical = 0;  // about 0.14 d (1982)
  double binary = 0;     // 2^(d/2) (2017)
  double proven = 0;     // √p c^((d−1)/4) for β = 1, K = 3, p = 0.001 (2020); NaN: not proven for this d
};

/// What an earlier token s adds to the answer at the step t: γ^(t−s) (φ(q_t)·φ(k_s)) v_s.
struct RecurrenceTerm {
  double kept = 1;        // γ^(t−s)
  double similarity = 0;  // φ(q_t)·φ(k_s)
};

struct MemoryExperiments;  // memory_experiments.h
struct SizeErrors;         // memory_sizes.h
struct BinaryRetrieval;    // memory_binary.h

struct MemoryResults {
  int step = 0;                                    // 1 … T; 0 without tokens
  std::shared_ptr<const SentenceMemory> sentence;  // null without tokens
  nn::Matrix kept;                                 // [d, m] γ W_(t−1); empty with γ = 1: it is W_(t−1)
  nn::Matrix written;                              // [d, m] what the chosen rule adds at this step
  std::vector<float> value;                        // [d] the left factor of it
  std::vector<ReadBack> read_back;                 // by first appearance
  std::vector<RecurrenceTerm> recurrence;          // of tokens 1 … step, sum rule
  std::shared_ptr<const StoredPatterns> stored;
  Retrieval retrieval;
  std::shared_ptr<const BinaryRetrieval> binary;
  std::shared_ptr<const MemoryExperiments> experiments;
  std::shared_ptr<const SizeErrors> sizes;
  std::vector<Capacity> capacity;  // of the patterns' dimension, then of 10, 16, 50 and 64
};

/// For the scene's page `memory` only; `results` holds what every page has (tokens, attention).
std::shared_ptr<const MemoryResults> compute_memory(const Scene& scene, const Results& results,
                                                    base::Parallel& parallel);

/// The parts of it. `tokens` of the scene's sentence, at most most_memory_tokens are used, T >= 1.
SentenceMemory remember_sentence(const Scene& scene, const Results& results, base::Parallel& parallel);
/// `step` 1 … T.
std::vector<ReadBack> read_back(const SentenceMemory& memory, int step);
StoredPatterns store_patterns(const Scene& scene);
Retrieval retrieve(const Scene& scene, const StoredPatterns& stored, base::Parallel& parallel);

}  // namespace headlight::scene
