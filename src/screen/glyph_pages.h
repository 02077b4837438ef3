// Where in a texture is this glyph? Glyphs are drawn on first use and packed on shelves into 1024 × 1024
// pages. Tested through TextPainter in tests/screen/text_test.cpp.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "screen/glyph_images.h"
#include "screen/textures.h"

namespace headlight::screen {

/// One glyph at one size and quarter-pixel step.
struct PlacedGlyph {
  std::int16_t page = -1;  // −1: nothing to draw (a space)
  bool ready = false;
  bool coloured = false;
  float left = 0, top = 0, width = 0, height = 0;  // pixels; top above the baseline
  ImVec2 uv_from, uv_to;
};

/// The four quarter-pixel steps of one glyph at one size. Addresses stay valid until clear().
struct GlyphSteps {
  int face = 0;
  unsigned index = 0;
  float px = 0;
  PlacedGlyph steps[4];
};

class GlyphPages {
 public:
  static constexpr int side = 1024;

  GlyphPages(const text::Faces& faces, Textures& textures) : images_(faces), textures_(textures) {}
  ~GlyphPages();
  GlyphPages(const GlyphPages&) = delete;
  GlyphPages& operator=(const GlyphPages&) = delete;

  GlyphSteps& steps(int face, unsigned index, float px);
  const PlacedGlyph& placed(GlyphSteps& steps, int quarter) {
    PlacedGlyph& out = steps.steps[quarter];
    if (!out.ready) place(steps, quarter, out);
    return out;
  }
  ImTextureID texture(int page) const { return pages_[static_cast<std::size_t>(page)].texture; }
  /// Pages with a glyph on them.
  int pages() const;

  void upload();
  /// Drops every glyph; the pages are kept and refilled. Must not be called between drawing a frame and
  /// rendering it.
  void clear();

 private:
  struct Shelf {
    int y, height, x;
  };
  struct Page {
    ImTextureID texture = nullptr;
    std::vector<std::uint8_t> rgba;
    std::vector<Shelf> shelves;
    int bottom = 0;  // of the lowest shelf
    int dirty_x0 = side, dirty_y0 = side, dirty_x1 = 0, dirty_y1 = 0;
  };
  struct GlyphPlace {
    int page, x, y;
  };
  void place(GlyphSteps& steps, int quarter, PlacedGlyph& out);
  GlyphPlace room_for(int width, int height);
  static bool fits(Page& page, int width, int height, GlyphPlace& spot);

  GlyphImages images_;
  Textures& textures_;
  std::vector<Page> pages_;
  std::unordered_map<std::uint64_t, GlyphSteps> steps_;
};

}  // namespace headlight::screen
