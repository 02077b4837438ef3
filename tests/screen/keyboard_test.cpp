#include "screen/keyboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

namespace headlight::screen {
namespace {

TEST(Keyboard, ShortcutsFollowTheLetterNotThePosition) {
  // AZERTY: the key at QWERTY's W types a z; QWERTZ: the one at Y does.
  EXPECT_EQ(key_from_glfw(GLFW_KEY_W, "z", false, false), Key::z);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_Z, "w", false, false), Key::w);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_Y, "z", false, false), Key::z);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_SEMICOLON, "m", false, false), Key::m);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_Q, "q", true, false), Key::q);
}

TEST(Keyboard, LayoutsWithoutLatinLettersGoByPosition) {
  EXPECT_EQ(key_from_glfw(GLFW_KEY_Z, "я", false, false), Key::z);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_A, nullptr, false, false), Key::a);
}

TEST(Keyboard, DigitRow) {
  EXPECT_EQ(key_from_glfw(GLFW_KEY_0, "0", false, false), Key::digit_0);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_1, "&", false, false), Key::digit_1);  // AZERTY
  EXPECT_EQ(key_from_glfw(GLFW_KEY_6, "-", false, false), Key::minus);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_6, "-", true, false), Key::digit_6);
}

TEST(Keyboard, SignsAndKeypad) {
  EXPECT_EQ(key_from_glfw(GLFW_KEY_EQUAL, "=", false, false), Key::equal);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_RIGHT_BRACKET, "+", false, false), Key::plus);  // QWERTZ
  EXPECT_EQ(key_from_glfw(GLFW_KEY_KP_ADD, "+", false, true), Key::plus);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_KP_SUBTRACT, "-", false, true), Key::minus);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_KP_4, "4", false, true), Key::digit_4);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_KP_4, "4", false, false), Key::left);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_KP_ENTER, nullptr, false, false), Key::keypad_enter);
}

TEST(Keyboard, TheRest) {
  EXPECT_EQ(key_from_glfw(GLFW_KEY_F1, nullptr, false, false), Key::f1);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_F12, nullptr, false, false), Key::f12);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_RIGHT_CONTROL, nullptr, false, false), Key::ctrl);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_RIGHT_ALT, nullptr, false, false), Key::none);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_PAGE_DOWN, nullptr, false, false), Key::page_down);
  EXPECT_EQ(key_from_glfw(GLFW_KEY_UNKNOWN, nullptr, false, false), Key::none);
}

}  // namespace
}  // namespace headlight::screen
