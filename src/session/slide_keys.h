// What the arrow keys do on a slide: on the card of heads, left and right walk the tokens, up and down the
// heads; on a card with keys of its page's own, what the page says; elsewhere they move the pinned cell as on
// the page. Tested in tests/lecture/present_ui_test.cpp.
#pragma once

#include <string_view>

#include "pages/page.h"
#include "scene/named_number.h"
#include "session/gestures.h"

namespace headlight::app {

/// The keys of the page's own on the slide of this card; null: it has none.
const scene::SlideKeys* own_keys(const scene::Scene& scene, std::string_view card);

/// Do the arrows walk through tokens and heads on the slide of this card?
bool walks_heads(const scene::Scene& scene, std::string_view card);

/// The scene after an arrow key on the slide of this card; `from` has the results and the run on show.
scene::Scene slide_arrow(const scene::Scene& scene, const scene::QuantitySource& from, std::string_view card,
                         Arrow key);

}  // namespace headlight::app
