// Which widget has the keyboard? Tab and Shift+Tab go through the widgets in the order in which they are
// drawn, and round at the ends; a click gives focus to what it hits, and takes it away when it hits no
// widget. The ring shows only once the keyboard was used. While a popup is open only its widgets take part.
// Tested in tests/screen/widgets_test.cpp.
#pragma once

#include <imgui.h>

#include <vector>

namespace headlight::screen {

class Focus {
 public:
  void begin();
  /// A widget of this frame, in drawing order; true when it has the focus. `uses_arrows`: while it has the
  /// focus the arrow keys are its own.
  bool add(ImGuiID id, bool uses_arrows = false);
  /// Before end(): `steps` is +1 for Tab, −1 for Shift+Tab, 0 otherwise; `clicked`: the left button went
  /// down.
  void end(int steps, bool clicked);

  void take(ImGuiID id, bool by_keyboard);
  void clear() { current_ = 0; }
  void push_layer() { ++layer_; }  // a popup begins
  void pop_layer() { --layer_; }
  /// After end(): every popup that began has ended, and the widget in focus is one of this frame that can
  /// have it.
  bool sound() const;

  bool has(ImGuiID id) const { return current_ == id && id != 0; }
  bool any() const { return current_ != 0; }
  /// The widget in focus wants the arrow keys; otherwise they are the page's.
  bool uses_arrows() const { return current_ != 0 && uses_arrows_; }
  bool ring(ImGuiID id) const { return has(id) && by_keyboard_; }
  /// Space and Enter are for the widget in focus, the one with the ring. What only was clicked leaves them
  /// alone.
  bool presses() const { return current_ != 0 && by_keyboard_; }
  /// True once for a widget that Tab has just reached: it scrolls itself into view.
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
