// The remark for a figure with a head that was guided during training. Tested in
// tests/app/export_card_test.cpp.
#pragma once

#include <string>

#include "kit/page_input.h"

namespace headlight::app {

/// Returns a sentence; empty when no head of this card was guided. An empty `panel` means the whole open
/// page.
std::string guided_words(const views::PageInput& in, const std::string& panel);

}  // namespace headlight::app
