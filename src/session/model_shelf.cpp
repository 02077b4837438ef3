#include "session/model_shelf.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <utility>

#include "base/caught.h"
#include "base/one_line.h"
#include "io/fingerprint.h"
#include "scene/named_files.h"

namespace headlight::app {

namespace {

using scene::FileIdentity;
using scene::LoadedModel;

constexpr std::size_t most_kept = 2;
constexpr std::chrono::milliseconds tick{50};            // at least one tick of a file system's clock
constexpr std::chrono::milliseconds between_words{100};  // shortest time between two reports of a fraction
constexpr std::chrono::milliseconds patience{1000};

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

/// The state that the thread and its watch share. The thread never holds the lock while it touches the file.
struct ModelWatch::State {
  std::string path;
  LoadModel load;
  std::function<void()> wake;
  std::chrono::milliseconds pause;

  std::atomic<bool> quit{false};
  std::atomic<float> fraction{0};
  std::mutex mutex;
  std::condition_variable changed;
  bool again = false, fresh = false;
  std::optional<LoadedModel> model;
  std::uint64_t version = 0;
  std::string problem;

  void say() {
    const std::lock_guard lock(mutex);
    if (!quit) wake();
  }
  /// Returns false when the thread must end. `requested`: someone knows that the file was written.
  bool sleep(std::chrono::milliseconds time, bool& requested) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, time, [this] { return quit || again; });
    requested = std::exchange(again, false);
    return !quit;
  }
};

ModelWatch::ModelWatch(const Start& start) : path_(start.path), state_(std::make_shared<State>()) {
  state_->path = path_;
  state_->load = start.load, state_->wake = start.wake, state_->pause = start.pause;
  const std::shared_ptr<Threads> threads = start.threads;
  {
    const std::lock_guard lock(threads->mutex);
    ++threads->running;
  }
  // The thread is detached at once: nobody may ever have to wait for it.
  try {
    std::thread([state = state_, threads]() mutable {
      run(state);
      state.reset();  // before the thread counts as ended, after which its state's contents may be destroyed
      const std::lock_guard lock(threads->mutex);
      --threads->running;
      threads->ended.notify_all();
    }).detach();
  } catch (...) {  // there is no thread: nobody waits for it
    const std::lock_guard lock(threads->mutex);
    --threads->running;
    throw;
  }
}

ModelWatch::~ModelWatch() {
  const std::lock_guard lock(state_->mutex);
  state_->quit = true;
  state_->changed.notify_all();
}

void ModelWatch::run(const std::shared_ptr<State>& state) {
  State& s = *state;
  const auto load = [&]() -> LoadedModel {
    auto reported = std::chrono::steady_clock::now();
    try {
      return s.load(s.path, [&](float done) {
        s.fraction.store(done, std::memory_order_relaxed);
        if (const auto now = std::chrono::steady_clock::now(); now - reported >= between_words)
          reported = now, s.say();
        return !s.quit.load(std::memory_order_relaxed);
      });
    } catch (...) {  // memory that was allocated is free again
      return base::Error{scene::shown_name(s.path) + ": " + base::caught_words()};
    }
  };
  std::optional<FileIdentity> loaded, before;  // the file when it was read; the file at the last check
  bool first = true, requested = false;
  const auto look = [&] {
    std::optional<FileIdentity> now = scene::identity_of(s.path);
    // A file that is being written is not read until two checks find it equal.
    if (first || (now != loaded && (now == before || requested))) {
      if (now && scene::may_change_unseen(*now)) {  // a write within this tick would look the same
        bool ignored = false;
        if (!s.sleep(tick, ignored)) return;
        now = scene::identity_of(s.path);
      }
      s.fraction = 0;
      LoadedModel made = load();
      if (s.quit) return;
      {
        const std::lock_guard lock(s.mutex);
        const bool had = s.model && *s.model;
        const bool same = had && made && scene::same_model(***s.model, **made);
        s.problem = had && !made ? made.error() : std::string();
        if (made ? !same : !had && (!s.model || s.model->error() != made.error()))
          s.model = std::move(made), s.version = next_version();
        s.fresh = true;
        s.changed.notify_all();
      }
      loaded = now, first = false;
      s.say();
      // Fingerprinted now, so that an export need not: figures name their model by its contents.
      if (now) (void)io::fingerprint_of(s.path);
    }
    before = now;
  };
  do {
    try {
      look();
    } catch (...) {  // no memory for this check: the next one follows
    }
  } while (!s.quit && s.sleep(s.pause, requested));
}

void ModelWatch::take() {
  const std::lock_guard lock(state_->mutex);
  if (!std::exchange(state_->fresh, false)) return;
  model_ = state_->model, version_ = state_->version, problem_ = state_->problem;
}

float ModelWatch::fraction() const {
  return state_->fraction.load(std::memory_order_relaxed);
}

void ModelWatch::look_again() {
  const std::lock_guard lock(state_->mutex);
  state_->again = true;
  state_->changed.notify_all();
}

void ModelWatch::wait(std::chrono::milliseconds most) {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait_for(lock, most, [this] { return state_->fresh; });
}

ModelShelf::ModelShelf(std::function<void()> wake, LoadModel load, std::chrono::milliseconds pause)
    : wake_(std::move(wake)), load_(std::move(load)), pause_(pause) {}

ModelShelf::~ModelShelf() {
  kept_.clear();
  std::unique_lock lock(threads_->mutex);
  threads_->ended.wait_for(lock, patience, [this] { return threads_->running == 0; });
}

std::shared_ptr<ModelWatch> ModelShelf::watch(const std::string& path) {
  std::erase_if(watches_, [](const auto& watch) { return watch.expired(); });
  for (const auto& watch : watches_) {
    if (auto there = watch.lock(); there && there->path() == path) return there;
  }
  auto made = std::make_shared<ModelWatch>(
      ModelWatch::Start{.path = path, .load = load_, .wake = wake_, .pause = pause_, .threads = threads_});
  watches_.push_back(made);
  return made;
}

void ModelShelf::keep(const std::shared_ptr<ModelWatch>& watch) {
  std::erase(kept_, watch);
  kept_.insert(kept_.begin(), watch);
  if (kept_.size() > most_kept) kept_.pop_back();
}

void ModelShelf::take() {
  for (const auto& watch : watches_) {
    if (const auto there = watch.lock()) there->take();
  }
}

std::optional<LoadedModel> ModelShelf::find(const std::string& path) const {
  for (const auto& watch : watches_) {
    const auto there = watch.lock();
    if (there && there->path() == path && there->model()) return there->model();
  }
  return base::Error{base::in_quotes(scene::shown_name(path)) + " is being loaded"};
}

std::string loading_words(const ModelWatch& watch) {
  const int percent = static_cast<int>(std::lround(100 * static_cast<double>(watch.fraction())));
  return "loading " + base::shortened(scene::shown_name(watch.path())) +
         (percent > 0 ? " … " + std::to_string(percent) + " %" : " …");
}

}  // namespace headlight::app
