// A file that is made in the background: a figure, an animation, the numbers behind a page. One at a time, on
// a thread of its own; the window waits for it only when the program ends: until `make` asks whether it is to
// go on. Tested in tests/session/file_job_test.cpp.
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

/// Of a sequence the first and the last file, else the same; of what goes to the clipboard its bytes alone.
struct MadeFile {
  std::filesystem::path first, last;
  std::string bytes;
};

class FileJob {
 public:
  /// Makes the file; `goes_on` is told the fraction done, and false stops the work. It owns what it uses.
  using Make = std::function<base::Result<MadeFile>(base::Parallel& parallel,
                                                    const std::function<bool(float)>& goes_on)>;
  struct Work {
    std::string what;     // "the animation", for errors
    std::string smaller;  // what to do where memory is short: "use fewer or smaller frames"
    Make make;
    int threads = 0;  // of `parallel`; 0: one for each core
  };

  /// `changed` is called from the worker: the fraction moved, or it is done.
  explicit FileJob(std::function<void()> changed = [] {});
  ~FileJob();
  FileJob(const FileJob&) = delete;
  FileJob& operator=(const FileJob&) = delete;

  /// False: another one still runs. Without a thread for it, it has ended at once, with an error.
  bool start(Work work);
  /// It ends soon, with an error that says so.
  void stop() { wanted_ = false; }
  bool running() const;
  float fraction() const { return fraction_; }
  /// How it ended, once.
  std::optional<base::Result<MadeFile>> take();
  /// Until nothing runs. For scripts and tests.
  void wait() const;
  /// The same, but no longer than this: what is soon made is there in the frame that asked for it.
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
  std::thread thread_;  // of the newest one
};

}  // namespace headlight::app
