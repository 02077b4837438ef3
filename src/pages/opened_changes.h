// What if the layer of an opened model had another temperature, another scale or one more mask? The model is
// run as it is; then the scores of the layer that is shown are made again from its q and k, and with them all
// that follows. Nothing is changed unless the scene says so, and what is changed is said in words. Tested in
// tests/scene/opened_pages_test.cpp.
#pragma once

#include <span>
#include <string>

#include "base/parallel.h"
#include "base/result.h"
#include "scene/other_model.h"
#include "scene/results.h"

namespace headlight::scene {

/// "causal mask, temperature 0.5": what the scene changes of the layer; empty: nothing. A mask is named where
/// it masks a key that the layer's own mask, `allowed` [T], leaves of S keys.
std::string changes_of_layer(const Scene& scene, const nn::NetworkLayer& layer,
                             std::span<const base::Interval> allowed, int S);

/// Applies the scene's mask on top of the model's own, its temperature and, where it does not divide by √d_k,
/// the scale 1, to attention, options and `opened` of the results. With a soft cap c the score is
/// c tanh(q·k · scale / (temperature c)). Error: W_O cannot be read, one line.
base::Status change_opened(const Scene& scene, const OtherModel& other, base::Parallel& parallel,
                           Results& results);

}  // namespace headlight::scene
