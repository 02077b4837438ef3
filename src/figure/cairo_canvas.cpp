#include "figure/cairo_canvas.h"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "draw/heatmap_raster.h"
#include "draw/scripts.h"
#include "figure/shown_cells.h"

namespace headlight::figure {

using draw::Box;
using draw::Color;
using draw::Point;
using draw::Stroke;
using draw::TextStyle;

namespace {

constexpr double pi = std::numbers::pi;
double d(float v) {
  return static_cast<double>(v);
}

/// Returns the picture of a glyph as seen with this vision; the caller must destroy it.
cairo_surface_t* seen_pixels(cairo_surface_t* picture, draw::Vision vision) {
  if (vision == draw::Vision::full) return cairo_surface_reference(picture);
  const int width = cairo_image_surface_get_width(picture), height = cairo_image_surface_get_height(picture);
  cairo_surface_t* out = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  const unsigned char* from = cairo_image_surface_get_data(picture);
  unsigned char* to = cairo_image_surface_get_data(out);
  const int bytes = cairo_image_surface_get_stride(out) * height;  // rows of four-byte pixels have no padding
  for (int i = 0; i + 3 < bytes; i += 4) {
    const unsigned a = from[i + 3];
    const auto straight = [&](int c) {
      return static_cast<std::uint8_t>(a == 0 ? 0u : std::min(255u, (from[i + c] * 255u + a / 2) / a));
    };
    const draw::Color seen = draw::seen({straight(2), straight(1), straight(0), 255}, vision);
    const auto times = [a](unsigned v) { return static_cast<unsigned char>((v * a + 127) / 255); };
    to[i] = times(seen.b), to[i + 1] = times(seen.g), to[i + 2] = times(seen.r);
    to[i + 3] = static_cast<unsigned char>(a);
  }
  cairo_surface_mark_dirty(out);
  return out;
}

}  // namespace

draw::Raster heatmap_pixels(Box box, const draw::Heatmap& map, const draw::Theme& theme) {
  const int across = map.transposed ? map.rows : map.cols, down = map.transposed ? map.cols : map.rows;
  const Box view = map.view.w > 0 && map.view.h > 0
                       ? map.view
                       : Box{0, 0, static_cast<float>(across), static_cast<float>(down)};
  // Each axis by itself: cells that are much wider than high have as many pixels as they are wide. With fewer
  // they would be stretched, and colours that no number has would appear between two cells.
  constexpr int most = 4096;  // pixels
  const float wide = box.w / view.w, high = box.h / view.h, cell = std::min(wide, high);
  const auto per_cell = [](float size, float cells) {
    return std::clamp(static_cast<int>(std::lround(size * 3)), 1,
                      std::max(1, most / static_cast<int>(std::ceil(cells))));
  };
  const bool whole = view.w <= 512 && view.h <= 512;
  const int width = whole ? static_cast<int>(std::lround(view.w * static_cast<float>(per_cell(wide, view.w))))
                          : static_cast<int>(box.w * 2);
  const int height = whole
                         ? static_cast<int>(std::lround(view.h * static_cast<float>(per_cell(high, view.h))))
                         : static_cast<int>(box.h * 2);
  const int gap = map.gaps && cell >= 8
                      ? std::max(1, static_cast<int>(std::lround(
                                        static_cast<float>(per_cell(cell, std::max(view.w, view.h))) / cell)))
                      : 0;
  return draw::rasterize(map, theme, std::clamp(width, 1, most), std::clamp(height, 1, most), gap);
}

cairo_surface_t* surface_of(const draw::Raster& raster) {
  cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, raster.width, raster.height);
  unsigned char* pixels = cairo_image_surface_get_data(image);
  const int stride = cairo_image_surface_get_stride(image);
  for (int y = 0; y < raster.height; ++y) {
    for (int x = 0; x < raster.width; ++x) {
      const std::uint8_t* from =
          &raster.rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(raster.width) +
                        static_cast<std::size_t>(x)) *
                       4];
      unsigned char* to = pixels + y * stride + x * 4;  // premultiplied, and alpha is 0 or 255 here
      to[0] = from[2], to[1] = from[1], to[2] = from[0], to[3] = from[3];
    }
  }
  cairo_surface_mark_dirty(image);
  return image;
}

