#include "base/one_line.h"

#include <gtest/gtest.h>

#include "base/trimmed.h"
#include "base/utf8.h"

namespace headlight::base {
namespace {

TEST(OneLine, NamesAreListedAsOneWouldSayThem) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b"}), "a and b");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(listed({"a", "b", "c"}, 2), "a, b, …");
  EXPECT_EQ(listed({"a", "b", "c"}, 3), "a, b and c");
}

TEST(OneLine, ALongWordIsShortenedBetweenQuotes) {
  EXPECT_EQ(in_quotes("heads"), "\"heads\"");
  EXPECT_EQ(in_quotes(std::string(60, 'a')), '"' + std::string(60, 'a') + '"');
  EXPECT_EQ(in_quotes(std::string(1 << 20, 'a')), '"' + std::string(60, 'a') + "…\"");
  EXPECT_EQ(shortened("a\nb\x1b\x7f"), "a\\x0ab\\x1b\\x7f");
  for (const char* part : {"é", "猫", "😀", "\xff", "\xe2\x82"}) {
    std::string text;
    while (text.size() < 1000) text += part;
    EXPECT_EQ(well_formed(shortened(text)), shortened(text));
    EXPECT_LT(shortened(text).size(), 200u);
  }
}

TEST(OneLine, AMessageIsOneLineHoweverLongItIs) {
  EXPECT_EQ(one_line("a.json: heads: 0 is out of range"), "a.json: heads: 0 is out of range");
  EXPECT_EQ(one_line("a\nb\tc\x1b[2J"), "a b c [2J");
  for (const char* part : {"a", "é", "猫", "😀"}) {
    for (std::size_t shift = 0; shift < 4; ++shift) {
      std::string text = "begin" + std::string(shift, '.');
      while (text.size() < 5000) text += part;
      const std::string line = one_line(text + "the end");
      EXPECT_LE(line.size(), longest_line);
      EXPECT_GT(line.size(), longest_line / 2);
      EXPECT_TRUE(line.starts_with("begin") && line.ends_with("the end")) << line;
      EXPECT_EQ(well_formed(line), line);
    }
  }
}

TEST(ForTerminal, NothingSteersIt) {
  EXPECT_EQ(for_terminal("a\tb\n\x1b[2Jc\a\r"), "a\tb\n\\x1b[2Jc\\x07\\x0d");
  EXPECT_EQ(for_terminal("\xC2\x9B"
                         "31m"),
            "\\x9b31m")
      << "the same in one code point";
  EXPECT_EQ(for_terminal("ä\xFF“"), "ä\xEF\xBF\xBD“");
  EXPECT_EQ(for_terminal(""), "");
}

TEST(Trimmed, BlanksAroundATextGo) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

}  // namespace
}  // namespace headlight::base
