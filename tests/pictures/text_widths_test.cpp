// The same words are as wide on the screen as in every kind of figure, because one layout sets them.
#include <cairo.h>
#include <gtest/gtest.h>

#include <ostream>

#include "draw/theme.h"
#include "figure/cairo_canvas.h"
#include "figure/svg_canvas.h"
#include "screen/text_painter.h"
#include "text/samples.h"

namespace headlight::tests {

static void PrintTo(const Sample& sample, std::ostream* out) {
  *out << sample.name;
}

}  // namespace headlight::tests

namespace headlight {
namespace {

class NoTextures final : public screen::Textures {
 public:
  ImTextureID create_rgba(int, int) override { return nullptr; }
  void update_rgba(ImTextureID, int, int, int, int, const std::uint8_t*, int) override {}
  void destroy(ImTextureID) override {}
};

class Widths : public testing::TestWithParam<tests::Sample> {
 protected:
  ~Widths() override {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
  }

  NoTextures textures_;
  screen::TextPainter painter_{textures_};
  cairo_surface_t* surface_ = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 8, 8);
  cairo_t* cairo_ = cairo_create(surface_);
  draw::Theme theme_ = draw::theme(false);
};

TEST_P(Widths, AreOneOnTheScreenAndInFigures) {
  figure::CairoCanvas cairo(cairo_, theme_);
  figure::SvgCanvas svg(theme_);
  for (const draw::Font font : {draw::Font::sans, draw::Font::semibold, draw::Font::mono}) {
    for (const float size : {9.5f, 13.f, 40.f, 300.f}) {
      const draw::TextStyle style{.size = size, .font = font};
      const float on_screen = painter_.width(GetParam().words, font, size);
      EXPECT_GT(on_screen, 0);
      // The same product of the same two floats: nothing is rounded.
      EXPECT_EQ(cairo.text_width(GetParam().words, style), on_screen) << size;
      EXPECT_EQ(svg.text_width(GetParam().words, style), on_screen) << size;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, Widths, testing::ValuesIn(tests::text_samples),
                         [](const auto& sample) { return std::string(sample.param.name); });

TEST_F(Widths, AnSvgSaysTheWidthThatTheScreenHas) {
  figure::SvgCanvas svg(theme_);
  const draw::TextStyle style{.size = 20};
  svg.text({0, 20}, "AVATAR", style);
  const std::string body = svg.body();
  const std::string named =
      "textLength=\"" +
      figure::svg_number(static_cast<double>(painter_.width("AVATAR", draw::Font::sans, 20)));
  EXPECT_NE(body.find(named), std::string::npos) << body;
}

}  // namespace
}  // namespace headlight
