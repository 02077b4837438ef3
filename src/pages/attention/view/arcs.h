// The weights as arcs over one line of words, as thick as the weight. Arcs above the line lead to what the
// pinned word attends to, arcs below it to the queries that attend to it. A token's weight on itself is a
// ring over the word. Of a long sentence only the neighbourhood of the pinned word is drawn: the word, its
// strongest keys and queries, and the words beside it. Tested in tests/views/attention_arcs_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// Draws into `area`. With a note, the last line says what is not drawn.
void draw_arcs(const Sheet& sheet, draw::Box area, bool with_note);
/// Returns that line for an area of this width.
std::string arcs_note(const Sheet& sheet, float width);

/// both | attends to | attended by
std::vector<Choice> arc_choices(const Sheet& sheet);

}  // namespace headlight::views
