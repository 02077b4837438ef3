#include "base/words.h"

#include <gtest/gtest.h>

#include "base/capitals.h"

namespace headlight::base {
namespace {

TEST(Words, ManyIsSaidOfAllButOne) {
  EXPECT_EQ(counted(1, "token"), "1 token");
  EXPECT_EQ(counted(0, "token"), "0 tokens");
  EXPECT_EQ(counted(std::size_t{2}, "query", "queries"), "2 queries");
  EXPECT_EQ(counted(1, "value is", "values are"), "1 value is");
}

TEST(Words, BeginWithACapitalLetter) {
  EXPECT_EQ(capital("weights"), "Weights");
  EXPECT_EQ(capital("ω"), "ω");
  EXPECT_EQ(capital(""), "");
  EXPECT_EQ(capitals("Lesson 2 · why divide by √d"), "LESSON 2 · WHY DIVIDE BY √d") << "a symbol is no word";
}

TEST(Words, ColumnsAreOfCharacters) {
  EXPECT_EQ(characters("e\u0301t\u00E9"), 3u);
  EXPECT_EQ(padded("d_k", 5), "d_k  ");
  EXPECT_EQ(padded_before("√d", 4), "  √d");
  EXPECT_EQ(padded("longer", 3), "longer");
}

}  // namespace
}  // namespace headlight::base
