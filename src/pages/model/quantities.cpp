// The quantities of the page: its numbers by name.
#include "pages/model/atlas.h"
#include "pages/quantity_values.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;
using S = const QuantitySource&;

/// A number of the head that the arguments name, or of the head on show.
template <class Pick>
double of_head(Q q, S s, Pick pick) {
  const Atlas* atlas = atlas_in(s);
  if (!atlas) return no_value;
  const HeadPlace shown = shown_head(s.scene, s.results, *atlas);
  const HeadPlace at{q.number("layer", shown.layer + 1) - 1, q.number("head", shown.head + 1) - 1};
  return atlas->has(at) ? pick(atlas->of(at)) : no_value;
}

/// A number of one of the heads that are most similar to that head.
template <class Pick>
double of_alike(Q q, S s, Pick pick) {
  const Atlas* atlas = atlas_in(s);
  if (!atlas) return no_value;
  const HeadPlace shown = shown_head(s.scene, s.results, *atlas);
  const auto* others =
      atlas->alike.heads({q.number("layer", shown.layer + 1) - 1, q.number("head", shown.head + 1) - 1});
  const int place = q.number("rank", 1) - 1;
  return others && place >= 0 && static_cast<std::size_t>(place) < others->size()
             ? pick((*others)[static_cast<std::size_t>(place)])
             : no_value;
}

template <ModelScore score>
double score_of(Q q, S s) {
  return of_head(q, s, [](const HeadMeasure& head) { return head.score(score); });
}

/// The score of uniform attention in the layer of the argument, or of the head on show.
template <ModelScore score>
double score_of_uniform(Q q, S s) {
  const Atlas* atlas = atlas_in(s);
  if (!atlas) return no_value;
  const int layer = q.number("layer", shown_head(s.scene, s.results, *atlas).layer + 1) - 1;
  return layer >= 0 && layer < atlas->layers() ? atlas->uniform[static_cast<std::size_t>(layer)].score(score)
                                               : no_value;
}

/// A number of the head that the page's score ranks first; NaN when no head has this score.
template <class Pick>
double of_first(S s, Pick pick) {
  const Atlas* atlas = atlas_in(s);
  if (!atlas) return no_value;
  const ModelScore score = s.scene.model.score;
  const HeadPlace at = atlas->by(score).front();
  const double value = atlas->of(at).score(score);
  return std::isnan(value) ? no_value : pick(at, value);
}

/// A number of the predictions; NaN when nothing is predicted.
template <class Pick>
double of_predictions(S s, Pick pick) {
  const auto* r = s.own<AtlasResults>();
  return r && r->predictions.none.empty() && !r->predictions.top.empty() ? pick(r->predictions) : no_value;
}

/// A number of the token that follows a position: the argument's, or the one on show.
template <class Pick>
double of_follower(Q q, S s, Pick pick) {
  return of_predictions(s, [&](const Predictions& p) {
    const int at = q.number("query", p.position);
    const bool there = at >= 0 && static_cast<std::size_t>(at) < p.followers.size();
    return there ? static_cast<double>(pick(p.followers[static_cast<std::size_t>(at)])) : no_value;
  });
}

/// A number of one of the most probable tokens after a query.
template <class Pick>
double of_likely(Q q, S s, Pick pick) {
  return of_predictions(s, [&](const Predictions& p) {
    const int at = q.number("query", p.position), place = q.number("rank", 1) - 1;
    if (at < 0 || static_cast<std::size_t>(at) >= p.after_each.size()) return no_value;
    const auto& top = p.after_each[static_cast<std::size_t>(at)];
    return place >= 0 && static_cast<std::size_t>(place) < top.size()
               ? pick(top[static_cast<std::size_t>(place)])
               : no_value;
  });
}

/// A number of the changed predictions; NaN when no head is changed.
template <class Pick>
double of_change(S s, Pick pick) {
  return of_predictions(s, [&](const Predictions& p) { return p.changed ? pick(p, *p.changed) : no_value; });
}

/// A number of one of the ten most probable tokens, by its rank.
template <class Pick>
double of_rank(Q q, S s, Pick pick) {
  return of_predictions(s, [&](const Predictions& p) { return pick(p, q.number("rank", 1) - 1); });
}

