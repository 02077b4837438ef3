// A layer of saved attention in the form of nn/attention.h, so that maps, bars, entropies and roles are made
// of it as of any other layer. Weights are the stored numbers, rounded to float32; where the file has q and k
// they are there too, and with them the scores. There are no v, no output and no matrices.
//
// A key that no query may attend to is known only from q and k with their mask. Of weights alone two cases
// are taken for a mask: where all weights on later keys are exactly 0, in every head, the layer is drawn as
// causal, which is said; and a query all of whose weights are 0 in every head may attend to nothing. Tested
// in tests/scene/saved_attention_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "base/interval.h"
#include "base/parallel.h"
#include "base/result.h"
#include "kernels/tensor.h"
#include "scene/progress.h"
#include "scene/results.h"
#include "scene/saved_attention.h"

namespace headlight::scene {

struct SavedLayer {
  nn::Matrix weights;                   // [H, T, S]
  std::vector<base::Interval> allowed;  // [T]
  bool causal = false;  // of weights alone: no later key has any, although there are later keys
};
/// Errors, one line: it does not fit into the memory that maps may take (1 GiB), the file has been changed or
/// cannot be read; given_up.
base::Result<SavedLayer> saved_layer(const dumps::Dump& dump, int layer, int sequence,
                                     const Progress& progress);

/// Tokens, attention, options and `opened` of the results, and what must be said. Errors as above.
base::Status attend_saved(const Scene& scene, const dumps::Dump& dump, base::Parallel& parallel,
                          const Progress& progress, Results& results);

/// What that takes, in the unit of work() in pages/compute.h.
double saved_work(const dumps::Dump& dump);

}  // namespace headlight::scene
