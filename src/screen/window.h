// The window on the desktop, by GLFW: an OpenGL 3.3 context, input into an InputQueue, the clipboard, dropped
// files, the display's scale, and the sleep between frames. Sizes inside are framebuffer pixels, and so is
// ImGui's display: `scale` pixels are one logical unit. One thread only, except for wake().
//
//   while (!window.close_requested()) {
//     if (!window.wait(animate)) continue;      // sleeps; at rest it uses no processor time
//     input.apply(ImGui::GetIO());
//     if (window.take_exposed()) renderer.show_again();
//     renderer.begin(window.width(), window.height(), window.frame_seconds()); …
//     window.present(renderer.end(…));
//   }
//
// A second window shares the textures of the first one and has its own input and frames. The first window's
// wait() serves both: after it, due() tells whether the second one needs a frame.
//
// Pacing is in pacer.h, keys are in keyboard.h, and both are tested. The window itself needs a display; the
// app's tests use it under Xvfb.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "screen/input.h"
#include "screen/pacer.h"
#include "screen/screens.h"

namespace headlight::screen {

struct WindowOptions {
  std::string title = "Headlight";
  int width = 1440, height = 900;         // logical units; shrunk to the monitor's work area
  int min_width = 640, min_height = 400;  // logical units
  bool visible = true;
};

struct Icon {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // row 0 on top
};

class Window {
 public:
  /// Opens the window and makes its context current. If the driver does not support OpenGL 3.3, it tries
  /// again with Mesa's software renderer. Errors: no display, OpenGL too old; one line with what to do. At
  /// most one at a time; `input` must outlive it.
  static base::Result<std::unique_ptr<Window>> create(const WindowOptions& options, InputQueue& input);
  /// Opens a second window next to `first`, which must outlive it. It is not shown yet; the context of
  /// `first` stays current.
  static base::Result<std::unique_ptr<Window>> create_beside(const WindowOptions& options, InputQueue& input,
                                                             const Window& first);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Sleeps until something happens, then returns whether a frame is due; also false while the window is
  /// iconified or has no size. `animate`: something moves, so up to 60 frames a second. `other`: the time at
  /// which the sleep ends for the next frame of the second window.
  bool wait(bool animate, double other = Pacer::never);
  /// For a second window: the time of its next frame, and whether it is due now. If due, it has begun, as
  /// after wait().
  double next_frame(bool animate) const;
  bool due(bool animate);
  /// Directs OpenGL's drawing to this window from now on.
  void make_current();
  /// Ends the sleep early at `time` on the clock of now(); must be called again for each frame that needs it.
  void wake_at(double time);
  /// Something changed inside the program: draw the next frames.
  void touch(int frames = 3);
  /// Earlier events cause no further changes: no next frame until something happens.
  void settle();
  /// From any thread: a result is ready, end the sleep and draw.
  static void wake();

  /// Shows the drawn picture if it changed, and the mouse cursor that ImGui requests. Ends the frame that
  /// wait() started.
  void present(bool changed = true);
  /// Returns whether the screen may have lost the picture since the last call.
  bool take_exposed();

  int width() const;  // pixels
  int height() const;
  float scale() const;  // pixels per logical unit, 1 on an ordinary display
  /// Returns the time since the previous frame, at least 1/1000 s: ImGui's DeltaTime. After a sleep it is
  /// long, and not shortened: ImGui uses it to distinguish a double click from two clicks.
  float frame_seconds() const;
  double now() const;

  bool close_requested() const;
  /// The same, once: the window stays open.
  bool take_close_request();
  /// Shows the window, which has something to ask, even if it is iconified.
  void bring_forward();
  void set_icons(std::span<const Icon> icons);
  void set_fullscreen(bool on);  // on the monitor that contains the window's centre
  bool fullscreen() const;
  /// Returns the current screens of the desktop, the primary one first; and the one that contains the centre
  /// of this window, −1 if there are none.
  static std::vector<Screen> screens();
  int screen() const;
  /// The window's placement, and its placement before it filled a screen.
  struct Placing {
    int x = 0, y = 0, width = 0, height = 0;  // when not full screen
    int fills = -1;                           // the screen; −1: none
  };
  Placing placing() const;
  void place(const Placing& placing);
  /// Makes the window full screen on that screen, also if it fills another one.
  void fill_screen(int screen);
  /// Shows it as a window in the free area of that screen: all of it, or a `part` of its width and height in
  /// the middle.
  void show_on(int screen, float part = 1);
  /// Moves a window that is no longer on any screen to the primary one.
  void bring_into_sight();
  /// Connects ImGui's clipboard to the desktop's.
  void attach_clipboard();

  std::function<void(const std::vector<std::string>& paths)> on_drop;
  /// Called when the display disappeared before the program ended: the callee can only save, and must end the
  /// process. Called from within wait() or present(), or from another thread while wait() cannot return.
  std::function<void()> on_lost_display;

 private:
  struct State;
  explicit Window(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace headlight::screen
