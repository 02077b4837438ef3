// What a scene asks for and does not have, or does not use, is said in one sentence by every command.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "support/missing_cases.h"

namespace headlight::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CommandMissingTest : public CommandLineTest {};

TEST_F(CommandMissingTest, EveryDoorSaysTheSame) {
  for (const tests::MissingCase& one : tests::missing_cases) {
    std::ofstream(file("scene.json")) << one.settings;
    std::ofstream(file("lesson.json")) << R"({"headlight_lesson": 1, "title": "t", "scene": )" << one.settings
                                       << R"(, "steps": [{"title": "a"}, {"title": "b"}]})";
    const std::string page = nlohmann::json::parse(one.settings).value("page", "attention");
    const std::string line = one.line, scene = file("scene.json");
    const std::vector<std::vector<std::string>> doors = {
        {"describe", scene},
        {"export", scene, "--page", page, "--out", file("a.npz")},
        {"render", scene, "--out", file("a.svg")}};
    for (const auto& door : doors) {
      const Outcome outcome = run(door);
      if (line.empty())
        EXPECT_THAT(outcome.err, Not(HasSubstr("note: "))) << door[0] << " " << one.settings;
      else
        EXPECT_THAT(outcome.err, HasSubstr(line)) << door[0] << " " << one.settings;
    }
    const Outcome lesson = run({"lesson", file("lesson.json"), "--check"});
    if (line.empty()) {
      EXPECT_EQ(lesson.status, 0) << one.settings << lesson.out << lesson.err;
    } else {
      EXPECT_EQ(lesson.status, 1) << one.settings;
      EXPECT_THAT(lesson.out + lesson.err, AllOf(HasSubstr("step 1: " + line), HasSubstr("step 2: " + line)));
    }
  }
}

/// What an earlier step gave is asked of the later ones, too; the last assignment counts.
TEST_F(CommandMissingTest, AnEarlierStepAsksAsWell) {
  const auto check = [&](const std::string& lesson) {
    std::ofstream(file("lesson.json")) << R"({"headlight_lesson": 1, "title": "t", )" << lesson << "}";
    const Outcome outcome = run({"lesson", file("lesson.json"), "--check"});
    EXPECT_EQ(outcome.status == 0, (outcome.out + outcome.err).find("holds") != std::string::npos);
    return outcome.out + outcome.err;
  };
  const std::string heads =
      check(R"("steps": [{"title": "a", "scene": {"head": [4]}}, {"title": "b", "scene": {"heads": 2}}])");
  EXPECT_THAT(heads, AllOf(Not(HasSubstr("step 1")),
                           HasSubstr("step 2: head 4: there are 2 heads, 1 to 2; it is left out")));
  EXPECT_THAT(check(R"("scene": {"head": [9]}, "steps": [{"title": "a", "scene": {"head": [2]}}])"),
              HasSubstr("holds"));
  EXPECT_THAT(check(R"("scene": {"sentence": "the", "query": [1]}, "steps": [{"title": "a"}])"),
              HasSubstr("query 1: the sentence has 1 token; 0 is in its place"));
  EXPECT_THAT(check(R"("scene": {"heads": 8}, "steps": [{"title": "a"},
                       {"title": "b", "scene": {"weights": "trained", "weights_file": "small-english"}}])"),
              HasSubstr("holds"));
}

TEST_F(CommandMissingTest, OptionsAreAsFiles) {
  EXPECT_EQ(run({"describe", "--set", "sentence=the"}).err, "");
  EXPECT_THAT(run({"describe", "--set", "sentence=the", "--set", "query=1"}).err,
              HasSubstr("note: query 1: the sentence has 1 token; 0 is in its place\n"));
  EXPECT_THAT(run({"describe", "--set", "sentence=", "--set", "query=1"}).err,
              HasSubstr("note: query 1: the sentence has no tokens; it is left out\n"));
  EXPECT_THAT(run({"describe", "--set", "head=4", "--set", "heads=2"}).err,
              HasSubstr("note: head 4: there are 2 heads, 1 to 2; it is left out"));
  // A quantity of another page, where the text is not used.
  const Outcome none =
      run({"export", "--what", "softmax_entropy", "--set", "softmax_scores=bad", "--out", file("e.json")});
  EXPECT_EQ(none.status, 0);
  EXPECT_THAT(none.err, HasSubstr("note: softmax_scores: expected 1 to "));
  const Outcome off = run({"export", "--what", "next_tokens_off", "--set", "model=small-english", "--set",
                           "model_off=9.9", "--out", file("o.json")});
  EXPECT_EQ(off.status, 1);
  EXPECT_THAT(off.err, HasSubstr("note: model_off 9.9: there are 2 layers, 1 to 2"));
}

/// A number that is not there has a reason, and a setting that has no number is refused at once.
TEST_F(CommandMissingTest, NoValueHasAReason) {
  const auto said = [&](const std::string& what, int status, std::vector<std::string> sets = {}) {
    std::vector<std::string> words = {"export", "--what", what, "--out", file("q.json")};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, status) << what;
    return outcome.err;
  };
  EXPECT_THAT(said("setting name=hed", 2), HasSubstr("unknown setting \"hed\""));
  EXPECT_THAT(said("setting name=mask", 2), HasSubstr("the setting mask is not a number"));
  EXPECT_THAT(said("setting name=sentence", 2), HasSubstr("the setting sentence is not a number"));
  EXPECT_THAT(said("setting name=heads", 0), "");
  EXPECT_THAT(said("block_head_entropy head=5", 1), HasSubstr("of a head of the layer of an opened model"));
  EXPECT_THAT(said("previous", 1, {"sentence=the"}), HasSubstr("its sentence has 1 token"));
  EXPECT_THAT(said("wavelength pair=99", 1), HasSubstr("of pair 99: there are 16 pairs, 0 to 15"));
  EXPECT_THAT(said("previous head=9", 1, {"page=model"}), HasSubstr("of head 9: there are 4 heads, 1 to 4"));
}

}  // namespace
}  // namespace headlight::app
