// What a computation depends on, and all that it depends on: equal inputs have equal results.
#pragma once

#include "scene/scene.h"

namespace headlight::scene {

class ModelsAtHand;  // scene/model_file.h

/// References to a scene and to the models that it may name, which outlive the computation. What these models
/// do not know is asked of the thread's (model_file.h), then read from its file; with a scene alone that is
/// so of all: on the command line and in tests.
struct Inputs {
  Inputs(const Scene& of, const ModelsAtHand* at_hand = nullptr)  // NOLINT: a scene is inputs
      : scene(of), models(at_hand) {}
  const Scene& scene;
  const ModelsAtHand* models;
};

}  // namespace headlight::scene
