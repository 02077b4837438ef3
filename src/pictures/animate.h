// Makes the turning clocks of the Position page, or the film strip of the Training page as it fills, into a
// GIF or numbered PNGs, for `headlight animate` and for the Export card of the window. Tested in
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
/// Returns what moves on a page; nothing for most pages.
std::optional<Motion> motion_of(scene::Page page);

struct AnimateOptions {
  Motion what = Motion::clocks;
  FigureRequest figure;                   // the motion determines the page; no panel: the whole page
  std::optional<scene::ThemeName> theme;  // empty: the scene's
  bool transparent = false;               // PNG only
  int frames = 50;
  double fps = 25;
  std::filesystem::path out;  // .gif, or .png: then NAME-0001.png, NAME-0002.png, …
  /// Film: a finished or running run, whose kept steps become at most `frames` frames. Null: the scene's run
  /// is trained from its first to its last step.
  std::shared_ptr<const scene::TrainingSnapshot> run = nullptr;
  /// All frames stay in memory until the last one is drawn; more bytes than this are an error.
  std::size_t most_bytes = std::size_t(1) << 30;
};

struct AnimateReport {
  int frames = 0, width = 0, height = 0;  // pixels
  std::filesystem::path first, last;      // files; the same for a GIF
};

/// Draws and writes an animation. For clocks, the position starts at the scene's and moves at its speed, true
/// or logarithmic; for film, see `run`. Every file contains the scene. `keep_going` receives the fraction
/// done; when it returns false, the work stops, and files of an unfinished sequence are removed. Errors are
/// one line: a path that cannot be written, frames too large, stopped, …
base::Result<AnimateReport> animate(const scene::Scene& scene, const AnimateOptions& options,
                                    base::Parallel& parallel,
                                    const std::function<bool(float)>& keep_going = {});

/// "clocks.png" → "clocks-0007.png"
std::filesystem::path numbered(const std::filesystem::path& out, int number);

/// Returns the run as it was when `step` was the newest, without later steps.
scene::TrainingSnapshot as_of(const scene::TrainingSnapshot& run, int step);

}  // namespace headlight::app
