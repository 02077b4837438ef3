// A lesson: one text file with steps. Each step has words, a scene given as changes of settings, controls,
// outlines, and perhaps a prediction, a question or a task. docs/lessons.md describes the format for
// lecturers. Tested in tests/scene/lesson_test.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "pages/quantities.h"
#include "scene/scene.h"
#include "scene/settings.h"
#include "teach/lesson_words.h"

namespace headlight::scene {

/// name and value as set_field() accepts them, in the order of the file.
using SceneChanges = std::vector<Given>;

/// A prediction before something is seen: the named things are covered until Space is pressed.
struct LessonPrediction {
  std::string ask;
  std::vector<std::string> hide;
  bool operator==(const LessonPrediction&) const = default;
};

struct LessonQuestion {
  std::string ask;
  std::vector<std::string> choices;
  int answer = 1;   // index of the right choice, from 1
  std::string why;  // shown with the answer
  bool operator==(const LessonQuestion&) const = default;
};

struct LessonTask {
  std::string ask;
  std::vector<std::string> until;  // claims; the task is done when all of them hold
  bool operator==(const LessonTask&) const = default;
};

struct LessonStep {
  std::string title;
  std::vector<std::string> words, reveal;  // paragraphs; `reveal` after Space
  SceneChanges scene;                      // changes since the previous step
  std::vector<std::string> controls;       // names of settings
  std::vector<std::string> highlight;      // names of things on the page
  std::vector<std::string> focus;          // cards that are shown alone and large
  std::vector<std::string> without;        // parts of cards that are left out: later steps ask for them
  std::optional<LessonPrediction> predict;
  std::optional<LessonQuestion> question;
  std::optional<LessonTask> task;
  std::vector<std::string> facts;  // claims of the words that contain no number
  std::string notes;               // for the lecturer
  bool picture = false;            // the list of lessons shows this step
  bool operator==(const LessonStep&) const = default;
};

/// A model that is not part of the program and that the lesson's scenes use.
struct LessonModel {
  std::string name;   // of its folder, which scene/model_folders.h finds
  std::string words;  // a paragraph: what the model is, and how to get it
  bool operator==(const LessonModel&) const = default;
};

struct Lesson {
  std::string title, about;          // about: one line for the list of lessons
  std::optional<LessonModel> needs;  // nothing: the included models are enough
  SceneChanges scene;                // changes since the default scene
  std::vector<LessonStep> steps;
  bool operator==(const Lesson&) const = default;
};

inline constexpr int lesson_version = 1;
inline constexpr int most_lesson_steps = 500;

/// Parses a lesson. An error is one line: the file, the step, the field, and what was expected.
base::Result<Lesson> lesson_from_json(std::string_view json, const std::string& origin);
std::string to_json(const Lesson& lesson);

/// written_defaults(), with the model that the lesson needs if its folder is found. Cost: opens that model,
/// as repair() does.
Scene scene_before(const Lesson& lesson);
/// True if the lesson needs a model whose folder is not found: then its numbers and claims cannot be computed
/// here.
bool lacks_model(const Lesson& lesson);
/// A lesson of one step to show instead: it says what is missing, how to get it and where to put it. No page
/// has the card that the step focuses on, so no picture of another model is beside the words.
inline constexpr const char* missing_model_card = "card of the missing model";
Lesson lesson_of_missing_model(const Lesson& lesson);

/// The scene of every step, each made from the previous one, so that a step's scene does not depend on the
/// way to it. The look of the interface (theme, scale, motion) is the user's and not the lesson's: it is
/// copied from `look`.
std::vector<Scene> lesson_scenes(const Lesson& lesson, const Scene& look);

/// The settings that differ between `before` and `after`, without the look of the interface.
SceneChanges changes_between(const Scene& before, const Scene& after);
/// `scene` with the interface settings of `from`.
Scene with_look_of(Scene scene, const Scene& from);

/// What the lesson and its steps up to `step`, from 0, give to settings: each setting once, as it was given
/// last. Without those that a model gives, when a later step chooses another model.
std::vector<Given> given_until(const Lesson& lesson, int step);
/// If the words contain numbers of cells and a cell is framed, it must be one of those. Returns which cell is
/// framed and which one the words name; empty when they agree.
std::string framed_elsewhere(const LessonStep& step, const QuantitySource& from);
bool done(const LessonTask& task, const QuantitySource& from);

/// The same for all steps of a lesson; a missing file is reported when it is used.
void find_files(Lesson& lesson, const std::filesystem::path& beside);

}  // namespace headlight::scene
