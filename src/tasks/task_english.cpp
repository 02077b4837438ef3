// Small English as a task: texts of the grammar, and what its annotations say about heads and verbs.
#include <algorithm>

#include "base/check.h"
#include "tasks/grammar.h"
#include "tasks/task_parts.h"

namespace headlight::nn {

namespace {

constexpr int held_out_texts = 256;
constexpr int bigram_texts = 4096;

/// A word's id is its grammar index plus one: id 0 is the unknown.
int id_of(const GrammarWord& word) {
  return word.word + 1;
}

/// Returns the same relation for every word; the token before the word is the query.
Relation before(std::string name, const std::vector<GrammarWord>& words, std::size_t length,
                int GrammarWord::*key) {
  Relation relation = empty_relation(std::move(name), length);
  for (std::size_t t = 0; t + 1 < words.size() && t < length; ++t) {
    if (words[t + 1].*key <= static_cast<int>(t)) relation.keys[t] = words[t + 1].*key;
  }
  return relation;
}

class EnglishTask : public Task {
 public:
  EnglishTask(int length, std::uint64_t seed, bool to_measure = false)
      : encoder_(word_vocabulary(grammar_words())), length_(length), seed_(seed) {
    HEADLIGHT_CHECK_OP(length, >=, 2);
    for (int n = 0; n < held_out_texts; ++n) {
      measured_.push_back(text(held_out_stream(n), GrammarPart::measuring));
      examples_.push_back(plain_example(measured_.back()));
    }
    if (to_measure) return;
    BigramTable bigrams(encoder_.size());
    for (int n = 0; n < bigram_texts; ++n) {
      const std::vector<GrammarWord> words = text(training_stream(n + 1, 0), GrammarPart::training);
      for (std::size_t t = 0; t + 1 < words.size(); ++t) bigrams.add(id_of(words[t]), id_of(words[t + 1]));
    }
    bigram_loss_ = bigrams.loss(examples_);
  }

  const Encoder& encoder() const override { return encoder_; }
  int length() const override { return length_; }
  bool causal() const override { return true; }
  const char* score_name() const override { return "agreement right"; }
  std::unique_ptr<Task> at_length(int length) const override {
    return std::make_unique<EnglishTask>(length, seed_, true);
  }
  std::vector<Baseline> baselines() const override { return {{"bigram table", bigram_loss_}}; }

  void batch(int step, int B, Batch& out) const override {
    out.B = B, out.T = length_;
    out.tokens.clear(), out.targets.clear();
    for (int b = 0; b < B; ++b) {
      const std::vector<GrammarWord> words = text(training_stream(step, b), GrammarPart::training);
      for (std::size_t t = 0; t + 1 < words.size(); ++t) {
        out.tokens.push_back(id_of(words[t]));
        out.targets.push_back(id_of(words[t + 1]));
      }
    }
  }

  Example example(int n) const override {
    const std::vector<GrammarWord> words = text(held_out_stream(n), GrammarPart::measuring);
    Example out = plain_example(words);
    const std::size_t T = out.tokens.size();
    out.relations = token_relations(out.tokens, true);
    // A subject right before its verb is the query itself, so the relation says nothing.
    Relation subject = before("subject of the verb", words, T, &GrammarWord::subject);
    for (std::size_t t = 0; t < T; ++t) {
      if (subject.keys[t] == static_cast<int>(t)) subject.keys[t] = -1;
    }
    out.relations.push_back(std::move(subject));
    out.relations.push_back(before("antecedent of the pronoun", words, T, &GrammarWord::antecedent));
    out.relations.push_back(before("opening quote", words, T, &GrammarWord::opening));
    out.relations.push_back(before("the name before", words, T, &GrammarWord::mention));
    return out;
  }

  std::vector<int> tokens_of(std::string_view sentence) const override {
    return first_tokens(encoder_, sentence, length_);
  }

  TaskScore evaluate(const ModelConfig& config, const ModelWeights& weights,
                     base::Parallel& parallel) const override {
    int right = 0, judged = 0;
    const auto look = [&](int n, const ModelTrace& trace, int row) {
      const std::vector<GrammarWord>& words = measured_[static_cast<std::size_t>(n)];
      for (int t = 0; t < length_; ++t) {
        const GrammarWord& next = words[static_cast<std::size_t>(t) + 1];
        if (!next.distracted) continue;
        right += trace.logits.at(row + t, id_of(next)) > trace.logits.at(row + t, next.other_form + 1);
        ++judged;
      }
    };
    TaskScore result = measure(config, weights, parallel, examples_, look);
    result.score = judged > 0 ? static_cast<double>(right) / judged : 0;
    return result;
  }

 private:
  /// Returns length() tokens and the one after the last.
  std::vector<GrammarWord> text(std::uint64_t stream, GrammarPart part) const {
    std::vector<GrammarWord> words = grammar_text(seed_, stream, part, length_ + 1);
    words.resize(static_cast<std::size_t>(length_) + 1);
    return words;
  }
  static Example plain_example(const std::vector<GrammarWord>& words) {
    Example out;
    for (std::size_t t = 0; t + 1 < words.size(); ++t) {
      out.tokens.push_back(id_of(words[t]));
      out.targets.push_back(id_of(words[t + 1]));
    }
    return out;
  }

  Encoder encoder_;
  int length_;
  std::uint64_t seed_;
  std::vector<std::vector<GrammarWord>> measured_;
  std::vector<Example> examples_;  // the same without relations
  double bigram_loss_ = 0;
};

}  // namespace

std::unique_ptr<Task> english_task(int length, std::uint64_t seed) {
  return std::make_unique<EnglishTask>(length, seed);
}

}  // namespace headlight::nn
