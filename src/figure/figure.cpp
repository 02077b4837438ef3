#include "figure/figure.h"

#include <cairo-pdf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>

#include "base/utf8.h"
#include "draw/boxes.h"
#include "draw/no_canvas.h"
#include "draw/seen_canvas.h"
#include "draw/turned.h"
#include "figure/cairo_bytes.h"
#include "figure/cairo_canvas.h"
#include "figure/crop_canvas.h"
#include "figure/faces.h"

namespace headlight::figure {

namespace {

/// Fonts are shared and not thread-safe, so figures are made one at a time, in the order of the requests: an
/// animation, which requests frame after frame in the background, delays no other picture by more than a
/// frame.
class Turn {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    const std::uint64_t mine = requested_++;
    changed_.wait(lock, [&] { return served_ == mine; });
  }
  void unlock() {
    {
      const std::lock_guard lock(mutex_);
      ++served_;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t requested_ = 0, served_ = 0;
};
Turn& turn() {
  static Turn turn;
  return turn;
}

using Surface = std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)>;

constexpr double points_per_mm = 72 / 25.4;

/// Without the frames of cards, the background is the cards' colour.
draw::Color ground_of(const FigureSpec& spec) {
  return spec.look.parts.frame ? spec.theme.window : spec.theme.panel;
}

cairo_status_t draw_on(cairo_surface_t* surface, double scale, const FigureSpec& spec, const Paint& paint,
                       draw::Vision vision) {
  const std::unique_ptr<cairo_t, void (*)(cairo_t*)> cairo(cairo_create(surface), cairo_destroy);
  cairo_scale(cairo.get(), scale, scale);
  cairo_translate(cairo.get(), -static_cast<double>(spec.part.x), -static_cast<double>(spec.part.y));
  CairoCanvas canvas(cairo.get(), spec.theme, vision);
  draw::SeenCanvas seen(canvas, vision);
  if (spec.theme.window.a > 0) seen.rect(spec.part, ground_of(spec), 0);
  CropCanvas crop(seen, spec.part, spec.look);
  paint(crop);
  cairo_show_page(cairo.get());
  return cairo_status(cairo.get());
}

/// Returns an SVG filter that shows the whole picture as seen with this vision: a matrix on linear RGB.
std::string filter_of(draw::Vision vision) {
  if (vision == draw::Vision::full) return {};
  const auto& m = draw::matrix_of(vision);
  std::string values;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t i = 0; i < 3; ++i) {
      char number[24];
      std::snprintf(number, sizeof number, "%.6f ", static_cast<double>(m[3 * row + i]));
      values += number;
    }
    values += "0 0 ";
  }
  return "<filter id=\"seen\" x=\"0\" y=\"0\" width=\"1\" height=\"1\" "
         "color-interpolation-filters=\"linearRGB\">"
         "<feColorMatrix type=\"matrix\" values=\"" +
         values + "0 0 0 1 0\"/></filter>\n";
}

draw::Box together(draw::Box a, draw::Box b) {
  const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}
/// Returns approximately where the letters of a text are: no letter is higher or lower.
draw::Box letters(draw::Point at, float width, const draw::TextStyle& style) {
  const float back = style.align == draw::Align::centre  ? width / 2
                     : style.align == draw::Align::right ? width
                                                         : 0;
  const float up = style.valign == draw::VAlign::baseline ? 0.8f
                   : style.valign == draw::VAlign::middle ? 0.45f
                                                          : 0;
  return draw::bounds(draw::turned(at, {-back, -up * style.size, width, 1.05f * style.size}, style.turn));
}

/// Only records where cards are and, without their frames, where their ink is; words are as wide as in a
/// figure.
class PanelCanvas final : public draw::NoCanvas {
 public:
  PanelCanvas(draw::Canvas& measure, const FigureLook& look) : NoCanvas(measure), look_(look) {}
  std::vector<Panel> panels;

