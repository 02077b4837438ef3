#include "screen/glyph_pages.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"

namespace headlight::screen {

namespace {

constexpr float largest_px = 256;  // larger text is drawn at this size and enlarged

}  // namespace

GlyphPages::~GlyphPages() {
  for (const Page& page : pages_) textures_.destroy(page.texture);
}

GlyphSteps& GlyphPages::steps(int face, unsigned index, float px) {
  const auto size = static_cast<std::uint64_t>(std::lround(px * 64)) & 0xFFFFFF;
  const std::uint64_t key =
      static_cast<std::uint64_t>(face) << 48 | static_cast<std::uint64_t>(index & 0xFFFFFF) << 24 | size;
  const auto [at, fresh] = steps_.try_emplace(key);
  GlyphSteps& out = at->second;
  if (fresh) {
    out.face = face;
    out.index = index;
    out.px = px;
  }
  return out;
}

void GlyphPages::place(GlyphSteps& steps, int quarter, PlacedGlyph& out) {
  out.ready = true;
  const float px = std::min(steps.px, largest_px), scale = steps.px / px;
  const GlyphImage image = images_.draw(steps.face, steps.index, px, quarter);
  if (image.width == 0 || image.width > side - 2 || image.height > side - 2) return;
  const GlyphPlace spot =
      room_for(image.width + 2, image.height + 2);  // an empty pixel on every side, for linear filtering
  Page& page = pages_[static_cast<std::size_t>(spot.page)];
  const int x = spot.x + 1, y = spot.y + 1;
  for (int row = 0; row < image.height; ++row) {
    std::memcpy(&page.rgba[(static_cast<std::size_t>(y + row) * side + static_cast<std::size_t>(x)) * 4],
                &image.rgba[static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) * 4],
                static_cast<std::size_t>(image.width) * 4);
  }
  page.dirty_x0 = std::min(page.dirty_x0, spot.x);
  page.dirty_y0 = std::min(page.dirty_y0, spot.y);
  page.dirty_x1 = std::max(page.dirty_x1, spot.x + image.width + 2);
  page.dirty_y1 = std::max(page.dirty_y1, spot.y + image.height + 2);

  out.page = static_cast<std::int16_t>(spot.page);
  out.coloured = image.coloured;
  out.left = static_cast<float>(image.left) * scale;
  out.top = static_cast<float>(image.top) * scale;
  out.width = static_cast<float>(image.width) * scale;
  out.height = static_cast<float>(image.height) * scale;
  constexpr float unit = 1.0f / side;
  out.uv_from = {static_cast<float>(x) * unit, static_cast<float>(y) * unit};
  out.uv_to = {static_cast<float>(x + image.width) * unit, static_cast<float>(y + image.height) * unit};
}

bool GlyphPages::fits(Page& page, int width, int height, GlyphPlace& spot) {
  Shelf* best = nullptr;
  for (Shelf& shelf : page.shelves) {
    if (shelf.height < height || shelf.x + width > side) continue;
    if (shelf.height > height + height / 2 + 4) continue;  // too wasteful
    if (!best || shelf.height < best->height) best = &shelf;
  }
  if (!best) {
    const int shelf_height = (height + 3) / 4 * 4;
    if (page.bottom + shelf_height > side) return false;
    page.shelves.push_back({page.bottom, shelf_height, 0});
    page.bottom += shelf_height;
    best = &page.shelves.back();
  }
  spot.x = best->x;
  spot.y = best->y;
  best->x += width;
  return true;
}

GlyphPages::GlyphPlace GlyphPages::room_for(int width, int height) {
  GlyphPlace spot{};
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    spot.page = static_cast<int>(i);
    if (fits(pages_[i], width, height, spot)) return spot;
  }
  Page& page = pages_.emplace_back();
  page.texture = textures_.create_rgba(side, side);
  page.rgba.assign(static_cast<std::size_t>(side) * side * 4, 0);
  page.dirty_x0 = page.dirty_y0 = 0;
  page.dirty_x1 = page.dirty_y1 = side;  // a new texture's contents are undefined
  spot.page = static_cast<int>(pages_.size()) - 1;
  const bool placed = fits(page, width, height, spot);
  HEADLIGHT_CHECK(placed);
  return spot;
}

int GlyphPages::pages() const {
  return static_cast<int>(
      std::count_if(pages_.begin(), pages_.end(), [](const Page& page) { return page.bottom > 0; }));
}

void GlyphPages::upload() {
  for (Page& page : pages_) {
    if (page.dirty_x0 >= page.dirty_x1) continue;
    const auto offset =
        (static_cast<std::size_t>(page.dirty_y0) * side + static_cast<std::size_t>(page.dirty_x0)) * 4;
    textures_.update_rgba(page.texture, page.dirty_x0, page.dirty_y0, page.dirty_x1 - page.dirty_x0,
                          page.dirty_y1 - page.dirty_y0, &page.rgba[offset], side);
    page.dirty_x0 = page.dirty_y0 = side;
    page.dirty_x1 = page.dirty_y1 = 0;
  }
}

void GlyphPages::clear() {
  steps_.clear();
  for (Page& page : pages_) {
    std::fill(page.rgba.begin(), page.rgba.end(), std::uint8_t{0});
    page.shelves.clear();
    page.bottom = 0;
    page.dirty_x0 = page.dirty_y0 = 0;
    page.dirty_x1 = page.dirty_y1 = side;
  }
}

}  // namespace headlight::screen
