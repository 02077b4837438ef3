#include "teach/lesson.h"

#include <algorithm>
#include <cstring>

#include "pages/page.h"
#include "pages/quantity_values.h"
#include "scene/model_folders.h"
#include "scene/named_files.h"
#include "scene/settings.h"
#include "scene/shown.h"
#include "teach/lesson_draft.h"

namespace headlight::scene {

namespace {

bool of_the_look(const Field& field) {
  return field.group == Group::interface;
}

void apply(const SceneChanges& changes, Scene& scene) {
  for (const auto& [name, value] : changes) {
    // Values that cannot be read were rejected when the file was opened.
    if (!set_field(scene, name + "=" + value)) continue;
  }
  repair(scene);
}

/// True if the framed cell is visible: on the whole page, or on a card of the focus.
bool shows_frame(const LessonStep& step, const PageFrame& frame) {
  if (step.focus.empty()) return true;
  return std::any_of(frame.cards.begin(), frame.cards.end(), [&](const char* card) {
    return std::find(step.focus.begin(), step.focus.end(), card) != step.focus.end();
  });
}

std::string place_of(const FramedCell& cell, bool of_pair) {
  const std::string place = std::string(of_pair ? "query " : "row ") + std::to_string(cell.row) +
                            (of_pair ? ", key " : ", column ") + std::to_string(cell.col);
  return cell.head < 0 ? place : "head " + std::to_string(cell.head + 1) + ", " + place;
}

}  // namespace

std::string framed_elsewhere(const LessonStep& step, const QuantitySource& from) {
  const PageFrame* frame = room_of(from.scene.page).frame;
  if (!frame || !shows_frame(step, *frame)) return {};
  struct Named {
    FramedCell cell;
    std::string words;
  };
  std::vector<Named> spoken;
  const auto listen = [&](const std::string& text) {
    const auto paragraph = parse_words(text);
    for (const WordPart& part : paragraph ? *paragraph : Paragraph{}) {
      if (!part.number || !part.number->claim) continue;
      const Quantity& quantity = part.number->claim->left;
      if (!frame->names(from.scene, quantity.info->name)) continue;
      const bool of_pair = std::string_view(quantity.info->arguments).find("query") != std::string_view::npos;
      const FramedCell cell =
          of_pair ? FramedCell{head_of(quantity, from), query_of(quantity, from), key_of(quantity, from)}
                  : FramedCell{-1, quantity.number("row", 0), quantity.number("col", 0)};
      spoken.push_back({cell, place_of(cell, of_pair)});
    }
  };
  for (const std::string& text : step.words) listen(text);
  for (const std::string& text : step.reveal) listen(text);
  if (spoken.empty()) return {};
  const std::optional<FramedCell> framed = frame->cell(from.scene, from.results);
  if (!framed) return {};
  for (const Named& one : spoken) {
    const FramedCell& cell = one.cell;
    if (cell.row == framed->row && cell.col == framed->col && (framed->head < 0 || cell.head == framed->head))
      return {};
  }
  const bool of_pair = spoken.front().words.find("query") != std::string::npos;
  return "the framed cell is " + place_of(*framed, of_pair) + ", but the words name " + spoken.front().words;
}

Scene with_look_of(Scene scene, const Scene& from) {
  for (const Setting& one : settings()) {
    if (of_the_look(one.field)) one.copy(from, scene);
  }
  return scene;
}

Scene scene_before(const Lesson& lesson) {
  Scene scene = written_defaults();
  const auto folder = lesson.needs ? find_model_folder(lesson.needs->name) : std::nullopt;
  if (folder) apply({{"model", folder->string()}}, scene);
  return scene;
}

bool lacks_model(const Lesson& lesson) {
  return lesson.needs && !find_model_folder(lesson.needs->name);
}

Lesson lesson_of_missing_model(const Lesson& lesson) {
  Lesson out;
  out.title = lesson.title, out.about = lesson.about, out.needs = lesson.needs;
  LessonStep step;
  const std::string name = "**" + without_marks(lesson.needs->name) + "**", folder = models_folder().string();
  step.title = "This lesson needs a model that is not here";
  step.words.push_back(
      "The folder " + name +
      " was not found. It is not part of this program. Without it no number of this lesson can "
      "be computed, so its steps are not shown.");
  if (!lesson.needs->words.empty()) step.words.push_back(lesson.needs->words);
  step.words.push_back((folder.empty() ? "Name the folder that contains " + name
                                       : "Put " + name + " into " + without_marks(folder) +
                                             ", or name another folder that contains it") +
                       " in the environment variable HEADLIGHT_MODELS. Or open " + name +
                       " once as a model, for example by dropping it onto the window. Then open this lesson "
                       "again.");
  step.focus = {missing_model_card};
  out.steps.push_back(std::move(step));
  return out;
}

std::vector<Scene> lesson_scenes(const Lesson& lesson, const Scene& look) {
  std::vector<Scene> scenes;
  Scene scene = with_look_of(scene_before(lesson), look);
  apply(lesson.scene, scene);
  for (const LessonStep& step : lesson.steps) {
    apply(step.scene, scene);
    scenes.push_back(scene);
  }
  return scenes;
}

SceneChanges changes_between(const Scene& before, const Scene& after) {
  SceneChanges changes;
  for (const Setting& one : settings()) {
    if (!of_the_look(one.field) && !one.same(before, after))
      changes.emplace_back(one.field.name, one.text(after));
  }
  return changes;
}

std::vector<Given> given_until(const Lesson& lesson, int step) {
  std::vector<Given> out;
  const auto give = [&](const SceneChanges& changes) {
    const bool another = std::any_of(changes.begin(), changes.end(), [](const Given& one) {
      return one.first == "model" || one.first == "attention" || one.first == "weights" ||
             one.first == "weights_file";
    });
    std::erase_if(out, [&](const Given& before) {
      const Setting* const setting = find_setting(before.first);
      return (another && setting && setting->field.given_by != 0) ||
             std::any_of(changes.begin(), changes.end(),
                         [&](const Given& one) { return one.first == before.first; });
    });
    out.insert(out.end(), changes.begin(), changes.end());
  };
  give(lesson.scene);
  for (int i = 0; i <= step && i < static_cast<int>(lesson.steps.size()); ++i)
    give(lesson.steps[static_cast<std::size_t>(i)].scene);
  return out;
}

bool done(const LessonTask& task, const QuantitySource& from) {
  return std::all_of(task.until.begin(), task.until.end(), [&](const std::string& text) {
    const auto claim = parse_claim(text);
    return claim && holds(*claim, from);
  });
}

void find_files(Lesson& lesson, const std::filesystem::path& beside) {
  const auto find = [&](SceneChanges& changes) {
    for (auto& [name, value] : changes) find_file(name, value, beside);
  };
  find(lesson.scene);
  for (LessonStep& step : lesson.steps) find(step.scene);
}

}  // namespace headlight::scene
