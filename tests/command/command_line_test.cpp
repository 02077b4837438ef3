// What the program answers to the words of a command line, right ones and wrong ones.
#include "command_line.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/files.h"
#include "pages/compute.h"
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

TEST_F(CommandLineTest, TellsItsVersionPagesAndSettings) {
  EXPECT_THAT(run({"--version"}).out, MatchesRegex("headlight [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(
      run({"pages"}).out,
      "attention\nmodel\nbench\nposition\norder\nvariants\nblock\nsoftmax\nworked\npresets\ntraining\ncost\n"
      "memory\n");
  EXPECT_EQ(run({"fields"}).out, scene::describe_fields(false));
  EXPECT_EQ(run({"fields", "--json"}).out, scene::describe_fields(true));
}

/// What there is not is not said to be 0, and what is said has its conditions.
TEST_F(CommandLineTest, DescriptionsSayWhatIsMissing) {
  const auto message = [&](std::vector<std::string> settings, const char* page) {
    std::vector<std::string> words = {"describe", "--page", page};
    for (std::string& one : settings) words.insert(words.end(), {"--set", std::move(one)});
    return run(words).out;
  };
  const std::string rows = message({"variants_a_position=learned", "variants_table_rows=3"}, "variants");
  EXPECT_THAT(rows, testing::Not(HasSubstr("Largest difference between the weights of A and B")));
  EXPECT_THAT(message({}, "variants"), HasSubstr("Largest difference between the weights of A and B"));
  EXPECT_THAT(message({"model=dictionary"}, "position"), HasSubstr("it rotates queries and keys (RoPE)"));
  EXPECT_THAT(message({"model=small-english"}, "position"),
              testing::Not(HasSubstr("none of these sinusoids")));
  EXPECT_THAT(message({"order_divided=false"}, "order"), HasSubstr("variance of q·k: "));
  EXPECT_THAT(message({}, "order"), HasSubstr("variance of the scores: "));
  EXPECT_THAT(message({"cost_heads=8", "cost_layers=2"}, "cost"),
              HasSubstr("with B = 1, h = 8, L = 2, 2 bytes"));
  EXPECT_THAT(message({"cost_k=1"}, "cost"), testing::Not(HasSubstr("until both positions meet")));
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
  refuses({"measure", "small-english", "--set", "heads=8"}, 2,
          "--set \"heads=8\": this command takes no settings");
  refuses({"descrbe"}, 2, "\"descrbe\" is neither a command nor a file. Did you mean \"describe\"?");
  refuses({"--vresion"}, 2, "unknown option \"--vresion\". Did you mean \"--version\"?");
  refuses({"render", "--szie", "1x1", "--out", "a.png"}, 2,
          "unknown option \"--szie\". Did you mean \"--size\"?");
  refuses({"fields", "--jsn"}, 2, "unknown option \"--jsn\". Did you mean \"--json\"?");
  refuses({"describe", "a.json", "b.json"}, 2, "only one scene can be given; what is \"b.json\"?");
  refuses({"export"}, 2,
          "export requires --what NAME, --panel NAME or --page PAGE; `headlight export --list` lists them");
  refuses({"export", "--what", "weights"}, 2, "export requires --out FILE (.npy, .npz, .csv or .json)");
  refuses({"export", "--what", "wieghts", "--out", "a.npy"}, 2,
          "--what: unknown quantity or table \"wieghts\". `headlight export --list` and `headlight "
          "quantities` list them all. Did you mean \"weights\"?");
  refuses({"export", "--panel", "mapp", "--out", "a.npy"}, 2,
          "--panel: the page attention has no card \"mapp\"; it has heads, map, bars, cell, matrices, "
          "kernels. Did you mean \"map\"?");
  // The same sentence at every door, before anything is computed; an empty name is no name.
  const std::string no_card =
      "the page attention has no card \"zzz\"; it has heads, map, bars, cell, matrices, kernels";
  refuses({"export", "--panel", "zzz", "--out", "a.npy"}, 2, "--panel: " + no_card);
  refuses({"render", "--panel", "zzz", "--out", "a.png"}, 2, "--panel: " + no_card);
  refuses({"render", "--present", "zzz", "--out", "a.png"}, 2, "--present: " + no_card);
  refuses({"render", "--list-panels", "--panel", "zzz"}, 2, "--panel: " + no_card);
  refuses({"animate", "--what", "clocks", "--panel", "zzz", "--out", "a.gif"}, 2,
          testing::HasSubstr("--panel: the page position has no card \"zzz\"; it has p, columns, clocks"));
  for (const char* option : {"--page", "--panel", "--present"})
    refuses({"render", option, "", "--out", "a.png"}, 2, std::string(option) + ": the name is missing");
  for (const char* option : {"--page", "--panel"})
    refuses({"export", option, "", "--out", "a.npy"}, 2, std::string(option) + ": the name is missing");
  refuses({"describe", "--page", ""}, 2, "--page: the name is missing");
  refuses({"export", "--what", "weights", "--out", "a.txt"}, 2,
          "--out a.txt: the extension determines the format: .npy, .npz, .csv or .json");
  refuses({"animate"}, 2, "animate requires --what clocks or --what film");
  refuses({"animate", "--what", "clocks", "--out", "a.mp4"}, 2,
          "--out a.mp4: the extension determines the format: .gif or .png");
  refuses({"animate", "--what", "clocks", "--out", "a.gif", "--frames", "1"}, 2,
          "--frames: \"1\" is not a whole number from 2 to 2000");
  refuses({"animate", "--what", "clocks", "--out", "a.gif", "--fps", "100"}, 2,
          "--fps: \"100\" is not a number from 1 to 50");
  refuses({"describe", "--keys", "0"}, 2, "--keys: \"0\" is not a positive whole number");
  refuses({"describe", "--set"}, 2, "--set needs name=value");
  refuses({"render", "--out", "a.png", "--out", "b.png"}, 2, "--out can be given only once");
}

/// However long it is: what is wrong is said in one line of less than 600 bytes.
TEST_F(CommandLineTest, LongWordsAreShortened) {
  const std::string word(100'000, 'W'), quoted = '"' + std::string(60, 'W') + "…\"";
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{word},
                                             {"describe", "--set", word + "=1"},
                                             {"describe", "--set", "heads=" + word},
                                             {"describe", "--set", "mask=" + word},
                                             {"describe", "--set", "query=" + word},
                                             {"describe", "--page", word},
                                             {"describe", "--keys", word},
                                             {"describe", "a.json", word},
                                             {"export", "--what", word, "--out", "a.npy"},
                                             {"export", "--panel", word, "--out", "a.npy"},
                                             {"render", "--out", "a.png", "--size", word},
                                             {"render", "--out", "a.png", "--scale", word},
                                             {"train", "--task", word, "--out", "a.safetensors"},
                                             {"lesson", word},
                                             {"--lesson", word}}) {
    const Outcome out = run(words);
    EXPECT_NE(out.status, 0);
    EXPECT_LT(out.err.size(), 600u) << out.err;
    EXPECT_EQ(std::count(out.err.begin(), out.err.end(), '\n'), 1);
    EXPECT_THAT(out.err, HasSubstr(quoted));
  }
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"describe", "/" + word + ".json"},
           {"render", "--out", word},
           {"describe", "--" + word},
           {"lesson", "clocks", "--out", "a.png", "--step", word},
           {"describe", "--set", "weights=file", "--set", "weights_file=/" + word}}) {
    const Outcome out = run(words);
    EXPECT_NE(out.status, 0);
    EXPECT_LT(out.err.size(), 600u) << out.err;
    EXPECT_EQ(std::count(out.err.begin(), out.err.end(), '\n'), 1);
  }
}

