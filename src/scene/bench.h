// The Head bench page: two heads compared, how alike all heads are, what each is for, and what the output
// loses when heads are switched off.
// Its settings, and what is computed for it. Tested in tests/scene/bench_test.cpp.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/parallel.h"
#include "nn/head_roles.h"
#include "nn/tensor.h"
#include "scene/field.h"

namespace headlight::scene {

struct Scene;
struct Results;
struct BlockResults;

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
              G::bench, 0, 0, false, true},
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
              "head B of the same sentence under other random weights", G::bench, 0, 0, false, true},
        s.other_seed);
  visit(Field{"bench_seed_b", "seed of B", "where B's embeddings and projections come from", G::bench, 0, 99,
              false, true},
        s.seed_b);
  visit(Field{"bench_off", "heads off", "1-based heads whose output counts as 0", G::none, 1, 1024, false,
              true},
        s.off);
}

struct BenchResults {
  std::shared_ptr<const BlockResults> stack;  // whose layers the heads are of; null: the scene's one layer
  int layer_a = 0, layer_b = 0;               // 0-based, of the stack
  int a = 0, b = 0;                           // 0-based
  bool other_seed = false;                    // B is of another layer
  bool too_large = false;  // another layer was asked for, and is too much for this many tokens
  nn::Matrix map_b;        // [T, S] B's weights
  nn::Matrix difference;   // [T, S] A − B
  double cosine = 0;       // of the two maps; NaN where one has no weights
  float largest = 0;       // largest |A − B|
  int largest_query = 0, largest_key = 0;

  std::vector<nn::HeadRoles> roles;  // [H] of the scene's layer, or of layer A
  nn::HeadRoles role_b;              // of head B, wherever it comes from
  bool repeats = false;              // some token stands twice: same_token is defined

  // [H, H], of layer A by of layer B, under the scene's seed; empty when it is too much for a frame
  nn::MatrixF64 similarity;
  nn::Matrix similarity_f32;  // the same, for the heatmap

  // Heads switched off: those of the scene's layer, or of layer A; the output is that of its attention.
  std::vector<nn::HeadEffect> effects;  // [H]; empty when it is too much for a frame
  std::vector<unsigned char> on;        // [H]
  std::vector<double> token_change;     // [T] norm of the change of each output row
  std::vector<double> token_norm;       // [T] norm of each output row with all heads on
  double change = 0, share = 0;         // of the whole output, and relative to its norm (NaN of 0)
};

/// For the scene's page `bench` only; `results` holds what every page has (tokens, attention).
std::shared_ptr<const BenchResults> compute_bench(const Scene& scene, const Results& results,
                                                  base::Parallel& parallel);

}  // namespace headlight::scene
