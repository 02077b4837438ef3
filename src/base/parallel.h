// How is work spread over the cores? Many small tasks are drawn from shared counters, each thread's own part
// first; the caller works too, and helpers spin for about 0.2 ms before they sleep, so that a busy desktop
// neither stalls us nor is stalled by us. Results never depend on the number of threads: a task owns what it
// writes, and tasks are cut by size, not by core. What a thread wrote in one run is near it in the next.
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
  /// `threads` counts the caller: 1 never starts a thread, 0 means one for each core.
  explicit Parallel(int threads = 0);
  ~Parallel();
  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;

  int threads() const;

  /// Calls work(task) once for every task in [0, tasks). Callers queue; a call from inside a task is inline.
  /// The first exception of a task reaches the caller, once no task runs any more; the rest is left out.
  void run(int tasks, FunctionRef<void(int task)> work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight::base
