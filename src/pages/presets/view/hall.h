// The References page in a hall, where text is enlarged: an example as a table of one line for each row, or
// where the numbers do not fit beside a name three; what does not fit is counted. Tested in
// tests/pictures/present_test.cpp.
#pragma once

#include "kit/verdict.h"
#include "pages/presets/presets.h"

namespace headlight::views {

/// Height of a card as wide as this: it is alone there, in a room of this shape.
inline float hall_height(float width) {
  return 0.53f * width;
}

/// How many of `count` rows fit, with a line for say_left_out() where not all do.
int rows_that_fit(float height, float row, int count);
/// "19 of 39; the References page has all of them".
void say_left_out(const Pen& pen, draw::Box line, int shown, int count);

/// "agrees"; empty where nothing was computed.
const char* verdict_words(const scene::PresetLine& line);
/// Its sign. What follows from a formula is no second opinion: it gets neither a tick nor its colour.
Verdict verdict_of(const scene::PresetLine& line);
/// As large as the words of a hall.
float hall_disc(const Pen& pen);
/// Whose numbers are beside those of the source.
inline constexpr const char* ours = "Headlight";

/// The rows of an example below its title, and its remark.
void draw_hall_rows(const Pen& pen, draw::Box inside, const scene::Preset& preset);

}  // namespace headlight::views
