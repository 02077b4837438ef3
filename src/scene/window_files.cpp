#include "scene/window_files.h"

#include <fcntl.h>
#include <stdio.h>

#include <cerrno>
#include <optional>

#include "scene/trained_model.h"

namespace headlight::scene {

namespace fs = std::filesystem;

namespace {

constexpr int most_windows = 99;

/// The path of a window's file: "scene.json" becomes "scene-2.lock" for the second window.
fs::path numbered(const fs::path& first, int number, const char* ending) {
  fs::path path = first;
  path.replace_filename(first.stem().string() + (number > 1 ? '-' + std::to_string(number) : std::string()) +
                        ending);
  return path;
}

fs::path scene_of(const fs::path& first, int number) {
  return numbered(first, number, ".json");
}

fs::path training_of(const fs::path& first, int number) {
  return numbered(first.parent_path() / "training.json", number, ".safetensors");
}

/// Exchanges two files in one step. When that is impossible, returns false and both files are unchanged.
bool exchange(const fs::path& a, const fs::path& b) {
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
}

/// The number above `mine` whose scene was written last, and after that of `mine`; its lock is held
/// meanwhile.
std::optional<int> closed_later(const fs::path& first, int mine, io::FileLock& lock) {
  std::error_code missing;
  auto newest = fs::last_write_time(scene_of(first, mine), missing);
  if (missing) newest = fs::file_time_type::min();
  std::optional<int> found;
  for (int number = mine + 1; number <= most_windows; ++number) {
    const auto written = fs::last_write_time(scene_of(first, number), missing);
    if (missing || written <= newest) continue;
    io::FileLock other = io::FileLock::take(numbered(first, number, ".lock"));
    if (other.state() != io::FileLock::State::taken) continue;
    found = number, newest = written, lock = std::move(other);
  }
  return found;
}

/// Exchanges the scene and the runs of the windows `other` and `mine`. A run that only `mine` has stays:
/// otherwise nobody would see it.
bool change_places(const fs::path& first, int mine, int other) {
  std::error_code missing;
  const fs::path here = scene_of(first, mine), there = scene_of(first, other);
  if (!fs::exists(here, missing)) {
    fs::rename(there, here, missing);
    if (missing) return false;
  } else if (!exchange(here, there)) {
    return false;
  }
  for (int task = 0; task < static_cast<int>(std::size(Words<TrainingTask>::list)); ++task) {
    const auto which = static_cast<TrainingTask>(task);
    const fs::path run = file_of_run(training_of(first, mine), which);
    const fs::path other_run = file_of_run(training_of(first, other), which);
    if (!fs::exists(other_run, missing)) continue;
    if (fs::exists(run, missing)) {
      (void)exchange(run, other_run);
    } else {
      fs::rename(other_run, run, missing);
    }
  }
  return true;
}

}  // namespace

fs::path file_of_run(const fs::path& kept, TrainingTask task, const char* which) {
  if (kept.empty()) return {};
  fs::path path = kept;
  path.replace_filename(kept.stem().string() + '-' + word(task) + which + kept.extension().string());
  return path;
}

fs::path previous_file(const fs::path& scene) {
  fs::path path = scene;
  path.replace_filename(scene.stem().string() + ".previous" + scene.extension().string());
  return path;
}

WindowFiles window_files(const fs::path& first) {
  WindowFiles files;
  if (first.empty()) {
    files.unsaved = "neither HOME nor XDG_STATE_HOME names a folder";
    return files;
  }
  std::error_code failed;
  fs::create_directories(first.parent_path(), failed);  // a failure shows when the scene is saved
  for (files.number = 1; files.number <= most_windows; ++files.number) {
    files.lock = io::FileLock::take(numbered(first, files.number, ".lock"));
    if (files.lock.state() != io::FileLock::State::elsewhere) break;
  }
  if (files.lock.state() == io::FileLock::State::elsewhere) {
    files.message = "too many windows are open: this one is not autosaved";
    return files;
  }
  files.scene = scene_of(first, files.number), files.training = training_of(first, files.number);
  if (files.lock.state() == io::FileLock::State::taken) {
    io::FileLock other_lock;
    const auto other = closed_later(first, files.number, other_lock);
    if (other && change_places(first, files.number, *other)) {
      const fs::path aside = scene_of(first, *other);
      files.message = "this window has the scene that was saved last";
      if (fs::exists(aside, failed)) files.message += "; the other scene is kept in " + aside.string();
    }
  }
  if (files.number > 1) {
    files.message = "another window is open: this one is autosaved in " + files.scene.string() + " and " +
                    files.training.stem().string() + "-TASK.safetensors beside it";
  }
  return files;
}

Restored restore(const WindowFiles& files) {
  std::error_code missing;
  Restored restored;
  if (files.number > 1 && !fs::exists(files.scene, missing)) {
    fs::path first = files.scene;
    const std::string stem = files.scene.stem().string();
    first.replace_filename(stem.substr(0, stem.rfind('-')) + files.scene.extension().string());
    // Not restore(): a file that cannot be read belongs to the other window.
    if (auto scene = load(first)) {
      restored.scene = std::move(*scene);
    } else {
      std::string ignored;
      restored.scene = first_scene(ignored);
    }
  } else {
    restored = restore(files.scene);
  }
  if (restored.message.empty() || files.number > 1) restored.message = files.message;
  return restored;
}

}  // namespace headlight::scene
