#include "scene/lesson.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "scene/settings.h"

namespace headlight::scene {

namespace {

bool of_the_look(const Field& field) {
  return field.group == Group::interface;
}

void apply(const SceneChanges& changes, Scene& scene) {
  for (const auto& [name, value] : changes) {
    // What could not be read was refused when the file was opened.
    if (!set_field(scene, name + "=" + value)) continue;
  }
  repair(scene);
}

std::string shown(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// What a claim says, and what there is instead.
std::string problem(const Claim& claim, const FigureSource& from) {
  const double left = figure_value(claim.left, from);
  std::string line = claim.left.text() + " is " + (std::isnan(left) ? "not to be had here" : shown(left));
  line += claim.relation == Relation::below   ? ", not below "
          : claim.relation == Relation::above ? ", not above "
                                              : ", not ";
  if (claim.number) return line + claim.number->text;
  return line + claim.right->text() + ", which is " + shown(figure_value(*claim.right, from));
}

}  // namespace

Scene with_look_of(Scene scene, const Scene& from) {
  std::vector<const void*> members;
  fields(from, [&](const Field&, const auto& member) { members.push_back(&member); });
  std::size_t at = 0;
  fields(scene, [&](const Field& field, auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if (of_the_look(field)) member = *static_cast<const Member*>(members[at]);
    ++at;
  });
  return scene;
}

std::vector<Scene> lesson_scenes(const Lesson& lesson, const Scene& look) {
  std::vector<Scene> scenes;
  Scene scene = with_look_of({}, look);
  apply(lesson.scene, scene);
  for (const LessonStep& step : lesson.steps) {
    apply(step.scene, scene);
    scenes.push_back(scene);
  }
  return scenes;
}

SceneChanges changes_between(const Scene& before, const Scene& after) {
  SceneChanges changes;
  fields(after, [&](const Field& field, const auto&) {
    if (of_the_look(field)) return;
    std::string value = get_field(after, field.name);
    if (value != get_field(before, field.name)) changes.emplace_back(field.name, std::move(value));
  });
  return changes;
}

std::vector<std::string> untrue(const LessonStep& step, const FigureSource& from) {
  std::vector<std::string> problems;
  const auto words = [&](const std::string& text) {
    const auto paragraph = parse_words(text);
    if (!paragraph) {
      problems.push_back(paragraph.error());
      return;
    }
    for (const WordPart& part : *paragraph) {
      if (part.number && part.number->claim && !holds(*part.number->claim, from))
        problems.push_back("\"" + part.number->written.text + "\": " + problem(*part.number->claim, from));
    }
  };
  words(step.title);
  for (const std::string& text : step.words) words(text);
  for (const std::string& text : step.reveal) words(text);
  if (step.predict) words(step.predict->ask);
  if (step.question) {
    words(step.question->ask), words(step.question->why);
    for (const std::string& choice : step.question->choices) words(choice);
  }
  if (step.task) words(step.task->ask);
  for (const std::string& fact : step.facts) {
    const auto claim = parse_claim(fact);
    if (!claim) {
      problems.push_back(claim.error());
    } else if (!holds(*claim, from)) {
      problems.push_back(problem(*claim, from));
    }
  }
  return problems;
}

bool done(const LessonTask& task, const FigureSource& from) {
  return std::all_of(task.until.begin(), task.until.end(), [&](const std::string& text) {
    const auto claim = parse_claim(text);
    return claim && holds(*claim, from);
  });
}

}  // namespace headlight::scene
