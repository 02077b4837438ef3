// Where does a model come from, and who may wait for it? A model is a shared value that never changes. The
// command line, exports and tests load it from its file when they need it. A thread that must not wait, or
// that must see one and the same model while it works, first declares which models it has at hand: then
// model_at() in trained_model.h opens no file. Tested in tests/scene/model_file_test.cpp.
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

/// Distinguishes one state of a file, or of a model's files, from another without reading it. For a folder,
/// and for a file that represents one, `inode` is a fingerprint over all its files (models::model_files()).
struct FileIdentity {
  std::string path;
  std::uint64_t device = 0, inode = 0;
  std::int64_t bytes = 0, written_s = 0, written_ns = 0, changed_s = 0, changed_ns = 0;
  bool operator==(const FileIdentity&) const = default;
};
/// Nothing: the file does not exist, or cannot be inspected.
std::optional<FileIdentity> identity_of(const std::string& path);

/// Two files can be written under one name within one tick of the clock, and look the same. True: the file
/// may still be replaced without a visible change.
bool may_change_unseen(const FileIdentity& file);

/// Receives the fraction that was read, 0 … 1; returns false when the file is no longer wanted.
using ModelProgress = std::function<bool(float)>;

/// The files that were requested last, and the result for each. Two pictures side by side have two models, so
/// two models are kept; errors are small and kept too.
class ModelFiles {
 public:
  using Identity = std::function<std::optional<FileIdentity>(const std::string&)>;
  explicit ModelFiles(Identity identity = identity_of) : identity_(std::move(identity)) {}

  /// Loads now, whatever is already loaded. A file that was read or rejected before and has the same identity
  /// is not read again. Of a file that is not a model of ours, only the header is read.
  LoadedModel load(const std::string& path, const ModelProgress& progress = {});

 private:
  std::optional<LoadedModel> find(const FileIdentity& file);
  void keep(const FileIdentity& file, LoadedModel loaded);

  Identity identity_;
  std::mutex mutex_;
  std::vector<std::pair<FileIdentity, LoadedModel>> files_;  // the newest first
};

/// Uses the ModelFiles of the whole program.
LoadedModel load_model(const std::string& path, const ModelProgress& progress = {});

/// True if weights, vocabulary and texts are equal: a file that was only touched holds no other model.
bool same_model(const TrainedModel& a, const TrainedModel& b);

/// The file of the scene's model; empty when there is no file to read: random weights, or an included model.
std::string model_file(const Scene& scene);

class ModelsAtHand {
 public:
  virtual ~ModelsAtHand() = default;
  /// The model, or why it cannot be used; it may still be loading. Nothing: this object does not know it.
  virtual std::optional<LoadedModel> find(const std::string& path) const = 0;
};

/// Knows no model.
class NoModels : public ModelsAtHand {
 public:
  std::optional<LoadedModel> find(const std::string&) const override { return std::nullopt; }
};

/// While it lives, this thread takes models from `models`. Lifetimes are nested: a model that the innermost
/// does not know is looked up in the next one, or it is an error. Null: changes nothing.
class UseModels {
 public:
  enum class Others { allowed, refused };
  explicit UseModels(const ModelsAtHand* models, Others others = Others::allowed);
  ~UseModels();
  UseModels(const UseModels&) = delete;
  UseModels& operator=(const UseModels&) = delete;

 private:
  const ModelsAtHand* models_;
  Others others_;
  const UseModels* outer_;
  friend std::optional<LoadedModel> model_at_hand(const std::string& path);
};

/// Of this thread; nothing when the model is not at hand and the file may be opened. An error when others
/// than those at hand are refused.
std::optional<LoadedModel> model_at_hand(const std::string& path);

/// Keeps each model, or its error, as it was when it was first requested: a command's settings and numbers
/// come from one state of a file. For one thread.
class ModelsOnce : public ModelsAtHand {
 public:
  std::optional<LoadedModel> find(const std::string& path) const override;

 private:
  mutable std::map<std::string, LoadedModel> models_;
};

/// The models that one scene names, as they are now: its model, and the saved attention that it is compared
/// with. For a computation, which must see only one version of each.
class OneModel : public ModelsAtHand {
 public:
  /// `compared`: may the file of the saved attention be read, if it is not at hand? Else the scene has none.
  enum class Compared { at_hand, read };
  explicit OneModel(const Scene& scene, Compared compared = Compared::at_hand);
  std::optional<LoadedModel> find(const std::string& path) const override;

 private:
  std::string path_, beside_;
  std::optional<LoadedModel> model_, compared_;
};

}  // namespace headlight::scene
