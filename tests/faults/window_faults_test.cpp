// What a window does with files, with one call failing while it does it: the window lives, says what failed
// in one line, draws the next frame, saves the scene as soon as it can, and leaves no half file. By itself
// one call of each kind fails; HEADLIGHT_FAULTS=1, 2, … more, others each; all: every one.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <thread>

#include "base/caught.h"
#include "faults/child.h"
#include "faults/interface.h"
#include "faults/window_acts.h"
#include "io/files.h"
#include "learn/training_run.h"
#include "scene/figure_scene.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "scene/window_files.h"
#include "session/quick_training.h"
#include "support/model_files.h"
#include "support/scratch_folder.h"
#include "teach/lesson.h"

namespace headlight::faults {
namespace {

namespace fs = std::filesystem;
using scene::Scene;

/// Has a file of this kind its end?
bool ends_whole(const std::string& bytes, const std::string& kind) {
  const std::string tail = bytes.substr(bytes.size() - std::min<std::size_t>(bytes.size(), 64));
  if (kind == ".svg") return tail.find("</svg>") != std::string::npos;
  if (kind == ".pdf") return tail.find("%%EOF") != std::string::npos;
  if (kind == ".png") return tail.find("IEND") != std::string::npos;
  if (kind == ".gif") return tail.ends_with(';');
  return tail.find("PK\x05\x06") != std::string::npos;
}

class WindowFaults : public testing::TestWithParam<Act> {
 protected:
  WindowFaults() {
    ::setenv("HOME", (scratch_ / "home").c_str(), 1);
    ::setenv("XDG_STATE_HOME", (scratch_ / "state-home").c_str(), 1);
    fill();
  }

  fs::path folder() const { return scratch_ / "files"; }
  void fill() const {
    fs::remove_all(folder());
    fs::create_directories(folder() / "state");
    Scene scene;
    for (const char* file : {"scene.json", "state/scene.json"})
      ASSERT_TRUE(scene::save(scene, folder() / file));
    scene.sentence = "another scene";
    ASSERT_TRUE(scene::save(scene, folder() / "other.json"));
    write("figure.svg",
          "<svg><metadata id=\"headlight-scene\">" + scene::to_json(scene) + "</metadata></svg>");
    write("text.txt", "a text of a few words");
    tests::write_model(folder() / "model.safetensors", tests::small_model("small"));
    if (GetParam().fill != nullptr) GetParam().fill(folder());
  }
  void write(const char* name, const std::string& bytes) const {
    std::ofstream(folder() / name, std::ios::binary) << bytes;
  }

  /// What the child says; 0: the window lives.
  int play(const Plan& plan) const {
    Interface it(folder(), Scene{});
    GetParam().prepare(it, folder());
    begin_later(plan);
    try {
      GetParam().act(it, folder());
    } catch (...) {
      (void)end();
      std::cerr << "it went through the window: " << base::caught_words() << '\n';
      return 3;
    }
    keep_counts(end());
    const std::string message = it.session.message();
    if (message.find('\n') != std::string::npos || message.size() >= 600) return fail("it said " + message);
    if (!GetParam().done(it, folder()) && (message.empty() || plan.at == 0))
      return fail("it is not done, and nothing is said; " + message);
    // It goes on.
    if (it.shell.lessons().player().open()) it.shell.lessons().player().leave(it.now);
    if (it.shell.lessons().editor().open()) it.shell.lessons().editor().close(it.now);
    it.pilot.frames(3);
    change(it, 77);
    if (it.session.scene().seed != 77) return fail("the scene cannot be changed: " + it.session.message());
    it.rest(1);
    it.session.wait_until_saved();
    it.rest(1);
    it.session.wait_until_saved();
    const auto kept = scene::load(folder() / "state" / "scene.json");
    if (!kept) return fail("the kept scene: " + kept.error());
    if (!(*kept == it.session.scene())) return fail("kept is another scene: " + it.session.message());
    return 0;
  }
  static int fail(const std::string& why) {
    std::cerr << why << '\n';
    return 4;
  }

  void holds(const Ended& ended, const std::string& what, bool lost_frames) const {
    if (ended.by_json) return;
    ASSERT_EQ(ended.signal, 0) << what << ": " << ended.err;
    ASSERT_EQ(ended.status, 0) << what << ": " << ended.err;
    for (const auto& entry : fs::recursive_directory_iterator(folder())) {
      const std::string name = entry.path().filename().string();
      EXPECT_FALSE(name.starts_with(".headlight") || name.find("damaged") != std::string::npos)
          << what << ": left over: " << name;
      if (!entry.is_regular_file()) continue;
      const bool lesson = entry.path().parent_path().filename() == "lessons";
      if (lesson && entry.path().extension() == ".json") {
        const auto bytes = io::read_file(entry.path());
        ASSERT_TRUE(bytes);
        EXPECT_TRUE(scene::lesson_from_json(*bytes, name)) << what << ": half a lesson: " << name;
      } else if (name == "scene.json") {
        const auto scene = scene::load(entry.path());
        EXPECT_TRUE(scene) << what << ": half a scene: " << name;
      } else if (name.starts_with("training-")) {
        scene::TrainingSettings settings;
        base::Parallel alone(1);
        EXPECT_TRUE(scene::continue_training(entry.path().string(), settings, alone))
            << what << ": half a run: " << name;
      } else if (name.starts_with("headlight-")) {  // what was exported is the same every time
        const auto bytes = io::read_file(entry.path());
        ASSERT_TRUE(bytes);
        const auto same = exported_.find(name);
        if (same != exported_.end() && same->second == *bytes) continue;
        // A click that was lost with its frame leaves another choice on the card.
        EXPECT_TRUE(lost_frames && ends_whole(*bytes, entry.path().extension().string()) &&
                    scene::scene_in_file(entry.path()))
            << what << ": not what is exported: " << name;
      }
    }
  }
  /// What nothing disturbs: what it exports holds its scene.
  void keep_exported() {
    for (const auto& entry : fs::directory_iterator(folder())) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("headlight-")) continue;
      EXPECT_TRUE(scene::scene_in_file(entry.path())) << name;
      exported_[name] = *io::read_file(entry.path());
    }
    EXPECT_EQ(exported_.size(), GetParam().exports() ? 1u : 0u);
  }
  void try_all(Call call, bool stays, Share share) {
    const long calls = sound_.count(call);
    const int error = call == Call::write ? ENOSPC : call == Call::open ? EMFILE : EIO;
    for (const long at : chosen(calls, share)) {
      const Plan plan{.call = call, .at = at, .stays = stays, .error = error};
      holds(in_a_child([&] { return play(plan); }), words(plan, calls), call == Call::memory);
      if (HasFailure()) return;
      fill();
    }
  }

