// Where does a model's folder lie that is known by its name alone? A lesson needs "use-lite" and does not
// know anybody's disk. Tested in tests/scene/model_folders_test.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headlight::scene {

/// One part of a path, and no way out of a folder.
bool is_folder_name(std::string_view name);

/// The first folder of this name: in $HEADLIGHT_MODELS, in models_folder(), among the models that were opened
/// or used last. Absolute. Nothing: there is none, or the name is no is_folder_name().
std::optional<std::filesystem::path> find_model_folder(const std::string& name);

/// `models` in data_folder(): where somebody puts a model so that it is found. Empty when that is not known.
std::filesystem::path models_folder();

}  // namespace headlight::scene