TEST_F(CommandLineTest, PicturesAreRefusedBeforeTheyAreDrawn) {
  refuses({"render"}, 2, "render requires --out FILE (.png, .svg or .pdf)");
  refuses({"render", "--out", "a.jpg"}, 2,
          "--out a.jpg: the extension determines the format: .png, .svg or .pdf");
  refuses({"render", "--out", "a.png", "--page", "atention"}, 2,
          "--page: unknown page \"atention\". Did you mean \"attention\"?");
  refuses({"render", "--out", "a.png", "--theme", "drak"}, 2,
          "--theme: unknown value \"drak\". Did you mean \"dark\"?");
  refuses({"render", "--out", "a.png", "--size", "1600"}, 2,
          "--size: \"1600\" is not WIDTHxHEIGHT, such as 1600x1000");
  refuses({"render", "--out", "a.png", "--size", "axb"}, 2,
          "--size: \"axb\" is not WIDTHxHEIGHT, such as 1600x1000");
  refuses({"render", "--out", "a.png", "--size", "0x5"}, 2,
          "--size: 0x5 is out of range; each side must be 64 to 16384 at this --scale");
  refuses({"render", "--out", "a.png", "--size", "4000x999", "--scale", "8"}, 2,
          "--size: 4000x999 is out of range; each side must be 64 to 2048 at this --scale");
  refuses({"render", "--out", "a.png", "--scale", "9"}, 2, "--scale: \"9\" is not a number from 0.25 to 8");
  refuses({"render", "--out", "a.png", "--present", "map", "--panel", "map"}, 2,
          "--present shows a card alone in a whole window; leave out --panel, --transparent and --width-mm");
  refuses({"render", "--out", "a.png", "--present", "map", "--square"}, 2,
          "--present shows a card alone in a whole window; leave out --panel, --transparent, --without, "
          "--square and --width-mm");
  refuses(
      {"render", "--out", "a.png", "--panel", "map", "--without", "frame,titel"}, 2,
      "--without: \"titel\" is not a part of a figure; it has frame, title, selection, hints. Did you mean "
      "\"title\"?");
  refuses({"render", "--out", "a.png", "--without", "title"}, 2,
          "--without changes a figure of one card; name the card with --panel NAME");
  refuses({"render", "--out", "a.png", "--square"}, 2,
          "--square changes a figure of one card; name the card with --panel NAME");
  refuses({"render", "--out", "a.png", "--panel", "map", "--without", ""}, 2,
          "--without: no part is named; a figure has frame, title, selection, hints");
  refuses({"render", "--out", "a.png", "--share", "--without", "title"}, 2,
          "--share is a picture of its own; leave out --page, --panel, --present, --first-start, --without, "
          "--square and --width-mm");
  refuses({"render", "--out", "a.png", "--first-start", "--without", "title"}, 2,
          "--first-start is a whole window; leave out --page, --panel, --present, --transparent, --without, "
          "--square and --width-mm");
  refuses({"render", "--out", file("a.png"), "--page", "position", "--panel", "clocks", "--square"}, 1,
          testing::HasSubstr("the cells of the card \"clocks\" cannot be made square"));
  refuses({"render", "--out", file("a.png"), "--present", "maps"}, 2,
          testing::HasSubstr("the page attention has no card \"maps\"; it has heads, map"));
  refuses({"render", "--out", "a.png", "--scale", "nan"}, 2,
          "--scale: \"nan\" is not a number from 0.25 to 8");
}

