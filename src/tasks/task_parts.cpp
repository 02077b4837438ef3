#include "tasks/task_parts.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace headlight::nn {

namespace {

constexpr int at_once = 32;  // sequences per forward pass

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Returns −log softmax(logits)[target] of one row.
double token_loss(const ModelTrace& trace, int row, int target) {
  const double p = static_cast<double>(trace.probabilities.at(row, target));
  if (!(p == 0)) return -std::log(p);
  const std::span<const float> logits = trace.logits.row(row);  // too small for float32
  const auto largest = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
  double sum = 0;
  for (float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
  return largest + std::log(sum) - static_cast<double>(trace.logits.at(row, target));
}

}  // namespace

std::uint64_t training_stream(int step, int sequence) {
  HEADLIGHT_CHECK(step >= 1 && sequence >= 0 && sequence < 1 << 16);
  return static_cast<std::uint64_t>(step) << 16 | static_cast<std::uint64_t>(sequence);
}

std::uint64_t held_out_stream(int n) {
  HEADLIGHT_CHECK_OP(n, >=, 0);
  return std::uint64_t{1} << 63 | static_cast<std::uint64_t>(n);
}

std::vector<int> first_tokens(const Encoder& encoder, std::string_view sentence, int most) {
  std::vector<int> ids = encoder.encode(sentence);
  ids.resize(std::min(ids.size(), static_cast<std::size_t>(most)));
  return ids;
}

std::vector<int> next_tokens(std::span<const int> tokens) {
  std::vector<int> targets(tokens.begin(), tokens.end());
  if (targets.empty()) return targets;
  targets.erase(targets.begin());
  targets.push_back(no_target);
  return targets;
}

Relation empty_relation(std::string name, std::size_t length) {
  return {std::move(name), std::vector<int>(length, -1)};
}

std::vector<Relation> token_relations(std::span<const int> tokens, bool causal) {
  const std::size_t T = tokens.size();
  Relation previous = empty_relation("previous token", T), next = empty_relation("next token", T),
           first = empty_relation("first token", T), itself = empty_relation("itself", T),
           same = empty_relation("same token before", T), induction = empty_relation("induction", T);
  for (std::size_t t = 0; t < T; ++t) {
    const int i = static_cast<int>(t);
    itself.keys[t] = i;
    if (t > 0) previous.keys[t] = i - 1, first.keys[t] = 0;
    if (t + 1 < T) next.keys[t] = i + 1;
    for (int s = i - 1; s >= 0 && same.keys[t] < 0; --s) {
      if (tokens[at(s)] == tokens[t]) same.keys[t] = s;
    }
    if (same.keys[t] >= 0 && same.keys[t] + 1 < i) induction.keys[t] = same.keys[t] + 1;
  }
  if (causal) return {previous, first, itself, same, induction};
  return {previous, next, first, itself, same};
}

int likeliest(const ModelTrace& trace, int row) {
  const std::span<const float> logits = trace.logits.row(row);
  return static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

TaskScore measure(const ModelConfig& config, const ModelWeights& weights, base::Parallel& parallel,
                  std::span<const Example> examples,
                  const std::function<void(int n, const ModelTrace& trace, int row)>& look) {
  TaskScore result;
  if (examples.empty()) return result;
  const int count = static_cast<int>(examples.size());
  Batch batch;
  ModelTrace trace;
  double sum = 0, of_means = 0, of_squares = 0;
  int targets = 0, judged = 0;
  for (int first = 0; first < count; first += batch.B) {
    const int T = static_cast<int>(examples[at(first)].tokens.size());
    batch.B = 0, batch.T = T;
    batch.tokens.clear(), batch.targets.clear();
    for (; batch.B < std::min(at_once, count - first); ++batch.B) {
      const Example& example = examples[at(first + batch.B)];
      if (example.tokens.size() != at(T)) break;
      batch.tokens.insert(batch.tokens.end(), example.tokens.begin(), example.tokens.end());
      batch.targets.insert(batch.targets.end(), example.targets.begin(), example.targets.end());
    }
    model_forward(config, weights, batch, parallel, trace);
    for (int b = 0; b < batch.B; ++b) {
      double loss = 0;
      int here = 0;
      for (int t = 0; t < T; ++t) {
        const int target = batch.targets[at(b * T + t)];
        if (target != no_target) loss += token_loss(trace, b * T + t, target), ++here;
      }
      if (here > 0) {
        sum += loss, targets += here, ++judged;
        of_means += loss / here, of_squares += (loss / here) * (loss / here);
      }
      look(first + b, trace, b * T);
    }
  }
  if (targets == 0) return result;
  result.validation_loss = sum / targets;
  const double mean = of_means / judged, variance = std::max(0.0, of_squares / judged - mean * mean);
  const double error = judged > 1 ? std::sqrt(variance / (judged - 1)) : 0;
  result.validation_low = result.validation_loss - error;
  result.validation_high = result.validation_loss + error;
  return result;
}

BigramTable::BigramTable(int vocabulary)
    : vocabulary_(vocabulary),
      pairs_(at(vocabulary) * at(vocabulary)),
      first_(at(vocabulary)),
      kinds_(at(vocabulary)),
      second_(at(vocabulary)) {}

void BigramTable::add(int a, int b) {
  HEADLIGHT_CHECK(a >= 0 && a < vocabulary_ && b >= 0 && b < vocabulary_);
  if (pairs_[at(a) * at(vocabulary_) + at(b)]++ == 0) ++kinds_[at(a)];
  ++first_[at(a)], ++all_;
  if (second_[at(b)]++ == 0) ++second_kinds_;
}

double BigramTable::probability(int a, int b) const {
  const double uniform = 1.0 / vocabulary_;
  const auto mixed = [](std::int64_t count, std::int64_t total, std::int64_t kinds, double below) {
    if (total == 0) return below;
    const auto k = static_cast<double>(kinds);
    return (static_cast<double>(count) + k * below) / (static_cast<double>(total) + k);
  };
  const double alone = mixed(second_[at(b)], all_, second_kinds_, uniform);
  return mixed(pairs_[at(a) * at(vocabulary_) + at(b)], first_[at(a)], kinds_[at(a)], alone);
}

double BigramTable::loss(std::span<const Example> examples) const {
  double sum = 0;
  int targets = 0;
  for (const Example& example : examples) {
    for (std::size_t t = 0; t < example.tokens.size(); ++t) {
      if (example.targets[t] == no_target) continue;
      sum -= std::log(probability(example.tokens[t], example.targets[t])), ++targets;
    }
  }
  return targets == 0 ? 0 : sum / targets;
}

namespace {

std::uint64_t pair_of(int a, int b) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b);
}

}  // namespace

