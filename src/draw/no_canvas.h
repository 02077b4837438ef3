// A canvas that draws nothing: for callers that need only the numbers, the words or the card positions of a
// page. Text is as wide as on another canvas, or 0 wide.
#pragma once

#include "draw/canvas.h"

namespace headlight::draw {

class NoCanvas : public Canvas {
 public:
  NoCanvas() = default;
  explicit NoCanvas(Canvas& measure) : measure_(&measure) {}

  void rect(Box, Color, float) override {}
  void frame(Box, Stroke, float) override {}
  void line(Point, Point, Stroke) override {}
  void polyline(std::span<const Point>, Stroke) override {}
  void polygon(std::span<const Point>, Color) override {}
  void curve(Point, Point, Point, Point, Stroke) override {}
  void circle(Point, float, Color) override {}
  void ring(Point, float, Stroke) override {}
  void sector(Point, float, float, float, Color) override {}
  void text(Point, std::string_view, const TextStyle&) override {}
  float text_width(std::string_view words, const TextStyle& style) override {
    return measure_ ? measure_->text_width(words, style) : 0;
  }
  void heatmap(Box, const Heatmap&) override {}
  void push_clip(Box) override {}
  void pop_clip() override {}
  void mark(const Mark&) override {}

 private:
  Canvas* measure_ = nullptr;
};

}  // namespace headlight::draw
