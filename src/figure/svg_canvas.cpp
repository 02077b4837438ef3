#include "figure/svg_canvas.h"

#include <cairo.h>

#include <cmath>
#include <cstdio>
#include <utility>

#include "base/utf8.h"
#include "draw/scripts.h"
#include "figure/cairo_canvas.h"
#include "figure/faces.h"
#include "figure/shown_cells.h"
#include "figure/svg_element.h"

namespace headlight::figure {

using draw::Box;
using draw::Color;
using draw::Point;
using draw::Stroke;
using draw::TextStyle;

namespace {

constexpr float most_cells = 4096;         // drawn as one element each
constexpr float least_cell = 3;            // units; smaller ones, as in a colour bar, are an image
constexpr float most_titled_cells = 1024;  // drawn with a title each

std::string box_attributes(Box b) {
  return attribute("x", n(b.x)) + attribute("y", n(b.y)) + attribute("width", n(b.w)) +
         attribute("height", n(b.h));
}

std::string pen(Stroke s) {
  std::string out =
      attribute("fill", "none") + paint("stroke", s.color) + attribute("stroke-width", n(s.width));
  if (s.dash > 0) out += attribute("stroke-dasharray", n(s.dash));
  return out;
}

std::string list(std::span<const Point> points) {
  std::string out;
  for (const Point p : points) out += (out.empty() ? "" : " ") + n(p.x) + "," + n(p.y);
  return out;
}

}  // namespace

std::string svg_number(double value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.3f", value);
  std::string out = text;
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint c = base::decode(text, at);
    at += c.bytes;
    const char32_t v = c.value;
    if (v == '&') {
      out += "&amp;";
    } else if (v == '<') {
      out += "&lt;";
    } else if (v == '>') {
      out += "&gt;";
    } else if (v == '"') {
      out += "&quot;";
    } else if ((v < 0x20 && v != '\n' && v != '\t') || v == 0xFFFE || v == 0xFFFF) {
      base::append_utf8(out, base::replacement_character);
    } else {
      base::append_utf8(out, v);
    }
  }
  return out;
}

std::string SvgCanvas::body() {
  close_mark();
  std::string out = out_;
  for (int i = 0; i < open_clips_; ++i) out += "</g>\n";
  return out;
}

std::string SvgCanvas::title_of(const draw::Hit& hit) const {
  std::string words = words_ ? words_(hit) : hit.mark.note;
  return words.empty() ? "" : "<title>" + xml_text(words) + "</title>";
}

void SvgCanvas::shape(const std::string& element) {
  if (!marked_ && mark_.part != draw::Part::none) {
    draw::Hit hit;
    hit.mark = mark_;
    if (const std::string title = title_of(hit); !title.empty()) {
      out_ += "<g>" + title + "\n";
      marked_ = true;
    }
  }
  out_ += element + "\n";
}

void SvgCanvas::close_mark() {
  if (std::exchange(marked_, false)) out_ += "</g>\n";
}

void SvgCanvas::mark(const draw::Mark& mark) {
  close_mark();
  mark_ = mark;
}

void SvgCanvas::rect(Box box, Color fill, float radius) {
  if (fill.a == 0) return;
  const std::string round = radius > 0 ? attribute("rx", n(std::min({radius, box.w / 2, box.h / 2}))) : "";
  shape("<rect" + box_attributes(box) + round + paint("fill", fill) + "/>");
}

void SvgCanvas::frame(Box box, Stroke s, float radius) {
  if (s.color.a == 0) return;
  const float inner = std::max(0.f, radius - s.width / 2);
  const std::string round = inner > 0 ? attribute("rx", n(inner)) : "";
  shape("<rect" + box_attributes(box.inset(s.width / 2)) + round + pen(s) + "/>");
}

void SvgCanvas::line(Point a, Point b, Stroke s) {
  shape("<line" + attribute("x1", n(a.x)) + attribute("y1", n(a.y)) + attribute("x2", n(b.x)) +
        attribute("y2", n(b.y)) + pen(s) + "/>");
}

void SvgCanvas::polyline(std::span<const Point> points, Stroke s) {
  shape("<polyline" + attribute("points", list(points)) + pen(s) + attribute("stroke-linejoin", "round") +
        "/>");
}

void SvgCanvas::polygon(std::span<const Point> convex, Color fill) {
  shape("<polygon" + attribute("points", list(convex)) + paint("fill", fill) + "/>");
}

void SvgCanvas::curve(Point a, Point control_a, Point control_b, Point b, Stroke s) {
  const Point rest[] = {control_a, control_b, b};
  shape("<path" + attribute("d", "M" + n(a.x) + "," + n(a.y) + " C" + list(rest)) + pen(s) + "/>");
}

void SvgCanvas::circle(Point centre, float radius, Color fill) {
  shape("<circle" + attribute("cx", n(centre.x)) + attribute("cy", n(centre.y)) + attribute("r", n(radius)) +
        paint("fill", fill) + "/>");
}

