#include "screen/text_edit.h"

#include <gtest/gtest.h>

namespace headlight::screen {
namespace {

TextEdit with(std::string_view text) {
  TextEdit edit;
  edit.set_text(text);
  edit.to_end(false);
  return edit;
}

TEST(TextEdit, EmojiAndChineseSurviveEditing) {
  TextEdit edit = with("hi 😀 猫");
  edit.insert("!");
  EXPECT_EQ(edit.text(), "hi 😀 猫!");
  edit.erase_backward(false);
  edit.erase_backward(false);
  EXPECT_EQ(edit.text(), "hi 😀 ");
  edit.erase_backward(false);
  edit.erase_backward(false);
  EXPECT_EQ(edit.text(), "hi ");
}

TEST(TextEdit, TheCaretStepsOverWholeCharacters) {
  TextEdit edit = with("a👩‍👩‍👧e\u0301b");
  edit.backward(false, false);
  edit.backward(false, false);
  EXPECT_EQ(edit.text().substr(edit.caret()), "e\u0301b");
  edit.erase_backward(false);
  EXPECT_EQ(edit.text(), "ae\u0301b") << "a family is one character";
  edit.erase_forward(false);
  EXPECT_EQ(edit.text(), "ab");
}

TEST(TextEdit, WordsAndSelection) {
  TextEdit edit = with("the cat sat");
  edit.backward(true, true);
  EXPECT_EQ(edit.selected(), "sat");
  edit.insert("slept");
  EXPECT_EQ(edit.text(), "the cat slept");
  EXPECT_EQ(edit.caret(), edit.anchor());
  edit.select_word(5);
  EXPECT_EQ(edit.selected(), "cat");
  edit.backward(false, false);
  EXPECT_EQ(edit.caret(), 4u) << "an arrow ends a selection at its side";
  edit.erase_backward(true);
  EXPECT_EQ(edit.text(), "cat slept");
  edit.to_start(false);
  edit.forward(true, false);
  EXPECT_EQ(edit.caret(), 4u);
  edit.select_all();
  edit.erase_forward(false);
  EXPECT_EQ(edit.text(), "");
  edit.backward(false, false);
  edit.erase_backward(true);
  edit.select_word(3);
  EXPECT_EQ(edit.caret(), 0u);
}

TEST(TextEdit, PastedLinesBecomeOneLine) {
  TextEdit edit = with("");
  edit.insert("one\ntwo\tthree\r\x01\x7F");
  EXPECT_EQ(edit.text(), "one two three");
}

TEST(TextEdit, TextFromElsewhereKeepsTheCaret) {
  TextEdit edit = with("the cat");
  edit.place(4, false);
  edit.set_text("the dog");
  EXPECT_EQ(edit.caret(), 4u);
  edit.set_text("猫");
  EXPECT_EQ(edit.caret(), 3u);
  edit.set_text("\xFF");
  EXPECT_EQ(edit.text(), "\uFFFD");
}

TEST(TextEdit, AMarkThatIsTypedJoinsItsLetter) {
  TextEdit edit = with("ab");
  edit.place(1, false);
  edit.insert("\u0301");
  EXPECT_EQ(edit.caret(), 3u);
  edit.erase_backward(false);
  EXPECT_EQ(edit.text(), "b");
}

}  // namespace
}  // namespace headlight::screen
