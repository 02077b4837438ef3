#include "base/numbers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::base {
namespace {

TEST(Numbers, SmallOnesAndSizesAsTheyAreWritten) {
  EXPECT_EQ(power_text(0.00018, 2), "1.8e−4");
  EXPECT_EQ(power_text(2e-12, 2), "2e−12");
  EXPECT_EQ(power_text(0.00018, 0), "2e−4");
  EXPECT_EQ(megabyte_words(340.2e6), "340 MB");
  EXPECT_EQ(megabyte_words(51.27e6, 1), "51.3 MB");
  EXPECT_EQ(megabyte_words(1.24e9), "1.2 GB");
  EXPECT_EQ(with_hyphen(fixed(-1.5, 2)), "-1.50");
  EXPECT_EQ(with_hyphen(fixed(-0.0001, 2)), "0.00");
}

}  // namespace
}  // namespace headlight::base
