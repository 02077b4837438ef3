#include "draw/colormap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "draw/theme.h"

namespace headlight::draw {
namespace {

double lightness(Color c) {
  return contrast(c, rgb(0x000000));
}  // grows with luminance

TEST(Colormap, SequentialMapsGrowLighterOrDarkerThroughout) {
  for (Colormap map : {Colormap::viridis, Colormap::cividis, Colormap::blues}) {
    const auto& table = colors(map);
    const double sign = lightness(table.back()) > lightness(table.front()) ? 1 : -1;
    for (std::size_t i = 8; i < table.size(); ++i) {
      EXPECT_GT(sign * lightness(table[i]), sign * lightness(table[i - 8])) << "at " << i;
    }
  }
}

TEST(Colormap, KnownEnds) {
  EXPECT_EQ(colors(Colormap::viridis).front(), rgb(0x440154));
  EXPECT_EQ(colors(Colormap::viridis).back(), rgb(0xfde725));
  EXPECT_EQ(colors(Colormap::blues).back(), rgb(0x08306b));
}

TEST(Colormap, DivergingIsNearlyWhiteInTheMiddleAndKeepsTheSign) {
  const Color middle = color_of(Colormap::diverging, 0, -1, 1);
  EXPECT_GT(middle.r, 235);
  EXPECT_GT(middle.g, 235);
  EXPECT_GT(middle.b, 235);
  for (float v = 0.1f; v <= 1; v += 0.1f) {
    const Color plus = color_of(Colormap::diverging, v, -1, 1),
                minus = color_of(Colormap::diverging, -v, -1, 1);
    EXPECT_GT(plus.r, plus.b);
    EXPECT_GT(minus.b, minus.r);
  }
}

TEST(Colormap, ValuesOutsideAreClampedAndBrokenOnesHaveTheirOwnColour) {
  EXPECT_EQ(color_of(Colormap::viridis, 7, 0, 1), colors(Colormap::viridis).back());
  EXPECT_EQ(color_of(Colormap::viridis, -7, 0, 1), colors(Colormap::viridis).front());
  // Neither the difference of the ends nor that of a value need be a float, nor the ends numbers.
  constexpr float most = std::numeric_limits<float>::max(), none = std::numeric_limits<float>::quiet_NaN(),
                  infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(color_of(Colormap::diverging, most, -most, most), colors(Colormap::diverging).back());
  EXPECT_EQ(color_of(Colormap::diverging, -most, -most, most), colors(Colormap::diverging).front());
  EXPECT_EQ(color_of(Colormap::diverging, 0, -most, most), color_of(Colormap::diverging, 0, -1, 1));
  for (const float end : {none, infinity, -infinity})
    EXPECT_EQ(color_of(Colormap::viridis, 1, -end, end), colors(Colormap::viridis).front());
  for (float broken :
       {std::nanf(""), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(color_of(Colormap::viridis, broken, 0, 1), nan_color);
  }
  for (Colormap map : {Colormap::viridis, Colormap::cividis, Colormap::blues, Colormap::diverging}) {
    for (Color c : colors(map)) EXPECT_NE(c, nan_color);
  }
}

TEST(Contrast, KnownRatios) {
  EXPECT_NEAR(contrast(rgb(0xffffff), rgb(0x000000)), 21, 1e-9);
  EXPECT_NEAR(contrast(rgb(0x777777), rgb(0xffffff)), 4.48, 0.01);
}

TEST(Contrast, NumbersInCellsCanBeRead) {
  for (int map = 0; map < colormaps; ++map) {
    for (Color c : colors(static_cast<Colormap>(map))) EXPECT_GE(contrast(c, readable_on(c)), 4.5);
  }
}

TEST(Theme, WordsCanBeReadInBoth) {
  for (bool dark : {true, false}) {
    const Theme& t = theme(dark);
    for (Color ground : {t.window, t.panel, t.field}) {
      EXPECT_GE(contrast(t.text, ground), 14) << dark;
      EXPECT_GE(contrast(t.dim, ground), 5.5) << dark;
    }
    for (Color ground : {t.window, t.panel}) {
      for (Color c : {t.query, t.key, t.value, t.offset, t.good, t.bad, t.accent})
        EXPECT_GE(contrast(c, ground), 4.5) << dark;
    }
    EXPECT_GE(contrast(t.on_accent, t.accent), 4.5) << dark;
    for (int i = 0; i < 8; ++i) EXPECT_GE(contrast(series(t, i), t.panel), 4.5) << dark << " series " << i;
  }
}

TEST(Theme, ARampIsAChoice) {
  const Theme &own = theme(true), &viridis = theme(true, Ramp::viridis), &light = theme(false, Ramp::cividis);
  EXPECT_EQ(resolved(Colormap::weight, own), Colormap::weight_dark);
  EXPECT_EQ(resolved(Colormap::signed_weight, theme(false)), Colormap::signed_light);
  EXPECT_EQ(resolved(Colormap::weight, viridis), Colormap::viridis);
  EXPECT_EQ(resolved(Colormap::weight, light), Colormap::cividis);
  EXPECT_EQ(resolved(Colormap::signed_weight, light), Colormap::diverging);
  EXPECT_EQ(resolved(Colormap::blues, viridis), Colormap::blues);
  EXPECT_EQ(light.panel, theme(false).panel);
}

}  // namespace
}  // namespace headlight::draw
