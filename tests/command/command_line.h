// The program itself, run as a person or a script would.
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/files.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"

namespace headlight::app {

struct Outcome {
  int status = -1;  // −1: it crashed
  std::string out, err;
  long peak_kilobytes = 0;  // resident; at least what this test held itself when it started the program
};

/// "1,2,3", as --ids and token_ids= take them.
inline std::string list_of(const nlohmann::json& ids) {
  std::string out;
  for (const auto& id : ids) out += (out.empty() ? "" : ",") + std::to_string(id.get<int>());
  return out;
}

/// The words that train a small model, in an instant a step.
inline std::vector<std::string> small_training(const std::string& out, int steps) {
  return {"train",
          "--task",
          "reverse",
          "--steps",
          std::to_string(steps),
          "--out",
          out,
          "--set",
          "training_d=16",
          "--set",
          "training_heads=2",
          "--set",
          "training_layers=1",
          "--set",
          "training_length=6"};
}

class CommandLineTest : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), HEADLIGHT_PROGRAM);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string out = (folder_ / "stdout").string(), err = (folder_ / "stderr").string();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    const int failed = ::posix_spawn(&child, HEADLIGHT_PROGRAM, &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    Outcome outcome;
    if (failed != 0) return outcome;
    int status = 0;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    outcome.peak_kilobytes = used.ru_maxrss;
    if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
    outcome.out = *io::read_file(out);
    outcome.err = *io::read_file(err);
    return outcome;
  }

  /// Expects failure with exactly this line on standard error and nothing on standard output.
  void refuses(const std::vector<std::string>& words, int status,
               const testing::Matcher<std::string>& message) const {
    const Outcome outcome = run(words);
    const std::string what = testing::PrintToString(words);
    EXPECT_EQ(outcome.status, status) << what << outcome.err;
    EXPECT_EQ(outcome.out, "") << what;
    ASSERT_THAT(outcome.err, testing::StartsWith("headlight: ")) << what;
    ASSERT_THAT(outcome.err, testing::EndsWith("\n")) << what;
    const std::string line = outcome.err.substr(11, outcome.err.size() - 12);
    EXPECT_THAT(line, testing::Not(testing::HasSubstr("\n"))) << what;
    EXPECT_THAT(line, message) << what;
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  tests::Array exported(const std::string& what, std::vector<std::string> sets) const {
    std::vector<std::string> words = {"export", "--what", what, "--out", file("x.npy")};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out + outcome.err, "");
    return tests::parse_npy(*io::read_file(file("x.npy")), "x.npy");
  }

  tests::ScratchFolder folder_;
};

}  // namespace headlight::app