template <class Pick>
double of_changed_follower(Q q, S s, Pick pick) {
  return of_change(s, [&](const Predictions& p, const ChangedPredictions& changed) {
    const int at = q.number("query", p.position);
    const bool there = at >= 0 && static_cast<std::size_t>(at) < changed.followers.size();
    return there ? static_cast<double>(pick(p.followers[static_cast<std::size_t>(at)],
                                            changed.followers[static_cast<std::size_t>(at)]))
                 : no_value;
  });
}

double probability_at(const std::vector<PredictedToken>& top, int place) {
  return place >= 0 && static_cast<std::size_t>(place) < top.size()
             ? top[static_cast<std::size_t>(place)].probability
             : no_value;
}

/// The lens after the number of layers in the argument, or after all; null: there are fewer.
const LensLayer* lens_of(Q q, const Predictions& p) {
  const int at = q.number("layers", static_cast<int>(p.lens.size()) - 1);
  return at >= 0 && static_cast<std::size_t>(at) < p.lens.size() ? &p.lens[static_cast<std::size_t>(at)]
                                                                 : nullptr;
}

template <class Pick>
double of_lens_truth(Q q, S s, Pick pick) {
  return of_predictions(s, [&](const Predictions& p) {
    const LensLayer* layer = lens_of(q, p);
    return layer && layer->truth ? static_cast<double>(pick(*layer->truth)) : no_value;
  });
}

/// A number of a head of the layer on show; NaN without its components.
template <class Pick>
double of_components(Q q, S s, Pick pick) {
  const auto* r = s.own<AtlasResults>();
  const int head = head_of(q, s);
  if (!r || head < 0 || static_cast<std::size_t>(head) >= r->details.components.size()) return no_value;
  return pick(r->details.components[static_cast<std::size_t>(head)]);
}

/// The component of this rank; null: RoPE does not rotate it.
const TurnedComponent* turned_component(Q q, S s) {
  const auto* r = s.own<AtlasResults>();
  const int head = head_of(q, s), rank = q.number("rank", 1) - 1;
  if (!r || head < 0 || static_cast<std::size_t>(head) >= r->details.components.size()) return nullptr;
  const std::vector<int>& order = r->details.components[static_cast<std::size_t>(head)].order;
  if (rank < 0 || static_cast<std::size_t>(rank) >= order.size()) return nullptr;
  const auto component = static_cast<std::size_t>(order[static_cast<std::size_t>(rank)]);
  if (component >= r->details.turned.size() || r->details.turned[component].pair < 0) return nullptr;
  return &r->details.turned[component];
}

double plane_share(Q q, S s) {
  const auto* r = s.own<AtlasResults>();
  const int head = head_of(q, s), axis = q.number("axis", 1);
  if (!r || head < 0 || static_cast<std::size_t>(head) >= r->details.planes.size() || axis < 1 || axis > 2)
    return no_value;
  return r->details.planes[static_cast<std::size_t>(head)].share[static_cast<std::size_t>(axis) - 1];
}

/// A number of the comparison with a saved run; NaN when there is none.
template <class Pick>
double of_check(S s, Pick pick) {
  const auto* r = s.own<AtlasResults>();
  return r && r->check && r->check->problem.empty() ? static_cast<double>(pick(*r->check)) : no_value;
}

