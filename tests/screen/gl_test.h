// For tests that render: one OpenGL context without a window for the whole program. Without any OpenGL the
// test is skipped, and says what was tried.
#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "screen/headless.h"
#include "screen/renderer.h"

namespace headlight::screen {

class GlTest : public testing::Test {
 protected:
  void SetUp() override {
    // The software renderer: the same pixels on every machine.
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 0);
    auto made = HeadlessContext::create();
    if (!made && std::getenv("HEADLIGHT_WITHOUT_GL")) GTEST_SKIP() << made.error();
    ASSERT_TRUE(made) << made.error() << " (HEADLIGHT_WITHOUT_GL=1 skips what needs OpenGL)";
    context_ = std::move(*made);
  }

  /// Draws on one ImGui draw list, `frames` times, and returns the pixels.
  struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
    draw::Color at(int x, int y) const {
      const std::uint8_t* p = rgba.data() + (std::size_t(y) * std::size_t(width) + std::size_t(x)) * 4;
      return {p[0], p[1], p[2], p[3]};
    }
  };
  Picture render(Renderer& renderer, int width, int height, draw::Color clear,
                 const std::function<void(ImDrawList&)>& paint, int frames = 1) {
    auto target = PixelTarget::create(width, height);
    EXPECT_TRUE(target) << target.error();
    (*target)->bind();
    for (int i = 0; i < frames; ++i) {
      renderer.begin(width, height, 1.f / 60);
      paint(*ImGui::GetBackgroundDrawList());
      renderer.end(clear);
    }
    Picture picture{width, height, (*target)->pixels()};
    (*target)->unbind();
    if (const char* folder = std::getenv("HEADLIGHT_TEST_PICTURES")) save(picture, folder);
    return picture;
  }

  std::unique_ptr<HeadlessContext> context_;

 private:
  // For looking: HEADLIGHT_TEST_PICTURES=folder keeps every picture as a .ppm file.
  static void save(const Picture& picture, const std::string& folder) {
    static int count = 0;
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name =
        folder + "/" + test->test_suite_name() + "." + test->name() + "." + std::to_string(count++) + ".ppm";
    if (std::FILE* file = std::fopen(name.c_str(), "wb")) {
      std::fprintf(file, "P6 %d %d 255\n", picture.width, picture.height);
      for (std::size_t i = 0; i < picture.rgba.size(); i += 4) std::fwrite(&picture.rgba[i], 1, 3, file);
      std::fclose(file);
    }
  }
};

/// With a renderer.
class RendererTest : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped()) return;
    auto made = Renderer::create();
    ASSERT_TRUE(made) << made.error();
    renderer_ = std::move(*made);
  }
  void TearDown() override {
    if (!renderer_) return;
    EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
    renderer_.reset();
  }

  std::unique_ptr<Renderer> renderer_;
};

}  // namespace headlight::screen
