// Normalizers, pre-tokenizers, added tokens and templates one by one, in their general form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tokenizers/normalizer.h"
#include "tokenizers/small_tokenizer.h"

namespace headlight::tests {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using Words = std::vector<std::string>;

std::string normalised(const json& normalizer, const std::string& text) {
  const io::Json own = io::Json::parse(normalizer.dump());
  const auto made = tokenizers::read_normalizer(&own, "test");
  if (!made) return "error: " + made.error();
  auto aligned = tokenizers::AlignedText::of(text, 0);
  if (const auto done = (*made)->apply(aligned); !done) return "error: " + done.error();
  EXPECT_EQ(aligned.text.size(), aligned.from.size());
  for (const auto& range : aligned.from) EXPECT_TRUE(range.begin <= range.end && range.end <= text.size());
  return aligned.text;
}

Words cut(const json& pre_tokenizer, const std::string& text, const json& normalizer = nullptr) {
  json file = whole_words();
  file["pre_tokenizer"] = pre_tokenizer;
  file["normalizer"] = normalizer;
  const auto tokenizer = open_json(file);
  return tokenizer ? typed(**tokenizer, text) : Words{tokenizer.error()};
}

json split_at(const std::string& kind, const std::string& pattern, const std::string& behaviour,
              bool invert = false) {
  return {{"type", "Split"}, {"pattern", {{kind, pattern}}}, {"behavior", behaviour}, {"invert", invert}};
}

TEST(TokenizerComponents, SplitBehaviours) {
  const auto at_dashes = [](const char* behaviour, bool invert = false) {
    const Words letters = cut(split_at("String", "-", behaviour, invert), "a--b-");
    EXPECT_EQ(letters, cut(split_at("Regex", "-", behaviour, invert), "a--b-"));
    return letters;
  };
  EXPECT_THAT(at_dashes("Removed"), ElementsAre("a", "b"));
  EXPECT_THAT(at_dashes("Isolated"), ElementsAre("a", "-", "-", "b", "-"));
  EXPECT_THAT(at_dashes("MergedWithPrevious"), ElementsAre("a-", "-", "b-"));
  EXPECT_THAT(at_dashes("MergedWithNext"), ElementsAre("a", "-", "-b", "-"));
  EXPECT_THAT(at_dashes("Contiguous"), ElementsAre("a", "--", "b", "-"));
  EXPECT_THAT(at_dashes("Removed", true), ElementsAre("-", "-", "-"));
  EXPECT_THAT(at_dashes("MergedWithPrevious", true), ElementsAre("a", "-", "-b", "-"));
  EXPECT_THAT(at_dashes("MergedWithNext", true), ElementsAre("a-", "-", "b-"));
}

TEST(TokenizerComponents, WaysToCutWords) {
  EXPECT_THAT(cut({{"type", "Whitespace"}}, "it's  n\u00f8 e\u0301\u3000x!?"),
              ElementsAre("it", "'", "s", "n\u00f8", "e\u0301", "x", "!?"));
  EXPECT_THAT(cut({{"type", "WhitespaceSplit"}}, " a,b\u00a0c\td "), ElementsAre("a,b", "c", "d"));
  EXPECT_THAT(cut({{"type", "BertPreTokenizer"}}, "a,b \u2014c$"),
              ElementsAre("a", ",", "b", "\u2014", "c", "$"));
  EXPECT_THAT(cut({{"type", "Digits"}, {"individual_digits", true}}, "a12\u00bd"),
              ElementsAre("a", "1", "2", "\u00bd"));
  EXPECT_THAT(cut({{"type", "Digits"}}, "a12b3"), ElementsAre("a", "12", "b", "3"));
  EXPECT_THAT(cut({{"type", "Punctuation"}}, "a!!b"), ElementsAre("a", "!", "!", "b"));
  EXPECT_THAT(cut({{"type", "Punctuation"}, {"behavior", "Contiguous"}}, "a!!b"),
              ElementsAre("a", "!!", "b"));
  EXPECT_THAT(cut({{"type", "CharDelimiterSplit"}, {"delimiter", "|"}}, "a||b c"), ElementsAre("a", "b c"));
  EXPECT_THAT(cut({{"type", "FixedLength"}, {"length", 2}}, "a\u00e9\u4e2dbc"),
              ElementsAre("a\u00e9", "\u4e2db", "c"));
  EXPECT_THAT(
      cut({{"type", "Sequence"}, {"pretokenizers", {{{"type", "WhitespaceSplit"}}, {{"type", "Digits"}}}}},
          "a1 2"),
      ElementsAre("a", "1", "2"));
}

TEST(TokenizerComponents, MetaspacePrefixes) {
  const auto ranges = [](const char* scheme, bool split) {
    return cut(
        {{"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", scheme}, {"split", split}},
        "ab  c");
  };
  EXPECT_THAT(ranges("always", true), ElementsAre("ab", " ", " c"));
  EXPECT_THAT(ranges("never", false), ElementsAre("ab  c"));
  EXPECT_THAT(cut({{"type", "Metaspace"}, {"add_prefix_space", false}}, "a b"), ElementsAre("a", " b"));
}

/// `first` counts for the first byte of the text, not behind a token that is written out, and not behind
/// white space that was stripped.
TEST(TokenizerComponents, MetaspaceFirstMeansTheFirstByte) {
  json file = plain({{"type", "WordLevel"},
                     {"vocab", {{"?", 0}, {"\u2581a", 1}, {"a", 2}, {"<s>", 3}}},
                     {"unk_token", "?"}});
  file["pre_tokenizer"] = {
      {"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", "first"}, {"split", true}};
  file["normalizer"] = {{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}};
  file["added_tokens"] =
      json::array({json{{"id", 3}, {"content", "<s>"}, {"special", true}, {"normalized", false}}});
  const auto tokenizer = open_json(file);
  ASSERT_TRUE(tokenizer) << tokenizer.error();
  EXPECT_THAT(texts_of(**tokenizer, "a"), ElementsAre("\u2581a"));
  EXPECT_THAT(texts_of(**tokenizer, "a<s>a"), ElementsAre("\u2581a", "<s>", "a"));
  EXPECT_THAT(texts_of(**tokenizer, "  a"), ElementsAre("a"));
}

TEST(TokenizerComponents, Normalizers) {
  EXPECT_EQ(normalised({{"type", "NFC"}}, "e\u0301 \u1100\u1161\u11a8 \u2126"), "\u00e9 \uac01 \u03a9");
  EXPECT_EQ(normalised({{"type", "NFD"}}, "\u00e9\u0323"), "e\u0323\u0301");
  EXPECT_EQ(normalised({{"type", "NFKC"}}, "\ufb01 \uff76\uff9e \u00bd"), "fi \u30ac 1\u20442");
  EXPECT_EQ(normalised({{"type", "NFKD"}}, "\u212b"), "A\u030a");
  EXPECT_EQ(normalised({{"type", "Lowercase"}}, "\u0130\u03a3 \u00c9\u1e9e"), "i\u0307\u03c3 \u00e9\u00df");
  EXPECT_EQ(normalised({{"type", "StripAccents"}}, "e\u0301 \u00e9 \u0915\u093f"), "e \u00e9 \u0915");
  EXPECT_EQ(normalised({{"type", "Strip"}, {"strip_left", false}}, "\u3000a \t"), "\u3000a");
  EXPECT_EQ(normalised({{"type", "Strip"}}, " \u2028 "), "");
  EXPECT_EQ(normalised({{"type", "Prepend"}, {"prepend", "_"}}, ""), "");
  EXPECT_EQ(normalised({{"type", "Prepend"}, {"prepend", "_"}}, "a"), "_a");
  EXPECT_EQ(normalised({{"type", "Nmt"}}, std::string("a\x01") + "b\tc\u200b\u2581"), "ab c  ");
  EXPECT_EQ(
      normalised({{"type", "Replace"}, {"pattern", {{"Regex", "\\s{2,}"}}}, {"content", "_"}}, "a \tb c"),
      "a_b c");
  EXPECT_EQ(normalised({{"type", "Replace"}, {"pattern", {{"String", "aa"}}}, {"content", ""}}, "aaab"),
            "ab");
  EXPECT_EQ(normalised({{"type", "BertNormalizer"}, {"lowercase", true}, {"strip_accents", nullptr}},
                       "\u00c9\u4e2d\u00adx\ty"),
            "e \u4e2d x y");
  EXPECT_EQ(normalised({{"type", "BertNormalizer"}, {"lowercase", false}, {"handle_chinese_chars", false}},
                       "\u00c9\u4e2d"),
            "\u00c9\u4e2d");
  EXPECT_EQ(normalised({{"type", "ByteLevel"}}, " \u00e9"), "\u0120\u00c3\u00a9");
}

/// Marks of falling class in a heap of half a million: sorted, not bubbled.
TEST(TokenizerComponents, HeapsOfMarksTakeNoQuadraticTime) {
  std::string heap = "e";
  for (int i = 0; i < 250'000; ++i) heap += "\u0301\u0323";
  const std::string sorted = normalised({{"type", "NFD"}}, heap);
  EXPECT_EQ(sorted.size(), heap.size());
  EXPECT_EQ(sorted.substr(1, 4), "\u0323\u0323");
  EXPECT_EQ(sorted.substr(sorted.size() - 4), "\u0301\u0301");
}

/// A table with one entry: A becomes "bc". A double array by hand: the root's children begin at 256.
TEST(TokenizerComponents, PrecompiledTable) {
  std::vector<std::uint32_t> units(512);
  units[0] = 256u << 10;
  units[256 ^ 'A'] = 'A' | 1u << 8 | 1u << 10;
  units[256 ^ 'A' ^ 1] = 1u << 31;
  std::string bytes;
  const auto add = [&](std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 0xFF);
  };
  add(static_cast<std::uint32_t>(units.size() * 4));
  for (const std::uint32_t unit : units) add(unit);
  bytes += std::string("bc\0", 3);
  std::string base64;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) {
      base64 +=
          i + j > bytes.size()
              ? '='
              : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[three >> (18 - 6 * j) &
                                                                                   63];
    }
  }
  EXPECT_EQ(normalised({{"type", "Precompiled"}, {"precompiled_charsmap", base64}}, "xA\u00c1y"),
            "xbc\u00c1y");
  EXPECT_THAT(normalised({{"type", "Precompiled"}, {"precompiled_charsmap", "////"}}, "x"),
              testing::StartsWith("error: test"));
  EXPECT_THAT(normalised({{"type", "Precompiled"}, {"precompiled_charsmap", "????"}}, "x"),
              testing::StartsWith("error: test"));
}

