// Where a window keeps its scene and its training runs. Each open window has its own files: the first has
// scene.json and training-TASK.safetensors, the second scene-2.json and training-2-TASK.safetensors, and so
// on, so that none overwrites the work of another. A lock beside the scene marks an open window. A window
// that is opened alone continues the one that was closed last. Tested in tests/scene/window_files_test.cpp
// and, with two windows, in tests/app/window_files_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "io/file_lock.h"
#include "scene/scene.h"
#include "scene/store.h"

namespace headlight::scene {

struct WindowFiles {
  std::filesystem::path scene;     // empty: nothing is kept
  std::filesystem::path training;  // the argument of file_of_run()
  int number = 1;                  // counted from 1
  std::string message;             // one line when there is or was another window; else empty
  std::string unsaved;             // why nothing is kept, unless `message` says it; else empty
  io::FileLock lock;               // held while the window is open
};

/// Takes the lowest number that no other window has. If a window with a higher number was closed later, the
/// two exchange their files. `first` is scene.json, as in state_file().
WindowFiles window_files(const std::filesystem::path& first);

/// The first content of such a window: what it showed last or, if there is nothing yet, what the first window
/// shows.
Restored restore(const WindowFiles& files);

/// "training-TASK.safetensors" beside `kept` = "training.safetensors"; `which` follows the task. Empty when
/// `kept` is.
std::filesystem::path file_of_run(const std::filesystem::path& kept, TrainingTask task,
                                  const char* which = "");

/// "scene-2.previous.json" for "scene-2.json".
std::filesystem::path previous_file(const std::filesystem::path& scene);

}  // namespace headlight::scene
