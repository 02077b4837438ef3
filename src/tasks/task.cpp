#include "tasks/task.h"

#include <limits>

#include "base/check.h"
#include "tasks/task_parts.h"

namespace headlight::nn {

std::string Task::token_text(int token) const {
  HEADLIGHT_CHECK(token >= 0 && token < vocabulary());
  std::string out;
  const std::string& text = encoder().vocabulary().texts[static_cast<std::size_t>(token)];
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') {
      out += "␣";
    } else if (c == '\t') {
      out += "⇥";
    } else if (c == '\n') {
      out += "⏎";
    } else if (c == '\r') {
      if (i + 1 == text.size() || text[i + 1] != '\n') out += "⏎";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += "�";
    } else {
      out += c;
    }
  }
  return out;
}

HeadScores head_scores(const Task& task, const ModelConfig& config, const ModelWeights& weights,
                       base::Parallel& parallel, int examples) {
  std::vector<Example> list;
  for (int n = 0; n < examples; ++n) list.push_back(task.example(n));
  HeadScores scores;
  if (list.empty()) return scores;
  for (const Relation& relation : list[0].relations) scores.roles.push_back(relation.name);
  const int roles = static_cast<int>(scores.roles.size());
  scores.queries.assign(scores.roles.size(), 0);
  scores.uniform.assign(scores.roles.size(), 0);
  scores.mean = MatrixF64(config.layers, config.heads, roles);

  const auto look = [&](int n, const ModelTrace& trace, int row) {
    const std::vector<Relation>& relations = list[static_cast<std::size_t>(n)].relations;
    HEADLIGHT_CHECK_OP(relations.size(), ==, scores.roles.size());
    const int b = row / trace.T;
    for (int r = 0; r < roles; ++r) {
      const std::vector<int>& keys = relations[static_cast<std::size_t>(r)].keys;
      for (int t = 0; t < static_cast<int>(keys.size()); ++t) {
        const int key = keys[static_cast<std::size_t>(t)];
        if (key < 0) continue;
        ++scores.queries[static_cast<std::size_t>(r)];
        scores.uniform[static_cast<std::size_t>(r)] += 1.0 / (config.causal ? t + 1 : trace.T);
        for (int l = 0; l < config.layers; ++l) {
          const Matrix& maps = trace.layers[static_cast<std::size_t>(l)].weights;
          for (int h = 0; h < config.heads; ++h) {
            scores.mean.at(l, h, r) += static_cast<double>(maps.at(b * config.heads + h, t, key));
          }
        }
      }
    }
  };
  measure(config, weights, parallel, list, look);

  for (int r = 0; r < roles; ++r) {
    const int queries = scores.queries[static_cast<std::size_t>(r)];
    const double scale = queries > 0 ? 1.0 / queries : std::numeric_limits<double>::quiet_NaN();
    scores.uniform[static_cast<std::size_t>(r)] *= scale;
    for (int l = 0; l < config.layers; ++l) {
      for (int h = 0; h < config.heads; ++h) scores.mean.at(l, h, r) *= scale;
    }
  }
  return scores;
}

int outstanding_role(const HeadScores& scores, int layer, int head) {
  int best = -1;
  for (int r = 0; r < static_cast<int>(scores.roles.size()); ++r) {
    const double score = scores.mean.at(layer, head, r);
    const bool stands_out = score >= 0.3 && score >= 2 * scores.uniform[static_cast<std::size_t>(r)];
    if (stands_out && (best < 0 || score > scores.mean.at(layer, head, best))) best = r;
  }
  return best;
}

}  // namespace headlight::nn
