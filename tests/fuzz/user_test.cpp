// A few short sittings of a random user; headlight_user has long ones.
#include <gtest/gtest.h>

#include <cstdlib>

#include "fuzz/random_user.h"
#include "support/scratch_folder.h"

namespace headlight::fuzz {
namespace {

class RandomUserTest : public testing::TestWithParam<int> {};

TEST_P(RandomUserTest, BreaksNothing) {
  const tests::ScratchFolder folder;
#ifdef HEADLIGHT_SANITIZED
  const bool drawn = false;  // the driver is not for sanitizers
#else
  const bool drawn =
      GetParam() == 1 && std::getenv("HEADLIGHT_WITHOUT_GL") == nullptr;  // by OpenGL; the others without
#endif
  RandomUser user(static_cast<std::uint64_t>(GetParam()), folder.path(), drawn);
  for (int i = 0; i < 4; ++i) user.sitting(20);
  EXPECT_EQ(user.actions(), 80);
  for (const std::string& problem : user.problems()) ADD_FAILURE() << problem;
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomUserTest, testing::Range(1, 7));

}  // namespace
}  // namespace headlight::fuzz
