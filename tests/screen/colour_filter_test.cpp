#include "screen/colour_filter.h"

#include <gtest/gtest.h>

#include "draw/colormap.h"
#include "gl_test.h"
#include "screen/paint.h"

namespace headlight::screen {
namespace {

using draw::Vision;

class ColourFilterTest : public GlTest {
 protected:
  /// 256 columns of viridis over 8 rows, on grey, as such eyes see it.
  std::vector<draw::Color> seen_by_gpu(Renderer& renderer, Vision vision, int width, int height) {
    auto target = PixelTarget::create(width, height);
    EXPECT_TRUE(target) << target.error();
    (*target)->bind();
    renderer.begin(width, height, 1.f / 60);
    const auto& table = draw::colors(draw::Colormap::viridis);
    for (int x = 0; x < 256; ++x)
      ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(float(x), 0), ImVec2(float(x + 1), 8),
                                                    packed(table[static_cast<std::size_t>(x)]));
    renderer.end(draw::rgb(0x808080), vision);
    const auto pixels = (*target)->pixels();
    (*target)->unbind();
    std::vector<draw::Color> out;
    for (std::size_t i = 0; i + 3 < pixels.size(); i += 4)
      out.push_back({pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3]});
    return out;
  }
};

TEST_F(ColourFilterTest, EveryPixelIsWhatTheModelSays) {
  auto renderer = Renderer::create();
  ASSERT_TRUE(renderer) << renderer.error();
  constexpr int width = 300, height = 12;
  const auto plain = seen_by_gpu(**renderer, Vision::full, width, height);
  ASSERT_EQ(plain[5], draw::colors(draw::Colormap::viridis)[5]);
  for (const Vision vision : {Vision::deuteranopia, Vision::protanopia, Vision::tritanopia}) {
    const auto pixels = seen_by_gpu(**renderer, vision, width, height);
    ASSERT_EQ(pixels.size(), plain.size());
    int changed = 0;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const draw::Color expected = draw::seen(plain[i], vision);
      EXPECT_LE(std::abs(pixels[i].r - expected.r), 1) << i;
      EXPECT_LE(std::abs(pixels[i].g - expected.g), 1) << i;
      EXPECT_LE(std::abs(pixels[i].b - expected.b), 1) << i;
      changed += !(pixels[i] == plain[i]);
    }
    EXPECT_GT(changed, 256 * 6);
  }
}

TEST_F(ColourFilterTest, AnotherSizeAndBackAgain) {
  auto renderer = Renderer::create();
  ASSERT_TRUE(renderer) << renderer.error();
  const auto first = seen_by_gpu(**renderer, Vision::protanopia, 300, 12);
  (void)seen_by_gpu(**renderer, Vision::protanopia, 640, 40);
  EXPECT_EQ(seen_by_gpu(**renderer, Vision::protanopia, 300, 12), first);
}

}  // namespace
}  // namespace headlight::screen
