// Lessons as files: what is read, what is refused and in which words, numbers that are computed, tasks.
#include "teach/lesson.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <set>

#include "base/parallel.h"
#include "pages/compute.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/scratch_folder.h"
#include "teach/lesson_check.h"
#include "teach/lesson_draft.h"

namespace headlight::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<const Results> results_of(const Scene& scene) {
  base::Parallel parallel(1);
  return compute_now(scene, parallel, nullptr);
}

double value(const std::string& name, const Scene& scene, const Results& results) {
  const auto parsed = parse_quantity(name);
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error());
  return parsed ? quantity_value(*parsed, {scene, results}) : std::nan("");
}

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

/// A model that the lesson needs is the model of its scenes; where its folder is not found, one step says so.
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
  const Lesson told = lesson_of_missing_model(*lesson);
  EXPECT_EQ(told.title, "T");
  EXPECT_EQ(told.about, "A");
  ASSERT_EQ(told.steps.size(), 1u);
  std::string words;
  for (const std::string& paragraph : told.steps[0].words) {
    const auto parsed = parse_words(paragraph);
    ASSERT_TRUE(parsed) << parsed.error();
    for (const WordRun& run : word_runs(*parsed, nullptr)) words += run.text;
  }
  EXPECT_THAT(words, HasSubstr("The folder some-model was not found"));
  EXPECT_THAT(words, HasSubstr("It is 1 folder."));
  EXPECT_THAT(words, HasSubstr((folder / "headlight/models").string()));
  EXPECT_THAT(words, HasSubstr("HEADLIGHT_MODELS"));
  const Scene scene = lesson_scenes(told, {})[0];
  EXPECT_EQ(scene, written_defaults());
  EXPECT_THAT(untrue(told.steps[0], {scene, *results_of(scene)}), IsEmpty());

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

struct Wrong {
  const char* json;
  const char* line;
};

