// The parts of network_forward(), for the files of this folder that make it up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "network/network.h"

namespace headlight::nn {

/// y [T, out] = x [T, in] Wᵀ + b. W is read while it is multiplied with, some rows at a time. y is not x.
base::Status apply(const LinearRef& linear, const Matrix& x, base::Parallel& parallel, Matrix& y);

/// The same for projections of one x. Those whose weights lie side by side in a matrix [in, out + out + …] of
/// the file are read and multiplied as one.
struct Applied {
  const LinearRef* linear;
  Matrix* y;
};
base::Status apply_all(std::span<const Applied> projections, const Matrix& x, base::Parallel& parallel);

/// Row ids[t] of a table into row t of y.
base::Status look_up(const TensorRef& table, std::span<const int> rows, Matrix& y);

struct NormSpec {
  NormKind kind = NormKind::layer;
  double eps = 1e-5;
  int heads = 1;  // parts of a row that are normalised each for itself
};
/// y = norm of the rows of x; y may be x.
base::Status normalise(const NormSpec& spec, const NormRef& norm, const Matrix& x, Matrix& y);

/// That of a whole row of the network's stream.
inline NormSpec norm_of(const Network& network) {
  return {network.norm, network.eps, 1};
}

/// The input of layer 0 for tokens after those of `before`; its steps in `stages` where given.
base::Status embed(const Network& network, const NetworkWeights& weights, const NetworkInput& input,
                   std::span<const int> before, base::Parallel& parallel, Matrix& x, NetworkStages* stages);

/// x = act(x).
void activate(NetworkActivation activation, base::Parallel& parallel, Matrix& x);

/// x += y.
void add(const Matrix& y, Matrix& x);

/// cos(θ) and sin(θ) of each position and pair, times the attention factor of yarn.
struct RopeTurns {
  Matrix cosine, sine;  // [T, rotary_dim / 2]
};
/// For positions first … first + T − 1 of an input of `length` tokens.
RopeTurns rope_turns(const NetworkRope& rope, int first, int T, int length);
/// Turns every head of x [T, heads·d] in place.
void turn(const NetworkRope& rope, const RopeTurns& turns, int heads, Matrix& x);

struct NetworkAttention {
  const Matrix *q, *k, *v;  // [T, H·d], [S, H_kv·d], [S, H_kv·d]
  NetworkLayer layer;
  bool causal = true;
  double cap = 0;
  std::span<const std::uint8_t> visible;  // [S] or empty
};
/// weights [H, T, S], context [T, H·d]; scores [H, T, S] when not null.
void attend(const NetworkAttention& attention, base::Parallel& parallel, Matrix& weights, Matrix* scores,
            Matrix& context);

}  // namespace headlight::nn
