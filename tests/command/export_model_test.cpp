// `headlight export --model` and `next --json`: what is written equals the golden arrays of every family of
// the reference data.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "command_line.h"
#include "io/npz.h"
#include "support/whole_model.h"

namespace headlight::app::export_model_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class ExportModelTest : public CommandLineTest {
 protected:
  const tests::ReferenceData& data_ = tests::ReferenceData::instance();

  /// The folders of all models, below models().
  std::vector<std::string> families() const {
    std::vector<std::string> out = {"tiny-gpt2", "tiny-bert"};
    for (const std::string& one : data_.folders(data_.models() + "models")) out.push_back("models/" + one);
    std::erase_if(out, [&](const std::string& one) {
      return !data_.bytes(data_.models() + one + "/manifest.json").has_value();
    });
    return out;
  }
  nlohmann::json manifest(const std::string& family) const {
    return data_.json(data_.models() + family + "/manifest.json");
  }
  std::string path(const std::string& family, const nlohmann::json& variant) const {
    return tests::whole_model(family, variant["dir"], folder_.path()).string();
  }
  /// An array of the archive that was written last.
  tests::Array entry(const std::string& name) const {
    const auto bytes = io::read_zip_entry(std::filesystem::path(file("all.npz")), name + ".npy");
    if (!bytes) return {};
    return tests::parse_npy(*bytes, name);
  }
};

bool plain(const nlohmann::json& one) {
  if (one["input_ids"][0].is_array()) return false;
  const char* const mask = "attention_mask";
  return !one.contains(mask) || one[mask].dump().find('0') == std::string::npos;
}

/// The largest part of its tolerance that a difference uses.
double used(const tests::Array& got, const tests::Array& wanted, const nlohmann::json& entry) {
  EXPECT_EQ(got.shape, wanted.shape);
  if (got.values.size() != wanted.values.size()) return 1e9;
  const double atol = entry["tol_f32"]["atol"], rtol = entry["tol_f32"]["rtol"];
  double worst = 0;
  for (std::size_t i = 0; i < got.values.size(); ++i) {
    const double part =
        std::abs(got.values[i] - wanted.values[i]) / (atol + rtol * std::abs(wanted.values[i]));
    if (!(part <= worst)) worst = part;
  }
  return worst;
}

TEST_F(ExportModelTest, EveryArrayOfEveryFamilyIsThatOfTheReference) {
  int cases = 0, arrays = 0, texts = 0;
  double worst = 0;
  for (const std::string& family : families()) {
    const nlohmann::json all = manifest(family);
    for (const auto& variant : all["variants"]) {
      const std::string set = variant["expected"];
      for (const auto& one : all["cases"]) {
        if (!one["expected"].contains(set) || !plain(one) || one["input_ids"].size() > 40) continue;
        SCOPED_TRACE(family + " " + variant["dir"].get<std::string>() + " " + one["id"].get<std::string>());
        const auto written = [&](const std::string& set_as) {
          return run({"export", "--model", path(family, variant), "--set", set_as, "--out", file("all.npz")});
        };
        const bool text = one.contains("text") && one["text"].is_string();
        std::string sentence = text ? one["text"].get<std::string>() : std::string();
        if (one.contains("text_pair") && one["text_pair"].is_string())
          sentence += " [SEP] " + one["text_pair"].get<std::string>();
        Outcome outcome = text ? written("sentence=" + sentence) : Outcome{};
        const bool by_id = !text || outcome.err.find("no tokenizer beside it") != std::string::npos;
        if (by_id) outcome = written("token_ids=" + list_of(one["input_ids"]));
        texts += by_id ? 0 : 1;
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        ASSERT_EQ(outcome.out + outcome.err, "");
        ++cases;
        const tests::Array ids = entry("token_ids");
        EXPECT_EQ(std::vector<int>(ids.values.begin(), ids.values.end()),
                  one["input_ids"].get<std::vector<int>>());
        const auto compare = [&](const char* ours, const char* theirs) {
          const nlohmann::json& expected = one["expected"][set];
          if (!expected.contains(theirs)) return;
          const tests::Array got = entry(ours);
          if (got.shape.empty() && std::string(ours) == "logits") return;  // a variant without its head
          ++arrays;
          const double part = used(
              got, data_.array(data_.models() + family + "/" + expected[theirs]["file"].get<std::string>()),
              expected[theirs]);
          EXPECT_LE(part, 1) << theirs;
          worst = std::max(worst, part);
        };
        compare("weights", "attentions");
        compare("hidden", "hidden_states");
        compare("logits", "logits");
        compare("logits", "mlm_logits");
      }
    }
  }
  EXPECT_GE(arrays, 2 * cases);
  EXPECT_GT(texts, cases / 2);
  std::printf("%d cases, %d of them as text, %d arrays, at most %.0f %% of a tolerance\n", cases, texts,
              arrays, 100 * worst);
}

