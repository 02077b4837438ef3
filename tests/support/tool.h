// Other programs for a test: is one installed, and what does it say?
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "io/files.h"
#include "support/scratch_folder.h"

extern char** environ;

namespace headlight::tests {

/// For GTEST_SKIP: "pdftotext is not installed", or empty.
inline std::string missing_tool(const std::string& program) {
  const std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "/usr/bin";
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t to = std::min(path.find(':', from), path.size());
    if (::access((path.substr(from, to - from) + "/" + program).c_str(), X_OK) == 0) return {};
    from = to + 1;
  }
  return program + " is not installed";
}

struct ToolOutcome {
  int status = -1;      // −1: it did not start, or crashed
  std::string message;  // on both of its outputs
};

inline ToolOutcome run_tool(std::vector<std::string> words) {
  const ScratchFolder folder;
  const std::string output = (folder / "output").string();
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ToolOutcome outcome;
  if (failed != 0) return outcome;
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  if (const auto message = io::read_file(output)) outcome.message = *message;
  return outcome;
}

/// A Python that has NumPy; Debian's, where another one comes first. Empty: there is none.
inline std::string python_with_numpy() {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (run_tool({python, "-c", "import numpy"}).status == 0) return python;
  }
  return {};
}

}  // namespace headlight::tests
