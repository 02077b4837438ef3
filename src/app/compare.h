// Before and after. "Before" is a kept scene, computed in its own session that nobody edits; "after" is the
// live one. Either can be shown on any page: the side determines the computed settings; the open page, the
// pins and the look of the interface are the same for both. Tested in tests/app/compare_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pages/attention/map_change.h"
#include "pages/page.h"
#include "screen/heatmap_painter.h"
#include "screen/widgets.h"
#include "session/session.h"

namespace headlight::app {

/// A setting that results depend on and that differs between two scenes.
struct ChangedSetting {
  std::string label, before, after;
};
std::vector<ChangedSetting> differences(const scene::Scene& before, const scene::Scene& after);

class Compare {
 public:
  /// `wake` is called from other threads when "before" is computed.
  explicit Compare(std::function<void()> wake = [] {}) : wake_(std::move(wake)) {}

  bool active() const { return before_ != nullptr; }
  /// A training run belongs to neither side: its page always shows the live one.
  bool shows_before(const Session& live) const { return before_ && showing_before_ && !uses(live).trains; }
  void keep(const Session& live, double now);
  void drop();
  /// True for the difference "after minus before", which only the Attention page shows.
  bool shows_change(const Session& live) const { return before_ && showing_change_ && uses(live).large_map; }
  /// Draws it in the rest of the current panel.
  void draw_change(screen::Ui& ui, screen::HeatmapPainter& maps, const Session& live);

  /// The side to draw and to point at. Valid until the next follow(), even if a scene is kept or dropped
  /// meanwhile.
  Session& side(Session& live) { return shows_before(live) ? *before_ : live; }

  /// Call once a frame, before anything is drawn: "before" takes over the view settings of "after".
  void follow(const Session& live, double now);
  /// Call after the frame: pins that were set on "before" are set in the live scene; other changes of
  /// "before" are undone.
  void settle(Session& live, double now);
  /// True while "before" is being computed.
  bool busy() const { return before_ && before_->busy() >= 0; }
  double due_in(double now) const { return before_ ? before_->due_in(now) : 1e9; }

  /// B: keeps the current scene, or shows the other side; if B is held for a moment, only until it is
  /// released.
  void key_pressed(const Session& live, double now);
  void key_held(bool down, double now);

  /// The strip above the page, in the current panel: the side, the differences, and the way out.
  void strip(screen::Ui& ui, draw::Box pixels, const Session& live, double now);

 private:
  static scene::PageUses uses(const Session& live) {
    return scene::room_of(live.scene().page).uses(live.scene());
  }
  std::function<void()> wake_;
  std::unique_ptr<Session> before_;
  std::vector<std::unique_ptr<Session>> replaced_;  // until nothing can refer to them any more
  scene::Scene kept_, followed_;                    // the kept scene; "before" when the frame began
  bool showing_before_ = false, showing_change_ = false;
  scene::MapChange change_;
  std::uint64_t change_of_[2] = {0, 0};  // versions of the results that change_ belongs to
  std::string change_heads_;
  std::string stated_before_;  // the newest message of "before" that was passed on
  double pressed_at_ = -1;     // while B is pressed
};

}  // namespace headlight::app
