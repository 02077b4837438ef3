// Are the colour maps still maps for people with colour-blindness? Thresholds: 2.3 is the ΔE that is just
// noticed (Mahy, Van Eycken and Oosterlinck 1994).
#include "draw/colour_vision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "draw/colormap.h"
#include "draw/theme.h"

namespace headlight::draw {
namespace {

constexpr Vision every_vision[] = {Vision::full, Vision::deuteranopia, Vision::protanopia,
                                   Vision::tritanopia};
constexpr double just_noticed = 2.3;

TEST(ColourVision, GreysStayGreyAndEachRowAddsUpToOne) {
  for (Vision vision : every_vision) {
    const auto& m = matrix_of(vision);
    for (std::size_t row = 0; row < 3; ++row)
      EXPECT_NEAR(m[3 * row] + m[3 * row + 1] + m[3 * row + 2], 1, 2e-6f);
    for (int grey = 0; grey < 256; ++grey) {
      const auto g = static_cast<std::uint8_t>(grey);
      const Color out = seen({g, g, g, 77}, vision);
      EXPECT_LE(std::abs(out.r - grey), 1);
      EXPECT_LE(std::abs(out.g - grey), 1);
      EXPECT_LE(std::abs(out.b - grey), 1);
      EXPECT_EQ(out.a, 77);
    }
  }
}

TEST(ColourVision, WhatIsConfusedComesTogetherAndOtherPairsStayApart) {
  // Red and green of one lightness for the red-green kinds, blue and green-ish for the third; by hand.
  const Color red = rgb(0xb8432f), green = rgb(0x6e7a1e);
  EXPECT_GT(delta_e(red, green), 50);
  EXPECT_LT(delta_e(seen(red, Vision::deuteranopia), seen(green, Vision::deuteranopia)),
            0.4 * delta_e(red, green));
  EXPECT_LT(delta_e(seen(red, Vision::protanopia), seen(green, Vision::protanopia)),
            0.6 * delta_e(red, green));
  EXPECT_GT(delta_e(seen(red, Vision::tritanopia), seen(green, Vision::tritanopia)),
            0.5 * delta_e(red, green));
  EXPECT_EQ(seen(red, Vision::full), red);
}

TEST(ColourVision, LabOfKnownColours) {
  EXPECT_NEAR(lab(rgb(0xffffff)).l, 100, 1e-3);
  EXPECT_NEAR(lab(rgb(0x000000)).l, 0, 1e-9);
  const Lab red = lab(rgb(0xff0000));  // as tables give it for D65
  EXPECT_NEAR(red.l, 53.24, 0.02);
  EXPECT_NEAR(red.a, 80.09, 0.1);
  EXPECT_NEAR(red.b, 67.20, 0.1);
}

TEST(ColourVision, LightnessOfSequentialMapsIsMonotonicUnderEveryVision) {
  for (Colormap map : {Colormap::viridis, Colormap::cividis, Colormap::blues}) {
    const auto& table = colors(map);
    for (Vision vision : every_vision) {
      const auto light = [&](std::size_t i) { return lab(seen(table[i], vision)).l; };
      const double sign = light(255) > light(0) ? 1 : -1;
      EXPECT_GT(sign * (light(255) - light(0)), 50)
          << static_cast<int>(map) << " " << static_cast<int>(vision);
      for (std::size_t i = 8; i < 256; ++i)
        EXPECT_GT(sign * (light(i) - light(i - 8)), 0)
            << static_cast<int>(map) << " " << static_cast<int>(vision) << " at " << i;
    }
  }
}

TEST(ColourVision, SixteenStepsOfEachMapCanBeToldApartUnderEveryVision) {
  for (Colormap map : {Colormap::viridis, Colormap::cividis, Colormap::blues, Colormap::diverging}) {
    const auto& table = colors(map);
    for (Vision vision : every_vision) {
      double least = 1e9;
      for (std::size_t step = 0; step < 15; ++step)
        least =
            std::min(least, delta_e(seen(table[step * 17], vision), seen(table[(step + 1) * 17], vision)));
      EXPECT_GE(least, just_noticed) << static_cast<int>(map) << " " << static_cast<int>(vision);
    }
  }
}

TEST(ColourVision, TheSignOfTheDivergingMapIsSeenByEverybody) {
  const auto& table = colors(Colormap::diverging);
  for (Vision vision : every_vision) {
    for (std::size_t i = 26; i < 128; ++i) {
      // The same magnitude with the other sign: apart by several just noticeable differences.
      EXPECT_GE(delta_e(seen(table[127 - i], vision), seen(table[128 + i], vision)), 4 * just_noticed)
          << static_cast<int>(vision) << " at " << i;
    }
  }
}

TEST(ColourVision, QueryKeyValueAndOffsetAreDifferentColoursForEverybody) {
  for (bool dark : {true, false}) {
    const Theme& t = theme(dark);
    const Color roles[] = {t.query, t.key, t.value, t.offset};
    for (Vision vision : every_vision) {
      for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = a + 1; b < 4; ++b)
          EXPECT_GE(delta_e(seen(roles[a], vision), seen(roles[b], vision)), 4 * just_noticed)
              << dark << " " << static_cast<int>(vision) << " " << a << " " << b;
      }
    }
  }
}

TEST(ColourVision, TheFirstSixSeriesAreDifferentColoursForEverybody) {
  for (bool dark : {true, false}) {
    for (Vision vision : every_vision) {
      for (int a = 0; a < 6; ++a) {
        for (int b = a + 1; b < 6; ++b)
          EXPECT_GE(delta_e(seen(series(theme(dark), a), vision), seen(series(theme(dark), b), vision)),
                    2 * just_noticed)
              << dark << " " << static_cast<int>(vision) << " " << a << " " << b;
      }
    }
  }
}

}  // namespace
}  // namespace headlight::draw
