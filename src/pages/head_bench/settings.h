// The settings of the Head bench page, and their one list.
#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "scene/field.h"

namespace headlight::scene {

/// Whose heads: those of the attention layer of the other pages, or of every layer of the Block page's stack.
enum class BenchFrom { layer, stack };
template <>
struct Words<BenchFrom> {
  static constexpr const char* list[] = {"layer", "stack"};
};

struct BenchSettings {
  BenchFrom from = BenchFrom::layer;
  int layer_a = 1, layer_b = 2;  // of the stack, 1-based; beyond the last: the last
  int a = 1, b = 2;              // 1-based; beyond the heads there are: the last one
  bool other_seed = false;       // head B comes from another layer, of seed_b
  int seed_b = 8;
  IndexList off;  // 1-based heads that are switched off
  bool operator==(const BenchSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, BenchSettings>
void fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{"bench_from", "heads of", "the one attention layer, or the layers of the Block page's stack",
              G::own, 0, 0, false, true},
        s.from);
  visit(Field{"bench_layer_a", "layer of A", "the stack's layer that head A is in, counted from 1", G::none,
              1, 12, false, true},
        s.layer_a);
  visit(Field{"bench_layer_b", "layer of B", "the stack's layer that head B is in, counted from 1", G::none,
              1, 12, false, true},
        s.layer_b);
  visit(Field{"bench_a", "head A", "the first head on the bench, counted from 1", G::none, 1, 1024, false,
              true},
        s.a);
  visit(Field{"bench_b", "head B", "the second head on the bench, counted from 1", G::none, 1, 1024, false,
              true},
        s.b);
  visit(Field{"bench_other_seed", "B from another seed",
              "head B of the same sentence under other random weights", G::own, 0, 0, false, true},
        s.other_seed);
  visit(Field{"bench_seed_b", "seed of B", "where B's embeddings and projections come from", G::own, 0, 99,
              false, true},
        s.seed_b);
  visit(Field{"bench_off", "heads off", "1-based heads whose output counts as 0", G::none, 1, 1024, false,
              true},
        s.off);
}

}  // namespace headlight::scene
