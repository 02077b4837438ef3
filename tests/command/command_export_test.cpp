// What the program writes: arrays, tables and figures, read back by their numbers and by NumPy.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "command_line.h"
#include "io/files.h"
#include "io/npz.h"
#include "pages/compute.h"
#include "pages/tables.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "support/model_files.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "support/tool.h"

namespace headlight::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

/// Where there is no number, there is no file, whatever its format: a shape alone is none.
TEST_F(CommandLineTest, NothingIsNoFile) {
  for (const std::string ending : {".npy", ".json", ".npz", ".csv"}) {
    for (const std::string what : {"weights", "scores", "q", "output", "map", "entropy"}) {
      const std::string path = file("nothing" + ending);
      const auto ran = run({"export", "--set", "sentence=", "--what", what, "--out", path});
      EXPECT_EQ(ran.status, 1) << what << ending;
      EXPECT_THAT(ran.err, HasSubstr("its sentence has no tokens")) << what << ending;
      EXPECT_FALSE(std::filesystem::exists(path)) << what << ending;
    }
  }
}

/// A list of different quantities has their names, in CSV too; a grid has those of its rows and columns in
/// JSON.
TEST_F(CommandLineTest, NumbersOfDifferentThingsHaveTheirNames) {
  const auto written = [&](const std::string& what, const std::string& name) {
    EXPECT_EQ(run({"export", "--what", what, "--out", file(name)}).status, 0) << what;
    return *io::read_file(file(name));
  };
  const std::string arithmetic = written("arithmetic", "a.csv");
  EXPECT_THAT(arithmetic, StartsWith("quantity,value\nhead,0\nquery,1\nkey,3\nq·k,5.86"));
  EXPECT_THAT(arithmetic, HasSubstr("\nrow sum,2.148"));
  EXPECT_THAT(written("memory_capacity", "d.csv"), MatchesRegex("[0-9.,e+\nna-]+"))
      << "a grid is numbers alone";
  const auto one = nlohmann::json::parse(written("arithmetic", "a.json"));
  ASSERT_EQ(one["labels"]["quantity"].size(), one["data"].size());
  EXPECT_EQ(one["labels"]["quantity"][3], "q·k");
  const auto table = nlohmann::json::parse(written("memory_capacity", "d.json"));
  EXPECT_EQ(table["axes"], nlohmann::json({"line", "quantity"}));
  EXPECT_EQ(table["labels"]["quantity"].size(), table["data"][0].size());
  const auto cost = nlohmann::json::parse(written("cost_table", "c.json"));
  EXPECT_EQ(cost["labels"]["quantity"][1], "multiply-adds");
  EXPECT_FALSE(nlohmann::json::parse(written("weights", "w.json")).contains("labels")) << "tokens are there";
}

/// A setting that chooses a head, a layer or a token says when there is none, and which one is shown.
TEST_F(CommandLineTest, AChoiceThatIsNotThereIsSaid) {
  const auto message = [&](std::vector<std::string> sets) {
    std::vector<std::string> words = {"describe"};
    for (std::string& set : sets) words.insert(words.end(), {"--set", std::move(set)});
    const auto ran = run(words);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.err;
  };
  EXPECT_THAT(message({"page=bench", "bench_a=9"}),
              HasSubstr("note: bench_a 9: there are 4 heads, 1 to 4; 4 is used instead"));
  EXPECT_THAT(message({"page=position", "position_pair=999"}),
              HasSubstr("note: position_pair 999: there are 16 pairs, 0 to 15; 15 is used instead"));
  EXPECT_EQ(message({"page=position", "position_pair=999", "position_pair=3"}), "");
  EXPECT_EQ(message({"page=bench", "bench_a=4", "bench_b=1"}), "");
  EXPECT_THAT(run({"describe", "--page", "bench", "--set", "bench_a=9"}).err,
              HasSubstr("note: bench_a 9: there are 4 heads, 1 to 4; 4 is used instead"));
  EXPECT_THAT(run({"export", "--what", "similarity", "--set", "bench_a=9", "--out", file("s.json")}).err,
              HasSubstr("note: bench_a 9: there are 4 heads, 1 to 4; 4 is used instead"));
  EXPECT_THAT(message({"page=memory", "sentence=a b c", "memory_step=5"}),
              HasSubstr("note: memory_step 5: the sentence has 3 tokens, 1 to 3; 3 is used instead"));
  EXPECT_EQ(message({"page=memory", "sentence=a b c"}), "");
  EXPECT_THAT(message({"page=training", "training_run=6", "training_layer=5"}),
              AllOf(HasSubstr("training_run 6: there are 2 runs, 1 to 2; 2 is used instead"),
                    HasSubstr("training_layer 5: there are 2 layers, 1 to 2; 2 is used instead")));
  EXPECT_THAT(message({"page=block", "block_model=encoder_decoder", "block_encdec_training=300",
                       "sentence=abc", "block_encdec_step=8"}),
              HasSubstr("note: block_encdec_step 8: there are "));
  // In whatever order a layer and its model are named.
  const char* layer = "weights_layer 7: there are 2 layers, 1 to 2; 2 is used instead";
  EXPECT_THAT(message({"weights_layer=7", "model=small-english"}), HasSubstr(layer));
  EXPECT_THAT(message({"model=small-english", "weights_layer=7"}), HasSubstr(layer));
  EXPECT_EQ(message({"model=small-english", "weights_layer=7", "weights_layer=2"}), "");
  EXPECT_THAT(run({"describe", "--set", "page=bench", "--set", "bench_off=9"}).out,
              HasSubstr("Heads that are off: 0"));
}

