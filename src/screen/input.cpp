#include "screen/input.h"

#include <cfloat>
#include <utility>

#include "base/utf8.h"

namespace headlight::screen {
namespace {

constexpr int mouse_buttons = 5;  // as many as ImGuiIO::MouseDown has

std::size_t index(Key key) {
  return static_cast<std::size_t>(key);
}

bool is_modifier(Key key) {
  return key >= Key::ctrl && key <= Key::super;
}

// Keys that type a character: a text field receives the character event, not the key.
bool is_printable(Key key) {
  return key >= Key::a && key <= Key::space;
}

bool repeats(Key key) {
  return (key >= Key::left && key <= Key::page_down) || key == Key::plus || key == Key::equal ||
         key == Key::minus || key == Key::backspace || key == Key::del;
}

}  // namespace

// What this frame has taken so far, which determines what would hide it.
struct InputQueue::FrameState {
  bool moved = false, wheeled = false, typed = false, key_changed = false;
  bool pressed = false;  // a key other than a modifier went down
  int characters = 0;    // characters still expected from its press and repeats
  unsigned buttons = 0;  // bits of the buttons that changed
  std::array<bool, key_count> keys{};
  bool anything() const { return moved || wheeled || typed || buttons || key_changed || any_key; }
  bool any_key = false;
};

void InputQueue::mouse_move(float x, float y) {
  // Consecutive moves are merged.
  if (!events_.empty() && events_.back().kind == Kind::move) events_.pop_back();
  events_.push_back({.kind = Kind::move, .x = x, .y = y});
}

void InputQueue::mouse_leave() {
  mouse_move(-FLT_MAX, -FLT_MAX);
}

void InputQueue::mouse_button(int button, bool down) {
  if (button >= 0 && button < mouse_buttons)
    events_.push_back({.kind = Kind::button, .button = button, .down = down});
}

void InputQueue::wheel(float dx, float dy) {
  events_.push_back({.kind = Kind::wheel, .x = dx, .y = dy});
}

void InputQueue::key(Key key, bool down) {
  if (key != Key::none && key < Key::count) events_.push_back({.kind = Kind::key, .down = down, .key = key});
}

void InputQueue::character(char32_t code_point) {
  if (code_point >= 0x20 && code_point != 0x7f)
    events_.push_back({.kind = Kind::character, .code_point = code_point});
}

void InputQueue::type(std::string_view utf8) {
  for (char32_t c : base::to_utf32(utf8)) character(c);
}

void InputQueue::focus(bool focused) {
  events_.push_back({.kind = Kind::focus, .down = focused});
}

void InputQueue::attach(ImGuiIO& io) {
  const std::pair<ImGuiKey_, Key> map[] = {
      {ImGuiKey_Tab, Key::tab},
      {ImGuiKey_LeftArrow, Key::left},
      {ImGuiKey_RightArrow, Key::right},
      {ImGuiKey_UpArrow, Key::up},
      {ImGuiKey_DownArrow, Key::down},
      {ImGuiKey_PageUp, Key::page_up},
      {ImGuiKey_PageDown, Key::page_down},
      {ImGuiKey_Home, Key::home},
      {ImGuiKey_End, Key::end},
      {ImGuiKey_Insert, Key::insert},
      {ImGuiKey_Delete, Key::del},
      {ImGuiKey_Backspace, Key::backspace},
      {ImGuiKey_Space, Key::space},
      {ImGuiKey_Enter, Key::enter},
      {ImGuiKey_Escape, Key::escape},
      {ImGuiKey_KeyPadEnter, Key::keypad_enter},
      {ImGuiKey_A, Key::a},
      {ImGuiKey_C, Key::c},
      {ImGuiKey_V, Key::v},
      {ImGuiKey_X, Key::x},
      {ImGuiKey_Y, Key::y},
      {ImGuiKey_Z, Key::z},
  };
  for (auto [theirs, ours] : map) io.KeyMap[theirs] = static_cast<int>(ours);
}

void InputQueue::apply(ImGuiIO& io) {
  presses_.clear();
  clicks_.clear();
  FrameState frame;
  while (!events_.empty() && take(events_.front(), frame, io)) events_.pop_front();
}

// Returns false if the event, and everything after it, must wait for the next frame.
bool InputQueue::take(const Event& event, FrameState& frame, ImGuiIO& io) {
  switch (event.kind) {
    case Kind::move:
      if (frame.buttons || frame.wheeled) return false;
      io.MousePos = {event.x, event.y};
      frame.moved = true;
      return true;
    case Kind::button: {
      // After a move, ImGui needs a frame to determine what is hovered.
      unsigned bit = 1u << event.button;
      if ((frame.buttons & bit) || frame.moved || frame.wheeled || frame.any_key || frame.typed) return false;
      if (event.down && !io.MouseDown[event.button]) clicks_.push_back({event.button, io.MousePos, mods()});
      io.MouseDown[event.button] = event.down;
      frame.buttons |= bit;
      return true;
    }
    case Kind::wheel:
      if (frame.buttons || frame.moved) return false;
      io.MouseWheelH += event.x;
      io.MouseWheel += event.y;
      frame.wheeled = true;
      return true;
    case Kind::key:
      return take_key(event, frame, io);
    case Kind::character: {
      if (frame.key_changed || frame.buttons) return false;
      if (frame.pressed && frame.characters-- <= 0) return false;  // it belongs to another key
      char32_t c = character_map_ ? character_map_(event.code_point) : event.code_point;
      io.AddInputCharacter(static_cast<unsigned>(c));
      frame.typed = true;
      return true;
    }
    case Kind::focus:
      if (frame.anything()) return false;  // a press just before the focus is lost still counts
      io.AddFocusEvent(event.down);
      if (!event.down) release_all(io);
      return true;
  }
  return true;
}

// A frame takes one key press, with the character that it types and no character of another key: what a key
// opens, closes or leaves has changed before the next key arrives. For example, the "/" that moves the focus
// to the sentence is not typed into it, and the letter after it does not act on the page. Fast typing costs
// one frame per letter. A key that edits (an arrow, Ctrl+A) must not share a frame with the characters around
// it either, because ImGui would not know their order.
bool InputQueue::take_key(const Event& event, FrameState& frame, ImGuiIO& io) {
  Key key = event.key;
  Mods held = mods();
  bool repeated = event.down && keys_down_[index(key)];
  if (repeated) {  // ImGui repeats by itself; repeats must not accumulate while frames are slow
    if (repeats(key)) presses_.push_back({key, held, true});
    ++frame.characters;
    return true;
  }
  bool accompanies = is_printable(key) && !held.ctrl && !held.alt && !held.super;
  if (frame.keys[index(key)] || frame.buttons || frame.wheeled) return false;
  if (!accompanies && (frame.typed || frame.key_changed)) return false;
  const bool presses = event.down && !is_modifier(key);
  if (presses && (frame.pressed || frame.typed || frame.key_changed)) return false;
  if (presses) frame.pressed = true, ++frame.characters;
  if (event.down) presses_.push_back({key, held, false});
  keys_down_[index(key)] = event.down;
  io.KeysDown[index(key)] = event.down;
  frame.keys[index(key)] = true;
  frame.any_key = true;
  if (is_modifier(key)) {
    Mods now = mods();
    io.KeyCtrl = now.ctrl, io.KeyShift = now.shift, io.KeyAlt = now.alt, io.KeySuper = now.super;
  } else if (!accompanies) {
    frame.key_changed = true;
  }
  return true;
}

void InputQueue::release_all(ImGuiIO& io) {
  keys_down_.fill(false);
  for (bool& down : io.KeysDown) down = false;
  for (bool& down : io.MouseDown) down = false;
  io.KeyCtrl = io.KeyShift = io.KeyAlt = io.KeySuper = false;
}

bool InputQueue::pressed(Key key, Mods mods) const {
  for (const KeyPress& press : presses_)
    if (press.key == key && press.mods == mods) return true;
  return false;
}

Mods InputQueue::mods() const {
  return {down(Key::ctrl), down(Key::shift), down(Key::alt), down(Key::super)};
}

}  // namespace headlight::screen