/// Scores are q · k times the scale, and softmax of what the causal mask leaves is the golden weight; a key
/// head that is shared is there for each of its query heads.
TEST_F(ExportModelTest, QueriesAndKeysMultiplyOutToTheGoldenWeights) {
  const std::string family = "models/llama";
  const nlohmann::json all = manifest(family), variant = all["variants"][0], one = all["cases"][0];
  ASSERT_EQ(run({"export", "--model", path(family, variant), "--set",
                 "token_ids=" + list_of(one["input_ids"]), "--out", file("all.npz")})
                .status,
            0);
  const tests::Array q = entry("q"), k = entry("k"), scores = entry("scores"),
                     golden = data_.array(
                         data_.models() + family + "/" +
                         one["expected"][variant["expected"].get<std::string>()]["attentions"]["file"]
                             .get<std::string>());
  ASSERT_EQ(q.rank(), 4U);
  ASSERT_EQ(k.shape, q.shape);
  const int L = q.dim(0), H = q.dim(1), T = q.dim(2), d = q.dim(3);
  const auto row = [&](const tests::Array& a, int l, int h, int t) {
    return &a.values[static_cast<std::size_t>(((l * H + h) * T + t) * a.dim(3))];
  };
  const int shared = H / all["config"]["num_key_value_heads"].get<int>();
  ASSERT_GT(shared, 1);
  for (int l = 0; l < L; ++l) {
    for (int h = 0; h < H; ++h) {
      for (int i = 0; i < T; ++i) {
        std::vector<double> exponentials;
        double sum = 0;
        for (int j = 0; j < T; ++j) {
          EXPECT_EQ(row(k, l, h, j)[0], row(k, l, h - h % shared, j)[0]);
          double score = 0;
          for (int c = 0; c < d; ++c) score += row(q, l, h, i)[c] * row(k, l, h, j)[c];
          score /= std::sqrt(d);
          EXPECT_NEAR(row(scores, l, h, i)[j], score, 1e-5 * (1 + std::abs(score)));
          exponentials.push_back(j <= i ? std::exp(score) : 0);
          sum += exponentials.back();
        }
        for (int j = 0; j < T; ++j)
          EXPECT_NEAR(exponentials[static_cast<std::size_t>(j)] / sum, row(golden, l, h, i)[j], 2e-5);
      }
    }
  }
}

