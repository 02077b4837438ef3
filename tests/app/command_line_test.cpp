// Runs the program itself, as a person or a script would.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "io/files.h"
#include "scene/compute.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "support/tool.h"

namespace headlight::app {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

struct Outcome {
  int status = -1;  // −1: it crashed
  std::string out, err;
};

class CommandLineTest : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), HEADLIGHT_PROGRAM);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string out = (folder_ / "stdout").string(), err = (folder_ / "stderr").string();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    const int failed = ::posix_spawn(&child, HEADLIGHT_PROGRAM, &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    Outcome outcome;
    if (failed != 0) return outcome;
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
    outcome.out = *io::read_file(out);
    outcome.err = *io::read_file(err);
    return outcome;
  }

  /// Expects failure with exactly this line on standard error and nothing on standard output.
  void refuses(const std::vector<std::string>& words, int status,
               const testing::Matcher<std::string>& message) const {
    const Outcome outcome = run(words);
    const std::string what = testing::PrintToString(words);
    EXPECT_EQ(outcome.status, status) << what << outcome.err;
    EXPECT_EQ(outcome.out, "") << what;
    ASSERT_THAT(outcome.err, StartsWith("headlight: ")) << what;
    ASSERT_THAT(outcome.err, EndsWith("\n")) << what;
    const std::string line = outcome.err.substr(11, outcome.err.size() - 12);
    EXPECT_THAT(line, testing::Not(HasSubstr("\n"))) << what;
    EXPECT_THAT(line, message) << what;
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  tests::Array exported(const std::string& what, std::vector<std::string> sets) const {
    std::vector<std::string> words = {"export", "--what", what, "--out", file("x.npy")};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out + outcome.err, "");
    return tests::parse_npy(*io::read_file(file("x.npy")), "x.npy");
  }

  tests::ScratchFolder folder_;
};

