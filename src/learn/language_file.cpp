// A run as a file: all that it needs to be continued, or one of its models alone; and back, where every claim
// of the file is checked.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "learn/language_run.h"
#include "pages/training/changes.h"
#include "scene/field_values.h"
#include "scene/named_files.h"
#include "scene/setting.h"

namespace headlight::scene {

namespace language {

namespace {

constexpr double most_file_bytes = 6e6;  // weights in a file, of the steps between the first and the newest
constexpr const char* state_parts[] = {"weights.", "adam_m.", "adam_v."};

std::string run_prefix(size_t run) {
  return "run" + std::to_string(run + 1) + '.';
}

/// Models with a tied head were once compared with a model that has a separate head.
ControlHead control_in(const io::TensorFile& file) {
  const auto has = [&](size_t run, const char* tensor) {
    return file.tensors.count(run_prefix(run) + "weights." + tensor) > 0;
  };
  bool own = false, tied = false;
  for (size_t run = 0; has(run, "wte"); ++run) (has(run, "w_head") ? own : tied) = true;
  return own && tied ? ControlHead::own : ControlHead::same;
}

/// Why numbers from a file cannot be those of a run: one is not finite, or a moment is impossible with
/// gradients clipped to norm 1, and the next step would spoil the weights before anything is shown. Empty:
/// all are valid.
std::string unfit(const nn::ModelWeights& read, int part, const std::string& prefix) {
  std::string problem = not_finite_words(read, prefix + state_parts[part]);
  const float least = part == 2 ? 0.f : -1.01f, most = 1.01f;
  nn::tensors(read, [&](const std::string& tensor, const nn::Matrix& m) {
    const auto within = [&](float x) { return part == 0 || (x >= least && x <= most); };
    if (problem.empty() && !std::all_of(m.values().begin(), m.values().end(), within))
      problem = "the tensor \"" + prefix + state_parts[part] + tensor + "\" has moments that no run produces";
  });
  return problem;
}

std::string title_of(const TrainingSettings& s) {
  constexpr const char* titles[] = {"two relations", "reverse",  "copy / induction",
                                    "small English", "pronouns", "text"};
  const std::string title = titles[static_cast<int>(s.task)];
  if (s.task != TrainingTask::text) return title;
  return title + " " + shown_text(shown_name(s.file));
}

std::vector<std::pair<const char*, const nn::ModelWeights*>> parts_of(const Learner& learner) {
  const nn::Checkpoint& point = learner.trainer.checkpoint();
  return {{state_parts[0], &point.weights}, {state_parts[1], &point.adam.m}, {state_parts[2], &point.adam.v}};
}

std::string film_prefix(const std::string& run, int step) {
  return run + "film" + std::to_string(step) + '.';
}

/// The value of this name for run `run`, counted from 0, in a file's state; null if it is absent.
const io::Json* of_run(const io::Json& state, const char* name, size_t run) {
  const io::Json* all = io::member(state, name);
  return all && all->is_array() && run < all->size() ? &(*all)[run] : nullptr;
}

/// Reads the steps of the film between the first and the newest.
bool read_film(const io::Json* film, int newest, std::vector<int>& out) {
  if (!film) return true;
  if (!film->is_array()) return false;
  for (const io::Json& each : *film) {
    const auto step = io::whole_number(each, out.empty() ? 1 : out.back() + 1, newest - 1);
    if (!step) return false;
    out.push_back(static_cast<int>(*step));
  }
  return true;
}

/// [step, value, low, high] of ascending steps. JSON has no NaN: null represents it.
bool read_curve(const io::Json* curve, int newest, std::vector<CurvePoint>& out) {
  constexpr auto largest = static_cast<double>(std::numeric_limits<float>::max());
  const auto number = [](const io::Json& json, float& value) {
    const auto read = io::finite_number(json, -largest, largest);
    value = read ? static_cast<float>(*read) : std::numeric_limits<float>::quiet_NaN();
    return read || json.is_null();
  };
  if (!curve) return true;
  if (!curve->is_array()) return false;
  for (const io::Json& p : *curve) {
    if (!p.is_array() || p.size() != 4) return false;
    CurvePoint point;
    const auto step = io::whole_number(p[0], out.empty() ? 0 : out.back().step + 1, newest);
    if (!step || !number(p[1], point.value) || !number(p[2], point.low) || !number(p[3], point.high))
      return false;
    point.step = static_cast<int>(*step);
    out.push_back(point);
  }
  return true;
}

}  // namespace

base::Result<std::string> LanguageRun::file(int run, bool to_continue, const FirstLook& first,
                                            StoredWeights stored, int at) const {
  const auto which = static_cast<size_t>(std::clamp(run, 0, static_cast<int>(learners_.size()) - 1));
  const Learner& chosen = learners_[which];
  const nn::Checkpoint* kept = to_continue ? nullptr : kept_at(chosen, at);
  const int step = kept ? kept->step : chosen.trainer.step();
  TrainedModel model;
  const std::string origin = origin_words(history_.changes);
  model.title = title_of(history_.settings) + (origin.empty() ? "" : ", " + origin) + ", " + chosen.name +
                ", step " + number_text(step);
  model.task = word(history_.settings.task);
  model.sentence = first.sentence, model.look_at = first.look_at, model.first = first.set;
  model.config = chosen.trainer.setup().config, model.guide = chosen.trainer.setup().guide;
  model.dropout = chosen.trainer.setup().dropout, model.steps = step;
  for (const Setting& one : training_settings()) {
    const std::string_view name = one.field.name;
    // No settings alone train it again if they were changed on the way.
    if (!history_.changes.empty() || !training_applies(chosen.settings, name)) continue;
    std::string value = one.text(chosen.settings);
    if (one.field.names == TextNames::text) {
      value = std::filesystem::path(value).filename().string();  // a shared model names no folders
    } else if (one.field.group != Group::own) {
      continue;
    }
    model.training.emplace_back(name, std::move(value));
  }
  model.encoder = std::make_shared<const nn::Encoder>(task_->encoding());
  std::vector<io::TensorView<float>> tensors = tensor_views(kept ? kept->weights : chosen.trainer.weights());
  if (!to_continue) {
    const io::TensorMetadata metadata = {{"headlight", model_description(model)}};
    if (stored == StoredWeights::float16) return io::write_safetensors_f16(tensors, metadata);
    return io::write_safetensors(tensors, metadata);
  }
  nlohmann::ordered_json state = {{"format", 1}, {"run", which}};
  history_.write(state);
  for (size_t i = 0; i < learners_.size(); ++i) {
    const Learner& learner = learners_[i];
    const std::string prefix = run_prefix(i);
    for (auto& [part, weights] : parts_of(learner)) {
      for (io::TensorView<float>& view : tensor_views(*weights, prefix + part))
        tensors.push_back(std::move(view));
    }
    if (!learner.losses.empty())
      tensors.push_back({prefix + "losses", {learner.losses.size()}, learner.losses, {}});
    state["steps"].push_back(learner.trainer.step());
    auto& film = state["film"][i] = nlohmann::ordered_json::array();
    for (const nn::Checkpoint* point : filed(learner)) {
      film.push_back(point->step);
      for (io::TensorView<float>& view : tensor_views(point->weights, film_prefix(prefix, point->step)))
        tensors.push_back(std::move(view));
    }
    for (const auto& [curve, points] :
         {std::pair{"validation", &learner.validation}, std::pair{"score", &learner.score}}) {
      auto& list = state[curve][i] = nlohmann::ordered_json::array();
      for (const CurvePoint& p : *points) list.push_back({p.step, p.value, p.low, p.high});
    }
  }
  return io::write_safetensors(
      tensors,
      {{"headlight", model_description(model)},
       {training_entry, state.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)}});
}

base::Status LanguageRun::restore(const io::TensorFile& file, const io::Json& state, const std::string& name,
                                  base::Parallel& parallel) {
  choose_example();
  const auto film = [&](Learner& learner, nn::Checkpoint point) {
    learner.film.push_back({point.step, maps(learner, point.weights, parallel), whole(point)});
    measure_film(learner.film);
    learner.kept.push_back(std::move(point));
  };
  for (size_t i = 0; i < learners_.size(); ++i) {
    Learner& learner = learners_[i];
    const std::string prefix = run_prefix(i);
    const auto wrong = [&](const std::string& what) {
      return base::Error{name + ": run " + std::to_string(i + 1) + ": " + what + "; the file is damaged"};
    };
    const io::Json* stated = of_run(state, "steps", i);
    const std::int64_t newest =
        stated ? io::whole_number(*stated, 0, history_.settings.steps).value_or(-1) : -1;
    if (newest < 0) {
      return wrong("expected its step, 0 to " + std::to_string(history_.settings.steps) + ", found " +
                   (stated ? io::found(*stated) : "nothing"));
    }
    if (!history_.changes.empty() && history_.changes.back().step > newest)
      return wrong("its settings change after its step");
    std::vector<int> between;
    if (!read_film(of_run(state, "film", i), static_cast<int>(newest), between))
      return wrong("the kept steps are not ascending whole numbers below its step");
    if (!read_curve(of_run(state, "validation", i), static_cast<int>(newest), learner.validation))
      return wrong("the steps of the curve \"validation\" are not ascending and at most its step");
    if (!read_curve(of_run(state, "score", i), static_cast<int>(newest), learner.score))
      return wrong("the steps of the curve \"score\" are not ascending and at most its step");
    if (const auto found = file.tensors.find(prefix + "losses"); found != file.tensors.end())
      learner.losses = found->second.values;
    if (learner.losses.size() != static_cast<size_t>(newest)) {
      return wrong("expected " + std::to_string(newest) + " losses, found " +
                   std::to_string(learner.losses.size()));
    }
    nn::Checkpoint point;
    point.step = point.adam.step = static_cast<int>(newest);
    nn::ModelWeights* parts[] = {&point.weights, &point.adam.m, &point.adam.v};
    for (int part = 0; part < 3; ++part) {
      auto read = weights_from(file, learner.trainer.setup().config, prefix + state_parts[part], name);
      if (!read) return base::Error{read.error()};
      if (const std::string bad = unfit(*read, part, prefix); !bad.empty())
        return base::Error{name + ": " + bad + "; start the run again"};
      *parts[part] = std::move(*read);
    }
    nn::Checkpoint start = learner.trainer.checkpoint();       // step 0 comes from the seed
    if (history_.first_step() > 0) start.adam = {-1, {}, {}};  // and is another run's
    film(learner, std::move(start));
    for (const int step : shown_of(between)) {
      auto read = weights_from(file, learner.trainer.setup().config, film_prefix(prefix, step), name);
      if (!read) return base::Error{read.error()};
      film(learner, {step, std::move(*read), {-1, {}, {}}});
    }
    learner.trainer.restore(point);
    if (point.step > 0) film(learner, std::move(point));
    label(learner, parallel);
    predict(learner, parallel);
    if (learner.trainer.finished()) measure_end(learner, parallel);
  }
  return {};
}

std::vector<const nn::Checkpoint*> LanguageRun::filed(const Learner& learner) const {
  std::vector<const nn::Checkpoint*> between, out;
  for (const nn::Checkpoint& point : learner.kept) {
    if (point.step > 0 && point.step < learner.trainer.step()) between.push_back(&point);
  }
  double bytes = 0;  // of one step of all models
  for (const Learner& each : learners_)
    bytes += sizeof(float) * static_cast<double>(nn::parameters(each.trainer.setup().config));
  const auto most = static_cast<size_t>(most_file_bytes / bytes);
  if (between.size() <= most) return between;
  for (size_t i = 0; i < most; ++i) out.push_back(between[(2 * i + 1) * between.size() / (2 * most)]);
  return out;
}

std::vector<int> LanguageRun::shown_of(const std::vector<int>& steps) const {
  const size_t most = std::min(steps.size(), static_cast<size_t>(kept_at_most()));
  std::vector<int> out;
  for (size_t i = 0; i < most; ++i) out.push_back(steps[(2 * i + 1) * steps.size() / (2 * most)]);
  return out;
}

}  // namespace language

