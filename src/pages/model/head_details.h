// What the page can show of the chosen head instead of its weights. It is computed for every head of the
// layer on show, so that choosing another one takes no time:
//
//   components  q_i · k_j = Σ_c q_ic k_jc of the pinned query i: what each component adds for each key j,
//               sorted by what it adds for the opened key (the neuron view of Vig 2019). The opened key is
//               the pinned one, or the one with the head's largest weight.
//   plane       the head's queries and keys, all together, in the plane in which they differ most
//               (nn/principal_plane.h)
//
// q and k are the vectors that are multiplied: in a model of another program after bias, norm and RoPE.
// Tested in tests/scene/head_details_test.cpp.
#pragma once

#include <array>
#include <vector>

#include "base/parallel.h"
#include "kernels/tensor.h"
#include "scene/results.h"

namespace headlight::scene {

struct HeadComponents {
  int key = 0;             // the opened key
  std::vector<int> order;  // [d_k] components, sorted by what they add for that key, the largest first
  nn::Matrix products;     // [S, d_k] q_ic k_jc, with the components in this order
  double largest = 0;      // |product|
};

struct HeadPlane {
  std::vector<std::array<float, 2>> queries, keys;  // [T], [S]
  std::array<double, 2> share{};                    // of the variance; NaN if there is no variance
};

/// A component that RoPE rotates, with pair j, by turn · position.
struct TurnedComponent {
  int pair = -1;    // −1: RoPE does not rotate it
  double turn = 0;  // radians per position
};

struct HeadDetails {
  int query = -1;                          // the query of the components; −1: none is pinned
  std::vector<HeadComponents> components;  // [H]; empty: not shown
  std::vector<HeadPlane> planes;           // [H]; empty: not shown
  std::vector<TurnedComponent> turned;     // [d_k] for a model of another program with RoPE; else empty
};

/// Computes the details that the scene shows.
HeadDetails head_details(const Scene& scene, const nn::AttentionTrace& trace, base::Parallel& parallel);

}  // namespace headlight::scene
