// Lessons as files: what is read and written back, scenes that build on each other, models that are needed,
// tasks.
#include "teach/lesson.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "lesson_results.h"
#include "scene/settings.h"
#include "support/scratch_folder.h"
#include "teach/lesson_check.h"
#include "teach/lesson_draft.h"

namespace headlight::scene::lesson_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char* whole = R"({
  "headlight_lesson": 1, "title": "Masks", "about": "what comes later",
  "scene": {"d_model": 16, "heads": 2, "head": [1], "mask": "causal", "position_base": 123.5, "scale": false},
  "steps": [
    {"title": "One", "words": ["a **b** c", "d"], "scene": {"heads": 4}, "controls": ["temperature", "mask"],
     "highlight": ["card map", "row 2"], "facts": ["largest_later head=1 = 0"], "notes": "say \"this\""},
    {"title": "Two", "words": "one text", "predict": {"ask": "what?", "hide": ["card bars"]}, "reveal": ["that"],
     "question": {"ask": "which?", "choices": ["this", "that"], "answer": 2, "why": "so"},
     "task": {"ask": "do it", "until": ["entropy head=2 < 0.5"]}}
  ]})";

TEST(Lesson, EverythingIsReadAndWrittenBack) {
  const auto lesson = lesson_from_json(whole, "a.json");
  ASSERT_TRUE(lesson) << lesson.error();
  EXPECT_EQ(lesson->title, "Masks");
  ASSERT_EQ(lesson->steps.size(), 2u);
  EXPECT_THAT(lesson->steps[0].words, ElementsAre("a **b** c", "d"));
  EXPECT_THAT(lesson->steps[1].words, ElementsAre("one text"));
  EXPECT_THAT(lesson->steps[0].controls, ElementsAre("temperature", "mask"));
  EXPECT_EQ(lesson->steps[1].question->answer, 2);
  EXPECT_EQ(lesson->steps[1].predict->hide.front(), "card bars");
  EXPECT_EQ(lesson->steps[0].notes, "say \"this\"");
  const std::string text = to_json(*lesson);
  const auto again = lesson_from_json(text, "b.json");
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(to_json(*again), text);
  EXPECT_EQ(lesson_scenes(*again, {}), lesson_scenes(*lesson, {}));
}

TEST(Lesson, AQueryOfNullIsNotChosen) {
  const auto lesson = lesson_from_json(R"({"headlight_lesson": 1, "title": "T", "steps": [
      {"title": "1"}, {"title": "2", "scene": {"query": null}}]})",
                                       "a.json");
  ASSERT_TRUE(lesson) << lesson.error();
  const std::vector<Scene> scenes = lesson_scenes(*lesson, {});
  EXPECT_THAT(scenes[0].query, ElementsAre(1));
  EXPECT_TRUE(is_automatic(scenes[1].query));
  EXPECT_NE(to_json(*lesson).find("\"query\": null"), std::string::npos);
}

/// A lesson that was written when a card had another name shows that card.
TEST(Lesson, CardsAreKnownByTheirEarlierNames) {
  const auto lesson = lesson_from_json(
      R"({"headlight_lesson": 1, "title": "a", "steps": [{"title": "b", "words": "c",
          "focus": ["card hats"], "highlight": ["card seats", "row 2"],
          "predict": {"ask": "what?", "hide": ["card seats"]}, "reveal": ["that"]}]})",
      "a.json");
  ASSERT_TRUE(lesson) << lesson.error();
  EXPECT_THAT(lesson->steps[0].focus, ElementsAre("card roles"));
  EXPECT_THAT(lesson->steps[0].highlight, ElementsAre("card token-order", "row 2"));
  EXPECT_THAT(lesson->steps[0].predict->hide, ElementsAre("card token-order"));
}