  bool plain() const override { return look_.plain; }
  draw::FigureParts parts() const override { return look_.parts; }
  float card_height(std::string_view name, std::string_view title, float planned) const override {
    planned_ = planned;
    return look_.height > 0 && card_name(name, title) == look_.card ? look_.height : planned;
  }
  void panel(draw::Box box, std::string_view name, std::string_view title) override {
    const float planned = std::exchange(planned_, 0.f);
    const std::string called = card_name(name, title);
    open_ = false;
    for (const Panel& panel : panels) {
      if (called.empty() || panel.name == called) return;
    }
    if (called.empty()) return;
    panels.push_back({called, std::string(title), box});
    panels.back().planned = planned;
    open_ = true;
  }
  void saved(float height) override {
    if (open_) panels.back().saved += height;
  }
  void spare(float height) override {
    if (open_) panels.back().spare = std::min(height, panels.back().spare.value_or(height));
  }

  void rect(draw::Box box, draw::Color, float) override { ink(box); }
  void frame(draw::Box box, draw::Stroke stroke, float) override { ink(box.inset(-stroke.width / 2)); }
  void line(draw::Point a, draw::Point b, draw::Stroke stroke) override {
    ink(draw::bounds(std::array{a, b}).inset(-stroke.width / 2));
  }
  void polyline(std::span<const draw::Point> points, draw::Stroke stroke) override {
    if (!points.empty()) ink(draw::bounds(points).inset(-stroke.width / 2));
  }
  void polygon(std::span<const draw::Point> convex, draw::Color) override {
    if (!convex.empty()) ink(draw::bounds(convex));
  }
  void curve(draw::Point a, draw::Point control_a, draw::Point control_b, draw::Point b,
             draw::Stroke stroke) override {
    ink(draw::bounds(std::array{a, control_a, control_b, b}).inset(-stroke.width / 2));
  }
  void circle(draw::Point centre, float radius, draw::Color) override { ink(around(centre, radius)); }
  void ring(draw::Point centre, float radius, draw::Stroke stroke) override {
    ink(around(centre, radius + stroke.width / 2));
  }
  void sector(draw::Point centre, float radius, float, float, draw::Color) override {
    ink(around(centre, radius));
  }
  void heatmap(draw::Box box, const draw::Heatmap&) override { ink(box); }
  void text(draw::Point at, std::string_view words, const draw::TextStyle& style) override {
    if (open_ && !look_.parts.frame && !words.empty()) ink(letters(at, text_width(words, style), style));
  }
  void push_clip(draw::Box box) override {
    clips_.push_back(clips_.empty() ? box : draw::common_part(box, clips_.back()));
  }
  void pop_clip() override {
    if (!clips_.empty()) clips_.pop_back();
  }

 private:
  static draw::Box around(draw::Point centre, float radius) {
    return {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius};
  }
  void ink(draw::Box box) {
    if (!open_ || look_.parts.frame) return;
    if (!clips_.empty()) box = draw::common_part(box, clips_.back());
    if (!(box.w >= 0 && box.h >= 0)) return;
    draw::Box& all = panels.back().ink;
    all = all.w <= 0 ? box : together(all, box);
  }

  FigureLook look_;
  std::vector<draw::Box> clips_;
  mutable float planned_ = 0;  // of the card that is starting
  bool open_ = false;          // later shapes belong to the last panel
};

}  // namespace

std::string svg_figure(const FigureSpec& spec, const Paint& paint) {
  const std::lock_guard mine(turn());
  SvgCanvas canvas(spec.theme, spec.words);
  if (spec.theme.window.a > 0) canvas.rect(spec.part, ground_of(spec), 0);
  CropCanvas crop(canvas, spec.part, spec.look);
  paint(crop);
  const auto number = [](float v) { return svg_number(static_cast<double>(v)); };
  const double per_unit = spec.width_mm > 0 ? spec.width_mm / static_cast<double>(spec.part.w) : 1;
  const std::string unit = spec.width_mm > 0 ? "mm" : "px";
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"" +
         svg_number(static_cast<double>(spec.part.w) * per_unit) + unit + "\" height=\"" +
         svg_number(static_cast<double>(spec.part.h) * per_unit) + unit + "\" viewBox=\"" +
         number(spec.part.x) + " " + number(spec.part.y) + " " + number(spec.part.w) + " " +
         number(spec.part.h) + "\" xml:space=\"preserve\">\n";
  out += "<title>" + xml_text(spec.title) + "</title>\n";
  if (!spec.scene.empty())
    out += "<metadata id=\"headlight-scene\">" + xml_text(spec.scene) + "</metadata>\n";
  // Letters are placed as measured: no ligatures.
  out += "<g style=\"font-variant-ligatures:none;font-feature-settings:'calt' 0\">\n";
  const std::string filter = filter_of(spec.vision);
  if (filter.empty()) return out + canvas.body() + "</g>\n</svg>\n";
  return out + filter + "<g filter=\"url(#seen)\">\n" + canvas.body() + "</g>\n</g>\n</svg>\n";
}

