// What the arrow keys do on a slide: on the cards of heads, left and right walk the tokens, up and down the
// heads; on the film of a training run, left and right walk its steps, up and down its heads; elsewhere they
// move the pinned cell as on the page. Tested in tests/lecture/present_ui_test.cpp.
#pragma once

#include <string_view>

#include "pages/training/training.h"
#include "session/gestures.h"

namespace headlight::app {

/// What the arrows walk through on the slide of this card.
enum class Walked { cells, heads, film };
Walked walked_on(const scene::Scene& scene, std::string_view card);

/// `run`: what the Training page shows; null: there is no run.
scene::Scene slide_arrow(const scene::Scene& scene, const scene::Results& results,
                         const scene::TrainingSnapshot* run, std::string_view card, Arrow key);

}  // namespace headlight::app
