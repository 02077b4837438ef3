// Where a window keeps its scene and its training runs. Each window that is open has files of its own:
// scene.json and training-TASK.safetensors the first, scene-2.json and training-2-TASK.safetensors the
// second, and so on, so that none writes over the work of another. A lock beside the scene says that a window
// is there. Who starts alone opens the window that was closed last. Tested in
// tests/scene/window_files_test.cpp and, with two windows, in tests/app/window_files_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "io/file_lock.h"
#include "scene/scene.h"
#include "scene/store.h"

namespace headlight::scene {

struct WindowFiles {
  std::filesystem::path scene;     // empty: nothing is kept
  std::filesystem::path training;  // what file_of_run() takes
  int number = 1;                  // counted from 1
  std::string message;             // one line when there is another window, or was one; else empty
  std::string unkept;              // why nothing is kept, where that is not said in `message`; else empty
  io::FileLock lock;               // held as long as the window is open
};

/// The lowest number that no other window has. Where a higher one was closed later, the two change places.
/// `first` is scene.json, as state_file() has it.
WindowFiles window_files(const std::filesystem::path& first);

/// What such a window shows at its start: what it showed last, or, where there is nothing yet, what the first
/// window shows.
Restored restore(const WindowFiles& files);

/// "training-TASK.safetensors" beside `kept` = "training.safetensors"; `which` comes behind the task. Empty
/// when `kept` is.
std::filesystem::path file_of_run(const std::filesystem::path& kept, TrainingTask task,
                                  const char* which = "");

/// "scene-2.previous.json" for "scene-2.json".
std::filesystem::path previous_file(const std::filesystem::path& scene);

}  // namespace headlight::scene
