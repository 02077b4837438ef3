// What if the layer of an opened model had another temperature, another scale or one more mask? The model
// runs unchanged; then the scores of the layer on show are computed again from its q and k, and with them
// everything that follows in the layer. Nothing changes unless the scene says so, and every change is named
// in words. Tested in tests/scene/opened_pages_test.cpp.
#pragma once

#include <span>
#include <string>

#include "base/parallel.h"
#include "base/result.h"
#include "scene/other_model.h"
#include "scene/results.h"

namespace headlight::scene {

/// "causal mask, temperature 0.5": what the scene changes in the layer; empty: nothing. A mask is named
/// when it masks a key that the layer's own mask, `allowed` [T], allows. S is the number of keys.
std::string changes_of_layer(const Scene& scene, const nn::NetworkLayer& layer,
                             std::span<const base::Interval> allowed, int S);

/// Applies the scene's mask on top of the model's own, its temperature and, when it does not divide by
/// √d_k, the scale 1. Changes attention, options and `opened` of the results. With a soft cap c the score
/// is c tanh(q·k · scale / (temperature c)). Error, one line: W_O cannot be read.
base::Status change_opened(const Scene& scene, const OtherModel& other, base::Parallel& parallel,
                           Results& results);

}  // namespace headlight::scene
