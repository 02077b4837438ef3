// Malformed model folders: each is refused in one line that names the file and the cause, quickly, or does
// what its entry says. Folders of tokenizers and texts are for other tests; here they must not stop the
// program.

#include <algorithm>
#include <cctype>
#include <chrono>

#include "models/model_case.h"
#include "support/peak_memory.h"
#include "support/sanitized.h"

namespace headlight::tests {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

struct Bad {
  std::filesystem::path folder;
  nlohmann::json entries;
};

std::optional<Bad> bad_data() {
  const ReferenceData& data = ReferenceData::instance();
  const std::string folder = data.models() + "bad";
  if (!data.bytes(folder + "/manifest.json")) return std::nullopt;
  const nlohmann::json manifest = data.json(folder + "/manifest.json");
  return Bad{data.on_disk(folder), manifest.contains("cases") ? manifest["cases"] : manifest["entries"]};
}

/// Logits or states for a few tokens.
std::vector<float> numbers_of(const models::OpenedModel& model) {
  const std::vector<int> ids{5, 1, 2, 7, 3};
  base::Parallel parallel;
  nn::NetworkTrace trace;
  const base::Status status =
      nn::network_forward(model.network, model.weights, {.ids = ids}, parallel, trace);
  EXPECT_TRUE(status) << status.error();
  const nn::Matrix& last = trace.logits.empty() ? trace.states.back() : trace.logits;
  return {last.values().begin(), last.values().end()};
}

void expect_error(const nlohmann::json& entry, const std::string& message) {
  EXPECT_LT(message.size(), 600u);
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  std::vector<std::string> files{entry.at("message_names").get<std::string>()};
  if (entry.contains("also_names"))
    for (const auto& name : entry.at("also_names")) files.push_back(name);
  const auto named = std::find_if(files.begin(), files.end(), [&](const std::string& file) {
    return message.find(file) != std::string::npos;
  });
  ASSERT_NE(named, files.end()) << message;
  std::string rest = message;  // causes count outside the name of the file, and outside the case's own folder
  rest = rest.substr(rest.find(*named) + named->size());
  bool caused = false;
  for (const auto& cause : entry.at("message_cause_any_of"))
    caused = caused || lower(rest).find(lower(cause.get<std::string>())) != std::string::npos;
  EXPECT_TRUE(caused) << message << "\nshould have one of " << entry.at("message_cause_any_of").dump();
  // What to do; a folder in place of a file, and what no other file mends, are said alone.
  const bool alone = message.ends_with("it is a folder") || message.ends_with("not supported; absolute is");
  bool advised = false;
  for (const char* advice :
       {"; copy or download the file again", "; correct it, or use the config.json that",
        "; use config.json and weights of the same model", ": save the model as ", "; put the weights there",
        "; use another copy of the model", ": save it as UTF-8", ": download the file itself"})
    advised = advised || message.find(advice) != std::string::npos;
  EXPECT_NE(advised, alone) << message;
  for (const auto& word : entry.value("message_mentions", nlohmann::json::array()))
    EXPECT_NE(message.find(word.get<std::string>()), std::string::npos)
        << message << "\nshould mention " << word;
}

TEST(BadModels, OneLineThatNamesFileAndCause) {
  const std::optional<Bad> bad = bad_data();
  if (!bad) GTEST_SKIP() << "bad: not in " << ReferenceData::instance().origin();
  const auto gpt2 = models::open_model(bad->folder / "ok-gpt2"),
             bert = models::open_model(bad->folder / "ok-bert");
  ASSERT_TRUE(gpt2) << gpt2.error();
  ASSERT_TRUE(bert) << bert.error();
  int count = 0;
  for (const nlohmann::json& entry : bad->entries) {
    const std::string kind = entry.at("kind");
    if (kind == "text") continue;
    const std::filesystem::path path = bad->folder / entry.at("path").get<std::string>();
    SCOPED_TRACE(path.filename().string() + ": " + entry.at("what").get<std::string>());
    const auto began = std::chrono::steady_clock::now();
    const auto opened = models::open_model(path);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    EXPECT_LT(took.count(), 5);
    if (kind != "safetensors" && kind != "config") {
      EXPECT_TRUE(opened) << opened.error();  // the weights are sound
      continue;
    }
    ++count;
    const std::string expected = entry.at("expect");
    if (!opened) {
      EXPECT_NE(expected, "ok") << opened.error();
      if (expected != "ok") expect_error(entry, opened.error());
      if (std::getenv("HEADLIGHT_SHOW") != nullptr) std::printf("%s\n", opened.error().c_str());
      continue;
    }
    EXPECT_NE(expected, "error") << "it was opened";
    const std::string result = entry.value("result", "");
    if (expected == "ok" || result.find("the sound model") != std::string::npos) {
      EXPECT_EQ(numbers_of(**opened), numbers_of(entry.at("model") == "bert" ? **bert : **gpt2));
    }
  }
  EXPECT_GT(count, 40);
  if (!sanitized) EXPECT_LT(peak_megabytes(), 512);
}

}  // namespace
}  // namespace headlight::tests