TEST(Lesson, WhatIsWrongIsSaidInOneLine) {
  const std::string head = R"({"headlight_lesson": 1, "title": "T", "steps": [)";
  const std::string first = head + R"({"title": "1"}, )";
  const std::pair<std::string, const char*> cases[] = {
      {"", "a.json: the file is empty: write a lesson to it first"},
      {"{\"a\": 1", "a.json: invalid JSON: unexpected end of file"},
      {"{\n  \"a\" 1}", "a.json: invalid JSON at line 2, column 7"},
      {"[1]", "a.json: not a lesson: expected a JSON object, found a list"},
      {R"({"title": "T"})", "a.json: headlight_lesson: expected the version 1, found nothing"},
      {R"({"headlight_lesson": 2})",
       "a.json: headlight_lesson: the file has version 2, but this program reads version 1"},
      {R"({"headlight_lesson": "1"})", "a.json: headlight_lesson: expected the version 1, found \"1\""},
      {R"({"headlight_lesson": 1, "steps": [{"title": "x"}]})",
       "a.json: title: expected text, found nothing"},
      {R"({"headlight_lesson": 1, "title": 3, "steps": [{"title": "x"}]})",
       "a.json: title: expected text, found 3"},
      {R"({"headlight_lesson": 1, "title": "T"})",
       "a.json: steps: expected a list of at least one step, found nothing"},
      {R"({"headlight_lesson": 1, "title": "T", "steps": []})",
       "a.json: steps: expected a list of at least one step, found a list"},
      {R"({"headlight_lesson": 1, "title": "T", "scenes": {}, "steps": [{"title": "x"}]})",
       "a.json: unknown field \"scenes\": expected one of headlight_lesson, title, about, needs, scene, "
       "steps. Did you mean \"scene\"?"},
      {R"({"headlight_lesson": 1, "title": "T", "needs": "m", "steps": [{"title": "x"}]})",
       "a.json: needs: expected an object, found \"m\""},
      {R"({"headlight_lesson": 1, "title": "T", "needs": {"model": "m"}, "steps": [{"title": "x"}]})",
       "a.json: needs.words: expected text, found nothing"},
      {R"({"headlight_lesson": 1, "title": "T", "needs": {"model": "../m", "words": "w"}, "steps": [{"title": "x"}]})",
       "a.json: needs.model: expected the name of a folder, without the folders that it lies in, found "
       "\"../m\""},
      {R"({"headlight_lesson": 1, "title": "T", "needs": {"model": "m", "words": "{1 = tokens"}, "steps": [{"title": "x"}]})",
       "a.json: needs.words: "},
      {first + "3]}", "a.json: step 2: step: expected an object, found 3"},
      {first + R"({"words": "w"}]})", "a.json: step 2: title: expected text, found nothing"},
      {first + R"({"title": "", "words": "w"}]})",
       "a.json: step 2: title: expected text, found an empty one"},
      {first + R"({"title": "x", "wrods": "w"}]})",
       "a.json: step 2: unknown field \"wrods\": expected one of "},
      {first + R"({"title": "x", "words": 3}]})",
       "a.json: step 2: words: expected text or a list of texts, found 3"},
      {first + R"({"title": "x", "words": ["a", 3]}]})",
       "a.json: step 2: words: expected a list of texts, found 3 in it"},
      {first + R"({"title": "x", "words": "a **b"}]})", "a.json: step 2: words: ** is not closed"},
      {first + R"({"title": "x", "words": "a {0.4 = b"}]})",
       "a.json: step 2: words: { is not closed at \"{0.4 = b\""},
      {first + R"({"title": "x", "words": "{a lot = entropy}"}]})",
       "a.json: step 2: words: expected a number, such as 0.401, 61,343, 40 % or 2.4e−07, found \"a lot\""},
      {first + R"({"title": "x", "words": "{0.4 = entropi}"}]})",
       "a.json: step 2: words: unknown quantity \"entropi\". Did you mean \"entropy\"?"},
      {first + R"({"title": "x", "words": "[qurey: cat]"}]})",
       "a.json: step 2: words: expected [query: …], [key: …], [value: …], [offset: …] or [button: …], found "
       "\"[qurey: cat]\""},
      {first + R"({"title": "x", "scene": []}]})",
       "a.json: step 2: scene: expected an object of settings, found a list"},
      {first + R"({"title": "x", "scene": {"haeds": 2}}]})",
       "a.json: step 2: scene: unknown setting \"haeds\". Did you mean \"heads\"?"},
      {first + R"({"title": "x", "scene": {"heads": 3}}]})",
       "a.json: step 2: scene: heads must divide d_model (32): 1, 2, 4, 8, 16 or 32, not 3"},
      {first + R"({"title": "x", "scene": {"temperature": 0}}]})",
       "a.json: step 2: scene: temperature: 0 is out of range; expected 0.01 to 100"},
      {first + R"({"title": "x", "scene": {"query": [1, "b"]}}]})",
       "a.json: step 2: scene: query: expected a list of whole numbers, found \"b\" in it"},
      {first + R"({"title": "x", "scene": {"theme": "light"}}]})",
       "a.json: step 2: scene: theme: a lesson cannot set the look of the interface; expected settings of "
       "the pages"},
      {first + R"({"title": "x", "controls": ["temprature"]}]})",
       "a.json: step 2: controls: expected names of settings, found \"temprature\". Did you mean "
       "\"temperature\"?"},
      {first + R"({"title": "x", "facts": ["entropy 3"]}]})",
       "a.json: step 2: facts: expected a claim, such as \"entropy head=2 < 0.5\", found \"entropy 3\""},
      {first + R"({"title": "x", "facts": ["entropy haed=3 < 1"]}]})",
       "a.json: step 2: facts: entropy: unknown argument \"haed\"; this quantity takes head"},
      {first + R"({"title": "x", "facts": ["entropy head=two < 1"]}]})",
       "a.json: step 2: facts: entropy: head: expected a whole number, found \"two\""},
      {first + R"({"title": "x", "reveal": "b"}]})",
       "a.json: step 2: reveal: expected \"predict\" beside it: Space reveals the answer to a prediction"},
      {first + R"({"title": "x", "predict": {"hide": ["a"]}}]})",
       "a.json: step 2: predict.ask: expected text, found nothing"},
      {first + R"({"title": "x", "predict": "a"}]})",
       "a.json: step 2: predict: expected an object, found \"a\""},
      {first + R"({"title": "x", "predict": {"ask": "b", "hide": "c", "d": 1}}]})",
       "a.json: step 2: predict: unknown field \"d\""},
      {first + R"({"title": "x", "question": {"ask": "b", "choices": ["1"], "answer": 1}}]})",
       "a.json: step 2: question.choices: expected 2 to 6 choices, found 1"},
      {first + R"({"title": "x", "question": {"ask": "b", "choices": ["1", "2"], "answer": 3}}]})",
       "a.json: step 2: question.answer: expected the number of the right choice, 1 to 2, found 3"},
      {first + R"({"title": "x", "question": {"ask": "b", "choices": ["1", "2"]}}]})",
       "a.json: step 2: question.answer: expected the number of the right choice, 1 to 2, found nothing"},
      {first + R"({"title": "x", "task": {"ask": "b"}}]})",
       "a.json: step 2: task.until: expected a claim, such as \"entropy head=2 < 0.5\", found nothing"},
      {first + R"({"title": "x", "notes": 3}]})", "a.json: step 2: notes: expected text, found 3"},
  };
  for (const auto& [json, line] : cases) {
    const auto lesson = lesson_from_json(json, "a.json");
    ASSERT_FALSE(lesson) << json;
    EXPECT_THAT(lesson.error(), testing::StartsWith(line)) << json;
    EXPECT_THAT(lesson.error(), testing::Not(HasSubstr("\n")));
  }
}

TEST(Lesson, AnyTruncationIsAnErrorAndNothingElse) {
  const std::string text = whole;
  for (std::size_t bytes = 0; bytes + 1 < text.size(); ++bytes) {
    EXPECT_FALSE(lesson_from_json(text.substr(0, bytes), "a.json")) << bytes;
  }
  EXPECT_FALSE(lesson_from_json(std::string(100000, '['), "a.json"));
}

std::string joined(const std::vector<WordRun>& runs) {
  std::string out;
  for (const WordRun& run : runs) out += run.text;
  return out;
}

TEST(LessonWords, MarksBecomeRuns) {
  const auto words = parse_words("a **b** [query: cat] $q_k^{2j}$ [button: sin/cos] \\[x\\] [0, 1] end");
  ASSERT_TRUE(words) << words.error();
  const std::vector<WordRun> runs = word_runs(*words, nullptr);
  EXPECT_EQ(joined(runs), "a b cat qk2j sin/cos [x] [0, 1] end");
  EXPECT_EQ(runs[1], (WordRun{.text = "b", .emphasis = Emphasis::bold}));
  EXPECT_EQ(runs[3], (WordRun{.text = "cat", .emphasis = Emphasis::query}));
  EXPECT_EQ(runs[5], (WordRun{.text = "q", .maths = true}));
  EXPECT_EQ(runs[6], (WordRun{.text = "k", .maths = true, .script = -1}));
  EXPECT_EQ(runs[7], (WordRun{.text = "2j", .maths = true, .script = 1}));
  EXPECT_EQ(runs[9], (WordRun{.text = "sin/cos", .emphasis = Emphasis::button}));
}

TEST(LessonWords, NumbersAreTheScenesWrittenAsTheLessonWroteThem) {
  Scene scene;
  const auto results = results_of(scene);
  const auto words = parse_words(
      "{9.99 = weight head=1 query=1 key=3} {12 % = weight head=1 query=1 key=3} {0.5 > weight head=1 "
      "query=1 "
      "key=2} {1991} {7 = tokens} {99,999 = wavelength pair=15}");
  ASSERT_TRUE(words) << words.error();
  const double weight = static_cast<double>(results->attention.weights.at(0, 1, 3));
  char expected[200];
  std::snprintf(expected, sizeof expected, "%.2f %.0f\u00a0%% 0.5 1991 6 35,333", weight, 100 * weight);
  const QuantitySource from{scene, *results};
  EXPECT_EQ(joined(word_runs(*words, &from)), expected);
  // Without results they stand as written.
  EXPECT_EQ(joined(word_runs(*words, nullptr)), "9.99 12 % 0.5 1991 7 99,999");
}

TEST(LessonWords, ANumberOfTheStartIsCheckedThereAndStays) {
  Scene scene;
  const auto results = results_of(scene);
  const auto words = parse_words("{7 at start = tokens}, {6 = tokens}");
  ASSERT_TRUE(words) << words.error();
  const QuantitySource from{scene, *results};
  const std::vector<WordRun> runs = word_runs(*words, &from);
  EXPECT_EQ(joined(runs), "7, 6");
  EXPECT_FALSE(runs.front().counts);
  EXPECT_TRUE(runs.back().counts);
  LessonStep step;
  step.words = {"{7 at start = tokens}, {6 at start = tokens}"};
  EXPECT_THAT(untrue(step, from), testing::ElementsAre("\"7\": tokens is 6, not 7"));
  // A bound is never computed, and a number without a quantity has no start.
  EXPECT_FALSE(parse_words("{7 at start > tokens}"));
  EXPECT_FALSE(parse_words("{7 at start}"));
}

TEST(LessonWords, FalseNumbersAndClaimsAreFound) {
  Scene scene;
  const auto results = results_of(scene);
  LessonStep step;
  step.title = "{6 = tokens}";
  step.words = {"{7 = tokens} {0.5 > row_sum} {1 = row_sum}"};
  step.facts = {"tokens = 6", "tokens < 6", "worked_x = 1"};
  const auto problems = untrue(step, {scene, *results});
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_EQ(problems[0], "\"7\": tokens is 6, not 7");
  EXPECT_THAT(problems[1], HasSubstr("row_sum is 1.000, not below 0.5"));
  EXPECT_EQ(problems[2], "tokens is 6, not below 6");
  EXPECT_EQ(problems[3], "worked_x has no value in this scene: it is a number of the page Worked example");
}

/// Nobody knows a number of a token that there is not, neither a lesson nor its handout.
TEST(LessonWords, ATokenThatTheSentenceHasNotIsFound) {
  Scene scene;
  scene.sentence = "a b c";
  scene.query = {5}, scene.key = 1;
  const auto results = results_of(scene);
  LessonStep step;
  step.words = {"It is {0.5 = weight query=5 key=0}."};
  EXPECT_THAT(untrue(step, {scene, *results}),
              testing::ElementsAre("\"0.5\": weight query=5 key=0 is not there: query 5: the sentence has 3 "
                                   "tokens, 0 to 2",
                                   "query 5: the sentence has 3 tokens, 0 to 2; 2 is in its place",
                                   HasSubstr("the framed cell is head 1, query 2")));
  const auto words = parse_words(step.words[0]);
  ASSERT_TRUE(words);
  const QuantitySource source{scene, *results};
  std::string said;
  for (const WordRun& run : word_runs(*words, &source)) said += run.text;
  EXPECT_EQ(said, "It is –.");
}

TEST(LessonWords, WhatIsFramedIsWhatIsSpokenOf) {
  base::Parallel parallel(1);
  LessonStep step;
  step.words = {"{0.27 > weight head=1 query=2 key=0} {2 > weight head=1 query=2 key=3}"};
  Scene scene;
  scene.head = {1}, scene.query = {2}, scene.key = 5;
  const auto said = [&] {
    const auto results = compute_now(scene, parallel, nullptr);
    std::string all;
    for (const std::string& line : untrue(step, {scene, *results})) {
      if (line.find("framed") != std::string::npos) all += line;
    }
    return all;
  };
  EXPECT_EQ(said(), "the framed cell is head 1, query 2, key 5, but the words name head 1, query 2, key 0");
  scene.key = 3;
  EXPECT_EQ(said(), "");
  scene.head = {2};
  EXPECT_NE(said(), "") << "the same pair of another head";
  scene.head = {};
  EXPECT_EQ(said(), "") << "of several heads the pair is framed";
  scene.query = {1};
  EXPECT_NE(said(), "");
  step.focus = {"card heads"};
  EXPECT_EQ(said(), "") << "no frame is to be seen";
  // On the Worked example the framed number is one of a stage.
  step.focus = {};
  scene = {};
  scene.page = Page::worked;
  scene.worked.step = 5, scene.worked.stage = WorkedStage::weights, scene.worked.row = 0,
  scene.worked.col = 1;
  step.words = {"{0.401 = worked_weight row=0 col=0}"};
  EXPECT_EQ(said(), "the framed cell is row 0, column 1, but the words name row 0, column 0");
  scene.worked.col = 0;
  EXPECT_EQ(said(), "");
}

TEST(Figures, WrittenNumbersHoldToTheirLastDecimal) {
  const auto number = parse_number("0.401");
  ASSERT_TRUE(number);
  EXPECT_TRUE(agrees(0.4013, *number));
  EXPECT_FALSE(agrees(0.4016, *number));
  EXPECT_TRUE(agrees(61343.4, *parse_number("61,343")));
  EXPECT_FALSE(agrees(61342.4, *parse_number("61,343")));
  EXPECT_TRUE(agrees(-0.206, *parse_number("−0.21")));
  EXPECT_TRUE(agrees(0.124, *parse_number("12 %")));
  EXPECT_FALSE(agrees(0.126, *parse_number("12 %")));
  EXPECT_EQ(written_like(1234567.8, *parse_number("1,000.0")), "1,234,567.8");
  EXPECT_EQ(written_like(-0.0001, *parse_number("0.00")), "0.00");
  EXPECT_EQ(written_like(-1.5, *parse_number("0.0")), "−1.5");
  for (const char* small : {"2.4e−07", "2.4e-07", "2.4e-7"}) {
    EXPECT_TRUE(agrees(2.37e-7, *parse_number(small)));
    EXPECT_FALSE(agrees(2.5e-7, *parse_number(small)));
    EXPECT_FALSE(agrees(-2.4e-7, *parse_number(small)));
    EXPECT_EQ(written_like(3.14e-8, *parse_number(small)), "3.1e−08");
    EXPECT_EQ(written_like(0, *parse_number(small)), "0");
  }
  EXPECT_FALSE(agrees(2.4e-7, *parse_number("0.0000009"))) << "however small both are";
  EXPECT_TRUE(agrees(0.192, *parse_number("+0.19")));
  EXPECT_EQ(written_like(0.26, *parse_number("+0.1")), "+0.3");
  EXPECT_EQ(written_like(-0.25, *parse_number("+0.11")), "−0.25");
  for (const char* wrong : {"", "a", "1.2.3", "--1", "+-1", "%", "1 2", ".", "e5", "1e", "1e-", "1e1234",
                            "1e999", "1e-999", "1e5.0"})
    EXPECT_FALSE(parse_number(wrong)) << wrong;
}

TEST(Figures, AreWhatTheyAreCalled) {
  Scene scene;
  scene.heads = 2, scene.mask.causal = true;
  const auto results = results_of(scene);
  const nn::AttentionTrace& t = results->attention;
  // Again by plain loops in double, from q and k.
  for (int head = 0; head < 2; ++head) {
    double entropy = 0, largest = 0;
    for (int q = 0; q < t.T; ++q) {
      std::vector<double> e;
      double sum = 0;
      for (int k = 0; k <= q; ++k) {
        double dot = 0;
        for (int c = 0; c < t.d_k; ++c) {
          dot += static_cast<double>(t.q.at(q, head * t.d_k + c)) *
                 static_cast<double>(t.k.at(k, head * t.d_k + c));
        }
        const std::string at =
            " head=" + std::to_string(head + 1) + " query=" + std::to_string(q) + " key=" + std::to_string(k);
        EXPECT_NEAR(value("dot" + at, scene, *results), dot, 1e-9);
        EXPECT_NEAR(value("score" + at, scene, *results), dot / std::sqrt(16.0), 1e-5);
        e.push_back(std::exp(dot / std::sqrt(16.0)));
        sum += e.back();
      }
      double row = 0;
      for (std::size_t k = 0; k < e.size(); ++k) {
        const std::string at =
            " head=" + std::to_string(head + 1) + " query=" + std::to_string(q) + " key=" + std::to_string(k);
        const double weight = e[k] / sum;
        EXPECT_NEAR(value("weight" + at, scene, *results), weight, 1e-6);
        row -= weight * std::log2(weight), largest = std::max(largest, weight);
      }
      entropy += row / t.T;
      const std::string at = " head=" + std::to_string(head + 1) + " query=" + std::to_string(q);
      EXPECT_NEAR(value("row_entropy" + at, scene, *results), row, 1e-5);
      EXPECT_NEAR(value("row_sum" + at, scene, *results), 1, 1e-6);
      EXPECT_EQ(value("strongest" + at, scene, *results),
                static_cast<double>(std::max_element(e.begin(), e.end()) - e.begin()));
      EXPECT_EQ(value("readable query=" + std::to_string(q), scene, *results), q + 1);
    }
    const std::string at = " head=" + std::to_string(head + 1);
    EXPECT_NEAR(value("entropy" + at, scene, *results), entropy, 1e-5);
    EXPECT_NEAR(value("largest" + at, scene, *results), largest, 1e-6);
    EXPECT_EQ(value("largest_later" + at, scene, *results), 0);
  }
  EXPECT_EQ(value("d_k", scene, *results), 16);
  EXPECT_TRUE(std::isnan(value("weight head=3", scene, *results)));
  EXPECT_TRUE(std::isnan(value("weight query=6", scene, *results)));
  EXPECT_TRUE(std::isnan(value("worked_x", scene, *results)));
  EXPECT_EQ(value("setting name=heads", scene, *results), 2);
  EXPECT_EQ(value("setting name=scale", scene, *results), 1);
  EXPECT_FALSE(parse_quantity("setting name=sentence")) << "it is not a number";
  EXPECT_FALSE(parse_quantity("setting name=hed"));
  Scene small = scene;
  small.training.rate = 3e-4;  // as text it has an exponent
  EXPECT_EQ(value("setting name=training_rate", small, *results), 3e-4);
}

TEST(Figures, OfPositionsFollowTheFormula) {
  Scene scene;
  scene.page = Page::position;
  const auto results = results_of(scene);
  for (int j : {0, 3, 15}) {
    const double omega = std::pow(10000.0, -2.0 * j / 32);
    const std::string pair = " pair=" + std::to_string(j);
    EXPECT_NEAR(value("omega" + pair, scene, *results), omega, 1e-12);
    EXPECT_NEAR(value("wavelength" + pair, scene, *results), 2 * std::numbers::pi / omega, 1e-7);
    EXPECT_NEAR(value("turns" + pair, scene, *results), 59 * omega / (2 * std::numbers::pi), 1e-9);
    EXPECT_NEAR(value("rotation_cos" + pair, scene, *results), std::cos(5 * omega), 1e-12);
    EXPECT_NEAR(value("p row=7 col=" + std::to_string(2 * j), scene, *results), std::sin(7 * omega), 1e-6);
  }
  double distance = 0, product = 0;
  for (int j = 0; j < 16; ++j) {
    const double omega = std::pow(10000.0, -2.0 * j / 32);
    distance += std::pow(std::sin(3 * omega) - std::sin(9 * omega), 2) +
                std::pow(std::cos(3 * omega) - std::cos(9 * omega), 2);
    product += std::cos(6 * omega);
  }
  EXPECT_NEAR(value("p_distance a=3 b=9", scene, *results), std::sqrt(distance), 1e-5);
  EXPECT_NEAR(value("p_dot a=3 b=9", scene, *results), product, 1e-5);
}

/// The encoder-decoder, hardly trained.
const Scene& writing_backwards() {
  static const Scene scene = [] {
    Scene made;
    made.page = Page::block;
    made.block.model = BlockModel::encoder_decoder;
    made.encoder_decoder.training = 5;
    return made;
  }();
  return scene;
}

TEST(Figures, EveryOneHasAHomeAndANameOfItsOwn) {
  std::vector<std::string> names;
  for (const QuantityInfo& info : quantities()) names.emplace_back(info.name);
  EXPECT_GT(names.size(), 90u);
  for (const std::string& name : names) EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  // On its own page each has a value, wherever it is asked for without arguments.
  for (const QuantityInfo& info : quantities()) {
    bool somewhere = std::string(info.name) == "setting" || std::string(info.name) == "memory_row";
    for (std::size_t page = 0; page < std::size(Words<Page>::list) && !somewhere; ++page) {
      static std::vector<std::shared_ptr<const Results>> made(std::size(Words<Page>::list));
      Scene scene;
      scene.page = static_cast<Page>(page);
      scene.variants.a.position = VariantPosition::alibi;
      scene.block.head = 1;
      if (!made[page]) made[page] = results_of(scene);
      const auto quantity = parse_quantity(info.name);
      ASSERT_TRUE(quantity);
      somewhere = !std::isnan(quantity_value(*quantity, {scene, *made[page]}));
    }
    if (!somewhere) {  // of the model of pronouns that a newcomer meets
      std::string unused;
      static const Scene first = first_scene(unused);
      static const std::shared_ptr<const Results> results = results_of(first);
      somewhere = !std::isnan(quantity_value(*parse_quantity(info.name), {first, *results}));
    }
    if (!somewhere) {  // of the other model of the Block page
      static const std::shared_ptr<const Results> results = results_of(writing_backwards());
      somewhere = !std::isnan(quantity_value(*parse_quantity(info.name), {writing_backwards(), *results}));
    }
    if (!somewhere) {  // of the Model page with a language model, at a token that another one follows
      static const Scene predicting = [] {
        Scene made;
        made.page = Page::model, made.weights = WeightsSource::trained, made.query = {1};
        repair(made);
        return made;
      }();
      static const std::shared_ptr<const Results> results = results_of(predicting);
      somewhere = !std::isnan(quantity_value(*parse_quantity(info.name), {predicting, *results}));
    }
    if (!somewhere) {  // with a stage of the block shown large
      static const Scene staged = [] {
        Scene made;
        made.page = Page::block, made.block.shown = BlockShown::hidden;
        return made;
      }();
      static const std::shared_ptr<const Results> results = results_of(staged);
      somewhere = !std::isnan(quantity_value(*parse_quantity(info.name), {staged, *results}));
    }
    if (!somewhere) {  // with some tokens hidden
      static const Scene filtered = [] {
        Scene made;
        made.shown_tokens = "cat mat";
        return made;
      }();
      static const std::shared_ptr<const Results> results = results_of(filtered);
      somewhere = !std::isnan(quantity_value(*parse_quantity(info.name), {filtered, *results}));
    }
    for (const ModelDetail detail : {ModelDetail::components, ModelDetail::plane}) {  // with a head off
      static std::map<ModelDetail, std::shared_ptr<const Results>> made;
      Scene off;
      off.page = Page::model, off.weights = WeightsSource::trained, off.query = {1};
      off.model.off = "1.1", off.model.detail = detail;
      repair(off);
      if (!made[detail]) made[detail] = results_of(off);
      somewhere = somewhere || !std::isnan(quantity_value(*parse_quantity(info.name), {off, *made[detail]}));
    }
    const std::string name = info.name;
    // Only what a user opens has it: predictions_test.cpp, check_test.cpp, saved_attention_test.cpp,
    // head_details_test.cpp,
    // opened_block_test.cpp.
    static const std::set<std::string> of_opened = {"keys",
                                                    "model_mask_probability",
                                                    "model_component_pair",
                                                    "model_component_turn",
                                                    "block_stage_rms",
                                                    "layer_largest_weight",
                                                    "block_head_entropy"};
    const bool opened = of_opened.contains(name) || name.starts_with("model_check");
    const bool of_training = name.find("training") == 0 || name == "validation_loss" ||
                             name.find("lowest_validation_") == 0 || name == "chance_loss" ||
                             name == "label_score" || name == "repair_loss" || name.find("length_") == 0 ||
                             name.find("removed_") == 0;
    // Only Shaw's tables have it: variants_sides_test.cpp.
    const bool of_shaw = name == "variant_by_distance";
    // Only a model with a rotation has it: order_test.cpp.
    const bool of_rotation = name == "order_rotation";
    EXPECT_TRUE(somewhere || of_training || of_rotation || of_shaw || opened) << info.name;
  }
}

TEST(LessonTask, IsDoneWhenAllOfItHolds) {
  Scene scene;
  LessonTask task{"sharpen", {"setting name=temperature < 0.5", "entropy head=1 < 0.5"}};
  EXPECT_FALSE(done(task, {scene, *results_of(scene)}));
  scene.temperature = 0.1;
  EXPECT_TRUE(done(task, {scene, *results_of(scene)}));
}

}  // namespace
}  // namespace headlight::scene
