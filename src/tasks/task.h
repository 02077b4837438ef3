// What is there to learn? A task gives batches, examples and a score; all of it follows from a seed and the
// number of the step, so that a run can be stopped, rewound and continued anywhere with the same result.
//
// And what did the heads learn? A relation names one key for a query, "the token before", "the subject of the
// verb"; a head's score is its mean weight on that key. In causal tasks the relations of the language
// (subject, antecedent, opening quote, earlier name, induction) are asked of the token *before* the verb, the
// pronoun, the quote, the name: the place from which they must be predicted, where the answer is needed.
// Tested in tests/tasks/task_test.cpp, text_tasks_test.cpp and learning_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "tasks/vocabulary.h"
#include "train/model.h"

namespace headlight::nn {

/// For every query the key that a relation names, -1 where it names none.
struct Relation {
  std::string name;       // "previous token", "subject of the verb", …
  std::vector<int> keys;  // [T]
};

/// One held-out sequence, to look at while a model learns.
struct Example {
  std::vector<int> tokens;          // [T]
  std::vector<int> targets;         // [T], no_target where nothing is asked
  std::vector<Relation> relations;  // of one task: always the same names in the same order
};

/// How well the task is done, beyond the loss, on sequences that are not trained on.
struct TaskScore {
  double validation_loss = 0;                      // mean, in nats
  double validation_low = 0, validation_high = 0;  // mean ± standard error over held-out sequences
  double score = 0;                                // 0 … 1, what score_name() says
};

/// A predictor that does without what a task teaches, on the held-out sequences.
struct Baseline {
  std::string name;  // "chance", "bigram table"
  double loss = 0;   // mean, in nats
};

class Task {
 public:
  virtual ~Task() = default;

  /// Its texts by id, and what a person typed as ids.
  virtual const Encoder& encoder() const = 0;
  int vocabulary() const { return encoder().size(); }
  /// How a token is shown: "g", "the", "␣" for a space, "⏎" for a new line …
  virtual std::string token_text(int token) const;
  /// How typed text becomes tokens of the task; saved with a trained model. token_text(t) is texts[t] with
  /// its white space made visible.
  Vocabulary encoding() const { return encoder().vocabulary(); }
  virtual int length() const = 0;  // T, of the longest sequence
  virtual bool causal() const = 0;
  /// "exact match", "second half right", "agreement right", "next token right"
  virtual const char* score_name() const = 0;

  /// Do its batches have goals, so that a head can be guided?
  virtual bool guides() const { return false; }

  /// Batch number `step` (from 1) of B sequences, all of one length: the same for the same seed, whatever
  /// came before.
  virtual void batch(int step, int B, Batch& out) const = 0;
  /// Held-out example number `n`, never part of a training batch (up to chance where the task is random).
  virtual Example example(int n) const = 0;
  /// The tokens of what a person typed, or nothing when the task has no use for it. At most length() tokens.
  virtual std::vector<int> tokens_of(std::string_view sentence) const = 0;

  /// On held-out sequences; the same ones every time.
  virtual TaskScore evaluate(const ModelConfig& config, const ModelWeights& weights,
                             base::Parallel& parallel) const = 0;
  /// Where they can be said: chance, or tables of counts on the held-out text, the simplest one first.
  virtual std::vector<Baseline> baselines() const = 0;
  /// Of the first one; 0 = none.
  double baseline_loss() const {
    const std::vector<Baseline> all = baselines();
    return all.empty() ? 0 : all.front().loss;
  }
  /// The same task with sequences of another length, to measure with: its batches are not for training. Null
  /// where the task has no other length.
  virtual std::unique_ptr<Task> at_length(int length) const {
    (void)length;
    return nullptr;
  }
  /// What must be said beside the curves, if anything: "too short for a part of its own to measure on …".
  virtual std::string note() const { return {}; }
};

/// `length` letters, the same backwards: token t is asked for letter length − 1 − t. Not causal. Score: exact
/// match of whole sequences. A typed sentence is its first `length` letters; nothing when it has fewer.
std::unique_ptr<Task> reverse_task(int letters, int length, std::uint64_t seed);

/// The same with strings of varying length, length / 2 to length − 1 letters, each closed by an end token,
/// "$": letter t of n is asked for letter n − 1 − t, the end token for itself, so that where the answer
/// stands depends on where the end token stands. All sequences of a batch have one length, another one from
/// batch to batch. A typed sentence is its letters up to the end token, which is added.
std::unique_ptr<Task> reverse_end_task(int letters, int length, std::uint64_t seed);

/// Random letters, a quarter to a half of `length` and no two alike, again and again; next-token prediction.
/// The first round cannot be known, the others can: where did this letter stand, and what came after it? How
/// long a round is varies, so that counting back does not do. Causal. Score: next token right, over the
/// second half. A typed sentence is its letters.
std::unique_ptr<Task> induction_task(int letters, int length, std::uint64_t seed);

/// Short texts of a grammar of our own (grammar.h), next-token prediction over words. Causal. A sentence is
/// either trained on or measured with, never both. Score: of the two forms of a verb, the right one is
/// likelier, where a noun of the other number stands between it and its subject. Baseline: a bigram table.
std::unique_ptr<Task> english_task(int length, std::uint64_t seed);

/// Sentences of two nouns, a reason and a pronoun (pronouns.h); the noun that is meant is asked for at the
/// pronoun. Not causal; its sentences have 9 to 14 words. Its batches have goals: the pronoun's query should
/// attend to the noun that is meant. Measured on combinations of noun and reason that it never trains on.
/// Score: right noun, of all words. Baseline: either of the two nouns.
std::unique_ptr<Task> pronoun_task(std::uint64_t seed);

inline constexpr std::size_t largest_text = 50'000'000;  // bytes

struct TextTaskOptions {
  std::string name = "text";  // the file's, for messages
  VocabularyKind kind = VocabularyKind::pieces;
  int vocabulary = 512, length = 32;
  PieceBytes bytes = PieceBytes::of_text;  // of pieces
  std::uint64_t seed = 7;
  std::function<bool(float)> goes_on;  // asked with the fraction that is done; false stops
};

/// Any text, next-token prediction: random windows of its first nine tenths, measured on windows of the rest.
/// Causal. Score: next token right. Baselines: a bigram table and a trigram table, which see what the model
/// sees, the window alone. An error, in one line, for a text that is empty, larger than 50 MB, not text, or
/// too short for a sequence, and when goes_on stopped it.
base::Result<std::unique_ptr<Task>> text_task(std::string_view text, const TextTaskOptions& options);

/// What every head of a model looks at.
struct HeadScores {
  std::vector<std::string> roles;  // [R] names of relations
  std::vector<int> queries;        // [R] how many there were
  std::vector<double> uniform;     // [R] the score of a head that reads everything it may alike
  MatrixF64 mean;                  // [L, H, R] mean weight; NaN where no query has the relation
};

/// On the first `examples` held-out ones. Cost: one forward pass of as many sequences.
HeadScores head_scores(const Task& task, const ModelConfig& config, const ModelWeights& weights,
                       base::Parallel& parallel, int examples = 64);

/// The role with the largest score, where that is at least 0.3 and twice what a uniform head has; else -1.
int outstanding_role(const HeadScores& scores, int layer, int head);

}  // namespace headlight::nn
