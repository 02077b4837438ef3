// What does a model of pronoun sentences answer, and does its attention show it? The answer is what the whole
// model says at a pronoun: the likeliest of all its words. Whether a head shows it is measured apart: how
// much of the pronoun's weight lies on the noun that is meant. A model can be right without any head that
// does. Tested in tests/scene/pronoun_models_test.cpp.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.h"
#include "nn/tokens.h"
#include "scene/results.h"
#include "scene/trained_model.h"

namespace headlight::scene {

/// At every pronoun of the sentence (it, he, she, they), in order. Empty for a model of another task, of more
/// than two million numbers, or with one that is none, and for sentences of more than 256 tokens. The model
/// as it was trained, whatever the scene masks or scales.
std::vector<ModelAnswer> model_answers(const TrainedModel& model, const std::vector<nn::Token>& tokens,
                                       base::Parallel& parallel);

/// On sentences with a combination of noun and reason that no training sentence has.
struct PronounMeasure {
  static constexpr double shown = 0.8;           // so much of the weight on a noun shows it
  static constexpr std::uint64_t seed = 20'191;  // of the sentences: none that a run is likely to have
  int sentences = 0;
  double right = 0;                 // share in which the model's answer is the noun that is meant
  nn::MatrixF64 heads;              // [L, H] share in which the head has at least `shown` on it
  double subject = 0, nearest = 0;  // share in which these nouns are meant
};

/// Null for a model of another task. Kept for the model that was asked for last: it takes a forward pass over
/// all sentences.
std::shared_ptr<const PronounMeasure> pronoun_measure(const std::shared_ptr<const TrainedModel>& model);

}  // namespace headlight::scene
