// What must be said beside a figure's numbers: that a head in it was guided during training. Tested in
// tests/app/export_card_test.cpp.
#pragma once

#include <string>

#include "kit/page_input.h"

namespace headlight::app {

/// A sentence; empty where no head of this card was guided. `panel` empty: the whole page that is open.
std::string guided_words(const views::PageInput& in, const std::string& panel);

}  // namespace headlight::app
