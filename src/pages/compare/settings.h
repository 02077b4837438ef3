// The settings of the Compare page, and their one list.
#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "scene/field.h"

namespace headlight::scene {

/// Which heads are compared: those of the layer that the other pages show, or those of every layer of the
/// Block page's stack or of an opened model.
enum class CompareFrom { layer, stack };
template <>
struct Words<CompareFrom> {
  static constexpr const char* list[] = {"layer", "stack"};
};

struct CompareSettings {
  CompareFrom from = CompareFrom::layer;
  int layer_a = 1, layer_b = 2;  // of the stack, from 1; a number beyond the last chooses the last
  int a = 1, b = 2;              // from 1; a number beyond the last chooses the last
  bool other_seed = false;       // head B is in a layer drawn from seed_b
  int seed_b = 8;
  IndexList off;  // 1-based heads that are switched off
  bool operator==(const CompareSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, CompareSettings>
void list_fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{"bench_from", "Heads from",
              "the attention layer, or any layers: of the Block page’s stack, or of an opened model", G::own,
              0, 0, false, true},
        s.from);
  visit(Field{"bench_layer_a", "Layer of A",
              "layer of the stack, or of an opened model, that head A belongs to, counted from 1", G::none, 1,
              4096, false, true},
        s.layer_a);
  visit(Field{"bench_layer_b", "Layer of B",
              "layer of the stack, or of an opened model, that head B belongs to, counted from 1", G::none, 1,
              4096, false, true},
        s.layer_b);
  visit(Field{"bench_a", "Head A", "first head to compare, counted from 1", G::none, 1, 1024, false, true},
        s.a);
  visit(Field{"bench_b", "Head B", "second head to compare, counted from 1", G::none, 1, 1024, false, true},
        s.b);
  visit(Field{"bench_other_seed", "B from another seed",
              "head B with other random weights, for the same sentence", G::own, 0, 0, false, true},
        s.other_seed);
  visit(Field{"bench_seed_b", "Seed of B", "determines B’s random embeddings and projections", G::own, 0, 99,
              false, true},
        s.seed_b);
  visit(
      Field{
          "bench_off", "Heads off",
          "heads whose output is set to 0, counted from 1, for the change of the output on this page; no map "
          "and no other page changes",
          G::none, 1, 1024, false, true},
      s.off);
}

}  // namespace headlight::scene
