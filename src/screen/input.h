// How does input reach the interface without getting lost? GLFW callbacks, scripts and the headless renderer
// all push events into one queue. apply() passes them to ImGui 1.86 frame by frame, in order, and holds back
// events that would hide an earlier one (a press and its release between two frames, a move after a click).
// The app reads the same frame's key presses and clicks with their modifiers. Positions are pixels of ImGui's
// display, y down. Tested by tests/screen/input_test.cpp.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace headlight::screen {

/// Letters, digits and signs are named by the character they type in the current layout, not by their
/// position (keyboard.h), so that Ctrl+Z is the key that types a z.
enum class Key : std::uint8_t {
  none,
  a,
  b,
  c,
  d,
  e,
  f,
  g,
  h,
  i,
  j,
  k,
  l,
  m,
  n,
  o,
  p,
  q,
  r,
  s,
  t,
  u,
  v,
  w,
  x,
  y,
  z,
  digit_0,
  digit_1,
  digit_2,
  digit_3,
  digit_4,
  digit_5,
  digit_6,
  digit_7,
  digit_8,
  digit_9,
  plus,
  equal,
  minus,
  comma,
  period,
  slash,
  left_bracket,
  right_bracket,
  space,
  enter,
  keypad_enter,
  tab,
  escape,
  backspace,
  del,
  insert,
  left,
  right,
  up,
  down,
  page_up,
  page_down,
  home,
  end,
  f1,
  f2,
  f3,
  f4,
  f5,
  f6,
  f7,
  f8,
  f9,
  f10,
  f11,
  f12,
  ctrl,
  shift,
  alt,
  super,
  count
};
inline constexpr std::size_t key_count = static_cast<std::size_t>(Key::count);

struct Mods {
  bool ctrl = false, shift = false, alt = false, super = false;
  bool operator==(const Mods&) const = default;
};
inline constexpr Mods ctrl_only{true, false, false, false};
inline constexpr Mods shift_only{false, true, false, false};
inline constexpr Mods ctrl_shift{true, true, false, false};
inline constexpr Mods alt_only{false, false, true, false};

struct KeyPress {
  Key key = Key::none;
  Mods mods;
  bool repeated = false;  // the key is held down
};

struct Click {
  int button = 0;  // 0 left, 1 right, 2 middle; reported at the press, not at the release
  ImVec2 at;
  Mods mods;
};

class InputQueue {
 public:
  // Input events. Each may be called any number of times between two frames.
  void mouse_move(float x, float y);
  void mouse_leave();
  void mouse_button(int button, bool down);
  void wheel(float dx, float dy);
  /// `down` for a key that is already down is a keyboard repeat.
  void key(Key key, bool down);
  /// A typed character. Control characters are dropped: Enter, Tab and Backspace are keys.
  void character(char32_t code_point);
  /// Types every character of `utf8`.
  void type(std::string_view utf8);
  /// Losing the focus releases every key and button that is down.
  void focus(bool focused);

  /// Applied to each typed character before ImGui, whose characters have 16 bits; none: unchanged.
  void set_character_map(std::function<char32_t(char32_t)> map) { character_map_ = std::move(map); }

  /// Tells ImGui how our keys are numbered; call it once per ImGui context.
  static void attach(ImGuiIO& io);
  /// Call it once before each ImGui::NewFrame().
  void apply(ImGuiIO& io);
  /// Events remain for the next frame: draw it soon.
  bool pending() const { return !events_.empty(); }

  // The events of the frame, valid from apply() to the next apply(). The caller checks whether a text field
  // uses the key instead (io.WantTextInput).
  /// Returns whether the key was pressed with exactly these modifiers. Arrows, Page Up and Down, plus, equal,
  /// minus, Backspace and Delete are reported again while they are held.
  bool pressed(Key key, Mods mods = {}) const;
  std::span<const KeyPress> presses() const { return presses_; }
  std::span<const Click> clicks() const { return clicks_; }
  bool down(Key key) const { return keys_down_[static_cast<std::size_t>(key)]; }
  Mods mods() const;

 private:
  enum class Kind : std::uint8_t { move, button, wheel, key, character, focus };
  struct Event {
    Kind kind;
    float x = 0, y = 0;
    int button = 0;
    bool down = false;
    Key key = Key::none;
    char32_t code_point = 0;
  };
  struct FrameState;
  bool take(const Event& event, FrameState& frame, ImGuiIO& io);
  bool take_key(const Event& event, FrameState& frame, ImGuiIO& io);
  void release_all(ImGuiIO& io);

  std::deque<Event> events_;
  std::array<bool, key_count> keys_down_{};
  std::vector<KeyPress> presses_;
  std::vector<Click> clicks_;
  std::function<char32_t(char32_t)> character_map_;
};

}  // namespace headlight::screen
