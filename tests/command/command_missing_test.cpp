// What a scene asks for and does not have, or does not use, is said in one sentence by every command.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "support/missing_cases.h"
#include "support/whole_model.h"

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

/// A card that the page has not, and a goal that no step can reach.
TEST_F(CommandMissingTest, ALessonAsksForNoOtherCardAndNoOtherHead) {
  const auto check = [&](const std::string& step) {
    std::ofstream(file("lesson.json"))
        << R"({"headlight_lesson": 1, "title": "t", "steps": [{"title": "a", )" << step << "}]}";
    const Outcome outcome = run({"lesson", file("lesson.json"), "--check"});
    EXPECT_EQ(outcome.status, 1) << step;
    return outcome.out + outcome.err;
  };
  EXPECT_THAT(check(R"("focus": ["card zzz"])"),
              HasSubstr("step 1: the page attention has no card \"zzz\"; it has heads, map, bars"));
  const auto goal = [&](const std::string& until) {
    return check(R"("task": {"ask": "try", "until": [")" + until + R"("]})");
  };
  EXPECT_THAT(goal("weight head=77 query=1 key=0 > 0.5"), HasSubstr("head 77: there are 4 heads, 1 to 4"));
  EXPECT_THAT(goal("worked_x > 0.5"), HasSubstr("it is a number of the page Worked example"));
  EXPECT_THAT(goal("tokens > 2"), HasSubstr("the goal is reached before anything is tried"));
}

/// A sentence that is cut has one length, told once.
TEST_F(CommandMissingTest, ACutSentenceHasOneLength) {
  const std::string model =
      tests::whole_model("tiny-gpt2", "f16-transformer", file("")).string();  // reads 64
  const nlohmann::json ids(std::vector<int>(70, 1));
  const auto message = [&](std::vector<std::string> words, const std::string& query, const std::string& key) {
    for (const std::string& set : {"model=" + model, "token_ids=" + list_of(ids), query, key})
      words.insert(words.end(), {"--set", set});
    return run(words).err;
  };
  const std::string used = "the first 64 tokens of the sentence are used, 0 to 63",
                    there = ": " + used + "; 63 is used instead";
  for (const auto& door :
       std::vector<std::vector<std::string>>{{"describe", "--page", "attention"},
                                             {"export", "--page", "attention", "--out", file("cut.npz")},
                                             {"render", "--page", "attention", "--out", file("cut.svg")}}) {
    const std::string err = message(door, "query=69", "key=68");
    EXPECT_THAT(err, AllOf(HasSubstr("query 69" + there), HasSubstr("key 68" + there))) << door[0];
    EXPECT_THAT(err, Not(HasSubstr("has 64 tokens"))) << door[0];
    EXPECT_EQ(err.find("query 69"), err.rfind("query 69")) << door[0] << err;
  }
  const nlohmann::json scene = {
      {"weights", "file"}, {"weights_file", model}, {"token_ids", ids}, {"query", {69}}};
  const nlohmann::json lesson = {
      {"headlight_lesson", 1}, {"title", "t"}, {"scene", scene}, {"steps", {{{"title", "a"}}}}};
  std::ofstream(file("cut_lesson.json")) << lesson;
  const Outcome checked = run({"lesson", file("cut_lesson.json"), "--check"});
  EXPECT_THAT(checked.out + checked.err,
              AllOf(HasSubstr("query 69" + there), Not(HasSubstr("has 64 tokens"))));
  const std::string number =
      message({"export", "--what", "weight query=69 key=0", "--out", file("cut.json")}, "query=1", "key=1");
  EXPECT_THAT(number, AllOf(HasSubstr("of query 69: " + used), Not(HasSubstr("has 64 tokens"))));
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
              HasSubstr("query 1: the sentence has 1 token; 0 is used instead"));
  EXPECT_THAT(check(R"("scene": {"heads": 8}, "steps": [{"title": "a"},
                       {"title": "b", "scene": {"weights": "trained", "weights_file": "small-english"}}])"),
              HasSubstr("holds"));
}

TEST_F(CommandMissingTest, OptionsAreAsFiles) {
  EXPECT_EQ(run({"describe", "--set", "sentence=the"}).err, "");
  // What is told is for readers; what was typed stays as it was.
  const Outcome offset = run({"describe", "--page", "position", "--set", "position_delta=-5"});
  EXPECT_THAT(offset.out, AllOf(HasSubstr("offset δ = −5"), Not(HasSubstr("= -5"))));
  EXPECT_THAT(run({"describe", "--set", "sentence=the", "--set", "query=1"}).err,
              HasSubstr("note: query 1: the sentence has 1 token; 0 is used instead\n"));
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
  const auto message = [&](const std::string& what, int status, std::vector<std::string> sets = {}) {
    std::vector<std::string> words = {"export", "--what", what, "--out", file("q.json")};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, status) << what;
    return outcome.err;
  };
  EXPECT_THAT(message("setting name=hed", 2), HasSubstr("unknown setting \"hed\""));
  EXPECT_THAT(message("setting name=mask", 2), HasSubstr("the setting mask is not a number"));
  EXPECT_THAT(message("setting name=sentence", 2), HasSubstr("the setting sentence is not a number"));
  EXPECT_THAT(message("setting name=heads", 0), "");
  EXPECT_THAT(message("block_head_entropy head=5", 1), HasSubstr("it needs a model from another program"));
  EXPECT_THAT(message("previous", 1, {"sentence=the"}), HasSubstr("its sentence has 1 token"));
  // What has no value with three tokens either lacks no token.
  for (const char* sentence : {"sentence=the", "sentence=a b c"}) {
    EXPECT_THAT(message("encdec_exact", 1, {"page=block", sentence}),
                AllOf(HasSubstr("it needs block_model=encoder_decoder"), Not(HasSubstr("token"))));
    EXPECT_THAT(message("keys", 1, {sentence}),
                AllOf(HasSubstr("needs saved cross-attention"), Not(HasSubstr("its sentence"))));
    EXPECT_THAT(message("answer", 1, {sentence}),
                AllOf(HasSubstr("needs a model that answers pronouns"), Not(HasSubstr("its sentence"))));
  }
  EXPECT_THAT(message("wavelength pair=99", 1), HasSubstr("of pair 99: there are 16 pairs, 0 to 15"));
  EXPECT_THAT(message("previous head=9", 1, {"page=model"}),
              HasSubstr("of head 9: there are 4 heads, 1 to 4"));
}

}  // namespace
}  // namespace headlight::app
