#include "pages/model/predictions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>

#include "models/opened_model.h"
#include "nn/block.h"
#include "nn/model.h"
#include "nn/network.h"
#include "pages/opened_attention.h"
#include "scene/other_model.h"
#include "scene/pinned.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

using nn::Matrix;
using std::size_t;

constexpr int most_own_tokens = 256;

/// How a model's numbers are asked for, whoever has made it.
struct Source {
  int layers = 0, T = 0;
  std::vector<int> ids;                        // [T]
  std::shared_ptr<const HiddenStates> states;  // of a kept run; null: nothing of it is kept
  std::function<std::string(int id)> text;
  /// Logits [rows, V] of the states after all layers; of the states [1, D] at a position after `layer`
  /// layers.
  std::function<base::Status(int first, int rows, Matrix& logits)> logits;
  std::function<base::Status(int layer, int position, Matrix& logits)> lens;
};

PredictedToken predicted(const Source& from, const nn::TokenProbability& one) {
  return {one.id, one.probability, from.text(one.id)};
}

std::string not_finite(int position) {
  return "no logit after token " + std::to_string(position) + " is finite";
}

/// The ten at the position, and the token that follows it.
base::Status look_at_position(const Source& from, Predictions& out) {
  Matrix logits;
  if (const base::Status status = from.logits(out.position, 1, logits); !status) return status;
  out.vocabulary = logits.cols();
  const auto ranking = nn::ranking(logits.row(0), out.position, most_predicted, out.temperature);
  if (!ranking) return base::Error{not_finite(out.position)};
  for (const nn::TokenProbability& one : ranking->top) out.top.push_back(predicted(from, one));
  return {};
}

/// The followers of the last sentence: they need the logits of all its tokens, and do not depend on the one
/// that is pinned.
struct KeptFollowers {
  std::mutex mutex;
  std::weak_ptr<const HiddenStates> states;
  double temperature = 0;
  std::vector<nn::Follower> followers;
};
KeptFollowers& kept_followers() {
  static KeptFollowers kept;
  return kept;
}

bool take_kept(const Source& from, Predictions& out) {
  KeptFollowers& kept = kept_followers();
  const std::lock_guard lock(kept.mutex);
  if (!from.states || kept.states.lock() != from.states || kept.temperature != out.temperature) return false;
  out.followers = kept.followers;
  return true;
}

void keep(const Source& from, const Predictions& out) {
  if (!from.states) return;
  KeptFollowers& kept = kept_followers();
  const std::lock_guard lock(kept.mutex);
  kept.states = from.states, kept.temperature = out.temperature, kept.followers = out.followers;
}

/// After every token but the last. The logits of some tokens at a time, so that T · V of them need no room.
base::Status compute_followers(const Source& from, const Progress& progress, Predictions& out) {
  constexpr int rows_at_once = 32;
  Matrix logits;
  for (int first = 0; first + 1 < from.T; first += rows_at_once) {
    const int rows = std::min(rows_at_once, from.T - 1 - first);
    if (progress && !progress(static_cast<float>(first) / static_cast<float>(from.T)))
      return base::Error{given_up};
    if (const base::Status status = from.logits(first, rows, logits); !status) return status;
    for (int r = 0; r < rows; ++r) {
      const int t = first + r;
      const auto one = nn::follower(logits.row(r), t, from.ids[static_cast<size_t>(t) + 1], out.temperature);
      if (!one) return base::Error{not_finite(t)};
      out.followers.push_back(*one);
    }
  }
  return {};
}

base::Status look_at_followers(const Source& from, const Progress& progress, Predictions& out) {
  if (!take_kept(from, out)) {
    if (const base::Status done = compute_followers(from, progress, out); !done) return done;
    keep(from, out);
  }
  double sum = 0;
  for (const nn::Follower& one : out.followers) sum += one.loss;
  out.mean_loss = out.followers.empty() ? std::numeric_limits<double>::quiet_NaN()
                                        : sum / static_cast<double>(out.followers.size());
  if (out.position < static_cast<int>(out.followers.size())) {
    out.truth = out.followers[static_cast<size_t>(out.position)];
    out.truth_text = from.text(out.truth->next);
  }
  return {};
}

base::Status look_through_layers(const Source& from, Predictions& out) {
  Matrix logits;
  for (int l = 0; l <= from.layers; ++l) {
    if (const base::Status status = from.lens(l, out.position, logits); !status) return status;
    const auto ranking = nn::ranking(logits.row(0), out.position, 1, out.temperature);
    if (!ranking) return base::Error{not_finite(out.position)};
    out.lens.push_back(predicted(from, ranking->top.front()));
  }
  return {};
}