TEST_F(ExportModelTest, OneArrayGoesIntoEveryFormatAndTokensAreText) {
  const std::string family = "models/llama";
  const nlohmann::json all = manifest(family), one = all["cases"][0];
  const std::string model = path(family, all["variants"][0]),
                    text = "sentence=" + one["text"].get<std::string>();
  // A file of the folder stands for the folder.
  for (const std::string& path : {model, model + "/config.json", model + "/model.safetensors",
                                  model + "/model.safetensors.index.json"}) {
    if (!std::filesystem::exists(path)) continue;  // of a model in shards
    const Outcome outcome =
        run({"export", "--model", path, "--set", text, "--what", "token_ids", "--out", file("ids.npy")});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(*io::read_file(file("ids.npy")), HasSubstr("'<i8'"));
  }
  ASSERT_EQ(
      run({"export", "--model", model, "--set", text, "--what", "token_ids", "--out", file("i.csv")}).status,
      0);
  EXPECT_THAT(*io::read_file(file("i.csv")), StartsWith("token,value\n0,1\n1,273\n"));
  ASSERT_EQ(
      run({"export", "--model", model, "--set", text, "--what", "weights", "--out", file("w.json")}).status,
      0);
  const nlohmann::json weights = nlohmann::json::parse(*io::read_file(file("w.json")));
  EXPECT_EQ(weights["name"], "weights");
  EXPECT_EQ(weights["shape"].size(), 4U);
  EXPECT_EQ(weights["tokens"].size(), one["input_ids"].size());
  ASSERT_EQ(
      run({"export", "--model", model, "--set", text, "--what", "tokens", "--out", file("t.json")}).status,
      0);
  EXPECT_EQ(nlohmann::json::parse(*io::read_file(file("t.json"))), weights["tokens"]);
  ASSERT_EQ(
      run({"export", "--model", model, "--set", text, "--what", "tokens", "--out", file("t.txt")}).status, 0);
  EXPECT_THAT(*io::read_file(file("t.txt")), StartsWith(weights["tokens"][0].get<std::string>() + "\n"));
}

