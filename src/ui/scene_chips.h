// The scene in chips beside the tabs: at most three settings that the page is shown with; each chip opens the
// settings panel. Tested in tests/app/ui_test.cpp and settings_on_view_test.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scene/results.h"
#include "scene/scene.h"

namespace headlight::app {

struct SceneChip {
  const char* field;  // the field whose value it shows; "": none
  std::string label, value;
};

/// The first three chips that the open page names and its panel shows, of settings that change one of the
/// `cards` on view; without cards, the whole page is. If there are none, one chip with the label "Settings".
std::vector<SceneChip> scene_chips(const scene::Scene& scene, const scene::Results& results,
                                   std::span<const std::string> cards = {});

/// The model's own position encoding that is not a setting of the scene, "RoPE"; empty: as the scene says.
std::string model_position(const scene::Results& results);

}  // namespace headlight::app
