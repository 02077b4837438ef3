// Rows of buttons, heads as choices, texts that can be typed into, the sign of a run. Tested in
// tests/views/compare_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/card.h"

namespace headlight::views {

/// Buttons one after the other from the left, wrapped into lines of `width`. Returns the height they take;
/// draws nothing when `draw` is false.
float button_flow(const Pen& pen, draw::Point top_left, float width, const std::vector<Choice>& choices,
                  bool draw = true);

/// Heads as choices: all of them up to `most`, else the chosen one with its neighbours; `sets` turns a
/// 0-based head into an assignment. Names are "NAME 3".
std::vector<Choice> head_choices(int heads, int chosen, int most, const std::string& name,
                                 const std::string& field);

/// A setting that is a text, as a field on its card; `hint` while it is empty. On paper and on a slide it is
/// the text in quotation marks. The height it takes is entry_height().
struct TextEntry {
  std::string setting, words, hint, note;
};
void text_entry(const Pen& pen, draw::Box box, const TextEntry& entry);
float entry_height(const Pen& pen);

/// A triangle that points to the right, or two bars, for a control that starts or stops a run.
void play_sign(const Pen& pen, draw::Point centre, float size, bool running, draw::Color color);

}  // namespace headlight::views
