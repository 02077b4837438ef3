#include "scene/portable.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/embedded.h"
#include "base/numbers.h"
#include "base/one_line.h"
#include "base/utf8.h"
#include "dumps/dump.h"
#include "io/files.h"
#include "io/fingerprint.h"
#include "io/mistaken.h"
#include "io/zip_file.h"
#include "models/opened_model.h"
#include "scene/model_file.h"
#include "scene/named_files.h"
#include "scene/other_model.h"
#include "scene/recent.h"
#include "scene/scene_json.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view scene_entry = "scene.json", model_folder = "model/";

/// The files of a model, by their names in the archive.
struct ModelFilesHeld {
  std::map<std::string, fs::path> files;
  std::string path;  // what the scene calls the model
};

std::string last_part(const fs::path& path) {
  const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
  return name.empty() ? "model" : name;
}

/// True for a file that exists, and for one whose type is unknown: that is an error when it is read.
bool is_to_be_held(const fs::path& file) {
  std::error_code failed;
  const fs::file_type type = fs::status(file, failed).type();
  return type == fs::file_type::regular || type == fs::file_type::none;
}

/// Everything of another program's model that was opened: weights, configuration, tokenizer.
base::Result<ModelFilesHeld> files_of_other(const models::OpenedModel& model) {
  std::set<fs::path> files(model.tokenizer_files.begin(), model.tokenizer_files.end());
  files.insert(model.weights_file);
  nn::for_each_tensor(model.weights,
                      [&](const nn::TensorRef& tensor) { files.insert(tensor.bytes->name()); });
  std::error_code failed;
  const fs::file_type type = fs::status(model.path, failed).type();
  if (type == fs::file_type::none) return base::Error{io::cannot("read", model.path, failed.message())};
  const bool folder = type == fs::file_type::directory;
  if (folder) {
    for (const char* name : {"config.json", "generation_config.json", "tokenizer_config.json"})
      files.insert(model.path / name);
  }
  ModelFilesHeld out;
  out.path = std::string(model_folder) + last_part(model.path);
  const std::string before = folder ? out.path + "/" : std::string(model_folder);
  for (const fs::path& file : files) {
    if (is_to_be_held(file)) out.files.emplace(before + last_part(file), file);
  }
  return out;
}

/// Saved attention, and the files that were read beside it: the other file of a pair, tokens, the scale.
ModelFilesHeld files_of_saved(const dumps::Dump& dump) {
  ModelFilesHeld out;
  std::error_code failed;
  const fs::path folder = fs::absolute(dump.path, failed).lexically_normal().parent_path();
  const std::string before = std::string(model_folder) + last_part(folder) + "/";
  out.path = before + last_part(dump.path);
  std::set<std::string> names{last_part(dump.path), "meta.json"};
  if (dump.computed && dump.path.extension() == ".npy") {
    std::string other = dump.path.stem().string();
    if (!other.empty()) other.back() = other.back() == 'q' ? 'k' : 'q';
    names.insert(other + ".npy");
  }
  for (const char* name : {"tokens.json", "tokens.txt"}) {
    if (dump.tokens.from.find(name) != std::string::npos) names.insert(name);
  }
  for (const std::string& name : names) {
    if (is_to_be_held(folder / name)) out.files.emplace(before + name, folder / name);
  }
  return out;
}

base::Result<std::uint64_t> size_of(const ModelFilesHeld& held) {
  std::uint64_t all = 0;
  for (const auto& [name, path] : held.files) {
    std::error_code failed;
    all += fs::file_size(path, failed);
    if (failed) return base::Error{io::cannot("read", path, failed.message())};
  }
  return all;
}

base::Error too_large_for_a_scene(const std::string& title, std::uint64_t bytes) {
  const auto mebibytes = [](std::uint64_t n) { return base::with_commas(static_cast<long long>(n >> 20)); };
  return {"the model " + title + " has " + mebibytes(bytes) + " MiB; a scene can hold " +
          mebibytes(most_portable_bytes) + " MiB: save the scene as .json, which names the model"};
}

/// One part of a path in the archive: a file name with no special meaning on any system.
bool is_plain_name(std::string_view name) {
  if (name.empty() || name.size() > 255 || name == "." || name == "..") return false;
  return base::well_formed(name) == name && std::none_of(name.begin(), name.end(), [](char c) {
           return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
         });
}

