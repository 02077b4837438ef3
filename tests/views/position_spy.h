// A canvas that keeps what is drawn in full precision, with the mark that it was drawn under.
#pragma once

#include <string>
#include <vector>

#include "draw/record_canvas.h"

namespace headlight::views::test {

class SpyCanvas final : public draw::Canvas {
 public:
  struct Line {
    draw::Mark mark;
    draw::Point a, b;
    draw::Stroke stroke;
  };
  struct Sector {
    draw::Mark mark;
    draw::Point centre;
    float radius, from, to;
  };
  struct Disc {
    draw::Mark mark;
    draw::Point centre;
    float radius;
    draw::Color color;
  };
  struct Text {
    draw::Mark mark;
    draw::Point at;
    std::string words;
    draw::TextStyle style;
  };
  std::vector<Line> lines;
  std::vector<Sector> sectors;
  std::vector<Disc> discs, rings;
  std::vector<Text> texts;
  std::vector<draw::Mark> marks;
  std::vector<std::vector<draw::Point>> polylines;
  std::vector<draw::Stroke> polyline_strokes;

  /// Whether some text is, or holds, these words.
  bool says(const std::string& words) const {
    for (const Text& text : texts) {
      if (text.words.find(words) != std::string::npos) return true;
    }
    return false;
  }
  /// All texts, one after the other: for words that are broken into lines.
  std::string all() const {
    std::string out;
    for (const Text& text : texts) out += text.words + " ";
    return out;
  }
  const draw::Mark* marked(draw::Part part, int key = -1) const {
    for (const draw::Mark& m : marks) {
      if (m.part == part && (key < 0 || m.key == key)) return &m;
    }
    return nullptr;
  }
  const draw::Mark* control(const std::string& name) const {
    for (const draw::Mark& m : marks) {
      if (m.name == name) return &m;
    }
    return nullptr;
  }

  void rect(draw::Box, draw::Color, float) override {}
  void frame(draw::Box, draw::Stroke, float) override {}
  void line(draw::Point a, draw::Point b, draw::Stroke stroke) override {
    lines.push_back({mark_, a, b, stroke});
  }
  void polyline(std::span<const draw::Point> points, draw::Stroke stroke) override {
    polylines.emplace_back(points.begin(), points.end());
    polyline_strokes.push_back(stroke);
  }
  void polygon(std::span<const draw::Point>, draw::Color) override {}
  void curve(draw::Point, draw::Point, draw::Point, draw::Point, draw::Stroke) override {}
  void circle(draw::Point centre, float radius, draw::Color fill) override {
    discs.push_back({mark_, centre, radius, fill});
  }
  void ring(draw::Point centre, float radius, draw::Stroke stroke) override {
    rings.push_back({mark_, centre, radius, stroke.color});
  }
  void sector(draw::Point centre, float radius, float from, float to, draw::Color) override {
    sectors.push_back({mark_, centre, radius, from, to});
  }
  void text(draw::Point at, std::string_view words, const draw::TextStyle& style) override {
    texts.push_back({mark_, at, std::string(words), style});
  }
  float text_width(std::string_view words, const draw::TextStyle& style) override {
    return measure_.text_width(words, style);
  }
  void heatmap(draw::Box, const draw::Heatmap&) override {}
  void push_clip(draw::Box) override {}
  void pop_clip() override {}
  void mark(const draw::Mark& mark) override {
    mark_ = mark;
    if (mark.part != draw::Part::none) marks.push_back(mark);
  }

 private:
  draw::RecordCanvas measure_;
  draw::Mark mark_;
};

}  // namespace headlight::views::test
