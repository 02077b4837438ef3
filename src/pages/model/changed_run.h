// A model with some heads switched off or scaled. For a model of another program, its hidden states for the
// sentence; the last run is kept, so that another token or temperature does not repeat it. For one of
// Headlight's own models, its changed weights. Tested in tests/scene/heads_off_test.cpp.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "network/network.h"
#include "pages/model/predictions.h"
#include "scene/other_model.h"
#include "scene/progress.h"
#include "scene/trained_model.h"

namespace headlight::scene {

/// The number of heads in each layer.
std::vector<int> heads_of_layers(const OtherModel& other);
std::vector<int> heads_of_layers(const TrainedModel& model);

/// Never null. Errors, one line: those of network_forward(), and given_up of opened_attention.h.
base::Result<std::shared_ptr<const HiddenStates>> changed_states(const OtherModel& other,
                                                                 const std::vector<int>& pieces,
                                                                 const std::vector<nn::HeadFactor>& factors,
                                                                 base::Parallel& parallel,
                                                                 const Progress& progress);

/// The kept run is freed.
void forget_changed_run();

/// Multiplies the rows of W_O that a head's output is multiplied with by the head's factor.
nn::ModelWeights with_factors(const TrainedModel& model, const std::vector<nn::HeadFactor>& factors);

}  // namespace headlight::scene
