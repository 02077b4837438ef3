// Draws on another canvas with the colours that people with colour-blindness see. For figures; the screen
// filters its finished picture. Where semi-transparent shapes overlap, the two differ a little, because here
// colours are blended after the filter, not before. Tested in tests/draw/colour_vision_test.cpp.
#pragma once

#include "draw/canvas.h"
#include "draw/colour_vision.h"

namespace headlight::draw {

class SeenCanvas final : public Canvas {
 public:
  /// `to` must outlive this canvas.
  SeenCanvas(Canvas& to, Vision vision) : to_(to), vision_(vision) {}

  void rect(Box box, Color fill, float radius) override { to_.rect(box, seen(fill, vision_), radius); }
  void frame(Box box, Stroke stroke, float radius) override { to_.frame(box, with(stroke), radius); }
  void line(Point a, Point b, Stroke stroke) override { to_.line(a, b, with(stroke)); }
  void polyline(std::span<const Point> points, Stroke stroke) override { to_.polyline(points, with(stroke)); }
  void polygon(std::span<const Point> convex, Color fill) override {
    to_.polygon(convex, seen(fill, vision_));
  }
  void curve(Point a, Point control_a, Point control_b, Point b, Stroke stroke) override {
    to_.curve(a, control_a, control_b, b, with(stroke));
  }
  void circle(Point centre, float radius, Color fill) override {
    to_.circle(centre, radius, seen(fill, vision_));
  }
  void ring(Point centre, float radius, Stroke stroke) override { to_.ring(centre, radius, with(stroke)); }
  void sector(Point centre, float radius, float from, float to, Color fill) override {
    to_.sector(centre, radius, from, to, seen(fill, vision_));
  }
  void text(Point at, std::string_view words, const TextStyle& style) override {
    TextStyle other = style;
    other.color = seen(style.color, vision_);
    to_.text(at, words, other);
  }
  float text_width(std::string_view words, const TextStyle& style) override {
    return to_.text_width(words, style);
  }
  void heatmap(Box box, const Heatmap& map) override {
    to_.heatmap(box, map);  // only the canvas itself knows the table of its colours
  }
  void push_clip(Box box) override { to_.push_clip(box); }
  void pop_clip() override { to_.pop_clip(); }
  void mark(const Mark& mark) override { to_.mark(mark); }
  void panel(Box box, std::string_view name, std::string_view title) override { to_.panel(box, name, title); }
  bool takes_head(std::string_view name, std::string_view title, std::string_view notes) override {
    return to_.takes_head(name, title, notes);
  }
  bool plain() const override { return to_.plain(); }
  FigureParts parts() const override { return to_.parts(); }
  float card_height(std::string_view name, std::string_view title, float planned) const override {
    return to_.card_height(name, title, planned);
  }
  void saved(float height) override { to_.saved(height); }
  void spare(float height) override { to_.spare(height); }
  float least_text() const override { return to_.least_text(); }

 private:
  Stroke with(Stroke stroke) const {
    stroke.color = seen(stroke.color, vision_);
    return stroke;
  }
  Canvas& to_;
  Vision vision_;
};

}  // namespace headlight::draw
