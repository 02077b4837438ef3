// The training run of a scene, from its first to its last step, for exports and animations that have no
// window to wait in.
#pragma once

#include <functional>

#include "base/parallel.h"
#include "base/result.h"
#include "pages/training/training.h"
#include "scene/scene.h"

namespace headlight::app {

/// Trains to the end and returns the final picture of what the scene shows. Calls `seen` with the picture at
/// step 0 and then `pictures` times, evenly over the run, the end included. `keep_going` receives the
/// fraction done and returns false to stop the run. Errors: the task's text cannot be read, stopped, …
base::Result<scene::TrainingSnapshot> train_now(
    const scene::Scene& scene, base::Parallel& parallel, int pictures = 0,
    const std::function<void(const scene::TrainingSnapshot&)>& seen = {},
    const std::function<bool(float)>& keep_going = {});

}  // namespace headlight::app
