#include "tasks/trained_measures.h"

#include <algorithm>
#include <utility>

namespace headlight::nn {

std::vector<int> lengths_around(int trained, int most) {
  std::vector<int> lengths;
  for (const int quarters : {2, 3, 4, 5, 6, 8, 12, 16}) {
    const int length = quarters == 4 ? trained : std::min(trained * quarters / 4, most);
    if (length >= 4 || quarters == 4) lengths.push_back(length);
  }
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

std::vector<LengthScore> length_scores(const Task& task, const ModelConfig& config,
                                       const ModelWeights& weights, base::Parallel& parallel) {
  constexpr int longest = 512;
  std::vector<LengthScore> scores;
  for (const int length : lengths_around(task.length(), longest)) {
    const std::unique_ptr<Task> other = task.at_length(length);
    if (!other) continue;
    LengthScore& one = scores.emplace_back();
    one.length = length;
    one.possible = config.positions != ModelPositions::learned || length <= config.context;
    if (!one.possible) continue;
    const TaskScore score = other->evaluate(config, weights, parallel);
    one.score = score.score, one.loss = score.validation_loss;
  }
  return scores;
}

void remove_head(const ModelConfig& config, int layer, int head, ModelWeights& weights) {
  HEADLIGHT_CHECK(layer >= 0 && layer < config.layers && head >= 0 && head < config.heads);
  Matrix& w_o = weights.stack.layers[static_cast<std::size_t>(layer)].attention.w_o;
  const int d = config.d_model / config.heads;
  for (int r = head * d; r < (head + 1) * d; ++r) {
    for (float& value : w_o.row(r)) value = 0;
  }
}

HeadRemoval head_removal(const Task& task, const ModelConfig& config, const ModelWeights& weights,
                         base::Parallel& parallel, const std::function<bool(float)>& keep_going) {
  const int heads = config.layers * config.heads;
  const bool greedy = heads <= most_greedy;
  const float all = static_cast<float>(1 + heads + (greedy ? heads * (heads + 1) / 2 : 0));
  int done = 0;
  bool stopped = false;
  ModelWeights left = weights;  // with the remaining heads
  const auto measured = [&](int layer, int head) {
    stopped = stopped || (keep_going && !keep_going(static_cast<float>(done++) / all));
    if (stopped) return RemovedHead{};
    const auto at = static_cast<std::size_t>(layer);
    const Matrix kept = left.stack.layers[at].attention.w_o;
    remove_head(config, layer, head, left);
    const TaskScore score = task.evaluate(config, left, parallel);
    left.stack.layers[at].attention.w_o = kept;
    return RemovedHead{layer, head, score.score, score.validation_loss};
  };
  HeadRemoval out;
  const TaskScore whole = task.evaluate(config, weights, parallel);
  out.score = whole.score, out.loss = whole.validation_loss;
  std::vector<std::pair<int, int>> there;
  for (int l = 0; l < config.layers; ++l) {
    for (int h = 0; h < config.heads; ++h) out.alone.push_back(measured(l, h)), there.emplace_back(l, h);
  }
  while (greedy && !there.empty() && !stopped) {
    std::vector<RemovedHead> tried;
    for (const auto& [layer, head] : there)
      tried.push_back(out.greedy.empty() ? out.alone[static_cast<std::size_t>(layer * config.heads + head)]
                                         : measured(layer, head));
    const auto best = std::min_element(tried.begin(), tried.end(), [](const auto& a, const auto& b) {
      return a.score != b.score ? a.score > b.score : a.loss < b.loss;
    });
    out.greedy.push_back(*best);
    remove_head(config, best->layer, best->head, left);
    there.erase(there.begin() + (best - tried.begin()));
  }
  return stopped ? HeadRemoval{} : out;
}

}  // namespace headlight::nn
