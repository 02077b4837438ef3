#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>

#include "pages/model/atlas.h"
#include "pages/model/changed_run.h"
#include "pages/model/check.h"
#include "pages/model/head_details.h"
#include "pages/opened_attention.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/layer_input.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/trained_model.h"

namespace headlight::scene {

std::vector<Table> model_tables();
std::span<const QuantityInfo> model_quantities();
std::string model_why_none(const Quantity& quantity, const QuantitySource& from);

namespace {

PageUses uses(const Scene& scene) {
  // A model of another program has its own positions, scale and mask; saved attention cannot change.
  const bool free = !other_model(scene) && !saved_attention(scene);
  PageUses out{.model = PageUses::Model::layer, .positions = free, .scores = free, .pins = true};
  const bool components = scene.model.detail == ModelDetail::components;
  out.shown_query = scene.weights != WeightsSource::random || components;  // predictions are for one token
  out.shown_key = components;
  out.compares = !scene.model.beside.empty();
  return out;
}

Predictions predict(const Scene& scene, const ModelRun& run, base::Parallel& parallel,
                    const Progress& progress, const Results& results) {
  if (const auto other = shown_other_model(scene)) {
    std::vector<int> pieces;
    for (const nn::Token& token : results.tokens) pieces.push_back(token.piece);
    return predictions_of(scene, *other, pieces, run.states, parallel, progress);
  }
  if (const auto model = usable_model(scene)) return predictions_of(scene, *model, results.tokens, parallel);
  Predictions out;
  if (shown_saved_attention(scene)) {
    out.none = "saved attention predicts nothing: the file holds no weights of the model";
    return out;
  }
  out.none = "random weights have learned nothing to predict: choose a trained model, or open one";
  return out;
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress& progress, Results& results) {
  auto out = std::make_shared<AtlasResults>();
  // Three parts, each with its share of the progress.
  constexpr float atlas_share = 0.6f, predicted_share = 0.2f;
  const auto part = [&](float from, float share) -> Progress {
    if (!progress) return {};
    return [&progress, from, share](float done) { return progress(from + share * done); };
  };
  const auto run = compute_atlas(scene, parallel, part(0, atlas_share), results);
  if (!run && run.error() == given_up) return;
  out->atlas = run ? run->atlas : std::make_shared<const Atlas>();
  if (!run) out->problem = run.error();
  out->details = head_details(scene, results.attention, parallel);
  if (run && out->atlas->layers() > 0) {
    out->predictions = predict(scene, *run, parallel, part(atlas_share, predicted_share), results);
    if (out->predictions.none == given_up) return;
    out->check = compute_check(
        scene, parallel, part(atlas_share + predicted_share, 1 - atlas_share - predicted_share), results);
    if (out->check && out->check->problem == given_up) return;
  }
  results.own = std::move(out);
}

void forget_runs() {
  forget_model_run();
  forget_changed_run();
}

/// The page's own settings; "model" is already the heading of d, heads and weights. Random weights predict
/// nothing that could be sampled.
const char* heading(const Field& field, const Scene& scene) {
  constexpr std::string_view of_sampling[] = {"model_temperature", "model_top_k", "model_top_p",
                                              "model_seed"};
  const bool sampling =
      std::find(std::begin(of_sampling), std::end(of_sampling), field.name) != std::end(of_sampling);
  if (sampling && scene.weights == WeightsSource::random) return "";
  return field.group == Group::own ? "heads and predictions" : nullptr;
}

std::string problem(const Field& field, const Results& results) {
  const auto* r = results.own_as<AtlasResults>();
  if (!r) return {};
  const std::string_view name = field.name;
  if (name == "model_beside") return r->check ? r->check->problem : std::string();
  if (name != "model_off" || results.scene.model.off.empty()) return {};
  return r->predictions.none.empty() ? r->predictions.change_problem : "not used: " + r->predictions.none;
}

constexpr ArgumentInfo arguments[] = {
    {.name = "axis", .noun = "principal axis", .nouns = "principal axes"},
    {.name = "mask", .noun = "mask token"},
    {.name = "layers", .noun = "state after layer", .nouns = "states after layers"}};

constexpr const char* of_pairs[] = {"model_previous",      "model_first", "model_uniform_previous",
                                    "model_uniform_first", "model_best",  "model_best_layer",
                                    "model_best_head"};

constexpr ArgumentDefault defaults[] = {{"axis", "1"}, {"mask", "1"}, {"rank", "1"}};

}  // namespace

const PageRoom model_room{
    .page = Page::model,
    .group = PageGroup::explore,
    .title = "Model",
    .about = "the attention of every head of every layer, and what each head attends to",
    .uses = uses,
    .heading = heading,
    .problem = problem,
    .compute = compute,
    .work = atlas_work,
    .forget = forget_runs,
    .tables = model_tables,
    .quantities = model_quantities,
    .arguments = arguments,
    .defaults = defaults,
    .why_none = model_why_none,
    .of_pairs = of_pairs,
    .heads_card = "atlas",
};

}  // namespace headlight::scene
