#include "screen/input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <string>

#include "screen/unseen_screen.h"

namespace headlight::screen {
namespace {

// Frames of ImGui without a renderer, with one text field and one button.
class InputTest : public testing::Test {
 protected:
  void frame() {
    screen.frame(400, 300, [this] {
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({400, 300});
      ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
      ImGui::InputText("text", text, sizeof text);
      field = {ImGui::GetItemRectMin().x + 5, ImGui::GetItemRectMin().y + 5};
      if (ImGui::Button("button")) ++clicks;
      button = {ImGui::GetItemRectMin().x + 5, ImGui::GetItemRectMin().y + 5};
      ImGui::End();
    });
    seen_clicks += int(input.clicks().size());
    for (const KeyPress& press : input.presses()) presses.push_back(press);
  }
  int frames_until_done() {
    int count = 0;
    do frame(), ++count;
    while (input.pending() && count < 1000);
    frame(), frame();
    return count;
  }
  void click_at(ImVec2 p) {
    input.mouse_move(p.x, p.y);
    input.mouse_button(0, true);
    input.mouse_button(0, false);
  }
  void tap(Key key) { input.key(key, true), input.key(key, false); }

  UnseenScreen screen;
  InputQueue& input = screen.input;
  char text[256] = "";
  ImVec2 field, button;
  int clicks = 0, seen_clicks = 0;
  std::vector<KeyPress> presses;
};

TEST_F(InputTest, EveryClickBetweenTwoFramesCounts) {
  frame();
  input.mouse_move(button.x, button.y);
  for (int i = 0; i < 5; ++i) input.mouse_button(0, true), input.mouse_button(0, false);
  frames_until_done();
  EXPECT_EQ(clicks, 5);
  EXPECT_EQ(seen_clicks, 5);
}

TEST_F(InputTest, AMoveAfterAClickDoesNotMoveTheClick) {
  frame();
  click_at(button);
  input.mouse_move(390, 290);
  frames_until_done();
  EXPECT_EQ(clicks, 1);
}

TEST_F(InputTest, TypingAndEditingBetweenTwoFramesKeepTheirOrder) {
  frame();
  click_at(field);
  input.type("abcdef");
  tap(Key::backspace), tap(Key::backspace), tap(Key::backspace);
  input.type("X");
  tap(Key::left), tap(Key::left);
  input.type("Y");
  tap(Key::home);
  input.type("é猫");
  frames_until_done();
  EXPECT_STREQ(text, "é猫abYcX");
}

TEST_F(InputTest, KeysThatComeWithTheirCharactersCostAboutAFrameALetter) {
  frame();
  click_at(field);
  frames_until_done();
  for (char c : std::string("the cat sat on the mat")) {
    Key key = c == ' ' ? Key::space : Key(int(Key::a) + c - 'a');
    input.key(key, true);
    input.character(char32_t(c));
    input.key(key, false);
  }
  int frames = frames_until_done();
  EXPECT_STREQ(text, "the cat sat on the mat");
  EXPECT_LE(frames, 24);
}

TEST_F(InputTest, AFrameHasOneKeyPressAndOnlyItsCharacter) {
  const auto down = [this](Key key, char32_t types = 0) {
    input.key(key, true);
    if (types != 0) input.character(types);
  };
  // Nothing is let go before the next key is down.
  down(Key::escape), down(Key::slash, U'/'), down(Key::a, U'a'), down(Key::enter), down(Key::b, U'b');
  input.character(U'ë');  // of a key that we have no name for
  std::string order;
  input.set_character_map([&](char32_t c) {
    order += c == U'ë' ? 'e' : static_cast<char>(c);
    return c;
  });
  while (input.pending()) {
    frame();
    EXPECT_LE(input.presses().size(), 1u);
    order += '|';
  }
  ASSERT_EQ(presses.size(), 5u);
  EXPECT_EQ(order, "|/|a||b|e|");
}

TEST_F(InputTest, AHeldLetterIsTypedAsOftenAsItRepeats) {
  frame();
  click_at(field);
  frames_until_done();
  for (int i = 0; i < 5; ++i) input.key(Key::a, true), input.character(U'a');
  EXPECT_EQ(frames_until_done(), 1) << "held while frames are slow, it does not pile up";
  EXPECT_STREQ(text, "aaaaa");
}

TEST_F(InputTest, SelectAllReplacesTheText) {
  frame();
  click_at(field);
  input.type("old");
  input.key(Key::ctrl, true), tap(Key::a), input.key(Key::ctrl, false);
  input.type("new");
  frames_until_done();
  EXPECT_STREQ(text, "new");
}

TEST_F(InputTest, PressedNeedsExactlyTheModifiers) {
  input.key(Key::ctrl, true);
  input.key(Key::shift, true);
  input.key(Key::z, true);
  bool both = false, one = false;
  for (int i = 0; i < 4; ++i) {
    frame();
    both = both || input.pressed(Key::z, ctrl_shift);
    one = one || input.pressed(Key::z, ctrl_only) || input.pressed(Key::z);
  }
  EXPECT_TRUE(both);
  EXPECT_FALSE(one);
}

TEST_F(InputTest, ArrowsRepeatAndLettersDoNot) {
  for (Key key : {Key::left, Key::g})
    for (int i = 0; i < 4; ++i) input.key(key, true);
  input.key(Key::left, false), input.key(Key::g, false);
  frames_until_done();
  int left = 0, g = 0, repeated = 0;
  for (const KeyPress& press : presses) {
    left += press.key == Key::left, g += press.key == Key::g;
    repeated += press.repeated;
  }
  EXPECT_EQ(left, 4);
  EXPECT_EQ(g, 1);
  EXPECT_EQ(repeated, 3);
}

TEST_F(InputTest, PressesLastOneFrame) {
  tap(Key::f5);
  frame();
  EXPECT_TRUE(input.pressed(Key::f5));
  frame();
  EXPECT_FALSE(input.pressed(Key::f5));
}

TEST_F(InputTest, LosingTheFocusReleasesEverythingButNotBeforeItWasSeen) {
  frame();
  input.key(Key::ctrl, true);
  input.key(Key::a, true);
  input.mouse_move(50, 50);
  input.mouse_button(1, true);
  input.focus(false);
  frames_until_done();
  EXPECT_EQ(seen_clicks, 1);
  EXPECT_EQ(presses.size(), 2u);
  EXPECT_FALSE(input.down(Key::ctrl) || input.down(Key::a));
  EXPECT_FALSE(ImGui::GetIO().KeyCtrl);
  EXPECT_FALSE(ImGui::IsMouseDown(1));
  tap(Key::b);
  frame();
  EXPECT_TRUE(input.pressed(Key::b));
}

TEST_F(InputTest, WheelAddsUp) {
  input.wheel(0, 1), input.wheel(0, 1), input.wheel(0.5f, 1);
  input.apply(ImGui::GetIO());
  EXPECT_FLOAT_EQ(ImGui::GetIO().MouseWheel, 3);
  EXPECT_FLOAT_EQ(ImGui::GetIO().MouseWheelH, 0.5f);
}

TEST_F(InputTest, CharactersAreMappedAndControlsDropped) {
  input.set_character_map([](char32_t c) { return c == 0x1F600 ? U'*' : c; });
  frame();
  click_at(field);
  input.type("a\t\n\x7f\xF0\x9F\x98\x80");
  frames_until_done();
  EXPECT_STREQ(text, "a*");
}

}  // namespace
}  // namespace headlight::screen
