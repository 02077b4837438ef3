// Commands that read or write files, with one of the calls that they need failing: what was written before
// stays, or the new file is there and whole; nothing else is left; and one line says why. By itself a few
// calls of each kind fail, those of child.h's chosen(); HEADLIGHT_FAULTS=1, 2, … more, others each; all:
// every one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <ostream>

#include "faults/child.h"
#include "faults/command.h"
#include "io/files.h"
#include "support/model_files.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "support/whole_model.h"

namespace headlight::faults {
namespace {

namespace fs = std::filesystem;
using tests::ReferenceData;

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

/// A command in a folder of its own. @ in its words is the folder of its files, % a copy of reference data.
struct Command {
  const char* name;
  std::vector<std::string> words;
  std::vector<std::string> first;  // a command that makes what it reads; empty: there is nothing to make

  bool reads() const {
    const std::string& verb = words[0];
    return verb == "describe" || verb == "next" || verb == "attention" || verb == "lesson" || verb == "train";
  }
};
void PrintTo(const Command& command, std::ostream* out) {
  *out << command.name;
}

/// What a sound model of ours is, and a scene: every folder has them.
void fill(const fs::path& folder) {
  tests::write_model(folder / "model.safetensors", tests::small_model("small"));
  write(folder / "scene.json", R"({"sentence": "the cat sat", "heads": 2})");
  fs::copy(HEADLIGHT_SOURCE_DIR "/assets/lessons/07-masking.json", folder / "lesson.json");
}

std::vector<Command> commands() {
  const std::vector<std::string> small = {"--set",    "sentence=the cat sat", "--set", "heads=2", "--set",
                                          "d_model=8"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), small.begin(), small.end());
    return words;
  };
  const std::vector<std::string> train = {"train",
                                          "--task",
                                          "reverse",
                                          "--out",
                                          "@out.safetensors",
                                          "--keep-run",
                                          "--set",
                                          "training_d=8",
                                          "--set",
                                          "training_heads=1",
                                          "--set",
                                          "training_layers=1",
                                          "--set",
                                          "training_length=4",
                                          "--set",
                                          "training_batch=2"};
  const auto trained = [&](std::vector<std::string> more) {
    std::vector<std::string> words = train;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  return {
      {"npy", with({"export", "--what", "weights", "--out", "@out.npy"}), {}},
      {"npz", with({"export", "--page", "attention", "--out", "@out.npz"}), {}},
      {"csv", with({"export", "--what", "weights", "--out", "@out.csv"}), {}},
      {"json", with({"export", "--what", "weights", "--out", "@out.json"}), {}},
      {"svg", with({"render", "--panel", "map", "--out", "@out.svg"}), {}},
      {"pdf", with({"render", "--panel", "map", "--out", "@out.pdf"}), {}},
      {"png", with({"render", "--panel", "map", "--size", "200x150", "--out", "@out.png"}), {}},
      {"gif",
       with({"animate", "--what", "clocks", "--frames", "2", "--size", "200x150", "--out", "@out.gif"}),
       {}},
      {"sequence",
       with({"animate", "--what", "clocks", "--frames", "3", "--size", "200x150", "--out", "@out.png"}),
       {}},
      {"train", trained({"--steps", "10"}), {}},
      {"resume", trained({"--steps", "20", "--resume"}), trained({"--steps", "10"})},
      {"scene", {"describe", "@scene.json"}, {}},
      {"figure", {"describe", "@out.svg"}, with({"render", "--panel", "map", "--out", "@out.svg"})},
      {"picture",
       {"describe", "@out.png"},
       with({"render", "--panel", "map", "--size", "100x80", "--out", "@out.png"})},
      {"archive", {"describe", "@out.npz"}, with({"export", "--what", "weights", "--out", "@out.npz"})},
      {"own model", {"describe", "--model", "@model.safetensors", "--set", "sentence=the cat sat"}, {}},
      {"lesson", {"lesson", "@lesson.json", "--handout"}, {}},
      {"folder", {"next", "--model", "%networks/models/llama/bf16-sharded", "--ids", "5,1,2"}, {}},
      {"tokenizer", {"describe", "--model", "%whole", "--set", "sentence=hello world"}, {}},
      {"llama2.c", {"next", "--model", "%networks/models/llama2c/v1", "--ids", "5,1,2"}, {}},
      {"checkpoint", {"next", "--model", "%networks/models/nanogpt/ckpt/ckpt.pt", "--ids", "5,1,2"}, {}},
      {"saved npy", {"attention", "%dumps/npy-lhtt/attention.npy"}, {}},
      {"saved npz", {"attention", "%dumps/npz-transformer-lens/cache.npz"}, {}},
      {"saved pt", {"attention", "%dumps/pt-tuple-float32/attentions.pt"}, {}},
      {"saved safetensors", {"attention", "%dumps/st-attentions/attentions.safetensors"}, {}},
  };
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

class CommandFaults : public testing::TestWithParam<Command> {
 protected:
  CommandFaults() {
    fs::create_directory(folder());
    ::setenv("HOME", (scratch_ / "home").c_str(), 1);
    ::setenv("XDG_STATE_HOME", (scratch_ / "state").c_str(), 1);
    fill(folder());
    words_ = in_place(GetParam().words);
    if (!GetParam().first.empty()) {
      const Ended made = in_a_child([&] { return command(in_place(GetParam().first)); });
      EXPECT_EQ(made.status, 0) << made.err;
    } else if (const std::string out = output(); !out.empty() && GetParam().words[0] != "train") {
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
  /// What lies beside it comes with it.
  std::string copied(const std::string& path) const {
    if (path == "whole") return tests::whole_model("models/llama", "bf16-sharded", folder()).string();
    const fs::path to = folder() / fs::path(path).parent_path().filename();
    const ReferenceData& data = ReferenceData::instance();
    const fs::path from = data.on_disk(fs::path(path).parent_path().string());
    if (!fs::exists(to)) fs::copy(from, to, fs::copy_options::recursive);
    return (to / fs::path(path).filename()).string();
  }
  std::vector<std::string> in_place(std::vector<std::string> words) const {
    for (std::string& word : words) {
      if (word[0] == '@') word = (folder() / word.substr(1)).string();
      if (word[0] == '%') word = copied(word.substr(1));
    }
    return words;
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
    // What it could do without, it did without, and said so.
    if (ended.status == 0 && ended.err.starts_with("headlight: note: ") && is_one_line(ended.err)) return;
    if (ended.status == 0) {
      // Where a step cannot be computed, a handout has the words of the lesson's file instead of its numbers.
      if (GetParam().words[0] != "lesson") {
        EXPECT_EQ(ended.out, sound_.out) << what;
      }
      EXPECT_EQ(ended.err, sound_.err) << what;
      for (const auto& [name, bytes] : now) {
        ASSERT_TRUE(after_.contains(name)) << what << ": left over: " << name;
        EXPECT_TRUE(after_.at(name) == bytes) << what << ": another " << name;
      }
      EXPECT_EQ(now.size(), after_.size()) << what;
      return;
    }
    EXPECT_EQ(ended.status, 1) << what << ": " << ended.err;
    const std::string said = without_progress(ended.err);
    EXPECT_TRUE(is_one_line(said)) << what << ": " << said;
    EXPECT_TRUE(said.starts_with("headlight: ")) << what << ": " << said;
    if (now == before_ || now == after_) return;  // whole files, and then something else failed
    if (GetParam().words[0] == "train") {         // a run is saved again and again
      EXPECT_LE(now.size(), after_.size()) << what << ": left over; " << ended.err;
      return;
    }
    for (const auto& [name, bytes] : now) {
      const auto old = before_.find(name), made = after_.find(name);
      const bool whole = made != after_.end() && made->second == bytes;  // of a sequence some files are new
      EXPECT_TRUE((old != before_.end() && old->second == bytes) || whole)
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
      for (const long at : chosen(calls, stays ? Share{1, 6} : Share{2, 24})) {
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
