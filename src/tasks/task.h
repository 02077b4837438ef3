// What is there to learn? A task provides batches, examples and a score. All of them follow from a seed and
// the step number, so that a run can be stopped, rewound and continued anywhere with the same result.
//
// And what did the heads learn? A relation names one key for a query: "the token before", "the subject of the
// verb". A head's score is its mean weight on that key. In causal tasks, the relations of the language
// (subject, antecedent, opening quote, earlier name, induction) apply to the token *before* the verb, the
// pronoun, the quote or the name: the position from which they must be predicted. Tested in
// tests/tasks/task_test.cpp, text_tasks_test.cpp and learning_test.cpp.
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

/// For every query, the key that a relation names; -1 if it names none.
struct Relation {
  std::string name;       // "previous token", "subject of the verb", …
  std::vector<int> keys;  // [T]
};

/// One held-out sequence, to inspect while a model learns.
struct Example {
  std::vector<int> tokens;          // [T]
  std::vector<int> targets;         // [T], no_target where nothing is predicted
  std::vector<Relation> relations;  // a task always has the same names in the same order
};

/// How well the task is solved, beyond the loss, on sequences that are not trained on.
struct TaskScore {
  double validation_loss = 0;                      // mean, in nats
  double validation_low = 0, validation_high = 0;  // mean ± standard error over held-out sequences
  double score = 0;                                // 0 … 1, the measure that score_name() names
};

/// The loss on the held-out sequences of a predictor that lacks what the task teaches.
struct Baseline {
  std::string name;  // "chance", "bigram table"
  double loss = 0;   // mean, in nats
};

class Task {
 public:
  virtual ~Task() = default;

  /// Returns the encoder: it holds the texts by id and turns typed text into ids.
  virtual const Encoder& encoder() const = 0;
  int vocabulary() const { return encoder().size(); }
  /// Returns how a token is displayed: "g", "the", "␣" for a space, "⏎" for a new line …
  virtual std::string token_text(int token) const;
  /// Returns how typed text becomes tokens of the task; it is saved with a trained model. token_text(t) is
  /// texts[t] with its white space made visible.
  Vocabulary encoding() const { return encoder().vocabulary(); }
  virtual int length() const = 0;  // T, of the longest sequence
  virtual bool causal() const = 0;
  /// "exact match", "second half right", "agreement right", "next token right"
  virtual const char* score_name() const = 0;

  /// Returns whether its batches have goals, so that a head can be guided.
  virtual bool guides() const { return false; }

  /// Writes batch number `step` (from 1) with B sequences, all of one length. The same seed gives the same
  /// batch, independent of earlier calls.
  virtual void batch(int step, int B, Batch& out) const = 0;
  /// Returns held-out example number `n`, never part of a training batch (up to chance where the task is
  /// random).
  virtual Example example(int n) const = 0;
  /// Returns the tokens of typed text, at most length() of them; empty if the task cannot use it.
  virtual std::vector<int> tokens_of(std::string_view sentence) const = 0;

  /// Measures on held-out sequences; the same ones every time.
  virtual TaskScore evaluate(const ModelConfig& config, const ModelWeights& weights,
                             base::Parallel& parallel) const = 0;
  /// Returns the available baselines: chance, or tables of counts on the held-out text, the simplest one
  /// first.
  virtual std::vector<Baseline> baselines() const = 0;
  /// Returns the same task with sequences of another length, for measuring; its batches are not for training.
  /// Null if the task has no other length.
  virtual std::unique_ptr<Task> at_length(int length) const {
    (void)length;
    return nullptr;
  }
  /// Returns a note to show next to the curves, if any: "too short for a part of its own to measure on …".
  virtual std::string note() const { return {}; }
};

/// `length` letters, to be reversed: the target of token t is letter length − 1 − t. Not causal. Score: exact
/// match of whole sequences. A typed sentence is its first `length` letters; empty if it has fewer.
std::unique_ptr<Task> reverse_task(int letters, int length, std::uint64_t seed);

/// The same with strings of varying length, length / 2 to length − 1 letters, each closed by an end token,
/// "$": the target of letter t of n is letter n − 1 − t, and the target of the end token is the end token.
/// The position of the answer therefore depends on the position of the end token. All sequences of a batch
/// have one length, which varies between batches. A typed sentence is its letters up to the end token, which
/// is added.
std::unique_ptr<Task> reverse_end_task(int letters, int length, std::uint64_t seed);

/// Random letters, a quarter to half of `length` and all different, repeated again and again; next-token
/// prediction. The first round cannot be predicted, the others can: find where this letter occurred, and
/// predict what came after it. The length of a round varies, so that counting back does not work. Causal.
/// Score: next token right, over the second half. A typed sentence is its letters.
std::unique_ptr<Task> induction_task(int letters, int length, std::uint64_t seed);

/// Short texts of a grammar of our own (grammar.h); next-token prediction over words. Causal. A sentence is
/// either trained on or measured with, never both. Score: how often the right form of a verb is likelier than
/// the wrong one, when a noun of the other number is between the verb and its subject. Baseline: a bigram
/// table.
std::unique_ptr<Task> english_task(int length, std::uint64_t seed);

/// Sentences of two nouns, a reason and a pronoun (pronouns.h); the target at the pronoun is its antecedent.
/// Not causal; its sentences have 9 to 14 words. Its batches have goals: the pronoun's query should attend to
/// the antecedent. Measured on combinations of noun and reason that are never trained on. Score: right noun,
/// out of all words. Baseline: either of the two nouns.
std::unique_ptr<Task> pronoun_task(std::uint64_t seed);

inline constexpr std::size_t largest_text = 50'000'000;  // bytes

struct TextTaskOptions {
  std::string name = "text";  // the file name, for messages
  VocabularyKind kind = VocabularyKind::pieces;
  int vocabulary = 512, length = 32;
  PieceBytes bytes = PieceBytes::of_text;  // for pieces
  std::uint64_t seed = 7;
  std::function<bool(float)> keep_going;  // called with the fraction done; false stops
};

/// Any text, next-token prediction. Trains on random windows of its first nine tenths and measures on windows
/// of the rest. Causal. Score: next token right. Baselines: a bigram table and a trigram table, which see
/// only the window, like the model. Returns a one-line error for a text that is empty, larger than 50 MB, not
/// text, or too short for a sequence, and when goes_on stopped it.
base::Result<std::unique_ptr<Task>> text_task(std::string_view text, const TextTaskOptions& options);

/// How much every head of a model follows each relation.
struct HeadScores {
  std::vector<std::string> roles;  // [R] names of relations
  std::vector<int> queries;        // [R] number of queries with the relation
  std::vector<double> uniform;     // [R] the score of uniform attention over the allowed keys
  MatrixF64 mean;                  // [L, H, R] mean weight; NaN where no query has the relation
};

/// Measures on the first `examples` held-out examples. Cost: one forward pass over that many sequences.
HeadScores head_scores(const Task& task, const ModelConfig& config, const ModelWeights& weights,
                       base::Parallel& parallel, int examples = 64);

/// Returns the role with the largest score, if that is at least 0.3 and twice the score of uniform attention;
/// else -1.
int outstanding_role(const HeadScores& scores, int layer, int head);

}  // namespace headlight::nn
