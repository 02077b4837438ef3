// Everything that a computation depends on: equal inputs have equal results.
#pragma once

#include "scene/scene.h"

namespace headlight::scene {

class ModelsAtHand;  // scene/model_file.h

/// References to a scene and to the models that it names; both must outlive the computation. The computation
/// opens no file: a model that `models` does not have is one that it cannot use, and its results say so.
struct Inputs {
  const Scene& scene;
  const ModelsAtHand& models;
};

}  // namespace headlight::scene
