// Progress of long work on the command line: one line on standard error that is overwritten, and removed at
// the end. It is only for people: nothing is written if standard error is not a terminal, or in the first two
// seconds. Tested in tests/command/progress_line_test.cpp.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace headlight::app {

class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* to = stderr, std::chrono::milliseconds patience = std::chrono::seconds(2));
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// "computing", 0.43: "computing 43 %". Cheap: most calls write nothing.
  void done(const char* what, double fraction);
  /// "writing", 1.2e9: "writing 1.2 GB".
  void bytes(const char* what, double count);

 private:
  bool due();
  void show(const std::string& line);

  using Clock = std::chrono::steady_clock;
  std::FILE* to_;
  bool seen_;  // true: the output is a terminal
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace headlight::app
