// A scene that holds the weights of its model: it opens anywhere with the same picture. A ZIP archive of
// stored entries: scene.json, and the files of the model unchanged, as "model/NAME" or, for a folder,
// "model/FOLDER/NAME"; for saved attention also the files that were read beside it. In the scene,
// weights_file is that path, "model/FOLDER". When it is opened, the files of the model are written to a
// folder named after their contents: equal ones are not written twice. Tested in
// tests/scene/portable_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "io/file_bytes.h"
#include "io/zip_list.h"
#include "scene/scene.h"

namespace headlight::scene {

/// Most bytes of all files of a model that a scene may hold, and the largest number of these files.
inline constexpr std::uint64_t most_portable_bytes = std::uint64_t(64) << 20;
inline constexpr std::size_t most_portable_files = 32;
/// The ending of a portable scene's file.
inline constexpr const char* portable_ending = ".zip";
bool is_portable_name(const std::filesystem::path& path);

/// The archive. A scene of random weights has no model, and is portable as it is. The file of a training run
/// is held whole. Errors, one line: the model cannot be used, its files cannot be read, they are too large.
base::Result<std::string> portable_bytes(const Scene& scene);
/// The same, written to a file.
base::Status save_portable(const Scene& scene, const std::filesystem::path& path);

/// The scene of an archive. Writes its model's files below `models` unless they exist there; an empty path is
/// an error when there is a model. Sizes are compared with the size of the archive before anything is
/// allocated; names must be names, not paths. An archive without a model is its scene alone.
base::Result<Scene> open_portable(const io::FileBytes& file, const std::filesystem::path& models);
base::Result<Scene> open_portable(const std::filesystem::path& file, const std::filesystem::path& models);

/// True if it is an archive with files of a model. Only its list of entries is read.
bool holds_model(const std::filesystem::path& file);

/// A folder below the state folder; empty when that is not known.
std::filesystem::path folder_of_portable_models();

}  // namespace headlight::scene
