// The parts of network_forward(), shared by the files of this folder.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "network/network.h"

namespace headlight::nn {

/// y [T, out] = x [T, in] Wᵀ + b. W is read during the multiplication, some rows at a time. y is not x.
base::Status apply(const LinearRef& linear, const Matrix& x, base::Parallel& parallel, Matrix& y);

/// The same for several projections of one x. Projections whose weights are adjacent in one matrix [in, out +
/// out + …] of the file are read and multiplied together.
struct Applied {
  const LinearRef* linear;
  Matrix* y;
};
base::Status apply_all(std::span<const Applied> projections, const Matrix& x, base::Parallel& parallel);

/// Copies row rows[t] of a table to row t of y.
base::Status look_up(const TensorRef& table, std::span<const int> rows, Matrix& y);

struct NormSpec {
  NormKind kind = NormKind::layer;
  double eps = 1e-5;
  int heads = 1;  // each row is cut into this many parts, normalised separately
};
/// y = norm of the rows of x; y may be x.
base::Status normalise(const NormSpec& spec, const NormRef& norm, const Matrix& x, Matrix& y);

/// Returns the norm of a whole row of the network's residual stream.
inline NormSpec norm_of(const Network& network) {
  return {network.norm, network.eps, 1};
}

/// Computes the input of layer 0 for the tokens that follow `before`; writes its steps to `stages` if given.
base::Status embed(const Network& network, const NetworkWeights& weights, const NetworkInput& input,
                   std::span<const int> before, base::Parallel& parallel, Matrix& x, NetworkStages* stages);

/// x = act(x).
void activate(NetworkActivation activation, base::Parallel& parallel, Matrix& x);

/// x += y.
void add(const Matrix& y, Matrix& x);

/// cos(θ) and sin(θ) for each position and pair, times the attention factor of yarn.
struct RopeTurns {
  Matrix cosine, sine;  // [T, rotary_dim / 2]
};
/// Returns them for positions first … first + T − 1 of an input of `length` tokens.
RopeTurns rope_turns(const NetworkRope& rope, int first, int T, int length);
/// Rotates every head of x [T, heads·d] in place.
void turn(const NetworkRope& rope, const RopeTurns& turns, int heads, Matrix& x);

struct NetworkAttention {
  const Matrix *q, *k, *v;  // [T, H·d], [S, H_kv·d], [S, H_kv·d]
  NetworkLayer layer;
  bool causal = true;
  double cap = 0;
  std::span<const std::uint8_t> visible;  // [S] or empty
};
/// Computes weights [H, T, S] and context [T, H·d]; also scores [H, T, S] if not null.
void attend(const NetworkAttention& attention, base::Parallel& parallel, Matrix& weights, Matrix* scores,
            Matrix& context);

}  // namespace headlight::nn
