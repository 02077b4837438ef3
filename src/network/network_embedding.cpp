// The steps before layer 0 of a network: from ids to the layer's input.
#include <algorithm>
#include <cmath>
#include <utility>

#include "network/network_parts.h"

namespace headlight::nn {

namespace {

using std::size_t;

/// Returns the rows of the position table.
std::vector<int> position_rows(const Network& net, const NetworkInput& in, int past) {
  std::vector<int> rows(in.ids.size());
  int before = 0;
  for (size_t t = 0; t < rows.size(); ++t) {
    int row = past + static_cast<int>(t);
    if (net.position_rule == PositionRule::visible && !in.visible.empty())
      row = in.visible[t] != 0 ? before++ : -1;
    if (net.position_rule == PositionRule::not_padding) row = in.ids[t] != net.padding_id ? ++before : 0;
    rows[t] = row + net.position_offset;
  }
  return rows;
}

/// Computes [T, D] from the frequencies [D / 2].
base::Status sinusoids(const TensorRef& frequencies, int first, int T, Matrix& p) {
  const int half = frequencies.rows;
  Matrix f(1, half);
  if (const base::Status status = read_rows(frequencies, 0, half, f.data()); !status) return status;
  p.resize(T, 2 * half);
  for (int t = 0; t < T; ++t) {
    for (int j = 0; j < half; ++j) {
      const double angle = (first + t) * static_cast<double>(f.data()[j]);
      p.row(t)[static_cast<size_t>(j)] = static_cast<float>(std::sin(angle));
      p.row(t)[static_cast<size_t>(half + j)] = static_cast<float>(std::cos(angle));
    }
  }
  return {};
}

}  // namespace

std::vector<int> token_types_of(const Network& network, std::span<const int> ids,
                                std::span<const int> before) {
  std::vector<int> types(ids.size());
  if (network.token_types < 2 || network.separator < 0) return types;
  bool behind = std::find(before.begin(), before.end(), network.separator) != before.end();
  for (size_t t = 0; t < ids.size(); ++t) {
    types[t] = behind && ids[t] != network.padding_id ? 1 : 0;
    behind = behind || ids[t] == network.separator;
  }
  return types;
}

base::Status embed(const Network& network, const NetworkWeights& weights, const NetworkInput& input,
                   std::span<const int> before, base::Parallel& parallel, Matrix& x, NetworkStages* stages) {
  const int past = static_cast<int>(before.size());
  const auto note = [&](NetworkStage stage) {
    if (stages != nullptr) stages->of(stage) = x;
  };
  if (const base::Status status = look_up(weights.embedding, input.ids, x); !status) return status;
  note(NetworkStage::embedding);
  if (!weights.project_in.w.empty()) {
    Matrix wide;
    if (const base::Status status = apply(weights.project_in, x, parallel, wide); !status) return status;
    std::swap(x, wide);
    note(NetworkStage::projected_in);
  }
  if (network.embedding_scale != 1) {
    for (float& value : x.values()) value *= static_cast<float>(network.embedding_scale);
    note(NetworkStage::scaled);
  }
  Matrix more;
  if (network.positions != PositionKind::none) {
    const base::Status status =
        network.positions == PositionKind::table
            ? look_up(weights.positions, position_rows(network, input, past), more)
            : sinusoids(weights.positions, past, static_cast<int>(input.ids.size()), more);
    if (!status) return status;
    add(more, x);
    note(NetworkStage::with_positions);
  }
  if (network.token_types > 0) {
    const std::vector<int> types = input.token_types.empty()
                                       ? token_types_of(network, input.ids, before)
                                       : std::vector<int>(input.token_types.begin(), input.token_types.end());
    if (const base::Status status = look_up(weights.token_types, types, more); !status) return status;
    add(more, x);
    note(NetworkStage::with_types);
  }
  if (!network.embedding_norm) return {};
  const base::Status status = normalise(norm_of(network), weights.embedding_norm, x, x);
  note(NetworkStage::embedding_norm);
  return status;
}

}  // namespace headlight::nn
