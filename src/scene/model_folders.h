// Where is the folder of a model that is known by its name alone? A lesson needs "use-lite" and does not know
// the paths on the user's disk. And which models are in the folders where such names are found? Tested in
// tests/scene/model_folders_test.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::scene {

/// True for one part of a path that does not leave its folder.
bool is_folder_name(std::string_view name);

/// The first folder of this name: in $HEADLIGHT_MODELS, in models_folder(), among the models that were opened
/// or used last. Absolute. Nothing: there is none, or is_folder_name() is false for the name.
std::optional<std::filesystem::path> find_model_folder(const std::string& name);

/// `models` in data_folder(): models that a user puts there are found. Empty when data_folder() is.
std::filesystem::path models_folder();

/// The models in $HEADLIGHT_MODELS and in models_folder(), by name: folders and files that may be models, and
/// those one folder deeper where a folder itself is none; at most 24. Only names are looked at. Absolute.
std::vector<std::filesystem::path> models_in_folders();

}  // namespace headlight::scene