base::Status check_language_run(const TrainingSettings& settings, const nn::Task* task,
                                const io::TensorFile& file, const std::string& name) {
  const std::vector<language::Compared> all = language::compared(settings, language::control_in(file));
  for (size_t i = 0; i < all.size(); ++i) {
    for (const char* part : language::state_parts) {
      const std::string prefix = language::run_prefix(i) + part;
      nn::ModelConfig config = language::config_of(all[i].settings);
      if (task) {
        config = nn::for_task(*task, config, all[i].drawn_for);
      } else {
        // Values that only the task knows are taken from the file: making the task may take seconds.
        const auto rows = [&](const char* tensor) {
          const auto found = file.tensors.find(prefix + tensor);
          const bool table = found != file.tensors.end() && found->second.shape.size() == 2;
          return table ? static_cast<int>(std::min<size_t>(found->second.shape[0], 1 << 24)) : 1;
        };
        config.vocabulary = rows("wte"), config.context = rows("wpe");
        config.tied = all[i].drawn_for != nn::ModelPositions::sinusoidal;
      }
      if (const base::Status fits = check_shapes(file, config, prefix, name); !fits) return fits;
    }
  }
  return {};
}

base::Result<std::unique_ptr<TrainingRun>> language_run_from(
    const TrainingSettings& settings, std::shared_ptr<const nn::Task> task, const io::TensorFile& file,
    const io::Json& state, std::vector<TrainingChange> changes, const std::string& name,
    base::Parallel& parallel) {
  if (const base::Status fits = check_language_run(settings, task.get(), file, name); !fits)
    return base::Error{fits.error()};
  auto run = std::make_unique<language::LanguageRun>(RunHistory{settings, std::move(changes)},
                                                     std::move(task), language::control_in(file));
  if (const base::Status restored = run->restore(file, state, name, parallel); !restored)
    return base::Error{restored.error()};
  return std::unique_ptr<TrainingRun>(std::move(run));
}

}  // namespace headlight::scene
