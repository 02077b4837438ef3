// Which widget has the keyboard focus? Tab and Shift+Tab go through the widgets in drawing order and wrap
// around at the ends. A click gives focus to the widget that it hits, and removes the focus if it hits none.
// The ring shows only after the keyboard was used. While a popup is open, only its widgets take part. Tested
// in tests/screen/widgets_test.cpp.
#pragma once

#include <imgui.h>

#include <vector>

namespace headlight::screen {

class Focus {
 public:
  void begin();
  /// Adds a widget of this frame, in drawing order; returns true if it has the focus. `uses_arrows`: while it
  /// has the focus, it receives the arrow keys.
  bool add(ImGuiID id, bool uses_arrows = false);
  /// Call it at the end of the frame. `steps` is +1 for Tab, −1 for Shift+Tab, 0 otherwise; `clicked`: the
  /// left button was pressed.
  void end(int steps, bool clicked);

  void take(ImGuiID id, bool by_keyboard);
  void clear() { current_ = 0; }
  void push_layer() { ++layer_; }  // a popup begins
  void pop_layer() { --layer_; }
  /// For after end(): returns whether every popup that began has ended, and the focused widget belongs to
  /// this frame and can have the focus.
  bool sound() const;

  bool has(ImGuiID id) const { return current_ == id && id != 0; }
  bool any() const { return current_ != 0; }
  /// Returns whether the focused widget uses the arrow keys; otherwise the page gets them.
  bool uses_arrows() const { return current_ != 0 && uses_arrows_; }
  bool ring(ImGuiID id) const { return has(id) && by_keyboard_; }
  /// Returns whether Space and Enter go to the focused widget, the one with the ring. A widget focused only
  /// by a click does not receive them.
  bool presses() const { return current_ != 0 && by_keyboard_; }
  /// Returns true once for a widget that Tab has just reached, so that it scrolls into view.
  bool arrived(ImGuiID id);

 private:
  struct Entry {
    ImGuiID id;
    int layer;
  };
  std::vector<Entry> order_;
  ImGuiID current_ = 0, arrived_ = 0;
  int layer_ = 0;
  bool by_keyboard_ = false, uses_arrows_ = false, taken_ = false;
};

}  // namespace headlight::screen
