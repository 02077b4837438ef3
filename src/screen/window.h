// The window on the desktop, by GLFW: an OpenGL 3.3 context, input into an InputQueue, the clipboard, dropped
// files, the display's scale, and the sleep between frames. Sizes inside are pixels of the framebuffer, and
// so is ImGui's display: `scale` pixels are one logical unit. One thread only, but for wake().
//
//   while (!window.close_requested()) {
//     if (!window.wait(animate)) continue;      // sleeps; at rest it uses no processor time
//     input.apply(ImGui::GetIO());
//     if (window.take_exposed()) renderer.show_again();
//     renderer.begin(window.width(), window.height(), window.frame_seconds()); …
//     window.present(renderer.end(…));
//   }
//
// A second window shares the textures of the first one, has input and frames of its own, and is served by the
// first one's wait(): after it, due() tells whether the second one wants a frame.
//
// Pacing is pacer.h, keys are keyboard.h, both tested; the window itself needs a display and is tried by the
// app's tests under Xvfb.
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
  /// Opens the window and makes its context current. When the driver cannot do OpenGL 3.3, tries once more
  /// with Mesa's software renderer. Errors: no display, OpenGL too old; one line with what to do. At most one
  /// at a time; `input` outlives it.
  static base::Result<std::unique_ptr<Window>> create(const WindowOptions& options, InputQueue& input);
  /// A second window beside `first`, which outlives it. Not shown yet; the context of `first` stays current.
  static base::Result<std::unique_ptr<Window>> create_beside(const WindowOptions& options, InputQueue& input,
                                                             const Window& first);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Sleeps until something happens, then tells whether a frame is due; false also while the window is
  /// iconified or has no size. `animate`: something moves, so up to 60 frames a second. `other`: the sleep
  /// ends by then, for the next frame of the second window.
  bool wait(bool animate, double other = Pacer::never);
  /// Of a second window: when is its next frame, and is it due now? Then it has begun, as after wait().
  double next_frame(bool animate) const;
  bool due(bool animate);
  /// OpenGL draws into this window from now on.
  void make_current();
  /// Ends the sleep early at `time` on the clock of now(); asked anew for each frame that needs it.
  void wake_at(double time);
  /// Something changed inside the program: draw the next frames.
  void touch(int frames = 3);
  /// Nothing more comes of what happened before the last frame: no next one, until something happens.
  void settle();
  /// From any thread: a result is ready, end the sleep and draw.
  static void wake();

  /// Shows what was drawn, where that is another picture than before, and the mouse cursor that ImGui asks
  /// for. Ends the frame that wait() started.
  void present(bool changed = true);
  /// May the screen have lost the picture since the last call?
  bool take_exposed();

  int width() const;  // pixels
  int height() const;
  float scale() const;  // pixels to the logical unit, 1 on an ordinary display
  /// Since the frame before, at least 1/1000 s: what ImGui calls DeltaTime. After a sleep it is long, and
  /// true: ImGui tells a double click from two clicks by it.
  float frame_seconds() const;
  double now() const;

  bool close_requested() const;
  void set_icons(std::span<const Icon> icons);
  void set_fullscreen(bool on);  // on the monitor that holds the window's centre
  bool fullscreen() const;
  /// The screens of the desktop as they are now, the primary one first; the one that holds the centre of this
  /// window, −1 when there are none.
  static std::vector<Screen> screens();
  int screen() const;
  /// Where it is, and where it was before it filled a screen.
  struct Placing {
    int x = 0, y = 0, width = 0, height = 0;  // as a window
    int fills = -1;                           // the screen; −1: none
  };
  Placing placing() const;
  void place(const Placing& placing);
  /// Full screen on that one, from another one too.
  void fill_screen(int screen);
  /// Shown as a window in what the desktop leaves free of that screen: all of it, or a `part` of its width
  /// and height in the middle.
  void show_on(int screen, float part = 1);
  /// A window that is on no screen any more comes back to the primary one.
  void bring_into_sight();
  /// Connects ImGui's clipboard to the desktop's.
  void attach_clipboard();

  std::function<void(const std::vector<std::string>& paths)> on_drop;
  /// The display went away before the program: there is nothing left but to save. Has to end the process.
  /// Called from within wait() or present(), or from another thread while wait() cannot come back.
  std::function<void()> on_lost_display;

 private:
  struct State;
  explicit Window(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace headlight::screen
