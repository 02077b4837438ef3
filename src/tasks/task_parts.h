// What the tasks share: the tables behind a baseline, relations that depend only on the tokens, and the run
// over held-out sequences.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tasks/task.h"
#include "tasks/vocabulary.h"

namespace headlight::nn {

/// Streams of random numbers: each sequence of a training batch has a stream for its step, and each held-out
/// sequence n has its own.
std::uint64_t training_stream(int step, int sequence);
std::uint64_t held_out_stream(int n);

/// Returns the tokens of a sentence, at most the first `most`.
std::vector<int> first_tokens(const Encoder& encoder, std::string_view sentence, int most);

/// Returns the targets of next-token prediction: the next token; no target for the last one.
std::vector<int> next_tokens(std::span<const int> tokens);

/// Returns "previous token", "next token" if the model may attend to it, "first token", "itself", "same token
/// before", and if `causal` "induction": the token after the last earlier occurrence of the query's token.
std::vector<Relation> token_relations(std::span<const int> tokens, bool causal);
/// Returns a relation that names no key for any query.
Relation empty_relation(std::string name, std::size_t length);

/// Returns the likeliest token of a row of logits; the first of equals, and 0 if none is a number.
int likeliest(const ModelTrace& trace, int row);

/// Runs a forward pass over all examples; neighbours of the same length share a batch. It calls look(n,
/// trace, first row) for each example. Returns the loss and its band; the score is 0.
TaskScore measure(const ModelConfig& config, const ModelWeights& weights, base::Parallel& parallel,
                  std::span<const Example> examples,
                  const std::function<void(int n, const ModelTrace& trace, int row)>& look);

/// How often token b follows token a, mixed with how often b occurs at all (Witten and Bell 1991): p(b|a) =
/// (c(ab) + kinds(a) p(b)) / (c(a) + kinds(a)), kinds(a) = different tokens seen after a. p(b) is mixed in
/// the same way with the uniform distribution. A dense table, V² counts.
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

/// How often token c follows the tokens a and b, mixed in the same way with the bigram table: p(c|ab) =
/// (c(abc) + kinds(ab) p(c|b)) / (c(ab) + kinds(ab)).
class TrigramTable {
 public:
  /// Counts only what follows the pairs of tokens in `examples`: a text has too many pairs to keep them all.
  /// probability() uses `below`, which must outlive the table.
  TrigramTable(const BigramTable& below, std::span<const Example> examples);
  void add(int a, int b, int c);
  /// The pair must be counted, or must not occur in any text.
  double probability(int a, int b, int c) const;
  /// Mean of −log p over the targets of these examples. The first token of an example has no token before it;
  /// the bigram table predicts its target.
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