TEST(TokenizerComponents, AddedTokens) {
  json file = whole_words();
  file["added_tokens"] = {{{"id", 1}, {"content", "TODO"}, {"single_word", true}, {"normalized", false}},
                          {{"id", 2},
                           {"content", "<m>"},
                           {"lstrip", true},
                           {"rstrip", true},
                           {"normalized", false},
                           {"special", true}},
                          {{"id", 3}, {"content", "<m>x"}, {"normalized", false}},
                          {{"id", 4}, {"content", "YES"}, {"normalized", true}}};
  file["normalizer"] = {{"type", "Lowercase"}};
  const auto tokenizer = open_json(file);
  ASSERT_TRUE(tokenizer) << tokenizer.error();
  EXPECT_THAT(texts_of(**tokenizer, "TODO TODOs _TODO TODO!"), ElementsAre("TODO", "<unk>", "TODO", "<unk>"));
  EXPECT_THAT(typed(**tokenizer, "a \n<m>\u3000 b"), ElementsAre("a", " \n<m>\u3000 ", "b"));
  EXPECT_THAT(typed(**tokenizer, "<m> <m>"), ElementsAre("<m> ", "<m>"));
  EXPECT_THAT(texts_of(**tokenizer, "<m>x<m>"), ElementsAre("<m>x", "<m>"));
  EXPECT_THAT(texts_of(**tokenizer, "yEsno"), ElementsAre("YES", "<unk>"));
  EXPECT_THAT(texts_of(**tokenizer, "a<m>TODO", {.special_as_text = true}), ElementsAre("<unk>", "TODO"));
}

