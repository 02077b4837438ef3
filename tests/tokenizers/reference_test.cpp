// Texts with their tokens, computed elsewhere: every case of every list in tokenization/ and tokenizers/.
#include <gtest/gtest.h>

#include "tokenizers/reference_tokenizer.h"

namespace headlight::tests {
namespace {

using tokenizers::EncodeOptions;
using tokenizers::Tokenizer;

/// The lists of cases that stand directly in a folder.
std::vector<std::string> lists_of(const std::string& folder) {
  std::vector<std::string> out;
  for (const std::string& name : ReferenceData::instance().names()) {
    const bool inside =
        name.rfind(folder + "/", 0) == 0 && name.find('/', folder.size() + 1) == std::string::npos;
    if (inside && name.size() > 5 && name.substr(name.size() - 5) == ".json") out.push_back(name);
  }
  return out;
}

tokenizers::OpenedTokenizer open_listed(const nlohmann::json& files, const std::string& folder,
                                        const ScratchFolder& scratch) {
  const auto written = [&](const char* key, const char* name) {
    const std::string path = plain_path(folder + "/" + files.at(key).get<std::string>());
    const auto bytes = ReferenceData::instance().bytes(path);
    if (!bytes) throw std::runtime_error("no " + path);
    write_quickly(scratch / name, *bytes);
    return scratch / name;
  };
  if (files.contains("tokenizer"))
    return tokenizers::open_tokenizer_json(written("tokenizer", "tokenizer.json"));
  written("vocab", files.contains("merges") ? "vocab.json" : "vocab.txt");
  if (files.contains("merges")) written("merges", "merges.txt");
  return tokenizers::open_tokenizer(scratch.path());
}

void expect_case(const nlohmann::json& c, const Tokenizer& tokenizer, bool complete) {
  const std::string id = c.at("id"), text = from_hex(c.at("utf8_hex"));
  SCOPED_TRACE(id + ": " + c.at("text").dump());
  const bool pair = c.contains("text_pair");
  const std::string second = pair ? from_hex(c.at("pair_utf8_hex")) : "";
  const auto encoded = [&](const EncodeOptions& options) {
    auto pieces = pair ? tokenizer.encode_pair(text, second, options) : tokenizer.encode(text, options);
    if (!pieces) throw std::runtime_error(pieces.error());
    return std::move(*pieces);
  };
  const std::vector<int> expected = c.at("ids");
  const auto pieces = encoded({});
  if (c.contains("ids_per_character_lowercase") && ids_of(pieces) != expected) {
    EXPECT_EQ(ids_of(pieces), c.at("ids_per_character_lowercase").get<std::vector<int>>());
  } else {
    EXPECT_EQ(ids_of(pieces), expected);
    EXPECT_EQ(entries_of(pieces), c.at("tokens").get<std::vector<std::string>>());
  }
  if (c.contains("offsets")) {
    EXPECT_EQ(offsets_of(pieces), c.at("offsets"));
  }
  if (c.contains("token_type_ids") && !c.contains("ids_per_character_lowercase")) {
    std::vector<int> segments;
    for (const auto& piece : pieces) segments.push_back(piece.segment);
    EXPECT_EQ(segments, c.at("token_type_ids").get<std::vector<int>>());
  }
  if (complete || c.contains("ids_without_added")) {
    EXPECT_EQ(ids_of(encoded({.with_template = false})), c.value("ids_without_added", expected))
        << "without template";
  }
  if (complete || c.contains("ids_if_special_is_text")) {
    EXPECT_EQ(ids_of(encoded({.special_as_text = true})), c.value("ids_if_special_is_text", expected))
        << "special as text";
  }
}

/// `complete`: what a case does not say of special tokens and ends equals its ids.
void run_folder(const std::string& folder, bool complete) {
  int cases = 0;
  for (const std::string& name : lists_of(folder)) {
    const nlohmann::json list = ReferenceData::instance().json(name);
    if (!list.contains("cases") || !list.contains("files")) continue;
    SCOPED_TRACE(name);
    const ScratchFolder scratch;
    const auto tokenizer = open_listed(list.at("files"), folder, scratch);
    ASSERT_TRUE(tokenizer) << tokenizer.error();
    for (const nlohmann::json& c : list.at("cases")) {
      try {
        expect_case(c, **tokenizer, complete);
      } catch (const std::exception& error) {
        ADD_FAILURE() << name << " " << c.at("id") << ": " << error.what();
      }
      ++cases;
    }
    std::printf("%s: %zu cases\n", name.c_str(), list.at("cases").size());
  }
  if (cases == 0) GTEST_SKIP() << folder << ": not in " << ReferenceData::instance().origin();
}

TEST(TokenizerReference, Gpt2AndBert) {
  run_folder("tokenization", false);
}

TEST(TokenizerReference, FormsOfTokenizerJson) {
  run_folder("tokenizers", true);
}

}  // namespace
}  // namespace headlight::tests
