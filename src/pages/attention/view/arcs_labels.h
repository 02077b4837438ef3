// Places the labels of arcs at the top of their own arc, never nearer to another one. Tested in
// tests/views/attention_arcs_test.cpp.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "draw/canvas.h"

namespace headlight::views {

class ArcLabels {
 public:
  explicit ArcLabels(draw::Box within) : within_(within) {}
  /// Adds an arc, or a ring that begins and ends below its centre: its middle line from end to end, and the
  /// distance from that to its edge. Returns its index.
  std::size_t add(std::vector<draw::Point> path, float half);
  /// Keeps labels out of `box`.
  void keep_free(draw::Box box) { taken_.push_back(box); }
  /// Returns a free place for a label of wide × high: outside the top of the arc, on it, inside it, or a
  /// little to one side, always closer to this arc than to any other. Empty: there is none. Places are taken
  /// in the order of the calls, so call with the largest weights first. O(points of all arcs).
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
