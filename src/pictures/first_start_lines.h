// The words of the first start in lines, and the way of a beam from one of them to another.
#pragma once

#include <string>
#include <vector>

#include "kit/card.h"
#include "kit/page_input.h"
#include "pictures/first_start_light.h"

namespace headlight::app {

struct PlacedWord {
  std::string text;
  float gap = 0, width = 0;  // of the gap before it, and of the word
  int line = 0;
  float x = 0;  // left end, from the left end of the line
  bool shown = true;
};

/// The words of the sentence, broken into lines that fit.
struct Lines {
  std::vector<PlacedWord> words;
  std::vector<float> widths;
  std::vector<bool> cut;  // words are left out after this line; empty: none
  float size = 0;
  bool leftwards = false;  // the sentence is written from right to left
  float step() const;      // from one line to the next
};

/// Returns the words in lines of at most `room` with letters of `size`.
Lines lines_at(const views::Pen& pen, const views::PageInput& in, float size, float room);
/// Returns one line if its letters need not shrink by more than a third; else lines as large as `height`
/// allows.
Lines lines_of(const views::Pen& pen, const views::PageInput& in, float size, float room, float height);
/// Leaves out lines that have no room. The lines of the query and of its key are left out last.
void leave_out(Lines& lines, float height, int query, int key);

/// The places of the words in a window, and of the beams between them.
struct WordPlaces {
  const Lines& lines;
  draw::Box window;
  float first_line = 0;              // the middle of the first line
  float beam_height = 0, reach = 0;  // the height of the longest beam over the first line, and what it spans
  float thick = 0;                   // of beams, see light_of()

  float left(int line) const;  // its left end
  draw::Box box(int word) const;
  /// Returns the place of a beam that crosses no word.
  BeamPlace beam(int query, int key, float weight) const;
};

}  // namespace headlight::app