TEST_F(CommandLineTest, TellsItsVersionPagesAndSettings) {
  EXPECT_THAT(run({"--version"}).out, MatchesRegex("headlight [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(run({"pages"}).out,
            "attention\nposition\nworked\norder\nvariants\nmemory\ncost\nblock\nbench\ntraining\npresets\n");
  EXPECT_EQ(run({"fields"}).out, scene::describe_fields(false));
  EXPECT_EQ(run({"fields", "--json"}).out, scene::describe_fields(true));
}

TEST_F(CommandLineTest, HelpIsWhereItIsLookedFor) {
  for (const char* command : {"render", "export", "animate", "describe", "pages", "fields"}) {
    EXPECT_THAT(run({"--help"}).out, HasSubstr(std::string("\n  ") + command + " "));
    const Outcome help = run({command, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.out, HasSubstr(std::string("Usage: headlight ") + command));
    EXPECT_THAT(help.out, HasSubstr("--set"));
  }
}

TEST_F(CommandLineTest, WrongWordsAreOneLineWithTheRightWord) {
  refuses({"descrbe"}, 2, "\"descrbe\" is neither a command nor a file; did you mean \"describe\"?");
  refuses({"--vresion"}, 2, "unknown option \"--vresion\"; did you mean \"--version\"?");
  refuses({"render", "--szie", "1x1", "--out", "a.png"}, 2,
          "unknown option \"--szie\"; did you mean \"--size\"?");
  refuses({"fields", "--jsn"}, 2, "unknown option \"--jsn\"; did you mean \"--json\"?");
  refuses({"describe", "a.json", "b.json"}, 2, "one scene at most; what is \"b.json\"?");
  refuses({"export"}, 2,
          "export needs --what NAME, --panel NAME or --page PAGE; `headlight export --list` names them");
  refuses({"export", "--what", "weights"}, 2, "export needs --out FILE (.npy, .npz, .csv or .json)");
  refuses(
      {"export", "--what", "wieghts", "--out", "a.npy"}, 2,
      "--what: there are no numbers called \"wieghts\"; `headlight export --list` names them all; did you "
      "mean \"weights\"?");
  refuses({"export", "--panel", "mapp", "--out", "a.npy"}, 2,
          "--panel: there are no numbers behind \"mapp\" on the page attention, but behind map, bars, cell, "
          "heads; "
          "did you mean \"map\"?");
  refuses({"export", "--what", "weights", "--out", "a.txt"}, 2,
          "--out a.txt: the ending decides the format: .npy, .npz, .csv or .json");
  refuses({"animate"}, 2, "animate needs --what, clocks or film");
  refuses({"animate", "--what", "clocks", "--out", "a.mp4"}, 2,
          "--out a.mp4: the ending decides the format: .gif or .png");
  refuses({"animate", "--what", "clocks", "--out", "a.gif", "--frames", "1"}, 2,
          "--frames: \"1\" is not a whole number from 2 to 2000");
  refuses({"animate", "--what", "clocks", "--out", "a.gif", "--fps", "100"}, 2,
          "--fps: \"100\" is not a number from 1 to 50");
  refuses({"describe", "--keys", "0"}, 2, "--keys: \"0\" is not a whole number from 1 on");
  refuses({"describe", "--set"}, 2, "--set needs name=value");
  refuses({"render", "--out", "a.png", "--out", "b.png"}, 2, "--out may be given only once");
}

TEST_F(CommandLineTest, PicturesAreRefusedBeforeTheyAreDrawn) {
  refuses({"render"}, 2, "render needs --out FILE (.png, .svg or .pdf)");
  refuses({"render", "--out", "a.jpg"}, 2, "--out a.jpg: the ending decides the format: .png, .svg or .pdf");
  refuses({"render", "--out", "a.png", "--page", "atention"}, 2,
          "--page: \"atention\" is none of attention, position, worked, order, variants, memory, cost, "
          "block, bench, training, presets; did you mean \"attention\"?");
  refuses({"render", "--out", "a.png", "--theme", "drak"}, 2,
          "--theme: \"drak\" is none of dark, light; did you mean \"dark\"?");
  refuses({"render", "--out", "a.png", "--size", "1600"}, 2,
          "--size: \"1600\" is not WIDTHxHEIGHT, such as 1600x1000");
  refuses({"render", "--out", "a.png", "--size", "axb"}, 2,
          "--size: \"axb\" is not WIDTHxHEIGHT, such as 1600x1000");
  refuses({"render", "--out", "a.png", "--size", "0x5"}, 2,
          "--size: 0x5 is out of range, each side 64 to 16384 at this --scale");
  refuses({"render", "--out", "a.png", "--size", "4000x999", "--scale", "8"}, 2,
          "--size: 4000x999 is out of range, each side 64 to 2048 at this --scale");
  refuses({"render", "--out", "a.png", "--scale", "9"}, 2, "--scale: \"9\" is not a number from 0.25 to 8");
  refuses({"render", "--out", "a.png", "--scale", "nan"}, 2,
          "--scale: \"nan\" is not a number from 0.25 to 8");
}

TEST_F(CommandLineTest, SettingsAreCheckedByEveryCommand) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{},
                                                  {"render", "--out", "a.png"},
                                                  {"export", "--what", "q", "--out", "a.npy"},
                                                  {"describe"},
                                                  {"pages"},
                                                  {"fields"}}) {
    auto with = [&](const std::string& set) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {"--set", set});
      return words;
    };
    // Without a command the first scene is opened, whose heads are a model's.
    refuses(with("heads=5"), 2,
            HasSubstr(command.empty() ? "the trained model gives it; with weights=random it is free"
                                      : "--set heads=5: heads must divide d_model ("));
    refuses(with("tempreature=2"), 2,
            "--set: unknown setting \"tempreature\"; did you mean \"temperature\"?");
    refuses(with("temperature=0"), 2, "--set: temperature: 0 is out of range, 0.01 to 100");
    refuses(with("mask=casual"), 2, HasSubstr("did you mean \"causal\"?"));
  }
  refuses({"describe", "--set", "weights=trained", "--set", "block_layers=5"}, 2,
          MatchesRegex("--set block_layers=5: block_layers stays [0-9]+: .* weights=random it is free"));
  refuses({"describe", "--set", "heads"}, 2, "--set: \"heads\" is not name=value, such as heads=8");
}

