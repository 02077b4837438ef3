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

/// NaN where nothing is predicted.
template <class Pick>
double of_predictions(S s, Pick pick) {
  const auto* r = s.results.own_as<AtlasResults>();
  return r && r->predictions.none.empty() && !r->predictions.top.empty() ? pick(r->predictions) : no_value;
}

/// Of the token that follows a position in the text: of the argument, or of the position on show.
template <class Pick>
double of_follower(Q q, S s, Pick pick) {
  return of_predictions(s, [&](const Predictions& p) {
    const int at = q.number("query", p.position);
    const bool there = at >= 0 && static_cast<std::size_t>(at) < p.followers.size();
    return there ? static_cast<double>(pick(p.followers[static_cast<std::size_t>(at)])) : no_value;
  });
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
    {"model_next_probability", "Probability of a predicted token", weight_form(3), "rank",
     "probability of the most probable token at the position that is shown, or of another rank up to 10",
     [](Q q, S s) {
       return of_predictions(s, [&](const Predictions& p) {
         const int rank = q.number("rank", 1);
         return rank >= 1 && static_cast<std::size_t>(rank) <= p.top.size()
                    ? p.top[static_cast<std::size_t>(rank) - 1].probability
                    : no_value;
       });
     }},
    {"model_true_probability", "Probability of the token that follows", weight_form(3), "query",
     "probability that the model gives to the token that follows in the sentence",
     [](Q q, S s) { return of_follower(q, s, [](auto& one) { return one.probability; }); }},
    {"model_true_rank", "Rank of the token that follows", whole_form, "query",
     "its position among all tokens by probability, counted from 1",
     [](Q q, S s) { return of_follower(q, s, [](auto& one) { return one.rank; }); }},
    {"model_loss", "Loss of the token that follows", decimals(2), "query", "−ln of its probability",
     [](Q q, S s) { return of_follower(q, s, [](auto& one) { return one.loss; }); }, "nats"},
    {"model_mean_loss", "Mean loss", decimals(2), "", "mean loss of all tokens but the first",
     [](Q, S s) { return of_predictions(s, [](auto& p) { return p.mean_loss; }); }, "nats"},
    {"model_lens_probability", "Probability after some layers", weight_form(2), "layers",
     "probability of the most probable token when the head is applied after so many layers",
     [](Q q, S s) {
       return of_predictions(s, [&](const Predictions& p) {
         const int at = q.number("layers", static_cast<int>(p.lens.size()) - 1);
         return at >= 0 && static_cast<std::size_t>(at) < p.lens.size()
                    ? p.lens[static_cast<std::size_t>(at)].probability
                    : no_value;
       });
     }},
};

}  // namespace

std::span<const QuantityInfo> model_quantities() {
  return list;
}

}  // namespace headlight::scene
