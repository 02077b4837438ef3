#include "app/session.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "scene/compute.h"
#include "scene/settings.h"
#include "scene/store.h"

namespace headlight::app {

namespace {

constexpr double save_delay = 0.5;  // seconds after the last change
constexpr double message_seconds = 12;
constexpr double never = 1e9;

bool fits_into_a_frame(const scene::Scene& scene) {
  const std::size_t tokens = std::min<std::size_t>(scene::count_tokens(scene), 1u << 20);
  return scene::work(scene, static_cast<int>(tokens)) <= scene::work_in_a_frame;
}

}  // namespace

Session::Session(Start start)
    : parallel_(start.threads),
      background_(start.threads),
      scene_(std::move(start.scene)),
      autosave_(std::move(start.autosave)),
      job_(background_, start.wake),
      timing_(start.wake, start.threads) {
  scene::repair(scene_);
  asked_ = scene::key(scene_);
  if (fits_into_a_frame(scene_)) {
    results_ = scene::compute(scene_, parallel_, nullptr);
  } else {
    // The window opens at once, without tokens, and fills when the computation is done.
    scene::Scene empty = scene_;
    empty.sentence.clear();
    results_ = scene::compute(empty, parallel_, nullptr);
    job_.submit(scene_);
  }
  explain();
}

void Session::wait() {
  while (job_.busy()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  update(0);
}

Session::~Session() {
  job_.cancel();
}

float Session::busy() const {
  return job_.busy() ? job_.fraction() : -1.f;
}

void Session::say(std::string message, double now) {
  message_ = std::move(message);
  message_until_ = now + message_seconds;
}

void Session::change(scene::Scene next, const std::string& label, double now) {
  scene::repair(next);
  if (next == scene_) return;
  undo_.push(scene_, label, now);
  advance(std::move(next));
  save_at_ = now + save_delay;
}

void Session::advance(scene::Scene next) {
  scene_ = std::move(next);
  selection_changed_ = true;
}

void Session::undo(double now) {
  if (const auto before = undo_.undo(scene_)) {
    advance(*before);
    save_at_ = now + save_delay;
  } else {
    say("nothing to undo", now);
  }
}

void Session::redo(double now) {
  if (const auto after = undo_.redo(scene_)) {
    advance(*after);
    save_at_ = now + save_delay;
  } else {
    say("nothing to redo", now);
  }
}

void Session::explain() {
  cell_ = scene::explain_pinned(scene_, *results_);
  selection_changed_ = false;
}

void Session::update(double now) {
  bool took = false;
  if (auto finished = job_.take()) {
    took = true;
    previous_ = std::move(results_);
    results_ = std::move(finished);
    selection_changed_ = true;
  }
  if (std::string wanted = scene::key(scene_); wanted != asked_) {
    asked_ = std::move(wanted);
    if (fits_into_a_frame(scene_)) {
      job_.cancel();
      // Nobody else holds the results before last, so their buffers serve again; but after take() the
      // previous ones may be those that this frame has drawn and not yet rendered.
      auto reuse = !took && previous_.use_count() == 1
                       ? std::const_pointer_cast<scene::Results>(std::exchange(previous_, nullptr))
                       : nullptr;
      previous_ = std::move(results_);
      results_ = scene::compute(scene_, parallel_, nullptr, std::move(reuse));
    } else {
      job_.submit(scene_);
    }
    selection_changed_ = true;
  }
  if (selection_changed_) explain();
  if (message_until_ <= now) message_.clear();
  if (save_at_ >= 0 && now >= save_at_) save(now);
}

bool Session::save(double now) {
  save_at_ = -1;
  if (autosave_.empty()) return true;
  if (const auto saved = scene::save_state(scene_, autosave_); !saved) {
    if (!save_failed_) say("the scene is not being kept: " + saved.error(), now);
    save_failed_ = true;  // said once; tried again at the next change
    return false;
  }
  save_failed_ = false;
  return true;
}

double Session::due_in(double now) const {
  double due = never;
  if (save_at_ >= 0) due = std::min(due, save_at_ - now);
  if (!message_.empty()) due = std::min(due, message_until_ - now);
  return std::max(0.0, due);
}

}  // namespace headlight::app