/// "model/NAME" or "model/FOLDER/NAME".
bool is_model_entry(std::string_view name) {
  if (!name.starts_with(model_folder)) return false;
  name.remove_prefix(model_folder.size());
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return is_plain_name(name);
  return is_plain_name(name.substr(0, slash)) && is_plain_name(name.substr(slash + 1));
}

/// A file that already holds these bytes is left as it is.
enum class FileThere { nothing, same, other };

FileThere at(const fs::path& path, const std::string& bytes) {
  std::error_code failed;
  if (!fs::exists(path, failed)) return FileThere::nothing;
  const auto there = io::read_file(path, bytes.size() + 1);
  return there && *there == bytes ? FileThere::same : FileThere::other;
}

/// The path below `folder`, without the archive's "model/".
fs::path place_of(const fs::path& folder, const std::string& name) {
  return folder / fs::path(name.substr(model_folder.size()));
}

/// The error of an unpacked file, with its name in the archive in the place of its path.
std::string of_archive(std::string error, const std::string& folder, const std::string& in_archive) {
  for (std::size_t at = error.find(folder); at != std::string::npos; at = error.find(folder, at))
    error.replace(at, folder.size(), in_archive);
  return error;
}

/// The folder of an unpacked model. Without keep() it is removed again if this call made it: a model that
/// cannot be opened leaves nothing behind.
class Unpacked {
 public:
  Unpacked(fs::path folder, bool made) : folder_(std::move(folder)), made_(made) {}
  Unpacked(Unpacked&& other) noexcept
      : folder_(std::move(other.folder_)), made_(std::exchange(other.made_, false)) {}
  Unpacked& operator=(Unpacked&&) = delete;
  ~Unpacked() {
    std::error_code failed;
    if (made_) fs::remove_all(folder_, failed);
  }
  const fs::path& folder() const { return folder_; }
  void keep() { made_ = false; }

 private:
  fs::path folder_;
  bool made_;
};

base::Result<Unpacked> unpack(const io::FileBytes& file, const std::map<std::string, io::ZipEntry>& entries,
                              const fs::path& models) {
  std::map<std::string, std::string> held;
  io::Fingerprint contents;
  for (const auto& [name, entry] : entries) {
    auto bytes = io::stored_entry(file, name, entry);
    if (!bytes) return base::Error{bytes.error()};
    for (const std::string& part : {name, *bytes}) contents.add(std::to_string(part.size()) + " " + part);
    held.emplace(name, std::move(*bytes));
  }
  // A file of another archive is never replaced, even if both have the same fingerprint.
  const fs::path folder = io::free_path(models / contents.text(), [&](const fs::path& place) {
    return std::any_of(held.begin(), held.end(), [&](const auto& one) {
      return at(place_of(place, one.first), one.second) == FileThere::other;
    });
  });
  std::error_code failed;
  Unpacked out(folder, fs::status(folder, failed).type() == fs::file_type::not_found);
  for (const auto& [name, bytes] : held) {
    const fs::path to = place_of(folder, name);
    if (at(to, bytes) == FileThere::same) continue;
    fs::create_directories(to.parent_path(), failed);
    if (const base::Status written = io::write_file(to, bytes); !written) return base::Error{written.error()};
  }
  return out;
}

}  // namespace

bool is_portable_name(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return ending == portable_ending;
}

base::Result<std::string> portable_bytes(const Scene& scene) {
  Scene held = without_folders(scene);  // its other files are named by their contents
  std::vector<std::pair<std::string, std::string>> contents;
  if (scene.weights != WeightsSource::random) {
    const auto model = model_of(scene);
    if (!model) return base::Error{model.error()};
    ModelFilesHeld files;
    if ((*model)->other) {
      auto all = files_of_other(*(*model)->other->model);
      if (!all) return base::Error{all.error()};
      files = std::move(*all);
    } else if ((*model)->saved) {
      files = files_of_saved(*(*model)->saved);
    } else if (!(*model)->path.empty()) {
      files.path = std::string(model_folder) + last_part((*model)->path);
      files.files.emplace(files.path, (*model)->path);
    } else {
      const std::string name =
          (scene.weights_file.empty() ? included_models()[0] : scene.weights_file) + ".safetensors";
      const auto bytes = base::embedded("models/" + name);
      files.path = std::string(model_folder) + name;
      contents.emplace_back(files.path, std::string(bytes.begin(), bytes.end()));
    }
    const auto size = size_of(files);
    if (!size) return base::Error{size.error()};
    if (*size > most_portable_bytes) return too_large_for_a_scene((*model)->title, *size);
    for (const auto& [name, path] : files.files) {
      auto bytes = io::read_file(path, static_cast<std::size_t>(most_portable_bytes));
      if (!bytes) return base::Error{bytes.error()};
      contents.emplace_back(name, std::move(*bytes));
    }
    held.weights = WeightsSource::file;
    held.weights_file = files.path;
  }
  const std::string text = to_json(held);
  std::vector<io::ZipPart> parts{{std::string(scene_entry), {text}}};
  for (const auto& [name, bytes] : contents) parts.push_back({name, {bytes}});
  return io::encode_zip(parts);
}

