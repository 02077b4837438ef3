// The display may disappear before the program ends: at the end of a desktop session, or when its server
// crashes. Xlib then ends the program with exit(), and unsaved work is lost. This class notifies the program
// first. Tested in tests/app/window_stop_test.cpp.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace headlight::screen {

class LostDisplay {
 public:
  /// Create it after glfwInit(), on the window's thread; at most one at a time. `lost` is called once and
  /// must end the process. Does nothing without X11, or with a libX11 older than 1.7.
  explicit LostDisplay(std::function<void()> lost);
  ~LostDisplay();
  LostDisplay(const LostDisplay&) = delete;
  LostDisplay& operator=(const LostDisplay&) = delete;

  /// Marks that the window's thread waits for events. It touches nothing of the program meanwhile, and may
  /// wait forever once the display is gone.
  class Waiting {
   public:
    explicit Waiting(LostDisplay& display) : display_(display) { display_.waiting_ = true; }
    ~Waiting() {
      display_.waiting_ = false;
      if (display_.gone_) display_.leave();
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    LostDisplay& display_;
  };

 private:
  void gone();
  void leave();

  std::function<void()> lost_;
  std::thread::id window_thread_ = std::this_thread::get_id();
  std::atomic<bool> gone_{false}, waiting_{false}, leaving_{false};
};

}  // namespace headlight::screen
