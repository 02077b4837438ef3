#include "pages/model/predictions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>

#include "models/opened_model.h"
#include "network/network.h"
#include "nn/block.h"
#include "pages/model/changed_run.h"
#include "pages/model/heads_off.h"
#include "pages/model/logit_source.h"
#include "pages/opened_attention.h"
#include "scene/other_model.h"
#include "scene/pinned.h"
#include "scene/trained_model.h"
#include "train/model.h"

namespace headlight::scene {

namespace {

using nn::Matrix;
using std::size_t;

constexpr int most_own_tokens = 256;

PredictedToken predicted(const LogitSource& from, const nn::TokenProbability& one) {
  return {one.id, one.probability, from.text(one.id)};
}

/// What can be drawn, with the probability of each token of `top`.
DrawnFrom drawn_from(const Scene& scene, std::span<const float> logits,
                     const std::vector<PredictedToken>& top) {
  const double temperature = scene.model.temperature;
  const auto left = nn::candidates(logits, {temperature, scene.model.top_k, scene.model.top_p});
  DrawnFrom out;
  out.tokens = static_cast<int>(left.size());
  // The most probable tokens are left. Their share is the ratio of a token's probability before and after.
  out.kept = left.empty() || top.empty() ? 0 : std::min(1.0, top[0].probability / left[0].probability);
  for (size_t i = 0; i < top.size(); ++i) out.top.push_back(i < left.size() ? left[i].probability : 0);
  return out;
}

std::string not_finite(int position) {
  return "no logit after token " + std::to_string(position) + " is finite";
}

base::Status most_probable_at(const LogitSource& from, std::span<const float> logits, int position,
                              double temperature, std::vector<PredictedToken>& top) {
  const auto ranking = nn::ranking(logits, position, most_predicted, temperature);
  if (!ranking) return base::Error{not_finite(position)};
  for (const nn::TokenProbability& one : ranking->top) top.push_back(predicted(from, one));
  return {};
}

/// Sets the ten most probable tokens at the position, and what can be drawn there.
base::Status look_at_position(const Scene& scene, const LogitSource& from, Predictions& out) {
  Matrix logits;
  if (const base::Status status = from.logits(out.position, 1, logits); !status) return status;
  out.vocabulary = logits.cols();
  if (const base::Status status =
          most_probable_at(from, logits.row(0), out.position, out.temperature, out.top);
      !status)
    return status;
  out.drawn = drawn_from(scene, logits.row(0), out.top);
  return {};
}

base::Status look_at_masks(const LogitSource& from, Predictions& out) {
  Matrix logits;
  for (int t = 0; t < from.T; ++t) {
    if (from.mask != from.ids[static_cast<size_t>(t)]) continue;
    if (const base::Status status = from.logits(t, 1, logits); !status) return status;
    MaskedPlace& place = out.masks.emplace_back();
    place.position = t;
    if (const base::Status status = most_probable_at(from, logits.row(0), t, out.temperature, place.top);
        !status)
      return status;
  }
  return {};
}

/// The follower of every token but the last, and the most probable tokens after each.
struct EachToken {
  std::vector<nn::Follower> followers;                 // [T − 1]
  std::vector<std::vector<nn::TokenProbability>> top;  // [T]
};

/// The followers of the last sentence. They need the logits of all its tokens, and do not depend on the
/// pinned query. Two are kept: those of the model unchanged, and with changed heads.
struct KeptFollowers {
  struct One {
    std::weak_ptr<const HiddenStates> states;
    double temperature = 0;
    EachToken tokens;
  };
  std::mutex mutex;
  std::array<One, 2> both;
};
KeptFollowers& kept_followers() {
  static KeptFollowers kept;
  return kept;
}

bool take_kept(const LogitSource& from, double temperature, EachToken& out) {
  KeptFollowers& kept = kept_followers();
  const std::lock_guard lock(kept.mutex);
  for (const KeptFollowers::One& one : kept.both) {
    if (!from.states || one.states.lock() != from.states || one.temperature != temperature) continue;
    out = one.tokens;
    return true;
  }
  return false;
}

void keep(const LogitSource& from, double temperature, const EachToken& tokens) {
  if (!from.states) return;
  KeptFollowers& kept = kept_followers();
  const std::lock_guard lock(kept.mutex);
  kept.both[1] = std::move(kept.both[0]);
  kept.both[0] = {from.states, temperature, tokens};
}

/// After every token. Computes the logits of a few tokens at a time, to save the memory for T · V.
base::Status compute_followers(const LogitSource& from, double temperature, int top, const Progress& progress,
                               EachToken& out) {
  constexpr int rows_at_once = 32;
  Matrix logits;
  for (int first = 0; first < from.T; first += rows_at_once) {
    const int rows = std::min(rows_at_once, from.T - first);
    if (progress && !progress(static_cast<float>(first) / static_cast<float>(from.T)))
      return base::Error{given_up};
    if (const base::Status status = from.logits(first, rows, logits); !status) return status;
    for (int r = 0; r < rows; ++r) {
      const int t = first + r;
      const bool last = t + 1 == from.T;
      const int next = last ? -1 : from.ids[static_cast<size_t>(t) + 1];
      const auto one = nn::continued(logits.row(r), {t, next}, top, temperature);
      if (!one && last) {  // nothing follows that could have a loss
        out.top.emplace_back();
        continue;
      }
      if (!one) return base::Error{not_finite(t)};
      if (!last) out.followers.push_back(one->follower);
      out.top.push_back(one->ranking.top);
    }
  }
  return {};
}

/// The last predictions: showing another head or layer does not change them.
struct Requested {
  int position = 0;
  double temperature = 0, top_p = 0;
  int top_k = 0;
  std::string off;
  bool operator==(const Requested&) const = default;
};
struct KeptPredictions {
  std::mutex mutex;
  std::weak_ptr<const HiddenStates> states;
  Requested requested;
  Predictions predictions;
};
KeptPredictions& kept_predictions() {
  static KeptPredictions kept;
  return kept;
}

/// Takes kept followers or computes them, with `top` tokens after each, and sets their mean loss. The states
/// of a run are always taken with the same `top`.
base::Status followers_of(const LogitSource& from, double temperature, int top, const Progress& progress,
                          EachToken& out, double& mean_loss) {
  if (!take_kept(from, temperature, out)) {
    if (const base::Status done = compute_followers(from, temperature, top, progress, out); !done)
      return done;
    keep(from, temperature, out);
  }
  double sum = 0;
  for (const nn::Follower& one : out.followers) sum += one.loss;
  mean_loss = out.followers.empty() ? std::numeric_limits<double>::quiet_NaN()
                                    : sum / static_cast<double>(out.followers.size());
  return {};
}

base::Status look_at_followers(const LogitSource& from, const Progress& progress, Predictions& out) {
  EachToken each;
  if (const base::Status done =
          followers_of(from, out.temperature, most_after_each, progress, each, out.mean_loss);
      !done)
    return done;
  out.followers = std::move(each.followers);
  for (const auto& top : each.top) {
    std::vector<PredictedToken>& tokens = out.after_each.emplace_back();
    for (const nn::TokenProbability& one : top) tokens.push_back(predicted(from, one));
  }
  if (out.position < static_cast<int>(out.followers.size())) {
    out.truth = out.followers[static_cast<size_t>(out.position)];
    out.truth_text = from.text(out.truth->next);
  }
  return {};
}

base::Status look_through_layers(const LogitSource& from, Predictions& out) {
  Matrix logits;
  if (const base::Status status = from.lens(out.position, logits); !status) return status;
  for (int l = 0; l < from.layers; ++l) {
    LensLayer& layer = out.lens.emplace_back();
    const std::span<const float> row = logits.row(l);
    if (const base::Status status = most_probable_at(from, row, out.position, out.temperature, layer.top);
        !status)
      return status;
    if (out.truth) layer.truth = nn::follower(row, out.position, out.truth->next, out.temperature);
  }
  out.lens.push_back({out.top, out.truth});
  return {};
}

/// The same with changed heads, whose logits are `after`.
base::Status look_at_change(const Scene& scene, const LogitSource& after, bool causal,
                            const Progress& progress, Predictions& out) {
  ChangedPredictions changed;
  Matrix logits;
  if (const base::Status status = after.logits(out.position, 1, logits); !status) return status;
  if (const base::Status status =
          most_probable_at(after, logits.row(0), out.position, out.temperature, changed.top);
      !status)
    return status;
  const std::vector<double> all = nn::probabilities_of(logits.row(0), out.temperature);
  for (const PredictedToken& one : out.top) changed.after.push_back(all[static_cast<size_t>(one.id)]);
  if (causal) {
    EachToken each;
    if (const base::Status status =
            followers_of(after, out.temperature, 0, progress, each, changed.mean_loss);
        !status)
      return status;
    changed.followers = std::move(each.followers);
  }
  out.drawn = drawn_from(scene, logits.row(0), changed.top);
  out.changed = std::move(changed);
  return {};
}

/// The pinned query, or the last token.
int position_of(const Scene& scene, int T) {
  const int requested = pinned(scene, T, T).detail_query;
  return requested >= 0 ? requested : T - 1;
}

/// Makes the source of a model with changed heads.
using ChangedSource = std::function<base::Result<LogitSource>(const std::vector<nn::HeadFactor>& factors)>;

Predictions predict(const Scene& scene, const LogitSource& from, bool causal, std::span<const int> heads,
                    const ChangedSource& changed, const Progress& progress) {
  Predictions out;
  out.causal = causal, out.temperature = scene.model.temperature;
  out.position = position_of(scene, from.T);
  base::Status done = look_at_position(scene, from, out);
  if (done) done = causal ? look_at_followers(from, progress, out) : look_at_masks(from, out);
  if (done) done = look_through_layers(from, out);
  if (done) {
    const auto factors = heads_off(scene.model.off, heads);
    if (!factors) {
      out.change_problem = factors.error();
    } else if (!factors->empty()) {
      const auto after = changed(*factors);
      done = after ? look_at_change(scene, *after, causal, progress, out)
                   : base::Status(base::Error{after.error()});
      if (out.changed) out.changed->heads = *factors;
    }
  }
  if (!done) {
    out = {};
    out.none = done.error();
  }
  return out;
}

Predictions without(std::string why) {
  Predictions out;
  out.none = std::move(why);
  return out;
}

/// Did its training teach it to predict the next token?
bool predicts_next(const TrainedModel& model) {
  for (const TrainingTask task : {TrainingTask::english, TrainingTask::text, TrainingTask::induction}) {
    if (model.task == Words<TrainingTask>::list[static_cast<int>(task)]) return model.config.causal;
  }
  return false;
}

}  // namespace

std::string cannot_predict(const TrainedModel& model, int tokens) {
  if (!model.not_finite.empty()) return "the model: " + model.not_finite;
  if (!predicts_next(model))
    return "this model was trained on the task " + model.task + ": it does not predict the next token";
  const bool table = model.config.positions == nn::ModelPositions::learned;
  const int most = table ? std::min(most_own_tokens, model.config.context) : most_own_tokens;
  if (tokens > most)
    return "predictions are computed for up to " + std::to_string(most) + " tokens; this sentence has " +
           std::to_string(tokens);
  return {};
}

Predictions predictions_of(const Scene& scene, const OtherModel& other, const std::vector<int>& pieces,
                           const std::shared_ptr<const HiddenStates>& states, base::Parallel& parallel,
                           const Progress& progress) {
  const nn::Network& network = other.model->network;
  if (other.model->weights.head.w.empty())
    return without(other.model->name + " was saved without a head over its vocabulary");
  if (states->empty()) return without("the text is too long for the hidden states of all layers");
  const auto changed = [&](const std::vector<nn::HeadFactor>& factors) -> base::Result<LogitSource> {
    const auto after = changed_states(other, pieces, factors, parallel, progress);
    if (!after) return base::Error{after.error()};
    return other_source(other, pieces, *after, parallel);
  };
  const ModelPageSettings& set = scene.model;
  const Requested requested{position_of(scene, static_cast<int>(pieces.size())), set.temperature, set.top_p,
                            set.top_k, set.off};
  KeptPredictions& kept = kept_predictions();
  {
    const std::lock_guard lock(kept.mutex);
    if (kept.states.lock() == states && kept.requested == requested) return kept.predictions;
  }
  Predictions out = predict(scene, other_source(other, pieces, states, parallel), network.causal,
                            heads_of_layers(other), changed, progress);
  if (!out.none.empty()) return out;
  const std::lock_guard lock(kept.mutex);
  kept.states = states, kept.requested = requested, kept.predictions = out;
  return out;
}

Predictions predictions_of(const Scene& scene, const TrainedModel& model,
                           const std::vector<nn::Token>& tokens, base::Parallel& parallel) {
  const int T = static_cast<int>(tokens.size());
  if (std::string why = cannot_predict(model, T); !why.empty()) return without(std::move(why));
  nn::Batch batch;
  batch.B = 1, batch.T = T;
  for (const nn::Token& token : tokens) batch.tokens.push_back(token.piece);
  nn::ModelTrace trace, changed_trace;
  nn::model_forward(model.config, model.weights, batch, parallel, trace);
  const auto changed = [&](const std::vector<nn::HeadFactor>& factors) -> base::Result<LogitSource> {
    nn::model_forward(model.config, with_factors(model, factors), batch, parallel, changed_trace);
    return own_source(model, changed_trace, batch.tokens);
  };
  return predict(scene, own_source(model, trace, batch.tokens), true, heads_of_layers(model), changed, {});
}

}  // namespace headlight::scene
