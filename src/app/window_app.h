// The window, and the options that the command line passes to it.
#pragma once

#include <filesystem>
#include <string>

#include "scene/scene.h"
#include "scene/settings.h"
#include "scene/window_files.h"

namespace headlight::app {

struct LaunchOptions {
  scene::Scene scene;  // the initial scene: from the file, or last time's scene, with every --set applied
  std::filesystem::path file;       // the scene file that was opened; empty = none
  std::vector<scene::Given> given;  // the settings that this file and every --set give
  std::string lesson;               // the lesson to play first: its name or its file; empty = none
  scene::WindowFiles kept;          // where scene and runs are saved automatically
  bool lecturer = false;            // opens a lecturer's window with that lesson, even on a single screen
  bool as_left = false;      // no arguments: the lesson, its list, the tabs and the map are as when it closed
  bool first_start = false;  // one sentence in the whole window before the laboratory
  std::string message;       // one line to show at the start (last time's scene was damaged); empty = none
};

/// Runs until the window closes, or until base::stop_signal() is set and the window woken: then scene and
/// runs are saved as when it closes. Returns the exit status of the program.
int run_window(const LaunchOptions& launch);

}  // namespace headlight::app
