// The real window, told to end from outside, and two of them on one state folder.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "base/parallel.h"
#include "learn/training_run.h"
#include "scene/window_files.h"

// Last: Xlib has macros called None and Status.
#include "real_window.h"

namespace headlight::app {
namespace {

using testing::HasSubstr;
using tests::Child;
using tests::Clock;
using tests::eventually;

class WindowStopTest : public tests::WindowTest {
 protected:
  std::filesystem::path state(const std::string& name) const {
    return folder_ / "state" / "headlight" / name;
  }
  /// The scene that the next start opens.
  void keep(const scene::Scene& scene) { ASSERT_TRUE(scene::save_state(scene, state("scene.json"))); }
  /// A change that is not due to be saved for half a second, then `end`: whether it was kept. A slow machine
  /// may not have seen the key by then, and is asked again with more time.
  bool keeps_a_young_change(const std::function<void()>& end) {
    for (const int milliseconds : {150, 150, 250, 400, 800, 1600}) {
      keep({});
      if (display_ == nullptr) open_display();  // the try before has taken it away
      if (HasFatalFailure()) return false;
      start();
      if (HasFatalFailure()) return false;
      key("3");
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      end();
      if (!eventually([&] { return !program_->running(); })) return false;
      if (kept().head == scene::IndexList{3}) return true;
    }
    return false;
  }
  void expect_no_temporary_files() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "state"))
      EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  }
};

TEST_F(WindowStopTest, EverySignalSavesTheSceneAtOnce) {
  for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
    EXPECT_TRUE(keeps_a_young_change([&] { ::kill(program_->id(), signal); })) << "signal " << signal;
    EXPECT_EQ(program_->exit_status(), 0) << message("program");
    expect_no_temporary_files();
  }
}

/// A run that would be saved every ten seconds is there with its newest step, whenever it ends.
TEST_F(WindowStopTest, ARunIsKeptWithItsLastStep) {
  scene::Scene scene;
  scene.page = scene::Page::training;
  scene.training.d_model = 16, scene.training.heads = 2, scene.training.layers = 1;
  scene.training.length = 6, scene.training.steps = 100000, scene.training.batch = 32;  // a dozen seconds
  scene.training.compare = scene::TrainingCompare::nothing;
  keep(scene);
  start();
  ASSERT_FALSE(HasFatalFailure());
  // The large button "Train"; the first click may come before the first frame.
  const double before = used();
  ASSERT_TRUE(eventually([&] {
    xdotool({"mousemove", "--window", window_, "196", "501", "click", "1"});
    return eventually([&] { return used() > before + 1.5; }, std::chrono::seconds(15));
  })) << "it does not train";
  ::kill(program_->id(), SIGTERM);
  ASSERT_TRUE(eventually([&] { return !program_->running(); }));
  EXPECT_EQ(program_->exit_status(), 0) << message("program");
  scene::TrainingSettings settings;
  base::Parallel parallel(1);
  const auto run =
      scene::continue_training(state("training-reverse.safetensors").string(), settings, parallel);
  ASSERT_TRUE(run) << run.error();
  EXPECT_GT((*run)->step(), 100);
  expect_no_temporary_files();
}

/// A computation that takes many seconds is not waited for: counted as processor time after the signal.
TEST_F(WindowStopTest, ALongComputationIsNotWaitedFor) {
  scene::Scene scene;
  scene.d_model = 192, scene.heads = 12;
  scene.sentence.clear();
  for (int i = 0; i < 4700; ++i) scene.sentence += "w" + std::to_string(i) + ' ';
  keep(scene);
  start();
  ASSERT_FALSE(HasFatalFailure());
  ASSERT_TRUE(eventually([&] { return used() > 2; })) << "it does not compute";
  rusage before{}, after{};
  ::getrusage(RUSAGE_CHILDREN, &before);
  const double until_then = used();
  ::kill(program_->id(), SIGTERM);
  ASSERT_TRUE(eventually([&] { return !program_->running(); }));
  ::getrusage(RUSAGE_CHILDREN, &after);
  const auto seconds = [](const rusage& of) {
    return double(of.ru_utime.tv_sec + of.ru_stime.tv_sec) +
           double(of.ru_utime.tv_usec + of.ru_stime.tv_usec) / 1e6;
  };
  EXPECT_LT(seconds(after) - seconds(before) - until_then, 1);
  EXPECT_EQ(kept().sentence, scene.sentence);
}

