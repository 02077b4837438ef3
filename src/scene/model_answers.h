// What does a model of pronoun sentences answer, and does its attention show it? The answer is the word that
// the whole model predicts at a pronoun: the most probable of all its words. Whether a head shows it is
// measured separately: how much of the pronoun's weight is on the noun that is meant. A model can be right
// although none of its heads shows it. Tested in tests/scene/pronoun_models_test.cpp.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.h"
#include "nn/tokens.h"
#include "scene/results.h"
#include "scene/trained_model.h"

namespace headlight::scene {

/// The answers at every pronoun of the sentence (it, he, she, they), in order. Empty for a model of another
/// task, for one with more than two million numbers or with a number that is not finite, and for sentences of
/// more than 256 tokens. The model is run as it was trained, whatever the scene masks or scales.
std::vector<ModelAnswer> model_answers(const TrainedModel& model, const std::vector<nn::Token>& tokens,
                                       base::Parallel& parallel);

/// Measured on sentences with a combination of noun and reason that no training sentence has.
struct PronounMeasure {
  static constexpr double shown = 0.8;           // a head with at least this weight on a noun shows it
  static constexpr std::uint64_t seed = 20'191;  // of the sentences; a run is unlikely to have the same one
  int sentences = 0;
  double right = 0;     // share of sentences in which the model's answer is the noun that is meant
  nn::MatrixF64 heads;  // [L, H] share in which the head puts at least `shown` on that noun
  double subject = 0, nearest = 0;  // share of sentences in which the subject or the nearest noun is meant
};

/// Null for a model of another task. Cached for the last model: a measurement takes a forward pass over all
/// sentences.
std::shared_ptr<const PronounMeasure> pronoun_measure(const std::shared_ptr<const TrainedModel>& model);

}  // namespace headlight::scene
