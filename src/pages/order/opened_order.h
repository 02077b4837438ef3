// The Order page of a model of another program: its tokens are permuted, its positions stay, and it is
// run again up to the layer that is shown. In the first layer the scores are split: by the rows of its table
// or its sinusoids, and by what its RoPE changes. Tested in tests/scene/opened_pages_test.cpp.
#pragma once

#include <memory>

#include "base/parallel.h"
#include "pages/order/order.h"
#include "scene/other_model.h"
#include "scene/progress.h"

namespace headlight::scene {

/// `results` holds what attend_opened() makes. Where the model cannot be run, `problem` says why, in a line.
std::shared_ptr<const OrderResults> compute_opened_order(const Scene& scene, const OtherModel& other,
                                                         const Results& results, base::Parallel& parallel,
                                                         const Progress& progress);

/// What that takes, in the unit of work() in pages/compute.h.
double opened_order_work(const Scene& scene, const OtherModel& other, int tokens);

}  // namespace headlight::scene
