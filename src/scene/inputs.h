// Everything that a computation depends on: equal inputs have equal results.
#pragma once

#include "scene/scene.h"

namespace headlight::scene {

class ModelsAtHand;  // scene/model_file.h

/// References to a scene and to the models that it may name; both must outlive the computation. A model that
/// `models` does not have is looked up in the models of the thread (model_file.h), then read from its file.
/// On the command line and in tests there is only a scene, so this applies to every model.
struct Inputs {
  Inputs(const Scene& of, const ModelsAtHand* at_hand = nullptr)  // NOLINT: a scene is inputs
      : scene(of), models(at_hand) {}
  const Scene& scene;
  const ModelsAtHand* models;
};

}  // namespace headlight::scene
