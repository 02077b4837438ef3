// A lesson while it is written: steps keep their pictures whatever happens around them, undo, what is written
// of a half-finished lesson, what does not hold and what would, numbers of a page as words.
#include "teach/lesson_draft.h"

#include <gmock/gmock.h>

#include "base/embedded.h"
#include "base/parallel.h"
#include "pages/compute.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "teach/lesson_check.h"

namespace headlight::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<const Results> computed(const Scene& scene) {
  base::Parallel parallel(1);
  return compute_now(scene, parallel, nullptr);
}

Lesson three_views() {
  Lesson lesson;
  lesson.title = "Three";
  Scene view;
  lesson = with_view_added(lesson, -1, view, {});
  view.d_model = 30, view.heads = 3, view.mask.causal = true;
  lesson = with_view_added(lesson, 0, view, {});
  view.page = Page::position, view.d_model = 64, view.heads = 2, view.sentence = "other words";
  return with_view_added(lesson, 1, view, {});
}

std::vector<std::string> titles(const Lesson& lesson) {
  std::vector<std::string> out;
  for (const LessonStep& step : lesson.steps) out.push_back(step.title);
  return out;
}

TEST(LessonDraft, AStepKeepsItsPictureWhateverHappensAroundIt) {
  const Lesson lesson = three_views();
  const std::vector<Scene> views = views_of(lesson, {});
  ASSERT_EQ(views.size(), 3u);
  const auto expect = [](const Lesson& made, std::vector<Scene> wanted) {
    // As the player has it, too, and out of a file.
    const auto file = lesson_from_json(to_json(made), "made.json");
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(views_of(made, {}), wanted);
    EXPECT_EQ(lesson_scenes(*file, Scene{}), wanted);
  };
  for (int from = 0; from < 3; ++from) {
    for (int to = 0; to < 3; ++to) {
      std::vector<Scene> moved = views;
      const Scene one = moved[static_cast<std::size_t>(from)];
      moved.erase(moved.begin() + from);
      moved.insert(moved.begin() + to, one);
      expect(with_step_moved(lesson, from, to, {}), moved);
    }
    std::vector<Scene> without = views;
    without.erase(without.begin() + from);
    expect(without_step(lesson, from, {}), without);
    std::vector<Scene> twice = views;
    twice.insert(twice.begin() + from, views[static_cast<std::size_t>(from)]);
    expect(with_step_twice(lesson, from, {}), twice);
    Scene other;
    other.temperature = 0.25, other.heads = 8;
    std::vector<Scene> updated = views;
    updated[static_cast<std::size_t>(from)] = other;
    expect(with_view_of_step(lesson, from, other, {}), updated);
    std::vector<Scene> added = views;
    added.insert(added.begin() + from + 1, other);
    expect(with_view_added(lesson, from, other, {}), added);
  }
  EXPECT_THAT(titles(with_step_moved(lesson, 0, 2, {})), ElementsAre("Step 2", "Step 3", "Step 1"));
  EXPECT_EQ(with_step_moved(lesson, 0, 7, {}), lesson);
  EXPECT_EQ(without_step(without_step(without_step(lesson, 0, {}), 0, {}), 0, {}).steps.size(), 1u);
}

TEST(LessonDraft, TheLookOfTheInterfaceIsNoPartOfAStep) {
  Scene view = written_defaults();
  view.theme = ThemeName::light, view.interface_scale = 2;
  const Lesson lesson = with_view_added({.title = "T"}, -1, view, {});
  EXPECT_THAT(lesson.steps[0].scene, IsEmpty());
  EXPECT_EQ(with_view_of_step(lesson, 0, view, {}), lesson);
}

TEST(LessonDraft, WhatNobodyTouchedStaysAsItWasWritten) {
  // Every included lesson has fields of all kinds; only the step that is changed is written anew.
  for (const std::string_view name : base::embedded_names()) {
    if (!name.starts_with("lessons/")) continue;
    const auto bytes = base::embedded(std::string(name));
    const auto lesson =
        lesson_from_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, std::string(name));
    ASSERT_TRUE(lesson) << lesson.error();
    EXPECT_EQ(finished(*lesson), *lesson) << name;
    EXPECT_EQ(with_views(*lesson, views_of(*lesson, {}), {}), *lesson) << name;
    Lesson changed = *lesson;
    changed.steps[1].title = "Another";
    const auto again = lesson_from_json(to_json(finished(changed)), "again.json");
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(*again, changed) << name;
    Scene view = views_of(*lesson, {})[1];
    view.seed = 4711;
    const Lesson updated = with_view_of_step(*lesson, 1, view, {});
    for (std::size_t i = 3; i < updated.steps.size(); ++i) EXPECT_EQ(updated.steps[i], lesson->steps[i]);
    EXPECT_EQ(views_of(updated, {}).back(), views_of(*lesson, {}).back()) << name;
  }
}

