// `headlight animate`: the clocks of the Position page as they turn, or the film strip of the Training page
// as it fills, as a GIF or as numbered PNGs. Tested in tests/app/figure_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "app/page_figure.h"
#include "base/result.h"
#include "scene/scene.h"

namespace headlight::app {

enum class Motion { clocks, film };

struct AnimateOptions {
  Motion what = Motion::clocks;
  FigureWish figure;         // page and panel are those of the motion when they are empty
  bool transparent = false;  // PNG only
  int frames = 50;
  double fps = 25;
  std::filesystem::path out;  // .gif, or .png: then NAME-0001.png, NAME-0002.png, …
};

/// clocks: the position runs from the scene's own at its speed, true or logarithmic. film: the run of the
/// scene is trained from its first to its last step. The report says what was written.
base::Result<std::string> animate(const scene::Scene& scene, const AnimateOptions& options);

}  // namespace headlight::app
