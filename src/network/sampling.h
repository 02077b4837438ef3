// From logits to the next token: probabilities, filtering by temperature, top-k and top-p, and a draw.
//
//   p_i = exp(l_i / τ − m) / Σ_j exp(l_j / τ − m),  m the largest l / τ
//   top-k   keeps the k largest                                             (Fan, Lewis, Dauphin 2018)
//   top-p   keeps the fewest of the largest whose sum reaches p             (Holtzman et al. 2020)
// The kept probabilities are divided by their sum. Ties go to the smaller id. Tested in
// tests/network/sampling_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace headlight::nn {

struct Sampling {
  double temperature = 1;  // 0: only the largest logit
  int top_k = 0;           // 0: all
  double top_p = 1;        // 1: all
};

struct TokenProbability {
  int id = 0;
  double probability = 0;
};

/// Returns [V] in double precision; −∞ gives 0. A row without a finite number gives all 0.
std::vector<double> probabilities_of(std::span<const float> logits, double temperature = 1);

/// Returns the `count` most probable tokens, the most probable first.
std::vector<TokenProbability> most_probable(std::span<const double> probabilities, int count);

/// Returns the number of tokens that are more probable than token `id`, plus one.
int rank_of(std::span<const double> probabilities, int id);

/// The token that follows a position in a text, and what the logits at the position predict for it.
struct Follower {
  int position = 0, next = 0;
  int rank = 0;                      // 1: no token is more probable; independent of the temperature
  double probability = 0, loss = 0;  // at the temperature; loss −ln p in nats
};
/// The most probable tokens at a position; tokens with probability 0 are left out.
struct Ranking {
  int position = 0;
  std::vector<TokenProbability> top;
};
/// Nothing: no logit is finite.
std::optional<Follower> follower(std::span<const float> logits, int position, int next,
                                 double temperature = 1);
std::optional<Ranking> ranking(std::span<const float> logits, int position, int top, double temperature = 1);
/// Both, from one pass over the logits; `next` < 0: nothing follows, and the follower has no loss.
struct Continued {
  Follower follower;
  Ranking ranking;
};
std::optional<Continued> continued(std::span<const float> logits, Follower of, int top,
                                   double temperature = 1);

/// Returns the tokens that may be drawn, the most probable first; their probabilities sum to 1. Empty if no
/// logit is finite.
std::vector<TokenProbability> candidates(std::span<const float> logits, const Sampling& sampling);

/// Returns the candidate in whose range `uniform`, 0 … 1, falls; −1 without candidates.
int drawn(std::span<const TokenProbability> candidates, double uniform);

}  // namespace headlight::nn
