// The models of the scenes that are open. Each file has a thread of its own, which loads it and then looks
// every half second whether it was written over, so that neither a large file nor a disk that does not answer
// ever holds up the window, and a file that hangs holds up no other. Everything public is for one thread: the
// one that shows things. Tested in tests/session/model_shelf_test.cpp.
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

/// Loads a file, and says which state of it that was; scene::load_model unless a test puts another in place.
using LoadModel = std::function<scene::LoadedModel(const std::string&, const scene::ModelProgress&)>;

/// How many threads are there, and has the last one ended?
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
    std::function<void()> wake;  // called from the thread when there is something new to say or to show
    std::chrono::milliseconds pause{500};  // between two looks at the file
    std::shared_ptr<Threads> threads;      // counts those that run
  };
  explicit ModelWatch(const Start& start);
  /// The thread ends as soon as the file answers; nobody waits for that here.
  ~ModelWatch();
  ModelWatch(const ModelWatch&) = delete;
  ModelWatch& operator=(const ModelWatch&) = delete;

  const std::string& path() const { return path_; }
  /// What has arrived becomes what the functions below tell.
  void take();
  /// The model, or why there is none; nothing while it is on its way for the first time.
  const std::optional<scene::LoadedModel>& model() const { return model_; }
  /// Another number for another model() in any file; 0: nothing is known.
  std::uint64_t version() const { return version_; }
  /// Why what the file holds by now cannot take the place of model(); empty: it is what the file holds.
  const std::string& problem() const { return problem_; }
  /// Fraction that was read, while it is on its way.
  float fraction() const;
  /// The file was just written: no need to wait for the next look.
  void look_again();
  /// Until something arrives, for so long at most.
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
  /// Waits for threads to end, for a second at most: one that a disk holds up is left behind.
  ~ModelShelf();

  /// The file's watch: the one there is, or a new one, which begins to load. Watched as long as somebody
  /// holds it.
  std::shared_ptr<ModelWatch> watch(const std::string& path);
  /// The two that were kept last stay though nobody holds them: going back to one is going back at once.
  void keep(const std::shared_ptr<ModelWatch>& watch);
  void take();

  /// Never opens a file. One that nobody watches is as unknown as one on its way.
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
