// A Canvas that writes SVG: words are <text> that can be edited and searched, a small heatmap is a <rect> for
// each cell, a large one an image, and what a mark says is the <title> of its shapes, which browsers show
// under the pointer. (cairo would draw the letters as outlines.) Fonts are named, not embedded, so that the
// words stay editable and the file small: Inter, JetBrains Mono, then what looks most like them, in the same
// width. Emoji are pictures, each once in the file, over their unseen characters: fonts for them differ, and
// are missing more often. Tested in tests/figure/svg_test.cpp and emoji_test.cpp.
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

/// What to say of a mark, or of a cell of a marked heatmap: the words of the tooltip. Empty: nothing.
using MarkWords = std::function<std::string(const draw::Hit&)>;

class SvgCanvas final : public draw::Canvas {
 public:
  /// `theme` outlives the canvas.
  explicit SvgCanvas(const draw::Theme& theme, MarkWords words = {})
      : theme_(theme), words_(std::move(words)) {}

  /// The elements so far, all of them closed.
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
  std::map<std::pair<int, unsigned>, int> defined_;  // emoji whose pictures are in the file: their numbers
  int clips_ = 0, open_clips_ = 0;
};

/// `text` as XML character data, also within quotes; what XML cannot hold is U+FFFD.
std::string xml_text(std::string_view text);
/// The reverse; unknown entities stay.
std::string from_xml(std::string_view text);

/// At most three decimals, none that say nothing: "12", "0.5".
std::string svg_number(double value);

}  // namespace headlight::figure
