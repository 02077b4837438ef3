#include "base/utf8.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace headlight::base {
namespace {

using namespace std::string_literals;

/// Sizes of the parts into which decode() cuts the text; ill-formed ones negative.
std::vector<int> parts(std::string_view text) {
  std::vector<int> sizes;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    sizes.push_back(c.valid ? static_cast<int>(c.bytes) : -static_cast<int>(c.bytes));
    at += c.bytes;
  }
  return sizes;
}

std::vector<std::size_t> clusters(std::string_view text) {
  std::vector<std::size_t> sizes;
  for (std::size_t at = 0; at < text.size(); at += sizes.back()) sizes.push_back(cluster_bytes(text, at));
  return sizes;
}

TEST(Utf8, DecodesEveryLength) {
  EXPECT_EQ(to_utf32("aé€😀"), U"aé€😀");
  EXPECT_EQ(to_utf32("\0"s), U"\0"s);
  EXPECT_EQ(decode("\xF4\x8F\xBF\xBF", 0).value, char32_t{0x10FFFF});
  EXPECT_EQ(decode("\xED\x9F\xBF", 0).value, char32_t{0xD7FF});
}

TEST(Utf8, EveryCodePointSurvivesTheWayOutAndBack) {
  for (char32_t c = 0; c <= 0x10FFFF; c = c == 0xD7FF ? 0xE000 : c + 1) {
    std::string text;
    append_utf8(text, c);
    const CodePoint back = decode(text, 0);
    ASSERT_TRUE(back.valid && back.value == c && back.bytes == text.size()) << static_cast<unsigned>(c);
  }
}

// The Unicode standard, table 3-8 and the text around it: U+FFFD for each maximal ill-formed part.
TEST(Utf8, OneReplacementForEachMaximalIllFormedPart) {
  EXPECT_EQ(parts("a\xF1\x80\x80\xE1\x80\xC2"
                  "b\x80"
                  "c\x80\xBF"
                  "d"),
            (std::vector{1, -3, -2, -1, 1, -1, 1, -1, -1, 1}));
  EXPECT_EQ(parts("\xC0\xAF\xE0\x80\xBF"), (std::vector{-1, -1, -1, -1, -1}));          // overlong
  EXPECT_EQ(parts("\xED\xA0\x80"), (std::vector{-1, -1, -1}));                          // a surrogate
  EXPECT_EQ(parts("\xF4\x90\x80\x80\xF5\xFF"), (std::vector{-1, -1, -1, -1, -1, -1}));  // above U+10FFFF
  EXPECT_EQ(parts("\xE2\x82"), (std::vector{-2}));                                      // cut off at the end
}

TEST(Utf8, WellFormedTextIsLeftAlone) {
  EXPECT_EQ(well_formed("Grüße, 世界 👋🏽"), "Grüße, 世界 👋🏽");
  EXPECT_EQ(well_formed("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(well_formed(""), "");
}

TEST(Utf8, BytesOfAnyKindAreCoveredExactlyOnce) {
  std::string text;
  for (int i = 0; i < 4096; ++i) text += static_cast<char>((i * 2654435761u) >> 13);
  std::size_t covered = 0;
  for (int size : parts(text)) covered += static_cast<std::size_t>(std::abs(size));
  EXPECT_EQ(covered, text.size());
  const auto sizes = clusters(text);
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), text.size());
  EXPECT_EQ(parts(well_formed(text)).size(), parts(text).size());
  for (int size : parts(well_formed(text))) EXPECT_GT(size, 0);
}

TEST(Utf8, TheBeginningHasWholeCharacters) {
  EXPECT_EQ(beginning("abc", 3), "abc");
  EXPECT_EQ(beginning("abc", 2), "ab");
  EXPECT_EQ(beginning("日本語", 7), "日本");
  EXPECT_EQ(beginning("e\u0301x", 2), "") << "the accent is the letter's";
  EXPECT_EQ(beginning("日本語", 2), "");
}

TEST(Utf8, ClustersAreWhatAReaderCallsACharacter) {
  EXPECT_EQ(clusters("ab"), (std::vector<std::size_t>{1, 1}));
  EXPECT_EQ(clusters("e\u0301x"), (std::vector<std::size_t>{3, 1}));  // e and an acute
  EXPECT_EQ(clusters("\r\n\n"), (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(clusters("👩‍👩‍👧‍👦!"), (std::vector<std::size_t>{25, 1}));  // joined by ZWJ
  EXPECT_EQ(clusters("🇩🇪🇫🇷"), (std::vector<std::size_t>{8, 8}));                         // flags go in pairs
  EXPECT_EQ(clusters("\u1100\u1161\u11A8"), (std::vector<std::size_t>{9}));              // conjoining jamo
  EXPECT_EQ(clusters("👍🏽"), (std::vector<std::size_t>{8}));                        // with a skin tone
}

}  // namespace
}  // namespace headlight::base
