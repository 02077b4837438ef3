// Which numbers of a page does the pointer reach? A canvas that listens: what a view notes as a quantity
// (kit/page_input.h) and then writes has a place. Drawn only while somebody picks a number. Tested in
// tests/app/lesson_editor_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "draw/canvas.h"
#include "draw/pick_canvas.h"
#include "scene/named_number.h"

namespace headlight::app {

class NumberCanvas final : public draw::Canvas {
 public:
  struct Number {
    draw::Box box;
    std::string quantity;
  };
  /// `said` is filled by the view as it draws; `measure` answers text widths.
  NumberCanvas(const std::vector<scene::SaidNumber>& said, draw::Canvas& measure)
      : said_(said), measure_(measure) {}
  const std::vector<Number>& numbers() const { return numbers_; }
  /// The smallest one under the point; null: none.
  const Number* at(draw::Point point) const;

  void rect(draw::Box, draw::Color, float) override {}
  void frame(draw::Box, draw::Stroke, float) override {}
  void line(draw::Point, draw::Point, draw::Stroke) override {}
  void polyline(std::span<const draw::Point>, draw::Stroke) override {}
  void polygon(std::span<const draw::Point>, draw::Color) override {}
  void curve(draw::Point, draw::Point, draw::Point, draw::Point, draw::Stroke) override {}
  void circle(draw::Point, float, draw::Color) override {}
  void ring(draw::Point, float, draw::Stroke) override {}
  void sector(draw::Point, float, float, float, draw::Color) override {}
  void text(draw::Point at, std::string_view words, const draw::TextStyle& style) override;
  float text_width(std::string_view words, const draw::TextStyle& style) override {
    return measure_.text_width(words, style);
  }
  void heatmap(draw::Box, const draw::Heatmap&) override {}
  void push_clip(draw::Box) override {}
  void pop_clip() override {}
  void mark(const draw::Mark&) override {}

 private:
  const std::vector<scene::SaidNumber>& said_;
  draw::Canvas& measure_;
  std::vector<Number> numbers_;
  std::vector<bool> placed_;
};

/// The part of the page that was hit: one cell of a map, or all of its target.
draw::Box box_of(const draw::Hit& hit, const draw::Box& target);

}  // namespace headlight::app
