// What else the page shows of the chosen head than its weights, for every head of the layer on show, so that
// choosing another one computes nothing:
//
//   components  q_i · k_j = Σ_c q_ic k_jc of the pinned query i: what each component adds for each key j,
//               sorted by what it adds for the opened key (the neuron view of Vig 2019). The opened key is
//               the pinned one, or the one with the head's largest weight.
//   plane       the head's queries and keys, all together, in the plane in which they differ most
//               (nn/principal_plane.h)
//
// q and k are those that are multiplied: with a model of another program after bias, norm and RoPE. Tested in
// tests/scene/head_details_test.cpp.
#pragma once

#include <array>
#include <vector>

#include "base/parallel.h"
#include "kernels/tensor.h"
#include "scene/results.h"

namespace headlight::scene {

struct HeadComponents {
  int key = 0;             // the opened one
  std::vector<int> order;  // [d_k] components, the one that adds most for that key first
  nn::Matrix products;     // [S, d_k] q_ic k_jc, the components in this order
  double largest = 0;      // |product|
};

struct HeadPlane {
  std::vector<std::array<float, 2>> queries, keys;  // [T], [S]
  std::array<double, 2> share{};                    // of the variance; NaN where there is none
};

/// Components that RoPE turns, as pair j by turn · position.
struct TurnedComponent {
  int pair = -1;    // −1: this one is not turned
  double turn = 0;  // radians per position
};

struct HeadDetails {
  int query = -1;                          // whose components they are; −1: none is pinned
  std::vector<HeadComponents> components;  // [H]; empty: they are not shown
  std::vector<HeadPlane> planes;           // [H]; empty: they are not shown
  std::vector<TurnedComponent> turned;     // [d_k] of a model of another program with RoPE; else empty
};

/// Those that the scene shows.
HeadDetails head_details(const Scene& scene, const nn::AttentionTrace& trace, base::Parallel& parallel);

}  // namespace headlight::scene
