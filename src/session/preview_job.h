// The preview of a long computation, made in parallel by its own thread and cores, which the computation
// never blocks. Only the newest request matters.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/parallel.h"
#include "scene/model_file.h"
#include "scene/preview.h"

namespace headlight::app {

class PreviewJob {
 public:
  /// `finished` is called from the worker whenever there is a preview to take.
  explicit PreviewJob(std::function<void()> finished);
  ~PreviewJob();
  PreviewJob(const PreviewJob&) = delete;
  PreviewJob& operator=(const PreviewJob&) = delete;

  /// The worker takes models from `models` and opens no file.
  void submit(const scene::Scene& scene, std::shared_ptr<const scene::ModelsAtHand> models);
  void cancel();
  /// The newest finished preview, once; null when there is none.
  std::shared_ptr<const scene::Preview> take();

 private:
  struct Request {
    scene::Scene scene;
    std::shared_ptr<const scene::ModelsAtHand> models;
  };
  void loop();

  base::Parallel alone_{1};
  std::function<void()> finished_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Request> waiting_;
  std::shared_ptr<const scene::Preview> done_;
  std::uint64_t newest_ = 0;  // number of the newest request or cancellation; an older one is stale
  bool quit_ = false;
  std::thread thread_;  // last: starts after everything above exists
};

}  // namespace headlight::app
