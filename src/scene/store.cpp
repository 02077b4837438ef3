#include "scene/store.h"

#include <chrono>
#include <cstdlib>
#include <vector>

#include "io/files.h"
#include "io/folder.h"
#include "scene/named_files.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace fs = std::filesystem;

namespace {

// A scene is its sentence and a few hundred bytes; anything larger is some other file.
constexpr std::size_t largest_scene_file = std::size_t(64) << 20;

fs::path absolute_folder(const char* variable) {
  const char* value = std::getenv(variable);
  const fs::path folder = value ? value : "";
  return folder.is_absolute() ? folder : fs::path();
}

/// The first of name.damaged, name.damaged.2, … that is free.
fs::path free_name(const fs::path& path) {
  fs::path wanted = path;
  wanted += ".damaged";
  fs::path name = wanted;
  std::error_code ignored;
  for (int number = 2; fs::exists(fs::symlink_status(name, ignored)); ++number) {
    name = wanted;
    name += "." + std::to_string(number);
  }
  return name;
}

/// Removes files that a killed program had begun to write (io/files.cpp); recent ones may still be in use.
void sweep(const fs::path& folder) {
  constexpr auto old = std::chrono::hours(1);
  std::error_code failed;
  for (const std::string& name : io::names_in(folder)) {
    if (!name.starts_with(".headlight-") || !name.ends_with(".tmp")) continue;
    const auto written = fs::last_write_time(folder / name, failed);
    if (!failed && fs::file_time_type::clock::now() - written > old) fs::remove(folder / name, failed);
  }
}

}  // namespace

base::Result<Scene> load(const fs::path& path, io::Opens opens) {
  const base::Result<std::string> text = io::read_file(path, largest_scene_file, opens);
  if (!text) return base::Error{text.error()};
  base::Result<Scene> scene = from_json(*text, path.string());
  if (scene) use_paths_beside(*scene, path);
  return scene;
}

base::Status save(const Scene& scene, const fs::path& path) {
  return io::write_file(path, to_json(with_relative_paths(scene, path)));
}

base::Status save_state(const Scene& scene, const fs::path& path) {
  std::error_code failed;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failed);
  return io::write_file(path, to_json(scene));  // its error reports a folder that could not be made
}

fs::path state_file() {
  if (const fs::path state = absolute_folder("XDG_STATE_HOME"); !state.empty())
    return state / "headlight" / "scene.json";
  if (const fs::path home = absolute_folder("HOME"); !home.empty()) {
    return home / ".local" / "state" / "headlight" / "scene.json";
  }
  return {};
}

fs::path data_folder() {
  if (const fs::path data = absolute_folder("XDG_DATA_HOME"); !data.empty()) return data / "headlight";
  if (const fs::path home = absolute_folder("HOME"); !home.empty())
    return home / ".local" / "share" / "headlight";
  return {};
}

Restored restore(const fs::path& path) {
  std::error_code failed;
  if (path.has_parent_path()) sweep(path.parent_path());
  if (path.empty() || fs::symlink_status(path, failed).type() == fs::file_type::not_found) {
    std::string look_at;  // shown by the first start
    return {first_scene(look_at), {}};
  }
  base::Result<Scene> scene = load(path);
  if (scene) return {std::move(*scene), {}};
  const fs::path aside = free_name(path);
  fs::rename(path, aside, failed);
  if (failed) return {Scene{}, scene.error() + " (and it cannot be moved aside: " + failed.message() + ")"};
  return {Scene{}, scene.error() + "; moved to " + aside.filename().string()};
}

}  // namespace headlight::scene
