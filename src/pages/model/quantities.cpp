// The quantities of the page: its numbers by name.
#include "pages/model/atlas.h"
#include "pages/quantity_values.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;
using S = const QuantitySource&;

const Atlas* atlas_in(S s) {
  const auto* r = s.results.own_as<AtlasResults>();
  return r && r->atlas->layers() > 0 ? r->atlas.get() : nullptr;
}

/// Of the head that the arguments name, or of the one that is shown.
template <class Pick>
double of_head(Q q, S s, Pick pick) {
  const Atlas* atlas = atlas_in(s);
  if (!atlas) return no_value;
  const HeadPlace shown = shown_head(s.scene, s.results, *atlas);
  const HeadPlace at{q.number("layer", shown.layer + 1) - 1, q.number("head", shown.head + 1) - 1};
  return atlas->has(at) ? pick(atlas->of(at)) : no_value;
}

template <ModelScore score>
double score_of(Q q, S s) {
  return of_head(q, s, [](const HeadMeasure& head) { return head.score(score); });
}

/// Of the head that the page's score puts first; NaN where no head has such a score.
template <class Pick>
double of_first(S s, Pick pick) {
  const Atlas* atlas = atlas_in(s);
  if (!atlas) return no_value;
  const ModelScore score = s.scene.model.score;
  const HeadPlace at = atlas->by(score).front();
  const double value = atlas->of(at).score(score);
  return std::isnan(value) ? no_value : pick(at, value);
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"model_layers", "Layers of the model", whole_form, "", "layers whose heads are shown",
     [](Q, S s) { return atlas_in(s) ? double(atlas_in(s)->layers()) : no_value; }},
    {"model_heads", "Heads of the model", whole_form, "", "heads of all layers together",
     [](Q, S s) { return atlas_in(s) ? double(atlas_in(s)->all_heads()) : no_value; }},
    {"model_previous", "Mean weight on the previous token", decimals(2), "layer head",
     "mean weight on the key before the query", score_of<ModelScore::previous>},
    {"model_first", "Mean weight on the first token", decimals(2), "layer head",
     "mean weight of the other queries on the first key", score_of<ModelScore::first>},
    {"model_itself", "Mean weight on itself", decimals(2), "layer head",
     "mean weight of a query on its own token position", score_of<ModelScore::itself>},
    {"model_same_token", "Mean weight on the same token elsewhere", decimals(2), "layer head",
     "mean weight on other positions of the query's token; of the queries whose token occurs twice",
     score_of<ModelScore::same_token>},
    {"model_induction", "Mean weight after the last earlier copy", decimals(2), "layer head",
     "mean weight on the key after the last earlier position of the query's token (prefix matching)",
     score_of<ModelScore::induction>},
    {"model_entropy", "Mean entropy", decimals(2), "layer head", "mean entropy of a query's weights, in bits",
     score_of<ModelScore::entropy>, "bits"},
    {"model_best", "Score of the head that comes first", decimals(2), "",
     "the largest of the chosen score over all heads; the smallest entropy",
     [](Q, S s) { return of_first(s, [](HeadPlace, double value) { return value; }); }},
    {"model_best_layer", "Layer of the head that comes first", whole_form, "",
     "layer of that head, counted from 1",
     [](Q, S s) { return of_first(s, [](HeadPlace at, double) { return double(at.layer + 1); }); }},
    {"model_best_head", "Head that comes first", whole_form, "", "number of that head, counted from 1",
     [](Q, S s) { return of_first(s, [](HeadPlace at, double) { return double(at.head + 1); }); }},
};

}  // namespace

std::span<const QuantityInfo> model_quantities() {
  return list;
}

}  // namespace headlight::scene