/// A number of the first layer beyond rounding; NaN when there is none.
template <class Pick>
double of_first_beyond(S s, Pick pick) {
  return of_check(s, [&](const Check& check) {
    return check.first_beyond >= 0
               ? static_cast<double>(pick(check.heads[static_cast<std::size_t>(check.first_beyond)]))
               : no_value;
  });
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"model_layers", "Layers of the model", whole_form, "", "layers whose heads are shown",
     [](Q, S s) { return atlas_in(s) ? double(atlas_in(s)->layers()) : no_value; }},
    {"model_heads", "Heads of the model", whole_form, "", "heads of all layers together",
     [](Q, S s) { return atlas_in(s) ? double(atlas_in(s)->all_heads()) : no_value; }},
    {"model_previous", "Mean weight on the previous token", weight_form(3), "layer head",
     "mean weight on the key before the query", score_of<ModelScore::previous>},
    {"model_first", "Mean weight on the first token", weight_form(3), "layer head",
     "mean weight of the other queries on the first key", score_of<ModelScore::first>},
    {"model_itself", "Mean weight on itself", weight_form(3), "layer head",
     "mean weight of a query on its own token position", score_of<ModelScore::itself>},
    {"model_same_token", "Mean weight on the same token", weight_form(3), "layer head",
     "mean weight on other positions of the query’s token, over the queries whose token occurs at least "
     "twice",
     score_of<ModelScore::same_token>},
    {"model_induction", "Mean weight on the token after the last earlier copy", weight_form(3), "layer head",
     "mean weight on the key after the last earlier position of the query’s token (prefix matching)",
     score_of<ModelScore::induction>},
    {"model_entropy", "Mean entropy", decimals(2), "layer head", "mean entropy of a query’s weights, in bits",
     score_of<ModelScore::entropy>, "bits"},
    {"model_most_entropy", "Entropy of uniform attention", decimals(2), "layer",
     "mean entropy of uniform attention over the allowed keys, in bits: no head has more",
     score_of_uniform<ModelScore::entropy>, "bits"},
    {"model_uniform_previous", "Mean weight on the previous token, uniform attention", weight_form(3),
     "layer", "the same for uniform attention over the allowed keys", score_of_uniform<ModelScore::previous>},
    {"model_uniform_first", "Mean weight on the first token, uniform attention", weight_form(3), "layer",
     "the same for uniform attention over the allowed keys", score_of_uniform<ModelScore::first>},
    {"model_uniform_itself", "Mean weight on itself, uniform attention", weight_form(3), "layer",
     "the same for uniform attention over the allowed keys", score_of_uniform<ModelScore::itself>},
    {"model_uniform_same_token", "Mean weight on the same token, uniform attention", weight_form(3), "layer",
     "the same for uniform attention over the allowed keys", score_of_uniform<ModelScore::same_token>},
    {"model_uniform_induction", "Mean weight on the token after the last earlier copy, uniform attention",
     weight_form(3), "layer", "the same for uniform attention over the allowed keys",
     score_of_uniform<ModelScore::induction>},
    {"model_best", "Score of the head that comes first", weight_form(3), "",
     "the largest of the chosen score over all heads; the smallest entropy",
     [](Q, S s) { return of_first(s, [](HeadPlace, double value) { return value; }); }},
    {"model_best_layer", "Layer of the head that comes first", whole_form, "",
     "layer of that head, counted from 1",
     [](Q, S s) { return of_first(s, [](HeadPlace at, double) { return double(at.layer + 1); }); }},
    {"model_best_head", "Head that comes first", whole_form, "", "number of that head, counted from 1",
     [](Q, S s) { return of_first(s, [](HeadPlace at, double) { return double(at.head + 1); }); }},
    {"model_alike", "Cosine of the most similar head", decimals(2), "layer head rank",
     "cosine of a head’s map and that of the head with the most similar one, or of another rank up to 6; of "
     "many heads and tokens, over some of the queries",
     [](Q q, S s) { return of_alike(q, s, [](const AlikeHead& one) { return one.cosine; }); }},
    {"model_alike_layer", "Layer of the most similar head", whole_form, "layer head rank",
     "layer of that head, counted from 1",
     [](Q q, S s) { return of_alike(q, s, [](const AlikeHead& one) { return double(one.at.layer + 1); }); }},
    {"model_alike_head", "Most similar head", whole_form, "layer head rank",
     "number of that head, counted from 1",
     [](Q q, S s) { return of_alike(q, s, [](const AlikeHead& one) { return double(one.at.head + 1); }); }},
    {"model_score_queries", "Queries that are scored", whole_form, "",
     "queries that have a key of the kind that the page’s score measures, masked or not; the score is their "
     "mean",
     [](Q, S s) { return atlas_in(s) ? double(atlas_in(s)->queries_of(s.scene.model.score)) : no_value; }},
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
    {"model_next_id", "Id of a predicted token", whole_form, "rank",
     "id in the model’s vocabulary of the token of that rank, the most probable first",
     [](Q q, S s) {
       return of_predictions(s, [&](const Predictions& p) {
         const int rank = q.number("rank", 1);
         return rank >= 1 && static_cast<std::size_t>(rank) <= p.top.size()
                    ? double(p.top[static_cast<std::size_t>(rank) - 1].id)
                    : no_value;
       });
     }},
    {"model_likely", "Probability of a likely next token", weight_form(2), "query rank",
     "probability of the most probable token after a query, or of another rank up to 4",
     [](Q q, S s) { return of_likely(q, s, [](const PredictedToken& one) { return one.probability; }); }},
    {"model_likely_id", "Id of that token", whole_form, "query rank",
     "id in the model’s vocabulary of the token of that rank",
     [](Q q, S s) { return of_likely(q, s, [](const PredictedToken& one) { return double(one.id); }); }},
    {"model_true_probability", "Probability of the token that follows", weight_form(3), "query",
     "probability that the model assigns to the token that follows in the sentence",
     [](Q q, S s) { return of_follower(q, s, [](auto& one) { return one.probability; }); }},
    {"model_true_rank", "Rank of the token that follows", whole_form, "query",
     "its position among all tokens by probability, counted from 1",
     [](Q q, S s) { return of_follower(q, s, [](auto& one) { return one.rank; }); }},
    {"model_loss", "Loss of the token that follows", decimals(2), "query", "−ln of its probability",
     [](Q q, S s) { return of_follower(q, s, [](auto& one) { return one.loss; }); }, "nats"},
    {"model_mean_loss", "Mean loss", decimals(3), "", "mean loss of all tokens but the first",
     [](Q, S s) { return of_predictions(s, [](auto& p) { return p.mean_loss; }); }, "nats"},
    {"model_lens_probability", "Probability after some layers", weight_form(3), "layers rank",
     "probability of the most probable token, or of another rank up to 10, when the output head is applied "
     "after this number of layers",
     [](Q q, S s) {
       return of_predictions(s, [&](const Predictions& p) {
         const LensLayer* layer = lens_of(q, p);
         return layer ? probability_at(layer->top, q.number("rank", 1) - 1) : no_value;
       });
     }},
    {"model_lens_true_probability", "Probability of the token that follows after some layers", weight_form(2),
     "layers",
     "probability of the token that follows in the sentence when the output head is applied after this "
     "number of layers",
     [](Q q, S s) { return of_lens_truth(q, s, [](auto& one) { return one.probability; }); }},
    {"model_lens_true_rank", "Rank of the token that follows after some layers", whole_form, "layers",
     "its position among all tokens by that probability, counted from 1",
     [](Q q, S s) { return of_lens_truth(q, s, [](auto& one) { return one.rank; }); }},
    {"model_off_heads", "Heads that are off or scaled", whole_form, "",
     "heads whose output is set to 0 or multiplied",
     [](Q, S s) {
       return of_predictions(s, [](auto& p) { return p.changed ? double(p.changed->heads.size()) : 0.0; });
     }},
    {"model_after_probability", "Probability with the heads changed", weight_form(3), "rank",
     "probability of the same token with the heads off or scaled; the rank is that of the model as it is",
     [](Q q, S s) {
       return of_change(s,
                        [&](auto&, auto& changed) { return entry(changed.after, q.number("rank", 1) - 1); });
     }},
    {"model_after_change", "Change of that probability", with_sign(4), "rank",
     "probability with the heads off or scaled, minus probability of the model as it is",
     [](Q q, S s) {
       return of_change(s, [&](auto& p, auto& changed) {
         const int place = q.number("rank", 1) - 1;
         return entry(changed.after, place) - probability_at(p.top, place);
       });
     }},
    {"model_after_top", "Most probable with the heads changed", weight_form(3), "rank",
     "probability of the token that has this rank with the heads off or scaled",
     [](Q q, S s) {
       return of_change(
           s, [&](auto&, auto& changed) { return probability_at(changed.top, q.number("rank", 1) - 1); });
     }},
    {"model_after_loss", "Loss with the heads changed", decimals(2), "query",
     "loss of the token that follows, with the heads off or scaled",
     [](Q q, S s) { return of_changed_follower(q, s, [](auto&, auto& after) { return after.loss; }); },
     "nats"},
    {"model_after_loss_change", "Change of the loss", with_sign(2), "query",
     "that loss minus the loss of the model as it is",
     [](Q q, S s) {
       return of_changed_follower(q, s, [](auto& before, auto& after) { return after.loss - before.loss; });
     },
     "nats"},
    {"model_after_mean_loss", "Mean loss with the heads changed", decimals(3), "",
     "mean loss of all tokens but the first, with the heads off or scaled",
     [](Q, S s) { return of_change(s, [](auto&, auto& changed) { return changed.mean_loss; }); }, "nats"},
    {"model_after_mean_loss_change", "Change of the mean loss", with_sign(3), "",
     "that mean loss minus the mean loss of the model as it is",
     [](Q, S s) {
       return of_change(s, [](auto& p, auto& changed) { return changed.mean_loss - p.mean_loss; });
     },
     "nats"},
    {"model_drawn_probability", "Probability of a token as it is sampled", weight_form(3), "rank",
     "after temperature, top-k and top-p, with the heads changed where some are; 0: it cannot be sampled",
     [](Q q, S s) { return of_rank(q, s, [](auto& p, int place) { return entry(p.drawn.top, place); }); }},
    {"model_drawn_tokens", "Tokens that can be sampled", whole_form, "",
     "tokens whose probability is above 0 after temperature, top-k and top-p",
     [](Q, S s) { return of_predictions(s, [](auto& p) { return double(p.drawn.tokens); }); }, "tokens"},
    {"model_drawn_kept", "Probability that is kept", percent(1), "",
     "sum of the probabilities of the tokens that can be sampled, before top-k and top-p",
     [](Q, S s) { return of_predictions(s, [](auto& p) { return p.drawn.kept; }); }},
    {"model_mask_probability", "Probability at a mask token", weight_form(3), "mask rank",
     "probability of the token of this rank at a mask token, mask tokens counted from 1",
     [](Q q, S s) {
       return of_predictions(s, [&](const Predictions& p) {
         const int mask = q.number("mask", 1) - 1;
         return mask >= 0 && static_cast<std::size_t>(mask) < p.masks.size()
                    ? probability_at(p.masks[static_cast<std::size_t>(mask)].top, q.number("rank", 1) - 1)
                    : no_value;
       });
     }},
    {"model_component", "Component of q·k", with_sign(3), "rank head key",
     "what one component adds to q·k of the pinned query; rank 1 adds most for the opened key",
     [](Q q, S s) {
       return of_components(q, s, [&](const HeadComponents& c) {
         return element(c.products, q.number("key", c.key), q.number("rank", 1) - 1);
       });
     }},
    {"model_component_index", "Index of that component", whole_form, "rank head",
     "number of that component in the head, counted from 0",
     [](Q q, S s) {
       return of_components(q, s,
                            [&](const HeadComponents& c) { return entry(c.order, q.number("rank", 1) - 1); });
     }},
    {"model_component_pair", "RoPE pair of that component", whole_form, "rank head",
     "pair in which RoPE rotates it, counted from 0; only for models from other programs",
     [](Q q, S s) {
       const TurnedComponent* turned = turned_component(q, s);
       return turned ? double(turned->pair) : no_value;
     }},
    {"model_component_turn", "Angle of that component", significant(3), "rank head",
     "angle by which RoPE rotates that pair from one position to the next",
     [](Q q, S s) {
       const TurnedComponent* turned = turned_component(q, s);
       return turned ? turned->turn : no_value;
     },
     "rad"},
    {"model_component_key", "Opened key of the components", whole_form, "head",
     "key by which the components are sorted, counted from 0",
     [](Q q, S s) { return of_components(q, s, [](const HeadComponents& c) { return double(c.key); }); }},
    {"model_component_limit", "Largest component", significant(3), "head",
     "largest magnitude of a component over all keys: the end of the colour scale",
     [](Q q, S s) { return of_components(q, s, [](const HeadComponents& c) { return c.largest; }); }},
    {"model_plane_share", "Variance explained", percent(1), "axis head",
     "share of the variance of a head’s queries and keys along axis 1 or 2 of their plane", plane_share},
    {"model_check", "Largest difference from the saved run", significant(2), "layer head",
     "largest difference between a head’s weights and those of the file that is compared",
     [](Q q, S s) {
       return of_check(s, [&](const Check& check) {
         return element(check.differences, q.number("layer", s.scene.weights_layer) - 1, head_of(q, s));
       });
     }},
    {"model_check_largest", "Largest difference of all heads from the saved run", significant(2), "",
     "the largest of these differences",
     [](Q, S s) { return of_check(s, [](auto& c) { return c.largest.difference; }); }},
    {"model_check_layer", "Layer of the largest difference", whole_form, "", "its layer, counted from 1",
     [](Q, S s) { return of_check(s, [](auto& c) { return c.largest.layer + 1; }); }},
    {"model_check_head", "Head of the largest difference", whole_form, "", "its head, counted from 1",
     [](Q, S s) { return of_check(s, [](auto& c) { return c.largest.head + 1; }); }},
    {"model_check_query", "Query of the largest difference", whole_form, "", "its query, counted from 0",
     [](Q, S s) { return of_check(s, [](auto& c) { return c.largest.query; }); }},
    {"model_check_key", "Key of the largest difference", whole_form, "", "its key, counted from 0",
     [](Q, S s) { return of_check(s, [](auto& c) { return c.largest.key; }); }},
    {"model_check_rounding", "What rounding explains", significant(2), "",
     "the difference that two runs may have when one is computed in the less exact of the two types",
     [](Q, S s) { return of_check(s, [](auto& c) { return c.tolerance; }); }},
    {"model_check_first_layer", "First layer beyond rounding", whole_form, "",
     "the first layer with a larger difference, counted from 1",
     [](Q, S s) { return of_first_beyond(s, [](auto& one) { return one.layer + 1; }); }},
    {"model_check_first", "Largest difference of that layer", significant(2), "",
     "the largest difference of the first layer beyond rounding",
     [](Q, S s) { return of_first_beyond(s, [](auto& one) { return one.difference; }); }},
};

