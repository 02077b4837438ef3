// Figures in the colours that are left to people with colour-blindness.
#include <gtest/gtest.h>

#include <vector>

#include "draw/colour_vision.h"
#include "figure/figure.h"

namespace headlight::figure::vision_test {
namespace {

using draw::Vision;

FigureSpec spec_of(Vision vision) {
  FigureSpec spec{.theme = draw::theme(true), .part = {0, 0, 120, 60}};
  spec.vision = vision;
  return spec;
}

/// Flat colours and a heatmap, nothing half transparent.
void paint(draw::Canvas& canvas) {
  static const std::vector<float> values{0, 0.2f, 0.4f, 0.6f, 0.8f, 1};
  canvas.rect({4, 4, 30, 20}, draw::rgb(0xf25a5a), 0);
  canvas.rect({40, 4, 30, 20}, draw::rgb(0x22b981), 0);
  canvas.heatmap({4, 30, 90, 15},
                 {.values = values.data(), .rows = 1, .cols = 6, .row_stride = 6, .version = 1});
}

TEST(FigureVision, EveryPixelIsTheSeenColourOfTheSamePixel) {
  const auto plain = figure_pixels(spec_of(Vision::full), paint);
  ASSERT_TRUE(plain);
  for (const Vision vision : {Vision::deuteranopia, Vision::protanopia, Vision::tritanopia}) {
    const auto seen = figure_pixels(spec_of(vision), paint);
    ASSERT_TRUE(seen);
    ASSERT_EQ(seen->rgba.size(), plain->rgba.size());
    int changed = 0;
    for (std::size_t i = 0; i < plain->rgba.size(); i += 4) {
      const auto at = [i](const draw::Raster& r) {
        return draw::Color{r.rgba[i], r.rgba[i + 1], r.rgba[i + 2], 255};
      };
      EXPECT_EQ(at(*seen), draw::seen(at(*plain), vision)) << i / 4;
      changed += !(at(*seen) == at(*plain));
    }
    EXPECT_GT(changed, 1000);
  }
}

TEST(FigureVision, AnSvgSaysTheMatrixInItsOwnWords) {
  EXPECT_EQ(svg_figure(spec_of(Vision::full), paint).find("feColorMatrix"), std::string::npos);
  const std::string svg = svg_figure(spec_of(Vision::deuteranopia), paint);
  EXPECT_NE(svg.find("color-interpolation-filters=\"linearRGB\""), std::string::npos);
  EXPECT_NE(svg.find("values=\"0.367322 0.860646 -0.227968 0 0 0.280085 0.672501 0.047413 0 0 "),
            std::string::npos);
  EXPECT_EQ(svg.find("<g filter="), svg.rfind("<g filter="));
}

TEST(FigureVision, APdfHasOtherColours) {
  const auto plain = pdf_figure(spec_of(Vision::full), paint),
             seen = pdf_figure(spec_of(Vision::protanopia), paint);
  ASSERT_TRUE(plain);
  ASSERT_TRUE(seen);
  EXPECT_NE(*plain, *seen);
}

}  // namespace
}  // namespace headlight::figure::vision_test
