// The next token of the scene's model, found in the background: the window never waits for it. One request at
// a time; between requests the writer keeps what it has computed (pages/model/writer.h). Tested in
// tests/session/write_job_test.cpp.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "pages/model/writer.h"

namespace headlight::app {

class WriteJob {
 public:
  /// `finished` is called from the worker when there is an answer to take.
  explicit WriteJob(std::function<void()> finished, int threads = 0);
  ~WriteJob();
  WriteJob(const WriteJob&) = delete;
  WriteJob& operator=(const WriteJob&) = delete;

  /// Uses this model and these rules from now on; an answer that was not taken is dropped.
  void start(std::shared_ptr<const scene::TrainedModel> model, scene::WriteRules rules);
  /// Requests the token after `ids`. Only while busy() is false.
  void ask(std::vector<int> ids);
  /// Drops the model and the current request.
  void stop();

  struct Answer {
    std::vector<int> ids;  // the ids that were asked about
    int id = -1;           // −1: the model ends the text
    std::string problem;   // one line; empty: none
  };
  std::optional<Answer> take();
  bool busy() const;

 private:
  void loop();

  std::function<void()> finished_;
  int threads_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<scene::Writer> writer_;  // used by the worker while it works
  std::optional<std::vector<int>> waiting_;
  std::optional<Answer> answer_;
  std::uint64_t newest_ = 0;  // number of the newest start() or stop(); the answer to an older one is dropped
  bool running_ = false, quit_ = false;
  std::unique_ptr<base::Parallel>
      parallel_;        // the thread's own: a page that computes meanwhile does not wait for it
  std::thread thread_;  // started by the first start()
};

}  // namespace headlight::app
