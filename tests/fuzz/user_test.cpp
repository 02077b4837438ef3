// A few short sittings of a random user; headlight_user has long ones.
#include <gtest/gtest.h>

#include "fuzz/random_user.h"
#include "support/scratch_folder.h"

namespace headlight::fuzz {
namespace {

class RandomUserTest : public testing::TestWithParam<int> {};

TEST_P(RandomUserTest, BreaksNothing) {
  const tests::ScratchFolder folder;
  const bool drawn = GetParam() == 1;  // by OpenGL; the others without
  RandomUser user(static_cast<std::uint64_t>(GetParam()), folder.path(), drawn);
  for (int i = 0; i < 4; ++i) user.sitting(drawn ? 20 : 30);
  EXPECT_EQ(user.actions(), drawn ? 80 : 120);
  for (const std::string& problem : user.problems()) ADD_FAILURE() << problem;
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomUserTest, testing::Range(1, 7));

}  // namespace
}  // namespace headlight::fuzz