TEST_F(ExportModelTest, NextAsJsonHasTheNumbersOfTheReference) {
  const std::string family = "models/llama";
  const nlohmann::json all = manifest(family), variant = all["variants"][0], one = all["cases"][0];
  const nlohmann::json& expected = one["expected"][variant["expected"].get<std::string>()]["logits"];
  const tests::Array logits =
      data_.array(data_.models() + family + "/" + expected["file"].get<std::string>());
  const Outcome outcome = run({"next", "--model", path(family, variant), "--set",
                               "sentence=" + one["text"].get<std::string>(), "--top", "3", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json answer = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(answer["token_ids"], one["input_ids"]);
  const int T = logits.dim(0), V = logits.dim(1);
  ASSERT_EQ(static_cast<int>(answer["next"].size()), T - 1);
  ASSERT_EQ(answer["predicted"][0]["top"].size(), 3U);
  const auto p = [&](int t, int v) {
    const double* row = &logits.values[static_cast<std::size_t>(t * V)];
    double sum = 0;
    for (int other = 0; other < V; ++other) sum += std::exp(row[other] - row[v]);
    return 1 / sum;
  };
  double mean = 0;
  for (int t = 0; t + 1 < T; ++t) {
    const nlohmann::json& next = answer["next"][static_cast<std::size_t>(t)];
    EXPECT_EQ(next["id"], one["input_ids"][static_cast<std::size_t>(t) + 1]);
    EXPECT_NEAR(next["probability"].get<double>(), p(t, next["id"]), 1e-4);
    mean -= std::log(p(t, next["id"])) / (T - 1);
    ASSERT_EQ(next["top"].size(), 3U);  // of every position, in order
    std::vector<double> there;
    for (int v = 0; v < V; ++v) there.push_back(p(t, v));
    std::sort(there.rbegin(), there.rend());
    for (std::size_t rank = 0; rank < 3; ++rank) {
      EXPECT_NEAR(next["top"][rank]["probability"].get<double>(), there[rank], 1e-4);
      EXPECT_NEAR(p(t, next["top"][rank]["id"]), there[rank], 1e-4);
    }
  }
  EXPECT_NEAR(answer["mean_loss"].get<double>(), mean, 1e-3);
  for (const auto& top : answer["predicted"][0]["top"])
    EXPECT_NEAR(top["probability"].get<double>(), p(T - 1, top["id"]), 1e-4);
}

/// Top-k, then top-p, of the logits of the reference; what is cut is drawn with probability 0.
TEST_F(ExportModelTest, NextSaysWhatIsDrawn) {
  const std::string family = "models/llama", model = path(family, manifest(family)["variants"][0]);
  const std::vector<std::string> given = {"next",  "--model", model,  "--ids",
                                          "5,1,2", "--top",   "1000", "--json"};
  const auto reported = [&](std::vector<std::string> more) {
    more.insert(more.begin(), given.begin(), given.end());
    const Outcome outcome = run(more);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  EXPECT_FALSE(reported({}).contains("drawn_tokens"));
  for (const auto& [option, value] : {std::pair{"--top-k", 7.0}, {"--top-p", 0.5}}) {
    const nlohmann::json answer = reported({option, option == std::string("--top-k") ? "7" : "0.5"});
    double kept = 0, before = 0;
    int drawn = 0;
    std::vector<double> p, q;
    for (const auto& one : answer["predicted"][0]["top"]) {
      p.push_back(one["probability"]), q.push_back(one["drawn"]);
      const bool stays = option == std::string("--top-k") ? drawn < value : before < value;
      EXPECT_EQ(q.back() > 0, stays) << option << ", rank " << p.size();
      before += p.back();
      if (stays) kept += p.back(), ++drawn;
    }
    EXPECT_EQ(answer["drawn_tokens"], drawn);
    for (int i = 0; i < drawn; ++i)
      EXPECT_NEAR(q[static_cast<std::size_t>(i)], p[static_cast<std::size_t>(i)] / kept, 1e-7);
  }
  EXPECT_THAT(run({"next", "--model", model, "--ids", "5,1,2", "--top-k", "2", "--top", "3"}).out,
              AllOf(HasSubstr("2 tokens can be sampled"), HasSubstr(" sampled\n"), HasSubstr(" cut\n")));
  const std::string bert = path("models/distilbert", manifest("models/distilbert")["variants"][0]);
  refuses({"next", "--model", bert, "--ids", "4", "--top-k", "2"}, 1, HasSubstr("not causal"));
}

TEST_F(ExportModelTest, WhatCannotBeDoneIsOneLineAndLeavesNoFile) {
  const std::string family = "models/llama", model = path(family, manifest(family)["variants"][0]);
  const std::string out = file("never.npy");
  const auto refused = [&](std::vector<std::string> more, int status,
                           const testing::Matcher<std::string>& words) {
    more.insert(more.begin(), {"export", "--model", model});
    refuses(more, status, words);
    EXPECT_FALSE(std::filesystem::exists(out));
  };
  refused({"--what", "wieghts", "--out", out}, 2, HasSubstr("Did you mean \"weights\"?"));
  refused({"--what", "weights"}, 2, HasSubstr("--out FILE"));
  refused({"--out", out}, 2, HasSubstr("into .npz or .json"));
  refused({"--what", "tokens", "--out", out}, 2, HasSubstr(".txt"));
  refused({"--what", "weights", "--panel", "map", "--out", out}, 2, HasSubstr("no page or card"));
  refused({"--what", "weights", "--set", "heads=3", "--out", out}, 2, HasSubstr("the model decides"));
  refused({"--what", "weights", "--set", "token_ids=1,x", "--out", out}, 2, HasSubstr("token_ids"));
  refused({"--what", "weights", "--set", "token_ids=1,99999999", "--out", out}, 1,
          HasSubstr("has no token 99999999"));
  refuses({"export", "--model", file("none"), "--what", "weights", "--out", out}, 1, HasSubstr("none"));
}

/// Of the broken models of the reference data, whatever is wrong with them.
TEST_F(ExportModelTest, ABrokenModelIsOneLineAndLeavesNoFile) {
  const std::string out = file("never.npy");
  int broken = 0;
  for (const std::string& one : data_.folders(data_.models() + "bad")) {
    const std::string bad = (data_.on_disk(data_.models() + "bad") / one).string();
    const Outcome outcome = run({"export", "--model", bad, "--what", "weights", "--out", out});
    EXPECT_NE(outcome.status, -1) << one;
    if (outcome.status == 0) std::filesystem::remove(out);
    if (outcome.status == 0) continue;
    ++broken;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << one << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out)) << one;
  }
  std::printf("%d broken models refused\n", broken);
}

}  // namespace
}  // namespace headlight::app::export_model_test