base::Result<std::string> pdf_figure(const FigureSpec& spec, const Paint& paint) {
  const std::lock_guard mine(turn());
  const double scale =
      spec.width_mm > 0 ? spec.width_mm * points_per_mm / static_cast<double>(spec.part.w) : 1;
  base::BytesFromC bytes;
  const Surface surface(
      cairo_pdf_surface_create_for_stream(append_bytes, &bytes, static_cast<double>(spec.part.w) * scale,
                                          static_cast<double>(spec.part.h) * scale),
      cairo_surface_destroy);
  // From version 1.5 on, cairo writes which characters several glyphs show together.
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_5);
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE,
                                 base::well_formed(spec.title).c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Headlight");
  // No date, so that the same figure is the same file.
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
  if (!spec.scene.empty()) {
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_KEYWORDS,
                                   (scene_keyword + spec.scene).c_str());
  }
  cairo_status_t status = draw_on(surface.get(), scale, spec, paint, spec.vision);
  cairo_surface_finish(surface.get());
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface.get());
  if (status != CAIRO_STATUS_SUCCESS)
    return base::Error{std::string("cannot create the PDF: ") + cairo_status_to_string(status)};
  return bytes.take();
}

base::Result<draw::Raster> figure_pixels(const FigureSpec& spec, const Paint& paint) {
  std::unique_lock mine(turn());
  const int width = static_cast<int>(std::lround(static_cast<double>(spec.part.w) * spec.scale));
  const int height = static_cast<int>(std::lround(static_cast<double>(spec.part.h) * spec.scale));
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height),
                        cairo_surface_destroy);
  cairo_status_t status = cairo_surface_status(surface.get());
  if (status == CAIRO_STATUS_SUCCESS)
    status = draw_on(surface.get(), spec.scale, spec, paint, draw::Vision::full);
  if (status != CAIRO_STATUS_SUCCESS) {
    return base::Error{"a picture of " + std::to_string(width) + " × " + std::to_string(height) +
                       " pixels cannot be created: " + cairo_status_to_string(status)};
  }
  mine.unlock();  // no text is drawn from here on
  cairo_surface_flush(surface.get());
  draw::Raster out{width, height, {}};
  out.rgba.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
  const unsigned char* from = cairo_image_surface_get_data(surface.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
      const unsigned char* pixel = from + y * stride + x * 4;
      std::uint8_t* to = &out.rgba[(y * static_cast<std::size_t>(width) + x) * 4];
      const unsigned a = pixel[3];
      for (std::size_t c = 0; c < 3; ++c)  // no longer premultiplied
        to[c] = static_cast<std::uint8_t>(a == 0 ? 0u : std::min(255u, (pixel[2 - c] * 255u + a / 2) / a));
      to[3] = pixel[3];
      if (spec.vision == draw::Vision::full) continue;
      const draw::Color seen = draw::seen({to[0], to[1], to[2], 255}, spec.vision);
      to[0] = seen.r, to[1] = seen.g, to[2] = seen.b;
    }
  }
  return out;
}

std::string missing_font(std::string_view words) {
  const std::lock_guard mine(turn());
  return font_for(words);
}

std::vector<Panel> panels_of(const Paint& paint, const FigureLook& look) {
  const std::lock_guard mine(turn());
  const draw::Theme theme;
  SvgCanvas measure(theme);
  PanelCanvas canvas(measure, look);
  paint(canvas);
  return std::move(canvas.panels);
}

}  // namespace headlight::figure
