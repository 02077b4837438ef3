// A layer of saved attention in the form of nn/attention.h, so that pages make maps, bars, entropies and
// roles of it as of any other layer. Weights are the stored numbers, rounded to float32. If the file has q
// and k, the trace has them and their scores. There are no v, no output and no matrices.
//
// Only q and k with their mask tell which keys no query may attend to. From weights alone two cases are
// taken for a mask. If all weights on later keys are exactly 0 in every head, the layer is drawn as causal
// and a remark says so. A query whose weights are all 0 in every head may attend to nothing. Tested in
// tests/scene/saved_attention_test.cpp.
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
  bool causal = false;                  // from weights alone: there are later keys, but no weight on them
};
/// Errors, one line: the weights do not fit into the memory for maps (1 GiB); the file has changed or
/// cannot be read; given_up.
base::Result<SavedLayer> saved_layer(const dumps::Dump& dump, int layer, int sequence,
                                     const Progress& progress);

/// Sets tokens, attention, options, `opened` and remarks of the results. Errors as above.
base::Status attend_saved(const Scene& scene, const dumps::Dump& dump, base::Parallel& parallel,
                          const Progress& progress, Results& results);

/// The time that attend_saved() takes, in the unit of work() in pages/compute.h.
double saved_work(const dumps::Dump& dump);

}  // namespace headlight::scene
