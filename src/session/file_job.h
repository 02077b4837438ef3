// A file that is made in the background: a figure, an animation, the numbers behind a page. One at a time, on
// its own thread. The window waits for it only when the program ends, until `make` checks whether to
// continue. Tested in tests/session/file_job_test.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/parallel.h"
#include "base/result.h"

namespace headlight::app {

/// For a sequence, the first and the last file, else one file twice; for the clipboard, only the bytes.
struct MadeFile {
  std::filesystem::path first, last;
  std::string bytes;
};

class FileJob {
 public:
  /// Makes the file. `keep_going` receives the fraction done and returns false to stop the work. The function
  /// owns everything it uses.
  using Make = std::function<base::Result<MadeFile>(base::Parallel& parallel,
                                                    const std::function<bool(float)>& keep_going)>;
  struct Work {
    std::string what;     // "the animation", for errors
    std::string smaller;  // advice when memory is short: "use fewer or smaller frames"
    Make make;
    int threads = 0;  // for `parallel`; 0: one for each core
  };

  /// `changed` is called from the worker when the fraction changed or the file is done.
  explicit FileJob(std::function<void()> changed = [] {});
  ~FileJob();
  FileJob(const FileJob&) = delete;
  FileJob& operator=(const FileJob&) = delete;

  /// False: another file is still being made. If no thread can be started, the work ends at once with an
  /// error.
  bool start(Work work);
  /// The work ends soon, with an error that says so.
  void stop() { wanted_ = false; }
  bool running() const;
  float fraction() const { return fraction_; }
  /// The result, once.
  std::optional<base::Result<MadeFile>> take();
  /// Waits until nothing runs. For scripts and tests.
  void wait() const;
  /// The same, but no longer than `most`: a file that is made quickly is ready in the frame that requested
  /// it.
  void wait_for(std::chrono::milliseconds most) const;

 private:
  void make(const Work& work);
  void end(base::Result<MadeFile> made);

  std::function<void()> changed_;
  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  bool running_ = false;
  std::optional<base::Result<MadeFile>> done_;
  std::atomic<bool> wanted_{false};
  std::atomic<float> fraction_{0};
  std::thread thread_;  // of the newest work
};

}  // namespace headlight::app
