// Which parts of a picture have changed since the previous frame? The picture is cut into tiles. Everything
// that is drawn adds its vertices, its texture and its clip to the hash of each tile that it touches, in
// order. A tile whose hash has not changed has the same pixels and need not be drawn again: with software
// OpenGL, pixels take nearly all the time. Works without OpenGL; tested in tests/screen/damage_test.cpp.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <vector>

namespace headlight::screen {

/// Whole pixels; x1 and y1 are exclusive.
struct PixelBox {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  long area() const { return long(x1 - x0) * (y1 - y0); }
  bool operator==(const PixelBox&) const = default;
};

class Damage {
 public:
  static constexpr int tile = 32;        // pixels
  static constexpr int most_boxes = 12;  // each is one pass over the draw data

  /// Returns a number for how a callback of the draw data changes the shapes after it.
  using Look = std::uint64_t (*)(const ImDrawCmd& callback);

  /// Returns the boxes to redraw, without overlap; the whole picture at first, after forget(), and when its
  /// size has changed. Cost: some nanoseconds per vertex.
  std::span<const PixelBox> update(const ImDrawData& data, Look look);
  void forget() { columns_ = 0; }

  /// A command of a list, or the triangles of it that are drawn the same way. A callback has no triangles.
  struct Piece {
    int list = 0;
    const ImDrawCmd* command = nullptr;
    ImVec4 clip;                    // the command's clip, limited to the box
    unsigned first = 0, count = 0;  // indices of the part; they start at the command's VtxOffset
    bool opaque = false;            // whole shapes of full colour: they hide everything behind them
  };
  struct Part {
    std::vector<Piece> pieces;
    std::vector<ImDrawIdx> indices;
  };
  /// Returns what touches `box` in the `data` of the last update(). Valid until the next call.
  const Part& part(const ImDrawData& data, PixelBox box);

 private:
  void hash_tiles(const ImDrawData& data, Look look);
  void add(const ImVec4& bounds, std::uint64_t hash);
  void find_boxes(int width, int height);
  void add_pieces(const ImDrawList& list, Piece piece, std::size_t group);

  int columns_ = 0, rows_ = 0, width_ = 0, height_ = 0;
  std::vector<std::uint64_t> now_, before_;  // [rows_ · columns_]
  std::vector<PixelBox> boxes_;
  struct Group {  // of indices, in the order in which hash_tiles() visits them
    ImVec4 bounds;
    bool opaque = false;
  };
  std::vector<Group> groups_;
  Part part_;
};

}  // namespace headlight::screen
