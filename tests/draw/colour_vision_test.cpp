// Are the colour maps still maps for people with colour-blindness? Thresholds: 2.3 is the ΔE that is just
// noticed (Mahy, Van Eycken and Oosterlinck 1994).
#include "draw/colour_vision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "draw/colormap.h"
#include "draw/theme.h"
#include "support/colour_difference.h"

namespace headlight::draw {
namespace {

using tests::delta_e;
using tests::Lab;
using tests::lab;
using tests::ok_distance;
using tests::oklab;

constexpr Vision every_vision[] = {Vision::full, Vision::deuteranopia, Vision::protanopia,
                                   Vision::tritanopia};
constexpr double just_noticed = 2.3;

TEST(ColorVision, GreysStayGreyAndEachRowAddsUpToOne) {
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

TEST(ColorVision, WhatIsConfusedComesTogetherAndOtherPairsStayApart) {
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

TEST(ColorVision, LabOfKnownColours) {
  EXPECT_NEAR(lab(rgb(0xffffff)).l, 100, 1e-3);
  EXPECT_NEAR(lab(rgb(0x000000)).l, 0, 1e-9);
  const Lab red = lab(rgb(0xff0000));  // as tables give it for D65
  EXPECT_NEAR(red.l, 53.24, 0.02);
  EXPECT_NEAR(red.a, 80.09, 0.1);
  EXPECT_NEAR(red.b, 67.20, 0.1);
}

TEST(ColorVision, LightnessOfSequentialMapsIsMonotonicUnderEveryVision) {
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

TEST(ColorVision, SixteenStepsOfEachMapCanBeToldApartUnderEveryVision) {
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

TEST(ColorVision, TheSignOfTheDivergingMapIsSeenByEverybody) {
  const auto& table = colors(Colormap::diverging);
  for (Vision vision : every_vision) {
    for (std::size_t i = 26; i < 128; ++i) {
      // The same magnitude with the other sign: apart by several just noticeable differences.
      EXPECT_GE(delta_e(seen(table[127 - i], vision), seen(table[128 + i], vision)), 4 * just_noticed)
          << static_cast<int>(vision) << " at " << i;
    }
  }
}

// What follows is measured in OKLab, in all four visions; the thresholds are what the palette was made for.

TEST(ColorVision, OklabOfKnownColours) {
  EXPECT_NEAR(oklab(rgb(0xffffff)).l, 1, 1e-6);
  const Lab red = oklab(rgb(0xff0000));  // as its author gives it
  EXPECT_NEAR(red.l, 0.628, 1e-3);
  EXPECT_NEAR(red.a, 0.225, 1e-3);
  EXPECT_NEAR(red.b, 0.126, 1e-3);
}

/// The least distance of two of these in any vision.
double least_distance(const std::vector<Color>& colours) {
  double least = 10;
  for (const Vision vision : every_vision) {
    for (std::size_t a = 0; a < colours.size(); ++a) {
      for (std::size_t b = a + 1; b < colours.size(); ++b)
        least = std::min(least, ok_distance(seen(colours[a], vision), seen(colours[b], vision)));
    }
  }
  return least;
}

std::vector<Color> roles_of(const Theme& t) {
  return {t.query, t.key, t.value};
}

std::vector<Color> series_of(const Theme& t) {
  std::vector<Color> out;
  for (int i = 0; i < 8; ++i) out.push_back(series(t, i));
  return out;
}

/// From zero to one end of a signed map, or along a sequential one: as 65 samples.
std::vector<Color> samples(Colormap map, bool below = false) {
  const bool is_signed = map == Colormap::signed_dark || map == Colormap::signed_light;
  std::vector<Color> out;
  for (int i = 0; i <= 64; ++i) {
    const float value = static_cast<float>(i) / 64;
    out.push_back(color_of(map, below ? -value : value, is_signed ? -1.f : 0.f, 1));
  }
  return out;
}

TEST(ColorVision, RampsOfTheThemesBeginWithThePanelAndAreMonotonicForEverybody) {
  for (const bool dark : {true, false}) {
    const Theme& t = theme(dark);
    EXPECT_EQ(colors(t.weight).front(), t.panel);
    for (const auto& [map, below] :
         {std::pair(t.weight, false), {t.signed_weight, false}, {t.signed_weight, true}}) {
      const std::vector<Color> all = samples(map, below);
      // Zero of a signed map lies between two entries.
      EXPECT_LT(ok_distance(all.front(), t.panel), 0.01);
      for (const Vision vision : every_vision) {
        for (std::size_t i = 1; i < all.size(); ++i) {
          const double step = oklab(seen(all[i], vision)).l - oklab(seen(all[i - 1], vision)).l;
          EXPECT_GT(dark ? step : -step, 0) << dark << " " << static_cast<int>(vision) << " at " << i;
        }
        for (std::size_t i = 8; i < all.size(); i += 8)
          EXPECT_GE(ok_distance(seen(all[i], vision), seen(all[i - 8], vision)), 0.073)
              << dark << " " << static_cast<int>(vision) << " stop " << i / 8;
      }
    }
  }
}

TEST(ColorVision, TheSignOfAValueIsSeenByEverybody) {
  for (const bool dark : {true, false}) {
    const Colormap map = theme(dark).signed_weight;
    const std::vector<Color> above = samples(map), below = samples(map, true);
    for (const Vision vision : every_vision) {
      for (std::size_t i = 16; i < above.size(); ++i)
        EXPECT_GE(ok_distance(seen(above[i], vision), seen(below[i], vision)), dark ? 0.117 : 0.094)
            << dark << " " << static_cast<int>(vision) << " at " << i;
    }
  }
}

TEST(ColorVision, RolesVerdictsAndSeriesAreDifferentColoursForEverybody) {
  for (const bool dark : {true, false}) {
    const Theme& t = theme(dark);
    EXPECT_GE(least_distance(roles_of(t)), dark ? 0.149 : 0.072) << dark;
    EXPECT_GE(least_distance({t.good, t.bad}), dark ? 0.135 : 0.108) << dark;
    EXPECT_GE(least_distance(series_of(t)), dark ? 0.088 : 0.079) << dark;
    for (const Color role : roles_of(t)) {
      for (const Color line : series_of(t))
        EXPECT_GE(least_distance({role, line}), dark ? 0.063 : 0.054) << dark;
    }
    // The other position of the Position page, beside the roles.
    for (const Color role : roles_of(t)) EXPECT_GE(least_distance({role, t.offset}), dark ? 0.063 : 0.054);
  }
}

}  // namespace
}  // namespace headlight::draw
