// Attention saved by other programs, sound and broken: every case of the reference data is opened with the
// numbers and tokens that it has, or refused in one line that names the file and the cause.

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "dumps/saved.h"
#include "support/peak_memory.h"
#include "support/reference_data.h"
#include "support/sanitized.h"

namespace headlight::tests {
namespace {

using nlohmann::json;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

void expect_error(const json& entry, const std::string& message) {
  std::vector<std::string> files{entry.at("message_names").get<std::string>()};
  for (const json& name : entry.value("also_names", json::array())) files.push_back(name);
  const auto named = std::find_if(files.begin(), files.end(), [&](const std::string& file) {
    return message.find(file) != std::string::npos;
  });
  ASSERT_NE(named, files.end()) << message;
  expect_line(message, *named);
  std::string rest = message;  // causes count outside the names of files
  rest = lower(rest.substr(rest.find(*named) + named->size()));
  bool caused = false;
  for (const json& cause : entry.at("message_cause_any_of"))
    caused = caused || rest.find(lower(cause)) != std::string::npos;
  EXPECT_TRUE(caused) << message << "\nshould have one of " << entry.at("message_cause_any_of").dump();
  for (const json& word : entry.value("message_mentions", json::array()))
    EXPECT_NE(message.find(word.get<std::string>()), std::string::npos) << message << "\nlacks " << word;
}

void expect_weights(const dumps::Dump& dump, const json& entry, const Array& expected) {
  const json& weights = entry.at("expected").at("weights");
  const json& result = entry.at("result");
  const dumps::DumpShape shape{result.at("layers"), result.at("batch"), result.at("heads"),
                               result.at("queries"), result.at("keys")};
  ASSERT_EQ(dump.shape, shape) << shape_words(dump.shape);
  const std::vector<double> got = all_weights(dump);
  ASSERT_EQ(got.size(), expected.values.size());
  const bool exact = weights.contains("tol");
  const double atol = exact ? 0 : weights.at("tol_f64").at("atol").get<double>(),
               rtol = exact ? 0 : weights.at("tol_f64").at("rtol").get<double>();
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_LE(std::fabs(got[i] - expected.values[i]), atol + rtol * std::fabs(expected.values[i]))
        << "number " << i << " is " << got[i] << " and should be " << expected.values[i];
}

void expect_tokens(const dumps::Dump& dump, const json& entry) {
  const dumps::TokenLists& tokens = dump.tokens;
  ASSERT_EQ(tokens.query.size(), static_cast<std::size_t>(dump.shape.batch));
  ASSERT_EQ(tokens.key.size(), static_cast<std::size_t>(dump.shape.batch));
  if (!entry.contains("tokens")) {
    EXPECT_TRUE(tokens.numbered);
    EXPECT_EQ(tokens.key[0].back(), std::to_string(dump.shape.keys - 1));
    return;
  }
  EXPECT_FALSE(tokens.numbered);
  const json& expected = entry.at("tokens");
  using List = std::vector<std::string>;
  if (expected.is_object()) {
    EXPECT_EQ(tokens.query[0], expected.at("query").get<List>());
    EXPECT_EQ(tokens.key[0], expected.at("key").get<List>());
  } else if (!expected.empty() && expected.front().is_array()) {
    EXPECT_EQ(tokens.key, expected.get<std::vector<List>>());
    EXPECT_TRUE(tokens.same());
  } else {
    EXPECT_EQ(tokens.key[0], expected.get<List>());
    EXPECT_EQ(tokens.same(), dump.shape.queries == dump.shape.keys);
  }
}

TEST(DumpsReference, EveryCase) {
  const ReferenceData& data = ReferenceData::instance();
  if (!data.bytes("dumps/manifest.json")) HEADLIGHT_LACKS("dumps");
  const json manifest = data.json("dumps/manifest.json");
  const std::filesystem::path folder = data.on_disk("dumps");
  int sound = 0, refused = 0;
  for (const json& entry : manifest.at("cases")) {
    SCOPED_TRACE(entry.at("id").get<std::string>() + ": " + entry.at("what").get<std::string>());
    const std::filesystem::path path = folder / entry.at("path").get<std::string>();
    const auto began = std::chrono::steady_clock::now();
    const auto dump = dumps::open_dump(path);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    EXPECT_LT(took.count(), 5);
    const std::string expected = entry.at("expect");
    for (const json& left : entry.value("must_not_exist", json::array())) {
      EXPECT_FALSE(std::filesystem::exists(left.get<std::string>()));
      EXPECT_FALSE(std::filesystem::exists(path.parent_path() / left.get<std::string>()));
    }
    if (!dump) {
      ++refused;
      if (std::getenv("HEADLIGHT_SHOW") != nullptr) std::printf("%s\n", dump.error().c_str());
      EXPECT_NE(expected, "ok") << dump.error();
      if (expected != "ok" && entry.contains("message_names")) expect_error(entry, dump.error());
      continue;
    }
    ++sound;
    EXPECT_NE(expected, "error") << "it was opened";
    if (!entry.contains("expected")) continue;
    expect_weights(**dump, entry,
                   data.array("dumps/" + entry.at("expected").at("weights").at("file").get<std::string>()));
    expect_tokens(**dump, entry);
    for (const json& row : entry.value("blocked_rows", json::array())) {
      const dumps::RowPlace& zero = (*dump)->sums.first_zero;
      EXPECT_EQ((std::vector<int>{zero.layer, zero.sequence, zero.head, zero.query}),
                row.get<std::vector<int>>());
      EXPECT_EQ((*dump)->sums.zero, 1);
    }
  }
  EXPECT_GT(sound, 20);
  EXPECT_GT(refused, 15);
  if (!sanitized) EXPECT_LT(peak_megabytes(), 512);
}

}  // namespace
}  // namespace headlight::tests
