// A scene from its settings, and its results: for tests of what pages compute and of what they draw.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "pages/compute.h"
#include "scene/settings.h"

namespace headlight::scene {

/// The page with these settings ("seed=3").
inline Scene page_scene(Page page, const std::vector<std::string>& assignments = {}) {
  Scene scene;
  scene.page = page;
  for (const std::string& assignment : assignments) {
    const base::Status status = set_field(scene, assignment);
    EXPECT_TRUE(status) << assignment;
  }
  repair(scene);
  return scene;
}

inline std::shared_ptr<Results> computed(const Scene& scene, int threads = 1) {
  base::Parallel parallel(threads);
  return compute_now(scene, parallel, nullptr);
}

/// A copy of the results of the scene, which a test may change; computed once for the program.
inline Results known_results(const Scene& scene) {
  static std::map<std::string, std::shared_ptr<const Results>> known;
  std::shared_ptr<const Results>& results = known[key(scene)];
  if (!results) results = computed(scene);
  Results copy = *results;
  copy.scene = scene;
  return copy;
}

}  // namespace headlight::scene
