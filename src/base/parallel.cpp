#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"

namespace headlight::base {

namespace {

// Not zero initially, so that it has a place in the file: with mold 1.10, a program does not start if its
// thread-local data are all zero and its code ends just below a page boundary.
thread_local bool outside_tasks = true;

/// Marks that a task is running, until the end of the scope.
class InsideTask {
 public:
  InsideTask() { outside_tasks = false; }
  ~InsideTask() { outside_tasks = true; }
  InsideTask(const InsideTask&) = delete;
  InsideTask& operator=(const InsideTask&) = delete;
};

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#else
  std::this_thread::yield();
#endif
}

/// A thread that spins for longer than this yields its core again and again: when another program has the
/// other core, the thread that it waits for needs this one.
constexpr std::chrono::microseconds spin_alone{10};

/// Spins until ready() or until `patience` has passed; returns true if ready.
template <class Ready>
bool spin(std::chrono::microseconds patience, Ready ready) {
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    for (int i = 0; i < 32; ++i) {
      if (ready()) return true;
      pause();
    }
    const auto waited = std::chrono::steady_clock::now() - begin;
    if (waited >= patience) return false;
    if (waited >= spin_alone) std::this_thread::yield();
  }
}

constexpr std::chrono::microseconds helper_patience{200};
constexpr std::chrono::microseconds caller_patience{100};

}  // namespace

// The gate says whether a run is open (highest bit) and how many helpers are inside it. A late helper finds
// the gate closed and touches nothing, so the caller need not wait for helpers that never woke up.
struct Parallel::State {
  static constexpr std::uint32_t open = 0x80000000u;

  /// The tasks that one thread begins with.
  struct alignas(64) Part {
    std::atomic<std::int64_t> next{0};  // 64 bits: every thread draws one more than there are
    std::int64_t end = 0;               // read only inside the gate
  };

  explicit State(int threads) : parts(static_cast<std::size_t>(threads)) {}

  alignas(64) std::atomic<std::uint32_t> gate{0};
  // Everything that a helper reads before it works is in one cache line.
  alignas(64) std::atomic<std::uint32_t> generation{0};  // incremented for each run
  std::atomic<bool> stop{false};
  const FunctionRef<void(int)>* work = nullptr;  // read only inside the gate
  alignas(64) std::atomic<int> sleepers{0};
  std::atomic<bool> caller_sleeps{false};
  std::vector<Part> parts;

  std::mutex one_run;  // callers queue here
  std::mutex sleep;
  std::condition_variable wake_helpers, wake_caller;
  std::vector<std::thread> helpers;

  // The first exception of the run. The thread that wins `failed` writes it once, inside the gate; the caller
  // reads it after every thread has left the gate.
  std::atomic<bool> failed{false};
  std::exception_ptr problem;

  /// Draws tasks, from the part of thread `own` first.
  void draw_tasks(std::size_t own) {
    const InsideTask here;
    try {
      for (std::size_t turn = 0; turn < parts.size(); ++turn) {
        Part& part = parts[(own + turn) % parts.size()];
        if (part.next.load(std::memory_order_relaxed) >= part.end) continue;
        for (std::int64_t i; (i = part.next.fetch_add(1, std::memory_order_relaxed)) < part.end;) {
          (*work)(static_cast<int>(i));
        }
      }
    } catch (...) {
      for (Part& part : parts) part.next.store(part.end, std::memory_order_relaxed);  // no more tasks start
      if (!failed.exchange(true)) problem = std::current_exception();
    }
  }

  void help(std::size_t own) {
    std::uint32_t seen = 0;
    auto something_new = [&] { return generation.load() != seen || stop.load(); };
    while (true) {
      if (!spin(helper_patience, something_new)) {
        std::unique_lock lock(sleep);
        sleepers.fetch_add(1);
        wake_helpers.wait(lock, something_new);
        sleepers.fetch_sub(1);
      }
      if (stop.load()) return;
      seen = generation.load();
      if ((gate.fetch_add(1) & open) != 0) draw_tasks(own);
      if (gate.fetch_sub(1) == 1 && caller_sleeps.load()) {
        std::lock_guard lock(sleep);
        wake_caller.notify_one();
      }
    }
  }

  void run(int count, const FunctionRef<void(int)>& function) {
    std::lock_guard only(one_run);
    // A late helper may still be leaving the closed gate; it reads none of this.
    work = &function;
    const auto threads = static_cast<std::int64_t>(parts.size());
    for (std::int64_t i = 0; i < threads; ++i) {
      Part& part = parts[static_cast<std::size_t>(i)];
      part.next.store(count * i / threads, std::memory_order_relaxed);
      part.end = count * (i + 1) / threads;
    }
    gate.fetch_or(open);
    generation.fetch_add(1);
    if (sleepers.load() > 0) {
      std::lock_guard lock(sleep);
      wake_helpers.notify_all();
    }
    draw_tasks(0);
    gate.fetch_and(~open);
    auto empty = [&] { return gate.load() == 0; };
    if (!spin(caller_patience, empty)) {
      std::unique_lock lock(sleep);
      caller_sleeps.store(true);
      wake_caller.wait(lock, empty);
      caller_sleeps.store(false);
    }
    if (failed.exchange(false)) std::rethrow_exception(std::exchange(problem, nullptr));
  }
};

Parallel::Parallel(int threads) {
  HEADLIGHT_CHECK_OP(threads, >=, 0);
  if (threads == 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  state_ = std::make_unique<State>(threads);
  State* state = state_.get();
  try {
    for (int i = 1; i < threads; ++i) {
      state->helpers.emplace_back([state, i] { state->help(static_cast<std::size_t>(i)); });
    }
  } catch (const std::exception&) {  // no more threads can be started: the existing ones do all the work
  }
}

Parallel::~Parallel() {
  {
    std::lock_guard lock(state_->sleep);
    state_->stop.store(true);
    state_->wake_helpers.notify_all();
  }
  for (std::thread& helper : state_->helpers) helper.join();
}

int Parallel::threads() const {
  return static_cast<int>(state_->helpers.size()) + 1;
}

void Parallel::run(int tasks, FunctionRef<void(int task)> work) {
  if (tasks <= 0) return;
  if (tasks == 1 || !outside_tasks || state_->helpers.empty()) {
    for (int i = 0; i < tasks; ++i) work(i);
    return;
  }
  state_->run(tasks, work);
}

}  // namespace headlight::base
