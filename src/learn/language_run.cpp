#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "base/words.h"
#include "learn/training_run.h"
#include "pages/training/curve.h"
#include "pages/training/training.h"
#include "scene/field_values.h"
#include "scene/named_files.h"
#include "scene/setting.h"
#include "tasks/trained_measures.h"
#include "tasks/trainer.h"

namespace headlight::scene {

namespace {

using std::size_t;

constexpr int most_kept = 48;              // steps of the film
constexpr double most_kept_bytes = 256e6;  // weights and moments of all kept steps
constexpr double most_film_bytes = 8e6;    // maps of one run: they are copied for every picture
constexpr double most_file_bytes = 6e6;    // weights in a file, of the steps between the first and the newest
constexpr int longest_vocabulary_shown = 8192;

nn::ModelConfig config_of(const TrainingSettings& s) {
  nn::ModelConfig config;
  config.d_model = s.d_model, config.heads = s.heads, config.layers = s.layers, config.d_ff = 4 * s.d_model;
  config.positions = static_cast<nn::ModelPositions>(s.positions);
  config.rope_pairs = s.rope_pairs, config.activation = s.activation;
  config.norm = s.norm, config.residual = s.residual, config.feed_forward = s.feed_forward;
  return config;
}

/// True if a head is guided. Only pronouns have goals.
bool guided(const TrainingSettings& s) {
  return s.task == TrainingTask::pronouns && s.guide > 0;
}

/// How a control without positions is built.
enum class ControlHead {
  same,  // like the model beside it: they differ only in their positions
  own    // as its own positions require: runs that were saved when controls were built this way
};

/// One model of a run: its settings, and the positions that determine its head and its initial weights.
struct Compared {
  TrainingSettings settings;
  nn::ModelPositions drawn_for;
};

/// The models of a run: the chosen one, and the one beside it or those with each of the other positions. All
/// schemes are built as for sinusoidal positions, which need a separate output head and large embeddings, so
/// that the schemes differ only in their positions.
std::vector<Compared> compared(const TrainingSettings& s, ControlHead control) {
  const nn::ModelPositions own = config_of(s).positions;
  std::vector<Compared> all = {{s, own}};
  TrainingSettings other = s;
  const auto beside = [&](bool differs, auto change) {
    if (!differs) return;
    change();
    all.push_back({other, own});
  };
  if (s.compare == TrainingCompare::every_position) {
    for (int p = 0; p < static_cast<int>(std::size(Words<TrainingPositions>::list)); ++p) {
      other.positions = static_cast<TrainingPositions>(p);
      if (other.positions == s.positions) continue;
      all.push_back({other, control == ControlHead::same ? nn::ModelPositions::sinusoidal
                                                         : config_of(other).positions});
    }
    if (control == ControlHead::same) all.front().drawn_for = nn::ModelPositions::sinusoidal;
    return all;
  }
  if (s.compare == TrainingCompare::one_head && s.heads > 1) {
    other.heads = 1;
    all.push_back({other, own});
  } else if (s.compare == TrainingCompare::no_positions && s.positions != TrainingPositions::none) {
    other.positions = TrainingPositions::none;
    all.push_back({other, control == ControlHead::same ? own : nn::ModelPositions::none});
  } else if (s.compare == TrainingCompare::no_guide && guided(s)) {
    other.guide = 0;
    all.push_back({other, own});
  }
  beside(s.compare == TrainingCompare::no_residuals && s.residual, [&] { other.residual = false; });
  beside(s.compare == TrainingCompare::no_norms && s.norm != nn::NormPlace::none,
         [&] { other.norm = nn::NormPlace::none; });
  beside(s.compare == TrainingCompare::no_feed_forward && s.feed_forward,
         [&] { other.feed_forward = false; });
  beside(s.compare == TrainingCompare::no_dropout && s.dropout > 0, [&] { other.dropout = 0; });
  return all;
}

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

/// True if the run can continue from this step. For a step from a file only the weights are known.
bool whole(const nn::Checkpoint& point) {
  return point.adam.step == point.step;
}

/// "27,200 parameters".
std::string parameters_words(const nn::ModelConfig& config) {
  return base::with_commas(static_cast<long long>(nn::parameters(config))) + " parameters";
}

/// One model of the run, its kept steps, and its curves.
struct Learner {
  Learner(nn::TrainerSetup setup, const TrainingSettings& of, std::string called)
      : trainer(std::move(setup)), settings(of), name(std::move(called)) {
    settings.compare = TrainingCompare::nothing;
  }
  nn::Trainer trainer;
  TrainingSettings settings;  // of this model alone
  std::string name;
  std::vector<float> losses;  // of steps first_loss, first_loss + 1, …
  std::vector<CurvePoint> validation, score;
  std::vector<nn::Checkpoint> kept;  // ascending
  std::vector<FilmFrame> film;       // of the kept steps, for the shown example
  std::vector<HeadLabel> labels;
  std::vector<int> predicted;
  std::vector<LengthPoint> lengths;  // of the last step
  Pruning pruning;
};

class LanguageRun final : public TrainingRun {
 public:
  LanguageRun(const TrainingSettings& settings, std::shared_ptr<const nn::Task> task, ControlHead control)
      : settings_(settings), task_(std::move(task)) {
    for (const Compared& each : compared(settings_, control)) add(each.settings, each.drawn_for);
    stride_ = std::max(1, (settings_.steps + kept_at_most() - 1) / kept_at_most());
    if (task_->vocabulary() <= longest_vocabulary_shown) {
      for (int t = 0; t < task_->vocabulary(); ++t) vocabulary_.push_back(task_->token_text(t));
    }
  }

