// Picking draws on a canvas that only remembers what is under one point.
#pragma once

#include <vector>

#include "draw/canvas.h"

namespace headlight::draw {

struct Hit {
  Mark mark;      // part none: nothing there. For a heatmap's cell mark, query and key are set
  Box map;        // of the heatmap that was hit, else empty
  Point cell;     // in cells of the picture, with fractions
  Box shown;      // the visible part of the heatmap's picture, in cells
  Point at;       // where the pointer was
  Box box;        // of the mark: its area, or its filled shapes and words; empty: only lines and curves
  int along = 0;  // for a picture whose rows and columns run in one direction: 1 to the right, −1 downwards
};

class PickCanvas final : public Canvas {
 public:
  /// `measure` provides text_width(); picking must use the same layout as the screen.
  PickCanvas(Point at, Canvas& measure) : at_(at), measure_(measure) {}
  const Hit& hit() const { return hit_; }
  /// All marked controls and named areas of the page, in drawing order, with the boxes they occupy: for
  /// keyboard focus and for scripts.
  struct Target {
    Mark mark;
    Box box;
  };
  const std::vector<Target>& targets() const { return targets_; }
  /// The name of the card under the point; empty: none.
  const std::string& panel_under() const { return panel_; }
  /// All cards of the page, in drawing order.
  struct Panel {
    std::string name, title;
    Box box;
  };
  const std::vector<Panel>& panels() const { return panels_; }

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
  float text_width(std::string_view words, const TextStyle& style) override {
    return measure_.text_width(words, style);
  }
  void heatmap(Box box, const Heatmap& map) override;
  void push_clip(Box box) override;
  void pop_clip() override;
  void mark(const Mark& mark) override;
  void panel(Box box, std::string_view name, std::string_view title) override {
    if (box.has(at_)) panel_ = name;
    panels_.push_back({std::string(name), std::string(title), box});
  }

 private:
  bool visible() const;  // inside all clips
  void take();           // the current mark is hit
  void cover(Box box);   // the current target also covers this box
  Point at_;
  Canvas& measure_;
  Mark mark_;
  Hit hit_;
  std::vector<Box> clips_;
  std::vector<Target> targets_;
  std::size_t hit_target_ = 0;  // number of targets when the hit was taken: it is the last of them
  std::string panel_;
  std::vector<Panel> panels_;
};

}  // namespace headlight::draw
