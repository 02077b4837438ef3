// Lessons from the command line, by the program itself.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>

#include "io/files.h"
#include "io/png.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

using testing::HasSubstr;

struct Outcome {
  int status = -1;
  std::string message;  // on both outputs
};

class LessonCommands : public testing::Test {
 protected:
  Outcome run(const std::string& words) const {
    const std::string home = "XDG_STATE_HOME='" + folder_.path().string() + "' ";
    Outcome outcome;
    std::FILE* pipe = ::popen((home + before_ + HEADLIGHT_PROGRAM + " " + words + " 2>&1").c_str(), "r");
    if (!pipe) return outcome;
    char buffer[4096];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
      outcome.message.append(buffer, n);
    const int status = ::pclose(pipe);
    if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
    return outcome;
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  std::string before_;  // what stands before the program's name
  tests::ScratchFolder folder_;
};

TEST_F(LessonCommands, TheListHasAllOfThemAndOnesOwn) {
  std::filesystem::create_directories(folder_ / "headlight/lessons");
  std::ofstream(folder_ / "headlight/lessons/mine.json")
      << R"({"headlight_lesson": 1, "title": "Mine", "steps": [{"title": "x"}]})";
  const Outcome list = run("lessons");
  EXPECT_EQ(list.status, 0);
  EXPECT_THAT(list.message, HasSubstr("5\tclocks\tThe clocks\t"));
  EXPECT_THAT(list.message, HasSubstr("10\tlearned\t"));
  EXPECT_THAT(list.message, HasSubstr("own\tmine\tMine"));
  EXPECT_THAT(run("lessons --figures").message,
              HasSubstr("entropy\tattention\tMean entropy of a row\tbits\thead\t"));
}

TEST_F(LessonCommands, AModelThatIsNotHereIsSaid) {
  const std::string nowhere = "env HEADLIGHT_MODELS='" + folder_.path().string() + "' XDG_DATA_HOME='" +
                              folder_.path().string() + "' ";
  before_ = nowhere;
  const Outcome list = run("lessons");
  EXPECT_EQ(list.status, 0);
  EXPECT_THAT(list.message, HasSubstr("14\tlearned-clocks\tClocks in a trained model\t"));
  EXPECT_THAT(list.message, HasSubstr("\tneeds the model folder \"use-lite\", which is not here"));
  const Outcome check = run("lesson learned-clocks --check");
  EXPECT_EQ(check.status, 1);
  EXPECT_EQ(
      check.message,
      "headlight: lesson learned-clocks: nothing is checked: it needs the model folder \"use-lite\", which "
      "is not here; the lesson says how to get it\n");
  const Outcome handout = run("lesson learned-clocks --handout");
  EXPECT_EQ(handout.status, 0);
  EXPECT_THAT(handout.message, HasSubstr("The folder **use-lite** was not found"));
  EXPECT_THAT(handout.message, HasSubstr("Universal Sentence Encoder"));
  EXPECT_THAT(handout.message, testing::Not(HasSubstr("## 2.")));
}

TEST_F(LessonCommands, AnUnknownLessonIsNamedBeforeAnythingElse) {
  for (const char* words :
       {"lesson nope", "--lesson nope", "lesson nope --check", "lesson nope --out x.png"}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 1) << words;
    EXPECT_THAT(outcome.message, HasSubstr("no lesson \"nope\"; there are soft-dictionary, ")) << words;
    EXPECT_THAT(outcome.message, HasSubstr("clocks")) << words;
  }
  EXPECT_THAT(run("lesson clocks").message, HasSubstr("lesson requires --out FILE"));
}

TEST_F(LessonCommands, ANumberThatThePictureLacksIsAnAdvice) {
  const auto lesson = [&](const char* card) {
    std::ofstream(file("frames.json")) << R"({"headlight_lesson": 1, "title": "F", "steps": [
        {"title": "x", "scene": {"page": "bench"}, "words": ["{0.587 = effect head=1}"],
         "focus": [")" << card << R"("]}]})";
    return run("lesson " + file("frames.json") + " --check");
  };
  const Outcome bare = lesson("card similarity");
  EXPECT_EQ(bare.status, 0) << bare.message;
  EXPECT_THAT(bare.message, HasSubstr("step 1: advice: the picture does not show 0.587 = effect head=1"));
  const Outcome there = lesson("card off");
  EXPECT_EQ(there.status, 0) << there.message;
  EXPECT_EQ(there.message.find("advice"), std::string::npos) << there.message;
}

