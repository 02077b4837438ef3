// Words in an SVG: which fonts are named, and how emoji are placed among them.
#include <algorithm>

#include "draw/scripts.h"
#include "figure/cairo_bytes.h"
#include "figure/faces.h"
#include "figure/svg_element.h"

namespace headlight::figure {

using draw::Point;
using draw::TextStyle;

namespace {

std::string base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

/// Inter and JetBrains Mono are free but rarely installed. After them come similar common fonts, then the
/// fonts that this computer used for single characters, then any font.
std::string family(const TextStyle& style, const text::Line& line) {
  const bool mono = style.font == draw::Font::mono;
  std::string out = mono ? "JetBrains Mono, DejaVu Sans Mono, Noto Sans Mono, Menlo, Consolas"
                         : "Inter, Noto Sans, DejaVu Sans, Helvetica Neue, Arial";
  for (const text::Glyph& glyph : line.glyphs) {
    const std::string& name = face_of(glyph).family;
    if (!name.empty() && out.find(name) == std::string::npos) out += ", " + name;
  }
  return out + (mono ? ", monospace" : ", sans-serif");
}

/// A range of bytes of a line: either pictures or ordinary characters.
struct Part {
  std::size_t from = 0, to = 0;
  bool unseen = false;
  float x = 0;  // of its first glyph, in em
};

/// Returns the line in reading order; one part if there are no pictures.
std::vector<Part> parts_of(std::string_view words, const text::Line& line) {
  std::vector<text::Glyph> glyphs = line.glyphs;
  std::stable_sort(glyphs.begin(), glyphs.end(),
                   [](const text::Glyph& a, const text::Glyph& b) { return a.from < b.from; });
  std::vector<Part> out;
  for (const text::Glyph& glyph : glyphs) {
    const bool unseen = face_of(glyph).coloured;
    if (!out.empty() && out.back().unseen == unseen) continue;
    // An invisible character belongs to the part before it.
    const std::size_t from = out.empty() ? 0 : glyph.from;
    if (!out.empty()) out.back().to = from;
    out.push_back({from, words.size(), unseen, glyph.x});
  }
  return out;
}

}  // namespace

std::string png_address(cairo_surface_t* pixels) {
  base::BytesFromC png;
  if (cairo_surface_write_to_png_stream(pixels, append_bytes, &png) != CAIRO_STATUS_SUCCESS)
    throw std::bad_alloc();
  return "data:image/png;base64," + base64(png.take());
}

void SvgCanvas::text(Point at, std::string_view words, const TextStyle& style) {
  if (draw::text_in_pieces(*this, at, words, style)) return;
  const text::Line& line = set_words(words, style.font);
  if (line.glyphs.empty()) return;
  const float width = line.width * style.size;
  const Point start = text_start(style, width);
  const std::vector<Part> parts = parts_of(words, line);
  const bool emoji = parts.size() > 1 || parts[0].unseen;
  // Every part of a line with emoji gets its position; if the reading direction changes, the viewer places
  // the parts.
  const bool in_parts = emoji && std::none_of(line.glyphs.begin(), line.glyphs.end(),
                                              [](const text::Glyph& glyph) { return glyph.leftwards; });
  std::string element = "<text";
  const bool is_turned = style.turn != 0;
  if (is_turned) {
    element +=
        attribute("transform", "translate(" + n(at.x) + " " + n(at.y) + ") rotate(" + n(-style.turn) + ")") +
        attribute("y", n(start.y));
  } else {
    element += attribute("x", n(in_parts ? at.x + start.x : at.x)) + attribute("y", n(at.y + start.y));
  }
  element += attribute("font-family", xml_text(family(style, line))) + attribute("font-size", n(style.size)) +
             paint("fill", style.color);
  if (style.font == draw::Font::semibold) element += attribute("font-weight", "600");
  if (style.align != draw::Align::left && !in_parts)
    element += attribute("text-anchor", style.align == draw::Align::centre ? "middle" : "end");
  if (line.glyphs.size() > 1 && !in_parts)
    element += attribute("textLength", n(width)) + attribute("lengthAdjust", "spacingAndGlyphs");
  element += ">";
  for (const Part& part : parts) {
    const std::string shown = xml_text(words.substr(part.from, part.to - part.from));
    if (!emoji) {
      element += shown;
      continue;
    }
    element += "<tspan";
    const float x = (is_turned ? start.x : at.x + start.x) + part.x * style.size;
    if (in_parts) element += attribute("x", n(x));
    if (part.unseen) element += attribute("fill-opacity", "0");
    element += ">" + shown + "</tspan>";
  }
  shape(element + "</text>");
  if (emoji) pictures(line, at, start, style);
}

/// The pictures of the emoji, over their characters.
void SvgCanvas::pictures(const text::Line& line, Point at, Point start, const TextStyle& style) {
  for (const text::Glyph& glyph : line.glyphs) {
    if (!face_of(glyph).coloured) continue;
    const ColorGlyph& picture = color_glyph(glyph);
    if (!picture.pixels) continue;
    const auto [number, fresh] =
        defined_.try_emplace({glyph.face, glyph.index}, static_cast<int>(defined_.size()) + 1);
    const std::string id = "emoji" + std::to_string(number->second);
    if (fresh) {
      out_ += "<defs><image" + attribute("id", id) + attribute("width", n(picture.width)) +
              attribute("height", n(picture.height)) + attribute("preserveAspectRatio", "none") +
              attribute("xlink:href", png_address(picture.pixels)) + "/></defs>\n";
    }
    std::string place = "translate(" + n(at.x) + " " + n(at.y) + ")";
    if (style.turn != 0) place += " rotate(" + n(-style.turn) + ")";
    place += " translate(" + n(start.x + (glyph.x + picture.left) * style.size) + " " +
             n(start.y - (glyph.y + picture.top) * style.size) + ") scale(" + n(style.size) + ")";
    shape("<use" + attribute("xlink:href", "#" + id) + attribute("transform", place) + "/>");
  }
}

}  // namespace headlight::figure
