// Scenes of the Memory page, and an entry of a matrix in double precision.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "kernels/tensor.h"
#include "scene/settings.h"

namespace headlight::tests {

inline scene::Scene memory_scene(std::initializer_list<std::string> sets) {
  scene::Scene scene;
  scene.page = scene::Page::memory;
  for (const std::string& set : sets) {
    const base::Status status = scene::set_field(scene, set);
    EXPECT_TRUE(status) << status.error();
  }
  return scene;
}

inline double at(const nn::Matrix& m, int r, int c) {
  return static_cast<double>(m.at(r, c));
}

}  // namespace headlight::tests
