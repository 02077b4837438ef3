// What is computed for a scene of a lesson.
#pragma once

#include <gmock/gmock.h>

#include <memory>

#include "base/parallel.h"
#include "pages/compute.h"
#include "teach/lesson.h"

namespace headlight::scene::lesson_test {

inline std::shared_ptr<const Results> results_of(const Scene& scene) {
  base::Parallel parallel(1);
  return compute_now(scene, parallel, nullptr);
}

}  // namespace headlight::scene::lesson_test
