// The settings of the Training page, and their one list.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"
#include "scene/field.h"
#include "train/model.h"

namespace headlight::scene {

enum class TrainingTask { two_relations, reverse, induction, english, pronouns, text };
enum class TrainingPositions { none, sinusoidal, learned, t5, alibi, rope };
/// What the second run does differently.
enum class TrainingCompare {
  nothing,
  one_head,
  no_positions,
  no_guide,
  no_residuals,
  no_norms,
  no_feed_forward,
  no_dropout,
  every_position,
  other  // the setting that compare_set assigns
};
/// What the card of the curves shows: the losses by step, the score at other lengths, or with heads removed.
enum class TrainingPlot { curves, lengths, pruning };
/// What is shown beside the film when the window is too low for a second row of cards.
enum class TrainingBeside { map, losses };
enum class TextUnit { chars, words, pieces, byte_pieces };
template <>
struct Words<TrainingTask> {
  static constexpr const char* list[] = {"two_relations", "reverse",  "induction",
                                         "english",       "pronouns", "text"};
  static constexpr const char* labels[] = {"two relations", "reverse",  "induction",
                                           "english",       "pronouns", "text"};
};
template <>
struct Words<TrainingPositions> {
  static constexpr const char* list[] = {"none", "sinusoidal", "learned", "t5", "alibi", "rope"};
  static constexpr const char* labels[] = {"none", "sin/cos", "learned", "T5", "ALiBi", "RoPE"};
};
template <>
struct Words<nn::RopePairs> {
  static constexpr const char* list[] = {"interleaved", "half"};
  static constexpr const char* labels[] = {"2j, 2j + 1", "half"};
};
template <>
struct Words<nn::NormPlace> {
  static constexpr const char* list[] = {"pre", "post", "none"};
};
template <>
struct Words<TrainingPlot> {
  static constexpr const char* list[] = {"curves", "lengths", "pruning"};
};
template <>
struct Words<TrainingBeside> {
  static constexpr const char* list[] = {"map", "losses"};
};
template <>
struct Words<nn::Activation> {
  static constexpr const char* list[] = {"relu", "gelu_erf", "gelu_tanh"};
  static constexpr const char* labels[] = {"ReLU", "GELU, x Φ(x)", "GELU, tanh"};
};
/// Names the components of a head that RoPE rotates together, for titles and remarks.
inline const char* rope_words(nn::RopePairs pairs) {
  return pairs == nn::RopePairs::half ? "RoPE, pairs (j, j + d_k/2)" : "RoPE, pairs (2j, 2j + 1)";
}

template <>
struct Words<TrainingCompare> {
  static constexpr const char* list[] = {"nothing",        "one_head", "no_positions",    "no_guide",
                                         "no_residuals",   "no_norms", "no_feed_forward", "no_dropout",
                                         "every_position", "other"};
  static constexpr const char* labels[] = {
      "nothing",        "one head",        "no positions", "no guide",       "no residuals",
      "no layer norms", "no feed-forward", "no dropout",   "every position", "another setting"};
};
template <>
struct Words<TextUnit> {
  static constexpr const char* list[] = {"chars", "words", "pieces", "byte_pieces"};
};

struct TrainingSettings {
  TrainingTask task = TrainingTask::reverse;
  int d_model = 32, heads = 4, layers = 2, length = 12;
  TrainingPositions positions = TrainingPositions::sinusoidal;
  nn::RopePairs rope_pairs = nn::RopePairs::half;
  nn::Activation activation = nn::Activation::gelu_tanh;
  nn::NormPlace norm = nn::NormPlace::pre;
  bool residual = true, feed_forward = true;
  double dropout = 0;
  bool end_token = false;  // for the task `reverse`
  // For the two relations: what the repaired models have.
  bool repair_places = true, repair_bias = true, repair_contents = true, repair_width = true;
  TrainingCompare compare = TrainingCompare::no_positions;
  std::string compare_set;  // for `other`: "training_rate=0.01"
  double rate = 3e-3;
  double guide = 0;  // weight of the loss that guides the first head of the last layer; 0: every head is free
  int steps = 1000, batch = 32, seed = 7;
  std::string file;  // for the task `text`
  TextUnit unit = TextUnit::pieces;
  int vocabulary = 512;
  // What is shown.
  int run = 1, layer = 1, head = 1;  // counted from 1
  int example = 0;                   // −1: the sentence above, if the task can read it
  int shown_step = -1;               // −1: the newest
  TrainingPlot plot = TrainingPlot::curves;
  TrainingBeside beside = TrainingBeside::map;
  bool operator==(const TrainingSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, TrainingSettings>
void list_fields(S& s, F&& visit) {
  constexpr Group g = Group::own;
  visit(Field{.name = "training_task", .label = "Task", .help = "what the model learns", .group = g}, s.task);
  visit(
      Field{.name = "training_compare",
            .label = "Compare with",
            .help = "a second run that differs in one setting; every position: one run per positional scheme",
            .group = g},
      s.compare);
  visit(Field{.name = "training_compare_set",
              .label = "Setting of the second run",
              .help = "name=value, such as training_rate=0.01; needs training_compare=other",
              .group = g},
        s.compare_set);
  visit(Field{.name = "training_d",
              .label = "Model width d",
              .help = "width of the trained model; a multiple of its number of heads",
              .group = g,
              .min = 4,
              .max = 256},
        s.d_model);
  visit(Field{.name = "training_heads",
              .label = "Heads",
              .help = "heads per layer",
              .group = g,
              .min = 1,
              .max = 16},
        s.heads);
  visit(Field{.name = "training_layers",
              .label = "Layers",
              .help = "number of blocks",
              .group = g,
              .min = 1,
              .max = 6},
        s.layers);
  visit(Field{.name = "training_positions",
              .label = "Positions",
              .help = "how the trained model encodes position",
              .group = g},
        s.positions);
  visit(Field{.name = "training_rope_pairs",
              .label = "RoPE pairs",
              .help =
                  "components of each head: half: j and j + d_k/2, rounded down; interleaved: 2j and 2j + 1",
              .group = g},
        s.rope_pairs);
  visit(Field{.name = "training_activation",
              .label = "Activation",
              .help = "of the feed-forward layers: GELU as x Φ(x), its tanh approximation, or ReLU",
              .group = g,
              .long_words = true},
        s.activation);
  visit(Field{.name = "training_norm",
              .label = "Layer norm",
              .help = "pre: before each sublayer; post: after each sum; none: no norm at all",
              .group = g},
        s.norm);
  visit(Field{.name = "training_residual",
              .label = "Residual connections",
              .help = "x + sublayer(x); without them each sublayer replaces the stream",
              .group = g},
        s.residual);
  visit(Field{.name = "training_feed_forward",
              .label = "Feed-forward layers",
              .help = "without them a layer is attention alone",
              .group = g},
        s.feed_forward);
  visit(
      Field{.name = "training_dropout",
            .label = "Dropout",
            .help =
                "share of the numbers set to 0 in training: embeddings, attention weights, sublayer outputs; "
                "not applied when measuring",
            .group = g,
            .max = 0.9},
      s.dropout);
  visit(Field{.name = "training_end_token",
              .label = "End token",
              .help = "strings of varying length that end with an end token; reversal task only",
              .group = g},
        s.end_token);
  visit(
      Field{.name = "training_repair_places",
            .label = "Repair: position codes",
            .help =
                "a separate code for each of the four positions in the repaired models; held-out loss of two "
                "heads after 400 steps at learning rate 0.005: alone 0.126, without any repair 0.313",
            .group = g},
      s.repair_places);
  visit(
      Field{
          .name = "training_repair_bias",
          .label = "Repair: query bias",
          .help =
              "a bias added to the query, whatever its token; held-out loss of two heads after 400 steps at "
              "learning rate 0.005: alone 0.252, without any repair 0.313",
          .group = g},
      s.repair_bias);
  visit(Field{.name = "training_repair_contents",
              .label = "Repair: contents",
              .help =
                  "four fixed contents instead of random ones; held-out loss of two heads after 400 steps at "
                  "learning rate 0.005: alone 0.244, with the position codes 0.0025",
              .group = g},
        s.repair_contents);
  visit(
      Field{.name = "training_repair_width",
            .label = "Repair: width",
            .help =
                "projections of width 8 instead of 4; held-out loss of two heads after 400 steps at learning "
                "rate 0.005: alone 0.311, without any repair 0.313",
            .group = g},
      s.repair_width);
  visit(Field{.name = "training_length",
              .label = "Length",
              .help = "tokens per sequence; pronoun sentences have their own lengths",
              .group = g,
              .min = 4,
              .max = 256,
              .logarithmic = true},
        s.length);
  visit(Field{.name = "training_rate",
              .label = "Learning rate",
              .help = "AdamW’s rate after the warm-up; constant in two_relations; during training a change "
                      "takes effect at the next step",
              .group = g,
              .min = 0.00001,
              .max = 0.1,
              .logarithmic = true},
        s.rate);
  visit(Field{.name = "training_guide",
              .label = "Guide one head",
              .help =
                  "weight of a second loss that trains the first head of the last layer to attend to a given "
                  "key, in tasks that define one; 0: every head is free",
              .group = g,
              .max = 10},
        s.guide);
  visit(Field{.name = "training_steps",
              .label = "Steps",
              .help = "weight updates",
              .group = g,
              .min = 10,
              .max = 100000,
              .logarithmic = true},
        s.steps);
  visit(Field{.name = "training_batch",
              .label = "Batch",
              .help = "sequences per update",
              .group = g,
              .min = 1,
              .max = 256,
              .logarithmic = true},
        s.batch);
  visit(Field{.name = "training_seed",
              .label = "Seed",
              .help = "determines the initial weights and the batches",
              .group = g,
              .max = 9999},
        s.seed);
  visit(
      Field{
          .name = "training_unit",
          .label = "Text units",
          .help =
              "characters, words, or pieces learned from the text; byte_pieces: with all 256 bytes, so that "
              "no text contains an unknown token",
          .group = g},
      s.unit);
  visit(Field{.name = "training_vocabulary",
              .label = "Vocabulary",
              .help = "number of pieces or words in the vocabulary; at least 257 with all bytes",
              .group = g,
              .min = 16,
              .max = 4096,
              .logarithmic = true},
        s.vocabulary);
  visit(Field{.name = "training_file",
              .label = "Text file",
              .help = "any UTF-8 text up to 50 MB, or a folder of .txt and .md files",
              .names = TextNames::text},
        s.file);
  visit(Field{.name = "training_run", .label = "Run shown", .help = "counted from 1", .min = 1, .max = 6},
        s.run);
  visit(Field{.name = "training_layer", .label = "Layer shown", .help = "counted from 1", .min = 1, .max = 6},
        s.layer);
  visit(Field{.name = "training_head", .label = "Head shown", .help = "counted from 1", .min = 1, .max = 16},
        s.head);
  visit(Field{.name = "training_example",
              .label = "Example",
              .help = "a held-out sequence; -1 = the sentence above",
              .min = -1,
              .max = 999},
        s.example);
  visit(Field{.name = "training_shown_step",
              .label = "Step shown",
              .help = "a kept step; -1 = the latest",
              .min = -1,
              .max = 100000,
              .below_zero = "latest"},
        s.shown_step);
  visit(Field{.name = "training_plot",
              .label = "Plot shown",
              .help = "losses by step, the score at other lengths, or the score with heads removed"},
        s.plot);
  visit(Field{.name = "training_beside",
              .label = "Beside the film",
              .help = "in a window too low for both: the map of the chosen head, or the losses"},
        s.beside);
}

/// Do the settings describe the same run? Settings of what is shown do not count.
bool same_run(const TrainingSettings& a, const TrainingSettings& b);

/// Sets values with which the task of `settings` is learned in seconds, and resets what is shown.
void suggest(TrainingSettings& settings);

/// The settings of the second run that `compare_set` describes; an error when it assigns no setting that the
/// runs can differ in, or the value that the first run has.
base::Result<TrainingSettings> other_run(const TrainingSettings& settings);

/// How many models the run trains side by side.
int training_runs(const TrainingSettings& settings);

/// Resolves contradictions between settings: d becomes a multiple of heads, and a run is compared only with a
/// different one. The shown run, layer and head may lie beyond the last one, which is shown then.
void repair(TrainingSettings& settings);

/// Does the setting of this name apply to the task? The two relations have the shape that their source gives
/// them; pronoun sentences have their own lengths, and only they have a guide.
inline bool training_applies(const TrainingSettings& s, std::string_view field) {
  using Task = TrainingTask;
  if (s.task == Task::two_relations)
    return field == "training_rate" || field == "training_steps" || field == "training_batch" ||
           field == "training_seed" || field == "training_task" || field.rfind("training_repair_", 0) == 0;
  if (field.rfind("training_repair_", 0) == 0) return false;
  if (field == "training_compare_set") return s.compare == TrainingCompare::other;
  if (field == "training_rope_pairs") return s.positions == TrainingPositions::rope;
  if (field == "training_unit" || field == "training_vocabulary" || field == "training_file")
    return s.task == Task::text;
  if (field == "training_length") return s.task != Task::pronouns;
  if (field == "training_guide") return s.task == Task::pronouns;
  if (field == "training_end_token") return s.task == Task::reverse;
  return true;
}

}  // namespace headlight::scene
