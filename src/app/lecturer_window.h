// The lecturer's window on the desktop: a second window on the other screen, while the first one shows the
// slide to the class. Opening it moves the first window to the class's screen if it is not there already.
// Closing it, by its button, by Esc, with the lesson or when the second screen is removed, restores
// everything. Tested in tests/lecture/lecturer_window_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "app/shell.h"
#include "screen/picture_copy.h"
#include "screen/renderer.h"
#include "screen/window.h"

namespace headlight::app {

class LecturerWindow {
 public:
  /// The first window and its contents; all of it outlives this. Its OpenGL context and its ImGui context are
  /// current before and after every call.
  struct First {
    screen::Window& window;
    screen::Renderer& renderer;
    Shell& shell;
    Session& session;
    std::span<const screen::Icon> icons;
  };
  /// `one_screen`: the window also opens if there is only one screen, beside the first window.
  LecturerWindow(First first, bool one_screen);
  ~LecturerWindow();
  LecturerWindow(const LecturerWindow&) = delete;
  LecturerWindow& operator=(const LecturerWindow&) = delete;

  /// Opens or closes the window at the next turn().
  void toggle() { wanted_ = !wanted_; }
  /// F11 in the first window: makes it fill the class's screen or leave full screen, on that screen.
  void toggle_fullscreen();
  /// The time of the next turn(); Pacer::never while it is closed.
  double next_turn() const;
  /// Call after every wait() of the first window: opens, closes and draws this window when that is due.
  void turn();
  /// Call after every frame of the first window. `changed`: it shows another picture.
  void first_drawn(bool changed);

 private:
  struct Open;
  void open();
  void close();
  void draw();
  void copy_slide();
  void swap_screens();

  First first_;
  bool one_screen_;
  bool wanted_ = false;
  std::size_t screens_ = 0;  // number of screens when last checked
  std::unique_ptr<Open> open_;
};

}  // namespace headlight::app
