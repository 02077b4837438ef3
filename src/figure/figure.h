// A picture, or a part of one, as an SVG or a PDF file, or as pixels. The same picture always gives the same
// bytes. Any thread may call this; figures of several threads are made one after another. Tested in
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
  draw::Theme theme;    // its window colour is the background; alpha 0: no background
  draw::Box part;       // the part of the picture, in units
  double width_mm = 0;  // printed width; 0: a unit is a pixel (SVG) or a point (PDF)
  double scale = 1;     // pixels per unit; only for pixels
  FigureLook look;
  draw::Vision vision = draw::Vision::full;  // draw in the colours that people with this vision see
  std::string title;
  std::string scene;  // JSON in ASCII from which the scene can be opened again; empty: none
  MarkWords words;    // for the titles of an SVG's shapes
};

using Paint = std::function<void(draw::Canvas&)>;

std::string svg_figure(const FigureSpec& spec, const Paint& paint);
/// Fonts are embedded, reduced to the glyphs used.
base::Result<std::string> pdf_figure(const FigureSpec& spec, const Paint& paint);
/// Straight alpha. An error if there is not enough memory for the pixels.
base::Result<draw::Raster> figure_pixels(const FigureSpec& spec, const Paint& paint);

/// Returns what to install if no font has a character of `words`; empty: nothing is missing.
std::string missing_font(std::string_view words);

/// A card of a picture.
struct Panel {
  std::string name;  // the view's name for it, else one made from the title: "the-residual-stream"
  std::string title;
  draw::Box box;
  // How its height could change in a figure of this card alone; see draw::Canvas.
  float planned = 0, saved = 0;
  std::optional<float> spare;  // the smallest among its matrices
  draw::Box ink;               // what is drawn, for a card without its frame
};
/// Returns every card that `paint` draws, in order; of several with one name the first.
std::vector<Panel> panels_of(const Paint& paint, const FigureLook& look = {});

/// The text before the scene in a PDF's keywords.
inline constexpr const char* scene_keyword = "headlight-scene ";

}  // namespace headlight::figure
