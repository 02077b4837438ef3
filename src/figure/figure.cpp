#include "figure/figure.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include <cmath>
#include <memory>

#include "figure/cairo_canvas.h"

namespace headlight::figure {

base::Status write_figure(const std::filesystem::path& path, const FigureSize& size, const draw::Theme& theme,
                          const std::function<void(draw::Canvas&)>& paint) {
  const std::string file = path.string(), ending = path.extension().string();
  const double width = static_cast<double>(size.width), height = static_cast<double>(size.height);
  cairo_surface_t* made = nullptr;
  double scale = 1;
  if (ending == ".svg") {
    made = cairo_svg_surface_create(file.c_str(), width, height);
    cairo_svg_surface_set_document_unit(made, CAIRO_SVG_UNIT_PX);
  } else if (ending == ".pdf") {
    made = cairo_pdf_surface_create(file.c_str(), width, height);
  } else if (ending == ".png") {
    scale = static_cast<double>(size.scale);
    made = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(std::lround(width * scale)),
                                      static_cast<int>(std::lround(height * scale)));
  } else {
    return base::Error{file + ": a figure is written as .svg, .pdf or .png, not \"" + ending + "\""};
  }
  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(made, cairo_surface_destroy);
  const auto refused = [&](cairo_status_t status) {
    return base::Error{file + ": cannot be written: " + cairo_status_to_string(status)};
  };
  // A path that cannot be written is known before anything is drawn.
  if (cairo_surface_status(made) != CAIRO_STATUS_SUCCESS) return refused(cairo_surface_status(made));
  {
    const std::unique_ptr<cairo_t, void (*)(cairo_t*)> cairo(cairo_create(made), cairo_destroy);
    cairo_scale(cairo.get(), scale, scale);
    CairoCanvas canvas(cairo.get(), theme);
    canvas.rect({0, 0, size.width, size.height}, theme.window, 0);
    paint(canvas);
    cairo_show_page(cairo.get());
  }
  cairo_status_t status = CAIRO_STATUS_SUCCESS;
  if (ending == ".png") status = cairo_surface_write_to_png(made, file.c_str());
  cairo_surface_finish(made);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(made);
  if (status != CAIRO_STATUS_SUCCESS) return refused(status);
  return {};
}

}  // namespace headlight::figure
