// `headlight attention`, `compare` and `export --attention`, as a user calls them: every case of the
// reference data, and a model against attention that is known to be its own.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "command_line.h"
#include "support/whole_model.h"

namespace headlight::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class DumpsCommandTest : public CommandLineTest {
 protected:
  static std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }
  std::string case_path(const std::string& name) const { return (data_.on_disk("dumps") / name).string(); }
  std::string text_in(const std::string& name) const { return *io::read_file(file(name)); }
  /// Of a .npy file of any shape.
  tests::Array numbers_in(const std::string& name) const { return tests::parse_npy(text_in(name), name); }

  const tests::ReferenceData& data_ = tests::ReferenceData::instance();
};

TEST_F(DumpsCommandTest, EveryCaseOfTheReference) {
  const json manifest = data_.json("dumps/manifest.json");
  int sound = 0, refused = 0;
  for (const json& entry : manifest.at("cases")) {
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const std::string path = case_path(entry.at("path"));
    const auto began = std::chrono::steady_clock::now();
    const Outcome outcome =
        run({"export", "--attention", path, "--what", "weights", "--out", file("weights.npy")});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    EXPECT_LT(took.count(), 5);
    for (const json& left : entry.value("must_not_exist", json::array())) {
      EXPECT_FALSE(fs::exists(left.get<std::string>()));
      EXPECT_FALSE(fs::exists(fs::path(path).parent_path() / left.get<std::string>()));
    }
    const std::string expect = entry.at("expect");
    if (outcome.status != 0) {
      ++refused;
      EXPECT_NE(expect, "ok") << outcome.err;
      EXPECT_EQ(outcome.out, "");
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
      EXPECT_FALSE(fs::exists(file("weights.npy")));
      // The other commands say the same.
      EXPECT_EQ(run({"attention", path}).err, outcome.err);
      EXPECT_EQ(run({"compare", "--attention", path, "--attention", path}).err, outcome.err);
      continue;
    }
    ++sound;
    EXPECT_NE(expect, "error");
    const tests::Array got = numbers_in("weights.npy");
    const json& weights = entry.at("expected").at("weights");
    const tests::Array expected = data_.array("dumps/" + weights.at("file").get<std::string>());
    EXPECT_EQ(got.shape, expected.shape);
    const double most = weights.contains("tol") ? 0 : 1e-12;
    for (std::size_t i = 0; i < got.values.size(); ++i)
      ASSERT_LE(std::fabs(got.values[i] - expected.values[i]), most);
    const Outcome tokens = run({"export", "--attention", path, "--what", "tokens"});
    const json list = json::parse(tokens.out);
    EXPECT_EQ(entry.value("tokens", list), list);
    fs::remove(file("weights.npy"));
  }
  EXPECT_GT(sound, 20);
  EXPECT_GT(refused, 15);
}

TEST_F(DumpsCommandTest, AFileSaysWhatItHolds) {
  const Outcome outcome = run({"attention", case_path("npy-blocked-row/attention.npy")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("attention.npy: attention saved as NPY\n"),
                                 HasSubstr("[2, 1, 2, 7, 7]"), HasSubstr("float32"), HasSubstr("tokens.txt"),
                                 HasSubstr("1 row is all 0"), HasSubstr("layer 2, head 2, query 3")));
  const json message = json::parse(run({"attention", case_path("npy-cross/cross.npy"), "--json"}).out);
  EXPECT_EQ(message.at("shape"), json({2, 1, 3, 5, 9}));
  EXPECT_EQ(message.at("tokens").at("query")[1], "chat");
  EXPECT_THAT(
      run({"attention", case_path("qk-npy/q.npy")}).out,
      AllOf(HasSubstr("computed from q and k (float16), scale 0.25, causal"), HasSubstr("\"because\"")));
}

