// The texts of other people's models: every variant of every model has its tokenizer, and gives the tokens,
// ids and places of the manifest.
#include <gtest/gtest.h>

#include "tokenizers/reference_tokenizer.h"

namespace headlight::tests {
namespace {

std::vector<std::string> manifests() {
  std::vector<std::string> out;
  for (const std::string& name : ReferenceData::instance().names()) {
    const bool model = name.rfind("models/", 0) == 0 || name == "tiny-gpt2/manifest.json" ||
                       name == "tiny-bert/manifest.json";
    constexpr std::string_view end = "/manifest.json";
    if (model && name.size() > end.size() && name.substr(name.size() - end.size()) == end)
      out.push_back(name);
  }
  return out;
}

tokenizers::OpenedTokenizer open_variant(const std::string& folder, const nlohmann::json& manifest,
                                         const ScratchFolder& scratch) {
  (void)write_tokenizer(folder, scratch.path());
  const std::filesystem::path binary = scratch / "tokenizer.bin";
  if (std::filesystem::exists(binary))
    return tokenizers::open_llama2c(binary, manifest.at("config").at("vocab_size"));
  return tokenizers::open_tokenizer(scratch.path());
}

void expect_case(const nlohmann::json& c, const tokenizers::Tokenizer& tokenizer) {
  const std::string text = c.at("text");
  SCOPED_TRACE(c.at("id").dump() + ": " + c.at("text").dump());
  const bool pair = c.contains("text_pair") && !c.at("text_pair").is_null();
  const auto pieces =
      pair ? tokenizer.encode_pair(text, c.at("text_pair").get<std::string>()) : tokenizer.encode(text);
  ASSERT_TRUE(pieces) << pieces.error();
  EXPECT_EQ(ids_of(*pieces), c.at("input_ids").get<std::vector<int>>());
  EXPECT_EQ(entries_of(*pieces), c.at("tokens").get<std::vector<std::string>>());
  if (c.contains("offsets")) {
    EXPECT_EQ(offsets_of(*pieces), c.at("offsets"));
  }
  if (c.contains("token_type_ids")) {
    std::vector<int> segments;
    for (const auto& piece : *pieces) segments.push_back(piece.segment);
    EXPECT_EQ(segments, c.at("token_type_ids").get<std::vector<int>>());
  }
}

/// Rows of a batch are padded on the right.
void expect_batch(const nlohmann::json& c, const tokenizers::Tokenizer& tokenizer) {
  for (std::size_t row = 0; row < c.at("texts").size(); ++row) {
    const nlohmann::json& text = c.at("texts")[row];
    const bool two = text.is_array();
    const bool pair = two && !text[1].is_null();
    const std::string first = two ? text[0] : text;
    const auto pieces =
        pair ? tokenizer.encode_pair(first, text[1].get<std::string>()) : tokenizer.encode(first);
    ASSERT_TRUE(pieces) << pieces.error();
    std::vector<int> expected;
    for (std::size_t i = 0; i < c.at("input_ids")[row].size(); ++i) {
      if (c.at("attention_mask")[row][i] == 1) expected.push_back(c.at("input_ids")[row][i]);
    }
    EXPECT_EQ(ids_of(*pieces), expected) << text.dump();
  }
}

/// Returns the number of texts.
int expect_cases(const nlohmann::json& manifest, const tokenizers::Tokenizer& tokenizer) {
  int texts = 0;
  for (const nlohmann::json& c : manifest.at("cases")) {
    if (c.contains("texts")) expect_batch(c, tokenizer);
    if (!c.contains("text") || c.at("text").is_null()) continue;
    expect_case(c, tokenizer);
    ++texts;
  }
  return texts;
}

TEST(TokenizerReference, TextsOfModels) {
  int cases = 0;
  for (const std::string& name : manifests()) {
    const nlohmann::json manifest = ReferenceData::instance().json(name);
    const std::string folder = name.substr(0, name.rfind('/'));
    for (const nlohmann::json& variant : manifest.at("variants")) {
      const std::string place = folder + "/" + variant.value("dir", "");
      SCOPED_TRACE(place);
      const ScratchFolder scratch;
      const auto tokenizer = open_variant(place, manifest, scratch);
      ASSERT_TRUE(tokenizer) << tokenizer.error();
      cases += expect_cases(manifest, **tokenizer);
    }
  }
  if (cases == 0) GTEST_SKIP() << "no models in " << ReferenceData::instance().origin();
  std::printf("texts of models: %d cases\n", cases);
}

/// The same models from the vocabulary alone, as older folders have it.
TEST(TokenizerReference, TextsOfModelsWithoutTokenizerJson) {
  int cases = 0;
  for (const std::string& name : manifests()) {
    const nlohmann::json manifest = ReferenceData::instance().json(name);
    const std::string folder = name.substr(0, name.rfind('/'));
    for (const nlohmann::json& variant : manifest.at("variants")) {
      const ScratchFolder scratch;
      (void)write_tokenizer(folder + "/" + variant.value("dir", ""), scratch.path());
      const bool older =
          std::filesystem::exists(scratch / "vocab.json") || std::filesystem::exists(scratch / "vocab.txt");
      if (!older || !std::filesystem::remove(scratch / "tokenizer.json")) continue;
      SCOPED_TRACE(folder);
      const auto tokenizer = tokenizers::open_tokenizer(scratch.path());
      ASSERT_TRUE(tokenizer) << tokenizer.error();
      cases += expect_cases(manifest, **tokenizer);
    }
  }
  if (cases == 0) GTEST_SKIP() << "no vocabularies in " << ReferenceData::instance().origin();
}

}  // namespace
}  // namespace headlight::tests
