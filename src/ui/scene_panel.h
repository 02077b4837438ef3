// Is the panel of settings open? Sliders are what the program is for: with random weights it is open where
// the window has room for it beside the page. A chip, the key or Esc say otherwise; one that was
// closed so comes back with other weights, and a pin keeps it as it is. Tested in
// tests/app/frame_layout_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "scene/scene.h"

namespace headlight::app {

class ScenePanel {
 public:
  /// `width` of the window in units.
  void follow(const scene::Scene& scene, float width);

  bool open() const { return open_; }
  bool pinned() const { return pinned_; }
  void toggle() { by_chip_ = !open_, asked_ = !open_; }
  /// A chip was pressed: opens the panel at this setting; pressed once more, closes it.
  void show(const char* field);
  /// What Esc closes: it was opened by hand.
  bool closes() const { return open_ && by_chip_ && !pinned_; }
  /// Esc: true when that closed what was opened by hand. A panel that is pinned, or open by itself, stays.
  bool dismiss();
  void pin() { pinned_ = !pinned_, asked_ = open_; }
  /// What the pin holds, open or closed; nothing without a pin.
  std::optional<bool> held() const { return pinned_ ? std::optional(open_) : std::nullopt; }
  /// Pinned so, as it was when the program ended.
  void hold(bool open) { pinned_ = true, asked_ = open; }
  /// The setting that is to come into view, once.
  std::string take_wanted();

 private:
  std::optional<bool> asked_;  // nothing: as the window and the weights have it
  bool pinned_ = false, open_ = false;
  bool by_chip_ = false;
  std::string shown_, wanted_;
  scene::WeightsSource weights_ = scene::WeightsSource::random;
};

}  // namespace headlight::app
