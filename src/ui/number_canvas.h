// Which numbers of a page does the pointer reach? A canvas that records: it knows the box of every quantity
// that a view notes (kit/page_input.h) and then writes. Drawn only while the user picks a number. Tested in
// tests/lecture/lesson_editor_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "draw/no_canvas.h"
#include "draw/pick_canvas.h"
#include "scene/named_number.h"

namespace headlight::app {

class NumberCanvas final : public draw::NoCanvas {
 public:
  struct Number {
    draw::Box box;
    std::string quantity;
  };
  /// `stated` is filled by the view as it draws; `measure` gives text widths.
  NumberCanvas(const std::vector<scene::StatedNumber>& stated, draw::Canvas& measure)
      : NoCanvas(measure), stated_(stated) {}
  const std::vector<Number>& numbers() const { return numbers_; }
  /// The smallest number under the point; null: none.
  const Number* at(draw::Point point) const;

  void text(draw::Point at, std::string_view words, const draw::TextStyle& style) override;

 private:
  const std::vector<scene::StatedNumber>& stated_;
  std::vector<Number> numbers_;
  std::vector<bool> placed_;
};

/// The part of the page that was hit: one cell of a map, or the whole target.
draw::Box box_of(const draw::Hit& hit, const draw::Box& target);

}  // namespace headlight::app
