// Words in an SVG: which fonts are named, and how emoji stand among them.
#include <algorithm>
#include <set>

#include "base/bidi.h"
#include "base/utf8.h"
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

cairo_status_t append(void* out, const unsigned char* bytes, unsigned size) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), size);
  return CAIRO_STATUS_SUCCESS;
}

/// Inter and JetBrains Mono are free but on few computers: after them what looks most like them and is on
/// many, then what this computer took for single characters, then whatever there is.
std::string family(const TextStyle& style, const PlacedWords& placed) {
  const bool mono = style.font == draw::Font::mono;
  std::string out = mono ? "JetBrains Mono, DejaVu Sans Mono, Noto Sans Mono, Menlo, Consolas"
                         : "Inter, Noto Sans, DejaVu Sans, Helvetica Neue, Arial";
  for (const PlacedGlyph& glyph : placed.glyphs) {
    const std::string& name = glyph.face->family;
    if (!name.empty() && out.find(name) == std::string::npos) out += ", " + name;
  }
  return out + (mono ? ", monospace" : ", sans-serif");
}

/// The characters that are pictures.
std::set<char32_t> coloured(const PlacedWords& placed) {
  std::set<char32_t> out;
  for (const PlacedGlyph& glyph : placed.glyphs) {
    if (glyph.face->coloured) out.insert(glyph.character);
  }
  return out;
}

/// A line in parts, the emoji unseen; `x`: of its left end, where every part has its place.
std::string parts(std::u32string_view line, const PlacedWords& placed, const std::set<char32_t>& emoji,
                  float x, bool placed_each) {
  std::string out, part;
  std::size_t glyph = 0;
  for (std::size_t i = 0; i < line.size();) {
    const bool unseen = emoji.count(line[i]) > 0;
    const std::size_t first = glyph;
    part.clear();
    for (; i < line.size() && (base::is_invisible(line[i]) || (emoji.count(line[i]) > 0) == unseen); ++i) {
      base::append_utf8(part, line[i]);
      if (!base::is_invisible(line[i])) ++glyph;
    }
    out += "<tspan";
    if (placed_each && first < placed.glyphs.size()) out += attribute("x", n(x + placed.glyphs[first].x));
    if (unseen) out += attribute("fill-opacity", "0");
    out += ">" + xml_text(part) + "</tspan>";
  }
  return out;
}

}  // namespace

std::string png_address(cairo_surface_t* pixels) {
  std::string png;
  cairo_surface_write_to_png_stream(pixels, append, &png);
  return "data:image/png;base64," + base64(png);
}

void SvgCanvas::text(Point at, std::string_view words, const TextStyle& style) {
  const PlacedWords placed = place_words(words, style.font, style.size);
  if (placed.glyphs.empty()) return;
  const Point start = text_start(style, placed.width);
  const std::set<char32_t> emoji = coloured(placed);
  const std::u32string line = base::to_utf32(words);
  // Every part of a line with emoji has its place; where the order of reading changes, viewers place them.
  const bool in_parts = !emoji.empty() && !base::has_right_to_left(line);
  std::string element = "<text";
  if (style.upwards) {
    element += attribute("transform", "translate(" + n(at.x) + " " + n(at.y) + ") rotate(-90)") +
               attribute("y", n(start.y));
  } else {
    element += attribute("x", n(in_parts ? at.x + start.x : at.x)) + attribute("y", n(at.y + start.y));
  }
  element += attribute("font-family", xml_text(family(style, placed))) +
             attribute("font-size", n(style.size)) + paint("fill", style.color);
  if (style.font == draw::Font::semibold) element += attribute("font-weight", "600");
  if (style.align != draw::Align::left && !in_parts)
    element += attribute("text-anchor", style.align == draw::Align::centre ? "middle" : "end");
  if (placed.glyphs.size() > 1 && !in_parts)
    element += attribute("textLength", n(placed.width)) + attribute("lengthAdjust", "spacingAndGlyphs");
  element += ">";
  if (emoji.empty()) {
    element += xml_text(words);
  } else {
    element += parts(line, placed, emoji, style.upwards ? start.x : at.x + start.x, in_parts);
  }
  shape(element + "</text>");
  if (!emoji.empty()) pictures(placed, at, start, style);
}

/// The pictures of the emoji, over their characters.
void SvgCanvas::pictures(const PlacedWords& placed, Point at, Point start, const TextStyle& style) {
  for (const PlacedGlyph& glyph : placed.glyphs) {
    if (!glyph.face->coloured) continue;
    const ColourGlyph& picture = colour_glyph(glyph);
    const std::string id = "emoji" + std::to_string(static_cast<unsigned long>(glyph.character));
    if (defined_.insert(glyph.character).second) {
      out_ += "<defs><image" + attribute("id", id) + attribute("width", n(picture.width)) +
              attribute("height", n(picture.height)) + attribute("preserveAspectRatio", "none") +
              attribute("xlink:href", png_address(picture.pixels)) + "/></defs>\n";
    }
    std::string place = "translate(" + n(at.x) + " " + n(at.y) + ")";
    if (style.upwards) place += " rotate(-90)";
    place += " translate(" + n(start.x + glyph.x + picture.left * style.size) + " " +
             n(start.y - picture.top * style.size) + ") scale(" + n(style.size) + ")";
    shape("<use" + attribute("xlink:href", "#" + id) + attribute("transform", place) + "/>");
  }
}

}  // namespace headlight::figure
