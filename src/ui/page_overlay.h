// A lesson's overlay of a page: covers over things to be predicted, outlines around things to look at. Things
// are found by name among the page's own marks and cards (ui/named_things.h). Tested in
// tests/lecture/page_overlay_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "draw/pick_canvas.h"
#include "draw/theme.h"
#include "ui/named_things.h"

namespace headlight::views {
struct PageInput;
}

namespace headlight::app {

struct PageOverlay {
  std::vector<std::string> hide, highlight;
  std::vector<std::string> focus;         // only these cards are shown, as large as possible
  std::vector<std::string> without = {};  // parts of cards that are left out
  int step = -1;                          // of the lesson: each step has its own layout
  float appeared = 1;                     // 0 … 1: opacity of the outlines, and of the page below
  float outline = 1;                      // 0 … 1: opacity of the outlines alone
  bool bring = false;                     // scroll so that the first named thing is visible
  std::vector<std::string> hide_with;     // cards that would tell what `hide` covers, if they are on the page
  bool says_absent = true;  // what the focus names and the page has not; false: the lesson says why
  bool operator==(const PageOverlay&) const = default;
};

struct OverlayBoxes {
  std::vector<draw::Box> covers, outlines;
  std::vector<draw::Box> plates;  // covers of parts of cards, whose rest stays on view
  std::vector<draw::Box> calm;    // cards that a cover is on: the pointer meets nothing there
  draw::Box focus;
  std::vector<draw::Box> others;     // cards that are not in the focus but overlap its box
  std::vector<std::string> missing;  // names that are not on the page
  bool nothing = false;              // a focus was asked for, and none of it is on the page: all is covered
  bool covers_point(draw::Point at) const;
  bool calms_point(draw::Point at) const;  // covered, or on a card with a cover
  bool cover_all(const std::vector<draw::Box>& shown) const;
  float top() const;  // of the highest box; 0 when there is none
};
OverlayBoxes overlay_boxes(const PageOverlay& overlay, const PageThings& page);

/// Leaves out of the page's input what the step leaves out, and which cell is open where the row of it is
/// covered: the labels of its key would tell it.
void keep_covered(views::PageInput& in, const PageOverlay& overlay);

/// The boxes of everything that the focus names.
std::vector<draw::Box> focus_boxes(const PageOverlay& overlay, const PageThings& page);

/// The box around all of them; empty: none of it is on the page.
draw::Box focus_box(const PageOverlay& overlay, const PageThings& page);

/// The page moved and enlarged so that `box` fills an area of width × height pixels.
struct View {
  draw::Point shift;  // pixels
  float scale = 1;    // pixels to a unit
};
View closer_view(draw::Box box, float width, float height, float scale);
/// How many pixels of `box` are below an area of this height in that view: so far it can scroll.
float focus_below(draw::Box box, const View& view, float height);

/// `page`: its whole area, for the veil under which a new step fades in. `seen`: the part of it on view, in
/// which the words of covers stand.
void paint_overlay(draw::Canvas& canvas, const OverlayBoxes& boxes, const PageOverlay& overlay,
                   draw::Box page, draw::Box seen, const draw::Theme& theme);

}  // namespace headlight::app
