#include "screen/keyboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace headlight::screen {
namespace {

Key offset(Key first, int by) {
  return static_cast<Key>(static_cast<int>(first) + by);
}

// Returns the key that types `name`, if that is one of our ASCII characters.
Key from_name(const char* name) {
  if (!name || !name[0] || name[1]) return Key::none;
  char c = name[0];
  if (c >= 'a' && c <= 'z') return offset(Key::a, c - 'a');
  if (c >= 'A' && c <= 'Z') return offset(Key::a, c - 'A');
  if (c >= '0' && c <= '9') return offset(Key::digit_0, c - '0');
  switch (c) {
    case '+':
      return Key::plus;
    case '=':
      return Key::equal;
    case '-':
      return Key::minus;
    case ',':
      return Key::comma;
    case '.':
      return Key::period;
    case '/':
      return Key::slash;
    case '[':
      return Key::left_bracket;
    case ']':
      return Key::right_bracket;
    default:
      return Key::none;
  }
}

// Returns the key by its position on a US keyboard, for keys whose character we do not use.
Key from_position(int key) {
  if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return offset(Key::a, key - GLFW_KEY_A);
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return offset(Key::digit_0, key - GLFW_KEY_0);
  switch (key) {
    case GLFW_KEY_EQUAL:
      return Key::equal;
    case GLFW_KEY_MINUS:
      return Key::minus;
    case GLFW_KEY_COMMA:
      return Key::comma;
    case GLFW_KEY_PERIOD:
      return Key::period;
    case GLFW_KEY_SLASH:
      return Key::slash;
    case GLFW_KEY_LEFT_BRACKET:
      return Key::left_bracket;
    case GLFW_KEY_RIGHT_BRACKET:
      return Key::right_bracket;
    default:
      return Key::none;
  }
}

Key from_function(int key) {
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return offset(Key::f1, key - GLFW_KEY_F1);
  switch (key) {
    case GLFW_KEY_SPACE:
      return Key::space;
    case GLFW_KEY_ENTER:
      return Key::enter;
    case GLFW_KEY_KP_ENTER:
      return Key::keypad_enter;
    case GLFW_KEY_TAB:
      return Key::tab;
    case GLFW_KEY_ESCAPE:
      return Key::escape;
    case GLFW_KEY_BACKSPACE:
      return Key::backspace;
    case GLFW_KEY_DELETE:
      return Key::del;
    case GLFW_KEY_INSERT:
      return Key::insert;
    case GLFW_KEY_LEFT:
      return Key::left;
    case GLFW_KEY_RIGHT:
      return Key::right;
    case GLFW_KEY_UP:
      return Key::up;
    case GLFW_KEY_DOWN:
      return Key::down;
    case GLFW_KEY_PAGE_UP:
      return Key::page_up;
    case GLFW_KEY_PAGE_DOWN:
      return Key::page_down;
    case GLFW_KEY_HOME:
      return Key::home;
    case GLFW_KEY_END:
      return Key::end;
    case GLFW_KEY_LEFT_CONTROL:
    case GLFW_KEY_RIGHT_CONTROL:
      return Key::ctrl;
    case GLFW_KEY_LEFT_SHIFT:
    case GLFW_KEY_RIGHT_SHIFT:
      return Key::shift;
    case GLFW_KEY_LEFT_ALT:
      return Key::alt;  // the right one types characters (AltGr) on many layouts
    case GLFW_KEY_LEFT_SUPER:
    case GLFW_KEY_RIGHT_SUPER:
      return Key::super;
    default:
      return Key::none;
  }
}

Key from_keypad(int key, bool num_lock) {
  if (key == GLFW_KEY_KP_ADD) return Key::plus;
  if (key == GLFW_KEY_KP_SUBTRACT) return Key::minus;
  if (key == GLFW_KEY_KP_DIVIDE) return Key::slash;
  if (key == GLFW_KEY_KP_EQUAL) return Key::equal;
  if (key == GLFW_KEY_KP_DECIMAL) return num_lock ? Key::period : Key::del;
  if (key < GLFW_KEY_KP_0 || key > GLFW_KEY_KP_9) return Key::none;
  int digit = key - GLFW_KEY_KP_0;
  if (num_lock) return offset(Key::digit_0, digit);
  constexpr Key moves[10] = {Key::insert, Key::end,   Key::down, Key::page_down, Key::left,
                             Key::none,   Key::right, Key::home, Key::up,        Key::page_up};
  return moves[digit];
}

}  // namespace

Key key_from_glfw(int glfw_key, const char* name, bool shift, bool num_lock) {
  if (Key key = from_function(glfw_key); key != Key::none) return key;
  if (glfw_key >= GLFW_KEY_KP_0 && glfw_key <= GLFW_KEY_KP_EQUAL) return from_keypad(glfw_key, num_lock);
  bool digit_row = glfw_key >= GLFW_KEY_0 && glfw_key <= GLFW_KEY_9;
  if (digit_row && shift) return from_position(glfw_key);  // AZERTY: Shift types the digit
  Key named = from_name(name);
  return named != Key::none ? named : from_position(glfw_key);
}

}  // namespace headlight::screen