TrigramTable::TrigramTable(const BigramTable& below, std::span<const Example> examples) : below_(below) {
  for (const Example& example : examples) {
    for (std::size_t t = 1; t < example.tokens.size(); ++t)
      pairs_.try_emplace(pair_of(example.tokens[t - 1], example.tokens[t]));
  }
}

void TrigramTable::add(int a, int b, int c) {
  const auto found = pairs_.find(pair_of(a, b));
  if (found != pairs_.end()) ++found->second.all, ++found->second.counts[c];
}

double TrigramTable::probability(int a, int b, int c) const {
  const double below = below_.probability(b, c);
  const auto found = pairs_.find(pair_of(a, b));
  if (found == pairs_.end() || found->second.all == 0) return below;
  const Followers& after = found->second;
  const auto here = after.counts.find(c);
  const double count = here == after.counts.end() ? 0 : static_cast<double>(here->second);
  const auto kinds = static_cast<double>(after.counts.size());
  return (count + kinds * below) / (static_cast<double>(after.all) + kinds);
}

double TrigramTable::loss(std::span<const Example> examples) const {
  double sum = 0;
  int targets = 0;
  for (const Example& example : examples) {
    for (std::size_t t = 0; t < example.tokens.size(); ++t) {
      const int target = example.targets[t], token = example.tokens[t];
      if (target == no_target) continue;
      sum -= std::log(t == 0 ? below_.probability(token, target)
                             : probability(example.tokens[t - 1], token, target));
      ++targets;
    }
  }
  return targets == 0 ? 0 : sum / targets;
}

}  // namespace headlight::nn
