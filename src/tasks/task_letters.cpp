// Tasks over random letters: reversal and repetition.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "tasks/draws.h"
#include "tasks/task_parts.h"

namespace headlight::nn {

namespace {

constexpr int held_out = 256;
constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

Vocabulary letters_vocabulary(int letters, bool end) {
  HEADLIGHT_CHECK(letters >= 2 && letters <= static_cast<int>(alphabet.size()));
  std::vector<std::string> texts;
  for (char c : alphabet.substr(0, static_cast<std::size_t>(letters))) texts.emplace_back(1, c);
  if (end) texts.emplace_back("$");
  return word_vocabulary(texts, VocabularyKind::chars);
}

/// What the letter tasks share; the ids of the letters are 1 … letters.
class LettersTask : public Task {
 public:
  LettersTask(int letters, int length, std::uint64_t seed, bool end = false)
      : encoder_(letters_vocabulary(letters, end)),
        letters_(letters),
        symbols_(letters + (end ? 1 : 0)),
        length_(length),
        seed_(seed) {
    HEADLIGHT_CHECK_OP(length, >=, 2);
  }
  const Encoder& encoder() const override { return encoder_; }
  int length() const override { return length_; }
  std::vector<Baseline> baselines() const override {
    return {{"chance", std::log(static_cast<double>(symbols_))}};
  }

  void batch(int step, int B, Batch& out) const override {
    out.B = B, out.T = length_;
    out.tokens.clear(), out.targets.clear();
    for (int b = 0; b < B; ++b) {
      const Example sequence = make(training_stream(step, b));
      out.tokens.insert(out.tokens.end(), sequence.tokens.begin(), sequence.tokens.end());
      out.targets.insert(out.targets.end(), sequence.targets.begin(), sequence.targets.end());
    }
  }
  Example example(int n) const override {
    Example out = make(held_out_stream(n));
    add_relations(out);
    return out;
  }

 protected:
  virtual Example make(std::uint64_t stream) const = 0;  // without relations
  virtual void add_relations(Example& example) const = 0;

  std::vector<Example> held_out_examples() const {
    std::vector<Example> list;
    for (int n = 0; n < held_out; ++n) list.push_back(make(held_out_stream(n)));
    return list;
  }
  /// Returns the letters of the alphabet in a sentence, at most length() of them.
  std::vector<int> letters_of(std::string_view sentence) const {
    std::vector<int> ids = encoder_.encode(sentence);
    ids.erase(std::remove(ids.begin(), ids.end(), 0), ids.end());
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(length_)));
    return ids;
  }

  Encoder encoder_;
  int letters_, symbols_, length_;  // symbols_: including the end token
  std::uint64_t seed_;
};

class ReverseTask : public LettersTask {
 public:
  using LettersTask::LettersTask;
  bool causal() const override { return false; }
  const char* score_name() const override { return "exact match"; }
  std::unique_ptr<Task> at_length(int length) const override {
    return std::make_unique<ReverseTask>(letters_, length, seed_);
  }

  std::vector<int> tokens_of(std::string_view sentence) const override {
    std::vector<int> ids = letters_of(sentence);
    if (static_cast<int>(ids.size()) < length_) ids.clear();
    return ids;
  }

  TaskScore evaluate(const ModelConfig& config, const ModelWeights& weights,
                     base::Parallel& parallel) const override {
    const std::vector<Example> list = held_out_examples();
    int right = 0;
    const auto look = [&](int n, const ModelTrace& trace, int row) {
      const std::vector<int>& targets = list[static_cast<std::size_t>(n)].targets;
      int t = 0;
      while (t < length_ && likeliest(trace, row + t) == targets[static_cast<std::size_t>(t)]) ++t;
      right += t == length_;
    };
    TaskScore result = measure(config, weights, parallel, list, look);
    result.score = static_cast<double>(right) / held_out;
    return result;
  }

 protected:
  Example make(std::uint64_t stream) const override {
    Draws draws(seed_, stream);
    Example out;
    for (int t = 0; t < length_; ++t) out.tokens.push_back(1 + draws.below(letters_));
    out.targets.assign(out.tokens.rbegin(), out.tokens.rend());
    return out;
  }
  void add_relations(Example& example) const override {
    Relation mirror = empty_relation("mirror", example.tokens.size());
    for (int t = 0; t < length_; ++t) mirror.keys[static_cast<std::size_t>(t)] = length_ - 1 - t;
    example.relations = token_relations(example.tokens, false);
    example.relations.insert(example.relations.begin(), mirror);
  }
};

/// Strings of varying length with an end token.
class ReverseEndTask : public LettersTask {
 public:
  ReverseEndTask(int letters, int shortest, int longest, std::uint64_t seed)
      : LettersTask(letters, longest, seed, true), shortest_(shortest) {
    HEADLIGHT_CHECK(shortest >= 2 && shortest <= longest);
  }
  bool causal() const override { return false; }
  const char* score_name() const override { return "exact match"; }
  std::string note() const override {
    return "Strings of " + std::to_string(shortest_ - 1) + " to " + std::to_string(length_ - 1) +
           " letters and the end token $.";
  }
  std::unique_ptr<Task> at_length(int length) const override {
    return std::make_unique<ReverseEndTask>(letters_, length, length, seed_);
  }

