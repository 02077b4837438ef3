// A scene names files: its model, the text of the Training page, and the attention that its model is compared
// with. Their folders are private: figures, scene lines and lessons carry the name without its folder and the
// fingerprint of the contents, "model.safetensors#85944171f73967e8", and a file is accepted only when its
// contents have that fingerprint. A saved scene keeps paths: relative for files beside it or below, else
// absolute. Tested in tests/scene/named_files_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scene/scene.h"

namespace headlight::scene {

/// The scene as it leaves the computer. A file that cannot be read keeps its name, with "#missing". Cost: a
/// file is read once while it does not change.
Scene without_folders(Scene scene);

/// Replaces the names by paths again. Searches `beside`, which is the folder of the figure (empty: none), the
/// current folder, the recent files, the folders of recent scenes, and the state folder, in this order.
/// Returns one line about the file that is missing and where it was searched for; empty when none is missing.
std::string find_files(Scene& scene, const std::filesystem::path& beside);

/// The same for one setting, as lessons keep them; does nothing for a setting that names no file.
void find_file(std::string_view setting, std::string& value, const std::filesystem::path& beside);

/// For a scene that is saved as `file`, or was: the paths to write into it, and the paths to use.
Scene with_relative_paths(Scene scene, const std::filesystem::path& file);
void use_paths_beside(Scene& scene, const std::filesystem::path& file);

/// The error for a name that is not a path yet, because no such file was found; none for a path.
base::Status check_found(const std::string& path);

/// The name of a file as users know it, without folder and fingerprint.
std::string shown_name(const std::string& path);

/// Remembers the paths of the files of a scene beside earlier ones, so that the user's own figures find them
/// again. `folder` is the state folder; empty: nothing is kept.
base::Status remember_files(const Scene& scene, const std::filesystem::path& folder);

}  // namespace headlight::scene
