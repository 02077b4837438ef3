// The words of a lesson: their marks, their numbers, which are computed, and what in them is not true.
#include <gmock/gmock.h>

#include "base/parallel.h"
#include "lesson_results.h"
#include "pages/compute.h"
#include "teach/lesson.h"
#include "teach/lesson_check.h"

namespace headlight::scene::lesson_test {
namespace {

using testing::HasSubstr;

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

TEST(LessonWords, OfNotesOnlyNumbersInBracesAreComputed) {
  Scene scene;
  const auto results = results_of(scene);
  const QuantitySource from{scene, *results, nullptr};
  const std::string notes = "A set \\{a, b}, {6 = tokens} tokens, {7 = tokens}, {1991}, [a] **b**.";
  const auto numbers = numbers_of_notes(notes);
  ASSERT_TRUE(numbers) << numbers.error();
  EXPECT_EQ(numbers->size(), 3u);
  EXPECT_EQ(notes_text(notes, &from), "A set {a, b}, 6 tokens, 6, 1991, [a] **b**.");
  EXPECT_EQ(notes_text("none \\{", &from), "none {");
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
                                   "query 5: the sentence has 3 tokens, 0 to 2; 2 is used instead",
                                   HasSubstr("the framed cell is head 1, query 2")));
  const auto words = parse_words(step.words[0]);
  ASSERT_TRUE(words);
  const QuantitySource source{scene, *results};
  std::string message;
  for (const WordRun& run : word_runs(*words, &source)) message += run.text;
  EXPECT_EQ(message, "It is –.");
}

TEST(LessonWords, WhatIsFramedIsWhatIsSpokenOf) {
  base::Parallel parallel(1);
  LessonStep step;
  step.words = {"{0.27 > weight head=1 query=2 key=0} {2 > weight head=1 query=2 key=3}"};
  Scene scene;
  scene.head = {1}, scene.query = {2}, scene.key = 5;
  const auto message = [&] {
    const auto results = compute_now(scene, parallel, nullptr);
    std::string all;
    for (const std::string& line : untrue(step, {scene, *results})) {
      if (line.find("framed") != std::string::npos) all += line;
    }
    return all;
  };
  EXPECT_EQ(message(),
            "the framed cell is head 1, query 2, key 5, but the words name head 1, query 2, key 0");
  scene.key = 3;
  EXPECT_EQ(message(), "");
  scene.head = {2};
  EXPECT_NE(message(), "") << "the same pair of another head";
  scene.head = {};
  EXPECT_EQ(message(), "") << "of several heads the pair is framed";
  scene.query = {1};
  EXPECT_NE(message(), "");
  step.focus = {"card heads"};
  EXPECT_EQ(message(), "") << "no frame is to be seen";
  // On the Worked example the framed number is one of a stage.
  step.focus = {};
  scene = {};
  scene.page = Page::worked;
  scene.worked.step = 5, scene.worked.stage = WorkedStage::weights, scene.worked.row = 0,
  scene.worked.col = 1;
  step.words = {"{0.401 = worked_weight row=0 col=0}"};
  EXPECT_EQ(message(), "the framed cell is row 0, column 1, but the words name row 0, column 0");
  scene.worked.col = 0;
  EXPECT_EQ(message(), "");
}

}  // namespace
}  // namespace headlight::scene::lesson_test
