// A model of another program with some heads switched off or scaled: its hidden states for the sentence. Of
// Headlight's own models the same as weights. The last run is kept, so that another token or temperature does
// not repeat it. Tested in tests/scene/heads_off_test.cpp.
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

/// How many heads each layer has.
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

/// The rows of W_O that a head's output is multiplied with, times its factor.
nn::ModelWeights with_factors(const TrainedModel& model, const std::vector<nn::HeadFactor>& factors);

}  // namespace headlight::scene
