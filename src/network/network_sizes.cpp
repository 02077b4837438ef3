// The sizes of a network and its traces.
#include <cstdint>
#include <set>
#include <utility>

#include "network/network.h"

namespace headlight::nn {

using std::size_t;

double trace_bytes(const Network& network, int T, const NetworkKeeps& keeps) {
  double numbers = 0;
  for (const NetworkLayer& layer : network.layers) {
    if (keeps.layer >= 0 && &layer != &network.layers[static_cast<size_t>(keeps.layer)]) continue;
    const double maps = (keeps.attentions ? 1 : 0) + (keeps.scores ? 1 : 0);
    numbers += maps * layer.heads * static_cast<double>(T) * T;
    if (keeps.projections)
      numbers += static_cast<double>(T) * (layer.heads + 2 * layer.kv_heads) * layer.head_dim;
    if (keeps.states) numbers += static_cast<double>(T) * network.width;
    if (keeps.parts)
      numbers += static_cast<double>(T) * (2.0 * network.width + 1.0 * layer.heads * layer.head_dim);
  }
  if (keeps.layer >= 0) return 4 * numbers;
  if (keeps.states) numbers += static_cast<double>(T) * network.width;
  if (keeps.logits) numbers += static_cast<double>(T) * network.vocabulary;
  return 4 * numbers;
}

void for_each_tensor(const NetworkWeights& weights, const std::function<void(const TensorRef&)>& visit) {
  const auto one = [&](const TensorRef& tensor) {
    if (!tensor.empty()) visit(tensor);
  };
  const auto linear = [&](const LinearRef& l) { one(l.w), one(l.b); };
  const auto norm = [&](const NormRef& n) { one(n.gamma), one(n.beta); };
  one(weights.embedding), one(weights.positions), one(weights.token_types);
  norm(weights.embedding_norm), linear(weights.project_in), linear(weights.project_out);
  for (const NetworkLayerWeights& w : weights.layers) {
    for (const NormRef* n : {&w.norm_1, &w.norm_2, &w.norm_1_after, &w.norm_2_after, &w.q_norm, &w.k_norm})
      norm(*n);
    for (const LinearRef* l : {&w.q, &w.k, &w.v, &w.o, &w.gate, &w.up, &w.down, &w.residual}) linear(*l);
  }
  norm(weights.final_norm), linear(weights.head_transform), norm(weights.head_norm), linear(weights.head);
  linear(weights.pooler), linear(weights.relation), linear(weights.sentence);
}

double parameter_count(const NetworkWeights& weights) {
  std::set<std::pair<const WeightBytes*, std::uint64_t>> seen;
  double count = 0;
  for_each_tensor(weights, [&](const TensorRef& tensor) {
    if (seen.insert({tensor.bytes.get(), tensor.begin}).second)
      count += static_cast<double>(tensor.rows) * tensor.cols;
  });
  return count;
}

}  // namespace headlight::nn
