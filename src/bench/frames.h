// Frames of the whole interface without a display or OpenGL, for headlight_bench (time) and headlight_count
// (instructions): the processor's work for each picture.
#pragma once

#include <string>

#include "app/shell.h"
#include "pages/page.h"
#include "screen/unseen_screen.h"
#include "session/session.h"

namespace headlight::app {

/// An invisible window of 1600 × 1000 pixels.
class Frames {
 public:
  /// `threads`: as in Session::Start.
  explicit Frames(const scene::Scene& scene, int threads = 0)
      : session_({.scene = scene, .autosave = {}, .threads = threads}) {
    // Waiting on the Training page would train a run; in its initial state there is none.
    if (!scene::room_of(scene.page).uses(scene).trains) session_.wait();
  }
  void frame() {
    now_ += screen::UnseenScreen::seconds;
    screen_.frame(1600, 1000, [this] {
      shell_.frame({.width = 1600,
                    .height = 1000,
                    .display_scale = 1,
                    .seconds = screen::UnseenScreen::seconds,
                    .now = now_});
    });
  }
  /// Hides times in the status line: they change from run to run, and with them the glyphs that are drawn.
  void without_times() { shell_.still = true; }
  /// Glyphs are rasterised once, and a page knows its height from the second frame on.
  void warm_up() {
    for (int i = 0; i < 3; ++i) frame();
  }
  /// Moves the pointer over the page, so that tooltips and picking are included.
  void move_pointer(int step) {
    screen_.input.mouse_move(static_cast<float>(500 + step * 7 % 600),
                             static_cast<float>(300 + step * 3 % 500));
  }
  void change() {
    scene::Scene next = session_.scene();
    next.temperature = next.temperature > 1.5 ? 1 : next.temperature + 0.001;
    session_.change(next, "temperature", now_);
  }
  void play(const std::string& lesson) { shell_.lessons().open(lesson, now_); }
  void list_lessons() { shell_.lessons().open_list(); }
  int vertices() const { return screen_.vertices(); }

 private:
  double now_ = 0;
  Session session_;
  screen::UnseenScreen screen_;
  Shell shell_{session_, screen_.input, screen_.textures};
};

/// `tokens` words; neighbours are different.
inline scene::Scene with_tokens(int tokens) {
  scene::Scene scene;
  scene.sentence.clear();
  for (int i = 0; i < tokens; ++i) scene.sentence += (i == 0 ? "w" : " w") + std::to_string(i % 97);
  return scene;
}

}  // namespace headlight::app
