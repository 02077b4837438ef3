// The clocks of the Position page as they turn, or the film strip of the Training page as it fills, as a GIF
// or as numbered PNGs: `headlight animate`, and in the window from the Export card. Tested in
// tests/pictures/animate_test.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/parallel.h"
#include "base/result.h"
#include "pages/training/training.h"
#include "pictures/page_figure.h"
#include "scene/scene.h"

namespace headlight::app {

enum class Motion { clocks, film };
/// What moves on a page; nothing on most.
std::optional<Motion> motion_of(scene::Page page);

struct AnimateOptions {
  Motion what = Motion::clocks;
  FigureWish figure;                      // the page is that of the motion; no panel: the whole page
  std::optional<scene::ThemeName> theme;  // nothing: the scene's
  bool transparent = false;               // PNG only
  int frames = 50;
  double fps = 25;
  std::filesystem::path out;  // .gif, or .png: then NAME-0001.png, NAME-0002.png, …
  /// Film: a run that is at hand; its kept steps are the frames, at most `frames`. Null: the run of the scene
  /// is trained from its first to its last step.
  std::shared_ptr<const scene::TrainingSnapshot> run = nullptr;
  /// All frames are kept until the last one is drawn: more bytes than these are an error.
  std::size_t most_bytes = std::size_t(1) << 30;
};

struct AnimateReport {
  int frames = 0, width = 0, height = 0;  // pixels
  std::filesystem::path first, last;      // files; the same for a GIF
};

/// clocks: the position runs from the scene's own at its speed, true or logarithmic. film: see `run`. Every
/// file carries the scene. `goes_on` is told the fraction done; false stops the work, and what was written of
/// a sequence is removed. Errors, one line: a path that cannot be written, frames too large, stopped, …
base::Result<AnimateReport> animate(const scene::Scene& scene, const AnimateOptions& options,
                                    base::Parallel& parallel, const std::function<bool(float)>& goes_on = {});

/// "clocks.png" → "clocks-0007.png"
std::filesystem::path numbered(const std::filesystem::path& out, int number);

/// The run as it was when `step` was the newest: what later steps brought is not in it.
scene::TrainingSnapshot as_of(const scene::TrainingSnapshot& run, int step);

}  // namespace headlight::app
