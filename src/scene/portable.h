// A scene that holds the weights of its model: it opens anywhere with the same picture. A ZIP archive of
// stored entries: scene.json, and the files of the model as they are, "model/NAME" or, of a folder,
// "model/FOLDER/NAME"; of saved attention also what was read beside it. In the scene, weights_file is that
// path, "model/FOLDER". Whoever opens it has the files of the model in a folder of their own, named after
// their contents: the same ones are not written twice. Tested in tests/scene/portable_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "io/file_bytes.h"
#include "io/zip_list.h"
#include "scene/scene.h"

namespace headlight::scene {

/// Bytes of all files of a model that a scene may hold, and how many files they are.
inline constexpr std::uint64_t most_portable_bytes = std::uint64_t(64) << 20;
inline constexpr std::size_t most_portable_files = 32;
/// What a portable scene's file is called.
inline constexpr const char* portable_ending = ".zip";
bool is_portable_name(const std::filesystem::path& path);

/// The archive. A scene of random weights has no model, and is portable as it is. Of a training run's file
/// all is held. Errors, one line: the model cannot be used, its files cannot be read, they are too large.
base::Result<std::string> portable_bytes(const Scene& scene);
/// The same, written to a file.
base::Status save_portable(const Scene& scene, const std::filesystem::path& path);

/// The scene of an archive. Its model's files are written below `models`, where they are not there yet; an
/// empty path is an error where there is a model. Sizes are those that the archive has room for, before
/// anything is allocated; names are names, not paths. An archive without a model is its scene alone.
base::Result<Scene> open_portable(const io::FileBytes& file, const std::filesystem::path& models);
base::Result<Scene> open_portable(const std::filesystem::path& file, const std::filesystem::path& models);

/// Is it an archive with files of a model? Only its list is read.
bool holds_model(const std::filesystem::path& file);

/// Below the state folder; empty where that is not known.
std::filesystem::path folder_of_portable_models();

}  // namespace headlight::scene
