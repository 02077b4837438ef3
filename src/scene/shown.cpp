#include "scene/shown.h"

#include <algorithm>

namespace headlight::scene {

nn::Matrix map_on_show(const Scene& scene, const nn::AttentionTrace& trace, base::Parallel* parallel) {
  if (trace.T == 0) return {};
  const std::vector<int> heads = heads_on_show(scene, trace.heads);
  return scene.combine == Combine::mean ? nn::mean_of_heads(trace, heads, parallel)
                                        : nn::max_of_heads(trace, heads, parallel);
}

std::vector<int> heads_of_cell(const Scene& scene, int heads) {
  std::vector<int> shown = named_heads(scene, heads);
  if (!combines_heads(scene.page)) return {shown.empty() ? 0 : shown.front()};
  if (shown.size() > 1 && std::find(shown.begin(), shown.end(), scene.cell_head - 1) != shown.end())
    return {scene.cell_head - 1};
  return shown.empty() ? heads_on_show(scene, heads) : shown;
}

int opened_key(const Scene& scene, const Results& results, int query) {
  const nn::AttentionTrace& trace = results.attention;
  if (query < 0 || query >= trace.T) return -1;
  if (const int key = pinned(scene, trace.T, trace.S).key; key >= 0) return key;
  const std::vector<int> heads = heads_of_cell(scene, trace.heads);
  std::vector<float> room;
  const auto row = combined_row(
      heads, scene.combine, [&](int head) { return std::span<const float>(trace.weights.row(head, query)); },
      room);
  if (row.empty()) return -1;
  return static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
}

std::shared_ptr<const nn::CellTrace> explain_pinned(const Scene& scene, const Results& results) {
  const nn::AttentionTrace& trace = results.attention;
  const int query = pinned(scene, trace.T, trace.S).detail_query;
  if (query < 0) return nullptr;
  const std::vector<int> heads = heads_of_cell(scene, trace.heads);
  const int key = opened_key(scene, results, query);
  const bool given = trace.q.empty();  // weights that were saved without q and k
  return std::make_shared<nn::CellTrace>(
      given ? nn::given_cell(trace, heads, scene.combine == Combine::max, query, key)
      : heads.size() == 1
          ? nn::explain_cell(trace, results.options, heads.front(), query, key)
          : nn::explain_combined(trace, results.options, heads, scene.combine == Combine::max, query, key));
}

}  // namespace headlight::scene
