// One layer of a network in double precision, written out plainly from the equations of nn/network.h, without
// any of its code but the reading of weights and the frequencies of RoPE.
#pragma once

#include <array>
#include <vector>

#include "network/network.h"

namespace headlight::tests {

/// By nn::NetworkStage, the elements row by row.
using DoubleStages = std::array<std::vector<double>, nn::network_stages>;

/// Of layer `l`, from the float32 numbers of its input in `given`, widened.
DoubleStages stages_in_double(const nn::Network& network, const nn::NetworkWeights& weights,
                              const nn::NetworkInput& input, int l, const nn::NetworkStages& given);

}  // namespace headlight::tests