TEST_F(CommandLineTest, TokensThatTheSentenceHasNotAreTold) {
  const Outcome outcome =
      run({"describe", "--set", "sentence=a b c", "--set", "query=1,99", "--set", "key=3"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err,
              HasSubstr("note: --set query=1,99: the sentence has 3 tokens, 0 to 2; 99 is not shown\n"));
  EXPECT_THAT(outcome.err,
              HasSubstr("note: --set key=3: the sentence has 3 tokens, 0 to 2; 3 is not shown\n"));
  EXPECT_EQ(run({"describe", "--set", "sentence=a b c", "--set", "query=2", "--set", "key=0"}).err, "");
}

/// Numbers of other weights than those that were asked for are no answer.
TEST_F(CommandLineTest, AModelThatCannotBeUsedIsAnError) {
  std::ofstream(file("noise.safetensors"), std::ios::binary) << "this is no model";
  for (const std::string& weights :
       {std::string("nope.safetensors"), file("noise.safetensors"), std::string()}) {
    const std::vector<std::string> ask = {"--set", "weights=file", "--set", "weights_file=" + weights};
    for (std::vector<std::string> words : {std::vector<std::string>{"describe"},
                                           {"render", "--out", file("a.png")},
                                           {"export", "--what", "weights", "--out", file("a.npy")}}) {
      words.insert(words.end(), ask.begin(), ask.end());
      const Outcome outcome = run(words);
      EXPECT_EQ(outcome.status, 1) << words[0] << ' ' << weights;
      EXPECT_EQ(outcome.out, "");
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr(weights));
      EXPECT_THAT(outcome.err, HasSubstr("`headlight train`"));
    }
  }
  EXPECT_FALSE(std::filesystem::exists(file("a.png")));
  EXPECT_FALSE(std::filesystem::exists(file("a.npy")));
  // Words that the model does not know are told.
  EXPECT_THAT(run({"describe", "--welcome", "--set", "sentence=the zorgon sees the cat ."}).out,
              testing::AllOf(HasSubstr("1 token is not in the model's vocabulary"), HasSubstr("zorgon (1)")));
}

TEST_F(CommandLineTest, SettingsApplyInOrderWhereverTheyStand) {
  EXPECT_THAT(run({"--set", "heads=8", "describe", "--set", "heads=2", "--set", "d_model=6"}).out,
              HasSubstr("d_model 6, 2 heads of width 3"));
  EXPECT_THAT(run({"describe", "--set=d_model=30", "--set=heads=5"}).out,
              HasSubstr("d_model 30, 5 heads of width 6"));
}

TEST_F(CommandLineTest, ScenesAreReadAndDamageIsNamed) {
  scene::Scene scene;
  scene.sentence = "alpha beta";
  scene.heads = 2;
  ASSERT_TRUE(scene::save(scene, folder_ / "a.json"));
  EXPECT_THAT(run({"describe", file("a.json")}).out, HasSubstr("alpha"));
  EXPECT_THAT(run({file("a.json"), "describe", "--set", "heads=4"}).out,
              HasSubstr("2 tokens, d_model 32, 4 heads"));
  refuses({"describe", file("none.json")}, 1, "cannot read " + file("none.json") + ": no such file");
  refuses({file("none.json")}, 1, "cannot read " + file("none.json") + ": no such file");
  refuses({"describe", folder_.path().string()}, 1, HasSubstr("it is a folder"));
  ASSERT_TRUE(io::write_file(folder_ / "b.json", "{\"heads\": 3}"));
  refuses({"describe", file("b.json")}, 1,
          file("b.json") + ": heads must divide d_model (32): 1, 2, 4, 8, 16 or 32, not 3");
  ASSERT_TRUE(io::write_file(folder_ / "c.json", "words"));
  refuses({"describe", file("c.json")}, 1, file("c.json") + ": not JSON at line 1, column 1");
  ASSERT_TRUE(io::write_file(folder_ / "d.json", std::string("\x89PNG\0\r\n", 7)));
  refuses({"describe", file("d.json")}, 1, HasSubstr("not a sound PNG picture"));
}

