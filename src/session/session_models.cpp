// The session's model: loaded and watched in the background by a ModelShelf, if there is one.
#include <utility>
#include <vector>

#include "base/one_line.h"
#include "pages/page_that.h"
#include "scene/named_files.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "session/session.h"

namespace headlight::app {

namespace {

std::string name_of(const std::string& path) {
  return base::shortened(scene::shown_name(path));
}

/// The settings that the model gives replace those of `now`, except those that were changed since it was
/// chosen.
void adopt(const scene::Scene& chosen, scene::Scene& now) {
  scene::Scene given = chosen;
  scene::adopt_model(given);
  for (const scene::Setting& one : scene::settings()) {
    if (one.same(now, chosen)) one.copy(given, now);
  }
}

}  // namespace

std::string Session::loading() const {
  if (model_on_its_way()) return loading_words(*watch_);
  if (compared_ && !compared_->watch->model()) return loading_words(*compared_->watch);
  return opening_ ? loading_words(*opening_->watch) : std::string();
}

void Session::stop_loading(double now) {
  scene::Scene next = scene_;
  std::string path;
  if (model_on_its_way()) {
    path = watch_->path();
    const scene::Scene& shown = results_->scene;
    const bool other = scene::model_file(shown) != path;
    next.weights = other ? shown.weights : scene::WeightsSource::random;
    next.weights_file = other ? shown.weights_file : std::string();
  } else if (compared_ && !compared_->watch->model()) {
    path = compared_->watch->path();
    next.model.beside.clear();
  } else if (opening_) {
    path = opening_->watch->path();
    opening_.reset();
  }
  if (path.empty()) return;
  restore(std::move(next), now);  // not change(): the model before is not chosen again, its settings stay
  watch_model_of_scene();
  warn(name_of(path) + " was not opened", now);
}

/// The model cannot encode the previous sentence, and shows another.
void Session::say_unread(const std::string& sentence, const scene::Scene& next, double now) {
  if (next.sentence == sentence) return;
  warn("this model has no tokens for " + base::in_quotes(sentence) + "; it shows " +
           base::in_quotes(next.sentence) + " instead",
       now);
}

void Session::watch_model_of_scene() {
  if (!models_) return;
  const std::string path = scene::model_file(scene_);
  if (watch_ ? watch_->path() == path : path.empty()) return;
  watch_ = path.empty() ? nullptr : models_->watch(path);
  model_version_ = 0;
  model_problem_.clear();
  key_.clear();
}

/// Takes models that were loaded. Everything that depends on them follows in the same frame.
void Session::watch_models(double now) {
  if (!models_) return;
  watch_model_of_scene();
  models_->take();
  if (opening_ && opening_->watch->model()) {
    const Opening done = *std::exchange(opening_, std::nullopt);
    (void)opened_model(done.watch->path(), *done.watch->model(), done.opened, now);
  }
  watch_compared(now);
  if (!watch_) return;
  if (watch_->version() != model_version_) model_arrived(now);
  if (watch_->problem() != model_problem_) {
    model_problem_ = watch_->problem();
    if (model_problem_.empty())
      say(name_of(watch_->path()) + " holds the same model again", now);
    else
      warn(model_problem_ + "; the model loaded before is still used", now);
  }
}

/// The same for the saved attention that the open page compares with: the picture does not wait for it.
void Session::watch_compared(double now) {
  std::string path = uses().compares ? scene_.model.beside : std::string();
  if (scene::is_included_model(path)) path.clear();  // no file
  if (compared_ ? compared_->watch->path() != path : !path.empty()) {
    compared_.reset();
    if (!path.empty()) compared_ = Compared{models_->watch(path), 0, {}};
    key_.clear();
  }
  if (!compared_) return;
  const ModelWatch& watch = *compared_->watch;
  if (watch.version() != compared_->version) {
    const bool again = std::exchange(compared_->version, watch.version()) != 0;
    key_.clear();
    if (again && *watch.model()) say(name_of(path) + " was overwritten and has been reloaded", now);
    if (again) compared_->problem = watch.problem();
  }
  if (watch.problem() == compared_->problem) return;
  compared_->problem = watch.problem();
  if (watch.problem().empty()) return say(name_of(path) + " holds the same again", now);
  warn(watch.problem() + "; what was loaded before is still compared", now);
}

void Session::model_arrived(double now) {
  const bool again = std::exchange(model_version_, watch_->version()) != 0;
  models_->keep(watch_);
  key_.clear();
  scene::Scene next = scene_;
  const std::string sentence = next.sentence;
  if (adopting_) adopt(*adopting_, next);
  say_unread(sentence, next, now);
  adopting_.reset();
  if (next != scene_) wanted_ = next;
  scene::repair(next);
  if (next != scene_) {
    scene_ = std::move(next);
    selection_changed_ = true;
    save_at_ = std::max(save_at_, now);
  }
  if (!again || !*watch_->model()) return;
  // The reported problem is gone.
  model_problem_ = watch_->problem();
  say(name_of(watch_->path()) + " was overwritten and has been reloaded", now);
}

bool Session::open_model(const std::filesystem::path& path, std::function<void()> opened, double now) {
  std::error_code failed;  // an absolute path: the scene is saved, and opened again from other folders
  const std::string whole = std::filesystem::absolute(path, failed).string();
  if (!models_) return opened_model(whole, scene::model_at(whole), opened, now);
  opening_ = Opening{models_->watch(whole), std::move(opened)};
  return true;
}

bool Session::opened_model(const std::string& path, const scene::LoadedModel& model,
                           const std::function<void()>& opened, double now) {
  if (!model) {  // the picture remains
    warn(model.error(), now);
    return false;
  }
  scene::Scene next = scene_;
  next.weights = scene::WeightsSource::file;
  next.weights_file = path;
  if (const auto& other = (*model)->other) {
    if (!scene::shows_other_models(next.page)) next.page = scene::default_page;
    if (other->tokenizer) next.token_ids.clear();
  }
  const dumps::Dump* saved = (*model)->saved.get();
  if (saved && !scene::shows_saved_attention(next.page)) next.page = scene::default_page;
  change(std::move(next), "", now);
  if (opened) opened();
  if (saved) {
    say("the attention is that of " + path + ", saved in " + saved->type, now);
    return true;
  }
  const std::string title = scene::shown_text((*model)->title);
  say("the weights are those of " + path + (title.empty() ? "" : " (" + title + ")"), now);
  return true;
}

}  // namespace headlight::app