TEST_F(DumpsCommandTest, EntropyAndRolesAreThoseOfTheWeights) {
  const std::string path = case_path("npy-lhtt/attention.npy");
  const tests::Array w = data_.array("dumps/npy-lhtt/expected_weights.npy");  // [3, 1, 4, 8, 8]
  ASSERT_EQ(run({"export", "--attention", path, "--what", "entropy", "--out", file("e.npy")}).status, 0);
  const tests::Array entropy = numbers_in("e.npy");
  EXPECT_EQ(entropy.shape, (std::vector<int>{3, 1, 4, 8}));
  for (std::size_t row = 0; row < entropy.values.size(); ++row) {
    double bits = 0;
    for (std::size_t j = 0; j < 8; ++j) bits -= w.values[8 * row + j] * std::log2(w.values[8 * row + j]);
    EXPECT_NEAR(entropy.values[row], bits, 1e-12);
  }
  ASSERT_EQ(run({"export", "--attention", path, "--what", "roles", "--out", file("r.npy")}).status, 0);
  const tests::Array roles = numbers_in("r.npy");
  EXPECT_EQ(roles.shape, (std::vector<int>{3, 1, 4, 5}));
  const json listed = [&] {
    EXPECT_EQ(run({"export", "--attention", path, "--what", "roles", "--out", file("r.json")}).status, 0);
    return json::parse(text_in("r.json"));
  }();
  for (std::size_t map = 0; map < 12; ++map) {
    const double* const m = &w.values[64 * map];
    double previous = 0, self = 0;
    for (std::size_t i = 0; i < 8; ++i) self += m[9 * i] / 8, previous += i > 0 ? m[9 * i - 1] / 7 : 0;
    const double same = (m[4] + m[32]) / 2;  // "the" stands at 0 and 4
    EXPECT_NEAR(roles.values[5 * map], previous, 1e-12);
    EXPECT_NEAR(roles.values[5 * map + 3], self, 1e-12);
    EXPECT_NEAR(roles.values[5 * map + 4], same, 1e-12);
    EXPECT_NEAR(listed[map].at("same_token").get<double>(), same, 1e-12);
    EXPECT_EQ(listed[map].at("layer"), map / 4);
  }
  const std::string printed = run({"export", "--attention", path, "--what", "roles"}).out;
  EXPECT_THAT(printed, StartsWith("layer  sequence      head"));
  std::istringstream words(printed.substr(printed.find('\n')));
  for (std::size_t map = 0; map < 12; ++map) {
    std::size_t layer = 0, sequence = 9, head = 0;
    std::string score;
    words >> layer >> sequence >> head;
    EXPECT_EQ(layer, map / 4 + 1) << "text counts layers and heads from 1";
    EXPECT_EQ(sequence, 0u);
    EXPECT_EQ(head, map % 4 + 1);
    for (int role = 0; role < 5; ++role) words >> score;
  }
  ASSERT_EQ(run({"export", "--attention", path, "--what", "roles", "--out", file("r.csv")}).status, 0);
  EXPECT_THAT(text_in("r.csv"), HasSubstr("\n0,0,0,")) << "files count from 0";
  refuses({"export", "--attention", case_path("npy-cross/cross.npy"), "--what", "roles"}, 1,
          AllOf(HasSubstr("5 queries and 9 keys")));
}

TEST_F(DumpsCommandTest, WhatIsExportedIsReadAgain) {
  const std::string path = case_path("pt-tuple-bfloat16/attentions.pt");
  for (const char* name : {"again.npy", "again.npz"}) {
    ASSERT_EQ(run({"export", "--attention", path, "--what", "weights", "--out", file(name)}).status, 0);
    const Outcome same = run({"compare", "--attention", path, "--attention", file(name)});
    EXPECT_THAT(same.out, HasSubstr("the same numbers in every layer")) << same.err;
  }
  ASSERT_EQ(run({"export", "--attention", path, "--what", "tokens", "--out", file("tokens.json")}).status, 0);
  EXPECT_THAT(run({"attention", file("again.npy")}).out, HasSubstr("\"because\" (tokens.json)"));
  ASSERT_EQ(run({"export", "--attention", path, "--what", "weights", "--out", file("w.csv")}).status, 0);
  EXPECT_THAT(text_in("w.csv"), StartsWith("layer,sequence,head,query,key,value\n0,0,0,0,0,"));
  ASSERT_EQ(run({"export", "--attention", path, "--what", "weights", "--out", file("w.json")}).status, 0);
  EXPECT_EQ(json::parse(text_in("w.json")).at("shape"), json({2, 1, 4, 7, 7}));
}

