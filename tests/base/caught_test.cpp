#include "base/caught.h"

#include <gmock/gmock.h>

#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "base/bytes_from_c.h"

namespace headlight::base {
namespace {

template <class Thrown>
std::string words_for(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return caught_words();
  }
}

TEST(Caught, MemoryIsSaidInOnePlace) {
  EXPECT_EQ(words_for(std::bad_alloc()), "there is not enough memory");
  try {
    std::vector<int> none;
    none.reserve(none.max_size() + 1);
    FAIL();
  } catch (...) {
    EXPECT_EQ(caught_words(), "there is not enough memory");
    EXPECT_TRUE(caught_out_of_memory());
  }
  try {
    throw std::runtime_error("x");
  } catch (...) {
    EXPECT_FALSE(caught_out_of_memory());
  }
}

TEST(BytesFromC, WhatHasNoRoomIsSaidAtTheEnd) {
  BytesFromC sound;
  sound.append("ab", 2);
  sound.append("c", 1);
  EXPECT_EQ(sound.take(), "abc");
  BytesFromC failed;
  failed.append("ab", 2);
  failed.append("c", std::string().max_size());  // nothing is read of it
  failed.append("d", 1);
  EXPECT_THROW(failed.take(), std::bad_alloc);
}

TEST(Caught, AThreadThatCannotBeginIsSaidToBeOne) {
  const auto error = std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
  EXPECT_THAT(words_for(error), testing::StartsWith("no more threads can be started"));
}

TEST(Caught, WhatHasNoMemoryForItsWordsHasShortOnes) {
  std::string problem;
  try {
    throw std::bad_alloc();
  } catch (...) {
    tell_caught(problem, [] { return "why: " + caught_words(); });
    EXPECT_EQ(problem, "why: there is not enough memory");
    tell_caught(problem, []() -> std::string { throw std::bad_alloc(); });
    EXPECT_EQ(problem, "no memory left");
  }
}

TEST(Caught, OtherWordsAreOneLineOfBoundedLength) {
  EXPECT_EQ(words_for(std::runtime_error("two\nlines")), "two lines");
  EXPECT_LT(words_for(std::runtime_error(std::string(10000, 'x'))).size(), 600u);
  EXPECT_EQ(words_for(5), "unknown error");
}

}  // namespace
}  // namespace headlight::base
