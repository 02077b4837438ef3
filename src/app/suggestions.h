// What is worth trying on a page, one click each, in the settings panel. Tested in
// tests/app/pages_ui_test.cpp.
#pragma once

#include "scene/results.h"
#include "scene/scene.h"
#include "screen/widgets.h"

namespace headlight::app {

/// Are there any for the open page?
bool has_suggestions(const scene::Scene& scene);

/// True when one was clicked: `next` is then what it leads to. What a trained model decides is pale, and says
/// why.
bool suggestions(screen::Ui& ui, scene::Scene& next, const scene::Results& results);

}  // namespace headlight::app
