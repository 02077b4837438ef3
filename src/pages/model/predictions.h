// What a model predicts for the sentence: the next token after each of its tokens, or the token in place of a
// mask. Probabilities are those of network/sampling.h, the same as in `headlight next`. The logit lens shows
// the most probable token when the final norm and the output matrix are applied to the hidden state after
// each layer (nostalgebraist 2020). Headlight's own models predict as they were trained, whatever the scene
// masks or scales. When the scene switches off or scales heads (heads_off.h), the changed model predicts as
// well. Tested in tests/scene/predictions_test.cpp, heads_off_test.cpp and other_model_reference_test.cpp.
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
/// How many of the most probable tokens are kept after every token of the sentence.
inline constexpr int most_after_each = 4;

struct PredictedToken {
  int id = 0;
  double probability = 0;
  std::string text;  // as it is shown, with ␣ for a space
};

/// What the model predicts with some heads switched off or scaled.
struct ChangedPredictions {
  std::vector<nn::HeadFactor> heads;
  std::vector<PredictedToken> top;      // at the position, the most probable first
  std::vector<double> after;            // the probabilities of the tokens in Predictions::top
  std::vector<nn::Follower> followers;  // like Predictions::followers
  double mean_loss = 0;
};

/// What temperature, top-k and top-p leave of the distribution that tokens are drawn from. If heads are
/// changed, it is the changed model's.
struct DrawnFrom {
  std::vector<double> top;  // the probability of drawing each token of its `top`; 0: it is cut
  int tokens = 0;           // number that can be drawn
  double kept = 1;          // their share of the probability
};

/// The most probable tokens in place of a mask.
struct MaskedPlace {
  int position = 0;
  std::vector<PredictedToken> top;
};

/// What the output matrix predicts from the hidden state after some layers.
struct LensLayer {
  std::vector<PredictedToken> top;    // the most probable first
  std::optional<nn::Follower> truth;  // like Predictions::truth
};

struct Predictions {
  std::string none;    // why there are no predictions, one line; empty: there are
  bool causal = true;  // predicts the next token; false: the token at the position
  int position = 0;    // the pinned query, or the last token
  int vocabulary = 0;
  double temperature = 1;
  std::vector<PredictedToken> top;    // at the position, the most probable first
  std::optional<nn::Follower> truth;  // causal: the token that follows the position in the sentence
  std::string truth_text;
  std::vector<nn::Follower> followers;                  // causal: [T − 1], after each token but the last
  std::vector<std::vector<PredictedToken>> after_each;  // causal: [T] the most probable first, at most four
  double mean_loss = std::numeric_limits<double>::quiet_NaN();  // of the followers, in nats; NaN without any
  std::vector<LensLayer> lens;  // [L + 1] after 0, 1, … L layers, at the position; the last is the prediction
  DrawnFrom drawn;
  std::vector<MaskedPlace> masks;  // of a masked model: every mask token of the sentence
  std::optional<ChangedPredictions> changed;
  std::string change_problem;  // why no head is changed although the scene changes some, one line
  const std::vector<PredictedToken>& drawn_top() const { return changed ? changed->top : top; }
};

/// Why a model of Headlight's own cannot predict for a sentence of this length, one line; empty: it can.
std::string cannot_predict(const TrainedModel& model, int tokens);

/// The hidden states from which predictions are made.
using HiddenStates = std::vector<nn::Matrix>;  // [L + 1] of [T, D]; the last one after the final norm

/// `states` are empty when the text is too long to keep them. Predictions are kept for the next call with the
/// same states and settings; the part that does not depend on the pinned query is also kept for other
/// queries.
Predictions predictions_of(const Scene& scene, const OtherModel& other, const std::vector<int>& pieces,
                           const std::shared_ptr<const HiddenStates>& states, base::Parallel& parallel,
                           const Progress& progress);
Predictions predictions_of(const Scene& scene, const TrainedModel& model,
                           const std::vector<nn::Token>& tokens, base::Parallel& parallel);

}  // namespace headlight::scene
