// What a computation depends on, and all that it depends on: equal inputs have equal results.
#pragma once

#include "scene/scene.h"

namespace headlight::scene {

class ModelsAtHand;  // scene/model_file.h

/// A scene, and the models that it may name, as values. Made from a scene alone where models are read from
/// their files: on the command line and in tests. Both outlive the computation.
struct Inputs {
  Inputs(const Scene& of, const ModelsAtHand* at_hand = nullptr)  // NOLINT: a scene is inputs
      : scene(of), models(at_hand) {}
  const Scene& scene;
  const ModelsAtHand* models;
};

}  // namespace headlight::scene
