// The weights as beams from queries to keys: each query has one unit of height, which its beams share in the
// order of the keys. A key is as tall as the weight that it receives from the drawn queries. For several
// heads, the beams are those of the combined map; if that is the mean, the lit query's beams have a stripe
// for each head. Tested in tests/views/attention_beams_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// Draws into `area`. With a note, the last line says what is not drawn.
void draw_beams(const Sheet& sheet, draw::Box area, bool with_note);
/// Returns that line.
std::string beams_note(const Sheet& sheet);

/// all queries | only “it”
std::vector<Choice> beam_choices(const Sheet& sheet);

/// Are the beams of the lit query striped by head?
bool beams_striped(const Sheet& sheet);

}  // namespace headlight::views
