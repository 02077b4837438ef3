// For tests: records every call as one line of text. Text is measured by a fixed rule (0.55 em per character,
// 0.6 em in mono, 0.58 em in semibold), so that recordings are the same on every machine.
#pragma once

#include <string>
#include <vector>

#include "draw/canvas.h"
#include "draw/turned.h"

namespace headlight::draw {

class RecordCanvas final : public Canvas {
 public:
  struct Text {
    Point at;
    std::string words;
    TextStyle style;
    Box box;          // upright, around the letters
    Corners corners;  // of the letters
  };
  std::vector<std::string> lines;  // "rect x y w h rrggbbaa r", "text x y \"…\" …", "heatmap …", "mark …"
  std::vector<Text> texts;         // every text with the box it covers, for overlap and truncation checks
  struct Map {
    Box box;
    Heatmap map;
  };
  std::vector<Map> maps;
  std::vector<Mark> marks;

  void rect(Box box, Color fill, float radius) override;
  void frame(Box box, Stroke stroke, float radius) override;
  void line(Point a, Point b, Stroke stroke) override;
  void polyline(std::span<const Point> points, Stroke stroke) override;
  void polygon(std::span<const Point> convex, Color fill) override;
  void curve(Point a, Point control_a, Point control_b, Point b, Stroke stroke) override;
  void circle(Point centre, float radius, Color fill) override;
  void ring(Point centre, float radius, Stroke stroke) override;
  void sector(Point centre, float radius, float from, float to, Color fill) override;
  void text(Point at, std::string_view words, const TextStyle& style) override;
  float text_width(std::string_view words, const TextStyle& style) override;
  void heatmap(Box box, const Heatmap& map) override;
  void push_clip(Box box) override;
  void pop_clip() override;
  void mark(const Mark& mark) override;
};

}  // namespace headlight::draw