/// The end of a desktop session often takes the display away first.
TEST_F(WindowStopTest, ADisplayThatIsGoneLosesNothing) {
  EXPECT_TRUE(keeps_a_young_change([&] {
    if (display_ != nullptr) ::XCloseDisplay(display_);
    display_ = nullptr;
    ::kill(screen_->id(), SIGKILL);
  }));
  EXPECT_EQ(program_->exit_status(), 1) << message("program");
  EXPECT_THAT(message("program"), HasSubstr("the display was closed; the scene and training runs are saved"));
}

/// Where nothing can be kept the last words do not say that it was.
TEST_F(WindowStopTest, ADisplayThatIsGoneSaysWhatIsNotSaved) {
  for (const char* name : {"XDG_STATE_HOME=", "HOME="}) {
    std::erase_if(environment_, [&](const std::string& one) { return one.starts_with(name); });
    environment_.push_back(name);
  }
  start();
  ASSERT_FALSE(HasFatalFailure());
  if (display_ != nullptr) ::XCloseDisplay(display_);
  display_ = nullptr;
  ::kill(screen_->id(), SIGKILL);
  ASSERT_TRUE(eventually([&] { return !program_->running(); }));
  EXPECT_EQ(program_->exit_status(), 1) << message("program");
  EXPECT_THAT(message("program"),
              HasSubstr("the display was closed; the scene and training runs are not saved"));
}

TEST_F(WindowStopTest, TwoWindowsKeepTheirOwnWork) {
  start();
  ASSERT_FALSE(HasFatalFailure());
  const std::string first_window = window_;
  key("2");
  ASSERT_TRUE(keeps([](const scene::Scene& s) { return s.head == scene::IndexList{2}; }));
  auto first = std::move(program_);

  program_ =
      std::make_unique<Child>(std::vector<std::string>{HEADLIGHT_PROGRAM}, environment_, file("second"));
  std::string windows;
  ASSERT_TRUE(eventually([&] {
    std::error_code ignored;
    std::filesystem::remove(file("found"), ignored);
    Child search({"xdotool", "search", "--onlyvisible", "--name", "^Headlight$"}, environment_,
                 file("found"));
    eventually([&] { return !search.running(); });
    std::istringstream found(message("found"));
    for (std::string one; found >> one;) {
      if (one != first_window) window_ = one;
    }
    return window_ != first_window;
  })) << message("second");
  ASSERT_NE(xdotool({"windowfocus", window_}), "");
  const auto of_second = [&] {
    const auto scene = scene::load(state("scene-2.json"));
    return scene ? scene->head : scene::IndexList{};
  };
  ASSERT_TRUE(eventually([&] {
    xdotool({"windowfocus", window_});
    key("3");
    return eventually([&] { return of_second() == scene::IndexList{3}; }, std::chrono::seconds(2));
  }));
  EXPECT_EQ(kept().head, scene::IndexList{2}) << "the second window wrote over the first";
  ::kill(first->id(), SIGTERM);
  ASSERT_TRUE(eventually([&] { return !first->running(); }));
  ::kill(program_->id(), SIGTERM);
  ASSERT_TRUE(eventually([&] { return !program_->running(); }));
  EXPECT_EQ(kept().head, scene::IndexList{2});
  EXPECT_EQ(of_second(), scene::IndexList{3});

  start();  // alone: the window that was closed last
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_TRUE(keeps([](const scene::Scene& s) { return s.head == scene::IndexList{3}; }));
  EXPECT_EQ(of_second(), scene::IndexList{2});
  close();
}

}  // namespace
}  // namespace headlight::app