TEST_F(CommandLineTest, AGuidedModelComesWithItsGuidedHeadAsInTheWindow) {
  const auto described = [&](std::vector<std::string> set) {
    std::vector<std::string> words{"--model", "pronouns-guided", "describe"};
    words.insert(words.end(), set.begin(), set.end());
    return run(words).out;
  };
  EXPECT_THAT(described({}), testing::HasSubstr("\nhead 1 (guided during training): "));
  EXPECT_THAT(described({"--set", "head=3"}), testing::HasSubstr("\nhead 3: "));
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
            HasSubstr(command.empty() ? "set by the trained model; change it with weights=random"
                                      : "--set heads=5: heads must divide d_model ("));
    refuses(with("tempreature=2"), 2,
            "--set: unknown setting \"tempreature\". Did you mean \"temperature\"?");
    refuses(with("temperature=0"), 2, "--set: temperature: 0 is out of range; expected 0.01 to 100");
    refuses(with("mask=casual"), 2, HasSubstr("Did you mean \"causal\"?"));
  }
  refuses({"describe", "--set", "weights=trained", "--set", "block_layers=5"}, 2,
          MatchesRegex("--set block_layers=5: block_layers stays [0-9]+: .*; change it with weights=random"));
  refuses({"describe", "--set", "heads"}, 2, "--set: \"heads\" is not name=value, such as heads=8");
}

TEST_F(CommandLineTest, ALessonIsForTheWindow) {
  refuses({"--lesson", "no-such-file.json", "describe"}, 2,
          HasSubstr("--lesson opens a lesson in the window"));
}

