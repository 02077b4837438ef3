// The signs of tokens are explained where a token is pointed at.
#include "kit/token_signs.h"

#include <gtest/gtest.h>

namespace headlight::views::token_signs_test {

TEST(TokenSigns, AreToldAfterTheWordsThatContainThem) {
  EXPECT_EQ(with_signs_explained("“cat”, query 2"), "“cat”, query 2");
  EXPECT_EQ(with_signs_explained("“␣cat”, query 2"), "“␣cat”, query 2   (␣ is a space)");
  EXPECT_EQ(with_signs_explained("“␣” → “↵”\nclick: pin"),
            "“␣” → “↵”\nclick: pin\n␣ is a space, ↵ is a new line");
  EXPECT_EQ(with_signs_explained(""), "");
}

}  // namespace headlight::views::token_signs_test
