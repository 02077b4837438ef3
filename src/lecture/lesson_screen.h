// Lessons in the window: the panel beside the page while one is played, the strip above it while somebody
// explores, the list of lessons, the card that makes a view a step, and the keys of all of these. Tested in
// tests/lecture/lesson_ui_test.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lecture/lesson_editor.h"
#include "screen/heatmap_painter.h"
#include "screen/input.h"
#include "screen/widgets.h"
#include "session/lesson_player.h"
#include "teach/view/lesson_panel.h"
#include "ui/page_overlay.h"
#include "ui/scene_pictures.h"

namespace headlight::app {

class LessonScreen {
 public:
  LessonScreen(Session& session, screen::InputQueue& input, screen::Textures& textures,
               std::function<void()> wake)
      : player_(session),
        session_(session),
        input_(input),
        pictures_(textures, std::move(wake)),
        editor_(session, input, pictures_) {}
  ~LessonScreen() { keep(0); }
  LessonScreen(const LessonScreen&) = delete;
  LessonScreen& operator=(const LessonScreen&) = delete;

  LessonPlayer& player() { return player_; }
  const LessonPlayer& player() const { return player_; }
  LessonEditor& editor() { return editor_; }
  const LessonEditor& editor() const { return editor_; }
  ScenePictures& pictures() { return pictures_; }
  /// The lecturer has a window of their own: this one shows the class the slide, and nothing else.
  bool hall = false;
  /// For the strip: what Esc does now; empty: nothing that has to be said.
  std::string escape_hint;
  /// Opens and closes that window.
  std::function<void(double now)> lecturer_window;
  /// "lesson 3 · Many heads".
  std::string heading() const;
  /// What is said of the step now, notes included.
  views::LessonPanel picture(double now) const;
  std::string sentence_of(const scene::LessonStep& step) const;
  /// What the mark of this name does; unknown ones do nothing.
  void act(const std::string& name, double now);
  /// The keys of a lesson that work in both windows. `own`: arrows, Enter belong to a control.
  struct OwnKeys {
    bool arrows = false, enter = false;
  };
  bool step_keys(const screen::InputQueue& input, OwnKeys own, double now);
  /// A lesson is written, and not being played for a look.
  bool writing() const { return editor_.open() && !player_.open(); }
  /// What was written and how far lessons were played is on the disk: at the end of the program.
  void keep(double now);
  /// Opens the editor: a lesson by name, number or file; empty: a new one with the view that is open.
  void write(const std::string& what, int step, double now);
  /// Where one's own lessons are; empty: nowhere, and no view can be added.
  std::filesystem::path folder = lessons_folder();

  /// Opens a lesson by name, number or file; what is wrong with it is said in the status line.
  void open(const std::string& what, double now);
  void open_list() { open_list_ = true; }
  /// The same from another group of pages: a lesson that is begun in the list begins with the page that was
  /// open there, and a view that is added is that page.
  void open_list_from(scene::Page page) { open_list_ = true, left_page_ = page; }
  /// The list is in the place of the page, until a page, a lesson or the editor is opened.
  bool listing() const { return listing_; }
  void close_list() { listing_ = open_list_ = false, left_page_.reset(); }
  void list(screen::Ui& ui, draw::Box pixels, double now);  // lesson_list.cpp
  /// The entry of the list before the lessons; none where it is empty.
  std::function<void()> show_first_start;
  void open_add() { open_add_ = true; }

  /// Once a frame: plays what the editor asks for, and comes back to it.
  void follow(double now);
  /// First thing in a frame: keys that mean a step are not left to a control that was clicked.
  void begin(screen::Ui& ui, double now);
  /// The panel while a lesson is played: takes its part of `rest` (pixels).
  void panel(screen::Ui& ui, screen::HeatmapPainter& maps, draw::Box& rest, double now);
  /// The strip while somebody explores.
  void strip(screen::Ui& ui, draw::Box& rest, double now);
  /// What lies over the page now.
  PageOverlay overlay(double now);
  /// Opens the list; the card of a new step, when it is open.
  void cards(screen::Ui& ui, double now);
  /// True: this frame's keys were for the lesson.
  bool keys(const screen::Ui& ui, double now);
  /// Words or outlines come in.
  bool moving(double now) const { return player_.open() && player_.appeared(now) < 1; }

 private:
  void hand_controls(screen::Ui& ui, draw::Box units, draw::Point origin, double now);
  void list_tile(screen::Ui& ui, std::size_t index, float width, double now);  // pixels
  /// The lesson after the one that is played; null: none.
  const LessonEntry* next_lesson() const;
  void add(screen::Ui& ui, double now);
  void write_from_list(const std::string& what, double now);
  void back_to_left_page(double now);
  void back_to_list(double now);
  /// Back to one's own scene, and to the list when the lesson was chosen there.
  void leave(double now);

  LessonPlayer player_;
  Session& session_;
  screen::InputQueue& input_;
  draw::Hit hover_;
  float controls_height_ = 0;  // units, as drawn in the frame before
  float scroll_ = 0, needed_ = 0, room_ = 0;
  int shown_step_ = -1;
  int bring_ = 0;             // frames in which the first thing that is named comes into view
  bool by_keyboard_ = false;  // Tab was used since the last click
  bool open_list_ = false, open_add_ = false;
  bool predicting_ = false;  // a prediction is being typed: Enter reveals, and not Space
  bool listing_ = false, list_appears_ = false;
  std::optional<scene::Page> left_page_;         // for the list
  bool list_after_writing_ = false;              // the editor was opened there
  scene::Page list_page_ = scene::Page::worked;  // the page in whose place it is
  scene::ThemeName theme_of_list_ = scene::ThemeName::dark;
  scene::Ramp ramp_of_list_ = scene::Ramp::headlight;
  bool from_list_ = false;            // the lesson that is played was chosen in the list
  std::vector<LessonEntry> entries_;  // of the list, as it was opened last
  std::vector<std::shared_ptr<ScenePictures::Picture>> step_pictures_;  // of each of them
  LessonProgress progress_;
  bool progress_known_ = false, progress_changed_ = false;
  bool trying_ = false;  // the lesson that is written is played
  int tried_step_ = 0;
  ScenePictures pictures_;
  LessonEditor editor_;
  NewStep new_step_;
};

}  // namespace headlight::app