TEST_F(DumpsCommandTest, WrongWordsAreOneLine) {
  const std::string path = case_path("npy-lhtt/attention.npy");
  refuses({"attention"}, 2, HasSubstr("needs a file"));
  refuses({"describe", case_path("bad-nan/attention.npy")}, 1, HasSubstr("attention.npy"));
  refuses({"export", "--attention", path}, 2, HasSubstr("weights, entropy, roles or tokens"));
  refuses({"export", "--attention", path, "--what", "q", "--out", file("q.npy")}, 2, HasSubstr("\"q\""));
  refuses({"export", "--attention", path, "--what", "weights"}, 2, HasSubstr("--out"));
  refuses({"export", "--attention", path, "--what", "weights", "--out", file("w.png")}, 2, HasSubstr(".npz"));
  refuses({"export", "--attention", path, "--what", "roles", "--sequence", "1"}, 2, HasSubstr("0 to 0"));
  refuses({"compare", "--attention", path}, 2, HasSubstr("--model"));
  refuses({"compare", "--attention", path, "--attention", case_path("npy-htt/layer3.npy")}, 1,
          AllOf(HasSubstr("[3, 1, 4, 8, 8]"), HasSubstr("[1, 1, 4, 7, 7]")));
  refuses({"attention", path, "--set", "heads=8"}, 2, HasSubstr("takes no settings"));
  refuses({"export", "--attention", path, "--what", "tokens", "--set", "heads=8"}, 2, HasSubstr("not used"));
  refuses({"compare", "--attention", path, "--attention", path, "--set", "heads=8"}, 2,
          HasSubstr("as they are"));
  refuses({"compare", "--attention", path, "--attention", path, "--ids", ""}, 2, HasSubstr("as they are"));
  refuses({"compare", "--attention", path, "--attention", path, file("scene.json")}, 2,
          HasSubstr("as they are"));
  refuses({"attention", path, "--tokens", file("absent.json")}, 1, HasSubstr("absent.json"));
}

/// tiny-gpt2's attention as the reference has it, saved in a type.
class CompareTest : public DumpsCommandTest {
 protected:
  void SetUp() override {
    for (const std::string& folder : {data_.models() + "models/llama"}) {
      manifest_ = data_.json(folder + "/manifest.json");
      model_ = (data_.on_disk(folder) / manifest_["variants"][0]["dir"].get<std::string>()).string();
      const std::string set = manifest_["variants"][0]["expected"];
      for (const auto& one : manifest_["cases"]) {
        if (!one["expected"].contains(set) || one["input_ids"][0].is_array()) continue;
        case_ = one;
        attentions_ =
            data_.array(folder + "/" + one["expected"][set]["attentions"]["file"].get<std::string>());
        return;
      }
    }
  }
  void save(const std::vector<double>& values, const std::string& tokens) const {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
    for (const int side : attentions_.shape) header += std::to_string(side) + ", ";
    header += "), }";
    header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 255);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    for (const double value : values) {
      const auto narrow = static_cast<float>(value);
      bytes.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
    }
    std::ofstream(file("attention.npy"), std::ios::binary) << bytes;
    std::ofstream(file("tokens.json")) << tokens;
  }

  json manifest_, case_;
  std::string model_;
  tests::Array attentions_;
};

TEST_F(CompareTest, PaddingIsLeftOutAndCounted) {
  const int T = attentions_.shape.back(), padding = 2, all = T + padding;
  const std::size_t maps = attentions_.values.size() / static_cast<std::size_t>(T * T);
  std::vector<double> filled;
  for (std::size_t map = 0; map < maps; ++map) {
    for (int row = 0; row < all; ++row) {
      const auto from =
          attentions_.values.begin() + (static_cast<std::ptrdiff_t>(map) * T + std::min(row, T - 1)) * T;
      filled.insert(filled.end(), from, from + T);
      filled.insert(filled.end(), padding, 0);
    }
  }
  attentions_.shape = {attentions_.shape[0], attentions_.shape[1], all, all};
  json ids = case_["input_ids"];
  for (int i = 0; i < padding; ++i) ids.push_back(0);
  save(filled, ids.dump());
  const std::vector<std::string> words = {"compare", "--model", model_, "--attention", file("attention.npy")};
  const Outcome message = run(words);
  ASSERT_EQ(message.status, 0) << message.err;
  EXPECT_THAT(message.out, AllOf(HasSubstr("every layer is within rounding"),
                                 HasSubstr("\n2 positions of padding are left out\n")));
  std::vector<std::string> as_json = words;
  as_json.emplace_back("--json");
  const json reported = json::parse(run(as_json).out);
  EXPECT_EQ(reported.at("padding"), padding);
  EXPECT_TRUE(reported.at("first_layer_beyond_rounding").is_null());
  // The text without its padding is laid beside the positions that are none; a shorter one is not.
  std::string alone;
  for (const auto& id : case_["input_ids"])
    alone += (alone.empty() ? "" : ",") + std::to_string(id.get<int>());
  std::vector<std::string> given = words;
  given.emplace_back("--ids"), given.push_back(alone);
  EXPECT_THAT(run(given).out, AllOf(HasSubstr("every layer is within rounding"),
                                    HasSubstr("\n2 positions of padding are left out\n")));
  given.back() = alone.substr(0, alone.rfind(','));
  refuses(given, 1, AllOf(HasSubstr(std::to_string(T - 1) + " tokens"), HasSubstr("positions")));
}

