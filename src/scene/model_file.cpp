#include "scene/model_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "base/one_line.h"
#include "dumps/dump.h"
#include "io/files.h"
#include "io/fingerprint.h"
#include "io/safetensors.h"
#include "models/opened_model.h"
#include "scene/named_files.h"
#include "scene/other_model.h"

namespace headlight::scene {

namespace {

constexpr int most_models = 2;
constexpr std::size_t most_files = 16;

LoadedModel read_other(const std::string& path) {
  auto opened = open_other_model(path);
  if (!opened) return base::Error{opened.error()};
  TrainedModel model;
  model.path = path, model.title = opened->model->name;
  model.other = std::make_shared<const OtherModel>(std::move(*opened));
  return std::shared_ptr<const TrainedModel>(std::make_shared<const TrainedModel>(std::move(model)));
}

/// Loads saved attention. Rows that do not sum to one are not an error; the dump names them.
LoadedModel read_saved(const std::string& path) {
  auto opened = dumps::open_dump(path, {.any_rows = true, .entry = {}, .tokens = {}});
  if (!opened) return base::Error{opened.error()};
  TrainedModel model;
  model.path = path, model.title = shown_name(path);
  model.saved = std::move(*opened);
  return std::shared_ptr<const TrainedModel>(std::make_shared<const TrainedModel>(std::move(model)));
}

LoadedModel read_as_model(const std::string& path, const ModelProgress& progress) {
  if (std::string nothing = models::folder_without_model(path); !nothing.empty())
    return base::Error{base::one_line(nothing)};
  std::error_code unknown;  // of a folder that holds weights alone, the file that it lacks is named
  if (std::filesystem::is_directory(path, unknown)) return read_other(path);
  if (io::ending_of(path) != ".safetensors" && models::may_be_model(path)) return read_other(path);
  // A file of another program may be large: the metadata at its beginning says whose file it is.
  const base::Result<io::TensorMetadata> metadata = io::load_safetensors_metadata(path);
  if (!metadata) return base::Error{metadata.error()};
  if (const base::Status ours = check_is_model(*metadata, path); !ours)
    return models::may_be_model(path) ? read_other(path) : LoadedModel(base::Error{ours.error()});
  base::Result<io::TensorReader> reader = io::TensorReader::open(path);
  if (!reader) return base::Error{reader.error()};
  base::Result<TrainedModel> described = read_description(reader->file(), path);
  if (!described) return base::Error{described.error()};
  // Only the model's own tensors are read: a training run keeps more beside them.
  std::vector<std::string> tensors;
  double bytes = 0, read = 0;
  for (const nn::TensorShape& shape : nn::tensor_shapes(described->config)) {
    tensors.push_back(shape.name);
    bytes += static_cast<double>(reader->bytes_of(shape.name));
  }
  const auto keep_going = [&](std::size_t more) {
    read += static_cast<double>(more);
    return !progress || progress(static_cast<float>(read / std::max(bytes, 1.0)));
  };
  for (const std::string& tensor : tensors) {
    if (const base::Status status = reader->read(tensor, keep_going); !status)
      return base::Error{status.error()};
  }
  if (const base::Status status = read_weights(std::move(*reader).take(), path, *described); !status)
    return base::Error{status.error()};
  described->path = path;
  return std::shared_ptr<const TrainedModel>(std::make_shared<const TrainedModel>(std::move(*described)));
}

LoadedModel read_model_file(const std::string& path, const ModelProgress& progress) {
  const std::string ending = io::ending_of(path);
  if (ending == ".npy" || ending == ".npz") return read_saved(path);
  LoadedModel model = read_as_model(path, progress);
  return !model && dumps::may_be_dump(path) && dumps::holds_attention(path) ? read_saved(path) : model;
}

const UseModels*& innermost() {
  static thread_local const UseModels* models = nullptr;
  return models;
}

}  // namespace

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  // The files of a folder may be overwritten without a change to the folder itself; the same holds for files
  // that belong to a file.
  for (const std::filesystem::path& part : models::model_files(path)) {
    struct stat file {};
    if (part == path || ::stat(part.c_str(), &file) != 0) continue;
    status.st_size += file.st_size;
    io::Fingerprint seen;
    for (const std::int64_t number :
         {std::int64_t(status.st_ino), std::int64_t(file.st_ino), std::int64_t(file.st_size),
          std::int64_t(file.st_mtim.tv_sec), std::int64_t(file.st_mtim.tv_nsec),
          std::int64_t(file.st_ctim.tv_sec), std::int64_t(file.st_ctim.tv_nsec)})
      seen.add(std::to_string(number) + " ");
    seen.add(part.filename().string());
    status.st_ino = seen.value();
    const auto time = [](const timespec& t) { return std::pair(t.tv_sec, t.tv_nsec); };
    if (time(file.st_ctim) > time(status.st_ctim)) status.st_ctim = file.st_ctim;
  }
  return FileIdentity{path,
                      status.st_dev,
                      status.st_ino,
                      status.st_size,
                      status.st_mtim.tv_sec,
                      status.st_mtim.tv_nsec,
                      status.st_ctim.tv_sec,
                      status.st_ctim.tv_nsec};
}

