#include "screen/headless.h"

#include <glad/gl.h>

#include "gl_test.h"

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

}  // namespace
}  // namespace headlight::screen
