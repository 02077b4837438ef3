// A pinned token keeps its word while the sentence is typed on.
#include "scene/followed.h"

#include <gtest/gtest.h>

#include <sstream>

namespace headlight::scene {
namespace {

std::vector<std::string> words(const char* sentence) {
  std::istringstream in(sentence);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

TEST(Followed, StaysBeforeTheChangeAndShiftsBehindIt) {
  const auto before = words("the animal was tired because it was old");
  EXPECT_EQ(followed(before, words("the animal was so very tired because it was old"), 5), 7);
  EXPECT_EQ(followed(before, words("the animal was tired because it was wide"), 5), 5);
  EXPECT_EQ(followed(before, words("animal was tired because it was old"), 5), 4);
  EXPECT_EQ(followed(before, words("the animal was tired because it"), 5), 5);
}

TEST(Followed, OfEqualWordsItIsTheOneThatWasPinned) {
  // The second "was": what is behind the change, not the nearest "was".
  EXPECT_EQ(followed(words("it was a was b"), words("it was was was a was b"), 3), 5);
  EXPECT_EQ(followed(words("a b a"), words("a b b a"), 2), 3);
  EXPECT_EQ(followed(words("a b a"), words("a b b a"), 0), 0);
}

TEST(Followed, WhatWasTypedOverIsFoundByItsWord) {
  EXPECT_EQ(followed(words("because it was wide"), words("dogs sleep when it rains"), 1), 3);
  EXPECT_EQ(followed(words("one two three"), words("three one one"), 0), 1) << "the nearest of two";
}

TEST(Followed, OfAPronounTheFirstPronoun) {
  EXPECT_EQ(followed(words("the bag fell because it was wide"), words("anna called maria and she came"), 4),
            4);
  EXPECT_EQ(followed(words("the bag fell"), words("anna called she"), 1), -1) << "a noun is no pronoun";
}

TEST(Followed, WhatIsGoneOrWasNotThereIsNowhere) {
  EXPECT_EQ(followed(words("a b c"), words("x y z"), 1), -1);
  EXPECT_EQ(followed(words("a b c"), {}, 1), -1);
  EXPECT_EQ(followed({}, words("a"), 0), -1);
  EXPECT_EQ(followed(words("a"), words("a"), 1), -1);
  EXPECT_EQ(followed(words("a"), words("a"), -1), -1);
}

TEST(Followed, TheSameSentenceMovesNothing) {
  const auto same = words("a b a b a");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(followed(same, same, i), i);
}

}  // namespace
}  // namespace headlight::scene
