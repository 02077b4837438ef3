// The weights as beams from queries to keys: each query has one unit of height, which its beams share in the
// order of the keys; each key is as tall as what it receives from the queries drawn. Of several heads the
// beams are those of the combined map; of the lit query each is striped by the heads that their mean is made
// of. Tested in tests/views/attention_beams_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// Draws into `area`; with a note its last line says what is not drawn.
void draw_beams(const Sheet& sheet, draw::Box area, bool with_note);
/// That line.
std::string beams_note(const Sheet& sheet);

/// all queries | only “it”
std::vector<Choice> beam_choices(const Sheet& sheet);

/// Are the beams of the lit query striped by head?
bool beams_striped(const Sheet& sheet);

}  // namespace headlight::views
