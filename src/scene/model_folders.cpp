#include "scene/model_folders.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "io/files.h"
#include "io/folder.h"
#include "models/opened_model.h"
#include "scene/recent.h"
#include "scene/store.h"

namespace headlight::scene {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_folder_name = 255, most_listed_models = 24, most_listed_names = 400;

fs::path folder_of_models() {
  const char* models = std::getenv("HEADLIGHT_MODELS");
  return models && *models != '\0' ? fs::path(models) : fs::path();
}

bool is_model(const fs::path& path) {
  return models::may_be_model(path) || io::ending_of(path) == ".safetensors";
}

/// `names_left`: how many names may still be looked at, so that a large folder does not take long.
void add_models(const fs::path& folder, int deeper, std::size_t& names_left, std::vector<fs::path>& out) {
  std::vector<std::string> names = io::names_in(folder);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (out.size() >= most_listed_models || names_left == 0) return;
    --names_left;
    const fs::path path = folder / name;
    std::error_code failed;
    const bool known = std::find(out.begin(), out.end(), path) != out.end();
    if (is_model(path)) {
      if (!known) out.push_back(path);
    } else if (deeper > 0 && fs::is_directory(path, failed)) {
      add_models(path, deeper - 1, names_left, out);
    }
  }
}

/// The likeliest folder is the first.
std::vector<fs::path> folders_called(const std::string& name) {
  std::vector<fs::path> out;
  if (const fs::path models = folder_of_models(); !models.empty()) out.push_back(models / name);
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

std::vector<fs::path> models_in_folders() {
  std::vector<fs::path> out;
  std::size_t names_left = most_listed_names;
  for (const fs::path& folder : {folder_of_models(), models_folder()}) {
    std::error_code failed;
    if (folder.empty() || !fs::is_directory(folder, failed)) continue;
    const fs::path whole = fs::absolute(folder, failed);
    const fs::path& listed = failed ? folder : whole;
    if (models::may_be_model(listed)) {
      if (out.size() < most_listed_models) out.push_back(listed.lexically_normal());
    } else {
      add_models(listed.lexically_normal(), 1, names_left, out);
    }
  }
  return out;
}

fs::path models_folder() {
  const fs::path data = data_folder();
  return data.empty() ? fs::path() : data / "models";
}

}  // namespace headlight::scene
