#include "learn/run_history.h"

#include <utility>

#include "io/json_reader.h"
#include "learn/training_run.h"
#include "pages/training/changes.h"
#include "scene/setting.h"

namespace headlight::scene {

namespace {

constexpr std::size_t most_changes = 10'000;

base::Error damaged(const std::string& name, const std::string& why) {
  return {name + ": the metadata \"training\" is damaged: the changes of its settings: " + why};
}

}  // namespace

int RunHistory::first_step() const {
  return first_step_of(changes);
}

void RunHistory::set_rate(int step, double rate) {
  if (rate == settings.rate) return;
  TrainingSettings before = settings, after = settings;
  after.rate = rate;
  if (!changes.empty() && !changes.back().forked && changes.back().step == step) {
    (void)take_back(changes.back(), before);
    changes.pop_back();
  }
  settings = after;
  if (changes.size() >= most_changes) return;
  TrainingChange change = change_between(step, false, before, after);
  if (!change.settings.empty()) changes.push_back(std::move(change));
}

void RunHistory::rewind(int step) {
  while (!changes.empty() && !changes.back().forked && changes.back().step >= step) {
    (void)take_back(changes.back(), settings);
    changes.pop_back();
  }
}

TrainingSettings RunHistory::settings_at(int step) const {
  RunHistory then = *this;
  then.rewind(step);
  return then.settings;
}

int RunHistory::first_seed() const {
  TrainingSettings first = settings;
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) (void)take_back(*change, first);
  return first.seed;
}

RunHistory RunHistory::forked(int step, const TrainingSettings& other) const {
  RunHistory next = *this;
  next.rewind(step);
  next.changes.push_back(change_between(step, true, next.settings, other));
  next.settings = other;
  return next;
}

void RunHistory::write(nlohmann::ordered_json& state) const {
  for (const Setting& one : training_settings()) state["settings"][one.field.name] = one.text(settings);
  for (const TrainingChange& change : changes) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const ChangedSetting& each : change.settings) values.push_back({each.name, each.before, each.after});
    state["changes"].push_back(
        {{"step", change.step}, {"new_run", change.forked}, {"settings", std::move(values)}});
  }
}

base::Result<std::vector<TrainingChange>> changes_in(const io::Json& state, const TrainingSettings& settings,
                                                     const std::string& name) {
  std::vector<TrainingChange> out;
  const io::Json* all = io::member(state, "changes");
  if (!all) return out;
  if (!all->is_array() || all->size() > most_changes) return damaged(name, "expected a list");
  for (const io::Json& one : *all) {
    if (!one.is_object()) return damaged(name, "expected objects");
    const io::Json *step = io::member(one, "step"), *forked = io::member(one, "new_run"),
                   *values = io::member(one, "settings");
    const auto at =
        step ? io::whole_number(*step, out.empty() ? 0 : out.back().step, settings.steps) : std::nullopt;
    if (!at || !forked || !forked->is_boolean() || !values || !values->is_array())
      return damaged(name, "expected ascending steps, \"new_run\" and \"settings\"");
    TrainingChange change{static_cast<int>(*at), forked->get<bool>(), {}};
    for (const io::Json& value : *values) {
      const bool three = value.is_array() && value.size() == 3 && value[0].is_string() &&
                         value[1].is_string() && value[2].is_string();
      if (!three || change.settings.size() > 16) return damaged(name, "expected [name, before, after]");
      change.settings.push_back(
          {value[0].get<std::string>(), value[1].get<std::string>(), value[2].get<std::string>()});
    }
    if (!change.forked && !of_rate_alone(change))
      return damaged(name, "only a new run changes more than the learning rate");
    out.push_back(std::move(change));
  }
  TrainingSettings before = settings;
  for (auto change = out.rbegin(); change != out.rend(); ++change) {
    if (const base::Status taken = take_back(*change, before); !taken) return damaged(name, taken.error());
  }
  return out;
}

}  // namespace headlight::scene
