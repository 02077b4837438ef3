// The two sides of a comparison, A and B, where a page shows A − B: above zero A has more, so that A has the
// colour of the ramp above zero and B the one below, in every card. Tested in
// tests/views/compare_page_test.cpp and variants_page_test.cpp.
#pragma once

#include "kit/card.h"

namespace headlight::views {

enum class WhichSide { a, b };
/// The colour of A and of B, in curves, badges and buttons.
draw::Color side_color(const draw::Theme& theme, WhichSide which);
/// A disc of 18 units with the letter; `centre` of it.
void side_badge(const Pen& pen, draw::Point centre, WhichSide which);

}  // namespace headlight::views