  void keep_start(base::Parallel& parallel) {
    choose_example();
    for (Learner& learner : learners_) keep(learner, parallel);
  }

  int step() const override { return learners_.front().trainer.step(); }
  int steps() const override { return settings_.steps; }
  double tokens_in_a_step() const override {
    return static_cast<double>(task_->length()) * settings_.batch * static_cast<double>(learners_.size());
  }

  bool advance(base::Parallel& parallel) override {
    bool moved = false;
    for (Learner& learner : learners_) {
      if (learner.trainer.finished() || !learner.trainer.problem().empty()) continue;
      if (!learner.trainer.advance(parallel)) continue;
      moved = true;
      learner.losses.push_back(static_cast<float>(learner.trainer.loss()));
      if (learner.trainer.step() % stride_ == 0 || learner.trainer.finished()) keep(learner, parallel);
      if (learner.trainer.finished()) measure_end(learner, parallel);
    }
    return moved;
  }

  void rewind(int step, base::Parallel& parallel) override {
    for (Learner& learner : learners_) {
      while (learner.kept.size() > 1 && (learner.kept.back().step > step || !whole(learner.kept.back()))) {
        learner.kept.pop_back();
        learner.film.pop_back();
      }
      const int back = learner.kept.back().step;
      learner.trainer.restore(learner.kept.back());
      const auto later = [&](const CurvePoint& point) { return point.step > back; };
      learner.losses.resize(std::min(learner.losses.size(), static_cast<size_t>(std::max(0, back))));
      std::erase_if(learner.validation, later);
      std::erase_if(learner.score, later);
      learner.lengths.clear(), learner.pruning = {};
      if (learner.trainer.finished()) measure_end(learner, parallel);
      label(learner, parallel);
      predict(learner, parallel);
    }
  }

  void look(const TrainingLook& look, base::Parallel& parallel) override {
    if (look == look_) return;
    const bool other = look.example != look_.example || (look.example < 0 && look.sentence != look_.sentence);
    look_ = look;
    if (other) {
      choose_example();
      for (Learner& learner : learners_) {
        for (size_t i = 0; i < learner.film.size(); ++i)
          learner.film[i].maps = maps(learner, learner.kept[i].weights, parallel), learner.film[i].moved = -1;
        measure_film(learner.film);
      }
    }
    for (Learner& learner : learners_) predict(learner, parallel), prune(learner, parallel);
  }

