// What stands below the words of a step: the lecturer's notes, the button that scrolls, and the bottom bar
// with the buttons for moving through the steps. Tested in tests/views/lesson_panel_test.cpp.
#pragma once

#include "teach/view/lesson_panel.h"

namespace headlight::views {

/// Draws the lecturer's notes: a separate sheet at the bottom of `box`, apart from the text for everybody.
/// Returns its height; 0 when it is not shown.
float lesson_notes(const Pen& pen, draw::Box box, const LessonPanel& panel, float size, bool draw);

/// A button that says that there is more below: a click scrolls there, as the wheel does.
void lesson_more(const Pen& pen, draw::Box at);

/// The bottom bar. `big`: its scale on a large panel.
void lesson_foot(const Pen& pen, draw::Box box, float big, const LessonPanel& panel);

}  // namespace headlight::views
