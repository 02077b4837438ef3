// A lesson while it is written: the panel at the right of the page with its steps and the texts of one of
// them, cards and numbers that are picked on the page, what does not hold, the file. One's own scene is kept
// and comes back with close(). Its parts: lesson_editor.cpp the lesson and its file, lesson_editor_steps.cpp
// the list, lesson_editor_step.cpp the texts of a step, lesson_editor_parts.cpp its questions, cards and
// settings. Tested in tests/lecture/lesson_editor_test.cpp.
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

/// The panel is one list that scrolls as a whole below this height, else its two parts scroll; units.
inline constexpr float editor_scrolls_below = 460;

class LessonEditor {
 public:
  /// All outlive the editor.
  LessonEditor(Session& session, screen::InputQueue& input, ScenePictures& pictures)
      : session_(session), input_(input), pictures_(pictures) {}
  /// Nothing that was written is lost.
  ~LessonEditor();
  LessonEditor(const LessonEditor&) = delete;
  LessonEditor& operator=(const LessonEditor&) = delete;

  bool open() const { return draft_.has_value(); }
  /// `step` from 0. The scene becomes that of the step.
  void start(LessonToWrite what, int step, double now);
  /// Where its own file cannot be written the lesson is written under another name, which is said; where that
  /// fails, too, the editor stays open.
  void close(double now);
  /// Writes the file where it is due: at the end of the program, and before the lesson is played.
  void keep(double now);
  /// The same, under another name where its own file cannot be written: the program ends at once.
  void rescue();

  const scene::LessonDraft& draft() const { return *draft_; }
  const std::filesystem::path& path() const { return what_.path; }
  /// The scene of one's own that comes back.
  const std::optional<scene::Scene>& before() const { return before_; }
  /// The lesson as it plays now.
  OpenedLesson playable() const;
  /// A step that is to be played, from 0; once.
  std::optional<int> take_play() { return std::exchange(play_, std::nullopt); }
  /// After it was played: the step at which it was left.
  void come_back(int step, double now);

  /// What the page is asked for, before it is drawn, and what was clicked on it.
  void direct(PageArea& page) const;
  void take(PageArea& page, double now);
  /// The panel, in `pixels`.
  void frame(screen::Ui& ui, draw::Box pixels, const PageArea& page, double now);
  /// True: this frame's keys were for the editor.
  bool keys(double now);
  /// What was changed last is the lesson, not the scene.
  bool takes_undo() const { return open() && written_last_; }
  void undo(double now);
  void redo(double now);

 private:
  /// What a click on the page is for.
  enum class Pick { none, focus, hide, number, goal, fact };
  struct Place {  // in the texts of a step
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
  void insert(const std::string& quantity, double now);
  void toggle_card(const std::string& card, double now);

  void head(screen::Ui& ui, double now);
  void steps(screen::Ui& ui, double now);
  void step_row(screen::Ui& ui, int step, double now);
  void step_buttons(screen::Ui& ui, double now);
  void view_buttons(screen::Ui& ui, double now);
  void texts(screen::Ui& ui, const PageArea& page, double now);
  /// A text of the step with what is wrong in it; true: Enter was pressed.
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
  std::vector<scene::Scene> views_;  // of each step, as they are played
  std::vector<std::shared_ptr<ScenePictures::Picture>> shown_;
  std::vector<Checked> checked_;
  int version_ = -1;  // of the draft that views_ are of
  scene::ThemeName theme_ = scene::ThemeName::dark;
  scene::Scene page_scene_;  // of the frame before
  bool written_last_ = false;
  bool dirty_ = false, differs_on_disk_ = false;
  bool unfinished_ = false;  // something of the lesson is not in its file
  double save_at_ = 0;
  std::string problem_;
  Pick pick_ = Pick::none;
  std::optional<Place> place_;
  std::optional<int> play_;
  int dragged_ = -1;  // the step that is being moved
  bool all_settings_ = false;
  bool to_title_ = false;       // its field takes the keyboard
  std::optional<Place> go_to_;  // the text that takes it
  float steps_scrolled_to_ = -1;
  int shown_step_ = -1, texts_of_ = -1;
};

}  // namespace headlight::app
