// One computation in the background, of which only the newest request matters. Computations that fit into a
// frame never come here.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "pages/compute.h"
#include "scene/model_file.h"
#include "scene/preview.h"

namespace headlight::app {

class ComputeJob {
 public:
  /// As scene::compute().
  using Compute = std::function<std::shared_ptr<scene::Results>(
      const scene::Inputs&, base::Parallel&, const scene::Progress&, std::shared_ptr<scene::Results> reuse,
      const scene::ShowEarly&)>;
  /// `finished` is called from the worker whenever there is a result to take or the fraction changed.
  /// `compute` is scene::compute unless a test replaces it.
  ComputeJob(base::Parallel& parallel, std::function<void()> finished, Compute compute = {});
  ~ComputeJob();
  ComputeJob(const ComputeJob&) = delete;
  ComputeJob& operator=(const ComputeJob&) = delete;

  /// Cancels the running computation and drops the waiting request: only the newest request is worked on. The
  /// worker takes models from `models`, null for none, and opens no file. The buffers of `reuse`, which
  /// nobody else may hold, are used again: freeing a gigabyte takes longer than a frame.
  void submit(const scene::Scene& scene, std::shared_ptr<const scene::ModelsAtHand> models = nullptr,
              std::shared_ptr<scene::Results> reuse = nullptr);
  void cancel();
  /// Frees results that are no longer needed, on the worker's thread.
  void let_go(std::shared_ptr<const scene::Results> results);

  /// The newest finished results, once; null when there are none.
  std::shared_ptr<const scene::Results> take();
  /// The map of the shown heads for the newest request, once, from when it is ready until take() has
  /// everything; else null.
  std::shared_ptr<const scene::EarlyMap> take_early();
  /// One line, once, when there was too little memory for the newest request; else empty.
  std::string take_problem();
  bool busy() const;
  float fraction() const { return fraction_.load(std::memory_order_relaxed); }

 private:
  void loop();
  void forget();

  base::Parallel& parallel_;
  std::function<void()> finished_;
  Compute compute_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<scene::Scene> waiting_;
  std::shared_ptr<const scene::ModelsAtHand> models_;  // of waiting_
  std::shared_ptr<scene::Results> reuse_;              // for it
  std::vector<std::shared_ptr<const scene::Results>> unwanted_;
  std::shared_ptr<const scene::EarlyMap> early_;
  std::shared_ptr<const scene::Results> done_;
  std::string problem_;
  bool running_ = false;
  bool quit_ = false;
  std::uint64_t newest_ = 0;  // number of the newest request or cancellation; an older one is stale
  std::atomic<std::uint64_t> wanted_{0};  // the same, read without the lock by the running computation
  std::atomic<float> fraction_{0};
  std::thread thread_;  // last: starts after everything above exists
};

}  // namespace headlight::app
