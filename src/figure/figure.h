// A picture, or a part of one, as the bytes of an SVG or a PDF, or as pixels. The same picture gives the same
// bytes at every time. From any thread; figures of several threads are made one after the other. Tested in
// tests/figure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "draw/canvas.h"
#include "draw/colour_vision.h"
#include "draw/heatmap_raster.h"
#include "draw/theme.h"
#include "figure/crop_canvas.h"
#include "figure/svg_canvas.h"

namespace headlight::figure {

struct FigureSpec {
  draw::Theme theme;    // its window is the ground; with alpha 0 there is none
  draw::Box part;       // of the picture, in units
  double width_mm = 0;  // printed width; 0: a unit is a pixel (SVG) or a point (PDF)
  double scale = 1;     // pixels to the unit, for pixels only
  FigureLook look;
  draw::Vision vision = draw::Vision::full;  // in the colours that are left to such eyes
  std::string title;
  std::string scene;  // JSON in ASCII that opens the scene again; empty: none
  MarkWords words;    // for the titles of an SVG's shapes
};

using Paint = std::function<void(draw::Canvas&)>;

std::string svg_figure(const FigureSpec& spec, const Paint& paint);
/// Fonts are embedded, as far as their glyphs are used.
base::Result<std::string> pdf_figure(const FigureSpec& spec, const Paint& paint);
/// Straight alpha. An error when there is no memory for so many pixels.
base::Result<draw::Raster> figure_pixels(const FigureSpec& spec, const Paint& paint);

/// What to install where no font has a character of `words`; empty: all is there.
std::string missing_font(std::string_view words);

/// A card of a picture.
struct Panel {
  std::string name;  // as the view calls it, else made of the title: "the-residual-stream"
  std::string title;
  draw::Box box;
  // What its height could be: of a figure of it alone, see draw::Canvas.
  float planned = 0, saved = 0;
  std::optional<float> spare;  // the least of its matrices
  draw::Box ink;               // what is drawn, of a card without its frame
};
/// Every card that `paint` draws, in its order; of several with one name the first.
std::vector<Panel> panels_of(const Paint& paint, const FigureLook& look = {});

/// What a PDF's keywords begin with, before the scene.
inline constexpr const char* scene_keyword = "headlight-scene ";

}  // namespace headlight::figure
