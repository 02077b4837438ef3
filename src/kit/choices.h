// Rows of buttons, choices of heads and layers, text fields, and the play sign. Tested in
// tests/views/compare_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/card.h"

namespace headlight::views {

/// Draws buttons from left to right, wrapped into lines of `width`. Returns their height; draws nothing when
/// `draw` is false.
float button_flow(const Pen& pen, draw::Point top_left, float width, const std::vector<Choice>& choices,
                  bool draw = true);

/// Returns heads as choices: all of them when there are at most `most`, else the chosen one (0-based) and its
/// neighbours. Their names are "NAME 3"; each sets `field`.
std::vector<Choice> head_choices(int heads, int chosen, int most, const std::string& name,
                                 const std::string& field);
/// The same of layers, with the word before the number: "layer 1", "2", or "layer 3 of 12" between arrows.
/// `brief`: "3 of 12". They are named "NAME 3", and set weights_layer.
std::vector<Choice> layer_choices(int layers, int chosen, int most, const std::string& name,
                                  bool brief = false);

/// Makes `area` a control; the caller draws it.
void control_area(const Pen& pen, const std::string& name, const std::string& set, const std::string& note,
                  draw::Box area);

/// A text setting, as a field on a card. `hint` is shown while it is empty. On paper and on a slide, only the
/// text in quotation marks is drawn. entry_height() returns its height.
struct TextEntry {
  std::string setting, words, hint, note;
};
void text_entry(const Pen& pen, draw::Box box, const TextEntry& entry);
float entry_height(const Pen& pen);

/// Draws a triangle that points to the right, or two bars while running, for a control that starts and stops.
void play_sign(const Pen& pen, draw::Point centre, float size, bool running, draw::Color color);

}  // namespace headlight::views
