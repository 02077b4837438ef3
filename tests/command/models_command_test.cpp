// `headlight model`, `next` and `generate` with other people's models: the reference data's small ones, and
// the trained ones where HEADLIGHT_MODELS has them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/numbers.h"
#include "command_line.h"
#include "io/files.h"
#include "support/whole_model.h"

namespace headlight::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// A trained model that is no part of the program: where HEADLIGHT_MODELS says, else beside the sources.
std::filesystem::path trained(const char* name) {
  const char* folder = std::getenv("HEADLIGHT_MODELS");
  return (folder && *folder ? std::filesystem::path(folder)
                            : std::filesystem::path(HEADLIGHT_SOURCE_DIR) / ".." / "shared" / "models") /
         name;
}

class ModelsCommandTest : public CommandLineTest {
 protected:
  const tests::ReferenceData& data_ = tests::ReferenceData::instance();
  std::string llama_ = data_.models() + "models/llama";
  nlohmann::json manifest_ = data_.json(llama_ + "/manifest.json");
  std::string path_ = (data_.on_disk(llama_) / manifest_["variants"][0]["dir"].get<std::string>()).string();
  std::string set_ = manifest_["variants"][0]["expected"];
};

TEST_F(ModelsCommandTest, AModelIsDescribed) {
  const Outcome outcome = run({"model", path_});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr(": Llama\n"), HasSubstr("causal"), HasSubstr("RoPE on ")));
  const std::string layers = std::to_string(manifest_["config"]["num_hidden_layers"].get<int>());
  EXPECT_THAT(outcome.out, HasSubstr("\nlayers          " + layers + " of "));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\nblock           pre-norm: "), HasSubstr("RMS norm, ε = 1e−05"),
                                 HasSubstr(", SiLU, gated\n"), HasSubstr("a matrix of its own\n")));
}

/// Models of Headlight are described, too; commands that only take others say what to do.
TEST_F(ModelsCommandTest, AModelOfHeadlightIsDescribed) {
  const Outcome included = run({"model", "dictionary"});
  EXPECT_EQ(included.status, 0) << included.err;
  EXPECT_THAT(included.out,
              AllOf(HasSubstr(": a model of Headlight\n"), HasSubstr("\nlayers          4 of 8 heads"),
                    HasSubstr("\nvocabulary      2,048 tokens: byte-level BPE\n"),
                    HasSubstr("\nweights         included in the program\n"), HasSubstr("\n  layer3_w_q")));
  const auto file = std::string(HEADLIGHT_SOURCE_DIR) + "/assets/models/pronouns-guided.safetensors";
  // The sizes that the file's own header states.
  const std::string bytes = *io::read_file(file);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  long long parameters = 0;
  const nlohmann::json stated = nlohmann::json::parse(bytes.substr(8, length));
  for (const auto& [name, tensor] : stated.items()) {
    if (name == "__metadata__") continue;
    long long elements = 1;
    for (const auto& side : tensor["shape"]) elements *= side.get<long long>();
    parameters += elements;
  }
  const Outcome guided = run({"model", file});
  EXPECT_EQ(guided.status, 0) << guided.err;
  EXPECT_THAT(guided.out,
              AllOf(HasSubstr("\nguided          head 1 of layer 2, weight 0.3\n"), HasSubstr(file),
                    HasSubstr("\nparameters      " + base::with_commas(parameters) + "\n")));
  for (const std::string& name : {std::string("small-english"), file}) {
    const std::string wanted = " is a model of Headlight: `headlight describe --page model --model PATH`";
    refuses({"next", "--model", name, "--set", "sentence=a"}, 1, HasSubstr(wanted));
    refuses({"generate", "--model", name, "--prompt", "a"}, 1, HasSubstr(wanted));
    EXPECT_EQ(run({"describe", "--page", "model", "--model", name}).status, 0) << name;
  }
}

