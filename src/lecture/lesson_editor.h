// The lesson editor: the panel at the right of the page with the lesson's steps and the texts of one step,
// cards and numbers that are picked on the page, the problems that were found, and the file. The user's own
// scene is kept, and close() restores it. The parts: lesson_editor.cpp has the lesson and its file,
// lesson_editor_steps.cpp the list, lesson_editor_step.cpp the texts of a step, lesson_editor_parts.cpp its
// questions, cards and settings. Tested in tests/lecture/lesson_editor_test.cpp.
#pragma once

#include <imgui.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "screen/widgets.h"
#include "session/lesson_library.h"
#include "session/session.h"
#include "teach/lesson_check.h"
#include "teach/lesson_draft.h"
#include "ui/page_area.h"
#include "ui/scene_pictures.h"

namespace headlight::app {

/// Below this height, in units, the panel is one list that scrolls as a whole; else its two parts scroll.
inline constexpr float editor_scrolls_below = 460;

class LessonEditor {
 public:
  /// All arguments outlive the editor.
  LessonEditor(Session& session, screen::InputQueue& input, ScenePictures& pictures)
      : session_(session), input_(input), pictures_(pictures) {}
  /// Saves unsaved changes.
  ~LessonEditor();
  LessonEditor(const LessonEditor&) = delete;
  LessonEditor& operator=(const LessonEditor&) = delete;

  bool open() const { return draft_.has_value(); }
  /// Starts at `step`, from 0. The scene becomes that of the step.
  void start(LessonToWrite what, int step, double now);
  /// If the lesson's file cannot be written, the lesson is written under another name, and the message says
  /// so; if that fails too, the editor stays open.
  void close(double now);
  /// Writes the file if needed: at the end of the program, and before the lesson is played.
  void keep(double now);
  /// The same, under another name if its file cannot be written: the program ends at once.
  void rescue();

  const scene::LessonDraft& draft() const { return *draft_; }
  const std::filesystem::path& path() const { return what_.path; }
  /// The user's own scene, which close() restores.
  const std::optional<scene::Scene>& before() const { return before_; }
  /// The lesson as it is played now.
  OpenedLesson playable() const;
  /// The step to play, from 0; once.
  std::optional<int> take_play() { return std::exchange(play_, std::nullopt); }
  /// Called after the lesson was played: `step` is the one at which it was left.
  void come_back(int step, double now);

  /// direct() tells the page, before it is drawn, what can be picked; take() handles what was clicked on it.
  void direct(PageArea& page) const;
  void take(PageArea& page, double now);
  /// The panel, in `pixels`.
  void frame(screen::Ui& ui, draw::Box pixels, const PageArea& page, double now);
  /// True: this frame's keys were used by the editor.
  bool keys(double now);
  /// True if the last change was to the lesson, not to the scene.
  bool takes_undo() const { return open() && written_last_; }
  void undo(double now);
  void redo(double now);

 private:
  /// The purpose of a click on the page.
  enum class Pick { none, focus, hide, number, goal, fact };
  struct Place {  // a caret in the texts of a step
    scene::StepText text = scene::StepText::words;
    int index = 0;
    std::size_t caret = 0;
  };
  struct Checked {
    scene::LessonStep step;
    std::shared_ptr<ScenePictures::Picture> picture;
    bool ready = false;
    std::vector<scene::Finding> found;
    int problems = 0;
    std::vector<scene::Given> given;
  };

  void follow(double now);
  void check();
  bool page_differs() const;
  const scene::Scene& view() const { return views_[static_cast<std::size_t>(draft_->step())]; }
  void go(int step, double now);
  void changed(double now);
  void undone(int step, const scene::Scene& shown, double now);
  void change(scene::Lesson next, int step, double now);
  template <class How>
  void edit(const std::string& label, double now, How how) {
    if (draft_->edit(label, now, how)) changed(now);
  }
  void save(double now);
  void insert(const std::string& number, const std::string& part, double now);
  void toggle_part(const std::string& name, double now);

  void head(screen::Ui& ui, double now);
  void steps(screen::Ui& ui, const PageArea& page, double now);
  void step_row(screen::Ui& ui, int step, double now);
  void step_buttons(screen::Ui& ui, const PageArea& page, double now);
  void view_buttons(screen::Ui& ui, const PageArea& page, double now);
  void texts(screen::Ui& ui, const PageArea& page, double now);
  /// A text of the step with its problems; true: Enter was pressed.
  bool text(screen::Ui& ui, const char* name, const screen::TextArea& look, scene::StepText which, int index,
            double now);
  void paragraphs(screen::Ui& ui, const char* name, const char* hint, scene::StepText which, double now);
  void frame_button(screen::Ui& ui, double now);
  void problems(screen::Ui& ui, scene::StepText which, int index, double now);
  void cards(screen::Ui& ui, const char* name, Pick pick, const std::vector<std::string>& chosen,
             const PageArea& page, double now);
  void asks(screen::Ui& ui, const PageArea& page, double now);
  void question(screen::Ui& ui, double now);
  void claims(screen::Ui& ui, const char* name, scene::StepText which, Pick pick, double now);
  void settings(screen::Ui& ui, double now);
  void pick_button(screen::Ui& ui, const char* name, const char* label, const char* active, Pick pick);

  Session& session_;
  screen::InputQueue& input_;
  ScenePictures& pictures_;
  LessonToWrite what_;
  std::optional<scene::LessonDraft> draft_;
  std::optional<scene::Scene> before_;
  scene::Undo history_before_;                    // of that scene
  std::vector<scene::Scene> views_;               // the scene of each step when it is played
  std::vector<std::vector<scene::Given>> given_;  // to settings, up to each step
  std::vector<std::shared_ptr<ScenePictures::Picture>> shown_;
  std::vector<Checked> checked_;
  int version_ = -1;  // version of the draft for views_
  scene::ThemeName theme_ = scene::ThemeName::dark;
  scene::Scene page_scene_;  // in the last frame
  bool written_last_ = false;
  bool dirty_ = false, differs_on_disk_ = false;
  bool unfinished_ = false;  // a part of the lesson is not in its file
  double save_at_ = 0;
  std::string problem_;
  Pick pick_ = Pick::none;
  std::optional<Place> place_;
  std::optional<int> play_;
  int dragged_ = -1;  // the step that is being moved
  bool all_settings_ = false;
  bool to_title_ = false;       // the title's field takes the keyboard focus
  std::optional<Place> go_to_;  // the text that takes the focus
  float steps_scrolled_to_ = -1;
  int shown_step_ = -1, texts_of_ = -1;
};

}  // namespace headlight::app
