// Does it matter whether a position is added or concatenated? A linear layer over [x; p] adds two
// projections:
//   [x; p] W = x W₁ + p W₂        W₁ [d, d] the upper half of W [2d, d], W₂ the lower one
// so that adding, (x + p) W, is the case W₁ = W₂ (Kamper, Self-attention and transformers, footnote 1).
// Tested in tests/scene/concatenated_test.cpp.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.h"
#include "nn/tokens.h"
#include "scene/results.h"

namespace headlight::scene {

inline constexpr int most_concatenated = 16;  // tokens

/// The two sides of the equation for the first tokens of the sentence, each summed in float32; null without
/// tokens. x: the embeddings alone; p: sinusoids at the tokens' positions; W drawn from the seed, variance
/// 1/(2d). O(T d²), T at most most_concatenated; drawing W once O(d²).
std::shared_ptr<const Concatenated> concatenate(const Scene& scene, const std::vector<nn::Token>& tokens,
                                                base::Parallel& parallel);

/// The time that it takes, in the unit of work() in pages/compute.h.
double concatenate_work(const Scene& scene);

}  // namespace headlight::scene