/// Each tensor of the header has its line with type and shape, below "ignored" where the network does not
/// need it; a layer's number is a number.
TEST_F(ModelsCommandTest, EveryTensorIsListedUsedOrIgnored) {
  const auto folder = data_.on_disk(data_.models() + "models/gpt_neo") / "f32";
  const Outcome outcome = run({"model", folder.string()});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string file = *io::read_file(folder / "model.safetensors");
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  const nlohmann::json header = nlohmann::json::parse(file.substr(8, length));
  const std::size_t ignored = outcome.out.find("\nignored ");
  ASSERT_NE(ignored, std::string::npos);
  int all = 0, not_used = 0;
  for (const auto& [name, tensor] : header.items()) {
    if (name == "__metadata__") continue;
    ++all;
    const std::size_t at = outcome.out.find("\n  " + name + " ");
    ASSERT_NE(at, std::string::npos) << name;
    const std::string row = outcome.out.substr(at + 1, outcome.out.find('\n', at + 1) - at - 1);
    std::string shape = "[";
    for (const auto& side : tensor["shape"])
      shape += (shape.size() > 1 ? ", " : "") + std::to_string(side.get<int>());
    EXPECT_THAT(row, AllOf(HasSubstr(" " + tensor["dtype"].get<std::string>() + " "),
                           testing::EndsWith(" " + shape + "]")));
    const bool buffer =
        name.ends_with("attention.bias") || name.ends_with("masked_bias") || name.ends_with("inv_freq");
    not_used += buffer;
    EXPECT_EQ(at >= ignored, buffer) << name;
  }
  EXPECT_GT(not_used, 0);
  EXPECT_THAT(outcome.out, HasSubstr(std::to_string(all) + " in the files, " +
                                     std::to_string(all - not_used) + " used:\n"));
}