/// Is it a number of what the model predicts?
bool predicted(std::string_view name) {
  static constexpr std::string_view starts[] = {
      "model_next",  "model_true",  "model_loss", "model_mean_loss", "model_lens",
      "model_after", "model_drawn", "model_mask", "model_off_heads", "model_likely"};
  return std::any_of(std::begin(starts), std::end(starts),
                     [&](std::string_view start) { return name.starts_with(start); });
}

}  // namespace

std::string model_why_none(const Quantity& quantity, const QuantitySource& from) {
  const auto* r = from.own<AtlasResults>();
  const std::string_view name = quantity.info->name;
  const bool of_followers =
      std::string_view(quantity.info->arguments).find("query") != std::string_view::npos &&
      (name.find("true") != std::string_view::npos || name.find("loss") != std::string_view::npos);
  if (!r) return {};
  if (name.starts_with("model_check")) {
    if (!r->check) return "nothing is compared: model_beside names no file";
    if (!r->check->problem.empty()) return "not compared: " + r->check->problem;
    return name.starts_with("model_check_first") ? "no difference is beyond rounding" : std::string();
  }
  if (name.starts_with("model_alike") && r->atlas->layers() > 0) {
    if (r->atlas->all_heads() == 1) return "the model has one head";
    HeadPlace at = shown_head(from.scene, from.results, *r->atlas);
    at = {quantity.number("layer", at.layer + 1) - 1, quantity.number("head", at.head + 1) - 1};
    if (r->atlas->alike.of.empty()) return "the heads of so large a model are not compared";
    const auto* others = r->atlas->alike.heads(at);
    return others && others->empty() ? "the head has no weights" : std::string();
  }
  if (name.starts_with("model_component")) {
    if (from.scene.model.detail != ModelDetail::components) return "it needs model_detail=components";
    if (r->details.query < 0) return "no query is pinned";
    const bool turned = name == "model_component_pair" || name == "model_component_turn";
    return turned && r->details.turned.empty() ? "it needs a model from another program with RoPE" : "";
  }
  if (name == "model_plane_share" && from.scene.model.detail != ModelDetail::plane)
    return "it needs model_detail=plane";
  if (predicted(name)) {
    if (!r->predictions.none.empty()) return r->predictions.none;
    const bool of_change = name.starts_with("model_after") || name == "model_off_heads";
    if (of_change && from.scene.model.off.empty()) return "model_off switches no head off and scales none";
    if (of_change && !r->predictions.change_problem.empty()) return r->predictions.change_problem;
    if (name == "model_mask_probability" && r->predictions.masks.empty())
      return r->predictions.causal ? "the model predicts the next token, not the token at a mask"
                                   : "the sentence has no mask token";
    if (!r->predictions.causal &&
        (of_followers || name.starts_with("model_likely") || name.find("loss") != std::string_view::npos ||
         name.find("true") != std::string_view::npos))
      return "the model predicts the tokens of masks, not the next one";
    if (name.starts_with("model_lens_true") && !r->predictions.truth)
      return "no token follows the query that is shown";
  }
  if (!r->predictions.none.empty() || !r->predictions.causal) return {};
  // That of the changed model too.
  if (name.find("mean_loss") != std::string_view::npos && from.results.tokens.size() == 1)
    return "its sentence has 1 token";
  if (!of_followers) return {};
  const int query = quantity.number("query", r->predictions.position);
  const bool last = query == static_cast<int>(from.results.tokens.size()) - 1;
  return last ? "query " + std::to_string(query) + ": no token follows it" : std::string();
}

std::span<const QuantityInfo> model_quantities() {
  return list;
}

}  // namespace headlight::scene
