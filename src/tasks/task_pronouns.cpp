// What a pronoun refers to, as a task: the target at the pronoun is its antecedent, and one head may be
// guided to it.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "tasks/draws.h"
#include "tasks/pronouns.h"
#include "tasks/task_parts.h"

namespace headlight::nn {

namespace {

constexpr int held_out_sentences = 384;
constexpr int same_length = 16;  // consecutive held-out sentences of one length

/// A word's id is its index plus one: id 0 is the unknown.
int id_of(int word) {
  return word + 1;
}

Relation at_pronoun(std::string name, const PronounSentence& s, int key) {
  Relation relation = empty_relation(std::move(name), s.words.size());
  relation.keys[static_cast<std::size_t>(s.pronoun)] = key;
  return relation;
}

class PronounTask : public Task {
 public:
  explicit PronounTask(std::uint64_t seed) : encoder_(word_vocabulary(pronoun_words())), seed_(seed) {
    for (int n = 0; n < held_out_sentences; ++n) {
      measured_.push_back(held_out_sentence(n));
      examples_.push_back(plain_example(measured_.back()));
    }
  }

  const Encoder& encoder() const override { return encoder_; }
  int length() const override { return longest_pronoun_sentence; }
  bool causal() const override { return false; }
  bool guides() const override { return true; }
  const char* score_name() const override { return "right noun"; }
  std::vector<Baseline> baselines() const override { return {{"either noun", std::log(2.0)}}; }
  std::string note() const override {
    return "Measured on combinations of a noun and a reason that no training sentence has.";
  }

  /// All sentences of a batch have the same length, which varies between batches.
  void batch(int step, int B, Batch& out) const override {
    constexpr int lengths = longest_pronoun_sentence - shortest_pronoun_sentence + 1;
    out.B = B, out.T = shortest_pronoun_sentence + Draws(seed_, training_stream(step, 0)).below(lengths);
    out.tokens.clear(), out.targets.clear(), out.goals.clear();
    for (int b = 0; b < B; ++b) {
      const PronounSentence s =
          pronoun_sentence(seed_, training_stream(step, b) ^ sentences, GrammarPart::training, out.T);
      for (int t = 0; t < out.T; ++t) {
        const bool judged = t == s.pronoun;
        out.tokens.push_back(id_of(s.words[static_cast<std::size_t>(t)]));
        out.targets.push_back(judged ? answer(s) : no_target);
        out.goals.push_back(judged ? s.meant : -1);
      }
    }
  }

  Example example(int n) const override {
    HEADLIGHT_CHECK_OP(n, >=, 0);
    const PronounSentence s = held_out_sentence(n);
    Example out = plain_example(s);
    out.relations = token_relations(out.tokens, false);
    out.relations.push_back(at_pronoun("noun that is meant", s, s.meant));
    out.relations.push_back(at_pronoun("the other noun", s, s.not_meant));
    out.relations.push_back(at_pronoun("reason", s, s.reason));
    return out;
  }

  std::vector<int> tokens_of(std::string_view sentence) const override {
    return first_tokens(encoder_, sentence, length());
  }

  TaskScore evaluate(const ModelConfig& config, const ModelWeights& weights,
                     base::Parallel& parallel) const override {
    int right = 0;
    const auto look = [&](int n, const ModelTrace& trace, int row) {
      const PronounSentence& s = measured_[static_cast<std::size_t>(n)];
      right += likeliest(trace, row + s.pronoun) == answer(s);
    };
    TaskScore result = measure(config, weights, parallel, examples_, look);
    result.score = static_cast<double>(right) / held_out_sentences;
    return result;
  }

 private:
  static constexpr std::uint64_t sentences = std::uint64_t{1} << 62;  // separate from the stream of the
                                                                      // lengths

  static int answer(const PronounSentence& s) { return id_of(s.words[static_cast<std::size_t>(s.meant)]); }

  PronounSentence held_out_sentence(int n) const {
    constexpr std::array<int, 6> lengths = {12, 11, 13, 10, 14, 9};
    const int length = lengths[static_cast<std::size_t>(n / same_length) % lengths.size()];
    return pronoun_sentence(seed_, held_out_stream(n), GrammarPart::measuring, length);
  }

  static Example plain_example(const PronounSentence& s) {
    Example out;
    for (const int word : s.words) out.tokens.push_back(id_of(word));
    out.targets.assign(s.words.size(), no_target);
    out.targets[static_cast<std::size_t>(s.pronoun)] = answer(s);
    return out;
  }

  Encoder encoder_;
  std::uint64_t seed_;
  std::vector<PronounSentence> measured_;
  std::vector<Example> examples_;  // the same without relations
};

}  // namespace

std::unique_ptr<Task> pronoun_task(std::uint64_t seed) {
  return std::make_unique<PronounTask>(seed);
}

}  // namespace headlight::nn
