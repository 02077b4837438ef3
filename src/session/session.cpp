#include "session/session.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/caught.h"
#include "pages/compute.h"
#include "pages/page.h"
#include "pages/page_that.h"
#include "pages/training/changes.h"
#include "scene/followed.h"
#include "scene/layer_input.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/settings.h"
#include "scene/shown.h"
#include "scene/trained_model.h"
#include "session/field_words.h"
#include "session/token_words.h"

namespace headlight::app {

namespace {

constexpr double save_delay = 0.5;  // seconds after the last change
constexpr double message_seconds = 4, warning_seconds = 12;
constexpr double never = 1e9;

/// A lower estimate of the number of tokens: every word is at least one, and so is nearly every ASCII
/// character. The text is not tokenized for it.
int likely_tokens(const scene::Scene& scene) {
  const bool chars =
      scene.tokenizer == scene::Tokenizer::chars && scene.weights == scene::WeightsSource::random;
  int count = 0;
  bool in_word = false;
  for (const char c : scene.sentence) {
    const bool ends = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    count += chars ? (ascii && !ends ? 1 : 0) : (!ends && !in_word ? 1 : 0);
    in_word = !ends;
  }
  return count;
}

/// The texts without the blanks that a tokenizer may put in front: another model has the same words without
/// them.
std::vector<std::string> texts_of(const std::vector<nn::Token>& tokens) {
  std::vector<std::string> out;
  out.reserve(tokens.size());
  for (const nn::Token& token : tokens) {
    const std::string_view bare = without_blank(token.text);
    out.emplace_back(bare.empty() ? std::string_view(token.text) : bare);
  }
  return out;
}

bool fits_into_a_frame(const scene::Scene& scene) {
  if (scene::work(scene, likely_tokens(scene)) > scene::work_in_a_frame) return false;
  const std::size_t tokens = std::min<std::size_t>(scene::count_tokens(scene), 1u << 20);
  return scene::work(scene, static_cast<int>(tokens)) <= scene::work_in_a_frame;
}

/// Fields that `next` leaves as in `before` get the requested values again. A change of several fields that
/// affect results is a scene that somebody composed: it is used as it is.
void ask_again(scene::Scene& next, const scene::Scene& before, const scene::Scene& wanted) {
  scene::Scene restored = next;
  int changed = 0;
  for (const scene::Setting& one : scene::settings()) {
    if (one.same(restored, before)) {
      one.copy(wanted, restored);
    } else {
      changed += one.field.computes ? 1 : 0;
    }
  }
  if (changed <= 1) next = std::move(restored);
}

/// True if only the model changed: its settings come with it. A scene that was opened has its own settings.
bool chooses_model(const scene::Scene& before, scene::Scene next) {
  if (next.weights == before.weights && next.weights_file == before.weights_file) return false;
  next.weights = before.weights, next.weights_file = before.weights_file;
  next.weights_layer = before.weights_layer, next.page = before.page;
  return next == before;
}

}  // namespace

Session::Session(Start start)
    : parallel_(start.threads),
      background_(start.threads),
      scene_(std::move(start.scene)),
      wanted_(scene_),
      models_(start.models),
      autosave_(std::move(start.autosave)),
      saver_(start.wake),
      unsaved_(std::move(start.unsaved)),
      job_(background_, start.wake),
      preview_job_(start.wake),
      timing_(start.wake, start.threads, std::move(start.measure)),
      writer_(start.wake, start.threads),
      training_(start.wake, std::move(start.training), start.threads) {
  const scene::UseModels at_hand(models_);
  begin();
  explain();
}

/// Loaded by the shelf; without one, read now.
std::shared_ptr<const scene::OneModel> Session::models_of_scene() const {
  using Compared = scene::OneModel::Compared;
  return std::make_shared<const scene::OneModel>(scene_, models_ ? Compared::at_hand : Compared::read);
}

void Session::begin() {
  watch_model_of_scene();
  if (watch_) {  // a small file is loaded before the first frame
    watch_->wait(std::chrono::milliseconds(100));
    models_->take();
    model_version_ = watch_->version();
    if (model_version_ != 0) models_->keep(watch_);
  }
  scene::repair(scene_);
  const bool waits = model_on_its_way();
  if (!waits) requested_ = wanted_key();
  if (!waits && fits_into_a_frame(scene_)) {
    results_ = scene::compute({scene_, *models_of_scene()}, parallel_, nullptr);
    failure_ = results_->failure;
    if (!failure_.empty()) warn(failure_, 0);
    return;
  }
  // The window opens at once, without tokens, and fills when the computation is done.
  scene::Scene empty = scene_;
  empty.sentence.clear();
  if (waits || scene::other_model(empty) || scene::saved_attention(empty))
    empty.weights = scene::WeightsSource::random;
  empty.block.model = scene::BlockModel::stack;  // nothing is trained before the first frame
  scene::repair(empty);                          // random weights may have fewer heads than the model
  results_ = scene::compute({empty, *models_of_scene()}, parallel_, nullptr);
  if (!waits) submit();
}

/// Computes in the background; on the Attention page a preview shows the newest words before that.
void Session::submit(std::shared_ptr<scene::Results> reuse) {
  early_.reset();
  job_.submit(scene_, models_of_scene(), std::move(reuse));
  if (uses().large_map) {
    foresee();
  } else {
    forget_preview();
  }
}

void Session::foresee() {
  // Every token would go through every layer; and saved attention is not of the sentence.
  if (scene::shown_other_model(scene_) || scene::shown_saved_attention(scene_)) return forget_preview();
  foreseen_ = scene_.query;
  preview_job_.submit(scene_, models_of_scene());
}

void Session::forget_preview() {
  preview_job_.cancel();
  preview_.reset(), early_.reset();
}

void Session::wait(const std::function<void(float)>& trained) {
  while (model_on_its_way()) watch_->wait(std::chrono::milliseconds(50)), update(0);
  while (compared_ && !compared_->watch->model())
    compared_->watch->wait(std::chrono::milliseconds(50)), update(0);
  while (job_.busy()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (uses().trains) train_for_a_picture(trained);
  update(0);
}

void Session::train_for_a_picture(const std::function<void(float)>& trained) {
  // To its last step, however long that takes: the numbers of an unfinished run depend on how busy the
  // machine is.
  const auto rest = [&] {
    while (training_.running()) {
      const auto run = training_.latest();
      if (trained && run && run->steps > 0)
        trained(static_cast<float>(run->step) / static_cast<float>(run->steps));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  };
  // A run of this task that was shown before, or is kept in a file, is on its way.
  if (!training_.latest()) rest();
  if (!training_.latest()) training_.start(scene_.training);
  rest();
  watch_training(0);
  training_.wait();
}

Session::~Session() {
  job_.cancel();
}

float Session::busy() const {
  return job_.busy() && !stopped_ ? job_.fraction() : -1.f;  // a stopped computation may take a moment to end
}

void Session::stop_computing(double now) {
  if (!job_.busy()) return;
  if (writing_) stop_writing();
  job_.cancel();
  forget_preview();
  stopped_ = true;
  say("computing was stopped: the last picture is shown", now);
}

void Session::compute_again() {
  if (std::exchange(stopped_, false)) requested_.clear();
}

void Session::say(std::string message, double now) {
  message_ = std::move(message);
  message_until_ = now + message_seconds;
}

void Session::warn(std::string message, double now) {
  message_ = std::move(message);
  message_until_ = now + warning_seconds;
}

void Session::change(scene::Scene next, const std::string& label, double now) {
  if (next == scene_) return;
  const bool chosen = chooses_model(scene_, next);
  const bool typing = (label == "sentence" || chosen) && next.query == scene_.query && next.key == scene_.key;
  if (!typing) {
    typed_.reset();
  } else if (!typed_) {
    typed_ = {texts_of(results_->tokens), texts_of(results_->tokens_of_keys()), scene_.query, scene_.key};
  }
  const scene::UseModels at_hand(models_);
  // A change of the task alone brings the settings of its run, or suitable ones; a scene that was opened has
  // its own settings.
  scene::TrainingSettings same_task = next.training;
  same_task.task = scene_.training.task;
  if (next.training.task != scene_.training.task && same_task == scene_.training) {
    if (auto made = training_.settings_of(next.training.task)) {
      next.training = std::move(*made);
    } else {
      scene::suggest(next.training);
      suggested_ = next.training;
    }
  }
  // A typed text replaces ids if a tokenizer can split it.
  if (next.sentence != scene_.sentence && next.token_ids == scene_.token_ids) {
    if (const auto other = scene::other_model(next); other && other->tokenizer) next.token_ids.clear();
  }
  if (chosen) {
    const std::string sentence = next.sentence;
    scene::adopt_model(next);
    say_unread(sentence, next, now);
  } else if (std::string kept = scene::kept_by_model(scene_, next); !kept.empty()) {
    say(std::move(kept), now);
  }
  const bool other_width = next.d_model != scene_.d_model && next.heads == scene_.heads;
  ask_again(next, scene_, wanted_);
  wanted_ = next;
  const std::size_t typed = next.sentence.size();
  scene::repair(next);
  if (other_width && next.heads != scene_.heads) say_heads(next, now);
  if (next.sentence.size() < typed) {
    warn("the sentence was cut to " + std::to_string(next.sentence.size()) + " of " + std::to_string(typed) +
             " bytes; a longer text can be used to train a model",
         now);
    wanted_.sentence = next.sentence;
  }
  if (next == scene_) return;
  scene::Scene elsewhere = scene_;
  scene::keep_surroundings(elsewhere, next);
  if (elsewhere != next) undo_.push(scene_, label, now);
  const bool another = scene::model_file(next) != scene::model_file(scene_);
  scene_ = std::move(next);
  key_.clear();
  if (another) {
    adopting_.reset();
    watch_model_of_scene();
    if (chosen && model_on_its_way()) adopting_ = scene_;
  }
  selection_changed_ = true;
  save_at_ = now + save_delay;
}

/// The number of heads follows the width of the model: the nearest divisor of it, or the number that was
/// chosen before, which divides it again.
void Session::say_heads(const scene::Scene& next, double now) {
  const std::string heads = "heads: " + std::to_string(scene_.heads) + " → " + std::to_string(next.heads);
  say(heads + (next.heads == wanted_.heads ? ", as chosen before"
                                           : ", since heads must divide d = " + std::to_string(next.d_model)),
      now);
}

void Session::advance(scene::Scene next) {
  const scene::UseModels at_hand(models_);
  ask_again(next, scene_, wanted_);
  wanted_ = next;
  scene::repair(next);
  scene_ = std::move(next);
  key_.clear();
  selection_changed_ = true;
}

void Session::restore(scene::Scene scene, double now) {
  const scene::UseModels at_hand(models_);
  wanted_ = scene;
  scene::repair(scene);
  if (scene == scene_) return;
  undo_.push(scene_, "", now);
  scene_ = std::move(scene);
  adopting_.reset(), typed_.reset(), key_.clear();
  selection_changed_ = true;
  save_at_ = now + save_delay;
}

void Session::go_back_to(scene::Scene scene, const char* what, double now) {
  const scene::UseModels at_hand(models_);
  scene::keep_surroundings(scene, scene_);
  scene::repair(scene);  // while a model was still loading, any head could be chosen
  say(std::string(what) + ": " + changed_words(scene, scene_), now);
  scene_ = wanted_ = std::move(scene);
  adopting_.reset(), typed_.reset(), key_.clear();
  selection_changed_ = true;
  save_at_ = now + save_delay;
}

void Session::undo(double now) {
  if (auto before = undo_.undo(scene_)) {
    go_back_to(std::move(*before), "undone", now);
  } else {
    say("nothing to undo", now);
  }
}

void Session::redo(double now) {
  if (auto after = undo_.redo(scene_)) {
    go_back_to(std::move(*after), "redone", now);
  } else {
    say("nothing to redo", now);
  }
}

void Session::explain() {
  cell_ = scene::explain_pinned(scene_, *results_);
  selection_changed_ = false;
}

/// `fresh` replaces the shown results.
void Session::show(std::shared_ptr<scene::Results> fresh, double now) {
  failure_ = fresh->failure;
  if (!failure_.empty()) return warn(failure_, now);
  const scene::PageRoom& room = scene::room_of(fresh->scene.page);
  if (room.keep_last_good) room.keep_last_good(*fresh, *results_, parallel_);
  if (!fresh->opened) scene::forget_opened();
  if (previous_) job_.let_go(std::move(previous_));
  previous_ = std::exchange(results_, std::move(fresh));
  follow_words();
}

/// Pinned tokens stay on their words while the sentence is edited.
void Session::follow_words() {
  if (!typed_) return;
  scene::Scene next = scene_;
  next.query = typed_->query;
  const auto queries = texts_of(results_->tokens), keys = texts_of(results_->tokens_of_keys());
  for (std::size_t i = 0; i < typed_->query.size(); ++i) {
    const int now_at = scene::followed(typed_->queries, queries, typed_->query[i]);
    next.query[i] = now_at >= 0 ? now_at : typed_->query[i];
  }
  const int key = scene::followed(typed_->keys, keys, typed_->key);
  next.key = key >= 0 ? key : typed_->key;
  if (next.query != scene_.query || next.key != scene_.key) advance(std::move(next));
}

void Session::use_trained(const std::filesystem::path& path, int step) {
  training_.write_model(scene_.training.run - 1, step, path, [this](const std::string& written) {
    const std::lock_guard lock(arrivals_.mutex);
    arrivals_.model = written;
  });
}

void Session::watch_training(double now) {
  if (auto opened = training_.take_opened()) {  // the page shows the run that was opened
    scene::Scene next = scene_;
    next.training = std::move(*opened);
    restore(std::move(next), now);
  }
  const scene::TrainingSettings& t = scene_.training;
  if (uses().trains) {
    training_.select(t.task);
    training_.look(
        {t.run - 1, t.example, t.shown_step, t.example < 0 ? scene_.sentence : std::string(), t.plot});
    // The learning rate may change while the run goes on.
    const auto run = training_.latest();
    if (run && run->state == scene::TrainingState::running && run->preparing < 0 &&
        run->settings.rate != t.rate && scene::differ_in_rate_alone(run->settings, t))
      training_.steer(t);
  }
  std::string model;
  {
    const std::lock_guard lock(arrivals_.mutex);
    model.swap(arrivals_.model);
  }
  if (!model.empty()) {
    scene::Scene next = scene_;
    next.weights = scene::WeightsSource::trained, next.weights_file = model;
    next.weights_layer = t.layer;
    next.page = scene::default_page;
    change(std::move(next), "", now);
    if (watch_) watch_->look_again();  // a file of this name may have been there before
    if (const scene::PageFrame* frame = scene::room_of(scene_.page).frame)
      changed_place_ = frame->cards.front();
    say("these weights are now used on every page; Ctrl+Z undoes it", now);
  }
  // A run of the last session was found for a task that only had suggested settings: the run's settings
  // replace them.
  if (suggested_ && t == *suggested_) {
    if (auto made = training_.settings_of(t.task)) {
      suggested_.reset();
      scene::Scene next = scene_;
      next.training = std::move(*made);
      advance(std::move(next));
    }
  }
  if (const auto snapshot = training_.latest(); snapshot && snapshot->message != training_message_) {
    training_message_ = snapshot->message;
    if (!training_message_.empty()) warn(training_message_, now);
  }
  if (!unsaved_.empty() && training_.running()) say_unsaved(now);
}

Shown Session::shown() const {
  const scene::UseModels at_hand(models_);
  return {scene_, results_, cell_, timing_.latest(), training_.latest(), models_of_scene()};
}

const std::string& Session::wanted_key() {
  if (key_.empty())
    key_ = scene::key(scene_) + "model=" + std::to_string(model_version_) + " " +
           std::to_string(compared_ ? compared_->version : 0);
  return key_;
}

void Session::compute_or_submit(bool took, double now) {
  // Nobody else holds the results before the last ones, so their buffers are used again; but after take() the
  // previous results may be those that this frame has drawn and not yet rendered.
  auto reuse = !took && previous_.use_count() == 1
                   ? std::const_pointer_cast<scene::Results>(std::exchange(previous_, nullptr))
                   : nullptr;
  if (!fits_into_a_frame(scene_)) return submit(std::move(reuse));
  job_.cancel();
  forget_preview();
  try {
    show(scene::compute({scene_, *models_of_scene()}, parallel_, nullptr, std::move(reuse)), now);
  } catch (...) {  // the last picture remains
    failure_ = "this cannot be computed: " + base::caught_words();
    warn(failure_, now);
  }
}

void Session::update(double now) {
  const scene::UseModels at_hand(models_);
  watch_training(now);
  watch_models(now);
  bool took = false;
  if (auto finished = job_.take()) {
    took = true;
    show(std::const_pointer_cast<scene::Results>(finished), now);
    forget_preview();
    selection_changed_ = true;
  }
  if (auto preview = preview_job_.take()) preview_ = std::move(preview);
  if (auto map = job_.take_early(); map && uses().large_map) early_ = std::move(map);
  if (std::string problem = job_.take_problem(); !problem.empty())
    forget_preview(), failure_ = problem, warn(std::move(problem), now);
  if (std::string problem = timing_.take_problem(); !problem.empty()) warn(std::move(problem), now);
  if (model_on_its_way()) {  // the old picture remains, and the last request is out of date
    if (job_.busy()) job_.cancel(), requested_.clear();
    forget_preview();
  } else if (wanted_key() != requested_) {
    const std::string requested = wanted_key();
    selection_changed_ = true, stopped_ = false;
    compute_or_submit(took, now);
    requested_ = requested;                            // last: a request that failed is made again
  } else if (preview_ && scene_.query != foreseen_) {  // another row of the same sentence
    foresee();
  }
  watch_writing(now);
  if (selection_changed_) explain();
  if (message_until_ <= now) message_.clear();
  if (auto ended = saver_.take()) saved(*ended ? base::Status() : base::Error{ended->error()}, now);
  if (save_at_ >= 0 && now >= save_at_) save_behind(now);
}

double Session::due_in(double now) const {
  double due = never;
  if (save_at_ >= 0 && !saver_.running()) due = std::min(due, save_at_ - now);
  if (!message_.empty()) due = std::min(due, message_until_ - now);
  if (writing_ && !writer_.busy() && !job_.busy()) due = std::min(due, writing_->next_at - now);
  return std::max(0.0, due);
}

}  // namespace headlight::app