  void fill(TrainingSnapshot& snapshot) const override {
    snapshot.runs.clear();
    for (const Learner& learner : learners_) {
      RunSnapshot run;
      run.name = learner.name + ", " + parameters_words(learner.trainer.setup().config);
      run.config = learner.trainer.setup().config;
      run.loss = thinned(learner.losses);
      run.validation = learner.validation, run.score = learner.score;
      run.film = learner.film;
      run.labels = learner.labels;
      run.predicted = learner.predicted;
      run.step = learner.trainer.step(), run.rate = learner.trainer.rate();
      run.stopped = learner.trainer.problem();
      run.lengths = learner.lengths, run.pruning = learner.pruning;
      snapshot.runs.push_back(std::move(run));
    }
    snapshot.score_name = task_->score_name();
    snapshot.baselines.clear();
    for (const nn::Baseline& b : task_->baselines()) snapshot.baselines.push_back({b.name, b.loss});
    snapshot.step = step(), snapshot.steps = steps();
    snapshot.note = task_->note();
    snapshot.vocabulary = vocabulary_;
    snapshot.example.clear(), snapshot.wanted.clear();
    for (const int token : example_.tokens) snapshot.example.push_back(task_->token_text(token));
    for (const int token : example_.targets) {
      snapshot.wanted.push_back(token == nn::no_target ? std::string() : task_->token_text(token));
    }
  }