TEST(LessonDraft, UndoAndRedoGoStepByStepAndTypingIsOne) {
  LessonDraft draft(three_views(), 1);
  const Lesson before = draft.lesson();
  for (const char* words : {"a", "ab", "abc"})
    EXPECT_TRUE(draft.edit("words", 1, [&](LessonStep& step) { step.words = {words}; }));
  EXPECT_FALSE(draft.edit("words", 1, [&](LessonStep& step) { step.words = {"abc"}; }));
  draft.edit("words", 9, [&](LessonStep& step) { step.words = {"later"}; });
  draft.change(without_step(draft.lesson(), 0, {}), 0, "", 10);
  EXPECT_EQ(draft.steps(), 2);
  EXPECT_TRUE(draft.undo());
  EXPECT_EQ(draft.step(), 1);
  EXPECT_THAT(draft.current().words, ElementsAre("later"));
  EXPECT_TRUE(draft.undo());
  EXPECT_THAT(draft.current().words, ElementsAre("abc"));
  EXPECT_TRUE(draft.undo());
  EXPECT_EQ(draft.lesson(), before);
  EXPECT_FALSE(draft.undo());
  EXPECT_TRUE(draft.redo());
  EXPECT_TRUE(draft.redo());
  EXPECT_TRUE(draft.redo());
  EXPECT_EQ(draft.steps(), 2);
  EXPECT_FALSE(draft.redo());
  draft.undo();
  draft.edit("", 20, [](LessonStep& step) { step.notes = "n"; });
  EXPECT_FALSE(draft.can_redo());
}

TEST(LessonDraft, AnUnfinishedLessonIsWrittenSoThatItOpens) {
  Lesson lesson = three_views();
  lesson.title.clear();
  LessonStep& step = lesson.steps[0];
  step.title = "";
  step.words = {"half {0.9", "**bold", "[key: cat", "", "fine {0.5 = temperature}", std::string(30'000, 'x')};
  step.reveal = {"kept"};
  step.question = LessonQuestion{.ask = "", .choices = {""}, .answer = 9, .why = "$x"};
  step.task = LessonTask{.ask = "try", .until = {"entropy <", "weight"}};
  step.facts = {"entropy head=1 > 0", "no claim"};
  lesson.steps[1].predict = LessonPrediction{};
  lesson.steps[1].reveal = {"so"};
  const auto again = lesson_from_json(to_json(finished(lesson)), "half.json");
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->steps[0].title, "Step 1");
  EXPECT_THAT(again->steps[0].words, testing::Contains("half \\{0.9"));
  EXPECT_THAT(again->steps[0].words, testing::Contains("kept"));
  EXPECT_THAT(again->steps[0].facts, ElementsAre("entropy head=1 > 0"));
  EXPECT_FALSE(again->steps[0].task);
  EXPECT_EQ(again->steps[0].question->answer, 2);
  EXPECT_TRUE(again->steps[1].predict);
  EXPECT_THAT(again->steps[1].reveal, ElementsAre("so"));
}

TEST(LessonCheck, AgreesWithTheCheckOfTheCommandLineAndKnowsWhatWouldHold) {
  Scene scene;
  scene.query = {2}, scene.key = 1, scene.head = {1};
  const auto results = computed(scene);
  const QuantitySource from{scene, *results};
  LessonStep step;
  step.title = "T {9 = tokens}";
  step.words = {"fine",
                "It is {0.99 = weight head=1 query=2 key=1}, and {12 % at start = weight head=1 query=2 "
                "key=1} of {7}.",
                "{3 < entropy head=1}"};
  step.facts = {"entropy head=1 > 7", "tokens = 6"};
  step.question = LessonQuestion{.ask = "?", .choices = {"{1 = row_sum}", "{2 = row_sum}"}, .answer = 1};
  std::vector<Finding> found = findings(step, from);
  EXPECT_EQ(found.size(), untrue(step, from).size());
  ASSERT_EQ(found.size(), 6u);
  EXPECT_EQ(found[1].text, StepText::words);
  EXPECT_EQ(found[1].index, 1);
  EXPECT_EQ(step.words[1].substr(found[1].from, found[1].to - found[1].from),
            "{0.99 = weight head=1 query=2 key=1}");
  EXPECT_THAT(found[1].message, HasSubstr("weight head=1 query=2 key=1 is 0."));
  // One click for each, from the last to the first, so that places stay where they are.
  for (auto one = found.rbegin(); one != found.rend(); ++one) {
    ASSERT_NE(one->better, "") << one->message;
    text_of(step, *one)->replace(one->from, one->to - one->from, one->better);
  }
  EXPECT_THAT(findings(step, from), IsEmpty());
  EXPECT_THAT(untrue(step, from), IsEmpty());
  EXPECT_THAT(step.words[1], HasSubstr("% at start = weight head=1 query=2 key=1} of {7}."));
}

TEST(LessonCheck, MarksWhatCannotBeReadAndTasksThatAreDone) {
  Scene scene;
  const auto results = computed(scene);
  const QuantitySource from{scene, *results};
  LessonStep step;
  step.title = "T";
  step.words = {"{0.9 = wieght}"};
  step.task = LessonTask{.ask = "do", .until = {"tokens > 2"}};
  auto found = findings(step, from);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0].message, HasSubstr("Did you mean \"weight\"?"));
  EXPECT_THAT(found[1].message, HasSubstr("before anything is tried"));
  step.words.clear();
  step.task->until = {"tokens > 99"};
  EXPECT_THAT(findings(step, from), IsEmpty());
  step.task->until.clear();
  EXPECT_EQ(findings(step, from).size(), 1u);
}

