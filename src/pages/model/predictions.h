// What a model predicts for the sentence: the next token after each of its tokens, or the token in the place
// of a mask. Probabilities are those of nn/sampling.h, the same as `headlight next` states. And the logit
// lens: the most probable token when the final norm and the head are applied to the hidden state after each
// layer (nostalgebraist 2020). Of Headlight's own models as they were trained, whatever the scene masks or
// scales. With heads that the scene switches off or scales (heads_off.h) the same model predicts a second
// time. Tested in tests/scene/predictions_test.cpp, heads_off_test.cpp and other_model_test.cpp.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "kernels/tensor.h"
#include "network/network.h"
#include "network/sampling.h"
#include "scene/progress.h"
#include "scene/results.h"

namespace headlight::scene {

struct OtherModel;    // other_model.h
struct TrainedModel;  // trained_model.h

inline constexpr int most_predicted = 10;

struct PredictedToken {
  int id = 0;
  double probability = 0;
  std::string text;  // as it is shown: ␣ for a space
};

/// What the model predicts with some heads switched off or scaled.
struct ChangedPredictions {
  std::vector<nn::HeadFactor> heads;
  std::vector<PredictedToken> top;      // at the position, the most probable first
  std::vector<double> after;            // the probabilities of Predictions::top, in its order
  std::vector<nn::Follower> followers;  // as those of Predictions
  double mean_loss = 0;
};

/// What temperature, top-k and top-p leave of the distribution that is drawn from: that of the changed heads
/// where some are changed.
struct DrawnFrom {
  std::vector<double> top;  // the probabilities with which `top` of that distribution is drawn; 0: it is cut
  int tokens = 0;           // that can be drawn
  double kept = 1;          // their share of the probability
};

/// The most probable tokens in the place of a mask.
struct MaskedPlace {
  int position = 0;
  std::vector<PredictedToken> top;
};

/// What the head makes of the hidden state after some layers.
struct LensLayer {
  std::vector<PredictedToken> top;    // the most probable first
  std::optional<nn::Follower> truth;  // as that of Predictions
};

struct Predictions {
  std::string none;    // why there are none, one line; empty: there are
  bool causal = true;  // of the next token; false: of the token in the place
  int position = 0;    // the pinned query, or the last token
  int vocabulary = 0;
  double temperature = 1;
  std::vector<PredictedToken> top;    // at the position, the most probable first
  std::optional<nn::Follower> truth;  // causal: the token that follows there in the sentence
  std::string truth_text;
  std::vector<nn::Follower> followers;  // causal: [T − 1], after each token but the last
  double mean_loss = std::numeric_limits<double>::quiet_NaN();  // of the followers, in nats; NaN without any
  std::vector<LensLayer> lens;  // [L + 1] after 0, 1, … L layers, at the position; the last is the prediction
  DrawnFrom drawn;
  std::vector<MaskedPlace> masks;  // of a masked model: every mask token of the sentence
  std::optional<ChangedPredictions> changed;
  std::string change_problem;  // why no head is changed although the scene says so, one line
  const std::vector<PredictedToken>& drawn_top() const { return changed ? changed->top : top; }
};

/// Why a model of Headlight's predicts no token of so long a sentence, one line; empty: it does.
std::string cannot_predict(const TrainedModel& model, int tokens);

/// The hidden states that predictions are made from.
using HiddenStates = std::vector<nn::Matrix>;  // [L + 1] of [T, D]; the last one after the final norm

/// `states` empty: they were not kept, because the text is too long for it. They are kept for
/// the next call with the same states and settings, and what does not depend on the pinned query also for
/// another query.
Predictions predictions_of(const Scene& scene, const OtherModel& other, const std::vector<int>& pieces,
                           const std::shared_ptr<const HiddenStates>& states, base::Parallel& parallel,
                           const Progress& progress);
Predictions predictions_of(const Scene& scene, const TrainedModel& model,
                           const std::vector<nn::Token>& tokens, base::Parallel& parallel);

}  // namespace headlight::scene