/// A saved pair of sentences agrees with its model, by its ids and typed with the separator between them; one
/// of them with the types of a single sentence does not.
TEST_F(CompareTest, APairOfSentencesAgrees) {
  const std::string folder = data_.models() + "tiny-bert";
  const json manifest = data_.json(folder + "/manifest.json"), variant = manifest["variants"][0];
  const std::string set = variant["expected"],
                    bert = tests::whole_model("tiny-bert", variant["dir"], file("")).string();
  int pairs = 0;
  for (const auto& one : manifest["cases"]) {
    if (!one["expected"].contains(set)) continue;
    SCOPED_TRACE(one["id"].get<std::string>());
    const bool batch = one["input_ids"][0].is_array();
    if (!batch && one["text_pair"].is_null()) continue;
    attentions_ = data_.array(folder + "/" + one["expected"][set]["attentions"]["file"].get<std::string>());
    save(attentions_.values, one["input_ids"].dump());
    const std::vector<std::string> words = {"compare", "--model", bert, "--attention", file("attention.npy")};
    const auto with = [&](const char* option, const std::string& value) {
      std::vector<std::string> out = words;
      out.emplace_back(option), out.push_back(value);
      return run(out).out;
    };
    for (std::size_t n = 0; batch && n < one["input_ids"].size(); ++n)
      EXPECT_THAT(with("--sequence", std::to_string(n)), HasSubstr("every layer is within rounding")) << n;
    if (batch) continue;
    ++pairs;
    const std::string a = one["text"], b = one["text_pair"];
    EXPECT_THAT(run(words).out, HasSubstr("every layer is within rounding"));
    EXPECT_THAT(with("--set", "sentence=" + a + " [SEP] " + b), HasSubstr("every layer is within rounding"));
    save(attentions_.values, one["tokens"].dump());
    EXPECT_THAT(run(words).out, HasSubstr("every layer is within rounding"));
    // Without its tokenizer nothing says which token separates, and every token has type 0.
    const fs::path bare = file("bare-" + one["id"].get<std::string>());
    fs::create_directory(bare);
    for (const char* name : {"config.json", "model.safetensors"})
      fs::copy(fs::path(bert) / name, bare / name);
    save(attentions_.values, one["input_ids"].dump());
    EXPECT_THAT(run({"compare", "--model", bare.string(), "--attention", file("attention.npy")}).out,
                HasSubstr("first layer beyond rounding: 1"));
  }
  EXPECT_GT(pairs, 0);
}

