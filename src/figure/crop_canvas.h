// Passes on what is at least partly inside a box, and drops the rest: a figure of one card must not contain
// the words of its neighbours. Coordinates do not change. Every figure is drawn through this canvas, which
// also removes coordinates that are NaN or too large for a file (beyond `farthest`): a line ends before such
// a point and continues after it; any other shape with such a point is dropped. Tested in
// tests/figure/svg_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "draw/canvas.h"

namespace headlight::figure {

/// How a figure differs from the window. For a figure of one card, `height` is the card's height.
struct FigureLook {
  bool plain = false;  // for paper: no buttons
  draw::FigureParts parts;
  std::string card;  // empty: the whole page
  float height = 0;  // 0: as planned by the page
};
/// Returns the letters and digits of the title in ASCII, with a hyphen for everything between them.
std::string card_name(std::string_view name, std::string_view title);

class CropCanvas final : public draw::Canvas {
 public:
  CropCanvas(draw::Canvas& to, draw::Box keep, const FigureLook& look)
      : to_(to), keep_(keep), look_(look), other_(look.height > 0) {}

  void rect(draw::Box box, draw::Color fill, float radius) override {
    if (touches(box)) to_.rect(box, fill, radius);
  }
  void frame(draw::Box box, draw::Stroke stroke, float radius) override {
    if (touches(box)) to_.frame(box, stroke, radius);
  }
  void line(draw::Point a, draw::Point b, draw::Stroke stroke) override {
    const draw::Point ends[] = {a, b};
    if (touches(around(ends))) to_.line(a, b, stroke);
  }
  void polyline(std::span<const draw::Point> points, draw::Stroke stroke) override;
  void polygon(std::span<const draw::Point> convex, draw::Color fill) override {
    if (touches(around(convex))) to_.polygon(convex, fill);
  }
  void curve(draw::Point a, draw::Point control_a, draw::Point control_b, draw::Point b,
             draw::Stroke stroke) override {
    const draw::Point all[] = {a, control_a, control_b, b};
    if (touches(around(all))) to_.curve(a, control_a, control_b, b, stroke);
  }
  void circle(draw::Point centre, float radius, draw::Color fill) override {
    if (touches(around(centre, radius))) to_.circle(centre, radius, fill);
  }
  void ring(draw::Point centre, float radius, draw::Stroke stroke) override {
    if (touches(around(centre, radius))) to_.ring(centre, radius, stroke);
  }
  void sector(draw::Point centre, float radius, float from, float to, draw::Color fill) override {
    if (sound(from) && sound(to) && touches(around(centre, radius)))
      to_.sector(centre, radius, from, to, fill);
  }
  void text(draw::Point at, std::string_view words, const draw::TextStyle& style) override;
  float text_width(std::string_view words, const draw::TextStyle& style) override {
    return to_.text_width(words, style);
  }
  void heatmap(draw::Box box, const draw::Heatmap& map) override {
    if (touches(box)) to_.heatmap(box, map);
  }
  void push_clip(draw::Box box) override { to_.push_clip(sound(box) ? box : keep_); }
  void pop_clip() override { to_.pop_clip(); }
  void mark(const draw::Mark& mark) override { to_.mark(mark); }
  void panel(draw::Box box, std::string_view name, std::string_view title) override {
    // A card that became higher covers its neighbours.
    other_ = look_.height > 0 && card_name(name, title) != look_.card;
    to_.panel(box, name, title);
  }
  bool plain() const override { return look_.plain; }
  draw::FigureParts parts() const override { return look_.parts; }
  float card_height(std::string_view name, std::string_view title, float planned) const override {
    return look_.height > 0 && card_name(name, title) == look_.card ? look_.height : planned;
  }

 private:
  static constexpr float farthest = 1e6f;  // units
  bool touches(draw::Box box) const;       // false for boxes that are not sound
  static draw::Box around(std::span<const draw::Point> points);
  static bool sound(float coordinate);
  static bool sound(draw::Box box);
  static draw::Box around(draw::Point centre, float radius) {
    return {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius};
  }
  draw::Canvas& to_;
  draw::Box keep_;
  FigureLook look_;
  bool other_;  // the current shapes belong to another card
};

}  // namespace headlight::figure
