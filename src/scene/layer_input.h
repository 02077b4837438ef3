// What the scene's layer was fed with, taken apart: the content of the tokens and the positions, and the
// projections of a seed. compute() adds the first two; the pages that take scores apart or shuffle tokens
// need them one by one. Tested in tests/scene/order_test.cpp.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.h"
#include "nn/tokens.h"
#include "nn/weights.h"
#include "scene/scene.h"

namespace headlight::scene {

/// The two parts of x [T, D_in]; x = content + position. With concatenated positions each fills its own half
/// and is 0 in the other.
struct LayerInput {
  nn::Matrix content, position;  // [T, D_in] each
};

LayerInput layer_input(const Scene& scene, const std::vector<nn::Token>& tokens, base::Parallel& parallel);

/// content + position, in float32, rounded once: the x that compute() makes.
nn::Matrix joined(const LayerInput& parts);

/// The projections of the scene's layer for its seed; kept from one call to the next.
std::shared_ptr<const nn::AttentionWeights> layer_weights(const Scene& scene);

}  // namespace headlight::scene