TEST_F(ModelsCommandTest, WindowsCapsAndScalingAreSaid) {
  const auto message = [&](const std::string& family, const char* variant) {
    const Outcome outcome =
        run({"model", (data_.on_disk(data_.models() + "models/" + family) / variant).string()});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_THAT(message("gemma2", "bf16"),
              AllOf(HasSubstr("window of 4 keys in layers 1, 3\n"), HasSubstr(", capped at 5\n"),
                    HasSubstr("tied), logits capped at 3\n"), HasSubstr("four norms: ")));
  EXPECT_THAT(message("mistral", "f32"), HasSubstr("window of 4 keys\n"));
  EXPECT_THAT(message("llama3-rope", "f32"), HasSubstr(", scaling llama3, factor 8\n"));
  EXPECT_THAT(message("qwen3", "f16"), HasSubstr("each head of q and k has a RMS norm"));
}

TEST_F(ModelsCommandTest, WhatDiffersBetweenLayersIsSaidOfEach) {
  const std::filesystem::path folder = file("by layer");
  const std::string family = data_.models() + "tiny-gpt2",
                    variant = data_.json(family + "/manifest.json")["variants"][0]["dir"];
  std::filesystem::copy(data_.on_disk(family) / variant, folder);
  nlohmann::json config = nlohmann::json::parse(*io::read_file(folder / "config.json"));
  const double scale = 1 / std::sqrt(config["n_embd"].get<double>() / config["n_head"].get<double>());
  const std::string once = base::brief(scale, 4), halved = base::brief(scale / 2, 4);
  EXPECT_THAT(run({"model", folder.string()}).out, HasSubstr("q · k × " + once + "\n"));
  config["scale_attn_by_inverse_layer_idx"] = true;
  std::ofstream(folder / "config.json") << config.dump();
  EXPECT_THAT(run({"model", folder.string()}).out,
              HasSubstr("q · k × " + once + " in layer 1, × " + halved + " in layer 2"));
}

TEST_F(ModelsCommandTest, LayersOfDifferentWidthsAreCountedByTheirKind) {
  const std::filesystem::path folder = trained("use-lite");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  EXPECT_THAT(
      run({"model", folder.string()}).out,
      AllOf(HasSubstr("\nlayers          1 of 4 heads, head width 64; 1 of 4 heads, head width 128\n"),
            HasSubstr("\nwidth           256 in the first layer, then 512\n"),
            HasSubstr("q · k × 0.125 in layer 1, × 0.08839 in layer 2\n")));
}

/// What separates two texts is known from the tokenizer, without one from config.json, or not at all.
TEST_F(ModelsCommandTest, HowTokenTypesAreGivenIsSaid) {
  EXPECT_THAT(run({"model", path_}).out, testing::Not(HasSubstr("token types")));
  const std::string folder = data_.models() + "tiny-bert",
                    variant = data_.json(folder + "/manifest.json")["variants"][0]["dir"];
  const std::string bert = tests::whole_model("tiny-bert", variant, file("")).string();
  EXPECT_THAT(run({"model", bert}).out, HasSubstr("\ntoken types     0 up to the first [SEP], 1 after it\n"));
  EXPECT_THAT(run({"describe", "--set", "model=" + bert, "--set", "sentence=the cat [SEP] it was"}).out,
              HasSubstr(", token type 1 from token 4 on"));
  EXPECT_THAT(run({"describe", "--set", "model=" + bert, "--set", "sentence=the cat"}).out,
              testing::Not(HasSubstr("token type")));
  const std::filesystem::path bare = file("bare");
  std::filesystem::create_directory(bare);
  for (const char* name : {"config.json", "model.safetensors"})
    std::filesystem::copy(data_.on_disk(folder) / variant / name, bare / name);
  EXPECT_THAT(run({"model", bare.string()}).out,
              HasSubstr("\ntoken types     0 of every token: no separator of two texts is known\n"));
  std::ifstream in(bare / "config.json");
  nlohmann::json config = nlohmann::json::parse(in);
  config["sep_token_id"] = 3;
  std::ofstream(bare / "config.json") << config.dump();
  EXPECT_THAT(run({"model", bare.string()}).out,
              HasSubstr("\ntoken types     0 up to the first 3, 1 after it\n"));
}

TEST_F(ModelsCommandTest, NextTokensAreThoseOfTheReference) {
  int cases = 0;
  for (const auto& one : manifest_["cases"]) {
    if (!one["expected"][set_].contains("logits") || one["input_ids"][0].is_array()) continue;
    const nlohmann::json& entry = one["expected"][set_]["logits"];
    const tests::Array logits = data_.array(llama_ + "/" + entry["file"].get<std::string>());
    const int T = logits.dim(0), V = logits.dim(1);
    const auto p = [&](int t, int v) {
      const double* row = &logits.values[static_cast<std::size_t>(t) * static_cast<std::size_t>(V)];
      double all = 0;
      for (int other = 0; other < V; ++other) all += std::exp(row[other] - row[v]);
      return 1 / all;
    };
    ++cases;
    const Outcome outcome = run({"next", "--model", path_, "--ids", list_of(one["input_ids"]), "--top", "5"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    // The last five lines: rank, token, percent.
    std::istringstream lines(outcome.out.substr(outcome.out.find("\nafter ")));
    std::string line;
    std::getline(lines, line), std::getline(lines, line);
    std::vector<double> last;
    for (int v = 0; v < V; ++v) last.push_back(p(T - 1, v));
    std::sort(last.rbegin(), last.rend());
    for (std::size_t rank = 0; rank < 5; ++rank) {
      ASSERT_TRUE(std::getline(lines, line));
      const std::size_t end = line.rfind(" %"), from = line.rfind(' ', end - 1);
      EXPECT_NEAR(std::stod(line.substr(from)), 100 * last[rank], 0.051) << line;
    }
    // The loss of each token is that of the golden logits.
    double sum = 0;
    for (int t = 0; t + 1 < T; ++t)
      sum -= std::log(p(t, one["input_ids"][static_cast<std::size_t>(t) + 1].get<int>()));
    if (T < 2) continue;
    const std::size_t at = outcome.out.find("mean loss ");
    ASSERT_NE(at, std::string::npos);
    EXPECT_NEAR(std::stod(outcome.out.substr(at + 10)), sum / (T - 1), 0.00051);
  }
  EXPECT_GT(cases, 0);
}

TEST_F(ModelsCommandTest, WritingOnTakesTheMostProbableAndDrawsAreRepeated) {
  const nlohmann::json& one = manifest_["cases"][0];
  const std::string ids = list_of(one["input_ids"]);
  const auto written = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"generate", "--model", path_, "--ids", ids, "--tokens", "4"});
    const Outcome outcome = run(more);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  };
  const std::string drawn = written({"--temperature", "2", "--seed", "5"});
  EXPECT_EQ(drawn, written({"--temperature", "2", "--seed", "5"}));
  EXPECT_NE(drawn, written({"--temperature", "2", "--seed", "6"}));
  EXPECT_EQ(written({}), written({"--temperature", "2", "--top-k", "1"}))
      << "one candidate is the most probable";
  EXPECT_EQ(written({}), written({"--temperature", "2", "--top-p", "0"}));
}