/// A model that the lesson needs is the model of its scenes; where its folder is not found, one step says so.
TEST(Lesson, AModelThatIsNeededIsLookedForByItsName) {
  const tests::ScratchFolder folder;
  for (const char* name : {"HEADLIGHT_MODELS", "XDG_DATA_HOME", "XDG_STATE_HOME"})
    ::setenv(name, folder.path().c_str(), 1);
  const std::string json =
      R"({"headlight_lesson": 1, "title": "T", "about": "A", "needs": {"model": "some-model",
      "words": "It is {1} **folder**."}, "scene": {"page": "order", "head": [12]}, "steps": [
      {"title": "1", "words": "{5 = heads_off}"}, {"title": "2", "facts": ["tokens = 100"]}]})";
  const auto lesson = lesson_from_json(json, "a.json");
  ASSERT_TRUE(lesson) << lesson.error() << ": how many heads there are is the model's to say";
  ASSERT_TRUE(lesson->needs);
  EXPECT_EQ(lesson->needs->name, "some-model");
  const auto again = lesson_from_json(to_json(*lesson), "b.json");
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(*again, *lesson);

  EXPECT_TRUE(lacks_model(*lesson));
  EXPECT_EQ(lesson_scenes(*lesson, {})[0].weights, WeightsSource::random);
  const Lesson reported = lesson_of_missing_model(*lesson);
  EXPECT_EQ(reported.title, "T");
  EXPECT_EQ(reported.about, "A");
  ASSERT_EQ(reported.steps.size(), 1u);
  std::string words;
  for (const std::string& paragraph : reported.steps[0].words) {
    const auto parsed = parse_words(paragraph);
    ASSERT_TRUE(parsed) << parsed.error();
    for (const WordRun& run : word_runs(*parsed, nullptr)) words += run.text;
  }
  EXPECT_THAT(words, HasSubstr("The folder some-model was not found"));
  EXPECT_THAT(words, HasSubstr("It is 1 folder."));
  EXPECT_THAT(words, HasSubstr((folder / "headlight/models").string()));
  EXPECT_THAT(words, HasSubstr("HEADLIGHT_MODELS"));
  const Scene scene = lesson_scenes(reported, {})[0];
  EXPECT_EQ(scene, written_defaults());
  EXPECT_THAT(untrue(reported.steps[0], {scene, *results_of(scene)}), IsEmpty());

  std::filesystem::create_directories(folder / "headlight/models/some-model");
  EXPECT_FALSE(lacks_model(*lesson));
  for (const Scene& found : lesson_scenes(*lesson, {})) {
    EXPECT_EQ(found.weights, WeightsSource::file);
    EXPECT_EQ(found.weights_file, (folder / "headlight/models/some-model").string());
  }
  EXPECT_EQ(lesson_scenes(*lesson, {}), views_of(*lesson, {})) << "the editor has the same scenes";
  EXPECT_EQ(with_views(*lesson, views_of(*lesson, {}), {}), *lesson) << "and writes no path into the file";
  for (const char* name : {"HEADLIGHT_MODELS", "XDG_DATA_HOME", "XDG_STATE_HOME"}) ::unsetenv(name);
}

TEST(Lesson, ScenesBuildOnEachOtherAndKeepTheLookOfTheReader) {
  const auto lesson = lesson_from_json(whole, "a.json");
  ASSERT_TRUE(lesson);
  Scene look;
  look.theme = ThemeName::light, look.interface_scale = 1.5, look.reduced_motion = true;
  look.sentence = "not this one";
  const std::vector<Scene> scenes = lesson_scenes(*lesson, look);
  ASSERT_EQ(scenes.size(), 2u);
  EXPECT_EQ(scenes[0].heads, 4);
  EXPECT_EQ(scenes[0].d_model, 16);
  EXPECT_TRUE(scenes[0].mask.causal);
  EXPECT_FALSE(scenes[0].scale);
  EXPECT_EQ(scenes[0].sentence, Scene{}.sentence);
  EXPECT_EQ(scenes[0].theme, ThemeName::light);
  EXPECT_EQ(scenes[0].interface_scale, 1.5);
  EXPECT_EQ(scenes[1], scenes[0]);
}

TEST(Lesson, ChangesBetweenScenesLeadFromOneToTheOther) {
  Scene before, after;
  for (const char* set : {"sentence=a = b, \"c\"", "heads=8", "head=0", "query=3,1", "mask=causal+window",
                          "position_scale=0.25", "order_permutation=1,0", "worked_x=1,2;3,4", "play=true",
                          "cost_bytes=4", "theme=light"}) {
    ASSERT_TRUE(set_field(after, set)) << set;
  }
  repair(after);
  Lesson lesson;
  lesson.title = "x";
  lesson.scene = changes_between(Scene{}, before);
  EXPECT_THAT(lesson.scene, IsEmpty());
  lesson.steps.resize(1);
  lesson.steps[0].title = "y";
  lesson.steps[0].scene = changes_between(before, after);
  const auto read = lesson_from_json(to_json(lesson), "a.json");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(lesson_scenes(*read, after).front(), after);
  EXPECT_EQ(lesson_scenes(*read, before).front(), with_look_of(after, before));
}

TEST(Lesson, ASentenceOfAnyBytesIsWrittenAsWellFormedText) {
  Scene after;
  after.sentence = "a\xff b";
  Lesson lesson;
  lesson.title = "x\xff";
  lesson.steps.push_back({.title = "y", .scene = changes_between({}, after)});
  EXPECT_TRUE(lesson_from_json(to_json(lesson), "a.json"));
}

TEST(Lesson, AnyTruncationIsAnErrorAndNothingElse) {
  const std::string text = whole;
  for (std::size_t bytes = 0; bytes + 1 < text.size(); ++bytes) {
    EXPECT_FALSE(lesson_from_json(text.substr(0, bytes), "a.json")) << bytes;
  }
  EXPECT_FALSE(lesson_from_json(std::string(100000, '['), "a.json"));
}

TEST(LessonTask, IsDoneWhenAllOfItHolds) {
  Scene scene;
  LessonTask task{"sharpen", {"setting name=temperature < 0.5", "entropy head=1 < 0.5"}};
  EXPECT_FALSE(done(task, {scene, *results_of(scene)}));
  scene.temperature = 0.1;
  EXPECT_TRUE(done(task, {scene, *results_of(scene)}));
}

}  // namespace
}  // namespace headlight::scene::lesson_test
