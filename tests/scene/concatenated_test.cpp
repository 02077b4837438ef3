// [x; p] W = x W₁ + p W₂, summed once more in double precision from what the results hold.
#include "pages/position/concatenated.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nn/positional.h"
#include "nn/random.h"
#include "pages/compute.h"
#include "scene/layer_input.h"
#include "scene/settings.h"

namespace headlight::scene {
namespace {

std::shared_ptr<const Results> computed(const std::vector<std::string>& settings) {
  Scene scene;
  scene.page = Page::position;
  for (const std::string& setting : settings) EXPECT_TRUE(set_field(scene, setting)) << setting;
  base::Parallel parallel(1);
  repair(scene);
  return compute_now(scene, parallel, {});
}

TEST(Concatenated, IsTheSumOfTwoProjections) {
  for (const int first : {0, 1000000}) {
    const auto results = computed({"position_offset=" + std::to_string(first)});
    ASSERT_NE(results->concatenated, nullptr);
    const Concatenated& c = *results->concatenated;
    ASSERT_EQ(c.x.rows(), 6);
    const int d = c.x.cols();
    // The same W, drawn here.
    nn::Matrix w(2 * d, d);
    nn::Random(7, 0x5B783B705D).normals(0, w.values());
    double off = 0, largest = 0;
    for (int t = 0; t < 6; ++t) {
      for (int col = 0; col < d; ++col) {
        double from_x = 0, from_p = 0;
        for (int r = 0; r < d; ++r) {
          from_x +=
              static_cast<double>(c.x.at(t, r)) * static_cast<double>(w.at(r, col)) / std::sqrt(2.0 * d);
          from_p +=
              static_cast<double>(c.p.at(t, r)) * static_cast<double>(w.at(d + r, col)) / std::sqrt(2.0 * d);
        }
        EXPECT_NEAR(static_cast<double>(c.from_x.at(t, col)), from_x, 2e-6);
        EXPECT_NEAR(static_cast<double>(c.from_p.at(t, col)), from_p, 2e-6);
        off = std::max(off, std::abs(static_cast<double>(c.joined.at(t, col)) - (from_x + from_p)));
        largest = std::max(largest, std::abs(static_cast<double>(c.joined.at(t, col)) -
                                             static_cast<double>(c.sum.at(t, col))));
      }
      // p is the row of P at the token's position.
      for (int col = 0; col < d; ++col) EXPECT_EQ(c.p.at(t, col), results->position.p.at(t, col));
    }
    EXPECT_LT(off, 2e-6);
    EXPECT_EQ(c.largest_difference, largest);
    EXPECT_GT(c.largest_difference, 0) << "two orders of summation";
    EXPECT_LT(c.largest_difference, 2e-6);
    EXPECT_GT(c.largest, 0.5);
  }
}

TEST(Concatenated, NeedsTokensAndStopsAtTheMost) {
  EXPECT_EQ(computed({"sentence="})->concatenated, nullptr);
  std::string longer;
  for (int i = 0; i < 40; ++i) longer += "w" + std::to_string(i) + " ";
  EXPECT_EQ(computed({"sentence=" + longer})->concatenated->x.rows(), most_concatenated);
}

/// Rows of P from a first position on; i stays among them.
TEST(FirstPosition, RowsBeginThere) {
  const auto results = computed({"position_offset=1000000", "positions=5", "position_index=3"});
  EXPECT_EQ(results->position.first, 1000000);
  EXPECT_EQ(results->scene.positions.index, 1000000);
  for (int row = 0; row < 5; ++row) {
    for (int j = 0; j < 16; ++j) {
      const long double angle = (1000000 + row) * std::pow(10000.0L, -2 * static_cast<long double>(j) / 32);
      EXPECT_NEAR(results->position.p.at(row, 2 * j), static_cast<double>(std::sin(angle)), 2e-7);
      EXPECT_NEAR(results->position.p.at(row, 2 * j + 1), static_cast<double>(std::cos(angle)), 2e-7);
    }
  }
  EXPECT_LT(results->position.worst_rotation_residual, 1e-6);
  // What depends on distance alone does not move; the answers are rows, not positions.
  const auto near = computed({"positions=5", "position_index=3"});
  EXPECT_NEAR(results->position.closest_distance, near->position.closest_distance, 1e-6);
  EXPECT_LT(results->position.closest_b, 5);
}

}  // namespace
}  // namespace headlight::scene
