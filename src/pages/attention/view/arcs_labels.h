// Where the weights of arcs are written: at the top of their own arc, and never nearer to another one. Tested
// in tests/views/attention_arcs_test.cpp.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "draw/canvas.h"

namespace headlight::views {

class ArcLabels {
 public:
  explicit ArcLabels(draw::Box within) : within_(within) {}
  /// An arc, or a ring that begins and ends below its centre: its middle line from end to end, and how far
  /// its edge is from that. Returns its number.
  std::size_t add(std::vector<draw::Point> path, float half);
  /// No label goes here.
  void keep_free(draw::Box box) { taken_.push_back(box); }
  /// A place for a label of wide × high that no other label has: outside of the top of the arc, on it, inside
  /// of it, or a little to one side; always closer to this arc than to every other. Empty: there is none. The
  /// first to ask has it: ask for the largest weights first. O(points of all arcs).
  std::optional<draw::Box> place(std::size_t own, float wide, float high);

 private:
  struct Shape {
    std::vector<draw::Point> path;
    float half = 0;
    draw::Box around;
  };
  bool is_clear(std::size_t own, const draw::Box& box) const;
  draw::Box within_;
  std::vector<draw::Box> taken_;
  std::vector<Shape> shapes_;
};

}  // namespace headlight::views
