#include "figure/cairo_canvas.h"

#include <cairo-ft.h>
#include <ft2build.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/check.h"
#include "base/embedded.h"
#include "base/utf8.h"
#include "draw/heatmap_raster.h"
#include FT_FREETYPE_H

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

}  // namespace

/// Two faces for each font: the one of the design and DejaVu for what it lacks. Sizes are set by cairo.
struct CairoCanvas::Faces {
  struct Face {
    FT_Face ft = nullptr;
    cairo_font_face_t* cairo = nullptr;
  };
  Face inter, semibold, mono, dejavu, dejavu_mono;

  Faces() {
    inter = open("fonts/Inter-Regular.otf");
    semibold = open("fonts/Inter-SemiBold.otf");
    mono = open("fonts/JetBrainsMono-Regular.ttf");
    dejavu = open("fonts/DejaVuSans.ttf");
    dejavu_mono = open("fonts/DejaVuSansMono.ttf");
  }
  ~Faces() {
    for (Face* face : {&inter, &semibold, &mono, &dejavu, &dejavu_mono}) {
      cairo_font_face_destroy(face->cairo);  // cairo may keep the FreeType face a while longer: see open()
    }
  }

  const Face& choose(char32_t c, draw::Font font) const {
    const Face& first = font == draw::Font::mono ? mono : font == draw::Font::semibold ? semibold : inter;
    if (FT_Get_Char_Index(first.ft, c) != 0) return first;
    const Face& second = font == draw::Font::mono ? dejavu_mono : dejavu;
    return FT_Get_Char_Index(second.ft, c) != 0 ? second : first;
  }

 private:
  /// The face lives until the process ends: cairo caches scaled fonts beyond the life of a surface.
  Face open(const char* name) {
    const auto bytes = base::embedded(name);
    static std::vector<std::pair<std::string, FT_Face>> opened;
    for (const auto& [known, ft] : opened) {
      if (known == name) return {ft, cairo_ft_font_face_create_for_ft_face(ft, FT_LOAD_NO_HINTING)};
    }
    static FT_Library library = nullptr;
    HEADLIGHT_CHECK(library != nullptr || FT_Init_FreeType(&library) == 0);
    FT_Face ft = nullptr;
    HEADLIGHT_CHECK(FT_New_Memory_Face(library, bytes.data(), static_cast<FT_Long>(bytes.size()), 0, &ft) ==
                    0);
    opened.emplace_back(name, ft);
    return {ft, cairo_ft_font_face_create_for_ft_face(ft, FT_LOAD_NO_HINTING)};
  }
};

CairoCanvas::CairoCanvas(cairo_t* cairo, const draw::Theme& theme)
    : cairo_(cairo), theme_(theme), faces_(std::make_unique<Faces>()) {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cairo_, options);
  cairo_font_options_destroy(options);
}

CairoCanvas::~CairoCanvas() = default;

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
  const float width = style.align == draw::Align::left ? 0 : text_width(words, style);
  float along = 0, down = 0;
  if (style.align == draw::Align::centre) along = -width / 2;
  if (style.align == draw::Align::right) along = -width;
  if (style.valign == draw::VAlign::middle) down = 0.36f * style.size;
  if (style.valign == draw::VAlign::top) down = 0.95f * style.size;
  cairo_save(cairo_);
  cairo_translate(cairo_, d(at.x), d(at.y));
  if (style.upwards) cairo_rotate(cairo_, -pi / 2);
  cairo_translate(cairo_, d(along), d(down));
  color(style.color);
  cairo_set_font_size(cairo_, d(style.size));
  const auto points = base::to_utf32(words);
  double x = 0;
  for (char32_t c : points) {
    const Faces::Face& face = faces_->choose(c, style.font);
    cairo_set_font_face(cairo_, face.cairo);
    cairo_glyph_t glyph{FT_Get_Char_Index(face.ft, c), x, 0};
    cairo_text_extents_t extents;
    cairo_glyph_extents(cairo_, &glyph, 1, &extents);
    cairo_show_glyphs(cairo_, &glyph, 1);
    x += extents.x_advance;
  }
  cairo_restore(cairo_);
}

float CairoCanvas::text_width(std::string_view words, const TextStyle& style) {
  double width = 0;
  for (char32_t c : base::to_utf32(words)) {
    const FT_Face ft = faces_->choose(c, style.font).ft;
    FT_Fixed advance = 0;  // in font units
    if (FT_Load_Glyph(ft, FT_Get_Char_Index(ft, c), FT_LOAD_NO_SCALE) == 0)
      advance = ft->glyph->metrics.horiAdvance;
    width += static_cast<double>(advance) / ft->units_per_EM;
  }
  return static_cast<float>(width) * style.size;
}

void CairoCanvas::heatmap(Box box, const draw::Heatmap& map) {
  if (map.rows == 0 || map.cols == 0) return;
  const int across = map.transposed ? map.rows : map.cols, down = map.transposed ? map.cols : map.rows;
  const Box view = map.view.w > 0 && map.view.h > 0
                       ? map.view
                       : Box{0, 0, static_cast<float>(across), static_cast<float>(down)};
  const float cell = std::min(box.w / view.w, box.h / view.h);
  // Cells become pixels of an image at a whole number of pixels each, so that viewers that smooth images show
  // crisp cells.
  const int per_cell = std::max(1, static_cast<int>(std::lround(cell * 3)));
  const bool whole = view.w <= 512 && view.h <= 512;
  const int width = whole ? static_cast<int>(std::lround(view.w * static_cast<float>(per_cell)))
                          : static_cast<int>(box.w * 2);
  const int height = whole ? static_cast<int>(std::lround(view.h * static_cast<float>(per_cell)))
                           : static_cast<int>(box.h * 2);
  const int gap = map.gaps && cell >= 8
                      ? std::max(1, static_cast<int>(std::lround(static_cast<float>(per_cell) / cell)))
                      : 0;
  const draw::Raster raster =
      draw::rasterize(map, theme_, std::min(width, 4096), std::min(height, 4096), gap);
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