  base::Result<std::string> file(int run, bool to_continue, const FirstLook& first, StoredWeights stored,
                                 int at) const override {
    const auto which = static_cast<size_t>(std::clamp(run, 0, static_cast<int>(learners_.size()) - 1));
    const Learner& chosen = learners_[which];
    const nn::Checkpoint* kept = to_continue ? nullptr : kept_at(chosen, at);
    const int step = kept ? kept->step : chosen.trainer.step();
    TrainedModel model;
    model.title = title_of(settings_) + ", " + chosen.name + ", step " + number_text(step);
    model.task = word(settings_.task);
    model.sentence = first.sentence, model.look_at = first.look_at, model.first = first.set;
    model.config = chosen.trainer.setup().config, model.guide = chosen.trainer.setup().guide;
    model.dropout = chosen.trainer.setup().dropout, model.steps = step;
    for (const Setting& one : training_settings()) {
      const std::string_view name = one.field.name;
      if (!training_applies(chosen.settings, name)) continue;
      std::string value = one.text(chosen.settings);
      if (one.field.names == TextNames::text) {
        value = std::filesystem::path(value).filename().string();  // a shared model names no folders
      } else if (one.field.group != Group::own) {
        continue;
      }
      model.training.emplace_back(name, std::move(value));
    }
    model.encoder = std::make_shared<const nn::Encoder>(task_->encoding());
    std::vector<io::TensorView<float>> tensors =
        tensor_views(kept ? kept->weights : chosen.trainer.weights());
    if (!to_continue) {
      const io::TensorMetadata metadata = {{"headlight", model_description(model)}};
      if (stored == StoredWeights::float16) return io::write_safetensors_f16(tensors, metadata);
      return io::write_safetensors(tensors, metadata);
    }
    nlohmann::ordered_json state = {{"format", 1}, {"run", which}};
    for (const Setting& one : training_settings()) state["settings"][one.field.name] = one.text(settings_);
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

  /// Restores the state that file() wrote; an error names what is missing.
  base::Status restore(const io::TensorFile& file, const io::Json& state, const std::string& name,
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
      const io::Json* said = of_run(state, "steps", i);
      const std::int64_t newest = said ? io::whole_number(*said, 0, settings_.steps).value_or(-1) : -1;
      if (newest < 0) {
        return wrong("expected its step, 0 to " + std::to_string(settings_.steps) + ", found " +
                     (said ? io::found(*said) : "nothing"));
      }
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
      film(learner, learner.trainer.checkpoint());  // step 0 comes from the seed
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

 private:
  static std::string title_of(const TrainingSettings& s) {
    constexpr const char* titles[] = {"two relations", "reverse",  "copy / induction",
                                      "small English", "pronouns", "text"};
    const std::string title = titles[static_cast<int>(s.task)];
    if (s.task != TrainingTask::text) return title;
    return title + " " + shown_text(shown_name(s.file));
  }

  static std::string name_of(const TrainingSettings& s) {
    constexpr const char* positions[] = {
        "without positions", "sinusoidal positions", "learned positions", "T5 bias", "ALiBi", "RoPE"};
    const bool rope = s.positions == TrainingPositions::rope;
    std::string name = base::counted(s.layers, "layer") + ", " + base::counted(s.heads, "head") + ", " +
                       (rope ? rope_words(s.rope_pairs) : positions[static_cast<int>(s.positions)]);
    if (guided(s)) name += ", one head guided";
    if (s.feed_forward && s.activation != nn::Activation::gelu_tanh)
      name += s.activation == nn::Activation::gelu_erf ? ", GELU by erf" : ", ReLU";
    if (!s.residual) name += ", no residuals";
    if (s.norm != nn::NormPlace::pre)
      name += s.norm == nn::NormPlace::post ? ", post-norm" : ", no layer norm";
    if (!s.feed_forward) name += ", no feed-forward";
    if (s.dropout > 0) name += ", dropout " + number_text(s.dropout);
    return name;
  }

  static std::vector<std::pair<const char*, const nn::ModelWeights*>> parts_of(const Learner& learner) {
    const nn::Checkpoint& point = learner.trainer.checkpoint();
    return {
        {state_parts[0], &point.weights}, {state_parts[1], &point.adam.m}, {state_parts[2], &point.adam.v}};
  }

  static std::string film_prefix(const std::string& run, int step) {
    return run + "film" + std::to_string(step) + '.';
  }

  /// The steps of the film that go into a file besides the first step, which the seed gives, and the newest:
  /// as many as its size allows, evenly spaced.
  std::vector<const nn::Checkpoint*> filed(const Learner& learner) const {
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

  /// The value of this name for run `run`, counted from 0, in a file's state; null if it is absent.
  static const io::Json* of_run(const io::Json& state, const char* name, size_t run) {
    const io::Json* all = io::member(state, name);
    return all && all->is_array() && run < all->size() ? &(*all)[run] : nullptr;
  }

  /// Reads the steps of the film between the first and the newest.
  static bool read_film(const io::Json* film, int newest, std::vector<int>& out) {
    if (!film) return true;
    if (!film->is_array()) return false;
    for (const io::Json& each : *film) {
      const auto step = io::whole_number(each, out.empty() ? 1 : out.back() + 1, newest - 1);
      if (!step) return false;
      out.push_back(static_cast<int>(*step));
    }
    return true;
  }

  /// A run that was continued often may have stored more steps than are shown: returns some of them, evenly
  /// spaced.
  std::vector<int> shown_of(const std::vector<int>& steps) const {
    const size_t most = std::min(steps.size(), static_cast<size_t>(kept_at_most()));
    std::vector<int> out;
    for (size_t i = 0; i < most; ++i) out.push_back(steps[(2 * i + 1) * steps.size() / (2 * most)]);
    return out;
  }

  /// [step, value, low, high] of ascending steps. JSON has no NaN: null represents it.
  static bool read_curve(const io::Json* curve, int newest, std::vector<CurvePoint>& out) {
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

  void add(const TrainingSettings& s, nn::ModelPositions drawn_for) {
    nn::TrainerSetup setup;
    setup.task = task_, setup.config = config_of(s), setup.drawn_for = drawn_for;
    if (guided(s)) setup.guide = {s.layers - 1, 0, s.guide};
    setup.steps = settings_.steps, setup.batch = settings_.batch;
    setup.dropout = s.dropout;
    setup.rate = settings_.rate, setup.seed = static_cast<std::uint64_t>(settings_.seed);
    const bool alone = (config_of(s).positions == nn::ModelPositions::sinusoidal) ==
                       (drawn_for == nn::ModelPositions::sinusoidal);
    learners_.emplace_back(std::move(setup), s,
                           name_of(s) + (alone ? "" : ", output head initialized as with sinusoids"));
  }

  int kept_at_most() const {
    const nn::ModelConfig& config = learners_.front().trainer.setup().config;
    const double weights =
        3.0 * sizeof(float) * static_cast<double>(nn::parameters(config) * learners_.size());
    const double film =
        sizeof(float) * static_cast<double>(config.layers) * config.heads * task_->length() * task_->length();
    return std::clamp(static_cast<int>(std::min(most_kept_bytes / weights, most_film_bytes / film)), 4,
                      most_kept);
  }

  void choose_example() {
    if (look_.example < 0) {
      example_ = {task_->tokens_of(look_.sentence), {}};
      if (!example_.tokens.empty()) {
        example_.targets.assign(example_.tokens.size(), nn::no_target);
        return;
      }
    }
    example_ = task_->example(std::max(0, look_.example));
  }

  void keep(Learner& learner, base::Parallel& parallel) {
    const nn::TrainerSetup& setup = learner.trainer.setup();
    const nn::TaskScore score = task_->evaluate(setup.config, learner.trainer.weights(), parallel);
    const int step = learner.trainer.step();
    learner.validation.push_back({step, static_cast<float>(score.validation_loss),
                                  static_cast<float>(score.validation_low),
                                  static_cast<float>(score.validation_high)});
    const auto share = static_cast<float>(score.score);
    learner.score.push_back({step, share, share, share});
    learner.kept.push_back(learner.trainer.checkpoint());
    learner.film.push_back({step, maps(learner, learner.trainer.weights(), parallel)});
    measure_film(learner.film);
    label(learner, parallel);
    predict(learner, parallel);
  }

  void measure_end(Learner& learner, base::Parallel& parallel) const {
    const nn::ModelConfig& config = learner.trainer.setup().config;
    learner.lengths.clear();
    for (const nn::LengthScore& s : nn::length_scores(*task_, config, learner.trainer.weights(), parallel))
      learner.lengths.push_back({s.length, s.score, s.loss, s.possible});
    prune(learner, parallel);
  }

  /// Computes the plot of removed heads if it is shown; takes seconds.
  void prune(Learner& learner, base::Parallel& parallel) const {
    const int step = learner.trainer.step();
    if (look_.plot != TrainingPlot::pruning || learner.pruning.step == step) return;
    const nn::HeadRemoval removal =
        nn::head_removal(*task_, learner.trainer.setup().config, learner.trainer.weights(), parallel);
    learner.pruning = {step, removal.score, removal.loss, {}, {}};
    for (const nn::RemovedHead& r : removal.alone)
      learner.pruning.alone.push_back({r.layer, r.head, r.score, r.loss});
    for (const nn::RemovedHead& r : removal.greedy)
      learner.pruning.greedy.push_back({r.layer, r.head, r.score, r.loss});
  }

  void label(Learner& learner, base::Parallel& parallel) const {
    const nn::ModelConfig& config = learner.trainer.setup().config;
    const nn::HeadScores scores = nn::head_scores(*task_, config, learner.trainer.weights(), parallel);
    learner.labels.clear();
    for (int l = 0; l < config.layers; ++l) {
      for (int h = 0; h < config.heads; ++h) {
        HeadLabel label{l, h, "", 0, false};
        const nn::Guide& guide = learner.trainer.setup().guide;
        label.guided = guide.weight > 0 && guide.layer == l && guide.head == h;
        if (const int role = nn::outstanding_role(scores, l, h); role >= 0) {
          label.role = scores.roles[static_cast<size_t>(role)];
          label.score = scores.mean.at(l, h, role);
        }
        learner.labels.push_back(label);
      }
    }
  }

  nn::ModelTrace trace_of(const Learner& learner, const nn::ModelWeights& weights,
                          base::Parallel& parallel) const {
    nn::Batch batch;
    batch.B = 1, batch.T = static_cast<int>(example_.tokens.size()), batch.tokens = example_.tokens;
    nn::ModelTrace trace;
    nn::model_forward(learner.trainer.setup().config, weights, batch, parallel, trace);
    return trace;
  }

  std::shared_ptr<const nn::Matrix> maps(const Learner& learner, const nn::ModelWeights& weights,
                                         base::Parallel& parallel) const {
    const nn::ModelTrace trace = trace_of(learner, weights, parallel);
    const nn::ModelConfig& config = learner.trainer.setup().config;
    auto all = std::make_shared<nn::Matrix>(config.layers * config.heads, trace.T, trace.T);
    for (int l = 0; l < config.layers; ++l) {
      const nn::Matrix& layer = trace.layers[static_cast<size_t>(l)].weights;
      std::copy(layer.values().begin(), layer.values().end(), all->plane(l * config.heads));
    }
    return all;
  }

  /// The kept step nearest to `step`, whose map the film shows; null for the newest (−1).
  static const nn::Checkpoint* kept_at(const Learner& learner, int step) {
    const int frame = step < 0 ? -1 : shown_frame(learner.film, step);
    return frame < 0 ? nullptr : &learner.kept[static_cast<size_t>(frame)];
  }

  /// Predicts the most probable token at each position of the example, at the shown step.
  void predict(Learner& learner, base::Parallel& parallel) const {
    const nn::Checkpoint* kept = kept_at(learner, look_.shown_step);
    const nn::ModelTrace trace =
        trace_of(learner, kept ? kept->weights : learner.trainer.weights(), parallel);
    learner.predicted.clear();
    for (int t = 0; t < trace.T; ++t) {
      const std::span<const float> row = trace.logits.row(t);
      learner.predicted.push_back(static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin()));
    }
  }

  TrainingSettings settings_;
  std::shared_ptr<const nn::Task> task_;
  std::vector<Learner> learners_;
  std::vector<std::string> vocabulary_;
  TrainingLook look_;
  nn::Example example_;
  int stride_ = 1;
};

}  // namespace

std::unique_ptr<TrainingRun> language_run(const TrainingSettings& settings,
                                          std::shared_ptr<const nn::Task> task, base::Parallel& parallel) {
  auto run = std::make_unique<LanguageRun>(settings, std::move(task), ControlHead::same);
  run->keep_start(parallel);
  return run;
}

base::Status check_language_run(const TrainingSettings& settings, const nn::Task* task,
                                const io::TensorFile& file, const std::string& name) {
  const std::vector<Compared> all = compared(settings, control_in(file));
  for (size_t i = 0; i < all.size(); ++i) {
    for (const char* part : state_parts) {
      const std::string prefix = run_prefix(i) + part;
      nn::ModelConfig config = config_of(all[i].settings);
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

base::Result<std::unique_ptr<TrainingRun>> language_run_from(const TrainingSettings& settings,
                                                             std::shared_ptr<const nn::Task> task,
                                                             const io::TensorFile& file,
                                                             const io::Json& state, const std::string& name,
                                                             base::Parallel& parallel) {
  if (const base::Status fits = check_language_run(settings, task.get(), file, name); !fits)
    return base::Error{fits.error()};
  auto run = std::make_unique<LanguageRun>(settings, std::move(task), control_in(file));
  if (const base::Status restored = run->restore(file, state, name, parallel); !restored)
    return base::Error{restored.error()};
  return std::unique_ptr<TrainingRun>(std::move(run));
}

}  // namespace headlight::scene
