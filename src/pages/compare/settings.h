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
  visit(Field{.name = "bench_from",
              .label = "Heads from",
              .help = "the attention layer, or any layers: of the Block page’s stack, or of an opened model",
              .group = G::own,
              .computes = true},
        s.from);
  visit(Field{.name = "bench_layer_a",
              .label = "Layer of A",
              .help = "layer of the stack, or of an opened model, that head A belongs to, counted from 1",
              .min = 1,
              .max = 4096,
              .computes = true},
        s.layer_a);
  visit(Field{.name = "bench_layer_b",
              .label = "Layer of B",
              .help = "layer of the stack, or of an opened model, that head B belongs to, counted from 1",
              .min = 1,
              .max = 4096,
              .computes = true},
        s.layer_b);
  visit(Field{.name = "bench_a",
              .label = "Head A",
              .help = "first head to compare, counted from 1",
              .min = 1,
              .max = 1024,
              .computes = true},
        s.a);
  visit(Field{.name = "bench_b",
              .label = "Head B",
              .help = "second head to compare, counted from 1",
              .min = 1,
              .max = 1024,
              .computes = true},
        s.b);
  visit(Field{.name = "bench_other_seed",
              .label = "B from another seed",
              .help = "head B with other random weights, for the same sentence",
              .group = G::own,
              .computes = true},
        s.other_seed);
  visit(Field{.name = "bench_seed_b",
              .label = "Seed of B",
              .help = "determines B’s random embeddings and projections",
              .group = G::own,
              .max = 99,
              .computes = true},
        s.seed_b);
  visit(
      Field{
          .name = "bench_off",
          .label = "Heads off",
          .help =
              "heads whose output is set to 0, counted from 1, for the change of the output on this page; no "
              "map and no other page changes",
          .min = 1,
          .max = 1024,
          .computes = true},
      s.off);
}

}  // namespace headlight::scene
