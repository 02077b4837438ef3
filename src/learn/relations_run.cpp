#include "learn/relations_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "base/numbers.h"
#include "pages/training/changes.h"
#include "pages/training/curve.h"
#include "scene/field_values.h"

namespace headlight::scene {

namespace {

using std::size_t;

constexpr int tokens = 4;

constexpr const char* what_it_proves =
    "The source prints the losses of a single last batch, 0.3505 and 0.3196; both change with the seed. With "
    "the default settings, two heads stay near 0.31 even after 4,000 steps, for two reasons. First, "
    "positions "
    "2 and 3 share a code; with a code for each position, the position term goes to 0. Second, a dot product "
    "cannot single out (1, 0) among random contents, because a longer vector can have a larger score. Four "
    "fixed contents alone leave the content term near 0.084; with position codes or the bias as well, it "
    "goes "
    "to 0. Position codes and contents together are enough after a few hundred steps; the width hardly "
    "helps. "
    "One head cannot do both: with all repairs it stays near 0.21.";

/// Mean and range over the seeds.
CurvePoint over_seeds(int step, const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {step, static_cast<float>(sum / static_cast<double>(values.size())), static_cast<float>(*low),
          static_cast<float>(*high)};
}

std::vector<CurvePoint> thinned_bands(const std::vector<CurvePoint>& all) {
  constexpr int most = 400;
  const int count = static_cast<int>(all.size()), width = std::max(1, (count + most - 1) / most);
  std::vector<CurvePoint> points;
  for (int begin = 0; begin < count; begin += width) {
    const int end = std::min(count, begin + width);
    CurvePoint mean = all[static_cast<size_t>((begin + end - 1) / 2)];
    double value = 0, low = 0, high = 0;
    for (int i = begin; i < end; ++i) {
      const CurvePoint& p = all[static_cast<size_t>(i)];
      value += static_cast<double>(p.value), low += static_cast<double>(p.low),
          high += static_cast<double>(p.high);
    }
    const int n = end - begin;
    mean.value = static_cast<float>(value / n), mean.low = static_cast<float>(low / n),
    mean.high = static_cast<float>(high / n);
    points.push_back(mean);
  }
  return points;
}

}  // namespace

RelationsRun::RelationsRun(const TrainingSettings& settings, std::vector<TrainingChange> changes)
    : history_{settings, std::move(changes)}, shown_(shown_kinds(chosen_repairs(settings))) {
  stride_ = std::max(1, (history_.settings.steps + relations_kept_steps - 1) / relations_kept_steps);
  for (const RelationsKind& kind : relations_kinds(chosen_repairs(settings))) {
    RelationsFamily& family = families_.emplace_back();
    family.kind = kind;
    for (int s = 0; s < kind.seeds; ++s) {
      nn::TwoRelationsSetup setup;
      setup.heads = kind.heads, setup.repairs = kind.repairs;
      setup.batch = history_.settings.batch, setup.rate = history_.settings.rate;
      setup.seed = static_cast<std::uint64_t>(history_.settings.seed + s);
      family.runs.push_back(nn::two_relations_run(setup));
    }
  }
  draw_held_out();
  for (RelationsFamily& family : families_) keep(family, nullptr);
}

void RelationsRun::draw_held_out() {
  std::map<std::tuple<std::uint64_t, bool, bool>, std::shared_ptr<const HeldOut>> drawn;
  for (RelationsFamily& family : families_) {
    for (const nn::TwoRelationsRun& run : family.runs) {
      const nn::TwoRelationsSetup& setup = run.setup;
      auto& batches = drawn[{setup.seed, setup.repairs.places, setup.repairs.contents}];
      if (!batches) batches = std::make_shared<const HeldOut>(nn::two_relations_held_out_batches(setup));
      family.held_out.push_back(batches);
    }
  }
}

double RelationsRun::tokens_in_a_step() const {
  double models = 0;
  for (const RelationsFamily& family : families_) models += family.kind.seeds;
  return tokens * history_.settings.batch * models;
}

bool RelationsRun::advance(base::Parallel& parallel) {
  if (step_ >= history_.settings.steps || !stopped_.empty()) return false;
  const int next = step_ + 1;
  std::vector<nn::TwoRelationsRun*> all;
  for (RelationsFamily& family : families_) {
    for (nn::TwoRelationsRun& run : family.runs) all.push_back(&run);
  }
  parallel.run(static_cast<int>(all.size()),
               [&](int task) { nn::two_relations_step(*all[static_cast<size_t>(task)]); });
  if (const std::string where = not_finite(); !where.empty()) {
    rewind(step_, parallel);  // to the newest kept step: the weights after it are not kept
    stopped_ = "the loss of \"" + where + "\" is not a number in step " + number_text(next) +
               "; the weights of step " + number_text(step_) + " are kept; try a smaller learning rate";
    return false;
  }
  step_ = next;
  for (RelationsFamily& family : families_) {
    std::vector<double> losses;
    for (const nn::TwoRelationsRun& run : family.runs) losses.push_back(run.last_loss);
    family.loss.push_back(over_seeds(step_, losses));
    if (step_ == relations_printed_steps) family.last_loss = static_cast<double>(family.loss.back().value);
    if (step_ % stride_ == 0 || step_ == history_.settings.steps) keep(family, &parallel);
  }
  return true;
}

void RelationsRun::rewind(int step, base::Parallel& parallel) {
  stopped_.clear();
  step = std::max(step, history_.first_step());
  for (RelationsFamily& family : families_) {
    while (family.film.size() > 1 && family.film.back().step > step) {
      family.film.pop_back(), family.states.pop_back(), family.validation.pop_back();
    }
    step_ = family.film.back().step;
    family.runs = family.states.back();
    measure(family, &parallel);
    family.loss.resize(std::min(family.loss.size(), static_cast<size_t>(step_)));
    if (step_ < relations_printed_steps) family.last_loss = 0;
  }
  history_.rewind(step_);
  for (RelationsFamily& family : families_) {
    for (nn::TwoRelationsRun& run : family.runs) run.setup.rate = history_.settings.rate;
  }
}

void RelationsRun::set_rate(double rate) {
  history_.set_rate(step_, rate);
  for (RelationsFamily& family : families_) {
    for (nn::TwoRelationsRun& run : family.runs) run.setup.rate = rate;
  }
}

base::Result<std::unique_ptr<TrainingRun>> RelationsRun::forked(int step, const TrainingSettings& settings,
                                                                base::Parallel&, const KeepGoing&) const {
  const int at = step < 0 || step > step_ ? step_ : step;
  if (const std::string why = why_restart(history_.settings_at(at), settings, at); !why.empty())
    return base::Error{why};
  if (at < history_.first_step())
    return base::Error{"the run continues from a later step: open the earlier run"};
  auto next = std::make_unique<RelationsRun>(settings, history_.forked(at, settings).changes);
  for (size_t f = 0; f < families_.size(); ++f) {
    const RelationsFamily& from = families_[f];
    RelationsFamily& to = next->families_[f];
    const auto later = [&](const auto& point) { return point.step > at; };
    const auto kept = std::find_if(from.film.begin(), from.film.end(),
                                   [&](const FilmFrame& frame) { return frame.step == at; });
    const bool newest = at == step_;
    if (!newest && kept == from.film.end()) return base::Error{"step " + number_text(at) + " is not kept"};
    const std::vector<nn::TwoRelationsRun>& state =
        newest ? from.runs : from.states[static_cast<size_t>(kept - from.film.begin())];
    const std::vector<nn::TwoRelationsRun> fresh = to.runs;
    const auto with_setup = [&](std::vector<nn::TwoRelationsRun> runs) {
      for (size_t s = 0; s < runs.size(); ++s) runs[s].setup = fresh[s].setup;
      return runs;
    };
    to.loss = from.loss, to.last_loss = from.last_loss;
    std::erase_if(to.loss, later);
    if (at < relations_printed_steps) to.last_loss = 0;
    // Of the kept steps before, at most as many as a run keeps; the last one is replaced by this step.
    to.film.clear(), to.states.clear(), to.validation.clear();
    std::vector<size_t> before;
    for (size_t i = 0; i < from.film.size() && from.film[i].step < at; ++i) before.push_back(i);
    const size_t most = std::min(before.size(), static_cast<size_t>(relations_kept_steps));
    for (size_t i = 0; i < most; ++i) {
      const size_t index = before[i * before.size() / most];
      to.film.push_back(from.film[index]), to.film.back().whole = false, to.film.back().moved = -1;
      to.states.push_back(with_setup(from.states[index])), to.validation.push_back(from.validation[index]);
      to.film.back().maps = next->maps(to.states.back().front());
    }
    to.runs = with_setup(state);
    next->step_ = at;
    next->keep(to, nullptr);
  }
  return std::unique_ptr<TrainingRun>(std::move(next));
}

void RelationsRun::look(const TrainingLook& look, base::Parallel&) {
  if (look.example == look_.example) return;
  look_ = look;
  for (RelationsFamily& family : families_) {
    for (size_t i = 0; i < family.film.size(); ++i)
      family.film[i].maps = maps(family.states[i].front()), family.film[i].moved = -1;
    measure_film(family.film);
  }
}

void RelationsRun::fill(TrainingSnapshot& snapshot) const {
  snapshot.runs.clear();
  snapshot.verdicts.clear();
  for (size_t f = 0; f < shown_; ++f) {
    const RelationsFamily& family = families_[f];
    RunSnapshot run;
    run.name = family.kind.name;
    run.config.d_model = family.runs.front().weights.w_q.cols();
    run.config.heads = family.kind.heads, run.config.layers = 1, run.config.causal = false;
    run.config.positions = nn::ModelPositions::learned;
    run.config.context = tokens;
    run.loss = thinned_bands(family.loss);
    run.validation = family.validation;
    run.film = family.film;
    for (int h = 0; h < family.kind.heads; ++h) run.labels.push_back(label(family, h));
    run.step = step_, run.rate = history_.settings.rate;
    run.stopped = stopped_;
    run.example = example_words(family.runs.front());
    snapshot.runs.push_back(std::move(run));
  }
  snapshot.changes = history_.changes;
  snapshot.step = step_, snapshot.steps = history_.settings.steps;
  snapshot.note = what_it_proves;
  snapshot.score_name.clear(), snapshot.baselines.clear();
  add_verdicts(snapshot);
  add_repairs(snapshot);
  snapshot.example = snapshot.runs.front().example;
  snapshot.wanted.assign(tokens, "");
}

std::string RelationsRun::not_finite() const {
  for (size_t f = 0; f < families_.size(); ++f) {
    for (const nn::TwoRelationsRun& run : families_[f].runs) {
      if (!std::isfinite(run.last_loss)) return families_[f].kind.name;
    }
  }
  return {};
}

nn::TwoRelationsBatch RelationsRun::example(const nn::TwoRelationsRun& run) const {
  nn::TwoRelationsSetup setup = run.setup;
  setup.batch = 1;
  nn::TwoRelationsBatch batch;
  nn::two_relations_batch(setup, -1 - std::max(0, look_.example), batch);
  return batch;
}

std::vector<std::string> RelationsRun::example_words(const nn::TwoRelationsRun& run) const {
  const int planted = example(run).planted.front();
  std::vector<std::string> out;
  for (int t = 0; t < tokens; ++t) {
    const char* role = t == planted ? (t == 2 ? ": position, content" : ": content")
                       : t == 2     ? ": position"
                                    : "";
    out.push_back(number_text(t) + role);
  }
  return out;
}

std::shared_ptr<const nn::Matrix> RelationsRun::maps(const nn::TwoRelationsRun& run) const {
  auto all = std::make_shared<nn::Matrix>();
  nn::TwoRelationsSetup setup = run.setup;
  setup.batch = 1;
  (void)nn::two_relations_loss(setup, run.weights, example(run), *all, nullptr);
  return all;
}

std::vector<double> RelationsRun::measure(RelationsFamily& family, base::Parallel* parallel) {
  std::vector<nn::TwoRelationsTerms> measured(family.runs.size());
  const auto one = [&](int task) {
    const auto i = static_cast<size_t>(task);
    measured[i] = nn::two_relations_terms(family.runs[i], *family.held_out[i]);
  };
  const int count = static_cast<int>(measured.size());
  if (parallel) parallel->run(count, one);
  for (int i = 0; i < count && !parallel; ++i) one(i);
  std::vector<double> losses;
  family.terms = {};
  const auto share = 1 / static_cast<double>(family.runs.size());
  for (const nn::TwoRelationsTerms& terms : measured) {
    family.terms.place += share * terms.place, family.terms.content += share * terms.content;
    losses.push_back(terms.loss());
  }
  return losses;
}

void RelationsRun::keep(RelationsFamily& family, base::Parallel* parallel) {
  const std::vector<double> losses = measure(family, parallel);
  family.validation.push_back(over_seeds(step_, losses));
  family.states.push_back(family.runs);
  family.film.push_back({step_, maps(family.runs.front())});
  measure_film(family.film);
}

HeadLabel RelationsRun::label(const RelationsFamily& family, int head) const {
  const nn::TwoRelationsRun& run = family.runs.front();
  nn::TwoRelationsBatch batch;
  nn::two_relations_batch(run.setup, -1, batch);
  nn::Matrix maps;
  (void)nn::two_relations_loss(run.setup, run.weights, batch, maps, nullptr);
  const int H = run.setup.heads;
  double place = 0, content = 0;
  for (int b = 0; b < batch.B; ++b) {
    for (int t = 0; t < tokens; ++t) {
      const std::span<const float> row = maps.row(b * H + head, t);
      place += static_cast<double>(row[2]);
      content += static_cast<double>(row[static_cast<size_t>(batch.planted[static_cast<size_t>(b)])]);
    }
  }
  place /= batch.B * tokens, content /= batch.B * tokens;
  constexpr double stands_out = 1.2 / tokens;  // uniform attention has 1 / tokens
  if (std::max(place, content) < stands_out) return HeadLabel{0, head, "", std::max(place, content)};
  return place >= content ? HeadLabel{0, head, "position 2", place}
                          : HeadLabel{0, head, "planted content", content};
}

void RelationsRun::add_verdicts(TrainingSnapshot& snapshot) const {
  constexpr std::array<double, 2> printed = {0.3505, 0.3196};
  for (size_t f = 0; f < printed.size(); ++f) {
    const RelationsFamily& family = families_[f];
    if (family.last_loss > 0) {
      snapshot.verdicts.push_back({family.kind.name + ", last batch of " +
                                       std::to_string(relations_printed_steps) + " steps, mean of " +
                                       std::to_string(relations_seeds) + " seeds",
                                   printed[f], family.last_loss, true});
    }
  }
}

void RelationsRun::add_repairs(TrainingSnapshot& snapshot) const {
  std::vector<nn::TwoRelationsRepairs> listed(listed_repairs().begin(), listed_repairs().end());
  const nn::TwoRelationsRepairs chosen = chosen_repairs(history_.settings);
  if (std::find(listed.begin(), listed.end(), chosen) == listed.end()) listed.push_back(chosen);
  for (const nn::TwoRelationsRepairs& repairs : listed) {
    for (const RelationsFamily& family : families_) {
      if (family.kind.heads != 2 || family.kind.repairs != repairs) continue;
      snapshot.verdicts.push_back({"2 heads, repaired " + repairs_name(repairs) + ", held out: position " +
                                       base::fixed(family.terms.place, 4) + " + content " +
                                       base::fixed(family.terms.content, 4),
                                   0, family.terms.loss(), false});
      break;
    }
  }
}

std::unique_ptr<TrainingRun> relations_run(const TrainingSettings& settings) {
  return std::make_unique<RelationsRun>(settings);
}

}  // namespace headlight::scene
