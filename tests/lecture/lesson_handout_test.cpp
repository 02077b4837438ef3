// A lesson as text for paper: everything that a step says is in it, with numbers that hold.
#include "session/lesson_handout.h"

#include <gmock/gmock.h>

#include "played_lessons.h"

namespace headlight::app {
namespace {

using scene::Emphasis;
using testing::HasSubstr;
using testing::Not;

std::string handout_of(const std::string& json) {
  auto lesson = scene::lesson_from_json(json, "test.json");
  EXPECT_TRUE(lesson) << (lesson ? "" : lesson.error());
  Session session({.scene = {}, .autosave = {}});
  LessonPlayer player(session);
  player.start({std::move(*lesson), {}}, 0);
  return handout(player);
}

TEST(Handout, MarksWhatStandsOutAndKeepsTheSignsOfTheText) {
  EXPECT_EQ(handout_words({{.text = "a "},
                           {.text = "b", .emphasis = Emphasis::bold},
                           {.text = " d", .maths = true},
                           {.text = "k", .maths = true, .script = -1},
                           {.text = " p", .maths = true},
                           {.text = "2j", .maths = true, .script = -1},
                           {.text = " e", .maths = true},
                           {.text = "∞", .maths = true, .script = 1},
                           {.text = " press "},
                           {.text = "sin/cos", .emphasis = Emphasis::button},
                           {.text = " 2*3 < 7"}}),
            "a **b** d_k p_{2j} e^∞ press `sin/cos` 2\\*3 \\< 7");
}

TEST(Handout, HasAllThatAStepSaysInItsOrder) {
  const std::string text = handout_of(R"({"headlight_lesson": 1, "title": "T", "about": "of it", "steps": [
      {"title": "First", "words": ["One.", "{6 = tokens} tokens."], "notes": "say so"},
      {"title": "Second", "scene": {"heads": 2}, "words": "Width {9 = d_k}.", "controls": ["heads", "temperature"],
       "predict": {"ask": "What?", "hide": ["card map"]}, "reveal": ["That."],
       "question": {"ask": "Which?", "choices": ["this", "that"], "answer": 2, "why": "It is so."},
       "task": {"ask": "do it.", "until": ["setting name=temperature < 0.5"]}}]})");
  EXPECT_EQ(text,
            "# T\n\nof it\n\n"
            "## 1. First\n\nOne.\n\n6 tokens.\n\n> **Notes:** say so\n\n"
            // 32 columns by 2 heads: the scene's own number, whatever the file claims.
            "## 2. Second\n\nWidth 16.\n\n**Predict:** What?\n\n**Space reveals:** That.\n\n**Question:** "
            "Which?\n\n- A: this\n- B: that\n\n**Answer:** B. It is so.\n\n**Try it:** do "
            "it.\n\n**Controls:** Heads, Temperature\n");
}

TEST(Handout, EveryLessonThatComesAlongHasOne) {
  for (const LessonEntry& entry : list_lessons({})) {
    LessonPlayer& player = lesson_test::played(entry.name).player;
    const std::string text = handout(player);
    EXPECT_THAT(text, HasSubstr("# " + entry.title));
    // No claim is left as it stands in the file.
    for (const char* sign : {" row=", " head=", " name=", " < ", " > "}) {
      EXPECT_THAT(text, Not(HasSubstr(sign))) << entry.name;
    }
    for (const scene::LessonStep& step : player.lesson().steps)
      EXPECT_THAT(text, HasSubstr(step.notes.empty() ? "" : "> **Notes:** " + step.notes.substr(0, 12)));
    std::size_t steps = 0;
    for (std::size_t at = 0; (at = text.find("\n## ", at)) != std::string::npos; ++at) ++steps;
    EXPECT_EQ(steps, player.lesson().steps.size());
  }
}

}  // namespace
}  // namespace headlight::app
