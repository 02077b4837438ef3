// A scene names files: its model, the text of the Training page, and the attention that its model is compared
// with. Where they lie is nobody else's business: figures, scene lines and lessons carry the name without its
// folder and the fingerprint of the contents, "model.safetensors#85944171f73967e8", and whoever opens one
// takes a file only when its contents are those. A scene that is saved keeps paths: relative for what lies
// beside it or below, else absolute. Tested in tests/scene/named_files_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scene/scene.h"

namespace headlight::scene {

/// The scene as it leaves the computer. A file that cannot be read keeps its name, with "#missing". Cost: a
/// file is read once for as long as it stays as it is.
Scene without_folders(Scene scene);

/// The names become paths again. Looked through in this order: `beside`, which is the folder of the figure
/// (empty: none), the current folder, `recent`, the folders of recent scenes, and the state folder. Says in
/// one line which file is missing and where it was looked for; empty when none is.
std::string find_files(Scene& scene, const std::filesystem::path& beside);

/// The same of one setting, as lessons keep them; nothing for one that names no file.
void find_file(std::string_view setting, std::string& value, const std::filesystem::path& beside);

/// For a scene that is saved as, or was saved as `file`: paths as they are written, and as they are used.
Scene with_relative_paths(Scene scene, const std::filesystem::path& file);
void use_paths_beside(Scene& scene, const std::filesystem::path& file);

/// The error of a name that is no path yet, because no such file was found; none for a path.
base::Status check_found(const std::string& path);

/// The name of a file as people know it, without folder and fingerprint.
std::string shown_name(const std::string& path);

/// Paths of the files of a scene, kept with those of last time, so that one's own figures find them again.
/// `folder` is the state folder; empty: nothing is kept.
base::Status remember_files(const Scene& scene, const std::filesystem::path& folder);

}  // namespace headlight::scene