TEST_F(CommandLineTest, FilesThatCannotBeWritten) {
  refuses({"export", "--what", "q", "--out", file("none") + "/a.npy"}, 1,
          "cannot write " + file("none") + "/a.npy: the folder " + file("none") + " does not exist");
  std::filesystem::create_directory(folder_ / "d.npy");
  refuses({"export", "--what", "q", "--out", file("d.npy")}, 1,
          "cannot write " + file("d.npy") + ": it is a folder");
  refuses({"export", "--what", "q", "--out", "bad\nname/a.npy"}, 1, HasSubstr("does not exist"));
}

TEST_F(CommandLineTest, ExportsHaveTheShapesAndNumbersOfTheResults) {
  const std::vector<std::string> sets = {"sentence=one two three", "d_model=12", "heads=3", "mask=causal",
                                         "positions=7"};
  scene::Scene scene;
  for (const std::string& set : sets) ASSERT_TRUE(scene::set_field(scene, set));
  base::Parallel parallel(1);
  const auto results = scene::compute(scene, parallel, nullptr);
  const nn::AttentionTrace& trace = results->attention;

  const tests::Array weights = exported("weights", sets), scores = exported("scores", sets);
  EXPECT_EQ(weights.shape, (std::vector<int>{1, 3, 3, 3}));
  EXPECT_EQ(scores.shape, weights.shape);
  for (std::size_t i = 0; i < weights.values.size(); ++i)
    EXPECT_EQ(weights.values[i], double(trace.weights.data()[i]));
  // The softmax of the scores, over the keys that a causal mask leaves, is the weights.
  for (std::size_t row = 0; row < 9; ++row) {
    double sum = 0;
    for (std::size_t j = 0; j <= row % 3; ++j) sum += std::exp(scores.values[row * 3 + j]);
    for (std::size_t j = 0; j < 3; ++j) {
      const double wanted = j <= row % 3 ? std::exp(scores.values[row * 3 + j]) / sum : 0;
      EXPECT_NEAR(weights.values[row * 3 + j], wanted, 1e-5);
    }
  }
  const std::pair<const char*, const nn::Matrix*> projections[] = {
      {"q", &trace.q}, {"k", &trace.k}, {"v", &trace.v}};
  for (const auto& [name, matrix] : projections) {
    const tests::Array array = exported(name, sets);
    ASSERT_EQ(array.shape, (std::vector<int>{1, 3, 3, 4})) << name;
    for (int h = 0; h < 3; ++h) {
      for (int t = 0; t < 3; ++t) {
        for (int c = 0; c < 4; ++c) {
          EXPECT_EQ(array.values[static_cast<std::size_t>((h * 3 + t) * 4 + c)],
                    double(matrix->at(t, h * 4 + c)))
              << name;
        }
      }
    }
  }
  EXPECT_EQ(exported("output", sets).shape, (std::vector<int>{3, 12}));
  const tests::Array positions = exported("positions", sets);
  EXPECT_EQ(positions.shape, (std::vector<int>{7, 12}));
  EXPECT_NEAR(positions.values[12], std::sin(1.0), 1e-7);
}

TEST_F(CommandLineTest, AnEmptySentenceHasEmptyTensors) {
  EXPECT_EQ(exported("weights", {"sentence="}).shape, (std::vector<int>{1, 4, 0, 0}));
  EXPECT_EQ(exported("scores", {"sentence= "}).shape, (std::vector<int>{1, 4, 0, 0}));
  EXPECT_EQ(exported("q", {"sentence="}).shape, (std::vector<int>{1, 4, 0, 8}));
  EXPECT_EQ(exported("output", {"sentence="}).shape, (std::vector<int>{0, 32}));
  EXPECT_EQ(exported("positions", {"sentence="}).shape, (std::vector<int>{60, 32}));
  EXPECT_THAT(run({"describe", "--set", "sentence="}).out, HasSubstr("no tokens"));
}

