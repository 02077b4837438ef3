// What does each step of one layer of a network compute? The stages of network/network.h by name, in the
// order of computation. Which stages exist, and their order, depends on the placement of the norms.
//
//   pre         x, N1 x, q, k, v, context, attn, a = x + attn, N2 a, MLP, y = a + mlp
//   post        x, q, k, v, context, attn, x + attn, a = N1(x + attn), MLP, a + mlp, y = N2(a + mlp)
//   parallel    x, N1 x, q, k, v, context, attn, (N2 x,) MLP, y = x + attn + mlp
//   sandwich    as pre, with N1'(attn) and N2'(mlp) before the sums
//   MLP         up, act(up), down; gated gate, act(gate), up, act(gate) ∘ up, down
//
// Tested in tests/models/stages_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "kernels/tensor.h"

namespace headlight::nn {

enum class NetworkStage {
  // Before layer 0; each stage includes the ones before it.
  embedding,       // rows of E
  projected_in,    // if E is narrower than D
  scaled,          // multiplied by the scale of the embeddings
  with_positions,  // + the row of each position
  with_types,      // + the row of each token's type
  embedding_norm,
  // A layer.
  input,   // x [T, D]
  norm_1,  // N1
  q,
  k,
  v,  // [T, H·d], [T, H_kv·d] twice, with their biases
  q_norm,
  k_norm,  // each head normalised
  q_rope,
  k_rope,          // after RoPE
  context,         // [T, H·d] Σ_j weight_ij v_j, the heads side by side
  attention,       // [T, D] W_O context plus its bias
  norm_1_after,    // N1' of a sandwich
  bypass,          // the path around attention if the widths differ
  sum_1,           // x + attention
  norm_2,          // N2
  gate,            // [T, D_ff] W_gate x, only when gated
  gate_activated,  // act(gate)
  up,              // [T, D_ff] W_up x
  hidden,          // [T, D_ff] act(up), or act(gate) ∘ up
  down,            // [T, D] W_down hidden
  norm_2_after,    // N2' of a sandwich
  sum_2,           // the sum after the MLP; parallel: x + attention + MLP
  // After the last layer.
  final_norm,
  logits,  // [T, V]
};
inline constexpr std::size_t network_stages = static_cast<std::size_t>(NetworkStage::logits) + 1;

/// Indexed by NetworkStage; empty: the layer has no such stage.
struct NetworkStages {
  std::array<Matrix, network_stages> all;

  const Matrix& of(NetworkStage stage) const { return all[static_cast<std::size_t>(stage)]; }
  Matrix& of(NetworkStage stage) { return all[static_cast<std::size_t>(stage)]; }
  bool has(NetworkStage stage) const { return !of(stage).empty(); }
  void clear() {
    for (Matrix& one : all) one.resize(0, 0, 0);
  }
};

}  // namespace headlight::nn