TEST_F(CompareTest, AModelAgreesWithWhatItSaved) {
  save(attentions_.values, case_["input_ids"].dump());
  const Outcome same = run({"compare", "--model", model_, "--attention", file("attention.npy")});
  ASSERT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.out,
              AllOf(HasSubstr("every layer is within rounding"), HasSubstr("tokens: ids of the file")));
  std::string ids;
  for (const auto& id : case_["input_ids"]) ids += (ids.empty() ? "" : ",") + std::to_string(id.get<int>());
  EXPECT_THAT(
      run({"compare", "--model", model_, "--attention", file("attention.npy"), "--set", "token_ids=" + ids})
          .out,
      AllOf(HasSubstr("within rounding"), HasSubstr("ids as given")));
  // Two weights of the last layer exchanged.
  std::vector<double> values = attentions_.values;
  const auto T = static_cast<std::size_t>(attentions_.shape.back());
  ASSERT_GE(T, 3u);
  const std::size_t row = values.size() - T;
  std::size_t least = row, most = row;
  for (std::size_t i = row; i < values.size(); ++i) {
    if (values[i] < values[least]) least = i;
    if (values[i] > values[most]) most = i;
  }
  std::swap(values[least], values[most]);
  save(values, case_["input_ids"].dump());
  const json reported =
      json::parse(run({"compare", "--model", model_, "--attention", file("attention.npy"), "--json"}).out);
  const int layers = attentions_.shape[0], heads = attentions_.shape[1];
  EXPECT_EQ(reported.at("padding"), 0);
  EXPECT_EQ(reported.at("first_layer_beyond_rounding"), layers - 1);
  EXPECT_EQ(reported.at("largest").at("layer"), layers - 1);
  EXPECT_EQ(reported.at("largest").at("head"), heads - 1);
  EXPECT_EQ(reported.at("largest").at("query"), T - 1);
  EXPECT_THAT((std::vector<std::size_t>{least - row, most - row}),
              testing::Contains(reported.at("largest").at("key").get<std::size_t>()));
  EXPECT_NEAR(reported.at("largest").at("difference"), std::fabs(values[least] - values[most]), 1e-5);
  EXPECT_EQ(reported.at("heads").size(), static_cast<std::size_t>(layers * heads));
  EXPECT_EQ(reported.at("heads")[0].at("layer"), 0);
  // The same as text, where layers and heads count from 1.
  const std::string text = run({"compare", "--model", model_, "--attention", file("attention.npy")}).out;
  const std::string place = "at layer " + std::to_string(layers) + ", head " + std::to_string(heads) +
                            ", query " + std::to_string(T - 1);
  EXPECT_THAT(text,
              AllOf(HasSubstr(place), HasSubstr("first layer beyond rounding: " + std::to_string(layers)),
                    HasSubstr("\nlayer    head 1"), HasSubstr("\n    1 "),
                    HasSubstr("\n" + std::string(layers < 10 ? 4 : 3, ' ') + std::to_string(layers))));
  EXPECT_THAT(text, testing::Not(HasSubstr("head 0")));
  EXPECT_THAT(
      run({"compare", "--model", model_, "--attention", file("attention.npy"), "--tolerance", "1"}).out,
      HasSubstr("within rounding"));
}

TEST_F(CompareTest, WhatDoesNotBelongTogetherIsSaid) {
  save(attentions_.values, "[]");
  const std::string attention = file("attention.npy");
  refuses({"compare", "--model", model_, "--attention", attention}, 1, HasSubstr("tokens.json"));
  refuses({"compare", "--model", model_, "--attention", attention, "--tokens", "none"}, 1,
          AllOf(HasSubstr("no tokens"), HasSubstr("--ids")));
  refuses({"compare", "--model", model_, "--attention", attention, "--tokens", "none", "--ids", "1"}, 1,
          AllOf(HasSubstr("1 tokens"), HasSubstr("positions")));
  const std::vector<std::string> compared = {"compare", "--model", model_, "--attention", attention};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), compared.begin(), compared.end());
    return more;
  };
  for (const char* name : {"model_off", "heads", "mask", "junk"})
    refuses(with({"--set", std::string(name) + "=1.1"}), 2,
            AllOf(HasSubstr("\"" + std::string(name) + "\""), HasSubstr("sentence or token_ids can be set")));
  refuses(with({"--set", "junk"}), 2, HasSubstr("\"junk\""));
  refuses(with({"--ids", "1,2", "--set", "token_ids=1,2"}), 2, HasSubstr("two texts"));
  refuses(with({"--ids", "1,2", "--set", "sentence=the cat"}), 2, HasSubstr("two texts"));
  refuses(with({"--ids", ""}), 2, HasSubstr("is not a list of token ids"));
  refuses({"compare", "--model", model_, "--attention", case_path("npy-one-token/attention.npy")}, 1,
          HasSubstr("they cannot be compared"));
}

}  // namespace
}  // namespace headlight::app
