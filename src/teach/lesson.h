// A lesson: one text file with steps; each has words, a scene given as changes of settings, which controls
// are at hand, what is outlined, and perhaps something to predict, a question or a task. The format is
// described for lecturers in docs/lessons.md. Tested in tests/scene/lesson_test.cpp.
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
#include "teach/lesson_words.h"

namespace headlight::scene {

/// name and value as set_field() reads them, in the order of the file.
using SceneChanges = std::vector<std::pair<std::string, std::string>>;

/// Something to expect before it is seen: what is named is covered until Space.
struct LessonPrediction {
  std::string ask;
  std::vector<std::string> hide;
  bool operator==(const LessonPrediction&) const = default;
};

struct LessonQuestion {
  std::string ask;
  std::vector<std::string> choices;
  int answer = 1;   // of the choices, from 1
  std::string why;  // shown with the answer
  bool operator==(const LessonQuestion&) const = default;
};

struct LessonTask {
  std::string ask;
  std::vector<std::string> until;  // claims; done when all hold
  bool operator==(const LessonTask&) const = default;
};

struct LessonStep {
  std::string title;
  std::vector<std::string> words, reveal;  // paragraphs; `reveal` after Space
  SceneChanges scene;                      // changes since the step before
  std::vector<std::string> controls;       // names of settings
  std::vector<std::string> highlight;      // names of things on the page
  std::vector<std::string> focus;          // cards that are shown alone, large
  std::optional<LessonPrediction> predict;
  std::optional<LessonQuestion> question;
  std::optional<LessonTask> task;
  std::vector<std::string> facts;  // claims that the words make without a number
  std::string notes;               // for the lecturer
  bool picture = false;            // the list of lessons shows this step
  bool operator==(const LessonStep&) const = default;
};

/// A model that is not part of the program: the lesson's scenes are of it.
struct LessonModel {
  std::string name;   // of its folder; where that lies is found by scene/model_folders.h
  std::string words;  // a paragraph: what it is, and how to get it
  bool operator==(const LessonModel&) const = default;
};

struct Lesson {
  std::string title, about;          // about: one line for the list of lessons
  std::optional<LessonModel> needs;  // nothing: what is included is enough
  SceneChanges scene;                // changes since the default scene
  std::vector<LessonStep> steps;
  bool operator==(const Lesson&) const = default;
};

inline constexpr int lesson_version = 1;
inline constexpr int most_lesson_steps = 500;

/// From JSON. An error is one line: the file, the step, the field, and what was expected.
base::Result<Lesson> lesson_from_json(std::string_view json, const std::string& origin);
std::string to_json(const Lesson& lesson);

/// written_defaults(), with the model that the lesson needs where its folder is found. Cost: with such a
/// model it is opened, as repair() does.
Scene scene_before(const Lesson& lesson);
/// The lesson needs a model, and its folder is not found: then its numbers and claims are of no scene here.
bool lacks_model(const Lesson& lesson);
/// In its place a lesson of one step, which says what is missing, how to get it and where to put it.
Lesson lesson_of_missing_model(const Lesson& lesson);

/// The scene of every step, each from the one before: the same whichever way one gets there. The look of the
/// interface (theme, scale, motion) is the reader's and no lesson's: it is taken from `look`.
std::vector<Scene> lesson_scenes(const Lesson& lesson, const Scene& look);

/// What differs from `before` to `after`, the look of the interface left out.
SceneChanges changes_between(const Scene& before, const Scene& after);
/// `scene` with the interface settings of `from`.
Scene with_look_of(Scene scene, const Scene& from);

/// Pinned tokens that the sentence has not: "query: the sentence has 3 tokens, 0 to 2; …".
std::vector<std::string> pinned_nowhere(const QuantitySource& from);
/// Where the words name numbers of cells and a cell is framed, it is one of them: which cell is framed, and
/// which one the words name. Empty when all is well.
std::string framed_elsewhere(const LessonStep& step, const QuantitySource& from);
bool done(const LessonTask& task, const QuantitySource& from);

/// The same for all steps of a lesson; what is missing is said when it is used.
void find_files(Lesson& lesson, const std::filesystem::path& beside);

}  // namespace headlight::scene
