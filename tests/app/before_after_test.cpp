// Before and after in the window: the sides by key and by click, and what is said of each.
#include <gmock/gmock.h>

#include <iterator>

#include "desk_program.h"
#include "draw/record_canvas.h"
#include "kit/page_input.h"

namespace headlight::app {
namespace {

using scene::Page;
using scene::Scene;
using screen::ctrl_only;
using screen::Key;
using testing::HasSubstr;
using testing::Not;

class BeforeAndAfter : public tests::DeskTest {};

TEST_F(BeforeAndAfter, AreOnEveryPage) {
  press(Key::b);
  ASSERT_TRUE(pilot_.on_screen("compare/side/A before"));
  find("heads 8");
  pilot_.frames(2);
  press(Key::b);
  EXPECT_EQ(shell_->desk().compare().side(*session_).results().scene.heads, 4);
  EXPECT_EQ(session_->scene().heads, 8);
  for (int page = 0; page < static_cast<int>(std::size(scene::Words<Page>::list)); ++page) {
    press(Key::page_down, ctrl_only);
    EXPECT_TRUE(pilot_.on_screen("compare/side/A before")) << word(scene().page);
  }
  EXPECT_EQ(scene().page, Page::attention);
  done(pilot_.click("compare/side/B − A"));
  pilot_.frames(2);
  EXPECT_TRUE(shell_->desk().compare().shows_change(*session_));
  done(pilot_.click("compare/side/B after"));
  pilot_.frames(2);
  EXPECT_EQ(shell_->desk().compare().side(*session_).results().scene.heads, 8);
  done(pilot_.click("compare/stop comparing"));
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("compare/side/A before"));
}

/// All that the window says of a side is of that side.
TEST_F(BeforeAndAfter, BeforeShowsItsOwnSentenceTokensAndSettings) {
  Scene old = scene();
  old.sentence = "one old sentence", old.query = {1}, old.key = 0;
  session_->change(old, "", now_);
  session_->wait();
  press(Key::b);
  Scene next = scene();
  next.sentence = "two new words are here now", next.query = {4}, next.key = 3, next.mask.causal = true;
  session_->change(next, "", now_);
  session_->wait();
  pilot_.frames(3);
  press(Key::b);
  pilot_.frames(3);
  Session& before = shell_->desk().compare().side(*session_);
  before.wait();
  pilot_.frames(3);
  const views::PageInput in = shell_->page().input(before, draw::theme(true));
  draw::RecordCanvas canvas;
  const views::PageView& view = page_info(scene().page).view;
  view.draw(canvas, {0, 0, 1200, 900}, in);
  std::string all = view.status(in) + "\n" + view.question(in);
  for (const auto& text : canvas.texts) all += "\n" + text.words;
  EXPECT_THAT(all, HasSubstr("old"));
  for (const char* word : {"new", "words", "here", "now"}) EXPECT_THAT(all, Not(HasSubstr(word)));
  // The sentence cannot be changed there.
  done(pilot_.click("top/sentence"));
  pilot_.type("x");
  EXPECT_EQ(scene().sentence, next.sentence);
  EXPECT_EQ(shell_->desk().compare().side(*session_).scene().sentence, old.sentence);
  EXPECT_THAT(session_->message(), HasSubstr("cannot be changed"));
}

TEST_F(BeforeAndAfter, WhatIsSaidOfACopyFadesOnEitherSide) {
  Scene cell = scene();
  cell.query = {2}, cell.key = 1;
  session_->change(cell, "", now_);
  session_->wait();
  pilot_.frames(3);
  for (const bool before : {false, true}) {
    if (before) press(Key::b), press(Key::b);
    pilot_.frames(3);
    EXPECT_EQ(shell_->desk().compare().shows_before(*session_), before);
    clipboard_.clear();
    done(pilot_.click("page/copy latex"));
    EXPECT_FALSE(clipboard_.empty());
    EXPECT_THAT(session_->message(), HasSubstr("copied the arithmetic"));
    EXPECT_LT(session_->due_in(now_), 13);
    pilot_.frames(13 * 60);
    EXPECT_EQ(session_->message(), "");
  }
}

TEST_F(BeforeAndAfter, ASideIsLeftWhileItIsShown) {
  press(Key::b);
  find("heads 8");
  pilot_.frames(2);
  press(Key::b);
  ASSERT_TRUE(shell_->desk().compare().shows_before(*session_));
  done(pilot_.click("tabs/Positions"));
  pilot_.frames(2);
  EXPECT_EQ(scene().page, Page::position) << "a tab turns the page for both sides";
  EXPECT_EQ(shell_->desk().compare().side(*session_).scene().page, Page::position);
  EXPECT_EQ(session_->message(), "kept as “before”; B switches between before and after");
  press(Key::page_up, ctrl_only);
  done(pilot_.click("compare/keep B"));
  pilot_.frames(3);
  ASSERT_TRUE(shell_->desk().compare().active());
  EXPECT_EQ(shell_->desk().compare().side(*session_).results().scene.heads, 8);
  press(Key::b);
  ASSERT_TRUE(shell_->desk().compare().shows_before(*session_));
  done(pilot_.click("compare/stop comparing"));
  pilot_.frames(3);
  EXPECT_FALSE(shell_->desk().compare().active());
}

}  // namespace
}  // namespace headlight::app
