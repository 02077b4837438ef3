// Undo and redo of every change. Changes that follow closely in the same field become one step. At most
// 500 steps and 64 MiB of sentences are kept. Tested in tests/scene/undo_test.cpp.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "scene/scene.h"

namespace headlight::scene {

class Undo {
 public:
  /// `before` is the scene before the change. `label` names what changed (a drag of one slider, typing in one
  /// field): a push with the same non-empty label within `merge_seconds` of the last one does not start a new
  /// step.
  void push(const Scene& before, const std::string& label, double now);
  /// The scene to return to, or nothing at the end. `current` moves to the other stack.
  std::optional<Scene> undo(const Scene& current);
  std::optional<Scene> redo(const Scene& current);
  std::size_t undo_steps() const { return past_.size(); }
  std::size_t redo_steps() const { return future_.size(); }

 private:
  static constexpr std::size_t limit = 500;
  static constexpr double merge_seconds = 1.0;
  std::deque<Scene> past_, future_;
  std::string label_;
  double time_ = -1e9;
};

/// Takes from `current` the fields that undo does not change: the open page, and the look of the interface.
void keep_surroundings(Scene& scene, const Scene& current);

/// Names of the fields in which two scenes differ, separated by ','.
std::string difference(const Scene& a, const Scene& b);

}  // namespace headlight::scene
