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
  visit(Field{"memory_feature", "Feature map φ", "function that linear attention applies to queries and keys",
              G::own, 0, 0, false, true},
        s.feature);
  visit(Field{"memory_features", "Random features m", "components of φ(q) and φ(k) when φ is random", G::own,
              1, most_memory_features, true, true},
        s.features);
  visit(Field{"memory_width", "Head width d_k", "components of a query, a key and a value", G::own, 2, 16,
              false, true},
        s.width);
  visit(Field{"memory_write", "Write rule", "add to the value stored at the key, or replace it", G::own, 0, 0,
              false, true},
        s.write);
  visit(Field{"memory_decay", "Decay γ", "share of the fast weights kept at each step; 1 keeps all", G::own,
              0, 1, false, true},
        s.decay);
  visit(Field{"memory_step", "Step", "tokens written so far", G::none, 1, most_memory_tokens, false, true},
        s.step);
  visit(Field{"memory_network", "Network", "continuous patterns (2020) or binary patterns (1982)", G::none},
        s.network);
  visit(Field{"memory_patterns", "Patterns N", "patterns stored in the Hopfield network", G::own, 2, 64,
              false, true},
        s.patterns);
  visit(Field{"memory_dimension", "Dimension d",
              "components of a pattern; with 2, the energy is shown as a landscape", G::own, 2, 64, false,
              true},
        s.dimension);
  visit(Field{"memory_beta", "β", "inverse temperature of the retrieval", G::own, 0.05, 100, true, true},
        s.beta);
  visit(Field{"memory_noise", "Noise", "standard deviation of the noise added to a pattern to make a probe",
              G::own, 0, 3, false, true},
        s.noise);
  visit(Field{"memory_closeness", "Pattern 2 → 1", "moves pattern 2 towards pattern 1; at 1 they coincide",
              G::own, 0, 1, false, true},
        s.closeness);
  visit(Field{"memory_probe_x", "Probe x", "start of the retrieval in two dimensions", G::none, -memory_reach,
              memory_reach, false, true},
        s.probe_x);
  visit(Field{"memory_probe_y", "Probe y", "start of the retrieval in two dimensions", G::none, -memory_reach,
              memory_reach, false, true},
        s.probe_y);
  visit(Field{"memory_bits", "Bits D", "neurons of the network of 1982", G::own, 8, most_memory_bits, false,
              true},
        s.bits);
  visit(Field{"memory_flips", "Bits flipped",
              "bits of a pattern that are flipped to make a probe; at most all of them", G::own, 0,
              most_memory_bits, false, true},
        s.flips);
  visit(Field{"memory_error_over", "Error over", "length, or numbers of features and of projected keys",
              G::none},
        s.error_over);
  visit(Field{"memory_keys", "Projected keys r",
              "number of projected keys and values out of 64, each a mean of neighbours", G::own, 1,
              size_tokens, true, true},
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

}  // namespace headlight::scene
