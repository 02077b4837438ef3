#include "text/bidi.h"

#include <gtest/gtest.h>

namespace headlight::text {
namespace {

using Levels = std::vector<std::uint8_t>;

TEST(Bidi, OnlyRightToLeftLinesNeedLevels) {
  EXPECT_FALSE(has_right_to_left(U"the cat, Привет, 猫, ไทย, हिन्दी, 😀"));
  EXPECT_TRUE(has_right_to_left(U"abc ש"));
  EXPECT_TRUE(has_right_to_left(U"\u202Eabc"));
}

TEST(Bidi, NumbersKeepTheirOrderInHebrew) {
  EXPECT_EQ(embedding_levels(U"שב 12"), (Levels{1, 1, 1, 2, 2}));
  EXPECT_EQ(embedding_levels(U"ab שב"), (Levels{0, 0, 0, 1, 1}));
  EXPECT_EQ(embedding_levels(U"ש "), (Levels{1, 1}));
  EXPECT_EQ(embedding_levels(U"a ש "), (Levels{0, 0, 1, 0})) << "white space at the end is the line's";
}

TEST(Bidi, RunsAreReversedFromTheDeepestLevelUp) {
  EXPECT_EQ(visual_order({0, 1, 0}), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(visual_order({1, 2, 1}), (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(visual_order({0, 1, 2, 1, 0}), (std::vector<std::size_t>{0, 3, 2, 1, 4}));
  EXPECT_EQ(visual_order({1, 2, 3, 2}), (std::vector<std::size_t>{1, 2, 3, 0}))
      << "within level 2 the order is kept but for what is deeper";
  EXPECT_TRUE(visual_order({}).empty());
}

}  // namespace
}  // namespace headlight::text
