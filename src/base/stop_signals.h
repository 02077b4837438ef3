// A request from outside to end: SIGTERM, SIGHUP or SIGINT. The program records it, saves unfinished work,
// and exits; a thread does what a signal handler must not do. A signal that was ignored when the program
// started (nohup, a shell's background job) stays ignored. Tested in tests/base/stop_signals_test.cpp and,
// with the whole program, in tests/command/stop_test.cpp.
#pragma once

#include <functional>
#include <thread>

namespace headlight::base {

/// Returns the first of the three signals that arrived while a StopSignals existed; 0: none.
int stop_signal();

/// At most one at a time.
class StopSignals {
 public:
  using Arrived = std::function<void(int signal)>;
  /// This object's thread calls both: `first` once, when stop_signal() is set; `again` when the same signal
  /// is sent again, because somebody does not want to wait.
  StopSignals(Arrived first, Arrived again);
  /// Restores the previous actions of the signals.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  void listen(int signals_in) const;

  Arrived first_, again_;
  int read_end_ = -1;
  std::thread thread_;
};

/// Returns the exit status that shells use for a program ended by a signal.
inline int status_of_signal(int signal) {
  return 128 + signal;
}

}  // namespace headlight::base
