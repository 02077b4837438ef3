// The Order page of a model of another program. Its tokens are permuted while its positions stay, and it runs
// again up to the layer on show. In the first layer the scores are split into the parts of content, of
// position (the rows of the model's table or its sinusoids), and what its RoPE changes. Tested in
// tests/scene/opened_order_test.cpp.
#pragma once

#include <memory>

#include "base/parallel.h"
#include "pages/order/order.h"
#include "scene/other_model.h"
#include "scene/progress.h"

namespace headlight::scene {

/// `results` holds what attend_opened() computes. When the model cannot be run, `problem` says why in one
/// line.
std::shared_ptr<const OrderResults> compute_opened_order(const Scene& scene, const OtherModel& other,
                                                         const Results& results, base::Parallel& parallel,
                                                         const Progress& progress);

/// The time that it takes, in the unit of work() in pages/compute.h.
double opened_order_work(const Scene& scene, const OtherModel& other, int tokens);

}  // namespace headlight::scene
