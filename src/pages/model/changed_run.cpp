#include "pages/model/changed_run.h"

#include <mutex>

#include "models/opened_model.h"
#include "pages/opened_attention.h"

namespace headlight::scene {

namespace {

/// The last run with changed heads, with its model and tokens.
struct KeptChange {
  std::mutex mutex;
  std::weak_ptr<const models::OpenedModel> model;
  std::vector<int> pieces;
  std::vector<nn::HeadFactor> factors;
  std::shared_ptr<const HiddenStates> states;
};
KeptChange& kept_change() {
  static KeptChange kept;
  return kept;
}

}  // namespace

std::vector<int> heads_of_layers(const OtherModel& other) {
  std::vector<int> heads;
  for (const nn::NetworkLayer& layer : other.model->network.layers) heads.push_back(layer.heads);
  return heads;
}

std::vector<int> heads_of_layers(const TrainedModel& model) {
  return std::vector<int>(static_cast<std::size_t>(model.config.layers), model.config.heads);
}

base::Result<std::shared_ptr<const HiddenStates>> changed_states(const OtherModel& other,
                                                                 const std::vector<int>& pieces,
                                                                 const std::vector<nn::HeadFactor>& factors,
                                                                 base::Parallel& parallel,
                                                                 const Progress& progress) {
  KeptChange& kept = kept_change();
  {
    const std::lock_guard lock(kept.mutex);
    if (kept.states && kept.model.lock() == other.model && kept.pieces == pieces && kept.factors == factors)
      return kept.states;
  }
  nn::NetworkTrace pass;
  bool wanted = true;
  const nn::NetworkKeeps keeps{.attentions = false, .states = true, .projections = false, .logits = false};
  const base::Status done = nn::network_forward(
      other.model->network, other.model->weights, {.ids = pieces, .factors = factors}, parallel, pass, keeps,
      [&](float part) { return wanted = !progress || progress(part); });
  if (!wanted) return base::Error{given_up};
  if (!done) return base::Error{other.model->path.string() + ": " + done.error()};
  // Predictions are made only from the last state; the others are freed.
  HiddenStates last;
  last.push_back(std::move(pass.states.back()));
  const auto states = std::make_shared<const HiddenStates>(std::move(last));
  const std::lock_guard lock(kept.mutex);
  kept.model = other.model, kept.pieces = pieces, kept.factors = factors, kept.states = states;
  return states;
}

void forget_changed_run() {
  KeptChange& kept = kept_change();
  const std::lock_guard lock(kept.mutex);
  kept.model.reset(), kept.pieces.clear(), kept.factors.clear(), kept.states.reset();
}

nn::ModelWeights with_factors(const TrainedModel& model, const std::vector<nn::HeadFactor>& factors) {
  nn::ModelWeights out = model.weights;
  const int d = model.config.d_model / model.config.heads;
  for (const nn::HeadFactor& one : factors) {
    nn::Matrix& w_o = out.stack.layers[static_cast<std::size_t>(one.layer)].attention.w_o;
    for (int row = one.head * d; row < (one.head + 1) * d; ++row) {
      for (float& value : w_o.row(row)) value *= static_cast<float>(one.factor);
    }
  }
  return out;
}

}  // namespace headlight::scene