TEST_F(CommandLineTest, TokensThatTheSentenceHasNotAreTold) {
  const Outcome outcome =
      run({"describe", "--set", "sentence=a b c", "--set", "query=1,99", "--set", "key=3"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("note: query 99: the sentence has 3 tokens, 0 to 2; it is left out\n"));
  EXPECT_THAT(outcome.err, HasSubstr("note: key 3: the sentence has 3 tokens, 0 to 2; 2 is used instead\n"));
  EXPECT_EQ(run({"describe", "--set", "sentence=a b c", "--set", "query=2", "--set", "key=0"}).err, "");
  // A file says it as well as an option, and a number of such a token says why there is none.
  std::ofstream(file("short.json")) << R"({"sentence": "a b c", "query": [5], "key": 7})";
  EXPECT_EQ(run({"describe", file("short.json")}).err,
            "headlight: note: " + file("short.json") +
                ": query 5: the sentence has 3 tokens, 0 to 2; 2 is used instead\n" + "headlight: note: " +
                file("short.json") + ": key 7: the sentence has 3 tokens, 0 to 2; 2 is used instead\n");
  EXPECT_EQ(run({"describe", file("short.json"), "--set", "query=1", "--set", "key=0"}).err, "");
  const auto exported = [&](const std::string& what) {
    return run({"export", "--set", "sentence=a b c", "--what", what, "--out", file("a.json")});
  };
  EXPECT_EQ(exported("weight query=5").status, 1);
  EXPECT_EQ(exported("weight query=5").err,
            "headlight: this scene has no weight of query 5: the sentence has 3 tokens, 0 to 2\n");
  EXPECT_EQ(exported("row_sum head=9").err,
            "headlight: this scene has no row_sum of head 9: there are 4 heads, 1 to 4\n");
  EXPECT_EQ(exported("row_sum head=two").err,
            "headlight: --what: row_sum: head: expected a whole number, found \"two\"\n");
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
      EXPECT_THAT(outcome.err,
                  HasSubstr(weights == "nope.safetensors" ? "check its name" : "`headlight train`"));
    }
  }
  EXPECT_FALSE(std::filesystem::exists(file("a.png")));
  EXPECT_FALSE(std::filesystem::exists(file("a.npy")));
  // Words that the model does not know are told.
  EXPECT_THAT(run({"describe", "--welcome", "--set", "sentence=the zorgon sees the cat ."}).out,
              testing::AllOf(HasSubstr("“zorgon” is not in the model’s vocabulary"), HasSubstr("zorgon (1)"),
                             HasSubstr("guided during training")));
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
  refuses({"describe", file("none.json")}, 1,
          "cannot read " + file("none.json") + ": no such file; check its name");
  refuses({file("none.json")}, 1, "cannot read " + file("none.json") + ": no such file; check its name");
  refuses({"describe", folder_.path().string()}, 1, HasSubstr("no model in this folder"));
  ASSERT_TRUE(io::write_file(folder_ / "b.json", "{\"heads\": 3}"));
  refuses({"describe", file("b.json")}, 1,
          file("b.json") + ": heads must divide d_model (32): 1, 2, 4, 8, 16 or 32, not 3");
  ASSERT_TRUE(io::write_file(folder_ / "c.json", "words"));
  refuses({"describe", file("c.json")}, 1, file("c.json") + ": invalid JSON at line 1, column 1");
  ASSERT_TRUE(io::write_file(folder_ / "d.json", std::string("\x89PNG\0\r\n", 7)));
  refuses({"describe", file("d.json")}, 1, HasSubstr("invalid PNG file"));
}

TEST_F(CommandLineTest, FilesThatCannotBeWritten) {
  refuses({"export", "--what", "q", "--out", file("none") + "/a.npy"}, 1,
          "cannot write " + file("none") + "/a.npy: the folder " + file("none") + " does not exist");
  std::filesystem::create_directory(folder_ / "d.npy");
  refuses({"export", "--what", "q", "--out", file("d.npy")}, 1,
          "cannot write " + file("d.npy") + ": it is a folder");
  refuses({"export", "--what", "q", "--out", "bad\nname/a.npy"}, 1, HasSubstr("does not exist"));
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
  EXPECT_THAT(masked, HasSubstr("head 1: no weights"));
  EXPECT_THAT(masked, testing::Not(HasSubstr("entropy")));
  const std::string escaped =
      run({"describe", "--set", "sentence=\x1b[31m\n", "--set", "tokenizer=chars"}).out;
  EXPECT_THAT(escaped, HasSubstr("\\x1b"));
  EXPECT_THAT(escaped, testing::Not(HasSubstr("\x1b")));
}

TEST_F(CommandLineTest, AMegabyteIsAnsweredAndCut) {
  scene::Scene scene;
  scene.d_model = 1;
  scene.heads = 1;
  scene.positions.count = 1;
  scene.sentence.clear();
  while (scene.sentence.size() < (1u << 20)) scene.sentence += "word ";
  ASSERT_TRUE(scene::save(scene, folder_ / "long.json"));
  const Outcome outcome = run({"export", file("long.json"), "--what", "output", "--out", file("o.npy")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "headlight: note: the sentence has 209716 tokens; only the first 8192 are used\n");
  EXPECT_EQ(tests::parse_npy(*io::read_file(file("o.npy")), "o.npy").shape, (std::vector<int>{8192, 1}));
}

}  // namespace
}  // namespace headlight::app
