// Verdicts as signs: a tick, a cross, or a dash. Tested in tests/views/order_page_test.cpp.
#pragma once

#include "kit/card.h"

namespace headlight::views {

/// A tick, a cross or a dash on a disc, 18 units wide, for a verdict whose words stand beside it.
enum class Verdict { good, bad, open };
void verdict_sign(const Pen& pen, draw::Point centre, Verdict verdict);
draw::Color verdict_color(const draw::Theme& theme, Verdict verdict);

/// A tick in a green disc, or a cross in a red one.
void verdict_sign(const Pen& pen, draw::Point centre, bool good);

}  // namespace headlight::views
