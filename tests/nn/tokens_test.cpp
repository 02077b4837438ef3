#include "nn/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "base/utf8.h"

namespace headlight::nn {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts(const std::vector<Token>& tokens) {
  std::vector<std::string> out;
  for (const Token& token : tokens) out.push_back(token.text);
  return out;
}
std::vector<std::string> words(std::string_view sentence) {
  return texts(split_words(sentence));
}
std::vector<std::string> chars(std::string_view sentence) {
  return texts(split_chars(sentence));
}

std::vector<int> ids(const std::vector<Token>& tokens) {
  std::vector<int> out;
  for (const Token& token : tokens) out.push_back(token.id);
  return out;
}

TEST(Words, SplitAtSpacesAndPunctuation) {
  EXPECT_THAT(words("the cat sat on the mat"), ElementsAre("the", "cat", "sat", "on", "the", "mat"));
  EXPECT_THAT(words("The end."), ElementsAre("The", "end", "."));
  EXPECT_THAT(words("  \t\n a\u00A0b\u3000c \r\n"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(words("(yes, no?!)"), ElementsAre("(", "yes", ",", "no", "?", "!", ")"));
  EXPECT_THAT(words("a_b 3.14 x=1"), ElementsAre("a", "_", "b", "3", ".", "14", "x", "=", "1"));
}

TEST(Words, KeepInnerApostrophesAndHyphens) {
  EXPECT_THAT(words("don't twenty-one l’été"), ElementsAre("don't", "twenty-one", "l’été"));
  EXPECT_THAT(words("mother-in-law's"), ElementsAre("mother-in-law's"));
  EXPECT_THAT(words("'tis dogs' -5 a- -b"),
              ElementsAre("'", "tis", "dogs", "'", "-", "5", "a", "-", "-", "b"));
  EXPECT_THAT(words("a--b a'-b"), ElementsAre("a", "-", "-", "b", "a", "'", "-", "b"));
  EXPECT_THAT(words("-"), ElementsAre("-"));
}

TEST(Words, OfManyScripts) {
  EXPECT_THAT(words("Grüße, Ελλάδα и Москва"), ElementsAre("Grüße", ",", "Ελλάδα", "и", "Москва"));
  EXPECT_THAT(words("שלום עולם!"), ElementsAre("שלום", "עולם", "!"));
  EXPECT_THAT(words("مرحبا بالعالم؟"), ElementsAre("مرحبا", "بالعالم", "؟"));
  EXPECT_THAT(words("नमस्ते दुनिया।"), ElementsAre("नमस्ते", "दुनिया", "।"));
  EXPECT_THAT(words("cafe\u0301 x\u0302y"), ElementsAre("cafe\u0301", "x\u0302y"));
  EXPECT_THAT(words("x² ½ Ⅳ"), ElementsAre("x²", "½", "Ⅳ"));
}

TEST(Words, OfEastAsia) {
  EXPECT_THAT(words("我愛你。"), ElementsAre("我", "愛", "你", "。"));
  EXPECT_THAT(words("東京タワーへ行く"), ElementsAre("東", "京", "タワー", "へ", "行", "く"));
  EXPECT_THAT(words("안녕하세요 세계"), ElementsAre("안녕하세요", "세계"));
  EXPECT_THAT(words("人々がAIを"), ElementsAre("人", "々", "が", "AI", "を"));
  EXPECT_THAT(words("𠀀𠀁"), ElementsAre("𠀀", "𠀁"));
}

TEST(Words, EmojiAreTokensOfTheirOwn) {
  EXPECT_THAT(words("hi👋🏽there 👩‍👩‍👧‍👦👍"),
              ElementsAre("hi", "👋🏽", "there", "👩‍👩‍👧‍👦", "👍"));
  EXPECT_THAT(words("🇩🇪🇫🇷"), ElementsAre("🇩🇪", "🇫🇷"));
  EXPECT_THAT(words("1️⃣2"), ElementsAre("1️⃣", "2"));
}

TEST(Words, InvisibleCharactersSeparateOrStayInside) {
  EXPECT_THAT(words("zero\u200Bwidth"), ElementsAre("zero", "width"));
  EXPECT_THAT(words("soft\u00ADhyphen"), ElementsAre("soft\u00ADhyphen"));
  EXPECT_THAT(words("\uFEFFstart end\u200F"), ElementsAre("start", "end"));
  EXPECT_THAT(words(std::string_view("a\0b\x07", 4)), ElementsAre("a", "b"));
  EXPECT_THAT(words(" \u0301"), ElementsAre(" \u0301"));  // an accent shown by itself
}

TEST(Words, NothingFromNothing) {
  EXPECT_THAT(words(""), IsEmpty());
  EXPECT_THAT(words(" \t\r\n "), IsEmpty());
  EXPECT_EQ(distinct_tokens(split_words("")), 0);
}

TEST(Chars, AreClustersWithSpaces) {
  EXPECT_THAT(chars("a b"), ElementsAre("a", " ", "b"));
  EXPECT_THAT(chars("e\u0301👨‍👩‍👧🇯🇵"), ElementsAre("e\u0301", "👨‍👩‍👧", "🇯🇵"));
  EXPECT_THAT(chars("\r\n"), ElementsAre("\r\n"));
  EXPECT_THAT(chars(""), IsEmpty());
}

TEST(Chars, OfTheSentenceThatTheTextsUse) {
  const std::vector<Token> tokens = split_chars("the cat sat on the mat");
  EXPECT_EQ(tokens.size(), 22u);
  EXPECT_EQ(distinct_tokens(tokens), 10);
}

TEST(Tokens, IllFormedBytesBecomeReplacementsWithTheirRanges) {
  const Token a{"a", 0, 1, 0}, bad_1{"\uFFFD", 1, 2, 1}, bad_2{"\uFFFD", 2, 4, 1}, b{"b", 4, 5, 2};
  EXPECT_THAT(split_chars("a\xFF\xE2\x82"
                          "b"),
              ElementsAre(a, bad_1, bad_2, b));
  EXPECT_THAT(split_words("a\xFF\xE2\x82"
                          "b"),
              ElementsAre(a, bad_1, bad_2, b));
}

TEST(Tokens, IdsCountDistinctTextsInOrderOfAppearance) {
  EXPECT_THAT(ids(split_words("the cat the mat cat")), ElementsAre(0, 1, 0, 2, 1));
  EXPECT_THAT(ids(split_chars("abcab")), ElementsAre(0, 1, 2, 0, 1));
  EXPECT_EQ(distinct_tokens(split_words("the cat the mat cat")), 3);
  EXPECT_THAT(ids(split_words("The the")), ElementsAre(0, 1));
}

TEST(Tokens, AnyBytesGiveOrderedRangesAndWellFormedTexts) {
  std::string bytes;
  for (unsigned i = 0; i < 20000; ++i) bytes += static_cast<char>((i * i * 2654435761u) >> 15);
  for (auto* split : {split_chars, split_words}) {
    std::size_t end = 0;
    for (const Token& token : split(bytes)) {
      ASSERT_GE(token.begin, end);
      ASSERT_GT(token.end, token.begin);
      ASSERT_LE(token.end, bytes.size());
      ASSERT_EQ(token.text, base::well_formed(bytes.substr(token.begin, token.end - token.begin)));
      end = token.end;
    }
  }
  std::string joined;
  for (const Token& token : split_chars(bytes)) joined += token.text;
  EXPECT_EQ(joined, base::well_formed(bytes));
}

TEST(Tokens, AMegabyteIsQuick) {
  std::string sentence;
  while (sentence.size() < 1'000'000) sentence += "the cat sat, on the mat; Größe 東京 don't 👍 ";
  for (auto* split : {split_chars, split_words}) {
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<Token> tokens = split(sentence);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    EXPECT_GT(tokens.size(), 100'000u);
    std::printf("%zu tokens from %zu bytes in %.1f ms\n", tokens.size(), sentence.size(), took.count());
    EXPECT_LT(took.count(), 2000);  // about 60 ms in a release build; wide, since tests share the machine
  }
}

TEST(Tokens, OneEndlessClusterIsNoTrap) {
  std::string marks = "a";
  while (marks.size() < 200'000) marks += "\u0301";
  EXPECT_EQ(split_chars(marks).size(), 1u);
  EXPECT_EQ(split_words(marks).size(), 1u);
  const std::string invisible = [] {
    std::string text = "a";
    while (text.size() < 200'000) text += "\u2060-";
    return text;
  }();
  EXPECT_GT(split_words(invisible).size(), 1000u);
}

}  // namespace
}  // namespace headlight::nn
