// Lessons in the window: the panel beside the page while a lesson is played, the strip above it while the
// user explores, the list of lessons, the card that makes a view a step, and the keys of all of these. Tested
// in tests/lecture/lesson_ui_test.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lecture/lesson_editor.h"
#include "pages/page_that.h"
#include "screen/heatmap_painter.h"
#include "screen/input.h"
#include "screen/widgets.h"
#include "session/lesson_player.h"
#include "teach/view/lesson_panel.h"
#include "ui/choice_list.h"
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
  /// The lecturer has a separate window: this one shows only the slide, to the class.
  bool hall = false;
  /// For the strip: the current effect of Esc, " · Esc: clears the selection"; empty: nothing to show.
  std::string escape_hint;
  /// Opens and closes the lecturer's window.
  std::function<void(double now)> lecturer_window;
  /// Says why nothing may show what this step covers before it is revealed.
  void say_covered(double now);
  /// "lesson 3 · Many heads".
  std::string heading() const;
  /// The content of the step's panel now, notes included.
  views::LessonPanel picture(double now) const;
  std::string sentence_of(const scene::LessonStep& step) const;
  /// Does the action of the mark of this name; unknown names have no effect. `item`: which step or choice.
  void act(const std::string& name, int item, double now);
  /// The keys of a lesson that work in both windows. `own`: arrows or Enter belong to a control.
  struct OwnKeys {
    bool arrows = false, enter = false;
  };
  bool step_keys(const screen::InputQueue& input, OwnKeys own, double now);
  /// True if a lesson is being edited, and is not being played to try it.
  bool writing() const { return editor_.open() && !player_.open(); }
  /// Writes the edited lesson and the progress to disk: at the end of the program.
  void keep(double now);
  /// Opens the editor with a lesson by name, number or file; empty: a new lesson with the open view.
  void write(const std::string& what, int step, double now);
  /// The folder of the user's own lessons; empty: there is none, and no view can be added.
  std::filesystem::path folder = lessons_folder();

  /// Opens a lesson by name, number or file at a step, from 0; the status line shows an error.
  void open(const std::string& what, double now, int step = 0);
  void open_list() { open_list_ = true; }
  /// The same from another group of pages: a lesson that is started from the list begins with the page that
  /// was open, and a view that is added is of that page.
  void open_list_from(scene::Page page) { open_list_ = true, left_page_ = page; }
  /// True while the list replaces the page, until a page, a lesson or the editor is opened.
  bool listing() const { return listing_; }
  /// The played lesson was chosen in the list, to which it is left.
  bool chosen_in_list() const { return from_list_ && player_.open(); }
  void leave_to_list(bool on) { from_list_ = on && player_.open(); }
  void close_list() { listing_ = open_list_ = false, left_page_.reset(); }
  void list(screen::Ui& ui, draw::Box pixels, double now);  // lesson_list.cpp
  /// The action of the list's entry before the lessons; there is no entry if it is empty.
  std::function<void()> show_first_start;
  void open_add() { open_add_ = true; }

  /// Once a frame: plays what the editor requests, and returns to it.
  void follow(double now);
  /// First call in a frame: keys that change the step are not left to a control that was clicked.
  void begin(screen::Ui& ui, double now);
  /// Draws the panel while a lesson is played: takes its part of `rest` (pixels).
  void panel(screen::Ui& ui, screen::HeatmapPainter& maps, draw::Box& rest, double now);
  /// Draws the strip while the user explores.
  void strip(screen::Ui& ui, draw::Box& rest, double now);
  /// The current overlay of the page.
  PageOverlay overlay(double now);
  /// Opens the list; draws the card of a new step, when it is open. `page`: where the step is from.
  void cards(screen::Ui& ui, const PageArea& page, double now);
  /// True: this frame's keys were used by the lesson.
  bool keys(const screen::Ui& ui, double now);
  /// True while words or outlines fade in.
  bool moving(double now) const { return player_.open() && player_.appeared(now) < 1; }

 private:
  void hand_controls(screen::Ui& ui, draw::Box units, draw::Point origin, double now);
  void list_tile(screen::Ui& ui, std::size_t index, float width, float shape, double now);  // pixels
  /// The lesson after the one that is played; null: there is none.
  const LessonEntry* next_lesson() const;
  void own_lessons();
  void add(screen::Ui& ui, const PageArea& page, double now);
  void reveal_or_go_on(double now);
  void explore(double now);
  void forget_covered(double now);
  void write_from_list(const std::string& what, double now);
  void back_to_left_page(double now);
  void back_to_list(double now);
  /// Returns to the user's own scene, and to the list if the lesson was chosen there.
  void leave(double now);

  LessonPlayer player_;
  Session& session_;
  screen::InputQueue& input_;
  draw::Hit hover_;
  float controls_height_ = 0;  // units, as drawn in the last frame
  bool notes_were_shown_ = false;
  float scroll_ = 0, needed_ = 0, room_ = 0, read_ = 0;  // read_: height that shows whole text
  int shown_step_ = -1;
  int bring_ = 0;             // frames in which the first named thing comes into view
  bool by_keyboard_ = false;  // Tab was used since the last click
  bool open_list_ = false, open_add_ = false;
  bool predicting_ = false;  // a prediction is being typed: Enter reveals, Space does not
  bool listing_ = false, list_appears_ = false;
  std::optional<scene::Page> left_page_;         // before the list
  bool list_after_writing_ = false;              // the editor was opened from the list
  scene::Page list_page_ = scene::default_page;  // the page that the list replaces
  scene::ThemeName theme_of_list_ = scene::ThemeName::dark;
  scene::Ramp ramp_of_list_ = scene::Ramp::headlight;
  bool from_list_ = false;            // the played lesson was chosen in the list
  std::vector<LessonEntry> entries_;  // of the list when it was last opened
  std::vector<std::shared_ptr<ScenePictures::Picture>> step_pictures_;  // one for each entry
  LessonProgress progress_;
  bool progress_known_ = false, progress_changed_ = false;
  bool was_covered_ = false;
  bool chose_ = false;           // an answer, since the panel was drawn
  std::string covered_message_;  // the last message about a covered answer
  bool trying_ = false;          // the edited lesson is being played
  int tried_step_ = 0;
  /// Where the editor was when the lesson was tried.
  struct Tried {
    int from = 0, step = 0;
    scene::Scene scene;
    bool moved = false;  // to another step than the first one
  };
  Tried tried_;
  ScenePictures pictures_;
  LessonEditor editor_;
  const PageArea* page_ = nullptr;  // as it was drawn last
  NewStep new_step_;
  std::vector<std::filesystem::path> own_;  // lessons that it can be added to
  std::vector<Choice> own_rows_;            // the same, and a new one
  ChoiceList own_list_;
};

}  // namespace headlight::app
