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
  visit(Field{"memory_feature", "feature map φ", "what linear attention does to queries and keys", G::own, 0,
              0, false, true},
        s.feature);
  visit(Field{"memory_features", "random features m", "numbers in φ(q) and φ(k) when φ is random", G::own, 1,
              most_memory_features, true, true},
        s.features);
  visit(Field{"memory_width", "head width d_k", "numbers in a query, a key and a value", G::own, 2, 16, false,
              true},
        s.width);
  visit(Field{"memory_write", "write rule", "add to what stands at the key, or replace it", G::own, 0, 0,
              false, true},
        s.write);
  visit(Field{"memory_decay", "decay γ", "what each step keeps of the fast weights; 1 keeps all", G::own, 0,
              1, false, true},
        s.decay);
  visit(Field{"memory_step", "step", "tokens written so far", G::none, 1, most_memory_tokens, false, true},
        s.step);
  visit(Field{"memory_network", "network", "continuous patterns of 2020, or bits of 1982", G::none},
        s.network);
  visit(Field{"memory_patterns", "patterns N", "stored in the Hopfield network", G::own, 2, 64, false, true},
        s.patterns);
  visit(Field{"memory_dimension", "dimension d", "numbers in a pattern; 2 shows the energy as a landscape",
              G::own, 2, 64, false, true},
        s.dimension);
  visit(Field{"memory_beta", "β", "inverse temperature of the retrieval", G::own, 0.05, 100, true, true},
        s.beta);
  visit(Field{"memory_noise", "noise", "standard deviation of what is added to a pattern to make a probe",
              G::own, 0, 3, false, true},
        s.noise);
  visit(Field{"memory_closeness", "pattern 2 → 1", "moves pattern 2 towards pattern 1; 1 puts it there",
              G::own, 0, 1, false, true},
        s.closeness);
  visit(Field{"memory_probe_x", "probe x", "where retrieval starts in two dimensions", G::none, -memory_reach,
              memory_reach, false, true},
        s.probe_x);
  visit(Field{"memory_probe_y", "probe y", "where retrieval starts in two dimensions", G::none, -memory_reach,
              memory_reach, false, true},
        s.probe_y);
  visit(Field{"memory_bits", "bits D", "neurons of the network of 1982", G::own, 8, most_memory_bits, false,
              true},
        s.bits);
  visit(Field{"memory_flips", "bits flipped", "of a pattern, to make a probe; at most all of them", G::own, 0,
              most_memory_bits, false, true},
        s.flips);
  visit(Field{"memory_error_over", "error over",
              "the length, or the numbers of features and of projected keys", G::none},
        s.error_over);
  visit(Field{"memory_keys", "projected keys r",
              "keys and values that are left of 64, each a mean of neighbours", G::own, 1, size_tokens, true,
              true},
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
