#include "scene/named_files.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "io/descriptor.h"
#include "io/fingerprint.h"
#include "io/text_folder.h"
#include "models/opened_model.h"
#include "scene/model_file.h"
#include "scene/recent.h"
#include "scene/setting.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view missing = "missing";
constexpr std::size_t digits = 16;

/// "model.safetensors" and the fingerprint of its contents.
struct Reference {
  std::string name, contents;
};

std::optional<Reference> reference(const std::string& path) {
  const std::size_t mark = path.rfind('#');
  if (mark == std::string::npos || mark == 0 || path.find('/') != std::string::npos) return std::nullopt;
  const std::string_view contents = std::string_view(path).substr(mark + 1);
  const bool is_fingerprint =
      contents.size() == digits && contents.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if (!is_fingerprint && contents != missing) return std::nullopt;
  std::error_code failed;
  if (fs::exists(path, failed)) return std::nullopt;  // a file may have such a name
  return Reference{path.substr(0, mark), std::string(contents)};
}

struct NamedFile {
  std::string* path;
  const char* setting;
  TextNames kind;
};

/// The settings that name files.
std::vector<NamedFile> files_of(Scene& scene) {
  std::vector<NamedFile> out;
  fields(scene, [&](const Field& field, auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>) {
      // An included model has a name and no file.
      const bool included = field.names == TextNames::model && is_included_model(value);
      if (field.names != TextNames::nothing && !included) out.push_back({&value, field.name, field.names});
    }
  });
  return out;
}

/// Where the file may be, the likeliest place first.
std::vector<fs::path> places_of(const std::string& name, const fs::path& beside) {
  std::vector<fs::path> places;
  if (!beside.empty()) places.push_back(beside / name);
  places.emplace_back(name);
  const fs::path state = state_folder();
  if (state.empty()) return places;
  const Recent files(list_of_files(state)), scenes(list_of_scenes(state));
  for (const fs::path& file : files.files()) {
    if (file.filename() == name) places.push_back(file);
  }
  for (const fs::path& file : scenes.files()) places.push_back(file.parent_path() / name);
  places.push_back(state / name);
  return places;
}

/// The fingerprint of a file; for a folder, that of the files of its model, or of all its texts.
base::Result<std::string> contents_of(const fs::path& path, TextNames kind) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return io::fingerprint_of(path);
  std::vector<fs::path> files;
  if (kind == TextNames::text) {
    auto texts = io::text_files(path);
    if (!texts) return base::Error{texts.error()};
    files = *std::move(texts);
  } else {
    files = models::model_files(path);
    if (files.empty()) return base::Error{io::path_text(path) + ": there is no model in this folder"};
  }
  io::Fingerprint all;
  for (const fs::path& file : files) {
    const auto one = io::fingerprint_of(file);
    if (!one) return one;
    all.add(file.filename().string()), all.add(*one);
  }
  return all.text();
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed) || fs::is_directory(path, failed);
}

std::optional<fs::path> found(const Reference& wanted, TextNames kind, const fs::path& beside) {
  for (const fs::path& place : places_of(wanted.name, beside)) {
    if (!is_there(place)) continue;
    const auto contents = contents_of(place, kind);
    if (contents && *contents == wanted.contents) return place;
  }
  return std::nullopt;
}

/// The last part of a path, also for a folder with a trailing slash.
std::string name_in(const fs::path& path) {
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

base::Error not_found(const std::string& name) {
  return {"\"" + io::path_text(name) +
          "\" is missing: there is no file of this name with the same contents beside the figure, in the "
          "current folder or among recent files"};
}

}  // namespace

Scene without_folders(Scene scene) {
  for (const auto& [file, setting, kind] : files_of(scene)) {
    if (file->empty() || reference(*file)) continue;
    const auto contents = contents_of(*file, kind);
    const std::string name = name_in(*file);
    *file = (name.empty() ? "file" : name) + "#" + (contents ? *contents : std::string(missing));
  }
  return scene;
}

std::string find_files(Scene& scene, const fs::path& beside) {
  std::string problem;
  for (const auto& [file, setting, kind] : files_of(scene)) {
    const auto wanted = reference(*file);
    if (!wanted) continue;
    if (const auto place = found(*wanted, kind, beside)) {
      *file = place->string();
    } else if (problem.empty()) {
      problem = not_found(wanted->name).message;
    }
  }
  return problem;
}

void find_file(std::string_view setting, std::string& value, const fs::path& beside) {
  Scene one;
  for (const NamedFile& named : files_of(one)) {
    if (named.setting != setting) continue;
    *named.path = value;
    (void)find_files(one, beside);
    value = *named.path;
    return;
  }
}

Scene with_relative_paths(Scene scene, const fs::path& file) {
  std::error_code failed;
  const fs::path folder = fs::absolute(file, failed).lexically_normal().parent_path();
  for (const auto& [named, setting, kind] : files_of(scene)) {
    if (named->empty() || reference(*named)) continue;
    const fs::path whole = fs::absolute(*named, failed).lexically_normal();
    const fs::path relative = whole.lexically_relative(folder);
    const bool below = !relative.empty() && *relative.begin() != ".." && relative != ".";
    *named = (below ? relative : whole).string();
  }
  return scene;
}

void use_paths_beside(Scene& scene, const fs::path& file) {
  if (!file.has_parent_path()) return;
  for (const auto& [named, setting, kind] : files_of(scene)) {
    if (named->empty() || fs::path(*named).is_absolute()) continue;
    const fs::path beside = (file.parent_path() / *named).lexically_normal();
    if (is_there(beside)) *named = beside.string();
  }
}

base::Status check_found(const std::string& path) {
  const auto wanted = reference(path);
  if (!wanted) return {};
  return not_found(wanted->name);
}

std::string shown_name(const std::string& path) {
  const auto wanted = reference(path);
  return wanted ? wanted->name : name_in(path);
}

base::Status remember_files(const Scene& scene, const fs::path& folder) {
  if (folder.empty()) return {};
  Recent recent(list_of_files(folder));
  std::error_code failed;
  for (const std::string* named : {&scene.training.file, &scene.model.beside, &scene.weights_file}) {
    const std::string& file = *named;
    if (file.empty()) continue;
    const auto model = &file == &scene.weights_file ? model_at_hand(file) : std::nullopt;
    if (model ? !*model : !is_there(file)) continue;
    const fs::path whole = fs::absolute(file, failed).lexically_normal();
    // The files of one scene are written once, not moved in front of each other again and again.
    const auto& known = recent.files();
    const auto last = known.begin() + std::min<std::ptrdiff_t>(3, std::ssize(known));
    if (std::find(known.begin(), last, whole) != last) continue;
    if (const base::Status kept = recent.remember(whole); !kept) return kept;
  }
  return {};
}

}  // namespace headlight::scene
