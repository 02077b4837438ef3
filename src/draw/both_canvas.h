// Draws on two canvases at once: a page is laid out and worded once, for both its picture and the marks under
// the pointer. The first canvas measures text and says whether it is paper. Tested in
// tests/draw/canvas_test.cpp.
#pragma once

#include "draw/canvas.h"

namespace headlight::draw {

class BothCanvas final : public Canvas {
 public:
  /// Both must outlive this canvas.
  BothCanvas(Canvas& first, Canvas& second) : first_(first), second_(second) {}

  void rect(Box box, Color fill, float radius) override {
    first_.rect(box, fill, radius), second_.rect(box, fill, radius);
  }
  void frame(Box box, Stroke stroke, float radius) override {
    first_.frame(box, stroke, radius), second_.frame(box, stroke, radius);
  }
  void line(Point a, Point b, Stroke stroke) override {
    first_.line(a, b, stroke), second_.line(a, b, stroke);
  }
  void polyline(std::span<const Point> points, Stroke stroke) override {
    first_.polyline(points, stroke), second_.polyline(points, stroke);
  }
  void polygon(std::span<const Point> convex, Color fill) override {
    first_.polygon(convex, fill), second_.polygon(convex, fill);
  }
  void curve(Point a, Point control_a, Point control_b, Point b, Stroke stroke) override {
    first_.curve(a, control_a, control_b, b, stroke), second_.curve(a, control_a, control_b, b, stroke);
  }
  void circle(Point centre, float radius, Color fill) override {
    first_.circle(centre, radius, fill), second_.circle(centre, radius, fill);
  }
  void ring(Point centre, float radius, Stroke stroke) override {
    first_.ring(centre, radius, stroke), second_.ring(centre, radius, stroke);
  }
  void sector(Point centre, float radius, float from, float to, Color fill) override {
    first_.sector(centre, radius, from, to, fill), second_.sector(centre, radius, from, to, fill);
  }
  void text(Point at, std::string_view words, const TextStyle& style) override {
    first_.text(at, words, style), second_.text(at, words, style);
  }
  float text_width(std::string_view words, const TextStyle& style) override {
    return first_.text_width(words, style);
  }
  void heatmap(Box box, const Heatmap& map) override { first_.heatmap(box, map), second_.heatmap(box, map); }
  void push_clip(Box box) override { first_.push_clip(box), second_.push_clip(box); }
  void pop_clip() override { first_.pop_clip(), second_.pop_clip(); }
  void mark(const Mark& mark) override { first_.mark(mark), second_.mark(mark); }
  void panel(Box box, std::string_view name, std::string_view title) override {
    first_.panel(box, name, title), second_.panel(box, name, title);
  }
  bool takes_head(std::string_view name, std::string_view title, std::string_view notes) override {
    return first_.takes_head(name, title, notes);
  }
  bool plain() const override { return first_.plain(); }
  FigureParts parts() const override { return first_.parts(); }
  float card_height(std::string_view name, std::string_view title, float planned) const override {
    return first_.card_height(name, title, planned);
  }
  void saved(float height) override { first_.saved(height), second_.saved(height); }
  void spare(float height) override { first_.spare(height), second_.spare(height); }
  float least_text() const override { return first_.least_text(); }

 private:
  Canvas& first_;
  Canvas& second_;
};

}  // namespace headlight::draw
