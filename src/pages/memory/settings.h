// The settings of the Memory page, and their one list.
#pragma once

#include <concepts>
#include <type_traits>

#include "scene/field.h"

namespace headlight::scene {

enum class MemoryFeature {
  elu1,
  identity,
  random
};  // random: positive random features, nn/random_features.h
enum class MemoryWrite { sum, delta };
enum class MemoryNetwork { continuous, binary };  // from 2020, and from 1982
enum class MemoryErrorOver { length, size };  // the axis over which the error of linear attention is plotted

inline constexpr int most_memory_tokens = 512;  // of a longer sentence the first tokens are used
inline constexpr double memory_reach = 2;       // the plane on show goes from −memory_reach to memory_reach
inline constexpr int most_memory_features = 256;
inline constexpr int size_tokens = 64;  // T for the errors over features and projected keys
inline constexpr int most_memory_bits = 256;

struct MemorySettings {
  MemoryFeature feature = MemoryFeature::elu1;
  int features = 64;
  int width = 4;
  MemoryWrite write = MemoryWrite::sum;
  double decay = 1;
  int step = 5;  // 1-based: the last token that is written; at most the number of tokens
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
void list_fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{.name = "memory_feature",
              .label = "Feature map φ",
              .help = "function that linear attention applies to queries and keys",
              .group = G::own,
              .computes = true},
        s.feature);
  visit(Field{.name = "memory_features",
              .label = "Random features m",
              .help = "components of φ(q) and φ(k) when φ is random",
              .group = G::own,
              .min = 1,
              .max = most_memory_features,
              .logarithmic = true,
              .computes = true},
        s.features);
  visit(Field{.name = "memory_width",
              .label = "Head width d_k",
              .help = "components of a query, a key and a value",
              .group = G::own,
              .min = 2,
              .max = 16,
              .computes = true,
              .given_by = own_head},
        s.width);
  visit(Field{.name = "memory_write",
              .label = "Write rule",
              .help = "add to the value stored at the key, or replace it",
              .group = G::own,
              .computes = true},
        s.write);
  visit(Field{.name = "memory_decay",
              .label = "Decay γ",
              .help = "share of the fast weights kept at each step; 1 keeps all",
              .group = G::own,
              .max = 1,
              .computes = true},
        s.decay);
  visit(Field{.name = "memory_step",
              .label = "Step",
              .help = "tokens written so far",
              .min = 1,
              .max = most_memory_tokens,
              .computes = true},
        s.step);
  visit(Field{.name = "memory_network",
              .label = "Network",
              .help = "continuous patterns (2020) or binary patterns (1982)"},
        s.network);
  visit(Field{.name = "memory_patterns",
              .label = "Patterns N",
              .help = "patterns stored in the Hopfield network",
              .group = G::own,
              .min = 2,
              .max = 64,
              .computes = true},
        s.patterns);
  visit(Field{.name = "memory_dimension",
              .label = "Dimension d",
              .help = "components of a pattern; with 2, the energy is shown as a landscape",
              .group = G::own,
              .min = 2,
              .max = 64,
              .computes = true},
        s.dimension);
  visit(Field{.name = "memory_beta",
              .label = "β",
              .help = "inverse temperature of the retrieval",
              .group = G::own,
              .min = 0.05,
              .max = 100,
              .logarithmic = true,
              .computes = true},
        s.beta);
  visit(Field{.name = "memory_noise",
              .label = "Noise",
              .help = "standard deviation of the noise added to a pattern to make a probe",
              .group = G::own,
              .max = 3,
              .computes = true},
        s.noise);
  visit(Field{.name = "memory_closeness",
              .label = "Pattern 2 → 1",
              .help = "moves pattern 2 towards pattern 1; at 1 they coincide",
              .group = G::own,
              .max = 1,
              .computes = true},
        s.closeness);
  visit(Field{.name = "memory_probe_x",
              .label = "Probe x",
              .help = "start of the retrieval in two dimensions",
              .min = -memory_reach,
              .max = memory_reach,
              .computes = true},
        s.probe_x);
  visit(Field{.name = "memory_probe_y",
              .label = "Probe y",
              .help = "start of the retrieval in two dimensions",
              .min = -memory_reach,
              .max = memory_reach,
              .computes = true},
        s.probe_y);
  visit(Field{.name = "memory_bits",
              .label = "Bits D",
              .help = "neurons of the network of 1982",
              .group = G::own,
              .min = 8,
              .max = most_memory_bits,
              .computes = true},
        s.bits);
  visit(Field{.name = "memory_flips",
              .label = "Bits flipped",
              .help = "bits of a pattern that are flipped to make a probe; at most all of them",
              .group = G::own,
              .max = most_memory_bits,
              .computes = true},
        s.flips);
  visit(Field{.name = "memory_error_over",
              .label = "Error over",
              .help = "length, or numbers of features and of projected keys"},
        s.error_over);
  visit(Field{.name = "memory_keys",
              .label = "Projected keys r",
              .help = "number of projected keys and values out of 64, each a mean of neighbours",
              .group = G::own,
              .min = 1,
              .max = size_tokens,
              .logarithmic = true,
              .computes = true},
        s.keys);
}

template <>
struct Words<MemoryFeature> {
  static constexpr const char* list[] = {"elu1", "identity", "random"};
  static constexpr const char* labels[] = {"elu + 1", "identity", "random"};
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

}  // namespace headlight::scene