/// What is pinned and is not there is the last token's: in every description and every table.
// All tables of a page are written by one command; the first one also by itself, as --what gives it.
TEST_F(CommandLineTest, AQueryThatIsNotThereHasOneAnswerAtEveryDoor) {
  int tables = 0, answered = 0;
  for (const std::string page : {"attention", "order", "variants", "memory", "bench", "block"}) {
    const auto ask = [&](const char* command, bool there, std::vector<std::string> more = {}) {
      const char* query = there ? "query=2" : "query=7,5";
      const char* key = there ? "key=2" : "key=9";
      std::vector<std::string> words = {command, "--set", "page=" + page, "--set", "sentence=a b c",
                                        "--set", query,   "--set",        key};
      words.insert(words.end(), more.begin(), more.end());
      return run(words);
    };
    const Outcome beyond = ask("describe", false), there = ask("describe", true);
    EXPECT_EQ(beyond.status, 0) << beyond.err;
    EXPECT_EQ(beyond.out, there.out) << page;
    const bool pins = page != "memory" && page != "block";  // those show no pinned query
    EXPECT_EQ(beyond.err.find("query 7, 5: the sentence has 3 tokens, 0 to 2; 2 is used instead") !=
                  std::string::npos,
              pins)
        << page;
    const auto written = [&](bool is_there, std::vector<std::string> what, const std::string& out) {
      std::filesystem::remove(out);
      what.insert(what.end(), {"--out", out});
      const int status = ask("export", is_there, what).status;
      const auto bytes = io::read_file(out);
      const bool some = bytes && !bytes->empty();
      EXPECT_EQ(status == 0, some) << page << ": an empty file is no answer";
      return bytes ? *bytes : std::string();
    };
    const std::string a = written(false, {"--page", page}, file("a.npz")),
                      b = written(true, {"--page", page}, file("b.npz"));
    const char* first = nullptr;
    for (const scene::Table& table : scene::tables()) {
      if (word(table.page) != page) continue;
      const std::string entry = std::string(table.name) + ".npy";
      const auto of_a = io::read_zip_entry(a, entry, "a.npz"), of_b = io::read_zip_entry(b, entry, "b.npz");
      ASSERT_EQ(bool(of_a), bool(of_b)) << page << ' ' << table.name;
      ++tables, answered += of_a ? 1 : 0;
      if (!of_a) continue;
      EXPECT_TRUE(*of_a == *of_b) << page << ' ' << table.name;
      if (!first) first = table.name;
    }
    ASSERT_TRUE(first) << page;
    EXPECT_EQ(written(false, {"--what", first}, file("a.csv")),
              written(true, {"--what", first}, file("b.csv")))
        << page << ' ' << first;
  }
  EXPECT_GT(tables, 60);
  EXPECT_GT(answered, tables / 2);
}

/// Weights that are numbers, and so large that their scores are none.
TEST_F(CommandLineTest, WhatOverflowsIsSaid) {
  scene::TrainedModel model = tests::small_model("large");
  for (float& w : model.weights.stack.layers[0].attention.w_q.values()) w = 1e38f;
  for (float& w : model.weights.stack.layers[0].attention.w_k.values()) w = 1e38f;
  tests::write_model(file("large.safetensors"), model);
  const std::vector<std::string> sets = {"--set", "weights=file",
                                         "--set", "weights_file=" + file("large.safetensors"),
                                         "--set", "weights_layer=1"};
  for (std::vector<std::string> words :
       {std::vector<std::string>{"render", "--out", file("x.svg")},
        std::vector<std::string>{"export", "--what", "weights", "--out", file("x.csv")}}) {
    words.insert(words.end(), sets.begin(), sets.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("not finite: the scores are too large for single precision\n"));
  }
}

