// The content of the lecturer's window, and the actions of its pointer and keys; the window itself is in
// lecturer_window.h. Draws into a frame of ImGui's current context, and knows neither OpenGL nor the time of
// day, so that a test can draw it and click on it. Tested in tests/lecture/lecturer_ui_test.cpp.
#pragma once

#include <imgui.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "lecture/lesson_screen.h"
#include "screen/heatmap_painter.h"
#include "screen/widgets.h"
#include "teach/view/lecturer_view.h"
#include "ui/scene_pictures.h"

namespace headlight::app {

class LecturerScreen {
 public:
  /// All arguments outlive it. `textures` are those of the window that it is drawn in; `wake` is called when
  /// a picture is ready.
  LecturerScreen(Session& session, LessonScreen& lessons, screen::Textures& textures,
                 std::function<void()> wake)
      : session_(session), lessons_(lessons), textures_(textures), wake_(std::move(wake)) {}

  struct Frame {
    int width = 0, height = 0;  // pixels
    std::string clock;          // the time of day, "14:05"
    double now = 0;             // the lesson's clock
    // The class's view, upside down as OpenGL stores it; null: the step's picture is shown instead.
    ImTextureID slide{};
    float slide_aspect = 1.6f;
    bool swaps = false;  // there is another screen
  };
  enum class Request { none, close, swap_screens, fullscreen };
  /// Call between Ui::begin() and Ui::end(), while a lesson is open.
  Request frame(screen::Ui& ui, screen::HeatmapPainter& maps, const Frame& frame);
  /// True if the last frame changed something that the first window shows.
  bool acted() const { return acted_; }

  /// Waits until no picture is being made. For pictures: nothing in the window waits.
  void wait_for_pictures() {
    if (pictures_) pictures_->wait();
  }
  /// Seconds since the beginning of the lesson, or since the clock was reset.
  double elapsed(double now) const;

 private:
  views::LecturerView view(const Frame& frame) const;
  std::optional<Request> keys(screen::Ui& ui, double now);
  /// Returns the mark of the control that was pressed, without a name if there is none.
  draw::Mark paint(screen::Ui& ui, screen::HeatmapPainter& maps, const Frame& frame);
  views::LessonPanel panel_of(int step) const;
  void pictures(screen::Ui& ui, screen::HeatmapPainter& maps, const Frame& frame);
  void slide_of(int step, const draw::Box& box, screen::Ui& ui, screen::HeatmapPainter& maps);
  void hand_controls(screen::Ui& ui, const views::LecturerPlaces& places, double now);
  void wheel(draw::Point at);

  Session& session_;
  LessonScreen& lessons_;
  screen::Textures& textures_;
  std::function<void()> wake_;
  std::unique_ptr<ScenePictures> pictures_;
  ScenePictures::Size picture_size_;
  views::LecturerPlaces places_;
  draw::Hit hover_;
  float scroll_ = 0, list_scroll_ = -1, controls_height_ = 0;
  int shown_step_ = -1;
  bool by_keyboard_ = false, acted_ = false;
};

}  // namespace headlight::app
