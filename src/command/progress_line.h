// What takes long on the command line says how far it is: one line on standard error that is written over,
// and gone at the end. Only for a person: where standard error is no terminal, and in the first two seconds,
// nothing is said. Tested in tests/command/progress_line_test.cpp.
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

  /// "computing", 0.43: "computing 43 %". Cheap: most calls say nothing.
  void done(const char* what, double fraction);
  /// "writing", 1.2e9: "writing 1.2 GB".
  void bytes(const char* what, double count);

 private:
  bool due();
  void show(const std::string& line);

  using Clock = std::chrono::steady_clock;
  std::FILE* to_;
  bool seen_;  // somebody sees it
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace headlight::app
