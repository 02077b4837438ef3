// The scene on disk: opened, saved, and saved automatically so that nothing is lost. Tested in
// tests/scene/store_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "io/descriptor.h"
#include "scene/scene.h"

namespace headlight::scene {

/// Paths of files in a saved scene are relative to it when they lie beside it or below (named_files.h).
base::Result<Scene> load(const std::filesystem::path& path, io::Opens opens = io::Opens::files);
base::Status save(const Scene& scene,
                  const std::filesystem::path& path);  // atomic: write beside, flush, rename

/// For the automatically saved scene: creates missing folders, and leaves paths as they are.
base::Status save_state(const Scene& scene, const std::filesystem::path& path);

/// $XDG_STATE_HOME/headlight/scene.json, or ~/.local/state/headlight/scene.json; empty when neither is known.
std::filesystem::path state_file();

/// $XDG_DATA_HOME/headlight, or ~/.local/share/headlight: files that a user keeps for the program, such as
/// models; empty when neither is known.
std::filesystem::path data_folder();

struct Restored {
  Scene scene;
  std::string message;  // one line when something had to be set aside, else empty
};

/// The last scene; at the very first start first_scene(). A file that cannot be read is renamed to *.damaged
/// (numbered when that exists) and named in the message.
Restored restore(const std::filesystem::path& path);

}  // namespace headlight::scene
