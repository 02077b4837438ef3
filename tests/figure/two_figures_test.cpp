// Two threads draw figures at once, as the program does with an export and the small pictures of scenes: the
// same bytes as alone, and nothing for the thread sanitizer.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>

#include "figure/figure.h"

namespace headlight::figure {
namespace {

void paint(draw::Canvas& canvas) {
  const std::array<float, 4> values = {0, 0.25f, 0.5f, 1};
  canvas.rect({0, 0, 200, 120}, draw::theme(true).panel, 4);
  canvas.heatmap({10, 10, 60, 40}, {.values = values.data(), .rows = 2, .cols = 2, .row_stride = 2});
  canvas.text({10, 70}, "weight α of “the cat”", {.size = 14, .color = draw::theme(true).text});
  canvas.text({10, 90}, "नमस्ते สวัสดี مرحبا 猫 👩‍🔬",
              {.size = 14, .color = draw::theme(true).text});
  canvas.text({10, 110}, "0.25", {.size = 12, .color = draw::theme(true).text, .font = draw::Font::mono});
}

struct Figures {
  std::string svg, pdf;
  std::vector<std::uint8_t> pixels;
  bool operator==(const Figures&) const = default;
};

Figures figures() {
  FigureSpec spec;
  spec.theme = draw::theme(true);
  spec.part = {0, 0, 200, 120};
  Figures out;
  out.svg = svg_figure(spec, paint);
  if (auto pdf = pdf_figure(spec, paint)) out.pdf = std::move(*pdf);
  if (auto pixels = figure_pixels(spec, paint)) out.pixels = std::move(pixels->rgba);
  return out;
}

TEST(TwoFigures, OfTwoThreadsAreThoseOfOne) {
  std::array<Figures, 2> made;
  {
    // Before anything was drawn: fonts are opened by the two of them.
    std::thread other([&] {
      for (int n = 0; n < 8; ++n) made[1] = figures();
    });
    for (int n = 0; n < 8; ++n) made[0] = figures();
    other.join();
  }
  const Figures alone = figures();
  EXPECT_FALSE(alone.svg.empty() || alone.pdf.empty() || alone.pixels.empty());
  EXPECT_TRUE(made[0] == alone);
  EXPECT_TRUE(made[1] == alone);
}

}  // namespace
}  // namespace headlight::figure
