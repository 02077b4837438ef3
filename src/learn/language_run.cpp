#include "learn/language_run.h"

#include <algorithm>
#include <iterator>

#include "base/numbers.h"
#include "base/words.h"
#include "pages/training/changes.h"
#include "pages/training/curve.h"
#include "scene/field_values.h"
#include "tasks/trained_measures.h"

namespace headlight::scene {

namespace language {

namespace {

constexpr int most_kept = 48;              // steps of the film
constexpr double most_kept_bytes = 256e6;  // weights and moments of all kept steps
constexpr double most_film_bytes = 8e6;    // maps of one run: they are copied for every picture
constexpr int longest_vocabulary_shown = 8192;

/// True if a head is guided. Only pronouns have goals.
bool guided(const TrainingSettings& s) {
  return s.task == TrainingTask::pronouns && s.guide > 0;
}

/// "27,200 parameters".
std::string parameters_words(const nn::ModelConfig& config) {
  return base::with_commas(static_cast<long long>(nn::parameters(config))) + " parameters";
}

std::string name_of(const TrainingSettings& s) {
  constexpr const char* positions[] = {
      "without positions", "sinusoidal positions", "learned positions", "T5 bias", "ALiBi", "RoPE"};
  const bool rope = s.positions == TrainingPositions::rope;
  std::string name = base::counted(s.layers, "layer") + ", " + base::counted(s.heads, "head") + ", " +
                     (rope ? rope_words(s.rope_pairs) : positions[static_cast<int>(s.positions)]);
  if (guided(s)) name += ", one head guided";
  if (s.feed_forward && s.activation != nn::Activation::gelu_tanh)
    name += s.activation == nn::Activation::gelu_erf ? ", GELU by erf" : ", ReLU";
  if (!s.residual) name += ", no residuals";
  if (s.norm != nn::NormPlace::pre) name += s.norm == nn::NormPlace::post ? ", post-norm" : ", no layer norm";
  if (!s.feed_forward) name += ", no feed-forward";
  if (s.dropout > 0) name += ", dropout " + number_text(s.dropout);
  return name;
}

/// What tells the model from the one beside it, where its name does not: ", learning rate 0.01".
std::string beside_words(const TrainingSettings& first, const TrainingSettings& of) {
  if (first.compare != TrainingCompare::other) return {};
  const auto second = other_run(first);
  if (!second || name_of(first) != name_of(*second)) return {};
  TrainingSettings alone = first;
  alone.compare = second->compare, alone.compare_set = second->compare_set;
  const TrainingChange change = change_between(0, false, alone, *second);
  return change.settings.empty() ? std::string() : ", " + setting_words(change.settings.front().name, of);
}

}  // namespace

nn::ModelConfig config_of(const TrainingSettings& s) {
  nn::ModelConfig config;
  config.d_model = s.d_model, config.heads = s.heads, config.layers = s.layers, config.d_ff = 4 * s.d_model;
  config.positions = static_cast<nn::ModelPositions>(s.positions);
  config.rope_pairs = s.rope_pairs, config.activation = s.activation;
  config.norm = s.norm, config.residual = s.residual, config.feed_forward = s.feed_forward;
  return config;
}

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
  if (s.compare == TrainingCompare::other) {
    if (const auto second = other_run(s)) all.push_back({*second, own});
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

LanguageRun::LanguageRun(RunHistory history, std::shared_ptr<const nn::Task> task, ControlHead control)
    : history_(std::move(history)), control_(control), task_(std::move(task)) {
  for (const Compared& each : compared(history_.settings, control)) add(each.settings, each.drawn_for);
  stride_ = std::max(1, (history_.settings.steps + kept_at_most() - 1) / kept_at_most());
  if (task_->vocabulary() <= longest_vocabulary_shown) {
    for (int t = 0; t < task_->vocabulary(); ++t) vocabulary_.push_back(task_->token_text(t));
  }
}

void LanguageRun::keep_start(base::Parallel& parallel) {
  choose_example();
  for (Learner& learner : learners_) keep(learner, parallel);
}

double LanguageRun::tokens_in_a_step() const {
  double sequences = 0;
  for (const Learner& learner : learners_) sequences += learner.trainer.setup().batch;
  return static_cast<double>(task_->length()) * sequences;
}

bool LanguageRun::advance(base::Parallel& parallel) {
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

void LanguageRun::rewind(int step, base::Parallel& parallel) {
  for (Learner& learner : learners_) {
    // Where a run goes on from another one, no earlier step is whole.
    const auto first = std::find_if(learner.kept.begin(), learner.kept.end(), whole);
    const auto least = static_cast<size_t>(first - learner.kept.begin()) + 1;
    while (learner.kept.size() > least && (learner.kept.back().step > step || !whole(learner.kept.back()))) {
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
  history_.rewind(this->step());
  take_over_rate();
}

void LanguageRun::set_rate(double rate) {
  history_.set_rate(step(), rate);
  take_over_rate();
}

void LanguageRun::take_over_rate() {
  const std::vector<Compared> all = compared(history_.settings, control_);
  for (size_t i = 0; i < learners_.size() && i < all.size(); ++i) learners_[i].set_rate(all[i].settings.rate);
}

base::Result<std::unique_ptr<TrainingRun>> LanguageRun::forked(int step, const TrainingSettings& settings,
                                                               base::Parallel& parallel,
                                                               const KeepGoing& keep_going) const {
  const int at = step < 0 || step > this->step() ? this->step() : step;
  const TrainingSettings then = history_.settings_at(at);
  if (const std::string why = why_restart(then, settings, at); !why.empty()) return base::Error{why};
  std::shared_ptr<const nn::Task> task = task_;
  if (settings.seed != then.seed) {
    auto other = training_task(settings, keep_going);
    if (!other) return base::Error{other.error()};
    task = std::move(*other);
    if (task->vocabulary() != task_->vocabulary() || task->length() != task_->length())
      return base::Error{"with another seed the task has different tokens"};
  }
  auto next = std::make_unique<LanguageRun>(history_.forked(at, settings), std::move(task), control_);
  if (const base::Status gone_on = next->go_on_from(*this, at, parallel); !gone_on)
    return base::Error{gone_on.error()};
  return std::unique_ptr<TrainingRun>(std::move(next));
}

base::Status LanguageRun::go_on_from(const LanguageRun& before, int step, base::Parallel& parallel) {
  look_ = before.look_;
  choose_example();
  for (size_t i = 0; i < learners_.size(); ++i) {
    const Learner& from = before.learners_[i];
    Learner& to = learners_[i];
    const nn::Checkpoint* point = from.trainer.step() == step ? &from.trainer.checkpoint() : nullptr;
    for (const nn::Checkpoint& kept : from.kept) {
      if (!point && kept.step == step && whole(kept)) point = &kept;
    }
    if (!point)
      return base::Error{"of step " + number_text(step) +
                         " the state is not known that is needed to continue from it"};
    const auto earlier = [&](const CurvePoint& p) { return p.step < step; };
    std::copy_if(from.validation.begin(), from.validation.end(), std::back_inserter(to.validation), earlier);
    std::copy_if(from.score.begin(), from.score.end(), std::back_inserter(to.score), earlier);
    to.losses.assign(from.losses.begin(),
                     from.losses.begin() + static_cast<std::ptrdiff_t>(
                                               std::min(from.losses.size(), static_cast<size_t>(step))));
    // Only the weights of the steps before: the run never goes back behind the one that it starts from.
    std::vector<size_t> shown;
    for (size_t k = 0; k < from.kept.size() && from.kept[k].step < step; ++k) shown.push_back(k);
    const size_t most = std::min(shown.size(), static_cast<size_t>(kept_at_most()));
    for (size_t k = 0; k < most; ++k) {
      const nn::Checkpoint& kept = from.kept[shown[k * shown.size() / most]];
      to.kept.push_back({kept.step, kept.weights, {-1, {}, {}}});
      to.film.push_back({kept.step, maps(to, kept.weights, parallel), false});
    }
    to.trainer.restore(*point);
    keep(to, parallel);
  }
  return {};
}

void LanguageRun::look(const TrainingLook& look, base::Parallel& parallel) {
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

void LanguageRun::fill(TrainingSnapshot& snapshot) const {
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
  snapshot.changes = history_.changes;
  snapshot.step = step(), snapshot.steps = steps();
  snapshot.note = task_->note();
  snapshot.vocabulary = vocabulary_;
  snapshot.example.clear(), snapshot.wanted.clear();
  for (const int token : example_.tokens) snapshot.example.push_back(task_->token_text(token));
  for (const int token : example_.targets) {
    snapshot.wanted.push_back(token == nn::no_target ? std::string() : task_->token_text(token));
  }
}

void LanguageRun::add(const TrainingSettings& s, nn::ModelPositions drawn_for) {
  nn::TrainerSetup setup;
  setup.task = task_, setup.config = config_of(s), setup.drawn_for = drawn_for;
  if (guided(s)) setup.guide = {s.layers - 1, 0, s.guide};
  setup.steps = history_.settings.steps, setup.batch = s.batch;
  setup.dropout = s.dropout;
  setup.rate = s.rate, setup.seed = static_cast<std::uint64_t>(history_.settings.seed);
  setup.drawn_seed = static_cast<std::uint64_t>(history_.first_seed());
  const bool alone = (config_of(s).positions == nn::ModelPositions::sinusoidal) ==
                     (drawn_for == nn::ModelPositions::sinusoidal);
  learners_.emplace_back(std::move(setup), s,
                         name_of(s) + beside_words(history_.settings, s) +
                             (alone ? "" : ", output head initialized as with sinusoids"));
}

int LanguageRun::kept_at_most() const {
  const nn::ModelConfig& config = learners_.front().trainer.setup().config;
  const double weights = 3.0 * sizeof(float) * static_cast<double>(nn::parameters(config) * learners_.size());
  const double film =
      sizeof(float) * static_cast<double>(config.layers) * config.heads * task_->length() * task_->length();
  return std::clamp(static_cast<int>(std::min(most_kept_bytes / weights, most_film_bytes / film)), 4,
                    most_kept);
}

void LanguageRun::choose_example() {
  if (look_.example < 0) {
    example_ = {task_->tokens_of(look_.sentence), {}};
    if (!example_.tokens.empty()) {
      example_.targets.assign(example_.tokens.size(), nn::no_target);
      return;
    }
  }
  example_ = task_->example(std::max(0, look_.example));
}

void LanguageRun::keep(Learner& learner, base::Parallel& parallel) {
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

void LanguageRun::measure_end(Learner& learner, base::Parallel& parallel) const {
  const nn::ModelConfig& config = learner.trainer.setup().config;
  learner.lengths.clear();
  for (const nn::LengthScore& s : nn::length_scores(*task_, config, learner.trainer.weights(), parallel))
    learner.lengths.push_back({s.length, s.score, s.loss, s.possible});
  prune(learner, parallel);
}

void LanguageRun::prune(Learner& learner, base::Parallel& parallel) const {
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

void LanguageRun::label(Learner& learner, base::Parallel& parallel) const {
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

nn::ModelTrace LanguageRun::trace_of(const Learner& learner, const nn::ModelWeights& weights,
                                     base::Parallel& parallel) const {
  nn::Batch batch;
  batch.B = 1, batch.T = static_cast<int>(example_.tokens.size()), batch.tokens = example_.tokens;
  nn::ModelTrace trace;
  nn::model_forward(learner.trainer.setup().config, weights, batch, parallel, trace);
  return trace;
}

std::shared_ptr<const nn::Matrix> LanguageRun::maps(const Learner& learner, const nn::ModelWeights& weights,
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

const nn::Checkpoint* LanguageRun::kept_at(const Learner& learner, int step) {
  const int frame = step < 0 ? -1 : shown_frame(learner.film, step);
  return frame < 0 ? nullptr : &learner.kept[static_cast<size_t>(frame)];
}

void LanguageRun::predict(Learner& learner, base::Parallel& parallel) const {
  const nn::Checkpoint* kept = kept_at(learner, look_.shown_step);
  // The newest map on show is that of the newest step that was kept, and so are its answers.
  if (!kept && !learner.kept.empty()) kept = &learner.kept.back();
  const nn::ModelTrace trace = trace_of(learner, kept ? kept->weights : learner.trainer.weights(), parallel);
  learner.predicted.clear();
  for (int t = 0; t < trace.T; ++t) {
    const std::span<const float> row = trace.logits.row(t);
    learner.predicted.push_back(static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
}

}  // namespace language

std::unique_ptr<TrainingRun> language_run(const TrainingSettings& settings,
                                          std::shared_ptr<const nn::Task> task, base::Parallel& parallel) {
  auto run = std::make_unique<language::LanguageRun>(RunHistory{settings, {}}, std::move(task),
                                                     language::ControlHead::same);
  run->keep_start(parallel);
  return run;
}

}  // namespace headlight::scene
