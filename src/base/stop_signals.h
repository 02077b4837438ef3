// A request from outside to end: SIGTERM, SIGHUP or SIGINT. The program takes note, saves what is under way,
// and leaves; what a signal handler may not do is done on a thread. A signal that was ignored when the
// program started (nohup, a shell's background job) stays ignored. Tested in tests/base/stop_signals_test.cpp
// and, with the whole program, in tests/command/stop_test.cpp.
#pragma once

#include <functional>
#include <thread>

namespace headlight::base {

/// The first of the three signals that arrived while a StopSignals was there; 0: none.
int stop_signal();

/// At most one at a time.
class StopSignals {
 public:
  using Arrived = std::function<void(int signal)>;
  /// Both are called from a thread of this object's: `first` once, when stop_signal() is set; `again` when
  /// the same signal is sent once more, by somebody who does not want to wait.
  StopSignals(Arrived first, Arrived again);
  /// The signals do again what they did before.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  void listen(int signals_in) const;

  Arrived first_, again_;
  int read_end_ = -1;
  std::thread thread_;
};

/// The exit status of a program that a signal ended, as shells know it.
inline int status_of_signal(int signal) {
  return 128 + signal;
}

}  // namespace headlight::base