CairoCanvas::CairoCanvas(cairo_t* cairo, const draw::Theme& theme, draw::Vision vision)
    : cairo_(cairo), theme_(theme), vision_(vision) {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cairo_, options);
  cairo_font_options_destroy(options);
}

void CairoCanvas::color(Color c) {
  cairo_set_source_rgba(cairo_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
}

void CairoCanvas::stroke(const Stroke& s) {
  color(s.color);
  cairo_set_line_width(cairo_, d(s.width));
  const double dash = d(s.dash);
  cairo_set_dash(cairo_, &dash, s.dash > 0 ? 1 : 0, 0);
  cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke(cairo_);
}

void CairoCanvas::outline(Box b, float radius) {
  const double r = std::min({d(radius), d(b.w) / 2, d(b.h) / 2});
  cairo_new_path(cairo_);
  if (r <= 0) {
    cairo_rectangle(cairo_, d(b.x), d(b.y), d(b.w), d(b.h));
    return;
  }
  cairo_arc(cairo_, d(b.right()) - r, d(b.y) + r, r, -pi / 2, 0);
  cairo_arc(cairo_, d(b.right()) - r, d(b.bottom()) - r, r, 0, pi / 2);
  cairo_arc(cairo_, d(b.x) + r, d(b.bottom()) - r, r, pi / 2, pi);
  cairo_arc(cairo_, d(b.x) + r, d(b.y) + r, r, pi, 3 * pi / 2);
  cairo_close_path(cairo_);
}

void CairoCanvas::rect(Box box, Color fill, float radius) {
  outline(box, radius);
  color(fill);
  cairo_fill(cairo_);
}

void CairoCanvas::frame(Box box, Stroke s, float radius) {
  outline(box.inset(s.width / 2), std::max(0.f, radius - s.width / 2));
  stroke(s);
}

void CairoCanvas::line(Point a, Point b, Stroke s) {
  cairo_new_path(cairo_);
  cairo_move_to(cairo_, d(a.x), d(a.y));
  cairo_line_to(cairo_, d(b.x), d(b.y));
  stroke(s);
}

void CairoCanvas::polyline(std::span<const Point> points, Stroke s) {
  cairo_new_path(cairo_);
  for (Point p : points) cairo_line_to(cairo_, d(p.x), d(p.y));
  stroke(s);
}

void CairoCanvas::polygon(std::span<const Point> convex, Color fill) {
  cairo_new_path(cairo_);
  for (Point p : convex) cairo_line_to(cairo_, d(p.x), d(p.y));
  cairo_close_path(cairo_);
  color(fill);
  cairo_fill(cairo_);
}

void CairoCanvas::curve(Point a, Point control_a, Point control_b, Point b, Stroke s) {
  cairo_new_path(cairo_);
  cairo_move_to(cairo_, d(a.x), d(a.y));
  cairo_curve_to(cairo_, d(control_a.x), d(control_a.y), d(control_b.x), d(control_b.y), d(b.x), d(b.y));
  stroke(s);
}

void CairoCanvas::circle(Point centre, float radius, Color fill) {
  cairo_new_path(cairo_);
  cairo_arc(cairo_, d(centre.x), d(centre.y), d(radius), 0, 2 * pi);
  color(fill);
  cairo_fill(cairo_);
}

void CairoCanvas::ring(Point centre, float radius, Stroke s) {
  cairo_new_path(cairo_);
  cairo_arc(cairo_, d(centre.x), d(centre.y), d(radius), 0, 2 * pi);
  stroke(s);
}

void CairoCanvas::sector(Point centre, float radius, float from, float to, Color fill) {
  cairo_new_path(cairo_);
  cairo_move_to(cairo_, d(centre.x), d(centre.y));
  if (to >= from) {
    cairo_arc(cairo_, d(centre.x), d(centre.y), d(radius), d(from), d(to));
  } else {
    cairo_arc_negative(cairo_, d(centre.x), d(centre.y), d(radius), d(from), d(to));
  }
  cairo_close_path(cairo_);
  color(fill);
  cairo_fill(cairo_);
}

void CairoCanvas::text(Point at, std::string_view words, const TextStyle& style) {
  if (draw::text_in_pieces(*this, at, words, style)) return;
  const text::Line& line = set_words(words, style.font);
  const Point start = text_start(style, line.width * style.size);
  cairo_save(cairo_);
  cairo_translate(cairo_, d(at.x), d(at.y));
  if (style.turn != 0) cairo_rotate(cairo_, -d(style.turn) * pi / 180);
  cairo_translate(cairo_, d(start.x), d(start.y));
  color(style.color);
  cairo_set_font_size(cairo_, d(style.size));
  const std::span<const text::Glyph> all(line.glyphs);
  for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
    const int face = all[from].face;
    while (to < all.size() && all[to].face == face) ++to;
    const std::span<const text::Glyph> run = all.subspan(from, to - from);
    if (face_of(all[from]).coloured) {
      show_pictures(words, run, style.size);
      color(style.color);
    } else {
      show(words, run, style.size, false);
    }
  }
  cairo_restore(cairo_);
}

