// The program itself, told to end by SIGTERM, SIGHUP or SIGINT while it works: what was done is kept, nothing
// that is half done stays, and the exit status names the signal.
#include <signal.h>

#include <chrono>
#include <functional>
#include <thread>

#include "command_line.h"
#include "learn/training_run.h"

namespace headlight::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class StopTest : public testing::Test {
 protected:
  void TearDown() override {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  void start(std::vector<std::string> words) {
    words.insert(words.begin(), HEADLIGHT_PROGRAM);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, file("said").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    ASSERT_EQ(::posix_spawn(&child_, HEADLIGHT_PROGRAM, &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
  }

  /// Waits for what has to come while the program runs.
  void until(const std::function<bool()>& happened) {
    for (int i = 0; i < 60000 && !happened(); ++i) {
      ASSERT_EQ(::waitpid(child_, nullptr, WNOHANG), 0) << message();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_TRUE(happened());
  }

  /// The exit status.
  int stop(int signal) {
    ::kill(child_, signal);
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string message() const {
    const auto text = io::read_file(file("said"));
    return text ? *text : "";
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      all.push_back(entry.path().filename().string());
    return all;
  }
  bool writes() const {
    // With a name of its own, or without one, where the system has such files: then it is only open.
    for (const std::string& name : names()) {
      if (name.ends_with(".tmp")) return true;
    }
    std::error_code gone;
    for (const auto& open :
         std::filesystem::directory_iterator("/proc/" + std::to_string(child_) + "/fd", gone)) {
      const std::string target = std::filesystem::read_symlink(open.path(), gone).string();
      if (target.starts_with(file("#")) && target.ends_with(" (deleted)")) return true;
    }
    return false;
  }

  tests::ScratchFolder folder_;
  pid_t child_ = -1;
};

std::vector<std::string> training(const std::string& out, int steps) {
  auto words = small_training(out, steps);
  words.insert(words.end(), {"--set", "training_batch=2"});
  return words;
}

/// Wherever it is stopped, the run goes on from the very step: at the end it is, byte for byte, the run that
/// nobody stopped.
TEST_F(StopTest, TrainingKeepsEveryStepAndGoesOnFromThere) {
  const std::string out = file("run.safetensors"), whole = file("whole.safetensors");
  constexpr int steps = 60000;
  int kept = 0;
  for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
    auto words = training(out, steps);
    words.push_back("--resume");
    const std::string before = message();
    start(words);
    until([&] { return message().size() > before.size(); });  // its bar: it trains
    EXPECT_EQ(stop(signal), 128 + signal) << message();
    EXPECT_THAT(message().substr(before.size()), HasSubstr("--resume continues it"));
    scene::TrainingSettings settings;
    base::Parallel parallel(1);
    const auto run = scene::continue_training(out, settings, parallel);
    ASSERT_TRUE(run) << run.error();
    EXPECT_GT((*run)->step(), kept) << "nothing new was kept";
    kept = (*run)->step();
    EXPECT_THAT(message(), HasSubstr("after step " + std::to_string(kept) + " of 60000"));
    EXPECT_THAT(names(), testing::UnorderedElementsAre("run.safetensors", "said"));
  }
  ASSERT_LT(kept, steps);
  for (const auto& [name, resume] : {std::pair{out, true}, std::pair{whole, false}}) {
    auto words = training(name, steps);
    if (resume) words.push_back("--resume");
    start(words);
    int status = 0;
    ASSERT_EQ(::waitpid(std::exchange(child_, -1), &status, 0) > 0, true);
    ASSERT_EQ(status, 0) << message();
  }
  EXPECT_EQ(*io::read_file(out), *io::read_file(whole));
}

TEST_F(StopTest, ASignalWhileAFileIsWrittenLeavesNoPartOfIt) {
  // 9 million weights as text: written for long enough to be met.
  const std::string sentence = [] {
    std::string words;
    for (int i = 0; i < 3000; ++i) words += "w" + std::to_string(i) + " ";
    return words;
  }();
  for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
    start({"export", "--what", "weights", "--out", file("w.csv"), "--set", "heads=1", "--set",
           "sentence=" + sentence});
    until([&] { return writes(); });
    EXPECT_EQ(stop(signal), 128 + signal);
    EXPECT_THAT(names(), testing::UnorderedElementsAre("said")) << signal;
  }
}

TEST_F(StopTest, ASequenceThatHasNoEndIsTakenBack) {
  start({"animate", "--what", "clocks", "--frames", "60", "--size", "500x400", "--out", file("c.png")});
  until([&] { return fs::exists(file("c-0003.png")); });
  EXPECT_EQ(stop(SIGTERM), 128 + SIGTERM);
  EXPECT_THAT(names(), testing::UnorderedElementsAre("said"));
}

}  // namespace
}  // namespace headlight::app
