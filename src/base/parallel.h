// How is work spread over the cores? Threads draw many small tasks from shared counters, each thread from its
// own part first. The caller works too. Helpers spin for about 0.2 ms before they sleep, and who spins for
// more than 10 µs offers its core to others, so that a busy desktop neither stalls us nor is stalled by us.
// Results never depend on the number of threads: each task writes only its own output, and tasks are cut by
// size, not by core. What a thread wrote in one run is close to it in the next.
#pragma once

#include <memory>
#include <type_traits>

namespace headlight::base {

/// A reference to a callable; the callable outlives the call it is passed to.
template <class Signature>
class FunctionRef;
template <class R, class... A>
class FunctionRef<R(A...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)  // a copy refers to the same callable
      FunctionRef(F&& f)                                          // NOLINT: implicit on purpose
      : object_(const_cast<void*>(static_cast<const void*>(&f))), call_([](void* object, A... a) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(a...);
        }) {}
  R operator()(A... a) const { return call_(object_, a...); }

 private:
  void* object_;
  R (*call_)(void*, A...);
};

class Parallel {
 public:
  /// `threads` includes the caller: 1 never starts a thread, 0 means one per core.
  explicit Parallel(int threads = 0);
  ~Parallel();
  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;

  int threads() const;

  /// Calls work(task) once for every task in [0, tasks). Concurrent callers queue; a call from inside a task
  /// runs inline. If a task throws, the remaining tasks are skipped, and the caller gets the first exception
  /// when no task is running any more.
  void run(int tasks, FunctionRef<void(int task)> work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight::base
