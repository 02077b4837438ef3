// Measures P: how similar are its rows |p_i − p_k|, and is p(i + δ) = R(δ ω_j) p(i) for each pair of columns
// (Vaswani et al. 2017, 3.5; nn/positional.h)? compute() calls it for the Position page. Tested in
// tests/scene/compute_test.cpp.
#pragma once

#include "scene/progress.h"
#include "scene/results.h"

namespace headlight::scene {

/// Fills `results`; false when cancelled. P is that of the model of another program if the open page shows
/// one, for an input of `tokens` tokens; else the scene's. The nearest rows cost positions² · d: without
/// `progress` they are left empty when that does not fit into a frame, unless an earlier call has found them.
bool look_at_positions(const Scene& scene, int tokens, base::Parallel& parallel, const Progress& progress,
                       PositionResults& results);

/// Its part of work(), in multiplications; the nearest rows count until they have been found.
double position_work(const Scene& scene);

}  // namespace headlight::scene