bool may_change_unseen(const FileIdentity& file) {
  constexpr std::chrono::milliseconds tick{50};
  const auto changed = std::chrono::seconds(file.changed_s) + std::chrono::nanoseconds(file.changed_ns);
  return std::chrono::system_clock::now().time_since_epoch() - changed < tick;
}

std::optional<LoadedModel> ModelFiles::find(const FileIdentity& file) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(files_.begin(), files_.end(), [&](const auto& known) { return known.first == file; });
  if (found == files_.end()) return std::nullopt;
  std::rotate(files_.begin(), found, found + 1);
  return files_.front().second;
}

void ModelFiles::keep(const FileIdentity& file, LoadedModel loaded) {
  const std::lock_guard lock(mutex_);
  std::erase_if(files_, [&](const auto& known) { return known.first.path == file.path; });
  files_.insert(files_.begin(), {file, std::move(loaded)});
  int models = 0;
  std::erase_if(files_, [&](const auto& known) { return known.second && ++models > most_models; });
  if (files_.size() > most_files) files_.pop_back();
}

LoadedModel ModelFiles::load(const std::string& path, const ModelProgress& progress) {
  if (const base::Status found = check_found(path); !found) return base::Error{found.error()};
  const std::optional<FileIdentity> before = identity_(path);
  if (before) {
    if (auto loaded = find(*before)) return *loaded;
  }
  // The second of two small files within one tick must not be mistaken for the first, which was refused;
  // reading it again takes no time.
  constexpr std::int64_t small = 1 << 20;
  const bool fresh = before && before->bytes < small && may_change_unseen(*before);
  bool wanted = true;
  LoadedModel loaded =
      read_model_file(path, [&](float done) { return wanted = !progress || progress(done); });
  // A file that was written meanwhile is read again the next time; a file that does not exist is cheap to
  // check.
  if (wanted && before && before == identity_(path) && (loaded || !fresh)) keep(*before, loaded);
  return loaded;
}

LoadedModel load_model(const std::string& path, const ModelProgress& progress) {
  // Never destroyed: a thread that still loads a model when the program ends may use it afterwards.
  static ModelFiles& files = *new ModelFiles;
  return files.load(path, progress);
}

bool same_model(const TrainedModel& a, const TrainedModel& b) {
  if (a.other || b.other || a.saved || b.saved)
    return a.other == b.other && a.saved == b.saved;  // a changed file is another model
  if (model_description(a) != model_description(b)) return false;
  std::vector<const nn::Matrix*> tensors;
  nn::tensors(a.weights, [&](const std::string&, const nn::Matrix& m) { tensors.push_back(&m); });
  bool same = true;
  std::size_t at = 0;
  nn::tensors(b.weights, [&](const std::string&, const nn::Matrix& m) {
    const nn::Matrix& other = *tensors[at++];
    same = same && m.size() == other.size() &&
           (m.empty() || std::memcmp(m.data(), other.data(), m.size() * sizeof(float)) == 0);
  });
  return same;
}

std::string model_file(const Scene& scene) {
  return scene.weights == WeightsSource::random || is_included_model(scene.weights_file) ? std::string()
                                                                                         : scene.weights_file;
}

UseModels::UseModels(const ModelsAtHand* models, Others others)
    : models_(models), others_(others), outer_(innermost()) {
  innermost() = this;
}

UseModels::~UseModels() {
  innermost() = outer_;
}

std::optional<LoadedModel> model_at_hand(const std::string& path) {
  for (const UseModels* use = innermost(); use; use = use->outer_) {
    if (use->models_) {
      if (auto found = use->models_->find(path)) return found;
    }
    if (use->others_ == UseModels::Others::refused)
      return base::Error{base::one_line(path) + " was not loaded before it was needed"};
  }
  return std::nullopt;
}

std::optional<LoadedModel> ModelsOnce::find(const std::string& path) const {
  auto known = models_.find(path);
  if (known == models_.end()) known = models_.emplace(path, load_model(path)).first;
  return known->second;
}

OneModel::OneModel(const Scene& scene, Compared compared)
    : path_(model_file(scene)), beside_(scene.model.beside) {
  if (!path_.empty()) model_ = model_at(path_);
  if (beside_.empty()) return;
  if (compared == Compared::read)
    compared_ = model_at(beside_);
  else
    compared_ = model_at_hand(beside_);
}

std::optional<LoadedModel> OneModel::find(const std::string& path) const {
  return path == path_ ? model_ : path == beside_ ? compared_ : std::nullopt;
}

}  // namespace headlight::scene
