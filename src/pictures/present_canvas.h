// One card of a page in another place and larger, so that every word of it can be read from the last row:
// text is at least so high, and where such words do not go side by side some of them are left out, never
// written over each other: of a table whole rows, of a map all its numbers. Draws on another canvas. Tested
// in tests/pictures/present_canvas_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draw/canvas.h"

namespace headlight::app {

/// Where the card is on its page, and where on the canvas: a point p of the page is at p · scale + shift.
struct Placing {
  draw::Box part{-1e6f, -1e6f, 2e6f, 2e6f};  // of the page; what lies outside is not drawn
  float scale = 1;
  draw::Point shift;
  float least = 0;    // em of the smallest text, in units of the page
  float most = 1e6f;  // em of the largest: the picture grows with its card, the words do not
};

/// The words that a slide writes above its card.
struct SlideHead {
  std::string title, notes;
  bool operator==(const SlideHead&) const = default;
};

class PresentCanvas final : public draw::Canvas {
 public:
  /// `to` outlives it.
  PresentCanvas(draw::Canvas& to, const Placing& placing);
  /// Writes the words, which lie over all shapes. Last of all.
  void finish();

  // Known after finish().
  int letters() const { return letters_; }    // written
  int left_out() const { return left_out_; }  // letters that found no room
  int cut() const { return cut_; }            // texts that end in an ellipsis
  /// Around everything that was drawn in the card, in units of the page; w 0: nothing.
  draw::Box ink() const { return ink_; }
  /// The title and the notes of this card.
  SlideHead head_of(std::string_view name) const;

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
  /// As wide as it will be written, in units of the page: the view leaves room for it.
  float text_width(std::string_view words, const draw::TextStyle& style) override;
  void heatmap(draw::Box box, const draw::Heatmap& map) override;
  void push_clip(draw::Box box) override;
  void pop_clip() override;
  void mark(const draw::Mark& mark) override;
  void panel(draw::Box box, std::string_view name, std::string_view title) override;
  bool takes_head(std::string_view name, std::string_view title, std::string_view notes) override;
  draw::FigureParts parts() const override { return {.title = false}; }  // the slide writes it
  bool plain() const override { return true; }  // nobody presses a button that is shown to a hall
  float least_text() const override { return placing_.least; }

 private:
  struct Text {
    draw::Point at;
    std::string words;
    draw::TextStyle style;  // in units of the page, as large as it is written
    draw::Box letters;      // along its line and across it, from `at`
    draw::Box box;          // upright, around its letters
    draw::Box clip;         // w 0: none
    float wanted = 0;       // em that the view asked for
    int map = -1;           // a number in a cell of this map; −1: of none
    draw::Mark mark;        // of a turned text, which is hit where its letters are
  };
  draw::Point moved(draw::Point p) const;
  draw::Box moved(draw::Box box) const;
  draw::Stroke moved(draw::Stroke stroke) const;
  draw::TextStyle moved(draw::TextStyle style) const;
  bool seen(draw::Box box) const;
  float size_of(const draw::TextStyle& style) const;
  void inked(draw::Box box);
  void inked(std::span<const draw::Point> points);
  bool is_card(draw::Box box) const { return box == placing_.part; }
  draw::Box letters_box(const Text& text);
  bool in_the_way(const Text& a, const Text& b) const;
  bool same_row(const Text& a, const Text& b) const;
  bool inside(const Text& text) const;
  /// Which of the texts are written.
  std::vector<bool> chosen() const;

  draw::Canvas& to_;
  Placing placing_;
  draw::Mark mark_;  // of a thing without a box
  std::vector<Text> texts_;
  std::vector<draw::Box> clips_, maps_;
  std::vector<draw::Point> points_;  // scratch
  std::vector<std::pair<std::string, SlideHead>> heads_;
  draw::Box ink_;
  int letters_ = 0, left_out_ = 0, cut_ = 0;
};

}  // namespace headlight::app
