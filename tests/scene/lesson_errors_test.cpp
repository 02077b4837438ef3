// Files that are no lesson are refused in one line, in these words.
#include <gmock/gmock.h>

#include "lesson_results.h"
#include "scene/settings.h"
#include "teach/lesson.h"

namespace headlight::scene::lesson_test {
namespace {

using testing::HasSubstr;

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
      {first + R"({"title": "x", "without": ["read bakc"]}]})",
       "a.json: step 2: without: expected parts that a step can leave out, found \"read bakc\". Did you mean "
       "\"read back\"?"},
      {first + R"({"title": "x", "scene": {"temperature": null}}]})",
       "a.json: step 2: scene: temperature: expected a number, text, true, false or a list of whole numbers, "
       "found null"},
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

}  // namespace
}  // namespace headlight::scene::lesson_test
