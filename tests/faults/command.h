// The command line, as a call.
#pragma once

#include <string>
#include <vector>

#include "faults/failing_calls.h"

namespace headlight::app {
int run_command_line(int argc, char** argv);  // app/command_line.h; tests/app has another file of that name
}

namespace headlight::faults {

/// The exit status of `headlight WORDS…`, in which calls fail as planned.
inline int command(std::vector<std::string> words, const Plan& plan = {}) {
  words.insert(words.begin(), "headlight");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  begin(plan);
  return app::run_command_line(static_cast<int>(words.size()), argv.data());
}

}  // namespace headlight::faults
