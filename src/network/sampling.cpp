#include "network/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headlight::nn {

std::vector<double> probabilities_of(std::span<const float> logits, double temperature) {
  std::vector<double> out(logits.size(), 0);
  double most = -std::numeric_limits<double>::infinity();
  for (const float logit : logits) {
    if (std::isfinite(logit)) most = std::max(most, static_cast<double>(logit));
  }
  if (!std::isfinite(most)) return out;
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (!std::isfinite(logits[i])) continue;
    const double below = static_cast<double>(logits[i]) - most;
    // At temperature 0 the largest logits share all the probability.
    out[i] = temperature > 0 ? std::exp(below / temperature) : below == 0 ? 1 : 0;
    sum += out[i];
  }
  for (double& p : out) p /= sum;
  return out;
}

std::vector<TokenProbability> most_probable(std::span<const double> probabilities, int count) {
  std::vector<int> ids(probabilities.size());
  std::iota(ids.begin(), ids.end(), 0);
  const std::size_t kept = std::min(ids.size(), static_cast<std::size_t>(std::max(0, count)));
  const auto larger = [&](int a, int b) {
    const double p = probabilities[static_cast<std::size_t>(a)],
                 q = probabilities[static_cast<std::size_t>(b)];
    return p != q ? p > q : a < b;
  };
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(kept), ids.end(), larger);
  std::vector<TokenProbability> out;
  for (std::size_t i = 0; i < kept; ++i)
    out.push_back({ids[i], probabilities[static_cast<std::size_t>(ids[i])]});
  return out;
}

int rank_of(std::span<const double> probabilities, int id) {
  const double own = probabilities[static_cast<std::size_t>(id)];
  return 1 + static_cast<int>(std::count_if(probabilities.begin(), probabilities.end(),
                                            [&](double p) { return p > own; }));
}

namespace {

bool has_any(std::span<const double> probabilities) {
  return std::any_of(probabilities.begin(), probabilities.end(), [](double p) { return p > 0; });
}

/// The follower, from probabilities_of(logits, temperature).
Follower follower_in(std::span<const double> row, std::span<const float> logits, int position, int next,
                     double temperature) {
  const double p = row[static_cast<std::size_t>(next)];
  // A probability that underflows to 0 still has a logarithm.
  double loss = -std::log(p);
  if (p == 0 && temperature > 0 && std::isfinite(logits[static_cast<std::size_t>(next)])) {
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const float logit : logits)
      if (std::isfinite(logit)) most = std::max(most, static_cast<double>(logit));
    for (const float logit : logits)
      if (std::isfinite(logit)) sum += std::exp((static_cast<double>(logit) - most) / temperature);
    loss = (most - static_cast<double>(logits[static_cast<std::size_t>(next)])) / temperature + std::log(sum);
  }
  const int rank = temperature == 1 ? rank_of(row, next) : rank_of(probabilities_of(logits), next);
  return {position, next, rank, p, loss};
}

Ranking ranking_in(std::span<const double> row, int position, int top) {
  Ranking out{position, most_probable(row, top)};
  std::erase_if(out.top, [](const TokenProbability& one) { return one.probability <= 0; });
  return out;
}

}  // namespace

std::optional<Follower> follower(std::span<const float> logits, int position, int next, double temperature) {
  const std::vector<double> row = probabilities_of(logits, temperature);
  if (!has_any(row)) return std::nullopt;
  return follower_in(row, logits, position, next, temperature);
}

std::optional<Ranking> ranking(std::span<const float> logits, int position, int top, double temperature) {
  const std::vector<double> row = probabilities_of(logits, temperature);
  if (!has_any(row)) return std::nullopt;
  return ranking_in(row, position, top);
}

std::optional<Continued> continued(std::span<const float> logits, Follower of, int top, double temperature) {
  const std::vector<double> row = probabilities_of(logits, temperature);
  if (!has_any(row)) return std::nullopt;
  if (of.next >= 0) of = follower_in(row, logits, of.position, of.next, temperature);
  return Continued{of, top > 0 ? ranking_in(row, of.position, top) : Ranking{of.position, {}}};
}

std::vector<TokenProbability> candidates(std::span<const float> logits, const Sampling& sampling) {
  const std::vector<double> all = probabilities_of(logits, sampling.temperature);
  const int most = sampling.temperature <= 0 ? 1
                   : sampling.top_k > 0      ? sampling.top_k
                                             : static_cast<int>(all.size());
  std::vector<TokenProbability> out = most_probable(all, most);
  std::erase_if(out, [](const TokenProbability& one) { return one.probability <= 0; });
  // top-p applies to the probabilities left by top-k.
  double whole = 0, sum = 0;
  for (const TokenProbability& one : out) whole += one.probability;
  std::size_t kept = 0;
  while (kept < out.size() && (kept == 0 || sum < sampling.top_p * whole)) sum += out[kept++].probability;
  out.resize(kept);
  for (TokenProbability& one : out) one.probability /= sum;
  return out;
}

int drawn(std::span<const TokenProbability> candidates, double uniform) {
  double sum = 0;
  for (const TokenProbability& one : candidates) {
    sum += one.probability;
    if (uniform < sum) return one.id;
  }
  return candidates.empty() ? -1 : candidates.back().id;  // rounding may leave the sum below 1
}

}  // namespace headlight::nn
