// Commands that read or write files, with one of the calls that they need failing: what was written before
// stays, or the new file is there and whole; nothing else is left; and one line says why. Of a kind
// of call that is made up to eighty times every one fails; of more, and of allocations, by itself a few,
// those of child.h's chosen(); HEADLIGHT_FAULTS=1, 2, … more, others each; all: every one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "faults/child.h"
#include "faults/command.h"
#include "faults/file_commands.h"
#include "learn/training_run.h"
#include "support/scratch_folder.h"

namespace headlight::faults {
namespace {

namespace fs = std::filesystem;

/// The files of a folder and below, with what is in them; links are not followed.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) {
      std::ifstream in(entry.path(), std::ios::binary);
      out[fs::relative(entry.path(), folder).string()] = {std::istreambuf_iterator<char>(in), {}};
    }
  return out;
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// What stays of the messages behind the line that shows how far a training is.
std::string without_progress(const std::string& err) {
  std::size_t at = 0;
  while (err.compare(at, 1, "[") == 0) {
    const std::size_t end = err.find('\n', at);
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return err.substr(at);
}

/// The lines at the beginning of `message` that say what was done without; they are gone from it.
std::string take_notes(std::string& message) {
  std::size_t at = 0;
  while (message.compare(at, 17, "headlight: note: ") == 0) {
    const std::size_t end = message.find('\n', at);
    if (end == std::string::npos || end - at >= 600) break;
    at = end + 1;
  }
  std::string notes = message.substr(0, at);
  message.erase(0, at);
  return notes;
}

/// A run is saved again and again while it goes on.
bool is_a_run(const fs::path& path) {
  scene::TrainingSettings settings;
  base::Parallel alone(1);
  return static_cast<bool>(scene::continue_training(path.string(), settings, alone));
}

class CommandFaults : public testing::TestWithParam<Command> {
 protected:
  CommandFaults() {
    fs::create_directory(folder());
    ::setenv("HOME", (scratch_ / "home").c_str(), 1);
    ::setenv("XDG_STATE_HOME", (folder() / "state").c_str(), 1);
    fill(folder());
    words_ = in_place(GetParam().words, folder());
    if (!GetParam().first.empty()) {
      const Ended made = in_a_child([&] { return command(in_place(GetParam().first, folder())); });
      EXPECT_EQ(made.status, 0) << made.err;
    } else if (const std::string out = output(); !out.empty() && !GetParam().trains()) {
      write(folder() / out, "what was there before");
    }
    before_ = contents(folder());
  }

  fs::path folder() const { return scratch_ / "files"; }
  std::string output() const {
    for (const std::string& word : GetParam().words)
      if (word.starts_with("@out.") && GetParam().words[0] != "describe") return word.substr(1);
    return {};
  }
  Ended run(const Plan& plan) const {
    return in_a_child([&] { return command(words_, plan); });
  }
  /// As it was.
  void put_back() const {
    const auto now = contents(folder());
    for (const auto& [name, bytes] : now)
      if (!before_.contains(name)) fs::remove(folder() / name);
    for (const auto& [name, bytes] : before_)
      if (!now.contains(name) || now.at(name) != bytes) write(folder() / name, bytes);
    fs::remove_all(folder() / "state");
  }

  /// What nothing disturbs.
  void run_alone() {
    sound_ = run({});
    ASSERT_EQ(sound_.status, 0) << sound_.err;
    after_ = contents(folder());
    put_back();
  }
  void holds(const Ended& ended, const std::string& what) const {
    if (ended.by_json) return;
    ASSERT_EQ(ended.signal, 0) << what << ": ended by a signal; " << ended.err;
    const auto now = contents(folder());
    std::string message = without_progress(ended.err);
    // What it could do without, it did without, and said so; something else may have failed then.
    const std::string notes = take_notes(message);
    const bool noted = !notes.empty() && notes != without_progress(sound_.err);
    if (ended.status == 0 && !noted) {
      // Where a step cannot be computed, a handout has the words of the lesson's file instead of its numbers.
      if (GetParam().words[0] != "lesson") {
        EXPECT_EQ(ended.out, sound_.out) << what;
      }
      EXPECT_EQ(notes + message, without_progress(sound_.err)) << what;
      for (const auto& [name, bytes] : after_)
        EXPECT_TRUE(now.contains(name)) << what << ": not made: " << name;
    } else if (ended.status == 0) {
      EXPECT_EQ(message, "") << what;
    } else {
      EXPECT_EQ(ended.status, 1) << what << ": " << ended.err;
      EXPECT_TRUE(is_one_line(message)) << what << ": " << message;
      EXPECT_TRUE(message.starts_with("headlight: ")) << what << ": " << message;
    }
    for (const auto& [name, bytes] : now) {
      const auto old = before_.find(name), made = after_.find(name);
      const bool is_new = made != after_.end() && made->second == bytes;
      // Of a sequence, and before something else fails, some files are new and others are not.
      if (is_new || (ended.status != 0 && old != before_.end() && old->second == bytes)) continue;
      ASSERT_TRUE(made != after_.end()) << what << ": left over: " << name;
      if (ended.status == 0 && noted) {  // another one, and whole
        const std::string path = (folder() / name).string();
        const Ended opened = in_a_child([&] { return command({"describe", path}); });
        EXPECT_EQ(opened.status, 0) << what << ": " << name << ": " << opened.err;
        continue;
      }
      EXPECT_TRUE(ended.status != 0 && GetParam().trains() && is_a_run(folder() / name))
          << what << ": neither old nor new: " << name << "; " << ended.err;
    }
    for (const auto& [name, bytes] : before_) EXPECT_TRUE(now.contains(name)) << what << ": gone: " << name;
  }

  tests::ScratchFolder scratch_;
  std::vector<std::string> words_;
  std::map<std::string, std::string> before_, after_;
  Ended sound_;  // what nothing disturbs
};

TEST_P(CommandFaults, OldOrNewAndOneLineWhicheverCallFails) {
  run_alone();
  for (const Call call : file_calls) {
    const long calls = sound_.count(call);

    for (const bool stays : {false, true}) {
      const int error = call == Call::write ? ENOSPC : call == Call::open ? EMFILE : EIO;
      for (const long at : chosen(calls, stays ? Share{1, 6} : Share{4, 24, GetParam().all})) {
        const Plan plan{.call = call, .at = at, .stays = stays, .error = error};
        holds(run(plan), words(plan, calls));
        put_back();
        if (HasFailure()) return;
      }
    }
  }
}

TEST_P(CommandFaults, OldOrNewAndOneLineWhicheverAllocationFails) {
  run_alone();
  const long calls = sound_.count(Call::memory);
  ASSERT_GT(calls, 100) << "operator new is not the one of failing_calls.cpp";
  for (const long at : chosen(calls, {4, 40})) {
    const Plan plan{.call = Call::memory, .at = at};
    holds(run(plan), words(plan, calls));
    put_back();
    if (HasFailure()) return;
  }
}

TEST_P(CommandFaults, NothingIsOtherwiseWhenTheTimeOfDayGoesBack) {
  run_alone();
  const long calls = sound_.count(Call::clock);
  for (const bool stays : {false, true}) {
    for (const long at : chosen(calls, {1, 4})) {
      const Plan plan{.call = Call::clock, .at = at, .stays = stays};
      const Ended ended = run(plan);
      EXPECT_EQ(ended.status, 0) << words(plan, calls) << ": " << ended.err;
      holds(ended, words(plan, calls));
      put_back();
      if (HasFailure()) return;
    }
  }
}

/// Another program cuts every file in half, or writes into it, between two reads.
fs::path victims;
void cut_all() {
  for (const auto& entry : fs::recursive_directory_iterator(victims))
    if (entry.is_regular_file()) fs::resize_file(entry.path(), entry.file_size() / 2);
}
void write_into_all() {
  for (const auto& entry : fs::recursive_directory_iterator(victims)) {
    if (!entry.is_regular_file()) continue;
    std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
    file << std::string(64, '\xff');
  }
}

/// Of the commands that read a file.
class ReadingFaults : public CommandFaults {};

TEST_P(ReadingFaults, AFileThatChangesWhileItIsReadIsReadOrRefused) {
  run_alone();
  const long calls = sound_.count(Call::read);
  victims = folder();
  for (void (*const change)() : {cut_all, write_into_all}) {
    for (const long at : chosen(calls, {1, 16})) {
      const Plan plan{.call = Call::read, .at = at, .instead = change};
      const Ended ended = run(plan);
      const std::string what = words(plan, calls);
      ASSERT_EQ(ended.signal, 0) << what << ended.err;
      if (ended.status != 0) {
        ASSERT_EQ(ended.status, 1) << what << ended.err;
        ASSERT_TRUE(is_one_line(ended.err)) << what << ended.err;
      }
      put_back();
    }
  }
}

std::vector<Command> reading_commands() {
  std::vector<Command> all = commands();
  std::erase_if(all, [](const Command& command) { return !command.reads(); });
  return all;
}
std::string name_of(const testing::TestParamInfo<Command>& parameter) {
  std::string name = parameter.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Every, CommandFaults, testing::ValuesIn(commands()), name_of);
INSTANTIATE_TEST_SUITE_P(Every, ReadingFaults, testing::ValuesIn(reading_commands()), name_of);

}  // namespace
}  // namespace headlight::faults