TEST(LessonCheck, AControlThatTheStepDoesNotShowIsNamed) {
  LessonStep step;
  Scene scene;
  scene.page = Page::attention;
  const auto message = [&](const Scene& of, std::vector<std::string> controls) {
    step.controls = std::move(controls);
    const auto results = computed(of);
    return untrue(step, {of, *results});
  };
  EXPECT_THAT(message(scene, {"mask", "temperature", "heads", "head"}), IsEmpty());
  EXPECT_THAT(message(scene, {"cost_n"}),
              ElementsAre(HasSubstr("control \"cost_n\": it is a setting of Cost")));
  EXPECT_THAT(message(scene, {"query"}),
              ElementsAre(HasSubstr("control \"query\": a list of these numbers")));
  EXPECT_THAT(message(scene, {"window"}),
              ElementsAre(HasSubstr("control \"window\": Attention does not use it in the scene")));
  EXPECT_THAT(message(scene, {"mask", "window"}), IsEmpty()) << "the mask brings it";
  scene.mask.window = true;
  EXPECT_THAT(message(scene, {"window"}), IsEmpty());
  scene.weights = WeightsSource::trained, scene.weights_file = "small-english";
  adopt_model(scene);
  repair(scene);
  EXPECT_THAT(message(scene, {"d_model"}), ElementsAre(HasSubstr("and cannot be set")));
}

TEST(LessonCheck, AGoalThatCanNeverBeReachedIsToldByTheCommandLineToo) {
  Scene scene;
  const auto results = computed(scene);
  const QuantitySource from{scene, *results};
  LessonStep step;
  step.title = "T";
  step.task = LessonTask{.ask = "do", .until = {"weight head=77 query=1 key=0 > 0.5"}};
  EXPECT_THAT(untrue(step, from),
              ElementsAre("weight head=77 query=1 key=0 is not there: head 77: there are 4 heads, 1 to 4"));
  step.controls = {"temperature"};
  EXPECT_EQ(untrue(step, from).size(), 1u) << "a temperature makes no heads";
  step.controls = {"heads"};
  EXPECT_THAT(untrue(step, from), IsEmpty());
  step.task->until = {"weight head=1 query=9 key=0 > 0.5"};
  step.controls = {"mask"};
  EXPECT_THAT(untrue(step, from), ElementsAre(HasSubstr("query 9: the sentence has 6 tokens, 0 to 5")));
  step.controls = {"sentence"};
  EXPECT_THAT(untrue(step, from), IsEmpty());
  step.task->until = {"row_sum < worked_x"};
  EXPECT_THAT(untrue(step, from),
              ElementsAre("worked_x has no value in this scene: it is a number of the page Worked example"));
  step.task->until = {"tokens > 2"};
  EXPECT_THAT(untrue(step, from), ElementsAre("the goal is reached before anything is tried"));
}

TEST(LessonCheck, ANumberOfThePageIsTheSameNumberInTheWords) {
  Scene scene;
  scene.query = {3}, scene.key = 1, scene.head = {2};
  const auto results = computed(scene);
  const QuantitySource from{scene, *results};
  for (const char* quantity : {"weight", "weight head=1 query=0 key=2", "row_entropy", "entropy head=2",
                               "dot", "tokens", "score", "weight_error", "received key=2", "map_limit"}) {
    const std::string words = number_in_words(quantity, from);
    ASSERT_NE(words, "") << quantity;
    LessonStep step{.title = "T", .words = {words}, .facts = {number_as_claim(quantity, from)}};
    for (const Finding& one : findings(step, from)) EXPECT_NE(one.text, StepText::words) << one.message;
    // The selection moves on, and the words still say the number that was clicked.
    Scene moved = scene;
    moved.query = {0}, moved.key = 0, moved.head = {1};
    const std::string name = quantity;
    if (name == "received key=2" || name == "map_limit") continue;  // of the map that is shown
    EXPECT_THAT(untrue({.title = words}, {moved, *results}), IsEmpty()) << words;
  }
  EXPECT_EQ(number_in_words("clocks", from), "{16 = clocks}");
  EXPECT_EQ(number_in_words("training_loss", from), "");
  EXPECT_THAT(number_in_words("weight", from),
              testing::MatchesRegex(".0\\.[0-9]+ = weight head=2 query=3 key=1."));
}

}  // namespace
}  // namespace headlight::scene
