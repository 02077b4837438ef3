// The signs of tokens are explained where a token is pointed at.
#include "kit/token_signs.h"

#include <gtest/gtest.h>

namespace headlight::views::token_signs_test {

TEST(TokenSigns, AreToldAfterTheWordsThatContainThem) {
  EXPECT_EQ(with_signs_told("“cat”, query 2"), "“cat”, query 2");
  EXPECT_EQ(with_signs_told("“␣cat”, query 2"), "“␣cat”, query 2   (␣ is a space)");
  EXPECT_EQ(with_signs_told("“␣” → “↵”\nclick: pin"), "“␣” → “↵”\nclick: pin\n␣ is a space, ↵ is a new line");
  EXPECT_EQ(with_signs_told(""), "");
}

}  // namespace headlight::views::token_signs_test
