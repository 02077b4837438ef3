// P under the microscope: how similar are its rows, does it rotate as the equations say? What compute() does
// for the Position page. Tested in tests/scene/compute_test.cpp.
#pragma once

#include "scene/progress.h"
#include "scene/results.h"

namespace headlight::scene {

/// Fills `results`; false when cancelled. P is that of the model of another program where the open page shows
/// one, for an input of so many tokens, else as the scene says. The nearest rows cost positions² · d: without
/// `progress` they are left empty when that does not fit into a frame, unless they are known from before.
bool look_at_positions(const Scene& scene, int tokens, base::Parallel& parallel, const Progress& progress,
                       PositionResults& results);

/// Its part of work(), in multiplications; the nearest rows count until they are known.
double position_work(const Scene& scene);

}  // namespace headlight::scene
