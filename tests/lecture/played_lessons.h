// Lessons that are played by script: those that are shipped, and a small one.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scene/settings.h"
#include "session/lesson_player.h"
#include "support/lesson_models.h"

namespace headlight::app::lesson_test {

/// Those whose model is here.
inline std::vector<std::string> shipped() {
  std::vector<std::string> names;
  for (const LessonEntry& entry : list_lessons({})) {
    if (tests::can_be_played(entry)) names.push_back(entry.name);
  }
  return names;
}

inline OpenedLesson opened(const std::string& name) {
  auto lesson = open_lesson(name, {});
  EXPECT_TRUE(lesson) << (lesson ? "" : lesson.error());
  return std::move(*lesson);
}

inline OpenedLesson small_lesson() {
  auto lesson =
      scene::lesson_from_json(R"({"headlight_lesson": 1, "title": "T", "scene": {"heads": 2}, "steps": [
      {"title": "1"},
      {"title": "2", "scene": {"d_model": 30, "heads": 3}, "predict": {"ask": "?", "hide": ["card map"]}},
      {"title": "3", "scene": {"page": "position"}, "question": {"ask": "?", "choices": ["a", "b"], "answer": 1}},
      {"title": "4", "scene": {"page": "attention"},
       "task": {"ask": "do", "until": ["setting name=temperature < 0.5"]}}]})",
                              "small.json");
  EXPECT_TRUE(lesson) << (lesson ? "" : lesson.error());
  return {std::move(*lesson), {}};
}

/// A shipped lesson in a session of its own that outlives the tests: the models of its Training pages are
/// trained once, for all tests that go through its steps.
struct Played {
  Session session{{.scene = {}, .autosave = {}}};
  LessonPlayer player{session};
};

inline std::map<std::string, std::unique_ptr<Played>>& all_played() {
  static std::map<std::string, std::unique_ptr<Played>> all;
  return all;
}

class EndsPlayed : public testing::Environment {
  void TearDown() override { all_played().clear(); }
};
inline testing::Environment* const ends_played = testing::AddGlobalTestEnvironment(new EndsPlayed);

/// The lesson from its beginning.
inline Played& played(const std::string& name) {
  std::unique_ptr<Played>& lesson = all_played()[name];
  if (!lesson) lesson = std::make_unique<Played>();
  lesson->player.start(opened(name), 0);
  return *lesson;
}

class Player : public testing::Test {
 protected:
  Session session_{{.scene = {}, .autosave = {}}};
  LessonPlayer player_{session_};
};

}  // namespace headlight::app::lesson_test
