// One layer of another program's model as the attention that pages show: weights, scores, q, k and v of its
// heads, computed by nn/network.h, in the form of nn/attention.h, so that maps, bars, entropies and the
// opened cell are made of them as of any other layer.
//
// q and k are those that are multiplied: after bias, norm and RoPE. Keys and values that query heads share
// are repeated for each of them. The causal mask and the window are intervals of keys. What the layer does
// between q · k and the softmax stands in the options and the trace: scale, soft cap. So softmax(cap(q · k ·
// scale) + mask) is the weight, number by number. Tested in tests/scene/other_model_test.cpp.
#pragma once

#include <string>

#include "base/parallel.h"
#include "base/result.h"
#include "scene/other_model.h"
#include "scene/progress.h"
#include "scene/results.h"

namespace headlight::scene {

/// The error of a computation that nobody wants any more.
inline constexpr const char* given_up = "cancelled";

/// The layer that was computed last is kept, so that the same one is not computed again, unless it has more
/// than 16 million weights; another layer is a pass of its own. Tokens, options,
/// attention, x and `opened` of the results. Text beyond the model's longest, or beyond what fits into the
/// memory, is left out; `tokens_in_sentence` counts it. Errors, one line: those of tokens_for() and
/// network_forward(); given_up.
base::Status attend_opened(const Scene& scene, const OtherModel& other, base::Parallel& parallel,
                           const Progress& progress, Results& results);

/// The kept layer is freed: no model of another program is shown any more.
void forget_opened_layer();

/// What that takes, in the unit of work() in pages/compute.h.
double opened_work(const Scene& scene, const OtherModel& other, int tokens);

}  // namespace headlight::scene