base::Status save_portable(const Scene& scene, const fs::path& path) {
  const auto bytes = portable_bytes(scene);
  if (!bytes) return base::Error{bytes.error()};
  return io::write_file(path, *bytes);
}

base::Result<Scene> open_portable(const io::FileBytes& file, const fs::path& models) {
  const auto entries = io::list_zip(file);
  if (!entries) return base::Error{entries.error()};
  const auto text = entries->find(std::string(scene_entry));
  if (text == entries->end()) return base::Error{file.name() + ": this archive contains no Headlight scene"};
  if (text->second.size > largest_scene)
    return base::Error{file.name() + ": its scene is larger than " + std::to_string(largest_scene) +
                       " bytes"};
  const auto json = io::stored_entry(file, text->first, text->second);
  if (!json) return base::Error{json.error()};
  auto scene = from_json(*json, file.name());
  if (!scene) return scene;
  std::map<std::string, io::ZipEntry> held;
  std::uint64_t bytes = 0;
  for (const auto& [name, entry] : *entries) {
    if (!name.starts_with(model_folder) || name == model_folder) continue;
    if (!is_model_entry(name))
      return base::Error{file.name() + ": " + base::in_quotes(name) + " is not the name of a model’s file"};
    if (entry.size > most_portable_bytes - bytes || held.size() == most_portable_files)
      return base::Error{file.name() + ": its model is larger than " +
                         std::to_string(most_portable_bytes >> 20) + " MiB or has more than " +
                         std::to_string(most_portable_files) + " files"};
    bytes += entry.size;
    held.emplace(name, entry);
  }
  if (bytes > file.size()) return base::Error{file.name() + ": invalid zip archive: entries overlap"};
  if (held.empty()) return scene;
  const std::string named = scene->weights_file;
  const bool there = std::any_of(held.begin(), held.end(), [&](const auto& one) {
    return one.first == named || (is_model_entry(named) && one.first.starts_with(named + "/"));
  });
  if (scene->weights != WeightsSource::file || !there)
    return base::Error{file.name() + ": its scene does not use the model that it holds"};
  if (models.empty())
    return base::Error{file.name() + ": there is no folder to keep its model in: set HOME or XDG_STATE_HOME"};
  auto unpacked = unpack(file, held, models);
  if (!unpacked) return base::Error{unpacked.error()};
  const fs::path& folder = unpacked->folder();
  scene->weights_file = (folder / named.substr(model_folder.size())).string();
  if (const LoadedModel model = load_model(scene->weights_file); !model)
    return base::Error{file.name() + ": " +
                       of_archive(model.error(), folder.string() + "/", std::string(model_folder)) +
                       (io::says_what_to_do(model.error()) || model.error().ends_with(" again")
                            ? ""
                            : "; save the scene with its model again")};
  unpacked->keep();
  return scene;
}

base::Result<Scene> open_portable(const fs::path& path, const fs::path& models) {
  const auto file = io::FileBytes::open(path);
  if (!file) return base::Error{file.error()};
  return open_portable(**file, models);
}

bool holds_model(const fs::path& path) {
  const auto file = io::FileBytes::open(path);
  if (!file) return false;
  const auto entries = io::list_zip(**file);
  return entries && std::any_of(entries->begin(), entries->end(),
                                [](const auto& one) { return one.first.starts_with(model_folder); });
}

fs::path folder_of_portable_models() {
  const fs::path state = state_folder();
  return state.empty() ? fs::path() : state / "models";
}

}  // namespace headlight::scene
