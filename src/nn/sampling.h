// From logits to the next token: probabilities, what temperature, top-k and top-p leave of them, and a draw.
//
//   p_i = exp(l_i / τ − m) / Σ_j exp(l_j / τ − m),  m the largest l / τ
//   top-k   the k largest stay                                              (Fan, Lewis, Dauphin 2018)
//   top-p   the fewest of the largest whose sum reaches p stay              (Holtzman et al. 2020)
// What stays is divided by its sum. Ties go to the smaller id. Tested in tests/nn/sampling_test.cpp.
#pragma once

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

/// What may be drawn, the largest first, summing to 1; empty where no logit is finite.
std::vector<TokenProbability> candidates(std::span<const float> logits, const Sampling& sampling);

/// The one in which `uniform`, 0 … 1, falls; −1 without candidates.
int drawn(std::span<const TokenProbability> candidates, double uniform);

}  // namespace headlight::nn