TEST_F(CommandLineTest, FiguresOfCardsOpenTheirScene) {
  EXPECT_THAT(run({"render", "--page", "cost", "--list-panels"}).out,
              HasSubstr("table\tWhat one layer costs\n"));
  for (const char* name : {"a.svg", "a.pdf", "a.png"}) {
    const Outcome outcome =
        run({"render", "--panel", "cell", "--theme", "light", "--width-mm", "85", "--transparent", "--set",
             "sentence=figures carry scenes", "--out", file(name)});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(run({"describe", file(name)}).out, HasSubstr("carry")) << name;
  }
  refuses({"render", "--panel", "celll", "--out", file("b.svg")}, 1, HasSubstr("did you mean \"cell\"?"));
  refuses({"render", "--width-mm", "5", "--out", "b.svg"}, 2,
          "--width-mm: \"5\" is not a number from 20 to 1000");
}

TEST_F(CommandLineTest, EveryTableOfEveryPageIsWritten) {
  const std::string all = run({"export", "--list"}).out;
  EXPECT_THAT(all, HasSubstr("weights\tattention\theads map bars\tafter the softmax\n"));
  for (const char* page : {"attention", "position", "worked", "order", "variants", "memory", "cost", "block",
                           "bench", "presets"}) {
    const Outcome outcome = run({"export", "--page", page, "--out", file("a.npz")});
    EXPECT_EQ(outcome.status, 0) << page << outcome.err;
    EXPECT_GT(io::read_file(file("a.npz"))->size(), 1000u);
  }
  ASSERT_EQ(run({"export", "--page", "position", "--panel", "clocks", "--out", file("c.csv")}).status, 0);
  EXPECT_THAT(*io::read_file(file("c.csv")), StartsWith("1,6.283185307179586,"));
  ASSERT_EQ(run({"export", "--page", "bench", "--panel", "maps", "--out", file("m.json")}).status, 0);
  const auto json = nlohmann::json::parse(*io::read_file(file("m.json")));
  EXPECT_EQ(json["tensors"].size(), 3u);
  EXPECT_EQ(json["scene"]["page"], "bench");
  refuses({"export", "--what", "cost_times", "--out", file("t.csv")}, 1, "this scene has no cost_times");
}

TEST_F(CommandLineTest, NumPyReadsEveryFormatAndFindsTheSoftmax) {
  const std::string python = tests::python_with_numpy();
  if (python.empty()) GTEST_SKIP() << "python3-numpy is not installed";
  for (const char* what : {"weights", "scores"}) {
    for (const char* ending : {".npy", ".csv", ".json"})
      ASSERT_EQ(run({"export", "--what", what, "--set", "mask=causal", "--out", file(what) + ending}).status,
                0);
  }
  ASSERT_EQ(run({"export", "--page", "attention", "--set", "mask=causal", "--out", file("all.npz")}).status,
            0);
  const auto outcome = tests::run_tool({python, "-c", R"(
import json, numpy, sys
folder = sys.argv[1] + '/'
w, s = numpy.load(folder + 'weights.npy'), numpy.load(folder + 'scores.npy')
allowed = numpy.tril(numpy.ones(w.shape[2:], bool))
e = numpy.where(allowed, numpy.exp(s.astype(float) - s.max(-1, keepdims=True)), 0)
assert abs(e / e.sum(-1, keepdims=True) - w).max() < 1e-6
z = numpy.load(folder + 'all.npz')
assert (z['weights'] == w).all() and (z['scores'] == s).all()
assert abs(z['entropy'] - numpy.mean([[-(r[r > 0] * numpy.log2(r[r > 0])).sum() for r in h] for h in w[0].astype(float)], 1)).max() < 1e-4
c = numpy.genfromtxt(folder + 'weights.csv', delimiter=',', names=True)
assert (c['value'].astype('f4') == w.ravel()).all() and c.dtype.names == ('layer', 'head', 'query', 'key', 'value')
j = json.load(open(folder + 'weights.json'))
assert (numpy.array(j['data'], 'f4') == w).all() and len(j['tokens']) == w.shape[2]
print('all of it holds', w.shape)
)",
                                        folder_.path().string()});
  EXPECT_EQ(outcome.said, "all of it holds (1, 4, 6, 6)\n");
}

