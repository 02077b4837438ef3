// A Canvas on cairo: draws the screen's views to PDF or PNG. Text stays text, in the faces of faces.h, which
// a PDF embeds. A heatmap is an image with a whole number of pixels per cell; in a PDF, cells with gaps are
// one area each.
#pragma once

#include <cairo.h>

#include <string_view>

#include "draw/canvas.h"
#include "draw/colour_vision.h"
#include "draw/heatmap_raster.h"
#include "draw/theme.h"
#include "figure/faces.h"

namespace headlight::figure {

class CairoCanvas final : public draw::Canvas {
 public:
  /// Draws on `cairo`, which must outlive the canvas; one unit is one user-space unit. `vision` applies to
  /// the cells of heatmaps; the caller has already converted the other colours.
  CairoCanvas(cairo_t* cairo, const draw::Theme& theme, draw::Vision vision = draw::Vision::full);

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
  bool cells(draw::Box box, const draw::Heatmap& map);
  void color(draw::Color c);
  void show(std::string_view words, std::span<const text::Glyph> run, float size, bool unseen);
  void show_pictures(std::string_view words, std::span<const text::Glyph> run, float size);
  void stroke(const draw::Stroke& stroke);
  void outline(draw::Box box, float radius);
  cairo_t* cairo_;
  const draw::Theme& theme_;
  draw::Vision vision_;
};

/// Returns the cells of a heatmap that fills `box`, with a whole number of pixels per cell, so that viewers
/// that smooth images show crisp cells.
draw::Raster heatmap_pixels(draw::Box box, const draw::Heatmap& map, const draw::Theme& theme);

/// Returns the same as a cairo image, which the caller must destroy. Alpha is 0 or 255.
cairo_surface_t* surface_of(const draw::Raster& raster);

}  // namespace headlight::figure
