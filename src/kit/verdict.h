// Verdicts as signs. Tested in tests/views/order_page_test.cpp and presets_page_test.cpp.
#pragma once

#include <string>

#include "kit/card.h"

namespace headlight::views {

/// A verdict is shown as a sign on a disc, with its words beside it: a tick, a cross, a dash (open), =
/// (follows from the same formula) or ! (contradiction). In low rows the disc is smaller than 18 units.
enum class Verdict { good, bad, open, equal, alert };
constexpr Verdict verdict_of(bool good) {
  return good ? Verdict::good : Verdict::bad;
}
inline constexpr float verdict_width = 18, small_verdict = 15;
void verdict_sign(const Pen& pen, draw::Point centre, Verdict verdict, float width = verdict_width);
draw::Color verdict_color(const draw::Theme& theme, Verdict verdict);

/// Draws the sign and, to its right, its words in its colour; they end at `right_middle`. Returns the width
/// of both.
float put_verdict(const Pen& pen, draw::Point right_middle, Verdict verdict, const std::string& words,
                  float size = word_size, float width = verdict_width);
float put_verdict_width(const Pen& pen, const std::string& words, float size = word_size,
                        float width = verdict_width);

}  // namespace headlight::views