/// Shows glyphs of one face with their characters, so that a PDF can be searched and copied from. `unseen`:
/// they are behind pictures, one glyph of another face for each picture.
void CairoCanvas::show(std::string_view words, std::span<const text::Glyph> run, float size, bool unseen) {
  std::string characters;
  std::vector<cairo_glyph_t> glyphs;
  std::vector<cairo_text_cluster_t> clusters;
  for (std::size_t i = 0; i < run.size();) {
    const text::Glyph& first = run[i];
    const std::string shown = text::shown_words(words.substr(first.from, first.to - first.from));
    int count = 0;
    for (; i < run.size() && run[i].from == first.from; ++i) {
      if (unseen && count > 0) continue;
      glyphs.push_back(
          {unseen ? unseen_glyph(shown) : run[i].index, d(run[i].x * size), d(-run[i].y * size)});
      ++count;
    }
    clusters.push_back({static_cast<int>(shown.size()), count});
    characters += shown;
  }
  cairo_set_font_face(cairo_, cairo_face(unseen ? unseen_face() : run.front().face));
  cairo_show_text_glyphs(cairo_, characters.data(), static_cast<int>(characters.size()), glyphs.data(),
                         static_cast<int>(glyphs.size()), clusters.data(), static_cast<int>(clusters.size()),
                         cairo_text_cluster_flags_t{});
}

/// Draws the pictures over characters that are too faint to see, but can be searched and copied like all
/// others.
void CairoCanvas::show_pictures(std::string_view words, std::span<const text::Glyph> run, float size) {
  if (cairo_surface_get_type(cairo_get_target(cairo_)) != CAIRO_SURFACE_TYPE_IMAGE) {
    constexpr double unseen = 0.004;  // cairo treats less as nothing, and would omit the words
    cairo_set_source_rgba(cairo_, 0.5, 0.5, 0.5, unseen);
    show(words, run, size, true);
  }
  for (const text::Glyph& glyph : run) {
    const ColorGlyph& picture = color_glyph(glyph);
    if (!picture.pixels) continue;
    cairo_surface_t* pixels = seen_pixels(picture.pixels, vision_);
    const int width = cairo_image_surface_get_width(pixels), height = cairo_image_surface_get_height(pixels);
    cairo_save(cairo_);
    cairo_translate(cairo_, d(glyph.x + picture.left) * d(size), d(-glyph.y - picture.top) * d(size));
    cairo_scale(cairo_, d(picture.width * size) / width, d(picture.height * size) / height);
    cairo_set_source_surface(cairo_, pixels, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_GOOD);
    cairo_rectangle(cairo_, 0, 0, width, height);
    cairo_fill(cairo_);
    cairo_restore(cairo_);
    cairo_surface_destroy(pixels);
  }
}