/// Into a pipe or a file the text goes as it is; a terminal would obey its control characters.
TEST_F(ModelsCommandTest, ATextSteersNoTerminal) {
  const std::string model = tests::whole_model("tiny-gpt2", "f16-transformer", file("")).string();
  const std::string text = "a\x1b[2Jb\a";
  const Outcome piped = run({"generate", "--model", model, "--prompt", text, "--tokens", "0"});
  EXPECT_EQ(piped.out, text + "\n") << piped.err;
  ASSERT_TRUE(io::write_file(file("text"), text));
  const std::string command = "cd '" + folder_.path().string() +
                              "' && script -qec '" HEADLIGHT_PROGRAM " generate --model \"" + model +
                              "\" --tokens 0 --prompt \"$(cat text)\"' log >seen";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  EXPECT_THAT(*io::read_file(file("seen")), HasSubstr("a\\x1b[2Jb\\x07"));
}

TEST_F(ModelsCommandTest, WritingOnWithHeadsOff) {
  // Without its tokenizer: the answer is ids.
  const std::string folder = file("alone");
  std::filesystem::create_directory(folder);
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("tokenizer"))
      std::filesystem::copy(entry.path(), std::filesystem::path(folder) / name);
  }
  const std::string off = "model_off=1.1 1.2:0.5 2.1";
  const auto generated = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"generate", "--model", folder, "--tokens", "5"});
    const Outcome outcome = run(more);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  };
  std::string ids = list_of(manifest_["cases"][0]["input_ids"]);
  const std::string changed = generated({"--ids", ids, "--set", off});
  EXPECT_NE(changed, generated({"--ids", ids}));
  EXPECT_EQ(changed, generated({"--set", off, "--set", "token_ids=" + ids}));
  EXPECT_EQ(generated({"--ids", ids, "--set", "model_off=1.1:1"}), generated({"--ids", ids}));
  // Each token is the most probable of the changed model, as `next` has it.
  std::istringstream written(changed.substr(changed.find('|') + 1));
  int tokens = 0;
  for (std::string token; written >> token; ++tokens) {
    const Outcome outcome =
        run({"next", "--model", folder, "--ids", ids, "--set", off, "--top", "1000", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    int best = -1;
    double most = -1;
    const nlohmann::json reported = nlohmann::json::parse(outcome.out);
    for (const auto& one : reported["predicted"][0]["top"]) {
      if (one["probability_off"].get<double>() > most) most = one["probability_off"], best = one["id"];
    }
    EXPECT_EQ(best, std::stoi(token)) << "after " << ids;
    ids += "," + token;
  }
  EXPECT_GT(tokens, 0) << changed;
  refuses({"generate", "--model", folder, "--ids", "4", "--set", "model_off=9.9"}, 1, HasSubstr("model_off"));
  for (const char* name : {"heads", "mask", "junk"})
    refuses({"generate", "--model", folder, "--ids", "4", "--set", std::string(name) + "=1"}, 2,
            HasSubstr("sentence, token_ids or model_off can be set"));
  refuses({"model", folder, "--set", "heads=8"}, 2, HasSubstr("takes no settings"));
}

TEST_F(ModelsCommandTest, WherePositionsChangeWithTheLengthEachTokenIsThatOfTheWholeText) {
  // Without its tokenizer: the answer is ids.
  const auto from = data_.on_disk(data_.models() + "models/llama-dynamic") / "f32-old-key";
  const std::string folder = file("dynamic");
  std::filesystem::create_directory(folder);
  for (const char* name : {"config.json", "model.safetensors"})
    std::filesystem::copy(from / name, std::filesystem::path(folder) / name);
  std::string ids = "1,142,102,87,161,151,324,447,377,440";  // 10 tokens; beyond 12 RoPE changes with each
  const Outcome outcome = run({"generate", "--model", folder, "--ids", ids, "--tokens", "6"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream written(outcome.out.substr(outcome.out.find('|') + 1));
  int tokens = 0;
  for (std::string token; written >> token; ++tokens) {
    const Outcome whole = run({"next", "--model", folder, "--ids", ids, "--top", "1", "--json"});
    ASSERT_EQ(whole.status, 0) << whole.err;
    EXPECT_EQ(nlohmann::json::parse(whole.out)["predicted"][0]["top"][0]["id"].get<int>(), std::stoi(token))
        << "after " << ids;
    ids += "," + token;
  }
  EXPECT_EQ(tokens, 6) << outcome.out;
  const std::string bert =
      tests::whole_model(
          "tiny-bert", data_.json(data_.models() + "tiny-bert/manifest.json")["variants"][0]["dir"], file(""))
          .string();
  refuses({"generate", "--model", bert, "--ids", "1,2"}, 1,
          HasSubstr("is not causal, so it cannot continue a text"));
}

TEST_F(ModelsCommandTest, WhatCannotBeDoneIsOneLine) {
  refuses({"next"}, 2, StartsWith("--model requires a folder"));
  refuses({"model"}, 2, StartsWith("model requires a folder or a file"));
  refuses({"next", "--model", file("none")}, 1, HasSubstr("none"));
  refuses({"next", "--model", path_, "--ids", "1,x"}, 2,
          HasSubstr("--ids: \"1,x\" is not a list of token ids"));
  refuses({"next", "--model", path_, "--ids", "999999"}, 1, HasSubstr("999999"));
  refuses({"next", "--model", path_, "--ids", "1", "--top", "0"}, 2,
          HasSubstr("--top: \"0\" is not a number from 1"));
  refuses({"generate", "--model", path_, "--ids", "1", "--top-p", "1.5"}, 2,
          HasSubstr("--top-p: \"1.5\" is not a number from 0 to 1"));
  refuses({"generate", "--model", path_, "--ids", "1", "--temperature", "-1"}, 2, HasSubstr("--temperature"));
  refuses({"generate", "--model", path_, "--ids", "999999", "--tokens", "0"}, 1,
          HasSubstr("has no token 999999"));
  refuses({"generate", "--model", path_, "--prompt", "Once", "upon"}, 2, HasSubstr("takes no scene"));
}

TEST_F(ModelsCommandTest, OneTextIsGivenAndNoneIsIgnored) {
  refuses({"generate", "--model", path_, "--prompt", "Once", "--ids", "4"}, 2,
          StartsWith("--prompt and --ids are two texts"));
  refuses({"generate", "--model", path_, "--prompt", "", "--ids", "4"}, 2, HasSubstr("two texts"));
  refuses({"next", "--model", path_, "--ids", "5,17", "--set", "token_ids=9,9"}, 2,
          StartsWith("--ids and --set token_ids are two texts"));
  refuses({"next", "--model", path_, "--ids", "5,17", "--set", "sentence=the cat"}, 2,
          StartsWith("--ids and --set sentence are two texts"));
  refuses({"next", "--model", path_, "--set", "sentence=the cat", "--set", "token_ids=9,9"}, 2,
          StartsWith("--set sentence and --set token_ids are two texts"));
  refuses({"next", file("scene.json"), "--model", path_, "--ids", "5"}, 2, HasSubstr("two texts"));
  for (const char* command : {"next", "generate"}) {
    for (const char* ids : {"", "5,", ",5", "5,,17"})
      refuses({command, "--model", path_, "--ids", ids}, 2, HasSubstr("is not a list of token ids"));
  }
  // The settings in place of the options are the same text; −1 is none.
  const Outcome by_option = run({"next", "--model", path_, "--ids", "5,17"});
  EXPECT_EQ(by_option.status, 0) << by_option.err;
  EXPECT_EQ(run({"next", "--model", path_, "--set", "token_ids=5,17"}).out, by_option.out);
  EXPECT_EQ(run({"next", "--model", path_, "--ids", "5,17", "--set", "token_ids=-1"}).out, by_option.out);
  // A sentence replaces the ids of a scene.
  const std::string whole = tests::whole_model("models/llama", "bf16-sharded", file("")).string();
  ASSERT_EQ(run({"scene", "--set", "token_ids=5,17", "--out", file("scene.json")}).status, 0);
  EXPECT_EQ(run({"next", file("scene.json"), "--model", whole}).out,
            run({"next", "--model", whole, "--ids", "5,17"}).out);
  const std::vector<std::string> message = {"--model", whole, "--set", "sentence=the dog ran"};
  std::vector<std::string> alone = {"next"}, changed = {"next", file("scene.json")};
  alone.insert(alone.end(), message.begin(), message.end());
  changed.insert(changed.end(), message.begin(), message.end());
  EXPECT_EQ(run(changed).out, run(alone).out);
}

TEST_F(ModelsCommandTest, ATextThatNothingCutsIntoTokensIsSaidToBeUnused) {
  const std::string folder = file("alone");
  std::filesystem::create_directory(folder);
  std::filesystem::copy(data_.on_disk(data_.models() + "models/nanogpt") / "ckpt/ckpt.pt", folder);
  const Outcome requested = run({"describe", "--model", folder, "--set", "sentence=hello"});
  EXPECT_EQ(requested.status, 0);
  EXPECT_THAT(requested.err, AllOf(StartsWith("headlight: note: --set sentence=hello: not used: "),
                                   HasSubstr("no tokenizer"), HasSubstr("ids 0,1,2")));
  EXPECT_EQ(run({"describe", "--model", folder}).err, "");
  const std::string whole = tests::whole_model("models/llama", "bf16-sharded", file("")).string();
  EXPECT_EQ(run({"describe", "--model", whole, "--set", "sentence=hello"}).err, "");
}

/// One piece of advice, and the one that the list of models gives.
TEST_F(ModelsCommandTest, WeightsWithoutTheirConfigAreToldOnce) {
  const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  const std::string path = file("model.safetensors");
  std::ofstream(path, std::ios::binary)
      << static_cast<char>(header.size()) << std::string(7, '\0') << header << "1234";
  for (const Outcome& outcome :
       {run({"describe", "--set", "weights=file", "--set", "weights_file=" + path}), run({"model", path})}) {
    EXPECT_NE(outcome.status, 0);
    EXPECT_THAT(outcome.err, testing::EndsWith("put the model’s config.json into the same folder\n"));
  }
}

TEST_F(ModelsCommandTest, ATrainedModelWritesTheTextOfTheReference) {
  const std::filesystem::path stories = trained("stories260K");
  if (!std::filesystem::exists(stories / "hf")) GTEST_SKIP() << stories << " is not there";
  const Outcome outcome = run(
      {"generate", "--model", (stories / "hf").string(), "--prompt", "Once upon a time", "--tokens", "30"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              StartsWith("Once upon a time, there was a little girl named Lily. She loved to play"));
  EXPECT_EQ(run({"generate", "--model", (stories / "stories260K.bin").string(), "--prompt",
                 "Once upon a time", "--tokens", "30"})
                .out,
            outcome.out)
      << "both files are the same model";
}

}  // namespace
}  // namespace headlight::app