  void batch(int step, int B, Batch& out) const override {
    out.B = B, out.T = shortest_ + Draws(seed_, training_stream(step, 0)).below(length_ - shortest_ + 1);
    out.tokens.clear(), out.targets.clear();
    for (int b = 0; b < B; ++b) {
      const Example sequence = of_length(training_stream(step, b) ^ strings, out.T);
      out.tokens.insert(out.tokens.end(), sequence.tokens.begin(), sequence.tokens.end());
      out.targets.insert(out.targets.end(), sequence.targets.begin(), sequence.targets.end());
    }
  }
  Example example(int n) const override {
    Example out = held_out_string(n);
    const int T = static_cast<int>(out.tokens.size());
    Relation mirror = empty_relation("mirror", out.tokens.size()),
             end = empty_relation("end token", out.tokens.size());
    for (int t = 0; t < T; ++t) {
      mirror.keys[static_cast<std::size_t>(t)] = t == T - 1 ? -1 : T - 2 - t;
      end.keys[static_cast<std::size_t>(t)] = t == T - 1 ? -1 : T - 1;
    }
    out.relations = token_relations(out.tokens, false);
    out.relations.insert(out.relations.begin(), {mirror, end});
    return out;
  }
  std::vector<int> tokens_of(std::string_view sentence) const override {
    const int end = letters_ + 1;
    std::vector<int> ids = letters_of(sentence);
    ids.erase(std::find(ids.begin(), ids.end(), end), ids.end());
    if (static_cast<int>(ids.size()) < shortest_ - 1) return {};
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(length_ - 1)));
    ids.push_back(end);
    return ids;
  }
  TaskScore evaluate(const ModelConfig& config, const ModelWeights& weights,
                     base::Parallel& parallel) const override {
    std::vector<Example> list;
    for (int n = 0; n < held_out; ++n) list.push_back(held_out_string(n));
    int right = 0;
    const auto look = [&](int n, const ModelTrace& trace, int row) {
      const std::vector<int>& targets = list[static_cast<std::size_t>(n)].targets;
      const int T = static_cast<int>(targets.size());
      int t = 0;
      while (t < T && likeliest(trace, row + t) == targets[static_cast<std::size_t>(t)]) ++t;
      right += t == T;
    };
    TaskScore result = measure(config, weights, parallel, list, look);
    result.score = static_cast<double>(right) / held_out;
    return result;
  }

 protected:
  static constexpr std::uint64_t strings = 0x737472ull << 32;  // separate from the stream of a batch's length
  Example make(std::uint64_t stream) const override { return of_length(stream, length_); }
  void add_relations(Example&) const override {}

 private:
  Example of_length(std::uint64_t stream, int T) const {
    Draws draws(seed_, stream);
    Example out;
    for (int t = 0; t + 1 < T; ++t) out.tokens.push_back(1 + draws.below(letters_));
    out.targets.assign(out.tokens.rbegin(), out.tokens.rend());
    out.tokens.push_back(letters_ + 1), out.targets.push_back(letters_ + 1);
    return out;
  }
  /// Cycles through the lengths, with 16 consecutive strings of each.
  Example held_out_string(int n) const {
    constexpr int same = 16;
    return of_length(held_out_stream(n), length_ - n / same % (length_ - shortest_ + 1));
  }
  int shortest_;
};

class InductionTask : public LettersTask {
 public:
  InductionTask(int letters, int length, std::uint64_t seed) : LettersTask(letters, length, seed) {
    HEADLIGHT_CHECK_OP(length, >=, 4);
  }
  bool causal() const override { return true; }
  const char* score_name() const override { return "second half right"; }
  std::unique_ptr<Task> at_length(int length) const override {
    return std::make_unique<InductionTask>(letters_, length, seed_);
  }
  std::vector<int> tokens_of(std::string_view sentence) const override { return letters_of(sentence); }

  TaskScore evaluate(const ModelConfig& config, const ModelWeights& weights,
                     base::Parallel& parallel) const override {
    const std::vector<Example> list = held_out_examples();
    int right = 0, judged = 0;
    const auto look = [&](int n, const ModelTrace& trace, int row) {
      const std::vector<int>& targets = list[static_cast<std::size_t>(n)].targets;
      for (int t = length_ / 2; t + 1 < length_; ++t) {
        right += likeliest(trace, row + t) == targets[static_cast<std::size_t>(t)], ++judged;
      }
    };
    TaskScore result = measure(config, weights, parallel, list, look);
    result.score = static_cast<double>(right) / judged;
    return result;
  }

 protected:
  /// Returns the number of letters of one round.
  int round(Draws& draws) const {
    const int longest = std::min(length_ / 2, letters_),
              shortest = std::min(std::max(2, length_ / 4), longest);
    return shortest + draws.below(longest - shortest + 1);
  }
  Example make(std::uint64_t stream) const override {
    Draws draws(seed_, stream);
    const int period = round(draws);
    std::array<int, alphabet.size()> deck;
    std::iota(deck.begin(), deck.end(), 1);
    Example out;
    for (int t = 0; t < length_; ++t) {
      if (t < period)
        std::swap(deck[static_cast<std::size_t>(t)],
                  deck[static_cast<std::size_t>(t + draws.below(letters_ - t))]);
      out.tokens.push_back(deck[static_cast<std::size_t>(t % period)]);
    }
    out.targets = next_tokens(out.tokens);
    return out;
  }
  void add_relations(Example& example) const override {
    example.relations = token_relations(example.tokens, true);
  }
};

}  // namespace

std::unique_ptr<Task> reverse_task(int letters, int length, std::uint64_t seed) {
  return std::make_unique<ReverseTask>(letters, length, seed);
}

std::unique_ptr<Task> reverse_end_task(int letters, int length, std::uint64_t seed) {
  return std::make_unique<ReverseEndTask>(letters, std::max(2, length / 2 + 1), length, seed);
}

std::unique_ptr<Task> induction_task(int letters, int length, std::uint64_t seed) {
  return std::make_unique<InductionTask>(letters, length, seed);
}

}  // namespace headlight::nn