float CairoCanvas::text_width(std::string_view words, const TextStyle& style) {
  if (const auto width = draw::width_in_pieces(*this, words, style)) return *width;
  return set_words(words, style.font).width * style.size;
}

/// In a PDF, cells with gaps between them are areas: readers blur a picture with gaps, because they blend its
/// transparent pixels as black ones.
bool CairoCanvas::cells(Box box, const draw::Heatmap& map) {
  constexpr float most_cells = 4096, least_cell = 8;
  if (cairo_surface_get_type(cairo_get_target(cairo_)) != CAIRO_SURFACE_TYPE_PDF || !map.gaps) return false;
  const ShownCells cells = shown_cells(map);
  const Box shown = cells.view;
  if (shown.w * shown.h > most_cells || std::min(box.w / shown.w, box.h / shown.h) < least_cell) return false;
  if (cells.partial) push_clip(box);
  const auto seen = [&](Color c) { return vision_ == draw::Vision::full ? c : draw::seen(c, vision_); };
  std::vector<Box> masked;  // one area: areas of the same colour would show a seam between them
  for (int r = cells.first_row; r < cells.last_row; ++r) {
    for (int c = cells.first_col; c < cells.last_col; ++c) {
      const int row = map.transposed ? c : r, col = map.transposed ? r : c;
      Box at = draw::cell_box(box, map, c, r);
      if (!map.allowed.empty() && !map.allowed[static_cast<std::size_t>(row)].has(col)) {
        masked.push_back(at);
        continue;
      }
      const float value =
          map.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.row_stride) +
                     static_cast<std::size_t>(col)];
      at.x += 1, at.y += 1, at.w -= 1, at.h -= 1;
      color(seen(std::isfinite(value) ? draw::color_of(theme_, map, value) : draw::nan_color));
      cairo_rectangle(cairo_, d(at.x), d(at.y), d(at.w), d(at.h));
      cairo_fill(cairo_);
    }
  }
  color(seen(theme_.mask));
  for (const Box& at : masked) cairo_rectangle(cairo_, d(at.x), d(at.y), d(at.w), d(at.h));
  cairo_fill(cairo_);
  if (cells.partial) pop_clip();
  return true;
}

void CairoCanvas::heatmap(Box box, const draw::Heatmap& map) {
  if (map.rows == 0 || map.cols == 0) return;
  if (cells(box, map)) return;
  draw::Raster raster = heatmap_pixels(box, map, theme_);
  for (std::size_t i = 0; vision_ != draw::Vision::full && i + 3 < raster.rgba.size(); i += 4) {
    std::uint8_t* p = &raster.rgba[i];
    const draw::Color seen = draw::seen({p[0], p[1], p[2], 255}, vision_);
    p[0] = seen.r, p[1] = seen.g, p[2] = seen.b;
  }
  cairo_surface_t* image = surface_of(raster);
  cairo_save(cairo_);
  cairo_translate(cairo_, d(box.x), d(box.y));
  cairo_scale(cairo_, d(box.w) / raster.width, d(box.h) / raster.height);
  cairo_set_source_surface(cairo_, image, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_GOOD);
  cairo_rectangle(cairo_, 0, 0, raster.width, raster.height);
  cairo_fill(cairo_);
  cairo_restore(cairo_);
  cairo_surface_destroy(image);
}

void CairoCanvas::push_clip(Box box) {
  cairo_save(cairo_);
  cairo_new_path(cairo_);
  cairo_rectangle(cairo_, d(box.x), d(box.y), d(box.w), d(box.h));
  cairo_clip(cairo_);
}

void CairoCanvas::pop_clip() {
  cairo_restore(cairo_);
}

}  // namespace headlight::figure
