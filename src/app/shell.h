// The whole interface of one window, the same for the real one, for a picture without a window, and for a
// script.
#pragma once

#include <imgui.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/desk.h"
#include "app/export_card.h"
#include "app/model_picker.h"
#include "draw/colour_vision.h"
#include "lecture/first_start.h"
#include "lecture/lesson_screen.h"
#include "lecture/presenter.h"
#include "pages/page.h"
#include "screen/heatmap_painter.h"
#include "screen/input.h"
#include "screen/text_painter.h"
#include "screen/widgets.h"
#include "session/session.h"
#include "ui/page_area.h"
#include "ui/scene_chips.h"
#include "ui/scene_panel.h"

namespace headlight::app {

/// What Esc does now where no card is open and nothing is typed: it closes what lies on top, one thing at a
/// time, and never a lesson, which its own button leaves.
enum class Escape { nothing, settings, focus, selection };

class Shell {
 public:
  /// All outlive the shell. `desk`: what is kept between two starts; nothing without it.
  Shell(Session& session, screen::InputQueue& input, screen::Textures& textures, DeskStart desk = {});
  ~Shell();

  struct Frame {
    int width = 0, height = 0;  // pixels
    float display_scale = 1;    // pixels to a unit at interface scale 1
    float seconds = 0;          // since the frame before
    double now = 0;             // on a steady clock
  };
  /// Between ImGui::NewFrame() and ImGui::Render(). An exception, such as that there is no memory, ends the
  /// frame and not the program: the status line says it, and the next frame is drawn anew.
  void frame(const Frame& frame);
  /// After the frame was built and before it is rendered: new glyphs go to the GPU.
  void upload() { text_.upload(); }

  /// Something moves by itself: draw on.
  bool moving() const { return moving_; }
  /// Shaders are read from a folder: look for changes about twice a second.
  bool watching() const { return maps_.watching(); }
  const draw::Theme& theme() const;
  screen::Ui& ui() { return ui_; }
  PageArea& page() { return page_; }
  Desk& desk() { return desk_; }
  ExportCard& exporter() { return export_; }
  /// The eyes that the scene asks to see with.
  draw::Vision vision() const { return static_cast<draw::Vision>(session_.scene().colour_vision); }
  LessonScreen& lessons() { return lessons_; }
  ScenePanel& settings() { return panel_; }
  Escape escape_does() const;
  const Presenter& presenter() const { return presenter_; }
  const FirstStart& first_start() const { return first_start_; }
  /// The sentence with its beam in the whole window, until a way out of it is taken. `goes_on`: of the open
  /// scene, and the laboratory goes on with what was made of it; else of the scene of the first start.
  void show_first_start(bool goes_on);
  /// Called for F11; without it the key does nothing.
  std::function<void()> toggle_fullscreen;
  /// Called for Ctrl + Q, which ends the program as closing the window does; without it the key does nothing.
  std::function<void()> quit;
  /// Called for the lecturer's window while a lesson is open: it opens or closes after the frame.
  std::function<void()> toggle_lecturer;
  /// Pictures are the same at every run: times that vary are not shown.
  bool still = false;

 private:
  void build(const Frame& frame);
  /// Pixels to the unit: as asked for, as far as the window has room for it.
  float interface_scale(const Frame& frame) const;
  struct Place {
    ImVec2 from;
    float width;  // units
  };
  // One file each: shell_top.cpp, shell_tabs.cpp, shell_rail.cpp, shell_status.cpp.
  void top_bar(draw::Box pixels, bool compact, double now);
  void saved_tokens(ImVec2 at, float width, float height, double now);
  void sentence(ImVec2 at, float width, float height, double now);
  void tabs(draw::Box pixels, double now);
  void page_choice(Place at, float height, double now);
  std::string page_choice_words() const;
  float page_choice_width() const;  // units: its title is whole
  void page_menu(const draw::Box& button, double now);
  void open_page(scene::Page page, double now);
  float chips_width(const std::vector<SceneChip>& chips) const;
  float chip_width(const SceneChip& chip) const;
  float widest_chip_ = 150;  // of a chip's value, in units; more where there is room beside the tabs
  void chip(const SceneChip& chip, ImVec2 at);
  void rail(draw::Box pixels, bool words, double now);
  void open_group(scene::PageGroup group, double now);
  void status_bar(draw::Box pixels);
  bool toast(draw::Box page);
  std::string work_words();
  float work_width(std::string_view words) const;
  void work(std::string_view words, float right, draw::Box line);
  double busy_since_ = -1;  // a computation behind the picture; −1: there is none
  /// What can be done, by a key, a button or the palette.
  void perform(Action action, double now);
  void stop_or_compute(double now);
  void shortcuts(double now, bool beneath_a_card);
  /// This card alone in the window; empty: the one that the page's question is about.
  void present(const std::string& card, double now);
  void end_presenting(double now);
  void present_keys(double now);
  void lecturer_window(double now);
  void first_start(draw::Box pixels, double now);
  /// The models to choose from, beneath the chip; nothing: in the middle.
  void choose_model(std::optional<draw::Box> chip);
  void use_model(const ModelChoice& choice, double now);

  Session& session_;
  screen::InputQueue& input_;
  screen::TextPainter text_;
  screen::HeatmapPainter maps_;
  screen::Ui ui_;
  PageArea page_;
  Desk desk_;
  ExportCard export_;
  LessonScreen lessons_;
  Presenter presenter_;
  scene::Scene before_present_;  // what Esc restores
  FirstStart first_start_;
  scene::Scene beneath_first_start_;  // the open scene when it was shown
  ModelPicker models_;
  bool moving_ = false;
  ScenePanel panel_;
  std::array<scene::Page, scene::page_groups> last_page_;  // of each group: the one that was open last
  bool focus_sentence_ = false, select_sentence_ = false;
  double now_ = 0;           // of the frame that is being built
  float frame_ms_ = 0;       // time to build a frame, smoothed
  float told_frame_ms_ = 0;  // the same a second ago at most: what the status line shows
  double told_at_ = 0;
};

}  // namespace headlight::app