  Ended sound_;  // what nothing disturbs
  std::map<std::string, std::string> exported_;
  tests::ScratchFolder scratch_;
};

TEST_P(WindowFaults, ItLivesWhicheverCallFails) {
  sound_ = in_a_child([&] { return play({}); });
  ASSERT_EQ(sound_.status, 0) << sound_.err;
  keep_exported();
  fill();
  for (const Call call : file_calls) {
    try_all(call, false, {1, 8});
    // A full disk, or no descriptor left.
    const bool usual = call == Call::write || call == Call::open;
    if (!HasFailure()) try_all(call, true, {usual ? 1 : 0, 3});
    if (HasFailure()) return;
  }
  try_all(Call::clock, true, {1, 3});  // an hour back
  if (!HasFailure()) try_all(Call::memory, false, {3, 40});
}

INSTANTIATE_TEST_SUITE_P(Every, WindowFaults, testing::ValuesIn(acts().begin(), acts().end()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

/// Nothing can be written: everything else goes on, and it is said once.
TEST(ReadOnlyState, TheWindowWorksAndSaysThatNothingIsSaved) {
  const tests::ScratchFolder folder;
  for (const int error : {EROFS, ENOSPC, EACCES}) {
    const Ended ended = in_a_child([&] {
      begin({.call = Call::change, .at = 1, .stays = true, .error = error});
      int reported = 0;
      scene::WindowFiles files = scene::window_files(folder / "state" / "headlight" / "scene.json");
      const scene::Restored restored = scene::restore(files);
      Interface it(folder.path(), restored.scene);
      for (int i = 0; i < 3; ++i) {
        change(it, 20 + i);
        it.rest(1);
        it.session.wait_until_saved();
        it.rest(0.1);
        reported += it.session.message().find("the scene is not being saved") == 0 ? 1 : 0;
        it.session.say("", it.now);
      }
      it.session.training().start(tests::quick_training(scene::TrainingTask::reverse, 12));
      until_quiet(it);
      const auto run = it.session.training().latest();
      if (!run || run->step != 12) return 5;
      return reported == 1 && it.session.scene().seed == 22 ? 0 : 6;
    });
    EXPECT_EQ(ended.signal, 0) << error;
    EXPECT_EQ(ended.status, 0) << error << ended.err;
    EXPECT_EQ(folder.files(), 0) << error;
  }
}

/// The message that nothing is saved, as often as it came onto the screen.
class TimesTold {
 public:
  void look(const Interface& it) {
    const bool reported = it.session.message().find("not being saved") != std::string::npos;
    times_ += reported && !now_ ? 1 : 0;
    now_ = reported;
  }
  int times() const { return times_; }

 private:
  bool now_ = false;
  int times_ = 0;
};

/// Without a folder for the state nothing is kept, and that is said once: of a scene that changes, and of a
/// run that is trained in a scene that does not.
TEST(NoHome, TheWindowWorksAndSaysOnceThatNothingIsSaved) {
  for (const bool trains : {false, true}) {
    const tests::ScratchFolder folder;
    const Ended ended = in_a_child([&] {
      for (const char* variable : {"HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        ::unsetenv(variable);
      if (!scene::state_file().empty() || ::chdir(folder.path().c_str()) != 0) return 5;
      const scene::WindowFiles files = scene::window_files(scene::state_file());
      Scene first = scene::restore(files).scene;
      if (trains) first.page = scene::Page::training;
      Interface it(
          folder.path(), first,
          {.scene = {}, .autosave = files.scene, .training = files.training, .unsaved = files.unsaved},
          {.folder = scene::state_folder()});
      TimesTold reported;
      it.rest(30);
      reported.look(it);
      if (reported.times() != 0) return 6;  // there is nothing to save yet
      if (trains) {
        it.session.training().start(tests::quick_training(scene::TrainingTask::reverse, 2'000));
        for (int i = 0; i < 400 && it.session.training().running(); ++i) {
          it.frame(), reported.look(it);
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        if (reported.times() != 1) return 7;
        it.session.training().pause();
      }
      for (int i = 0; i < 3; ++i) {
        change(it, 20 + i);
        for (int j = 0; j < 20; ++j) it.rest(1), reported.look(it);
      }
      it.shell.lessons().write("", 0, it.now);  // a lesson has no folder either
      it.pilot.frames(3);
      if (reported.times() != 1) return 8;
      return it.session.scene().seed == 22 && it.session.save(it.now) ? 0 : 9;
    });
    EXPECT_EQ(ended.signal, 0) << trains;
    EXPECT_EQ(ended.status, 0) << trains << ended.err;
    EXPECT_EQ(folder.files(), 0) << trains;
  }
}

}  // namespace
}  // namespace headlight::faults
