// The scene in chips beside the tabs: what the page is shown with, in at most three words and values; each
// opens the panel of settings. Tested in tests/app/ui_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "scene/results.h"
#include "scene/scene.h"

namespace headlight::app {

struct SceneChip {
  const char* field;  // whose value it tells; "": none of its own
  std::string label, value;
};

/// Those that the open page names and its panel shows; one that says "Scene" where it has none of them.
std::vector<SceneChip> scene_chips(const scene::Scene& scene, const scene::Results& results);

/// How a model encodes positions that is not a setting of the scene, "RoPE"; empty: as the scene says.
std::string model_position(const scene::Results& results);

}  // namespace headlight::app
