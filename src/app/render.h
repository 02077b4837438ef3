// One page as a picture file, without a window.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "scene/scene.h"

namespace headlight::app {

struct RenderOptions {
  scene::Page page = scene::Page::attention;
  int width = 1600, height = 1000;  // logical units
  double scale = 1;           // device pixels for each unit: a PNG is width·scale × height·scale pixels
  std::filesystem::path out;  // .png, .svg or .pdf
};

base::Status render_page(const scene::Scene& scene, const RenderOptions& options);

}  // namespace headlight::app
