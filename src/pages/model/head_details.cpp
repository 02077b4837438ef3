#include "pages/model/head_details.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "models/opened_model.h"
#include "network/network.h"
#include "nn/principal_plane.h"
#include "scene/other_model.h"
#include "scene/pinned.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

using std::size_t;

HeadComponents components_of(const nn::AttentionTrace& trace, int head, int query, int key) {
  HeadComponents out;
  const int d = trace.d_k;
  const float* q = trace.query(head, query);
  const std::span<const float> weights = trace.weights.row(head, query);
  out.key =
      key >= 0 ? key : static_cast<int>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  const float* opened = trace.key(head, out.key);
  out.order.resize(static_cast<size_t>(d));
  std::iota(out.order.begin(), out.order.end(), 0);
  const auto product = [&](int c) {  // NaN cannot be ordered
    const float value = q[c] * opened[c];
    return std::isnan(value) ? -std::numeric_limits<float>::infinity() : value;
  };
  std::stable_sort(out.order.begin(), out.order.end(), [&](int a, int b) { return product(a) > product(b); });
  out.products.resize(trace.S, d);
  for (int s = 0; s < trace.S; ++s) {
    const float* k = trace.key(head, s);
    const std::span<float> row = out.products.row(s);
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = q[out.order[i]] * k[out.order[i]];
      if (std::isfinite(row[i])) out.largest = std::max(out.largest, static_cast<double>(std::abs(row[i])));
    }
  }
  return out;
}

HeadPlane plane_of(const nn::AttentionTrace& trace, int head) {
  nn::MatrixF64 all(trace.T + trace.S, trace.d_k);
  for (int t = 0; t < trace.T; ++t)
    std::copy_n(trace.query(head, t), static_cast<size_t>(trace.d_k), all.row(t).data());
  for (int s = 0; s < trace.S; ++s)
    std::copy_n(trace.key(head, s), static_cast<size_t>(trace.d_k), all.row(trace.T + s).data());
  const nn::PrincipalPlane plane = nn::principal_plane(all);
  const auto point = [&](int row) {
    return std::array<float, 2>{static_cast<float>(plane.points.at(row, 0)),
                                static_cast<float>(plane.points.at(row, 1))};
  };
  HeadPlane out;
  for (int t = 0; t < trace.T; ++t) out.queries.push_back(point(t));
  for (int s = 0; s < trace.S; ++s) out.keys.push_back(point(trace.T + s));
  out.share = plane.share;
  return out;
}

/// The RoPE pair of each component.
std::vector<TurnedComponent> turned_components(const Scene& scene, const nn::AttentionTrace& trace) {
  const auto other = shown_other_model(scene);
  if (!other || other->model->network.rope.rotary_dim == 0) return {};
  const nn::NetworkRope& rope = other->model->network.rope;
  const std::vector<double> turns = nn::rope_frequencies(rope, trace.T);
  std::vector<TurnedComponent> out(static_cast<size_t>(trace.d_k));
  const bool next = rope.pairs == nn::RopePairs::interleaved;
  const int pairs = rope.rotary_dim / 2;
  for (int c = 0; c < std::min(rope.rotary_dim, trace.d_k); ++c) {
    const int pair = next ? c / 2 : c % pairs;
    out[static_cast<size_t>(c)] = {pair, turns[static_cast<size_t>(pair)]};
  }
  return out;
}

}  // namespace

HeadDetails head_details(const Scene& scene, const nn::AttentionTrace& trace, base::Parallel& parallel) {
  HeadDetails out;
  if (trace.T == 0 || trace.heads == 0 || trace.q.empty())
    return out;  // weights may have been saved without q and k
  const Pinned there = pinned(scene, trace.T, trace.S);
  const auto heads = static_cast<size_t>(trace.heads);
  if (scene.model.detail == ModelDetail::components && there.detail_query >= 0) {
    out.query = there.detail_query;
    out.turned = turned_components(scene, trace);
    out.components.resize(heads);
    parallel.run(trace.heads, [&](int head) {
      out.components[static_cast<size_t>(head)] = components_of(trace, head, out.query, there.key);
    });
  }
  if (scene.model.detail == ModelDetail::plane) {
    out.planes.resize(heads);
    parallel.run(trace.heads,
                 [&](int head) { out.planes[static_cast<size_t>(head)] = plane_of(trace, head); });
  }
  return out;
}

}  // namespace headlight::scene
