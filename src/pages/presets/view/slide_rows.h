// The References page on a slide, where text is enlarged: an example as a table with one line for each row,
// or three lines when the numbers do not fit beside the name. Rows that do not fit are counted. Tested in
// tests/pictures/present_test.cpp.
#pragma once

#include "kit/verdict.h"
#include "pages/presets/presets.h"

namespace headlight::views {

/// Returns the height of a card of this width, which is alone on its slide.
inline float slide_height(float width) {
  return 0.53f * width;
}

/// Returns how many of `count` rows fit, keeping a line for say_left_out() when some do not.
int rows_that_fit(float height, float row, int count);
/// Writes "19 of 39 shown".
void say_left_out(const Pen& pen, draw::Box line, int shown, int count);

/// Returns "agrees" and the like; empty when nothing was computed.
const char* verdict_words(const scene::PresetLine& line);
/// Returns the sign. A number that follows from the same formula is no independent check, so it gets neither
/// a tick nor its colour.
Verdict verdict_of(const scene::PresetLine& line);
/// Returns the size of a verdict's disc on a slide.
float slide_disc(const Pen& pen);
/// The name beside Headlight's own numbers.
inline constexpr const char* ours = "Headlight";

/// Draws the rows of an example below its title, and its remark.
void draw_slide_rows(const Pen& pen, draw::Box inside, const scene::Preset& preset);

}  // namespace headlight::views
