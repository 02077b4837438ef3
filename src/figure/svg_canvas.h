// A Canvas that writes SVG. Words are <text> that can be edited and searched. A small heatmap has one <rect>
// per cell, a large one is an image. The words of a mark are the <title> of its shapes, which browsers show
// under the pointer. (cairo would draw the letters as outlines.) Fonts are named, not embedded, so that the
// words stay editable and the file small: Inter, JetBrains Mono, then the most similar fonts, at the same
// width. Emoji are pictures, each stored once in the file, over their invisible characters, because emoji
// fonts differ and are often missing. Tested in tests/figure/svg_test.cpp and emoji_test.cpp.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draw/canvas.h"
#include "draw/pick_canvas.h"
#include "draw/theme.h"
#include "figure/faces.h"

namespace headlight::figure {

/// The words for a mark, or for a cell of a marked heatmap: those of the tooltip. Empty: none.
using MarkWords = std::function<std::string(const draw::Hit&)>;

class SvgCanvas final : public draw::Canvas {
 public:
  /// `theme` must outlive the canvas.
  explicit SvgCanvas(const draw::Theme& theme, MarkWords words = {})
      : theme_(theme), words_(std::move(words)) {}

  /// Returns the elements so far, all of them closed.
  std::string body();

  void rect(draw::Box box, draw::Color fill, float radius) override;
  void frame(draw::Box box, draw::Stroke stroke, float radius) override;
  void line(draw::Point a, draw::Point b, draw::Stroke stroke) override;
  void polyline(std::span<const draw::Point> points, draw::Stroke stroke) override;
  void polygon(std::span<const draw::Point> convex, draw::Color fill) override;
  void curve(draw::Point a, draw::Point control_a, draw::Point control_b, draw::Point b,
             draw::Stroke stroke) override;
  void circle(draw::Point centre, float radius, draw::Color fill) override;
  void ring(draw::Point centre, float radius, draw::Stroke stroke) override;
  void sector(draw::Point centre, float radius, float from, float to, draw::Color fill) override;
  void text(draw::Point at, std::string_view words, const draw::TextStyle& style) override;
  float text_width(std::string_view words, const draw::TextStyle& style) override;
  void heatmap(draw::Box box, const draw::Heatmap& map) override;
  void push_clip(draw::Box box) override;
  void pop_clip() override;
  void mark(const draw::Mark& mark) override;

 private:
  void shape(const std::string& element);
  void close_mark();
  void cells(draw::Box box, const draw::Heatmap& map);
  void image(draw::Box box, const draw::Heatmap& map);
  void pictures(const text::Line& line, draw::Point at, draw::Point start, const draw::TextStyle& style);
  std::string title_of(const draw::Hit& hit) const;

  const draw::Theme& theme_;
  MarkWords words_;
  std::string out_;
  draw::Mark mark_;
  bool marked_ = false;                              // a group with the mark's title is open
  std::map<std::pair<int, unsigned>, int> defined_;  // emoji whose pictures are in the file, with their
                                                     // numbers
  int clips_ = 0, open_clips_ = 0;
};

/// Returns `text` as XML character data, also valid within quotes; characters that XML does not allow become
/// U+FFFD.
std::string xml_text(std::string_view text);

/// At most three decimals, without trailing zeros: "12", "0.5".
std::string svg_number(double value);

}  // namespace headlight::figure
