// Entropies, roles and differences of maps, against sums written out.
#include "dumps/measures.h"

#include <cmath>

#include "dumps/saved.h"

namespace headlight::tests {
namespace {

TEST(DumpMeasures, EntropyIsInBitsOfTheRowAsItIs) {
  EXPECT_DOUBLE_EQ(dumps::entropy_bits(std::vector<double>{0.5, 0.25, 0.25, 0}), 1.5);
  EXPECT_DOUBLE_EQ(dumps::entropy_bits(std::vector<double>(8, 0.125)), 3);
  EXPECT_FALSE(std::signbit(dumps::entropy_bits(std::vector<double>{1, 0})));
  EXPECT_EQ(dumps::entropy_bits(std::vector<double>{0, 0}), 0);
  EXPECT_DOUBLE_EQ(dumps::entropy_bits(std::vector<double>{0.5, 0}), 0.5);  // not scaled to one
}

TEST(DumpMeasures, RolesAreMeansOverTheQueriesThatHaveTheRelation) {
  const std::vector<double> map{1,   0,   0,  //
                                0.7, 0.3, 0,  //
                                0.5, 0.1, 0.4};
  const nn::HeadRoles roles = nn::head_roles(map, std::vector<int>{4, 9, 4});
  EXPECT_DOUBLE_EQ(roles.previous, (0.7 + 0.1) / 2);
  EXPECT_DOUBLE_EQ(roles.next, 0);
  EXPECT_DOUBLE_EQ(roles.first, (0.7 + 0.5) / 2);
  EXPECT_DOUBLE_EQ(roles.diagonal, (1 + 0.3 + 0.4) / 3);
  EXPECT_DOUBLE_EQ(roles.same_token, (0 + 0.5) / 2);
  // A query that attends to nothing counts nowhere.
  const std::vector<double> blocked{1, 0, 0, 0, 0, 0, 0.5, 0.1, 0.4};
  EXPECT_DOUBLE_EQ(nn::head_roles(blocked, std::vector<int>{0, 1, 2}).previous, 0.1);
  EXPECT_TRUE(std::isnan(nn::head_roles(blocked, std::vector<int>{0, 1, 2}).same_token));
}

TEST(DumpMeasures, TheLargestDifferenceHasItsPlace) {
  const std::vector<double> a{0.5, 0.5, 0.2, 0.8, 1, 0}, b{0.5, 0.5, 0.4, 0.6, 0.9, 0.1};
  const dumps::Difference d = dumps::largest_difference(a, b, 2);
  EXPECT_DOUBLE_EQ(d.difference, 0.2);
  EXPECT_EQ(d.query, 1);
  EXPECT_EQ(d.key, d.a == 0.2 ? 0 : 1);
  EXPECT_DOUBLE_EQ(std::fabs(d.a - d.b), 0.2);
  // What is no number equals nothing.
  const std::vector<double> broken{0, 0.5, std::nan(""), 0.5};
  const dumps::Difference none = dumps::largest_difference(broken, std::vector<double>{0, 0.5, 0.5, 0.5}, 2);
  EXPECT_TRUE(std::isinf(none.difference));
  EXPECT_EQ(none.query, 1);
  EXPECT_EQ(none.key, 0);
}

TEST(DumpMeasures, RoundingDependsOnTheType) {
  for (const char* type : {"float64", "float32"}) EXPECT_EQ(dumps::run_rounding(type), 1e-4);
  EXPECT_EQ(dumps::run_rounding("float16"), 0.01);
  EXPECT_EQ(dumps::run_rounding("bfloat16"), 0.05);
  EXPECT_EQ(dumps::run_rounding("float32 and bfloat16"), 0.05);
  // Half a unit in the last place: 11, 8 and 24 bits of a number from 0.5 to 1.
  EXPECT_EQ(dumps::storage_rounding("float16"), std::ldexp(1, -12));
  EXPECT_EQ(dumps::storage_rounding("bfloat16"), std::ldexp(1, -9));
  EXPECT_EQ(dumps::storage_rounding("float32"), std::ldexp(1, -25));
}

}  // namespace
}  // namespace headlight::tests
