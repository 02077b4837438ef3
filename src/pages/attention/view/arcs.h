// The weights as arcs over one line of words: above it what the pinned word attends to, below it which
// queries attend to it; as thick as the weight. A weight on itself is a ring over the word. Of long sentences
// the pinned word's neighbourhood: itself, its strongest keys and queries, and the words beside it. Tested in
// tests/views/attention_arcs_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// Draws into `area`; with a note its last line says what is not drawn.
void draw_arcs(const Sheet& sheet, draw::Box area, bool with_note);
/// That line, for an area of this width.
std::string arcs_note(const Sheet& sheet, float width);

/// both | attends to | attended by
std::vector<Choice> arc_choices(const Sheet& sheet);

}  // namespace headlight::views
