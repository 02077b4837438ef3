// The file of a run of the two relations: all its models with their moments, at every kept step and now.
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "learn/relations_run.h"

namespace headlight::scene {

namespace {

using std::size_t;

/// Weights and moments, one after the other, in the order of a file.
template <class Run, class F>
void parts(Run& run, F&& part) {
  for (auto* w : {&run.weights, &run.m, &run.v}) {
    for (auto* tensor : {&w->w_q, &w->w_k, &w->b_q}) part(*tensor);
  }
}

void pack(const nn::TwoRelationsRun& run, std::vector<float>& out) {
  const std::array<size_t, 3> sizes = {run.weights.w_q.size(), run.weights.w_k.size(),
                                       run.weights.b_q.size()};
  size_t n = 0;
  parts(run, [&](const nn::Matrix& tensor) {  // empty moments are 0
    out.insert(out.end(), tensor.values().begin(), tensor.values().end());
    out.resize(out.size() + sizes[n++ % sizes.size()] - tensor.size());
  });
}

/// The inverse, into a run of the same setup at step 0; returns the remaining values.
std::span<const float> unpack(std::span<const float> values, nn::TwoRelationsRun& run) {
  run.m = run.v = run.weights;  // for their shapes
  parts(run, [&](nn::Matrix& tensor) {
    std::copy_n(values.begin(), tensor.size(), tensor.values().begin());
    values = values.subspan(tensor.size());
  });
  return values;
}

/// True if weights and moments are finite, and no square is below 0: else the next step would be spoiled
/// before anything is shown.
bool fit(const nn::TwoRelationsRun& run) {
  constexpr float largest = 1e6f;  // far beyond what 100,000 steps at the largest rate reach
  bool sound = true;
  parts(run, [&](const nn::Matrix& tensor) {
    for (const float x : tensor.values()) sound = sound && std::abs(x) <= largest;
  });
  for (const nn::Matrix* squares : {&run.v.w_q, &run.v.w_k, &run.v.b_q}) {
    for (const float x : squares->values()) sound = sound && x >= 0;
  }
  return sound;
}

}  // namespace

std::string RelationsRun::tensor_name(size_t family, size_t part) const {
  constexpr std::array<const char*, 3> names = {"weights and moments", "losses", "held out"};
  return families_[family].kind.name + ", " + names[part];
}

base::Result<std::string> RelationsRun::file(int, bool to_continue, const FirstLook&, StoredWeights,
                                             int) const {
  if (!to_continue)
    return base::Error{
        "two_relations trains attention maps only, so there is no model to save; train another task"};
  nlohmann::ordered_json state = {{"format", 1}};
  history_.write(state);
  std::vector<float> steps;
  for (const FilmFrame& frame : families_.front().film) steps.push_back(static_cast<float>(frame.step));
  steps.push_back(static_cast<float>(step_));
  std::vector<io::TensorView<float>> tensors = {{"steps", {steps.size()}, steps, {}}};
  std::vector<std::array<std::vector<float>, 3>> packed(families_.size());  // they outlive the views
  for (size_t f = 0; f < families_.size(); ++f) {
    const RelationsFamily& family = families_[f];
    for (const auto& states : family.states) {
      for (const nn::TwoRelationsRun& run : states) pack(run, packed[f][0]);
    }
    for (const nn::TwoRelationsRun& run : family.runs) pack(run, packed[f][0]);
    for (const CurvePoint& p : family.loss) packed[f][1].insert(packed[f][1].end(), {p.value, p.low, p.high});
    for (const CurvePoint& p : family.validation)
      packed[f][2].insert(packed[f][2].end(), {p.value, p.low, p.high});
    for (size_t part = 0; part < packed[f].size(); ++part) {
      if (!packed[f][part].empty())
        tensors.push_back({tensor_name(f, part), {packed[f][part].size()}, packed[f][part], {}});
    }
  }
  return io::write_safetensors(tensors, {{training_entry, state.dump()}});
}

base::Status RelationsRun::restore(const io::TensorFile& file, const std::string& name) {
  const auto values = [&](const std::string& tensor) -> std::span<const float> {
    const auto found = file.tensors.find(tensor);
    if (found == file.tensors.end()) return {};
    return found->second.values;
  };
  const std::span<const float> steps = values("steps");
  const auto wrong = [&](const std::string& tensor) {
    return base::Error{name + ": the tensor \"" + tensor + "\" is missing or invalid"};
  };
  // The kept steps, ascending, followed by the newest, which may equal the last of them.
  if (steps.size() < 2 || steps.front() != 0) return wrong("steps");
  // file() writes the first step, one after each stride, and the last one. Each takes more memory than file
  // size.
  const size_t most = relations_kept_steps + (history_.first_step() > 0 ? relations_kept_steps : 0) + 3;
  if (steps.size() > most) return wrong("steps");
  const bool within =
      history_.changes.empty() || static_cast<float>(history_.changes.back().step) <= steps.back();
  if (!within) return wrong("steps");
  float before = -1;
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool again = i + 1 == steps.size() && steps[i] == before;
    const bool later = steps[i] > before && steps[i] <= static_cast<float>(history_.settings.steps);
    if (!(again || later) || steps[i] != std::trunc(steps[i])) return wrong("steps");
    before = steps[i];
  }
  const size_t film = steps.size() - 1, losses = static_cast<size_t>(before);
  for (size_t f = 0; f < families_.size(); ++f) {
    if (f == shown_ && values(tensor_name(f, 0)).empty()) {
      families_.resize(shown_);  // written before the repairs were listed
      break;
    }
    RelationsFamily& family = families_[f];
    std::vector<float> one;
    pack(family.runs.front(), one);
    std::span<const float> weights = values(tensor_name(f, 0));
    const std::span<const float> loss = values(tensor_name(f, 1)), held = values(tensor_name(f, 2));
    if (weights.size() != steps.size() * family.runs.size() * one.size()) return wrong(tensor_name(f, 0));
    if (loss.size() != 3 * losses) return wrong(tensor_name(f, 1));
    if (held.size() != 3 * film) return wrong(tensor_name(f, 2));
    const std::vector<nn::TwoRelationsRun> fresh = family.runs;
    family.film.clear(), family.states.clear(), family.validation.clear();
    const auto point = [](std::span<const float> from, size_t i, int step) {
      return CurvePoint{step, from[3 * i], from[3 * i + 1], from[3 * i + 2]};
    };
    for (size_t i = 0; i < losses; ++i) family.loss.push_back(point(loss, i, static_cast<int>(i) + 1));
    if (losses >= relations_printed_steps)
      family.last_loss = static_cast<double>(family.loss[relations_printed_steps - 1].value);
    for (size_t i = 0; i < steps.size(); ++i) {
      const int at = static_cast<int>(steps[i]);
      family.runs = fresh;
      for (nn::TwoRelationsRun& run : family.runs) {
        weights = unpack(weights, run);
        if (!fit(run)) {
          return base::Error{name + ": the tensor \"" + tensor_name(f, 0) +
                             "\" holds numbers that no run produces; start the run again"};
        }
        run.step = at;
      }
      if (i == film) break;
      family.states.push_back(family.runs);
      family.validation.push_back(point(held, i, at));
      family.film.push_back({at, maps(family.runs.front()), at >= history_.first_step()});
      measure_film(family.film);
    }
    const std::vector<nn::TwoRelationsRun> newest = std::exchange(family.runs, family.states.back());
    measure(family, nullptr);
    family.runs = newest;
  }
  step_ = static_cast<int>(losses);
  return {};
}

base::Result<std::unique_ptr<TrainingRun>> relations_run_from(const TrainingSettings& settings,
                                                              const io::TensorFile& file,
                                                              std::vector<TrainingChange> changes,
                                                              const std::string& name) {
  auto run = std::make_unique<RelationsRun>(settings, std::move(changes));
  if (const base::Status restored = run->restore(file, name); !restored) return base::Error{restored.error()};
  return std::unique_ptr<TrainingRun>(std::move(run));
}

}  // namespace headlight::scene