TEST_F(CommandLineTest, NumbersThatAreNotThereAreAnErrorAndNoFile) {
  for (const char* what : {"weights", "rows", "map", "kernels"}) {
    const Outcome none = run({"export", "--set", "sentence=", "--what", what, "--out", file("n.csv")});
    EXPECT_EQ(none.status, 1) << what;
    EXPECT_THAT(none.err,
                HasSubstr(std::string("this scene has no ") + what + ": its sentence has no tokens"));
    EXPECT_FALSE(std::filesystem::exists(file("n.csv")));
  }
  const Outcome none = run({"export", "--set", "query=", "--what", "rows", "--out", file("n.csv")});
  EXPECT_EQ(none.status, 1);
}

TEST_F(CommandLineTest, ExportsHaveTheShapesAndNumbersOfTheResults) {
  const std::vector<std::string> sets = {"sentence=one two three", "d_model=12", "heads=3", "mask=causal",
                                         "positions=7"};
  scene::Scene scene;
  for (const std::string& set : sets) ASSERT_TRUE(scene::set_field(scene, set));
  base::Parallel parallel(1);
  const auto results = scene::compute_now(scene, parallel, nullptr);
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

TEST_F(CommandLineTest, AnEmptySentenceHasItsPositions) {
  EXPECT_EQ(exported("positions", {"sentence="}).shape, (std::vector<int>{60, 32}));
  EXPECT_THAT(run({"describe", "--set", "sentence="}).out, HasSubstr("no tokens"));
}

TEST_F(CommandLineTest, FiguresOfCardsOpenTheirScene) {
  EXPECT_THAT(run({"render", "--page", "cost", "--list-panels"}).out,
              HasSubstr("table\tWhat one layer costs\n"));
  EXPECT_THAT(run({"render", "--page", "worked", "--list-panels"}).out, HasSubstr("\tno slide\n"));
  for (const char* name : {"a.svg", "a.pdf", "a.png"}) {
    const Outcome outcome =
        run({"render", "--panel", "cell", "--theme", "light", "--width-mm", "85", "--transparent", "--set",
             "sentence=figures carry scenes", "--out", file(name)});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(run({"describe", file(name)}).out, HasSubstr("carry")) << name;
  }
  refuses({"render", "--panel", "celll", "--out", file("b.svg")}, 2, HasSubstr("Did you mean \"cell\"?"));
  // Names that cards and a table had before.
  EXPECT_EQ(run({"render", "--page", "worked", "--panel", "hats", "--out", file("hats.svg")}).status, 0);
  EXPECT_EQ(run({"render", "--page", "order", "--present", "seats", "--out", file("seats.png")}).status, 0);
  EXPECT_EQ(run({"export", "--page", "order", "--panel", "seats", "--out", file("seats.csv")}).status, 0);
  EXPECT_EQ(run({"export", "--page", "order", "--what", "order_seats", "--out", file("table.csv")}).status,
            0);
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
  // Times are measured when they are what is meant, or when that is said.
  ASSERT_EQ(run({"export", "--what", "cost_times", "--set", "cost_d=1", "--out", file("t.json")}).status, 0);
  const auto times = nlohmann::json::parse(*io::read_file(file("t.json")));
  EXPECT_EQ(times["shape"][1], 5);
  EXPECT_EQ(times["data"][0][0], 16);
  EXPECT_GT(times["data"][0][1], 0);
  const auto tables_of_cost = [&](std::vector<std::string> words) {
    std::vector<std::string> line = {"export",   "--page", "cost",        "--set",
                                     "cost_d=1", "--out",  file("p.json")};
    line.insert(line.end(), words.begin(), words.end());
    EXPECT_EQ(run(line).status, 0);
    return nlohmann::json::parse(*io::read_file(file("p.json")))["tensors"].size();
  };
  EXPECT_EQ(tables_of_cost({"--measure"}), tables_of_cost({}) + 1);
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
  EXPECT_EQ(outcome.message, "all of it holds (1, 4, 6, 6)\n");
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

}  // namespace
}  // namespace headlight::app
