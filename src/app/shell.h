// The whole interface of one window, the same for the real window, for a picture without a window, and for a
// script.
#pragma once

#include <imgui.h>

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/desk.h"
#include "app/export_card.h"
#include "app/model_picker.h"
#include "app/quit_question.h"
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

/// The effect of Esc when no card is open and no text has the focus: it closes the topmost thing, one at a
/// time, and never a lesson, which is left by its own button.
enum class Escape { nothing, settings, focus, selection };

class Shell {
 public:
  /// All arguments outlive the shell. `desk`: what is kept between starts; by default nothing.
  Shell(Session& session, screen::InputQueue& input, screen::Textures& textures, DeskStart desk = {});
  ~Shell();

  struct Frame {
    int width = 0, height = 0;  // pixels
    float display_scale = 1;    // pixels per unit at interface scale 1
    float seconds = 0;          // since the last frame
    double now = 0;             // on a steady clock
  };
  /// Call between ImGui::NewFrame() and ImGui::Render(). An exception, such as a lack of memory, ends the
  /// frame and not the program: the status line reports it, and the next frame is drawn again.
  void frame(const Frame& frame);
  /// Call after the frame was built and before it is rendered: uploads new glyphs to the GPU.
  void upload() { text_.upload(); }

  /// Something moves without input: continue to draw.
  bool moving() const { return moving_; }
  /// Shaders are read from a folder: check for changes about twice a second.
  bool watching() const { return maps_.watching(); }
  const draw::Theme& theme() const;
  screen::Ui& ui() { return ui_; }
  PageArea& page() { return page_; }
  /// For each group of pages: the one that was open last.
  std::vector<scene::Page> last_pages() const { return {last_page_.begin(), last_page_.end()}; }
  /// As last_pages() returned them at an earlier start; a group that is not among them has its first page.
  void bring_back(std::span<const scene::Page> last_pages);
  /// What the pages show that is not in the scene; in a lesson, where the user was before it.
  KeptView kept_view() const { return in_lesson_ ? view_before_lesson_ : page_.kept_view(); }
  void bring_back(const KeptView& view);
  Desk& desk() { return desk_; }
  ExportCard& exporter() { return export_; }
  /// The colour vision that the scene simulates.
  draw::Vision vision() const { return static_cast<draw::Vision>(session_.scene().colour_vision); }
  LessonScreen& lessons() { return lessons_; }
  ScenePanel& settings() { return panel_; }
  Escape escape_does() const;
  const Presenter& presenter() const { return presenter_; }
  const FirstStart& first_start() const { return first_start_; }
  /// Shows the first start in the whole window until a way out of it is taken. `continues`: with the open
  /// scene, whose changes the laboratory keeps; else with the scene of the first start.
  void show_first_start(bool continues);
  /// Called for F11; without it the key does nothing.
  std::function<void()> toggle_fullscreen;
  /// Called for Ctrl + Q, which ends the program like closing the window; without it the key does nothing.
  std::function<void()> quit;
  /// What both do: calls quit(), or asks first while a file is being written.
  void ask_to_quit();
  /// Called for the lecturer's window while a lesson is open: opens or closes it after the frame.
  std::function<void()> toggle_lecturer;
  /// Pictures must be equal at every run: varying times are not shown.
  bool still = false;

 private:
  void build(const Frame& frame);
  /// Pixels per unit: the requested scale, as far as the window has room for it.
  float interface_scale(const Frame& frame) const;
  struct Place {
    ImVec2 from;
    float width;  // units
  };
  // Each part has its own file: shell_top.cpp, shell_tabs.cpp, shell_rail.cpp, shell_status.cpp.
  void top_bar(draw::Box pixels, bool compact, double now);
  void saved_tokens(ImVec2 at, float width, float height, double now);
  bool sentence_on_view(const scene::Scene& scene) const;
  void sentence_before(ImVec2 at, float width, float height, double now);
  void sentence(ImVec2 at, float width, float height, double now);
  void tabs(draw::Box pixels, double now);
  void page_choice(Place at, float height, double now);
  std::string page_choice_words() const;
  float page_choice_width() const;  // units: its whole title
  void page_menu(const draw::Box& button, double now);
  void open_page(scene::Page page, double now);
  float chips_width(const std::vector<SceneChip>& chips) const;
  float chip_width(const SceneChip& chip) const;
  float widest_chip_ = 150;  // of a chip's value, in units; more if there is room beside the tabs
  void chip(const SceneChip& chip, ImVec2 at);
  void rail(draw::Box pixels, bool words, double now);
  void open_group(scene::PageGroup group, double now);
  /// `beside_tabs`: at the right of the tabs of the page. False: a message is cut there.
  bool status_bar(draw::Box pixels, bool beside_tabs);
  static constexpr float toast_margin = 12, toast_height = 32;  // units
  bool toast(draw::Box page, bool with_work);
  std::string work_words();
  float work_width(std::string_view words) const;
  void work(std::string_view words, float right, draw::Box line);
  double busy_since_ = -1;  // start of a background computation; −1: there is none
  /// Does an action of a key, a button or the palette.
  void perform(Action action, double now);
  void stop_or_compute(double now);
  void shortcuts(double now, bool beneath_a_card);
  /// Presents this card alone in the window; empty: the card that the page's question is about.
  void present(const std::string& card, double now);
  void end_presenting(double now);
  void present_keys(double now);
  void lecturer_window(double now);
  void first_start(draw::Box pixels, double now);
  /// Opens the list of models, below the chip; nothing: in the middle.
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
  QuitQuestion quit_question_;
  LessonScreen lessons_;
  Presenter presenter_;
  scene::Scene before_present_;  // restored by Esc
  FirstStart first_start_;
  scene::Scene beneath_first_start_;  // the open scene when it was shown
  ModelPicker models_;
  bool moving_ = false;
  bool in_lesson_ = false;  // in the last frame
  KeptView view_before_lesson_;
  ScenePanel panel_;
  std::array<scene::Page, scene::page_groups> last_page_;  // for each group: the page that was open last
  bool focus_sentence_ = false, select_sentence_ = false;
  double now_ = 0;            // of the current frame
  float frame_ms_ = 0;        // time to build a frame, smoothed
  float shown_frame_ms_ = 0;  // updated at most once a second: what the status line shows
  double shown_at_ = 0;
};

}  // namespace headlight::app
