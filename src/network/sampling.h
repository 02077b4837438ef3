// From logits to the next token: probabilities, what temperature, top-k and top-p leave of them, and a draw.
//
//   p_i = exp(l_i / τ − m) / Σ_j exp(l_j / τ − m),  m the largest l / τ
//   top-k   the k largest stay                                              (Fan, Lewis, Dauphin 2018)
//   top-p   the fewest of the largest whose sum reaches p stay              (Holtzman et al. 2020)
// What stays is divided by its sum. Ties go to the smaller id. Tested in tests/network/sampling_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace headlight::nn {

struct Sampling {
  double temperature = 1;  // 0: the largest logit alone
  int top_k = 0;           // 0: all
  double top_p = 1;        // 1: all
};

struct TokenProbability {
  int id = 0;
  double probability = 0;
};

/// [V] in double precision; −∞ gives 0. A row without a finite number is all 0.
std::vector<double> probabilities_of(std::span<const float> logits, double temperature = 1);

/// The `count` most probable, the largest first.
std::vector<TokenProbability> most_probable(std::span<const double> probabilities, int count);

/// How many tokens have more than token `id`, plus one.
int rank_of(std::span<const double> probabilities, int id);

/// The token that follows a position in a text, and what the logits of the position made of it.
struct Follower {
  int position = 0, next = 0;
  int rank = 0;                      // 1: no token is more probable; no temperature changes it
  double probability = 0, loss = 0;  // at the temperature; loss −ln p in nats
};
/// The most probable tokens at a position, those that have any probability.
struct Ranking {
  int position = 0;
  std::vector<TokenProbability> top;
};
/// Nothing: no logit is finite.
std::optional<Follower> follower(std::span<const float> logits, int position, int next,
                                 double temperature = 1);
std::optional<Ranking> ranking(std::span<const float> logits, int position, int top, double temperature = 1);

/// What may be drawn, the largest first, summing to 1; empty where no logit is finite.
std::vector<TokenProbability> candidates(std::span<const float> logits, const Sampling& sampling);

/// The one in which `uniform`, 0 … 1, falls; −1 without candidates.
int drawn(std::span<const TokenProbability> candidates, double uniform);

}  // namespace headlight::nn
