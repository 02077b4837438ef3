// Writes the parts of an SVG element: its attributes, its colours, an embedded picture. Only for svg_*.cpp.
#pragma once

#include <cairo.h>

#include <cstdio>
#include <string>

#include "draw/geometry.h"
#include "figure/svg_canvas.h"

namespace headlight::figure {

inline std::string n(float value) {
  return svg_number(static_cast<double>(value));
}

inline std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

inline std::string paint(const char* what, draw::Color c) {
  char hex[8];
  std::snprintf(hex, sizeof hex, "#%02x%02x%02x", c.r, c.g, c.b);
  std::string out = attribute(what, hex);
  if (c.a != 255) out += attribute((std::string(what) + "-opacity").c_str(), svg_number(c.a / 255.0));
  return out;
}

/// Returns an image as "data:image/png;base64,…".
std::string png_address(cairo_surface_t* pixels);

}  // namespace headlight::figure