TEST_F(CommandLineTest, TextFormats) {
  ASSERT_EQ(run({"export", "--what", "weights", "--out", file("w.csv"), "--set", "sentence=a b"}).status, 0);
  EXPECT_THAT(*io::read_file(file("w.csv")), StartsWith("layer,head,query,key,value\n0,0,0,0,"));
  ASSERT_EQ(run({"export", "--what", "output", "--out", file("o.csv"), "--set", "sentence=a b", "--set",
                 "d_model=4"})
                .status,
            0);
  const std::string grid = *io::read_file(file("o.csv"));
  EXPECT_EQ(std::count(grid.begin(), grid.end(), '\n'), 2);
  EXPECT_EQ(std::count(grid.begin(), grid.end(), ','), 6);
  ASSERT_EQ(
      run({"export", "--what", "weights", "--out", file("w.json"), "--set", "sentence=a \xff שלום"}).status,
      0);
  const auto json = nlohmann::json::parse(*io::read_file(file("w.json")));
  EXPECT_EQ(json["name"], "weights");
  EXPECT_EQ(json["shape"], (std::vector<int>{1, 4, 3, 3}));
  EXPECT_EQ(json["tokens"], (std::vector<std::string>{"a", "\uFFFD", "שלום"}));
  double row = 0;
  for (const auto& weight : json["data"][0][3][2]) row += weight.get<double>();
  EXPECT_NEAR(row, 1, 1e-6);
}

TEST_F(CommandLineTest, DescribesTheStrongestKeys) {
  const std::vector<std::string> words = {"describe", "--set", "sentence=a b c", "--set", "mask=causal",
                                          "--keys",   "2"};
  const Outcome outcome = run(words);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(
      outcome.out,
      StartsWith("3 tokens, d_model 32, 4 heads of width 8, positions sinusoidal, random weights, seed 7\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n0 a      → a     1.000\n")) << "the first query reads itself alone";
  std::vector<std::string> all = words;
  all.insert(all.end(), {"--set", "head=2,4"});
  const std::string two = run(all).out;
  EXPECT_THAT(two, HasSubstr("\nhead 2: entropy "));
  EXPECT_THAT(two, HasSubstr("\nhead 4: entropy "));
  EXPECT_THAT(two, testing::Not(HasSubstr("head 1:")));
  const std::string masked = run({"describe", "--set", "mask=valid_length", "--set", "valid_length=0"}).out;
  EXPECT_THAT(masked, HasSubstr("nothing: every key is masked"));
  const std::string escaped =
      run({"describe", "--set", "sentence=\x1b[31m\n", "--set", "tokenizer=chars"}).out;
  EXPECT_THAT(escaped, HasSubstr("\\x1b"));
  EXPECT_THAT(escaped, testing::Not(HasSubstr("\x1b")));
}

TEST_F(CommandLineTest, AMegabyteIsAnsweredAndCut) {
  scene::Scene scene;
  scene.d_model = 1;
  scene.heads = 1;
  scene.positions = 1;
  scene.sentence.clear();
  while (scene.sentence.size() < (1u << 20)) scene.sentence += "word ";
  ASSERT_TRUE(scene::save(scene, folder_ / "long.json"));
  const Outcome outcome = run({"export", file("long.json"), "--what", "output", "--out", file("o.npy")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "headlight: note: the sentence has 209716 tokens, the first 8192 are used\n");
  EXPECT_EQ(tests::parse_npy(*io::read_file(file("o.npy")), "o.npy").shape, (std::vector<int>{8192, 1}));
}

}  // namespace
}  // namespace headlight::app
