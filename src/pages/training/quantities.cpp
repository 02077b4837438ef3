// The quantities of the page: its numbers by name.
#include <algorithm>

#include "nn/cost.h"
#include "pages/quantity_values.h"
#include "pages/training/training.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;

using S = const QuantitySource&;

const RunSnapshot* run(Q q, S s) {
  const int n = q.number("run", 1) - 1;
  return s.training && n >= 0 && static_cast<std::size_t>(n) < s.training->runs.size()
             ? &s.training->runs[static_cast<std::size_t>(n)]
             : nullptr;
}

double last(const std::vector<CurvePoint>& curve) {
  return curve.empty() ? no_value : static_cast<double>(curve.back().value);
}

template <class Member>
double lowest(Q q, S s, Member member) {
  const RunSnapshot* r = run(q, s);
  const CurvePoint* p = r ? lowest_point(r->validation) : nullptr;
  return p ? static_cast<double>(p->*member) : no_value;
}

template <class Pick>
double label(Q q, S s, Pick pick) {
  const RunSnapshot* r = run(q, s);
  if (!r) return no_value;
  for (const HeadLabel& one : r->labels) {
    if (one.layer == q.number("layer", 1) - 1 && one.head == q.number("head", 1) - 1)
      return static_cast<double>(pick(one));
  }
  return no_value;
}

double at_length(Q q, S s, double LengthPoint::*member) {
  const RunSnapshot* r = run(q, s);
  if (!r) return no_value;
  for (const LengthPoint& p : r->lengths) {
    if (p.length == q.number("length", r->config.context) && p.possible) return p.*member;
  }
  return no_value;
}

/// The score without a head; without arguments the score with every head.
double without_head(Q q, S s) {
  const RunSnapshot* r = run(q, s);
  if (!r || r->pruning.step < 0) return no_value;
  const int layer = q.number("layer", 0), head = q.number("head", 0);
  if (layer == 0 && head == 0) return r->pruning.score;
  for (const PrunedHead& one : r->pruning.alone) {
    if (one.layer == layer - 1 && one.head == head - 1) return one.score;
  }
  return no_value;
}

double removed_in_turn(Q q, S s) {
  const RunSnapshot* r = run(q, s);
  const int removed = q.number("removed", 1);
  if (!r || r->pruning.greedy.empty()) return no_value;
  if (removed == 0) return r->pruning.score;
  return removed > 0 && static_cast<std::size_t>(removed) <= r->pruning.greedy.size()
             ? r->pruning.greedy[static_cast<std::size_t>(removed - 1)].score
             : no_value;
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"training_step", "Training step", whole_form, "run", "steps of a run so far",
     [](Q q, S s) { return run(q, s) ? double(run(q, s)->step) : no_value; }, "steps"},
    {"training_loss", "Training loss", loss_form, "run", "latest loss on training batches",
     [](Q q, S s) { return run(q, s) ? last(run(q, s)->loss) : no_value; }},
    {"validation_loss", "Held-out loss", loss_form, "run", "latest loss on held-out sequences",
     [](Q q, S s) { return run(q, s) ? last(run(q, s)->validation) : no_value; }},
    {"lowest_validation_loss", "Lowest held-out loss", loss_form, "run",
     "lowest loss on held-out sequences so far", [](Q q, S s) { return lowest(q, s, &CurvePoint::value); }},
    {"lowest_validation_step", "Step of the lowest held-out loss", whole_form, "run",
     "step at which the loss on held-out sequences was lowest",
     [](Q q, S s) { return lowest(q, s, &CurvePoint::step); }},
    {"training_score", "Held-out score", percent(1), "run", "latest score on held-out sequences, 0 to 1",
     [](Q q, S s) { return run(q, s) ? last(run(q, s)->score) : no_value; }},
    {"length_score", "Score at another length", percent(1), "run length",
     "score at another length at the end of a run, 0 to 1",
     [](Q q, S s) { return at_length(q, s, &LengthPoint::score); }},
    {"length_loss", "Held-out loss at another length", loss_form, "run length",
     "held-out loss at another length", [](Q q, S s) { return at_length(q, s, &LengthPoint::loss); }},
    {"removed_score", "Score without a head", percent(1), "run layer head",
     "score with one head removed, or with every head if layer and head are omitted; needs "
     "training_plot=pruning",
     without_head},
    {"removed_in_turn_score", "Score with heads removed in turn", percent(1), "run removed",
     "score with this many heads removed in turn, each time the head whose removal leaves the highest score",
     removed_in_turn},
    {"repair_loss", "Held-out loss after repairs", decimals(4), "of",
     "held-out loss of two heads on two relations, with none, places, bias, contents, width, places+bias, "
     "bias+contents, places+contents or all repaired",
     [](Q q, S s) {
       const std::string begins = "2 heads, repaired " + std::string(q.word("of", "all")) + ",";
       if (!s.training) return no_value;
       for (const TrainingVerdict& v : s.training->verdicts) {
         if (v.what.rfind(begins, 0) == 0) return v.ours;
       }
       return no_value;
     }},
    {"chance_loss", "Loss of uniform guessing", decimals(4), "", "loss of a model that guesses uniformly",
     [](Q, S s) {
       if (!s.training) return no_value;
       for (const TrainingBaseline& level : s.training->baselines)
         if (level.name == "chance") return level.loss;
       return no_value;  // a table of bigrams does not guess uniformly
     }},
    {"label_score", "Fit of a head’s label", decimals(2), "run layer head",
     "mean weight of a trained head on the relation that its label names",
     [](Q q, S s) { return label(q, s, [](auto& one) { return one.score; }); }},
    {"training_steps", "Steps of the run", whole_form, "", "steps of the finished run",
     [](Q, S s) { return s.training ? double(s.training->steps) : no_value; }, "steps"},
};

}  // namespace

std::span<const QuantityInfo> training_quantities() {
  return list;
}

}  // namespace headlight::scene
