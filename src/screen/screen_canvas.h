// draw::Canvas on the screen: shapes become ImGui draw commands, words go to the TextPainter, heatmaps to the
// HeatmapPainter. Everything is anti-aliased. Upright shapes (rectangles, frames, horizontal and vertical
// lines, clips) are aligned to whole pixels, so that they are crisp at every scale. Points that are not
// finite are skipped, and a polyline has a gap there. Tested by tests/screen/canvas_gl_test.cpp.
#pragma once

#include <imgui.h>

#include <span>
#include <vector>

#include "draw/canvas.h"
#include "screen/heatmap_painter.h"
#include "screen/text_painter.h"

namespace headlight::screen {

class ScreenCanvas final : public draw::Canvas {
 public:
  /// Unit (0, 0) is at `origin` pixels; `scale` pixels are one unit. All arguments must outlive the canvas,
  /// which lives for a part of one frame.
  ScreenCanvas(ImDrawList& list, ImVec2 origin, float scale, TextPainter& text, HeatmapPainter& heatmaps);

  void rect(draw::Box box, draw::Color fill, float radius = 0) override;
  void frame(draw::Box box, draw::Stroke stroke, float radius = 0) override;
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
  void mark(const draw::Mark&) override {}  // nothing to draw; PickCanvas handles marks

 private:
  ImVec2 pixel(draw::Point p) const { return {origin_.x + p.x * scale_, origin_.y + p.y * scale_}; }
  draw::Box pixels(draw::Box box) const;
  draw::Box whole_pixels(draw::Box box) const;
  void stroke_path(std::span<const ImVec2> path, draw::Stroke stroke, bool closed);
  /// Returns whether anything between these pixels, extended by `around`, is within the clip. Shapes outside
  /// it are not drawn: a page may be longer than its window.
  bool seen(ImVec2 from, ImVec2 to, float around = 0) const;
  bool seen(std::span<const ImVec2> points, float around = 0) const;
  void upright_line(ImVec2 a, ImVec2 b, draw::Stroke stroke);

  ImDrawList& list_;
  ImVec2 origin_;
  float scale_;
  TextPainter& text_;
  HeatmapPainter& heatmaps_;
  std::vector<ImVec2> path_, dash_;  // scratch
};

}  // namespace headlight::screen
