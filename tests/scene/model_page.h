// The Model page of a scene, computed.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "pages/compute.h"
#include "pages/model/atlas.h"
#include "pages/model/predictions.h"
#include "pages/quantities.h"
#include "scene/results.h"
#include "scene/settings.h"

namespace headlight::tests {

struct ModelPage {
  scene::Scene scene;
  std::shared_ptr<scene::Results> results;
  const scene::Predictions& predictions() const {
    return results->own_as<scene::AtlasResults>()->predictions;
  }
  double number(const std::string& text) const {
    const auto quantity = scene::parse_quantity(text);
    EXPECT_TRUE(quantity) << text;
    return scene::quantity_value(*quantity, {scene, *results, nullptr});
  }
};

inline ModelPage on_model_page(scene::Scene scene) {
  scene.page = scene::Page::model;
  scene::repair(scene);
  base::Parallel parallel(2);
  return {scene, scene::compute_now(scene, parallel, {})};
}

inline ModelPage on_model_page(const std::vector<std::string>& assignments) {
  scene::Scene scene;
  for (const std::string& assignment : assignments)
    EXPECT_TRUE(scene::set_field(scene, assignment)) << assignment;
  return on_model_page(std::move(scene));
}

}  // namespace headlight::tests
