#include "scene/model_folders.h"

#include <cstdlib>
#include <system_error>
#include <vector>

#include "scene/recent.h"
#include "scene/store.h"

namespace headlight::scene {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_folder_name = 255;

/// The likeliest folder is the first.
std::vector<fs::path> folders_called(const std::string& name) {
  std::vector<fs::path> out;
  const char* models = std::getenv("HEADLIGHT_MODELS");
  if (models && *models != '\0') out.push_back(fs::path(models) / name);
  if (const fs::path own = models_folder(); !own.empty()) out.push_back(own / name);
  const fs::path state = state_folder();
  if (state.empty()) return out;
  for (const fs::path& list : {list_of_files(state), list_of_scenes(state)}) {
    const Recent recent(list);
    for (const fs::path& path : recent.files()) {
      const fs::path whole = path.has_filename() ? path : path.parent_path();
      if (whole.filename() == name) out.push_back(whole);
    }
  }
  return out;
}

}  // namespace

bool is_folder_name(std::string_view name) {
  constexpr std::string_view outside("/\\\n\0", 4);
  return !name.empty() && name.size() <= longest_folder_name && name != "." && name != ".." &&
         name.find_first_of(outside) == std::string_view::npos;
}

std::optional<fs::path> find_model_folder(const std::string& name) {
  if (!is_folder_name(name)) return std::nullopt;
  for (const fs::path& folder : folders_called(name)) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) continue;
    const fs::path whole = fs::absolute(folder, failed);
    return (failed ? folder : whole).lexically_normal();
  }
  return std::nullopt;
}

fs::path models_folder() {
  const fs::path data = data_folder();
  return data.empty() ? fs::path() : data / "models";
}

}  // namespace headlight::scene