TEST(TokenizerComponents, Templates) {
  json file = plain({{"type", "WordLevel"},
                     {"vocab", {{"a", 0}, {"b", 1}, {"<s>", 2}, {"</s>", 3}}},
                     {"unk_token", "<unk>"}});
  const auto pair = [&](const json& processor) {
    file["post_processor"] = processor;
    const auto tokenizer = open_json(file);
    if (!tokenizer) return tokenizer.error();
    const auto pieces = (*tokenizer)->encode_pair("a", "b");
    std::string out;
    for (const auto& piece : *pieces)
      out += piece.text + std::to_string(piece.segment) + std::to_string(piece.of) + " ";
    return out;
  };
  EXPECT_EQ(pair(nullptr), "a00 b11 ");
  EXPECT_EQ(pair({{"type", "BertProcessing"}, {"cls", {"<s>", 2}}, {"sep", {"</s>", 3}}}),
            "<s>00 a00 </s>00 b11 </s>10 ");
  EXPECT_EQ(pair({{"type", "RobertaProcessing"}, {"cls", {"<s>", 2}}, {"sep", {"</s>", 3}}}),
            "<s>00 a00 </s>00 </s>00 b01 </s>00 ");
  const json token = {{"SpecialToken", {{"id", "x"}, {"type_id", 0}}}};
  EXPECT_THAT(pair({{"type", "TemplateProcessing"}, {"single", json::array({token})}}),
              testing::HasSubstr("special_tokens has no ids for \"x\""));
}

TEST(TokenizerComponents, UnknownOnesAreNamedInOneLine) {
  for (const char* part : {"normalizer", "pre_tokenizer", "post_processor", "decoder", "model"}) {
    json file = whole_words();
    file[part] = {{"type", "Sorcery\n\x1b[31m" + std::string(100'000, 'x')}};
    const auto tokenizer = open_json(file);
    ASSERT_FALSE(tokenizer);
    EXPECT_THAT(tokenizer.error(), testing::HasSubstr("tokenizer.json: " + std::string(part) + " Sorcery"));
    EXPECT_THAT(tokenizer.error(), testing::HasSubstr("not supported"));
    EXPECT_LT(tokenizer.error().size(), 600u);
    EXPECT_EQ(tokenizer.error().find_first_of("\n\x1b"), std::string::npos);
  }
  json file = whole_words();
  file["normalizer"] = {{"type", "Sequence"}, {"normalizers", {{{"type", "NFC"}}, {{"type", "Sorcery"}}}}};
  EXPECT_THAT(open_json(file).error(), testing::HasSubstr("normalizer Sequence 2 Sorcery"));
}

}  // namespace
}  // namespace headlight::tests
