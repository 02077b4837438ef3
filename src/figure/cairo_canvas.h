// A Canvas on cairo: the same views that fill the screen become SVG, PDF or PNG. Text is set in the embedded
// fonts, Inter or JetBrains Mono first and DejaVu for what they lack; a heatmap is an image with a whole
// number of pixels to the cell.
#pragma once

#include <cairo.h>

#include <memory>
#include <string_view>

#include "draw/canvas.h"
#include "draw/theme.h"

namespace headlight::figure {

class CairoCanvas final : public draw::Canvas {
 public:
  /// Draws on `cairo`, which outlives the canvas; one unit is one user-space unit.
  CairoCanvas(cairo_t* cairo, const draw::Theme& theme);
  ~CairoCanvas() override;

  void rect(draw::Box box, draw::Color fill, float radius) override;
  void frame(draw::Box box, draw::Stroke stroke, float radius) override;
  void line(draw::Point a, draw::Point b, draw::Stroke stroke) override;
  void polyline(std::span<const draw::Point> points, draw::Stroke stroke) override;
  void polygon(std::span<const draw::Point> convex, draw::Color fill) override;
  void curve(draw::Point a, draw::Point control_a, draw::Point control_b, draw::Point b,
             draw::Stroke stroke) override;
  void circle(draw::Point centre, float radius, draw::Color fill) override;
  void ring(draw::Point centre, float radius, draw::Stroke stroke) override;
  void sector(draw::Point centre, float radius, float from, float to, draw::Color fill) override;
  void text(draw::Point at, std::string_view words, const draw::TextStyle& style) override;
  float text_width(std::string_view words, const draw::TextStyle& style) override;
  void heatmap(draw::Box box, const draw::Heatmap& map) override;
  void push_clip(draw::Box box) override;
  void pop_clip() override;
  void mark(const draw::Mark&) override {}

 private:
  struct Faces;
  void color(draw::Color c);
  void stroke(const draw::Stroke& stroke);
  void outline(draw::Box box, float radius);
  cairo_t* cairo_;
  const draw::Theme& theme_;
  std::unique_ptr<Faces> faces_;
};

}  // namespace headlight::figure
