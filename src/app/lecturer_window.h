// The lecturer's window on the desktop: a second one, on the other screen, while the first one shows the
// class the slide. Opening it puts the first window on the class's screen where it is not there already;
// closing it, by its button, by Esc, with the lesson or when the second screen goes away, brings everything
// back. Tested in tests/lecture/lecturer_window_test.cpp.
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
  /// The first window with what it shows; all of it outlives this. Its OpenGL context and its ImGui context
  /// are current before and after every call.
  struct First {
    screen::Window& window;
    screen::Renderer& renderer;
    Shell& shell;
    Session& session;
    std::span<const screen::Icon> icons;
  };
  /// `one_screen`: it opens on the only screen as well, beside the first window.
  LecturerWindow(First first, bool one_screen);
  ~LecturerWindow();
  LecturerWindow(const LecturerWindow&) = delete;
  LecturerWindow& operator=(const LecturerWindow&) = delete;

  /// It opens or closes with the next turn().
  void toggle() { wanted_ = !wanted_; }
  /// F11 in the first window: it fills the screen of the class or leaves it, and stays there.
  void toggle_fullscreen();
  /// When it wants a turn; Pacer::never while it is closed.
  double next_turn() const;
  /// After every wait() of the first window: opens, closes and draws it as it is due.
  void turn();
  /// After every frame of the first window. `changed`: it shows another picture.
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
  std::size_t screens_ = 0;  // of the desktop, when it was looked at last
  std::unique_ptr<Open> open_;
};

}  // namespace headlight::app
