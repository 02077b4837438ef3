// BPE, Unigram, WordPiece and WordLevel with the settings that published files use, and the way back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tokenizers/small_tokenizer.h"

namespace headlight::tests {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> tokens(const json& model, const std::string& text) {
  const auto tokenizer = open_json(plain(model));
  return tokenizer ? texts_of(**tokenizer, text) : std::vector<std::string>{tokenizer.error()};
}

TEST(TokenizerModels, BpeJoinsTheLowestRankLeftmostFirst) {
  const json vocab = {{"a", 0}, {"b", 1}, {"c", 2}, {"bc", 3}, {"ab", 4}, {"aa", 5}};
  const json model = {{"type", "BPE"}, {"vocab", vocab}, {"merges", {"b c", "a b", "a a"}}};
  EXPECT_THAT(tokens(model, "abc"), ElementsAre("a", "bc"));
  EXPECT_THAT(tokens(model, "aaab"), ElementsAre("aa", "ab"));
  EXPECT_THAT(tokens(model, "aaa"), ElementsAre("aa", "a"));
  json pairs = model;
  pairs["merges"] = json::array();
  for (const char* left : {"b", "a"})
    pairs["merges"].push_back(json::array({left, left[0] == 'b' ? "c" : "b"}));
  EXPECT_THAT(tokens(pairs, "abc"), ElementsAre("a", "bc"));
  EXPECT_THAT(tokens(model, "ax"), ElementsAre(HasSubstr("no token for \"x\"")));
}

TEST(TokenizerModels, BpeUnknowns) {
  json model = {{"type", "BPE"},
                {"vocab", {{"a", 0}, {"?", 1}, {"ab", 2}}},
                {"merges", json::array()},
                {"unk_token", "?"}};
  EXPECT_THAT(tokens(model, "axyax"), ElementsAre("a", "?", "?", "a", "?"));
  model["fuse_unk"] = true;
  EXPECT_THAT(tokens(model, "axyax"), ElementsAre("a", "?", "a", "?"));
  EXPECT_THAT(typed(**open_json(plain(model)), "a\u00e9\u4e2da"), ElementsAre("a", "\u00e9\u4e2d", "a"));
  EXPECT_THAT(tokens(model, "ab"), ElementsAre("a", "?"));
  model["ignore_merges"] = true;
  EXPECT_THAT(tokens(model, "ab"), ElementsAre("ab"));
  model["byte_fallback"] = true;
  model["vocab"]["<0xC3>"] = 3, model["vocab"]["<0xA9>"] = 4;
  EXPECT_THAT(tokens(model, "a\u00e9\u00e8"), ElementsAre("a", "<0xC3>", "<0xA9>", "?"));
}

TEST(TokenizerModels, BpePrefixesAndSuffixes) {
  json model = {{"type", "BPE"},
                {"vocab", {{"a", 0}, {"b</w>", 1}, {"b", 2}, {"ab</w>", 3}}},
                {"merges", {"a b</w>"}},
                {"end_of_word_suffix", "</w>"}};
  EXPECT_THAT(tokens(model, "ab"), ElementsAre("ab</w>"));
  EXPECT_THAT(tokens(model, "bab"), ElementsAre("b", "ab</w>"));
  model = {{"type", "BPE"},
           {"vocab", {{"a", 0}, {"##b", 1}, {"ab", 2}}},
           {"merges", {"a ##b"}},
           {"continuing_subword_prefix", "##"}};
  EXPECT_THAT(tokens(model, "ab"), ElementsAre("ab"));
  EXPECT_THAT(tokens(model, "abb"), ElementsAre("ab", "##b"));
}

TEST(TokenizerModels, UnigramTakesTheLargestSum) {
  json vocab = json::array();
  const auto add = [&](const char* entry, double score) { vocab.push_back(json::array({entry, score})); };
  add("?", 0), add("a", -1), add("b", -1), add("ab", -3), add("ba", -1.5);
  json model = {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", vocab}};
  EXPECT_THAT(tokens(model, "ab"), ElementsAre("a", "b"));
  EXPECT_THAT(tokens(model, "aba"), ElementsAre("a", "ba"));
  EXPECT_THAT(tokens(model, "xy a"), ElementsAre("?", "a"));
  EXPECT_THAT(typed(**open_json(plain(model)), "a\u4e2d\u00e9b"), ElementsAre("a", "\u4e2d\u00e9", "b"));
  model["unk_id"] = nullptr;
  EXPECT_THAT(tokens(model, "ax"), ElementsAre(HasSubstr("no token for \"x\"")));
}

TEST(TokenizerModels, WordPieceAndWholeWords) {
  json model = {{"type", "WordPiece"},
                {"vocab", {{"u", 0}, {"un", 1}, {"##able", 2}, {"##a", 3}}},
                {"unk_token", "u"},
                {"max_input_chars_per_word", 7}};
  EXPECT_THAT(tokens(model, "unable"), ElementsAre("un", "##able"));
  EXPECT_THAT(tokens(model, "unablex"), ElementsAre("u"));
  EXPECT_THAT(tokens(model, "unablea"), ElementsAre("un", "##able", "##a"));
  EXPECT_THAT(tokens(model, "unableaa"), ElementsAre("u"));
  model["unk_token"] = "none";
  EXPECT_THAT(tokens(model, "x"), ElementsAre(HasSubstr("no \"none\"")));
  EXPECT_THAT(tokens({{"type", "WordLevel"}, {"vocab", {{"a", 0}}}}, "b"),
              ElementsAre(HasSubstr("no token for \"b\"")));
}

std::string written(const json& decoder, const std::vector<std::string>& entries) {
  json vocab;
  std::vector<int> ids;
  for (const std::string& entry : entries) {
    if (!vocab.contains(entry)) vocab[entry] = vocab.size();
    ids.push_back(vocab[entry]);
  }
  json file = plain({{"type", "WordLevel"}, {"vocab", vocab}});
  file["decoder"] = decoder;
  const auto tokenizer = open_json(file);
  return tokenizer ? (*tokenizer)->decode(ids) : tokenizer.error();
}

TEST(TokenizerModels, Decoders) {
  EXPECT_EQ(written(nullptr, {"a", "b"}), "a b");
  EXPECT_EQ(written({{"type", "ByteLevel"}}, {"\u0120a", "\u00c3\u00a9", "\u4e2d"}), " a\u00e9\u4e2d");
  EXPECT_EQ(written({{"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", "always"}},
                    {"\u2581a", "\u2581b"}),
            "a b");
  EXPECT_EQ(written({{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}, {"un", "##able", ",", "x"}),
            "unable, x");
  EXPECT_EQ(written({{"type", "BPEDecoder"}, {"suffix", "</w>"}}, {"a", "b</w>", "c</w>"}), "ab c");
  const json llama = {{"type", "Sequence"},
                      {"decoders",
                       {{{"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}},
                        {{"type", "ByteFallback"}},
                        {{"type", "Fuse"}},
                        {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}};
  EXPECT_EQ(written(llama, {"\u2581a", "<0xC3>", "<0xA9>", "\u2581\u2581b"}), "a\u00e9  b");
}

}  // namespace
}  // namespace headlight::tests
