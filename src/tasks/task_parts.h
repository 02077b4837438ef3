// What the tasks share: the tables behind a baseline, relations that follow from the tokens alone, and the
// run over held-out sequences.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tasks/task.h"

namespace headlight::nn {

/// Streams of random numbers: a training batch has those of its step, one for each sequence; held-out
/// sequence n has its own.
std::uint64_t training_stream(int step, int sequence);
std::uint64_t held_out_stream(int n);

/// Targets of next-token prediction: the token after, nothing after the last one.
std::vector<int> next_tokens(std::span<const int> tokens);

/// "previous token", "next token" where the model may see it, "first token", "itself", "same token before",
/// and with `causal` "induction": the token after the place where the query's token stood last.
std::vector<Relation> token_relations(std::span<const int> tokens, bool causal);
/// No query yet.
Relation empty_relation(std::string name, std::size_t length);

/// The likeliest token of a row of logits; the first of equals, 0 where none is a number.
int likeliest(const ModelTrace& trace, int row);

/// A forward pass of all examples, some at a time: neighbours of the same length; look(n, trace, first row)
/// for each. Loss and its band come back, the score is 0.
TaskScore measure(const ModelConfig& config, const ModelWeights& weights, base::Parallel& parallel,
                  std::span<const Example> examples,
                  const std::function<void(int n, const ModelTrace& trace, int row)>& look);

/// How often token b follows token a, mixed with how often b stands at all (Witten and Bell 1991): p(b|a) =
/// (c(ab) + kinds(a) p(b)) / (c(a) + kinds(a)), kinds(a) = different tokens seen after a; p(b) in the same
/// way with the uniform distribution below it. A dense table, V² counts.
class BigramTable {
 public:
  explicit BigramTable(int vocabulary);
  void add(int a, int b);
  double probability(int a, int b) const;
  /// Mean of −log p over the targets of examples.
  double loss(std::span<const Example> examples) const;

 private:
  int vocabulary_;
  std::vector<std::uint32_t> pairs_;                  // [V, V]
  std::vector<std::int64_t> first_, kinds_, second_;  // [V]
  std::int64_t all_ = 0, second_kinds_ = 0;
};

/// How often token c follows the tokens a and b, in the same way with the bigram table below it: p(c|ab) =
/// (c(abc) + kinds(ab) p(c|b)) / (c(ab) + kinds(ab)).
class TrigramTable {
 public:
  /// Counts what follows the pairs of tokens in `examples` alone: a text has too many pairs to keep them all.
  /// `below` is read when a probability is, and outlives the table.
  TrigramTable(const BigramTable& below, std::span<const Example> examples);
  void add(int a, int b, int c);
  /// Of a pair that is counted, or of one that no text had.
  double probability(int a, int b, int c) const;
  /// Mean of −log p over the targets of these examples. The first token of an example has only itself: there
  /// the bigram table predicts.
  double loss(std::span<const Example> examples) const;

 private:
  struct Followers {
    std::int64_t all = 0;
    std::unordered_map<int, std::int64_t> counts;
  };
  const BigramTable& below_;
  std::unordered_map<std::uint64_t, Followers> pairs_;
};

}  // namespace headlight::nn