Predictions predict(const Scene& scene, const Source& from, bool causal, const Progress& progress) {
  Predictions out;
  out.causal = causal, out.temperature = scene.model.temperature;
  const int asked = pinned(scene, from.T, from.T).asked;
  out.position = asked >= 0 ? asked : from.T - 1;
  base::Status done = look_at_position(from, out);
  if (done && causal) done = look_at_followers(from, progress, out);
  if (done) done = look_through_layers(from, out);
  if (!done) {
    out = {};
    out.none = done.error();
  }
  return out;
}

Matrix rows_of(const Matrix& all, int first, int count) {
  Matrix out(count, all.cols());
  std::copy_n(all.row(first).data(), out.size(), out.data());
  return out;
}

Predictions without(std::string why) {
  Predictions out;
  out.none = std::move(why);
  return out;
}

/// x [n, D] after the final norm, times the head: what the end of model_forward() does.
void own_logits(const TrainedModel& model, const Matrix& x, Matrix& logits) {
  const int V = model.config.vocabulary, D = model.config.d_model;
  logits.resize(x.rows(), V);
  for (int t = 0; t < x.rows(); ++t) {
    for (int v = 0; v < V; ++v) {
      double sum = 0;
      for (int c = 0; c < D; ++c) {
        const float w = model.config.tied ? model.weights.wte.at(v, c) : model.weights.w_head.at(c, v);
        sum += static_cast<double>(x.at(t, c)) * static_cast<double>(w);
      }
      logits.at(t, v) = static_cast<float>(sum);
    }
  }
}

/// Did it learn to predict the next token?
bool predicts_next(const TrainedModel& model) {
  for (const TrainingTask task : {TrainingTask::english, TrainingTask::text, TrainingTask::induction}) {
    if (model.task == Words<TrainingTask>::list[static_cast<int>(task)]) return model.config.causal;
  }
  return false;
}

}  // namespace

Predictions predictions_of(const Scene& scene, const OtherModel& other, const std::vector<int>& pieces,
                           const std::shared_ptr<const HiddenStates>& kept_states, base::Parallel& parallel,
                           const Progress& progress) {
  const HiddenStates& states = *kept_states;
  const nn::Network& network = other.model->network;
  const nn::NetworkWeights& weights = other.model->weights;
  if (weights.head.w.empty())
    return without(other.model->name + " has no head over a vocabulary: it predicts no token");
  if (states.empty()) return without("the text is too long for the hidden states of all layers");
  Source from;
  from.layers = layers_of(other), from.T = static_cast<int>(pieces.size()), from.ids = pieces,
  from.states = kept_states;
  from.text = [&](int id) { return other.shown(id); };
  from.logits = [&](int first, int rows, Matrix& logits) {
    return nn::network_logits(network, weights, rows_of(states.back(), first, rows), true, parallel, logits);
  };
  from.lens = [&](int layer, int position, Matrix& logits) {
    return nn::network_logits(network, weights, rows_of(states[static_cast<size_t>(layer)], position, 1),
                              layer == from.layers, parallel, logits);
  };
  return predict(scene, from, network.causal, progress);
}

Predictions predictions_of(const Scene& scene, const TrainedModel& model,
                           const std::vector<nn::Token>& tokens, base::Parallel& parallel) {
  if (!model.not_finite.empty()) return without("the model: " + model.not_finite);
  if (!predicts_next(model))
    return without("this model was trained on the task " + model.task +
                   ": it does not predict the next token");
  const int T = static_cast<int>(tokens.size());
  const bool table = model.config.positions == nn::ModelPositions::learned;
  const int most = table ? std::min(most_own_tokens, model.config.context) : most_own_tokens;
  if (T > most)
    return without("predictions are computed for up to " + std::to_string(most) +
                   " tokens; this sentence has " + std::to_string(T));
  nn::Batch batch;
  batch.B = 1, batch.T = T;
  for (const nn::Token& token : tokens) batch.tokens.push_back(token.piece);
  nn::ModelTrace trace;
  nn::model_forward(model.config, model.weights, batch, parallel, trace);
  Source from;
  from.layers = model.config.layers, from.T = T, from.ids = batch.tokens;
  from.text = [&](int id) {
    std::string text = model.encoder->vocabulary().texts[static_cast<size_t>(id)];
    if (text == " ") text = "␣";
    return text;
  };
  from.logits = [&](int first, int rows, Matrix& logits) {
    logits = rows_of(trace.logits, first, rows);
    return base::Status();
  };
  from.lens = [&](int layer, int position, Matrix& logits) {
    if (layer == from.layers) {
      logits = rows_of(trace.logits, position, 1);
      return base::Status();
    }
    Matrix x = rows_of(trace.input(layer), position, 1);
    if (model.config.norm != nn::NormPlace::none)
      nn::layer_norm(x, model.weights.stack.lnf_g, model.weights.stack.lnf_b, model.config.eps, x);
    own_logits(model, x, logits);
    return base::Status();
  };
  return predict(scene, from, true, {});
}

}  // namespace headlight::scene
