// One computation in the background, of which only the newest request matters. What fits into a frame never
// comes here.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/parallel.h"
#include "scene/compute.h"
#include "scene/model_file.h"

namespace headlight::app {

class ComputeJob {
 public:
  using Compute = std::function<std::shared_ptr<scene::Results>(const scene::Scene&, base::Parallel&,
                                                                const scene::Progress&)>;
  /// `finished` is called from the worker whenever there is something to take or a fraction has moved.
  /// `compute` is scene::compute unless a test puts another in its place.
  ComputeJob(base::Parallel& parallel, std::function<void()> finished, Compute compute = {});
  ~ComputeJob();
  ComputeJob(const ComputeJob&) = delete;
  ComputeJob& operator=(const ComputeJob&) = delete;

  /// Cancels what runs and forgets what waits: at most the newest request is ever worked on.
  /// `models` are at hand for it: the worker opens no other file.
  void submit(const scene::Scene& scene, std::shared_ptr<const scene::ModelsAtHand> models = nullptr);
  void cancel();

  /// The newest finished results, once; null when there are none.
  std::shared_ptr<const scene::Results> take();
  /// One line, once, when the newest request could not be computed for want of memory; else empty.
  std::string take_problem();
  bool busy() const;
  float fraction() const { return fraction_.load(std::memory_order_relaxed); }

 private:
  void loop();

  base::Parallel& parallel_;
  std::function<void()> finished_;
  Compute compute_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<scene::Scene> waiting_;
  std::shared_ptr<const scene::ModelsAtHand> models_;  // of waiting_
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
