// The one drawing vocabulary. Views draw on a Canvas; the screen, SVG/PDF/PNG figures, picking and the
// recorder for tests are canvases. Logical units, y down. Later shapes cover earlier ones.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/interval.h"
#include "draw/colormap.h"
#include "draw/geometry.h"
#include "draw/mark.h"

namespace headlight::draw {

/// Rotations of a text: straight upwards, or slanted, for labels above narrow columns.
inline constexpr float upwards = 90, slanted = 50;

enum class Font { sans, semibold, mono };
enum class Align { left, centre, right };
enum class VAlign { baseline, middle, top };  // middle: the middle of a capital letter; top: of the line box

struct TextStyle {
  float size = 13;  // em, in logical units
  Color color;
  Font font = Font::sans;
  Align align = Align::left;
  VAlign valign = VAlign::baseline;
  float turn = 0;        // degrees anticlockwise about the anchor; align and valign rotate with it
  bool literal = false;  // a name, such as a token: "d_k" has no subscript (draw/scripts.h)
};

struct Stroke {
  Color color;
  float width = 1;
  float dash = 0;  // length of dashes and gaps; 0 = solid
};

/// A matrix as coloured cells, row 0 at the top. Cells outside their row's interval are masked, whatever
/// their value. NaN and infinities have their own colour. If cells are smaller than a pixel, the pixel shows
/// the largest magnitude under it, so a single spike stays visible.
struct Heatmap {
  const float* values = nullptr;  // row-major, rows × row_stride; must outlive the frame
  int rows = 0, cols = 0;
  int row_stride = 0;         // elements from one row to the next
  std::uint64_t version = 0;  // changes whenever the values behind the pointer change
  float lo = 0, hi = 1;
  // Above 0: the colour follows the logarithm of the magnitude, from hi · 10^−decades to hi, and lo is 0 or
  // −hi.
  float decades = 0;
  Colormap map = Colormap::weight;
  std::span<const base::Interval> allowed;  // by row; empty = all allowed
  bool transposed = false;                  // rows of values run across the picture, not down
  // The part shown, in cells of the picture (after transposing); w or h 0: everything.
  Box view;
  bool gaps = true;  // thin gaps between cells of 8 units or more, except between masked ones
};

/// What a figure of one card shows besides its data. By default everything that the screen shows.
struct FigureParts {
  bool frame = true;      // the outline of the card and its padding
  bool title = true;      // with its subtitle
  bool selection = true;  // the marks of pinned queries and the open key
  bool hints = true;      // notes and instructions
  bool square = false;    // draw the cells of matrices as squares
  bool operator==(const FigureParts&) const = default;
};

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void rect(Box box, Color fill, float radius = 0) = 0;
  virtual void frame(Box box, Stroke stroke, float radius = 0) = 0;
  virtual void line(Point a, Point b, Stroke stroke) = 0;
  virtual void polyline(std::span<const Point> points, Stroke stroke) = 0;
  virtual void polygon(std::span<const Point> convex, Color fill) = 0;
  virtual void curve(Point a, Point control_a, Point control_b, Point b, Stroke stroke) = 0;
  virtual void circle(Point centre, float radius, Color fill) = 0;
  virtual void ring(Point centre, float radius, Stroke stroke) = 0;
  /// A filled sector from angle `from` to `to`, radians, 0 = to the right, clockwise on screen (y down).
  virtual void sector(Point centre, float radius, float from, float to, Color fill) = 0;
  virtual void text(Point at, std::string_view words, const TextStyle& style) = 0;
  virtual float text_width(std::string_view words, const TextStyle& style) = 0;
  virtual void heatmap(Box box, const Heatmap& map) = 0;
  virtual void push_clip(Box box) = 0;
  virtual void pop_clip() = 0;
  /// Sets what the following shapes represent, until the next mark(); Mark{} ends it. A mark with an area is
  /// hit anywhere in it; another only on its filled shapes, heatmaps, turned texts and (within 4 units)
  /// lines.
  virtual void mark(const Mark& mark) = 0;
  /// Begins a card: the box that it occupies, its name (independent of its content; may be empty), and its
  /// title. Draws nothing; figures of one card and picking use it.
  virtual void panel(Box /*box*/, std::string_view /*name*/, std::string_view /*title*/) {}
  /// Offers the title of the card that begins next and the notes below it. Returns whether they are written
  /// elsewhere, as on a slide: the card then begins with its contents.
  virtual bool takes_head(std::string_view /*name*/, std::string_view /*title*/, std::string_view /*notes*/) {
    return false;
  }
  /// Returns whether this is a figure on paper: it has no buttons and choices, since nobody can click them
  /// there.
  virtual bool plain() const { return false; }
  virtual FigureParts parts() const { return {}; }
  /// Returns the height of a card for which its page planned `planned`; in a figure of that card, the height
  /// its content needs.
  virtual float card_height(std::string_view /*name*/, std::string_view /*title*/, float planned) const {
    return planned;
  }
  /// The card needs `height` units less than its page planned, because a note in it is left out. A negative
  /// height is what a figure needs more.
  virtual void saved(float /*height*/) {}
  /// Square cells leave this much of their area's height unused; if negative, they would fill its width if it
  /// were this much higher.
  virtual void spare(float /*height*/) {}
  /// Returns the minimum em of text, so that an audience in a hall can read it; views leave room for it. 0:
  /// text keeps its size.
  virtual float least_text() const { return 0; }
};

/// Returns `words`, shortened with an ellipsis at a character boundary to at most `width`.
std::string fit_text(Canvas& canvas, std::string_view words, const TextStyle& style, float width);

/// Returns the value on a linear scale from map.lo to map.hi that has the colour of `value` on this map.
float on_linear_scale(const Heatmap& map, float value);

/// Returns which cell of the picture is under `p`: column and row in cells of the picture, with fractions;
/// outside points give the nearest cell. The inverse returns the box of the cell (col, row) of the picture.
Point cell_at(Box box, const Heatmap& map, Point p);
Box cell_box(Box box, const Heatmap& map, int col, int row);

}  // namespace headlight::draw
