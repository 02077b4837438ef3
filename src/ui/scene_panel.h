// Is the settings panel open, and where? Sliders are the purpose of the program: where the settings alone
// determine the numbers, it is open as soon as the window has room for a third column beside the page and its
// cards. A chip, the key and Esc override that, and a pin keeps it as it is. In a narrower window it has the
// place of the column of cards. Tested in tests/app/frame_layout_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"
#include "ui/frame_layout.h"

namespace headlight::app {

/// The card of the open page with the control of this setting; empty: no card has it.
std::string_view card_with_control(const scene::Scene& scene, std::string_view setting);

/// The settings that the panel shows for this scene: those of the open page that have no control on a card.
std::vector<const char*> settings_in_panel(const scene::Scene& scene);

/// The same, of the cards on view while the panel has the place of their column (`column` = false): what the
/// cards of that column control is in the panel.
std::string_view card_on_view(const scene::Scene& scene, std::string_view setting, bool column);

class ScenePanel {
 public:
  /// The page has room for its column of cards beside the panel.
  bool column = true;
  /// The cards on view (PageArea::cards_on_view): what changes none of them is marked as such.
  std::span<const std::string> cards = {};
  /// `width` of the window in units.
  void follow(const scene::Scene& scene, float width);

  bool open() const { return open_; }
  SettingsPlace place() const {
    if (!open_) return SettingsPlace::closed;
    return beside_ ? SettingsPlace::third_column : SettingsPlace::replaces_cards;
  }
  bool pinned() const { return pinned_; }
  void toggle() { by_chip_ = !open_, requested_ = !open_; }
  /// A chip was pressed: opens the panel at this setting; a second press closes it.
  void show(const char* field);
  /// True if Esc closes the panel: it was opened by hand.
  bool closes() const { return open_ && by_chip_ && !pinned_; }
  /// Esc: returns true if it closed a panel that was opened by hand. A panel that is pinned, or open without
  /// it, stays.
  bool dismiss();
  void pin() { pinned_ = !pinned_, requested_ = open_; }
  /// The state that the pin holds, open or closed; nothing without a pin.
  std::optional<bool> held() const { return pinned_ ? std::optional(open_) : std::nullopt; }
  /// Pins the panel in the state that it had when the program ended.
  void hold(bool open) { pinned_ = true, requested_ = open; }
  /// The state that was chosen without a pin; nothing: the window determines it.
  std::optional<bool> by_hand() const { return pinned_ ? std::nullopt : requested_; }
  /// The panel is as it was when the program ended.
  void bring_back(bool open) { requested_ = open, by_chip_ = open; }
  /// The setting to scroll into view, once.
  std::string take_wanted();

 private:
  std::optional<bool> requested_;  // nothing: determined by the window
  bool pinned_ = false, open_ = false, beside_ = false;
  bool by_chip_ = false;
  bool stays_ = false;  // other weights were chosen while it was open: it does not close under the pointer
  scene::WeightsSource weights_ = scene::WeightsSource::random;
  std::optional<scene::Page> page_;
  std::string shown_, wanted_;
};

}  // namespace headlight::app