void SvgCanvas::ring(Point centre, float radius, Stroke s) {
  shape("<circle" + attribute("cx", n(centre.x)) + attribute("cy", n(centre.y)) + attribute("r", n(radius)) +
        pen(s) + "/>");
}

void SvgCanvas::sector(Point centre, float radius, float from, float to, Color fill) {
  // Two halves, because one arc cannot describe a full circle.
  const float middle = (from + to) / 2;
  const auto at = [&](float angle) {
    return n(centre.x + radius * std::cos(angle)) + "," + n(centre.y + radius * std::sin(angle));
  };
  const std::string arc = " A" + n(radius) + "," + n(radius) + " 0 0 " + (to >= from ? "1 " : "0 ");
  shape("<path" +
        attribute("d", "M" + n(centre.x) + "," + n(centre.y) + " L" + at(from) + arc + at(middle) + arc +
                           at(to) + " Z") +
        paint("fill", fill) + "/>");
}

float SvgCanvas::text_width(std::string_view words, const TextStyle& style) {
  if (const auto width = draw::width_in_pieces(*this, words, style)) return *width;
  return set_words(words, style.font).width * style.size;
}

void SvgCanvas::heatmap(Box box, const draw::Heatmap& map) {
  if (map.rows == 0 || map.cols == 0) return;
  const float across = static_cast<float>(map.transposed ? map.rows : map.cols);
  const float down = static_cast<float>(map.transposed ? map.cols : map.rows);
  const Box shown = map.view.w > 0 && map.view.h > 0 ? map.view : Box{0, 0, across, down};
  if (shown.w * shown.h <= most_cells && std::min(box.w / shown.w, box.h / shown.h) >= least_cell) {
    cells(box, map);
  } else {
    image(box, map);
  }
}

void SvgCanvas::cells(Box box, const draw::Heatmap& map) {
  const ShownCells cells = shown_cells(map);
  const Box shown = cells.view;
  const float cell = std::min(box.w / shown.w, box.h / shown.h);
  const float gap = map.gaps && cell >= 8 ? 1.f : 0.f;
  const bool titled = mark_.part != draw::Part::none && shown.w * shown.h <= most_titled_cells;
  if (cells.partial) push_clip(box);
  close_mark();
  // Adjacent cells without a gap would show a seam where they meet inside a pixel.
  out_ += gap > 0 ? "<g>\n" : "<g shape-rendering=\"crispEdges\">\n";
  for (int r = cells.first_row; r < cells.last_row; ++r) {
    for (int c = cells.first_col; c < cells.last_col; ++c) {
      const int row = map.transposed ? c : r, col = map.transposed ? r : c;
      const bool allowed = map.allowed.empty() || map.allowed[static_cast<std::size_t>(row)].has(col);
      const float value =
          map.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.row_stride) +
                     static_cast<std::size_t>(col)];
      Box at = draw::cell_box(box, map, c, r);
      if (allowed) at.x += gap, at.y += gap, at.w -= gap, at.h -= gap;  // masked cells form one area
      const std::string fill =
          !allowed
              ? paint("fill", theme_.mask) + (gap > 0 ? attribute("shape-rendering", "crispEdges") : "")
              : paint("fill", std::isfinite(value) ? draw::color_of(theme_, map, value) : draw::nan_color);
      std::string title;
      if (titled) {
        draw::Hit hit;
        hit.mark = mark_, hit.map = box, hit.shown = shown, hit.at = at.centre();
        hit.cell = {static_cast<float>(c) + 0.5f, static_cast<float>(r) + 0.5f};
        if (draw::of_cells(mark_.part)) hit.mark.query = row, hit.mark.key = col;
        title = title_of(hit);
      }
      out_ += "<rect" + box_attributes(at) + fill + (title.empty() ? "/>\n" : ">" + title + "</rect>\n");
    }
  }
  out_ += "</g>\n";
  if (cells.partial) pop_clip();
}

void SvgCanvas::image(Box box, const draw::Heatmap& map) {
  cairo_surface_t* pixels = surface_of(heatmap_pixels(box, map, theme_));
  const std::string address = png_address(pixels);
  cairo_surface_destroy(pixels);
  shape("<image" + box_attributes(box) + attribute("preserveAspectRatio", "none") +
        attribute("image-rendering", "optimizeSpeed") + attribute("xlink:href", address) + "/>");
}

void SvgCanvas::push_clip(Box box) {
  close_mark();
  const std::string id = "clip" + std::to_string(++clips_);
  out_ += "<clipPath id=\"" + id + "\"><rect" + box_attributes(box) + "/></clipPath><g clip-path=\"url(#" +
          id + ")\">\n";
  ++open_clips_;
}

void SvgCanvas::pop_clip() {
  close_mark();
  out_ += "</g>\n";
  --open_clips_;
}

}  // namespace headlight::figure
