// Malformed tokenizers and awkward texts of the reference data, each with what must happen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <chrono>

#include "base/utf8.h"
#include "support/sanitized.h"
#include "support/sha256.h"
#include "tokenizers/reference_tokenizer.h"

namespace headlight::tests {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool has(const std::string& text, const std::string& part) {
  return lower(text).find(lower(part)) != std::string::npos;
}

nlohmann::json entries() {
  const auto bytes = ReferenceData::instance().bytes("bad/manifest.json");
  if (!bytes) return nlohmann::json::array();
  const nlohmann::json manifest = nlohmann::json::parse(*bytes);
  return manifest.contains("cases") ? manifest.at("cases")
                                    : manifest.value("entries", nlohmann::json::array());
}

/// One line that names the file and the cause.
void expect_message(const std::string& message, const nlohmann::json& c) {
  EXPECT_LT(message.size(), 600u);
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  bool named = has(message, c.value("message_names", ""));
  for (const nlohmann::json& name : c.value("also_names", nlohmann::json::array()))
    named = named || has(message, name);
  EXPECT_TRUE(named) << message;
  bool cause = !c.contains("message_cause_any_of");
  for (const nlohmann::json& hint : c.value("message_cause_any_of", nlohmann::json::array()))
    cause = cause || has(message, hint);
  EXPECT_TRUE(cause) << message;
  if (!c.contains("message_mentions")) return;
  const nlohmann::json& mentions = c.at("message_mentions");
  for (const nlohmann::json& word : mentions.is_array() ? mentions : nlohmann::json::array({mentions}))
    EXPECT_TRUE(has(message, word)) << message;
}

TEST(TokenizerReference, BadTokenizers) {
  int cases = 0;
  for (const nlohmann::json& c : entries()) {
    if (c.value("kind", "") != "tokenizer") continue;
    SCOPED_TRACE(c.at("id").dump() + ": " + c.value("what", ""));
    ++cases;
    const ScratchFolder scratch;
    const std::string folder = "bad/" + c.at("path").get<std::string>();
    (void)write_tokenizer(folder, scratch.path());
    // A folder in place of a file is not among the files.
    if (has(c.value("what", ""), "is a folder"))
      std::filesystem::create_directory(scratch / c.at("message_names"));
    const auto tokenizer = tokenizers::open_tokenizer(scratch.path());
    const std::string expect = c.at("expect");
    EXPECT_FALSE(expect == "error" && tokenizer);
    EXPECT_FALSE(expect == "ok" && !tokenizer) << tokenizer.error();
    if (!tokenizer) {
      expect_message(tokenizer.error(), c);
    } else if (c.contains("ids")) {
      const auto pieces = (*tokenizer)->encode(c.at("text").get<std::string>());
      ASSERT_TRUE(pieces) << pieces.error();
      EXPECT_EQ(ids_of(*pieces), c.at("ids").get<std::vector<int>>());
    }
  }
  if (cases == 0) GTEST_SKIP() << "bad: not in " << ReferenceData::instance().origin();
  std::printf("bad tokenizers: %d cases\n", cases);
}

void expect_ids(const nlohmann::json& expected, const tokenizers::Tokenizer& tokenizer,
                const std::string& text) {
  const auto pieces = tokenizer.encode(text);
  ASSERT_TRUE(pieces) << pieces.error();
  EXPECT_EQ(pieces->size(), expected.at("tokens").get<std::size_t>());
  std::string bytes;
  for (const int id : ids_of(*pieces)) {
    for (int shift = 0; shift < 32; shift += 8)
      bytes += static_cast<char>(static_cast<std::uint32_t>(id) >> shift & 0xFF);
  }
  EXPECT_EQ(sha256(bytes), expected.at("sha256_of_ids_u32le").get<std::string>());
  if (!expected.contains("ids")) return;
  EXPECT_EQ(ids_of(*pieces), expected.at("ids").get<std::vector<int>>());
}

TEST(TokenizerReference, AwkwardTexts) {
  int cases = 0;
  for (const char* model : {"tiny-gpt2", "tiny-bert"}) {
    const auto manifest_bytes = ReferenceData::instance().bytes(std::string(model) + "/manifest.json");
    if (!manifest_bytes) continue;
    const nlohmann::json manifest = nlohmann::json::parse(*manifest_bytes);
    const ScratchFolder scratch;
    const std::string variant = manifest.at("variants").at(0).at("dir");
    (void)write_tokenizer(std::string(model) + "/" + variant, scratch.path());
    const auto tokenizer = tokenizers::open_tokenizer(scratch.path());
    ASSERT_TRUE(tokenizer) << tokenizer.error();
    for (const nlohmann::json& c : entries()) {
      if (c.value("kind", "") != "text") continue;
      const auto text = ReferenceData::instance().bytes("bad/" + c.at("path").get<std::string>());
      const bool described = c.contains(model) || c.contains("with_replacement_characters");
      if (!text || !described) continue;  // no such file: reading is not ours
      SCOPED_TRACE(std::string(model) + ", " + c.at("id").get<std::string>());
      ++cases;
      const auto began = std::chrono::steady_clock::now();
      if (c.contains("first_bad_byte")) {
        const auto pieces = (*tokenizer)->encode(*text);
        ASSERT_FALSE(pieces);
        EXPECT_EQ(pieces.error(), "the text is not valid UTF-8 at byte " + c.at("first_bad_byte").dump());
        expect_ids(c.at("with_replacement_characters").at(model), **tokenizer, base::well_formed(*text));
      } else {
        expect_ids(c.at(model), **tokenizer, *text);
      }
      if (!sanitized) {  // whose code is not optimized
        EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(c.value("seconds", 5)));
      }
    }
  }
  if (cases == 0) GTEST_SKIP() << "bad: not in " << ReferenceData::instance().origin();
  std::printf("awkward texts: %d cases\n", cases);
}

}  // namespace
}  // namespace headlight::tests
