// Which files make a tokenizer, and what is said of those that do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "base/utf8.h"
#include "tokenizers/byte_alphabet.h"
#include "tokenizers/small_tokenizer.h"

namespace headlight::tests {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

void write(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;  // without waiting for the disk
}

/// vocab.json with a token for each byte and then these.
std::string byte_vocabulary(const std::vector<std::string>& more) {
  json vocab;
  for (int byte = 0; byte < 256; ++byte)
    vocab[std::string(tokenizers::letter_of_byte(static_cast<char>(byte)))] = byte;
  for (const std::string& entry : more) vocab[entry] = vocab.size();
  return vocab.dump();
}

TEST(TokenizerFiles, VocabularyAndMergesWithWhatTheFolderSays) {
  const ScratchFolder folder;
  write(folder / "vocab.json", byte_vocabulary({"<s>", "</s>", "<mask>", "ab", "<|endoftext|>"}));
  write(folder / "merges.txt", "#version: 0.2\na b\n");
  const auto texts = [&](const std::string& text) {
    const auto tokenizer = tokenizers::open_tokenizer(folder.path());
    return tokenizer ? texts_of(**tokenizer, text) : std::vector<std::string>{tokenizer.error()};
  };
  EXPECT_THAT(texts("ab<|endoftext|>"), ElementsAre("ab", "<|endoftext|>"));
  write(folder / "config.json", R"({"model_type": "roberta"})");
  EXPECT_THAT(texts("ab <mask>"), ElementsAre("<s>", "ab", "<mask>", "</s>"));
  write(folder / "config.json", R"({"model_type": "opt"})");
  EXPECT_THAT(texts("ab"), ElementsAre("</s>", "ab"));
  write(folder / "config.json", R"({"model_type": "gpt2"})");
  write(folder / "tokenizer_config.json",
        R"({"add_prefix_space": true, "add_bos_token": true, "bos_token": {"content": "<s>"}})");
  EXPECT_THAT(texts("ab"), ElementsAre("<s>", "\u0120", "ab"));
  write(folder / "tokenizer_config.json", "[]");
  EXPECT_THAT(texts("ab"), ElementsAre(HasSubstr("tokenizer_config.json: not a tokenizer configuration")));
  std::filesystem::remove(folder / "tokenizer_config.json");
  write(folder / "merges.txt", "a b c\n");
  EXPECT_THAT(texts("ab"), ElementsAre(HasSubstr("merges.txt: line 1: expected two entries")));
}

TEST(TokenizerFiles, LinesOfWordPieces) {
  const ScratchFolder folder;
  write(folder / "vocab.txt", "[UNK]\r\n[CLS]\r\n[SEP]\r\nthe\r\n");
  const auto texts = [&](const std::string& text) {
    const auto tokenizer = tokenizers::open_tokenizer(folder.path());
    return tokenizer ? texts_of(**tokenizer, text) : std::vector<std::string>{tokenizer.error()};
  };
  EXPECT_THAT(texts("The"), ElementsAre("[CLS]", "the", "[SEP]"));
  EXPECT_THAT(texts("the [SEP] the"), ElementsAre("[CLS]", "the", "[SEP]", "the", "[SEP]"));
  EXPECT_EQ((*tokenizers::open_tokenizer(folder.path()))->separator(), 2);
  write(folder / "tokenizer_config.json", R"({"do_lower_case": false})");
  EXPECT_THAT(texts("The"), ElementsAre("[CLS]", "[UNK]", "[SEP]"));
  std::filesystem::remove(folder / "tokenizer_config.json");
  write(folder / "vocab.txt", "[UNK]\n[CLS]\n[SEP]\nthe\nThe\n");  // capitals: not lower-cased
  EXPECT_THAT(texts("The"), ElementsAre("[CLS]", "The", "[SEP]"));
}

/// A pair's second text has type 1 where the template says so, and the one token in front of it separates.
TEST(TokenizerFiles, TheTokenBetweenTwoTexts) {
  const json special = {{"[CLS]", {{"ids", {1}}}}, {"[SEP]", {{"ids", {2}}}}};
  const auto token = [](const char* name, int type) {
    return json{{"SpecialToken", {{"id", name}, {"type_id", type}}}};
  };
  const auto text = [](const char* name, int type) {
    return json{{"Sequence", {{"id", name}, {"type_id", type}}}};
  };
  const auto separator = [&](const json& processor, bool added) {
    json file = plain({{"type", "WordLevel"},
                       {"vocab", {{"<unk>", 0}, {"[CLS]", 1}, {"[SEP]", 2}, {"a", 3}}},
                       {"unk_token", "<unk>"}});
    file["post_processor"] = processor;
    if (added) file["added_tokens"].push_back({{"id", 2}, {"content", "[SEP]"}, {"special", true}});
    const auto tokenizer = open_json(file);
    EXPECT_TRUE(tokenizer) << tokenizer.error();
    return tokenizer ? (*tokenizer)->separator() : std::nullopt;
  };
  const auto pair = [&](const json& items) {
    return json{{"type", "TemplateProcessing"},
                {"single", {token("[CLS]", 0), text("A", 0), token("[SEP]", 0)}},
                {"pair", items},
                {"special_tokens", special}};
  };
  const json cls = token("[CLS]", 0), sep = token("[SEP]", 0), end = token("[SEP]", 1), a = text("A", 0);
  EXPECT_EQ(separator(pair({cls, a, sep, text("B", 1), end}), false), 2);
  EXPECT_EQ(separator(pair({cls, a, sep, text("B", 0), sep}), true), std::nullopt) << "both have type 0";
  EXPECT_EQ(separator(pair({cls, a, sep, sep, text("B", 1), end}), true), std::nullopt);
  EXPECT_EQ(separator(pair({a, end, text("B", 1)}), true), std::nullopt) << "it has type 1 itself";
  EXPECT_EQ(separator(pair({cls, text("B", 1), sep, a}), true), std::nullopt);
  const json ends = {{"sep", {"[SEP]", 2}}, {"cls", {"[CLS]", 1}}};
  json bert = ends, roberta = ends;
  bert["type"] = "BertProcessing", roberta["type"] = "RobertaProcessing";
  EXPECT_EQ(separator(bert, false), 2);
  EXPECT_EQ(separator(roberta, true), std::nullopt);
  EXPECT_EQ(separator(nullptr, true), 2) << "without a template the special token is it";
  EXPECT_EQ(separator(nullptr, false), std::nullopt);
}

TEST(TokenizerFiles, FoldersWithoutOne) {
  const ScratchFolder folder;
  EXPECT_THAT(tokenizers::open_tokenizer(folder.path()).error(),
              HasSubstr("neither tokenizer.json nor vocab.json"));
  write(folder / "tokenizer.model", "x");
  EXPECT_THAT(tokenizers::open_tokenizer(folder.path()).error(),
              HasSubstr("tokenizer.model is in SentencePiece’s own format"));
  EXPECT_FALSE(tokenizers::open_tokenizer(folder / "absent"));
  std::filesystem::create_directory(folder / "tokenizer.json");
  EXPECT_THAT(tokenizers::open_tokenizer(folder.path()).error(), HasSubstr("tokenizer.json"));
}

TEST(TokenizerFiles, IdsThatCannotBe) {
  const auto error = [](const json& model, const json& added = json::array()) {
    json file = plain(model);
    file["added_tokens"] = added;
    const auto tokenizer = open_json(file);
    return tokenizer ? std::string("opened") : tokenizer.error();
  };
  const auto words = [](const json& vocab) { return json{{"type", "WordLevel"}, {"vocab", vocab}}; };
  EXPECT_THAT(error(words({{"a", 1}, {"b", 1}})), HasSubstr("the id 1 occurs twice"));
  EXPECT_THAT(error(words({{"a", 1 << 29}})), HasSubstr("near the number of entries"));
  EXPECT_THAT(error(words({{"a", 1.5}})), HasSubstr("expected a whole number"));
  EXPECT_THAT(error(words({{"a", 1e300}})), HasSubstr("expected a whole number"));
  EXPECT_THAT(error(words(json::object())), HasSubstr("the vocabulary is empty"));
  EXPECT_THAT(error(words({{"a", 0}}), json::array({json{{"id", 1 << 29}, {"content", "x"}}})),
              HasSubstr("added_tokens: the id of \"x\""));
  EXPECT_THAT(error(words({{"a", 0}}), json::array({json{{"content", "x"}}})),
              HasSubstr("added_tokens: entry 1: id: expected a whole number"));
  EXPECT_EQ(error(words({{"a", 0}}), json::array({json{{"id", 50'000}, {"content", "x"}}})), "opened");
  EXPECT_THAT(error(words({{std::string(5000, 'a'), 0}})), HasSubstr("the limit is 4096"));
}

/// 259 entries, then those with a score.
std::string scored(const std::vector<std::pair<std::string, float>>& more) {
  std::string out("\x08\0\0\0", 4);
  const auto add = [&](const std::string& text, float score) {
    char head[8];
    const auto length = static_cast<std::int32_t>(text.size());
    std::memcpy(head, &score, 4);
    std::memcpy(head + 4, &length, 4);
    out.append(head, 8);
    out += text;
  };
  add("<unk>", 0), add("\n<s>\n", 0), add("\n</s>\n", 0);
  for (int byte = 0; byte < 256; ++byte) {
    constexpr const char* digits = "0123456789ABCDEF";
    add(std::string("<0x") + digits[byte / 16] + digits[byte % 16] + ">", 0);
  }
  for (const auto& [text, score] : more) add(text, score);
  return out;
}

TEST(TokenizerFiles, Llama2c) {
  const ScratchFolder folder;
  const std::string bytes =
      scored({{" ", -9}, {"a", -9}, {"b", -9}, {" a", -2}, {"ab", -1}, {" ab", -5}, {"aa", -1}});
  write(folder / "tokenizer.bin", bytes);
  const auto tokenizer = tokenizers::open_llama2c(folder / "tokenizer.bin", 266);
  ASSERT_TRUE(tokenizer) << tokenizer.error();
  EXPECT_THAT(texts_of(**tokenizer, "ab"), ElementsAre("<s>", "\u2581ab"));
  EXPECT_THAT(texts_of(**tokenizer, "aab"),
              ElementsAre("<s>", "\u2581", "aa", "b"));  // equal scores: leftmost
  EXPECT_THAT(texts_of(**tokenizer, "\u00e9"), ElementsAre("<s>", "\u2581", "<0xC3>", "<0xA9>"));
  EXPECT_THAT(texts_of(**tokenizer, ""), ElementsAre("<s>"));
  EXPECT_THAT(typed(**tokenizer, "a b"), ElementsAre("(added)", "a", " ", "b"));
  const auto pieces = (*tokenizer)->encode("ab \u00e9  a\n");
  std::vector<int> ids;
  for (const auto& piece : *pieces) ids.push_back(piece.id);
  EXPECT_EQ((*tokenizer)->decode(ids, false), "ab \u00e9  a\n");
  EXPECT_EQ((*tokenizer)->id_of("\u2581ab"), 264);
  EXPECT_TRUE((*tokenizer)->special(1));

  EXPECT_THAT(tokenizers::open_llama2c(folder / "tokenizer.bin", 267).error(),
              HasSubstr("it ends at entry 266 of 267"));
  EXPECT_THAT(tokenizers::open_llama2c(folder / "tokenizer.bin", 265).error(), HasSubstr("bytes are left"));
  EXPECT_THAT(tokenizers::open_llama2c(folder / "tokenizer.bin", 1 << 30).error(),
              HasSubstr("it ends at entry"));
  EXPECT_THAT(tokenizers::open_llama2c(folder / "tokenizer.bin", -5).error(),
              HasSubstr("tokenizer.bin: a model of -5 tokens"));
  for (std::size_t size = 0; size < 200; ++size) {
    write(folder / "cut.bin", bytes.substr(0, size));
    EXPECT_THAT(tokenizers::open_llama2c(folder / "cut.bin", 266).error(), HasSubstr("cut.bin"));
  }
  std::string hostile = bytes;
  std::memcpy(hostile.data() + 8, "\xff\xff\xff\xff", 4);  // the first entry's length
  write(folder / "hostile.bin", hostile);
  EXPECT_THAT(tokenizers::open_llama2c(folder / "hostile.bin", 266).error(), HasSubstr("it ends at entry 0"));
}

}  // namespace
}  // namespace headlight::tests
