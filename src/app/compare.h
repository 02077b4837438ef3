// Before and after. "Before" is a scene that was kept, computed in a session of its own that nobody edits;
// "after" is the live one. Either is shown on any page: what is computed comes from the side, what is looked
// at (the open page, the pins, the look of the interface) is the same for both. Tested in
// tests/session/document_test.cpp.
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

/// One setting in which two scenes differ, of those that results depend on.
struct ChangedSetting {
  std::string label, before, after;
};
std::vector<ChangedSetting> differences(const scene::Scene& before, const scene::Scene& after);

class Compare {
 public:
  /// `wake` is called from other threads when "before" was computed.
  explicit Compare(std::function<void()> wake = [] {}) : wake_(std::move(wake)) {}

  bool active() const { return before_ != nullptr; }
  /// A training run belongs to neither side: its page is always the live one.
  bool shows_before(const Session& live) const { return before_ && showing_before_ && !uses(live).trains; }
  void keep(const Session& live, double now);
  void drop();
  void show_before(bool on) {
    showing_before_ = on;
    showing_change_ = false;
  }
  /// On the Attention page, and there alone: after minus before.
  bool shows_change(const Session& live) const { return before_ && showing_change_ && uses(live).large_map; }
  /// In the rest of the current panel.
  void draw_change(screen::Ui& ui, screen::HeatmapPainter& maps, const Session& live);

  /// What is to be drawn and pointed at: one of the two. Lives until the next follow(), whatever is kept or
  /// dropped meanwhile.
  Session& side(Session& live) { return shows_before(live) ? *before_ : live; }

  /// Once a frame, before anything is drawn: "before" looks where "after" looks.
  void follow(const Session& live, double now);
  /// After the frame: what was pinned on "before" is pinned in the live scene; what else was changed there is
  /// taken back.
  void settle(Session& live, double now);
  /// Both sides are computed.
  bool busy() const { return before_ && before_->busy() >= 0; }
  double due_in(double now) const { return before_ ? before_->due_in(now) : 1e9; }

  /// B: keeps what there is, or shows the other side; held for a moment, only as long as it is held.
  void key_pressed(const Session& live, double now);
  void key_held(bool down, double now);

  /// The strip above the page, in the current panel: which side, what differs, and out again.
  void strip(screen::Ui& ui, draw::Box pixels, const Session& live, double now);

 private:
  static scene::PageUses uses(const Session& live) {
    return scene::room_of(live.scene().page).uses(live.scene());
  }
  std::function<void()> wake_;
  std::unique_ptr<Session> before_;
  std::vector<std::unique_ptr<Session>> replaced_;  // until nobody can look at them any more
  scene::Scene kept_, followed_;                    // as kept; as "before" was when the frame began
  bool showing_before_ = false, showing_change_ = false;
  scene::MapChange change_;
  std::uint64_t change_of_[2] = {0, 0};  // versions of the results that change_ belongs to
  std::string change_heads_;
  double pressed_at_ = -1;  // while B is down
};

}  // namespace headlight::app
