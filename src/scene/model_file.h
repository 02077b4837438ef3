// Where does a model come from, and who may wait for it? A model is a shared value that never changes. The
// command line, exports and tests load it from its file when it is asked for. A thread that must not wait, or
// that must see one and the same model for as long as it works, says first which models it has at hand: then
// model_at() in trained_model.h opens no file. Tested in tests/scene/trained_model_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "scene/trained_model.h"

namespace headlight::scene {

using LoadedModel = base::Result<std::shared_ptr<const TrainedModel>>;

/// What tells one state of a file, or of a model's files, from another without reading it. Of a folder and of
/// a file that stands for one, `inode` is a fingerprint over all its files (models::model_files()).
struct FileIdentity {
  std::string path;
  std::uint64_t device = 0, inode = 0;
  std::int64_t bytes = 0, written_s = 0, written_ns = 0, changed_s = 0, changed_ns = 0;
  bool operator==(const FileIdentity&) const = default;
};
/// Nothing: there is no such file, or it cannot be seen.
std::optional<FileIdentity> identity_of(const std::string& path);

/// Two files can be written under one name within one tick of the clock, and look the same. True: another one
/// may still follow unseen.
bool may_change_unseen(const FileIdentity& file);

/// Is told the fraction that was read, 0 … 1; false: the file is no longer wanted.
using ModelProgress = std::function<bool(float)>;

/// The files that were asked for last, and what came of it. Two pictures side by side have two models, so two
/// are kept; words cost nothing.
class ModelFiles {
 public:
  using Identity = std::function<std::optional<FileIdentity>(const std::string&)>;
  explicit ModelFiles(Identity identity = identity_of) : identity_(std::move(identity)) {}

  /// Loads now, whatever is at hand. A file that was read before and has the same identity is not read again;
  /// nor is one that was refused. Of a file that is no model of ours, only the header is read.
  LoadedModel load(const std::string& path, const ModelProgress& progress = {});

 private:
  std::optional<LoadedModel> find(const FileIdentity& file);
  void keep(const FileIdentity& file, LoadedModel loaded);

  Identity identity_;
  std::mutex mutex_;
  std::vector<std::pair<FileIdentity, LoadedModel>> files_;  // the newest first
};

/// Those of the whole program.
LoadedModel load_model(const std::string& path, const ModelProgress& progress = {});

/// The same weights, vocabulary and words: a file that was only touched holds no other model.
bool same_model(const TrainedModel& a, const TrainedModel& b);

/// The file of the scene's model; empty where there is none to be read: random weights, or an included model.
std::string model_file(const Scene& scene);

class ModelsAtHand {
 public:
  virtual ~ModelsAtHand() = default;
  /// The model, or why it cannot be used, which may be that it is still on its way. Nothing: not known here.
  virtual std::optional<LoadedModel> find(const std::string& path) const = 0;
};

/// Within its life, models are taken from `models` on this thread. Such lives are nested: what the innermost
/// does not know, the next one is asked for. Null: changes nothing.
class UseModels {
 public:
  explicit UseModels(const ModelsAtHand* models);
  ~UseModels();
  UseModels(const UseModels&) = delete;
  UseModels& operator=(const UseModels&) = delete;

 private:
  const ModelsAtHand* models_;
  const UseModels* outer_;
  friend std::optional<LoadedModel> model_at_hand(const std::string& path);
};

/// Of this thread; nothing where no model is at hand, and the file may be opened.
std::optional<LoadedModel> model_at_hand(const std::string& path);

/// Models as they were when they were first asked for, until it ends: for a command, whose settings and
/// numbers are those of one state of a file, or its error. Of one thread.
class ModelsOnce : public ModelsAtHand {
 public:
  std::optional<LoadedModel> find(const std::string& path) const override;

 private:
  mutable std::map<std::string, LoadedModel> models_;
};

/// The model of one scene, as it is now, and the saved attention that it is compared with, if that is at
/// hand: for a computation, which must not see two of either.
class OneModel : public ModelsAtHand {
 public:
  explicit OneModel(const Scene& scene);
  std::optional<LoadedModel> find(const std::string& path) const override;

 private:
  std::string path_, beside_;
  std::optional<LoadedModel> model_, compared_;
};

}  // namespace headlight::scene