TEST_F(LessonCommands, ANumberIsInThePictureAsAWholeAndWithEitherMinus) {
  const auto check = [&](const std::string& scene, const std::string& words, const std::string& card) {
    std::ofstream(file("whole.json"))
        << R"({"headlight_lesson": 1, "title": "W", "steps": [
        {"title": "x", "scene": {)"
        << scene << R"(}, "words": [")" << words << R"("], "focus": [")" << card << R"("]}]})";
    return run("lesson " + file("whole.json") + " --check").message;
  };
  const std::string holds = "every number and claim holds\n";
  // The card writes "-0.75".
  EXPECT_EQ(check(R"("page": "variants", "variants_a_position": "alibi")",
                  "{−0.75 = variant_bias side=a query=0 key=3}", "card applied-a"),
            holds);
  // A 6 in "0.60" is not the number of tokens.
  EXPECT_THAT(check(R"("page": "bench")", "{6 = tokens}", "card similarity"),
              HasSubstr("step 1: advice: the picture does not show 6 = tokens"));
}

TEST_F(LessonCommands, NoIncludedLessonHasAdvice) {
  int checked = 0;
  for (int lesson = 1; lesson <= 14; ++lesson) {
    const Outcome outcome = run("lesson " + std::to_string(lesson) + " --check");
    if (outcome.message.find("nothing is checked") != std::string::npos) continue;  // its model is not here
    EXPECT_EQ(outcome.message, "every number and claim holds\n") << "lesson " << lesson;
    ++checked;
  }
  EXPECT_GE(checked, 13);
}

TEST_F(LessonCommands, WhatALessonSaysIsChecked) {
  EXPECT_THAT(run("lesson cost --check").message, HasSubstr("every number and claim holds"));
  std::ofstream(file("bad.json")) << R"({"headlight_lesson": 1, "title": "B", "steps": [
      {"title": "x", "words": "{7 = tokens}", "facts": ["d_k = 9"], "highlight": ["card nothing"]}]})";
  const Outcome wrong = run("lesson '" + file("bad.json") + "' --check");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.message,
            "step 1: \"7\": tokens is 6, not 7\nstep 1: d_k is 8, not 9\nstep 1: the page attention has no "
            "card \"nothing\"; it has heads, map, bars, cell, matrices, kernels\n");
}

TEST_F(LessonCommands, AWholeLessonIsPrintedForPaper) {
  const Outcome text = run("lesson cost --handout");
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.message, testing::StartsWith("# What it costs\n\n"));
  EXPECT_THAT(text.message, HasSubstr("## 9. Or leave pairs out"));
  EXPECT_THAT(text.message,
              HasSubstr("**Answer:** C. In every layer the mask blocks all paths to earlier tokens"));
  EXPECT_THAT(text.message, HasSubstr("self-attention is n^2d = 6,400"));
  EXPECT_THAT(run("lesson clokcs --handout").message, HasSubstr("Did you mean \"clocks\"?"));
}

TEST_F(LessonCommands, AStepBecomesAPicture) {
  const Outcome made = run("lesson 2 --step 3 --size 640x400 --theme light --out '" + file("a.png") + "'");
  EXPECT_EQ(made.status, 0) << made.message;
  const auto bytes = io::read_file(file("a.png"));
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->substr(1, 3), "PNG");
}

TEST_F(LessonCommands, TheLecturersWindowBecomesAPicture) {
  const auto picture = [&](const char* name, const char* how) {
    const Outcome made =
        run("lesson 1 --step 1 --size 960x600" + std::string(how) + " --out '" + file(name) + "'");
    EXPECT_EQ(made.status, 0) << made.message;
    const auto bytes = io::read_file(file(name));
    const auto decoded = io::decode_png(bytes ? *bytes : "", name);
    EXPECT_TRUE(decoded);
    return decoded ? decoded->image : io::Image{};
  };
  const io::Image slide = picture("slide.png", ""), notes = picture("notes.png", " --lecturer");
  EXPECT_EQ(notes.width, 960);
  EXPECT_EQ(notes.height, 600);
  EXPECT_FALSE(notes == slide);
  EXPECT_EQ(picture("again.png", " --lecturer"), notes);
}

TEST_F(LessonCommands, WrongWordsAreOneLineEach) {
  const std::pair<const char*, const char*> cases[] = {
      {"lesson", "lesson requires a name"},
      {"lesson clokcs --check", "no lesson \"clokcs\"; there are soft-dictionary, "},
      {"lesson clocks", "requires --out FILE"},
      {"lesson clocks --step 0 --out a.png", "--step: 0 is not a step of this lesson, 1 to "},
      {"lesson clocks --step x --out a.png", "--step: x is not a step of this lesson, 1 to "},
  };
  for (const auto& [words, line] : cases) {
    const Outcome outcome = run(words);
    EXPECT_NE(outcome.status, 0) << words;
    EXPECT_THAT(outcome.message, HasSubstr(line)) << words;
    EXPECT_EQ(std::count(outcome.message.begin(), outcome.message.end(), '\n'), 1) << outcome.message;
  }
}

}  // namespace
}  // namespace headlight::app
