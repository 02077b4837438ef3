#include "base/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace headlight::base {
namespace {

/// Whoever subtracts what is written gets what is written.
TEST(Numbers, DecimalsOfADifferenceMakeItAgreeAsWritten) {
  int more = 0, never = 0;
  for (int i = 0; i < 2000; ++i) {
    const double a = std::fmod(i * 0.61803398875, 1), b = std::fmod(i * 0.41421356237, 1);
    const int decimals = decimals_of_difference(a, b, 2);
    ASSERT_GE(decimals, 2);
    ASSERT_LE(decimals, 4);
    const auto number = [&](double value) { return std::strtod(fixed(value, decimals).c_str(), nullptr); };
    const double written = std::strtod(fixed(std::abs(a - b), decimals).c_str(), nullptr);
    const bool agrees = std::abs(std::abs(number(a) - number(b)) - written) < 1e-9;
    more += decimals > 2 ? 1 : 0, never += agrees ? 0 : 1;
    if (!agrees) {
      EXPECT_EQ(decimals, 2) << a << " - " << b;
    }
  }
  EXPECT_GT(more, 100) << "two decimals are not always enough";
  EXPECT_LT(never, 100);
  EXPECT_EQ(decimals_of_difference(0.5, 0.25, 2), 2);
  EXPECT_EQ(decimals_of_difference(std::numeric_limits<double>::quiet_NaN(), 1, 3), 3);
}

TEST(Numbers, SmallOnesAndSizesAsTheyAreWritten) {
  EXPECT_EQ(power_text(0.00018, 2), "1.8e−4");
  EXPECT_EQ(power_text(2e-12, 2), "2e−12");
  EXPECT_EQ(power_text(0.00018, 0), "2e−4");
  EXPECT_EQ(residual_words(2.3e-7), "2e−07");
  EXPECT_EQ(residual_words(0), "0");
  EXPECT_EQ(megabyte_words(340.2e6), "340 MB");
  EXPECT_EQ(megabyte_words(51.27e6, 1), "51.3 MB");
  EXPECT_EQ(megabyte_words(1.24e9), "1.2 GB");
  EXPECT_EQ(with_hyphen(fixed(-1.5, 2)), "-1.50");
  EXPECT_EQ(with_hyphen(fixed(-0.0001, 2)), "0.00");
}

}  // namespace
}  // namespace headlight::base
