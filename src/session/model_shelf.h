// The models of the open scenes. Each file has its own thread, which loads it and then checks every half
// second whether it was overwritten, so that neither a large file nor a disk that does not respond ever
// blocks the window, and a file that hangs blocks no other. Everything public is for one thread: the one that
// draws. Tested in tests/session/model_shelf_test.cpp.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "scene/model_file.h"

namespace headlight::app {

/// Loads a file, and returns which state of it that was; scene::load_model unless a test replaces it.
using LoadModel = std::function<scene::LoadedModel(const std::string&, const scene::ModelProgress&)>;

/// The number of running threads, and a signal for when the last one has ended.
struct Threads {
  std::mutex mutex;
  std::condition_variable ended;
  int running = 0;
};

class ModelWatch {
 public:
  struct Start {
    std::string path;
    LoadModel load;
    std::function<void()> wake;  // called from the thread when there is something new to report or to show
    std::chrono::milliseconds pause{500};  // between two checks of the file
    std::shared_ptr<Threads> threads;      // counts the running threads
  };
  explicit ModelWatch(const Start& start);
  /// The thread ends as soon as the file responds; nobody waits for that here.
  ~ModelWatch();
  ModelWatch(const ModelWatch&) = delete;
  ModelWatch& operator=(const ModelWatch&) = delete;

  const std::string& path() const { return path_; }
  /// Makes what has arrived visible to the functions below.
  void take();
  /// The model, or why there is none; nothing while it is loading for the first time.
  const std::optional<scene::LoadedModel>& model() const { return model_; }
  /// A number that is different for every model() of any file; 0: nothing is known.
  std::uint64_t version() const { return version_; }
  /// Why the file's current contents cannot replace model(); empty: model() is the file's contents.
  const std::string& problem() const { return problem_; }
  /// Fraction that was read, while the model is loading.
  float fraction() const;
  /// The file was just written: checks it without a pause.
  void look_again();
  /// Waits until something arrives, at most this long.
  void wait(std::chrono::milliseconds most);

 private:
  struct State;
  static void run(const std::shared_ptr<State>& state);

  std::string path_;
  std::shared_ptr<State> state_;
  std::optional<scene::LoadedModel> model_;
  std::uint64_t version_ = 0;
  std::string problem_;
};

class ModelShelf : public scene::ModelsAtHand {
 public:
  explicit ModelShelf(std::function<void()> wake, LoadModel load = scene::load_model,
                      std::chrono::milliseconds pause = std::chrono::milliseconds(500));
  /// Waits for threads to end, at most a second: a thread that a disk blocks is left behind.
  ~ModelShelf();

  /// The file's watch: an existing one, or a new one, which begins to load. The file is watched as long as
  /// somebody holds it.
  std::shared_ptr<ModelWatch> watch(const std::string& path);
  /// The two watches that were kept last remain even if nobody holds them: a return to one is immediate.
  void keep(const std::shared_ptr<ModelWatch>& watch);
  void take();

  /// Never opens a file. A file that is not watched is as unknown as one that is still loading.
  std::optional<scene::LoadedModel> find(const std::string& path) const override;

 private:
  std::function<void()> wake_;
  LoadModel load_;
  std::chrono::milliseconds pause_;
  std::shared_ptr<Threads> threads_ = std::make_shared<Threads>();
  std::vector<std::weak_ptr<ModelWatch>> watches_;
  std::vector<std::shared_ptr<ModelWatch>> kept_;
};

/// "loading NAME … 43 %"
std::string loading_words(const ModelWatch& watch);

}  // namespace headlight::app
