// The card of one example: its remark, and its rows with the numbers of the source and of Headlight. Tested
// in tests/views/presets_page_test.cpp.
#pragma once

#include <string>

#include "kit/card.h"
#include "pages/presets/presets.h"

namespace headlight::views {

/// Returns the height of a card of this width.
float example_height(const Pen& pen, const scene::Preset& preset, float width);
/// Returns it for a low window: the rows of a wide card are closer together.
float low_example_height(const Pen& pen, const scene::Preset& preset, float width);
void draw_example(const Pen& pen, draw::Box box, const scene::Preset& preset);

/// Returns the difference between two numbers as text.
std::string difference_words(double gap);

}  // namespace headlight::views
