// Regular expressions of published tokenizers mean here what they mean there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tokenizers/pattern.h"

namespace headlight::tests {
namespace {

using testing::ElementsAre;
using tokenizers::Pattern;

std::vector<std::string> found(const std::string& expression, const std::string& text) {
  const auto pattern = Pattern::regex(expression, "file");
  if (!pattern) return {pattern.error()};
  std::vector<tokenizers::Match> matches;
  if (const auto done = pattern->find(text, matches); !done) return {done.error()};
  std::vector<std::string> out;
  for (const auto& match : matches) out.push_back(text.substr(match.begin, match.end - match.begin));
  return out;
}

TEST(TokenizerRegex, WhiteSpaceIsUnicodes) {
  for (const char* white : {"\t", "\n", "\v", "\f", "\r", " ", "\u0085", "\u00a0", "\u1680", "\u2000",
                            "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"}) {
    EXPECT_THAT(found("\\s", white), ElementsAre(white));
    EXPECT_THAT(found("[^\\s]|[\\S]|\\S", white), ElementsAre());
  }
  for (const char* other : {"\u180e", "\u200b", "\ufeff", "\x1f", "a"}) {
    EXPECT_THAT(found("[\\s]", other), ElementsAre());
    EXPECT_THAT(found("[\\S]", other), ElementsAre(other));
    EXPECT_THAT(found("\\S", other), ElementsAre(other));
  }
}

TEST(TokenizerRegex, OnlyAsciiLettersHaveTwoCases) {
  EXPECT_THAT(found("(?i:'s|k)", "'S'\u017f K\u212a"), ElementsAre("'S", "K"));
  EXPECT_THAT(found("(?i)a[b-d]|x", "AC ab X"), ElementsAre("AC", "ab", "X"));
  EXPECT_THAT(found("(?:(?i)a)a", "Aa AA"), ElementsAre("Aa"));
  EXPECT_THAT(found("(?i:a(?-i:b))", "Ab AB"), ElementsAre("Ab"));
}

TEST(TokenizerRegex, WordsHexadecimalsAndCategories) {
  EXPECT_THAT(found("\\w+", "e\u0301x_1 \u093f-\u00b2"), ElementsAre("e\u0301x_1", "\u093f"));
  EXPECT_THAT(found("\\W", "a\u00b2"), ElementsAre("\u00b2"));
  EXPECT_THAT(found("\\be", "e\u0301e e"), ElementsAre("e", "e"));
  EXPECT_THAT(found("\\h+", "xfFg0 "), ElementsAre("fF", "0"));
  EXPECT_THAT(found("\\p{Letter}\\p{Decimal_Number}", "a1\u00e9\u0663"), ElementsAre("a1", "\u00e9\u0663"));
  EXPECT_THAT(found("\\p{^L}", "a1"), ElementsAre("1"));
  EXPECT_THAT(found("\\u00e9\\x{4e2d}", "\u00e9\u4e2d"), ElementsAre("\u00e9\u4e2d"));
  EXPECT_THAT(found("[[:space:]x]+", "a x\u00a0"), ElementsAre(" x\u00a0"));
}

TEST(TokenizerRegex, ClassesInClassesAndRepetition) {
  EXPECT_THAT(found(" ?[^(\\s|[.,!?])]+", "ab, (c)|d"), ElementsAre("ab", "c", "d"));
  EXPECT_THAT(found("[]a]+", "a]b"), ElementsAre("a]"));
  EXPECT_THAT(found("(?:ab){1,2}+$", "ababab"), ElementsAre("ababab"));
  EXPECT_THAT(found("a{,2}b", "aab b"), ElementsAre("aab", "b"));
  EXPECT_THAT(found("x{", "x{"), ElementsAre("x{"));
  EXPECT_THAT(found("a.c", "a\nc abc"), ElementsAre("abc"));
  EXPECT_THAT(found("(?m:a.c)", "a\nc"), ElementsAre("a\nc"));
  EXPECT_THAT(found("^b", "a\nb"), ElementsAre("b"));
  EXPECT_THAT(found("x*", "ax"), ElementsAre("", "x"));
}

TEST(TokenizerRegex, WhatIsNotSupportedIsSaid) {
  for (const char* expression : {"[a-z&&[^b]]", "[a[^b]]", "(", "[a", "a\\", "\\p{Sorcery}", "(?<=a+)b"}) {
    const auto pattern = Pattern::regex(expression, "file: place");
    ASSERT_FALSE(pattern) << expression;
    EXPECT_THAT(pattern.error(), testing::HasSubstr("file: place: the regular expression "));
    EXPECT_LT(pattern.error().size(), 600u);
  }
}

/// Also where a match begins after many bytes without one.
TEST(TokenizerRegex, LongTexts) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "\u00e9";
  EXPECT_THAT(found("x", text + "x" + text + "x"), ElementsAre("x", "x"));
  EXPECT_EQ(found("\\s+(?!\\S)|\\s+|\\S+", std::string(1 << 20, ' ') + "a").size(), 3u);
  EXPECT_EQ(found("\\p{L}+", std::string(1 << 20, 'a')).size(), 1u);
}

TEST(TokenizerRegex, AnExpressionThatWouldTakeForEverEnds) {
  const auto message = found("(a+)+b|(?:a|a|aa)*c", std::string(200, 'a'));
  ASSERT_EQ(message.size(), 1u);
  EXPECT_THAT(message[0], testing::HasSubstr("takes too long"));
}

}  // namespace
}  // namespace headlight::tests
