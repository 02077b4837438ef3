// What of a picture has changed since the frame before? The picture is cut into tiles; everything that is
// drawn adds its vertices, its texture and its clip to the hash of each tile that it touches, in order. A
// tile whose hash is that of the frame before holds the same pixels, and need not be drawn again: with
// software OpenGL nearly all time goes into pixels. Without OpenGL; tested in tests/screen/damage_test.cpp.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <vector>

namespace headlight::screen {

/// Whole pixels, x1 and y1 excluded.
struct PixelBox {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  long area() const { return long(x1 - x0) * (y1 - y0); }
  bool operator==(const PixelBox&) const = default;
};

class Damage {
 public:
  static constexpr int tile = 32;        // pixels
  static constexpr int most_boxes = 12;  // each is one pass over the draw data

  /// What a callback of the draw data makes of the shapes that follow it, as a number.
  using Look = std::uint64_t (*)(const ImDrawCmd& callback);

  /// The boxes to draw anew, apart from each other; the whole picture at first, after forget(), and when its
  /// size has changed. Cost: some nanoseconds a vertex.
  std::span<const PixelBox> update(const ImDrawData& data, Look look);
  void forget() { columns_ = 0; }

  /// Leaves in every list of `data` only what touches `box`, and runs `draw`; afterwards the lists are as
  /// before.
  template <class Draw>
  void draw_part(ImDrawData& data, PixelBox box, Draw draw) {
    keep_only(data, box);
    draw();
    give_back(data);
  }

 private:
  void hash_tiles(const ImDrawData& data, Look look);
  void add(const ImVec4& bounds, std::uint64_t hash);
  void find_boxes(int width, int height);
  void keep_only(ImDrawData& data, PixelBox box);
  void give_back(ImDrawData& data);

  int columns_ = 0, rows_ = 0, width_ = 0, height_ = 0;
  std::vector<std::uint64_t> now_, before_;  // [rows_ · columns_]
  std::vector<PixelBox> boxes_;
  std::vector<ImVec4> bounds_;  // of the groups of indices that hash_tiles() walks, in its order
  struct Whole {                // of a list, while a part of it is drawn
    ImVector<ImDrawCmd> commands;
    ImVector<ImDrawIdx> indices;
  };
  std::vector<Whole> whole_;
};

}  // namespace headlight::screen
