// What is open: the scene, its history, its results, and the file that keeps it. Knows nothing of windows, so
// that scripts and tests drive the same code as a person does.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/compute_job.h"
#include "app/cost_job.h"
#include "base/parallel.h"
#include "scene/results.h"
#include "scene/scene.h"
#include "scene/undo.h"

namespace headlight::app {

class Session {
 public:
  struct Start {
    scene::Scene scene;
    std::filesystem::path autosave;      // empty: nothing is kept
    std::function<void()> wake = [] {};  // called from other threads when there is something new to draw
    int threads = 0;                     // 0: one for each core
  };
  explicit Session(Start start);
  ~Session();

  const scene::Scene& scene() const { return scene_; }
  const scene::Results& results() const { return *results_; }
  /// Arithmetic of the pinned cell; null when nothing is pinned.
  const nn::CellTrace* cell() const { return cell_.get(); }
  /// Fraction done of a computation behind the picture; −1 when there is none.
  float busy() const;
  /// Forward passes timed on this machine, for the Cost page: started by a click, never by itself.
  CostJob& timing() { return timing_; }
  const CostJob& timing() const { return timing_; }
  /// The last thing worth saying, for the status line; empty after a while.
  const std::string& message() const { return message_; }
  void say(std::string message, double now);

  /// Makes `next` the scene, repaired where fields contradict each other. Changes with the same non-empty
  /// `label` that follow closely (one drag, one word typed) are one step of undo.
  void change(scene::Scene next, const std::string& label, double now);
  /// As change(), for what is not worth a step of its own: the position while it runs by itself.
  void advance(scene::Scene next);
  void undo(double now);
  void redo(double now);
  bool can_undo() const { return undo_.undo_steps() > 0; }
  bool can_redo() const { return undo_.redo_steps() > 0; }

  /// Once per frame: takes what was finished, starts what is needed, saves when it is time.
  void update(double now);
  /// Until nothing is being computed any more: for pictures, which cannot wait for the next frame.
  void wait();
  /// Writes the scene now, if it is not yet on disk.
  /// False, and message() says why, when that fails.
  bool save(double now);
  /// Seconds until update() has something to do by itself; a large number when nothing is due.
  double due_in(double now) const;

 private:
  void explain();

  base::Parallel parallel_;    // for what is computed at once
  base::Parallel background_;  // the job's own: nothing at once ever waits for it
  scene::Scene scene_;
  scene::Undo undo_;
  std::shared_ptr<const scene::Results> results_;
  std::shared_ptr<const scene::Results> previous_;  // its buffers serve the next computation
  std::shared_ptr<const nn::CellTrace> cell_;
  std::string asked_;  // key of the newest results or request
  bool selection_changed_ = true;
  std::filesystem::path autosave_;
  double save_at_ = -1;  // −1: everything is on disk
  bool save_failed_ = false;
  std::string message_;
  double message_until_ = 0;
  ComputeJob job_;  // after parallel_, which it uses
  CostJob timing_;
};

}  // namespace headlight::app
