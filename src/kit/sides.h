// The two sides, A and B, of a page that shows A − B. Above zero A has more, so in every card A has the
// ramp's colour above zero, and B the one below. Tested in tests/views/compare_page_test.cpp and
// variants_page_test.cpp.
#pragma once

#include <span>
#include <string>

#include "kit/card.h"

namespace headlight::views {

enum class WhichSide { a, b };
/// Returns the colour of A or B in curves, badges and buttons.
draw::Color side_color(const draw::Theme& theme, WhichSide which);
/// Draws a disc of 18 units with the side's letter.
void side_badge(const Pen& pen, draw::Point centre, WhichSide which);
/// Returns the number of decimals with which a, b and a − b are written side by side, so that the first two
/// as written differ by the third as written: `decimals`, or more where rounding requires it.
int decimals_to_subtract(double a, double b, int decimals);
/// Returns a − b as written beside a and b with that many decimals: "≈ +0.19" where the written ones have
/// another difference.
std::string difference_text(double a, double b, int decimals);
/// The decimals in the cells of A and B, and in those of A − B.
struct SideDecimals {
  int of_sides = 2, of_difference = 2;
};
/// Is, in some cell, the written difference unequal to that of the two written weights?
bool cells_round_apart(std::span<const float> a, std::span<const float> b, SideDecimals decimals);
/// What is then said of the cells of A − B.
inline constexpr const char* rounded_words = "from exact weights, then rounded";

}  // namespace headlight::views
