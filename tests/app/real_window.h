// The real window for a test, as a person meets it: on a display of its own (Xvfb), with clicks and keys that
// come from outside (xdotool). What arrived is read from the scene that the program keeps. Waits are for what
// should happen, so a slow machine only takes longer.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "io/files.h"
#include "scene/store.h"
#include "support/scratch_folder.h"

// Last: it has macros called None and Status.
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#undef None
#undef Status

extern char** environ;

namespace headlight::tests {

using Clock = std::chrono::steady_clock;

inline constexpr std::chrono::seconds patience{60};

inline bool installed(const std::string& program) {
  std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "/usr/bin";
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t to = std::min(path.find(':', from), path.size());
    if (::access((path.substr(from, to - from) + "/" + program).c_str(), X_OK) == 0) return true;
    from = to + 1;
  }
  return false;
}

/// A program that ends with this object.
class Child {
 public:
  Child(std::vector<std::string> words, const std::vector<std::string>& more_environment,
        const std::string& output, int passed_descriptor = -1) {
    std::vector<char*> argv, environment;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    for (char** e = environ; *e != nullptr; ++e) {
      const std::string name = std::string(*e).substr(0, std::string(*e).find('='));
      bool replaced = name == "WAYLAND_DISPLAY";
      for (const std::string& more : more_environment) replaced |= more.substr(0, more.find('=')) == name;
      if (!replaced) environment.push_back(*e);
    }
    for (const std::string& more : more_environment) environment.push_back(const_cast<char*>(more.c_str()));
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (passed_descriptor >= 0) posix_spawn_file_actions_adddup2(&actions, passed_descriptor, 3);
    if (::posix_spawnp(&id_, argv[0], &actions, nullptr, argv.data(), environment.data()) != 0) id_ = -1;
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Child() {
    if (!running()) return;
    ::kill(id_, SIGTERM);
    const auto deadline = Clock::now() + std::chrono::seconds(5);
    while (running() && Clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (!running()) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, &status_, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool running() {
    if (id_ <= 0 || ended_) return false;
    ended_ = ::waitpid(id_, &status_, WNOHANG) == id_;
    return !ended_;
  }
  pid_t id() const { return id_; }
  /// −1 while it runs and after a crash.
  int exit_status() { return !running() && ended_ && WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; }

 private:
  pid_t id_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

inline bool eventually(const std::function<bool()>& happened, std::chrono::milliseconds within = patience) {
  const auto deadline = Clock::now() + within;
  while (Clock::now() < deadline) {
    if (happened()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return happened();
}

class WindowTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"Xvfb", "xdotool"}) {
      if (!installed(program)) GTEST_SKIP() << program << " is not installed";
    }
    open_display();
    if (HasFatalFailure()) return;
    // Each test begins in the laboratory, unless it is about the first start.
    std::filesystem::create_directories(folder_ / "state" / "headlight");
    ASSERT_TRUE(io::write_file(folder_ / "state" / "headlight/first-start.txt", "left\n"));
  }
  /// A screen of its own for the windows that start from now on.
  void open_display() {
    int ends[2] = {-1, -1};
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    screen_ = std::make_unique<Child>(std::vector<std::string>{"Xvfb", "-displayfd", "3", "-screen", "0",
                                                               size_ + "x24", "-nolisten", "tcp"},
                                      std::vector<std::string>{}, file("xvfb"), ends[1]);
    ::close(ends[1]);
    std::string number;
    char c = 0;
    while (::read(ends[0], &c, 1) == 1 && c != '\n') number += c;
    ::close(ends[0]);
    ASSERT_FALSE(number.empty()) << "Xvfb did not start: " << message("xvfb");
    environment_ = {"DISPLAY=:" + number, "XDG_STATE_HOME=" + file("state"), "LIBGL_ALWAYS_SOFTWARE=1"};
    display_ = ::XOpenDisplay((":" + number).c_str());
    ASSERT_NE(display_, nullptr);
  }
  void TearDown() override {
    program_.reset();
    if (display_ != nullptr) ::XCloseDisplay(display_);
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string message(const std::string& name) const {
    const auto text = io::read_file(file(name));
    return text ? *text : "";
  }

  /// What xdotool prints; empty when it fails.
  std::string xdotool(std::vector<std::string> words) {
    words.insert(words.begin(), "xdotool");
    std::error_code ignored;
    std::filesystem::remove(file("xdotool"), ignored);
    Child child(words, environment_, file("xdotool"));
    if (!eventually([&] { return !child.running(); }) || child.exit_status() != 0) return "";
    const std::string text = message("xdotool");
    return text.empty() ? "done" : text.substr(0, text.find('\n'));
  }

  void start(std::vector<std::string> words = {}) {
    words.insert(words.begin(), HEADLIGHT_PROGRAM);
    program_ = std::make_unique<Child>(words, environment_, file("program"));
    ASSERT_TRUE(eventually([&] {
                  window_ = xdotool({"search", "--onlyvisible", "--name", "^Headlight$"});
                  return !window_.empty() || !program_->running();
                }) &&
                !window_.empty())
        << "no window: " << message("program");
    // There is no window manager to give it the keyboard.
    ASSERT_NE(xdotool({"windowfocus", window_}), "");
  }

  scene::Scene kept() const {
    const auto scene = scene::load(folder_ / "state" / "headlight/scene.json");
    return scene ? *scene : scene::Scene{};
  }
  bool keeps(const std::function<bool(const scene::Scene&)>& what,
             std::chrono::milliseconds within = patience) const {
    return eventually([&] { return what(kept()); }, within);
  }

  void type(const std::string& text) { ASSERT_NE(xdotool({"type", "--delay", "20", text}), ""); }
  void key(const std::string& name) { ASSERT_NE(xdotool({"key", name}), ""); }

  /// What the close button of a window's frame does.
  void press_close(const std::string& window) {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = std::stoul(window);
    event.xclient.message_type = ::XInternAtom(display_, "WM_PROTOCOLS", False);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(::XInternAtom(display_, "WM_DELETE_WINDOW", False));
    ::XSendEvent(display_, event.xclient.window, False, NoEventMask, &event);
    ::XFlush(display_);
  }
  void close() {
    press_close(window_);
    ASSERT_TRUE(eventually([&] { return !program_->running(); })) << "it stays open";
    EXPECT_EQ(program_->exit_status(), 0) << message("program");
  }

  /// By its key, as by its button.
  void quit() {
    ASSERT_TRUE(eventually([&] {  // the first one may come before the first frame
      if (program_->running()) xdotool({"key", "ctrl+q"});
      return !program_->running();
    })) << "it stays open";
    EXPECT_EQ(program_->exit_status(), 0) << message("program");
  }

  /// Seconds of processor time that the program has used.
  double used() const {
    const auto text = io::read_file("/proc/" + std::to_string(program_->id()) + "/stat");
    if (!text) return -1;
    std::istringstream words(text->substr(text->rfind(')') + 2));
    std::string word;
    for (int i = 0; i < 11; ++i) words >> word;
    double user = 0, system = 0;
    words >> user >> system;
    return (user + system) / double(::sysconf(_SC_CLK_TCK));
  }

  std::string size_ = "1600x1000";  // of the display
  ScratchFolder folder_;
  std::vector<std::string> environment_;
  std::unique_ptr<Child> screen_, program_;
  Display* display_ = nullptr;
  std::string window_;
};

}  // namespace headlight::tests
