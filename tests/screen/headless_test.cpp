#include "screen/headless.h"

#include <glad/gl.h>

#include "gl_test.h"
#include "screen/picture_copy.h"

namespace headlight::screen {
namespace {

class HeadlessTest : public GlTest {};

TEST_F(HeadlessTest, PixelsComeBackWithRowZeroOnTop) {
  auto target = PixelTarget::create(7, 5);
  ASSERT_TRUE(target) << target.error();
  (*target)->bind();
  glClearColor(0, 0, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 4, 7, 1);  // OpenGL's last row is the picture's first
  glClearColor(1, 0.5f, 0, 0.5f);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
  std::vector<std::uint8_t> pixels = (*target)->pixels();
  ASSERT_EQ(pixels.size(), 7u * 5 * 4);
  EXPECT_EQ(std::vector<std::uint8_t>(pixels.begin(), pixels.begin() + 4),
            (std::vector<std::uint8_t>{255, 128, 0, 128}));
  EXPECT_EQ(std::vector<std::uint8_t>(pixels.end() - 4, pixels.end()),
            (std::vector<std::uint8_t>{0, 0, 255, 255}));
  EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
}

TEST_F(HeadlessTest, ImpossibleSizesAreErrorsOfOneLine) {
  for (auto [width, height] : {std::pair(0, 10), std::pair(10, -1), std::pair(1000000, 10)}) {
    auto target = PixelTarget::create(width, height);
    ASSERT_FALSE(target);
    EXPECT_NE(target.error().find(std::to_string(width)), std::string::npos) << target.error();
    EXPECT_EQ(target.error().find('\n'), std::string::npos);
  }
}

TEST_F(HeadlessTest, ContextsCanBeMadeOneAfterTheOther) {
  EXPECT_NE(context_->graphics().find("OpenGL"), std::string::npos);
  context_.reset();
  auto again = HeadlessContext::create();
  ASSERT_TRUE(again) << again.error();
}

/// Two renderers, as of two windows: each has its own ImGui, and the one shows the picture of the other.
TEST_F(HeadlessTest, ThePictureOfOneRendererIsDrawnByAnother) {
  auto first = Renderer::create(), second = Renderer::create();
  ASSERT_TRUE(first && second);
  PictureCopy copy;
  EXPECT_EQ(copy.texture(), ImTextureID{});
  for (const auto& [size, top, bottom] : {std::tuple{8, IM_COL32(255, 0, 0, 255), IM_COL32(0, 0, 255, 255)},
                                          {8, IM_COL32(0, 255, 0, 255), IM_COL32(9, 9, 9, 255)},
                                          {20, IM_COL32(9, 9, 9, 255), IM_COL32(255, 255, 0, 255)}}) {
    auto target = PixelTarget::create(size, size);
    ASSERT_TRUE(target) << target.error();
    const float wide = static_cast<float>(size);
    (*first)->use();
    (*target)->bind();
    (*first)->begin(size, size, 1.f / 60);
    ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, {wide, wide / 2}, top);
    ImGui::GetBackgroundDrawList()->AddRectFilled({0, wide / 2}, {wide, wide}, bottom);
    (*first)->end({0, 0, 0, 255});
    (*target)->unbind();
    copy.take(**target);
    EXPECT_EQ(copy.width(), size);
    (*second)->use();
    for (const int shown : {2 * size, size / 2}) {
      const Picture picture = render(**second, shown, shown, {255, 255, 255, 255}, [&](ImDrawList& list) {
        list.AddImage(copy.texture(), {0, 0}, {static_cast<float>(shown), static_cast<float>(shown)}, {0, 1},
                      {1, 0});
      });
      const auto color = [](ImU32 c) {
        return draw::Color{std::uint8_t(c), std::uint8_t(c >> 8), std::uint8_t(c >> 16), 255};
      };
      EXPECT_EQ(picture.at(0, 0), color(top)) << size << " " << shown;
      EXPECT_EQ(picture.at(shown - 1, shown - 1), color(bottom)) << size << " " << shown;
    }
  }
  EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
}

}  // namespace
}  // namespace headlight::screen
