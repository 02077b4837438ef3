#include "pages/training/changes.h"

#include <algorithm>
#include <cctype>

#include "base/numbers.h"
#include "scene/setting.h"

namespace headlight::scene {

namespace {

constexpr std::string_view rate_name = "training_rate", steps_name = "training_steps";
/// They leave every tensor of the network, and what it computes from its weights, as they are.
constexpr std::string_view free_names[] = {rate_name,          steps_name,      "training_batch",
                                           "training_dropout", "training_seed", "training_guide"};

const Setting* setting_of(std::string_view name) {
  for (const Setting& one : training_settings()) {
    if (one.field.name == name) return &one;
  }
  return nullptr;
}

std::string label_of(std::string_view name) {
  const Setting* one = setting_of(name);
  std::string label = one ? one->field.label : std::string(name);
  if (label.size() > 1 && std::islower(static_cast<unsigned char>(label[1])))
    label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
  return label;
}

}  // namespace

std::vector<std::string_view> trained_differences(const TrainingSettings& run,
                                                  const TrainingSettings& chosen) {
  std::vector<std::string_view> out;
  if (chosen.task == TrainingTask::text && run.file != chosen.file) out.push_back("training_file");
  for (const Setting& one : training_settings()) {
    if (one.field.group == Group::own && !one.same(run, chosen) && training_applies(chosen, one.field.name))
      out.push_back(one.field.name);
  }
  return out;
}

bool differ_in_rate_alone(const TrainingSettings& run, const TrainingSettings& chosen) {
  const auto names = trained_differences(run, chosen);
  return names.size() == 1 && names.front() == rate_name;
}

std::string why_restart(const TrainingSettings& run, const TrainingSettings& chosen, int step) {
  for (const std::string_view name : trained_differences(run, chosen)) {
    const Setting* one = setting_of(name);
    if (std::find(std::begin(free_names), std::end(free_names), name) != std::end(free_names)) continue;
    if (name == "training_file" || name == "training_unit" || name == "training_vocabulary")
      return std::string(one->field.label) + " changes the text that the network was made for";
    if (name == "training_compare" || name == "training_compare_set")
      return "another comparison needs a second run from the first step on";
    return std::string(one->field.label) + " changes the network";
  }
  if (training_runs(run) != training_runs(chosen)) return "without this setting the two runs are the same";
  if (chosen.steps <= step)
    return "a run that continues from step " + base::with_commas(step) + " needs more steps than that";
  return {};
}

TrainingChange change_between(int step, bool forked, const TrainingSettings& before,
                              const TrainingSettings& after) {
  TrainingChange change{step, forked, {}};
  for (const std::string_view name : trained_differences(before, after)) {
    const Setting* one = setting_of(name);
    change.settings.push_back({std::string(name), one->text(before), one->text(after)});
  }
  return change;
}

bool of_rate_alone(const TrainingChange& change) {
  return change.settings.size() == 1 && change.settings.front().name == rate_name;
}

base::Status take_back(const TrainingChange& change, TrainingSettings& settings) {
  for (const ChangedSetting& each : change.settings) {
    const Setting* one = setting_of(each.name);
    if (!one || std::find(std::begin(free_names), std::end(free_names), each.name) == std::end(free_names))
      return base::Error{"no run changes the setting \"" + each.name + "\""};
    if (one->text(settings) != each.after)
      return base::Error{each.name + ": expected " + one->text(settings) + ", found " + each.after};
    if (const base::Status read = one->read(settings, each.before); !read)
      return base::Error{each.name + ": " + read.error()};
  }
  return {};
}

std::string setting_words(std::string_view name, const TrainingSettings& settings) {
  const Setting* one = setting_of(name);
  return label_of(name) + " " + (one ? one->text(settings) : std::string());
}

int first_step_of(const std::vector<TrainingChange>& changes) {
  int step = 0;
  for (const TrainingChange& change : changes) step = change.forked ? change.step : step;
  return step;
}

std::string origin_words(const std::vector<TrainingChange>& changes) {
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    if (!change->forked) continue;
    std::string out = "from step " + base::with_commas(change->step);
    for (const ChangedSetting& each : change->settings) out += ", " + label_of(each.name) + " " + each.after;
    return out;
  }
  return {};
}

std::string changes_words(const std::vector<TrainingChange>& changes) {
  std::string out;
  for (const TrainingChange& change : changes) {
    std::string words;
    for (const ChangedSetting& each : change.settings)
      words += (words.empty() ? "" : ", ") + label_of(each.name) + " " + each.before + " → " + each.after;
    out += (out.empty() ? "" : "; ") + words + (change.forked ? ": a new run from step " : " after step ") +
           base::with_commas(change.step);
  }
  return out;
}

}  // namespace headlight::scene
