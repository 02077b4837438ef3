// The lesson editor in the real interface: a lesson of three steps made by clicks and typing alone, cards and
// numbers picked on the page, what does not hold and one click that mends it, steps, undo, the preview.
#include <gmock/gmock.h>

#include "lesson_editor_program.h"
#include "support/sanitized.h"

namespace headlight::app::lesson_editor_test {
namespace {

using scene::Scene;
using screen::Key;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(Editor, ALessonOfThreeStepsIsMadeByClicksAndTyping) {
  done(pilot_.click("page/head 2"));
  begin();
  done(pilot_.fill("editor/lesson title", "Heads differ"));
  done(pilot_.fill(at("title"), "One head"));
  done(pilot_.fill(at("words 1"), "It is"));
  // A number of the page, clicked.
  done(pilot_.click(at("insert number")));
  pilot_.frames(2);
  done(pilot_.click("page/map 2", 0.5f / 6, 0.5f / 6));
  pilot_.frames(3);
  EXPECT_THAT(step().words,
              ElementsAre(testing::MatchesRegex("It is .0\\.[0-9]+ = weight head=2 query=0 key=0.")));
  pilot_.type(".");
  EXPECT_THAT(step().words.front(), testing::EndsWith("key=0}."));
  // The picture frames another cell: a click mends that.
  settled();
  done(pilot_.click(at("frame cell")));
  settled();
  EXPECT_EQ(scene().query, (scene::IndexList{0}));
  EXPECT_EQ(scene().key, 0);
  EXPECT_FALSE(pilot_.on_screen(at("frame cell")));
  // The next view.
  done(pilot_.click("page/head 3"));
  pilot_.key(Key::b, screen::ctrl_only);
  pilot_.frames(2);
  done(pilot_.drag("settings/Strength", 0.5f, 0.9f));
  const Scene second = scene();
  done(pilot_.click("editor/add view"));
  pilot_.frames(3);
  EXPECT_EQ(editor().draft().step(), 1);
  EXPECT_EQ(scene(), second);
  pilot_.type("Another head");
  EXPECT_EQ(step().title, "Another head");
  EXPECT_THAT(step().controls, ElementsAre("position_scale"));
  pilot_.key(Key::b, screen::ctrl_only);
  pilot_.frames(2);
  // And one of another page, which has a question.
  done(pilot_.click("tabs/Positions"));
  pilot_.frames(3);
  done(pilot_.click("editor/add view"));
  pilot_.frames(3);
  EXPECT_EQ(editor().draft().step(), 2);
  EXPECT_THAT(step().controls, IsEmpty());
  done(pilot_.click(at("question")));
  pilot_.frames(3);
  done(pilot_.fill(at("question ask"), "Which?"));
  done(pilot_.fill(at("choice 1"), "this"));
  done(pilot_.fill(at("choice 2"), "that"));
  done(pilot_.click(at("right 2")));
  pilot_.frames(3);
  saved();
  const scene::Lesson disk = on_disk();
  EXPECT_EQ(disk.title, "Heads differ");
  ASSERT_EQ(disk.steps.size(), 3u);
  EXPECT_EQ(disk.steps[2].question->answer, 2);
  EXPECT_THAT(disk.steps[2].question->choices, ElementsAre("this", "that"));
  EXPECT_EQ(disk, scene::finished(lesson()));
  // Done gives one's own view back, and the lesson plays.
  done(pilot_.click("editor/done"));
  pilot_.frames(3);
  EXPECT_FALSE(editor().open());
  EXPECT_EQ(scene().page, scene::Page::attention);
  EXPECT_EQ(scene().head, (scene::IndexList{2}));
  shell_->lessons().open("my-lesson", now_);
  pilot_.frames(3);
  ASSERT_TRUE(shell_->lessons().player().playing()) << session_->message();
  session_->wait();
  pilot_.frames(2);
  EXPECT_THAT(shell_->lessons().player().untrue(), IsEmpty());
  shell_->lessons().player().next(now_);
  EXPECT_EQ(scene(), second);
}

TEST_F(Editor, WhatDoesNotHoldIsMarkedAndOneClickMendsIt) {
  begin();
  done(pilot_.fill(at("words 1"), "It is {0.99 = weight head=1 query=2 key=1} here."));
  settled();
  ASSERT_TRUE(pilot_.on_screen(at("take 1 0 1"))) << pilot_.inventory();
  done(pilot_.click(at("take 1 0 1")));
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen(at("take 1 0 1")));
  EXPECT_THAT(step().words.front(), testing::Not(HasSubstr("0.99")));
  EXPECT_THAT(step().words.front(), HasSubstr(" = weight head=1 query=2 key=1} here."));
  pilot_.key(Key::z, screen::ctrl_only);
  pilot_.frames(3);
  EXPECT_THAT(step().words.front(), HasSubstr("0.99"));
  EXPECT_TRUE(pilot_.on_screen(at("take 1 0 1")));
}

TEST_F(Editor, NumbersThatThePageWritesBecomeClaims) {
  Scene pinned = scene();
  pinned.query = {2}, pinned.key = 1, pinned.head = {1};
  session_->change(pinned, "", now_);
  pilot_.frames(2);
  begin();
  done(pilot_.click(at("pick fact")));
  pilot_.frames(2);
  std::vector<std::string> numbers;
  for (const auto& [name, item] : recorder_.items) {
    if (name.starts_with("page/number ") && pilot_.on_screen(name)) numbers.push_back(name);
  }
  ASSERT_GE(numbers.size(), 4u) << pilot_.inventory();
  std::size_t claims = 0;
  for (const std::string& name : numbers) {
    if (!pilot_.on_screen(at("pick fact"))) break;
    if (claims > 0) {
      done(pilot_.click(at("pick fact")));
      pilot_.frames(2);
    }
    done(pilot_.click(name));
    pilot_.frames(2);
    ASSERT_EQ(step().facts.size(), ++claims) << name;
    if (claims == 3) break;
  }
  settled();
  const auto& results = session_->results();
  for (const std::string& fact : step().facts) {
    const auto claim = scene::parse_claim(fact);
    ASSERT_TRUE(claim) << fact;
    EXPECT_TRUE(scene::holds(*claim, {scene(), results})) << fact;
  }
}

TEST_F(Editor, CardsAreShownLargeOrCoveredByClickingThem) {
  begin();
  done(pilot_.click(at("focus/pick")));
  pilot_.frames(2);
  const Scene before = scene();
  done(pilot_.click("page/card map", 0.5f, 0.5f));
  pilot_.frames(2);
  EXPECT_THAT(step().focus, ElementsAre("card map"));
  EXPECT_EQ(scene(), before);  // a click is only for the lesson
  done(pilot_.click("page/card bars", 0.5f, 0.5f));
  done(pilot_.click("page/card map", 0.5f, 0.5f));
  pilot_.frames(2);
  EXPECT_THAT(step().focus, ElementsAre("card bars"));
  pilot_.key(Key::escape);
  pilot_.frames(2);
  done(pilot_.click("page/head 2"));
  EXPECT_NE(scene(), before);
  // By the keyboard or a click: the chip of the card.
  done(pilot_.click(at("focus/card bars")));
  pilot_.frames(2);
  EXPECT_THAT(step().focus, IsEmpty());
  done(pilot_.click(at("predict")));
  pilot_.frames(2);
  done(pilot_.fill(at("predict ask"), "What next?"));
  done(pilot_.click(at("hide/card map")));
  done(pilot_.fill(at("reveal 1"), "This."));
  pilot_.frames(2);
  ASSERT_TRUE(step().predict);
  EXPECT_THAT(step().predict->hide, ElementsAre("card map"));
  EXPECT_THAT(step().reveal, ElementsAre("This."));
}

TEST_F(Editor, APartIsCoveredByClickingIt) {
  begin();
  done(pilot_.click(at("predict")));
  pilot_.frames(2);
  done(pilot_.click(at("hide/pick")));
  pilot_.frames(2);
  const Scene before = scene();
  done(pilot_.click("page/query 2"));
  pilot_.frames(2);
  EXPECT_THAT(step().predict->hide, ElementsAre("row 2"));
  done(pilot_.click("page/map 1", 0.01f, 0.01f));
  pilot_.frames(2);
  EXPECT_THAT(step().predict->hide, ElementsAre("row 2", "cell 0 0"));
  done(pilot_.click("page/query 2"));
  pilot_.frames(2);
  EXPECT_THAT(step().predict->hide, ElementsAre("cell 0 0"));
  EXPECT_EQ(scene(), before) << "a click is only for the lesson";
}

TEST_F(Editor, ANumberFromThePageIsFramedWhereItStands) {
  begin();
  done(pilot_.click(at("insert number")));
  pilot_.frames(2);
  done(pilot_.click("page/map 1", 0.01f, 0.01f));
  pilot_.frames(2);
  ASSERT_FALSE(step().words.empty());
  EXPECT_NE(step().words.front().find("query=0 key=0"), std::string::npos) << step().words.front();
  EXPECT_THAT(step().highlight, ElementsAre("cell 0 0"));
}

TEST_F(Editor, StepsAreMovedDuplicatedDeletedAndBroughtBack) {
  begin();
  done(pilot_.fill(at("title"), "First"));
  done(pilot_.click("page/head 3"));
  done(pilot_.click("editor/add view"));
  pilot_.frames(3);
  done(pilot_.fill(at("title"), "Second"));
  const Scene second = scene();
  done(pilot_.click("editor/move up"));
  pilot_.frames(3);
  EXPECT_EQ(lesson().steps[0].title, "Second");
  EXPECT_EQ(editor().draft().step(), 0);
  EXPECT_EQ(scene(), second);
  done(pilot_.click("editor/duplicate"));
  pilot_.frames(3);
  EXPECT_EQ(editor().draft().steps(), 3);
  EXPECT_EQ(editor().draft().step(), 1);
  EXPECT_EQ(scene(), second);
  done(pilot_.click("editor/steps/step 3"));
  pilot_.frames(3);
  EXPECT_EQ(step().title, "First");
  EXPECT_NE(scene(), second);
  done(pilot_.click("editor/delete"));
  pilot_.frames(3);
  EXPECT_EQ(editor().draft().steps(), 2);
  done(pilot_.click("editor/undo"));
  pilot_.frames(3);
  EXPECT_EQ(editor().draft().steps(), 3);
  EXPECT_EQ(lesson().steps[2].title, "First");
  // A step gets the page as it is now.
  done(pilot_.click("page/query 4"));
  pilot_.frames(2);
  const Scene now = scene();
  done(pilot_.click("editor/update step"));
  pilot_.frames(3);
  EXPECT_EQ(scene::views_of(lesson(), folder_.path())[static_cast<std::size_t>(editor().draft().step())],
            now);
}

/// Letters are for the texts, also where none has the focus; arrows and keys with Ctrl do what they do.
TEST_F(Editor, LettersChangeNothingOnThePage) {
  begin();
  pilot_.key(Key::escape);
  pilot_.frames(2);
  ASSERT_FALSE(shell_->ui().typing());
  const Scene before = scene();
  for (const Key letter : {Key::m, Key::s, Key::digit_2, Key::t, Key::slash}) pilot_.key(letter);
  pilot_.frames(3);
  EXPECT_TRUE(scene() == before);
  EXPECT_FALSE(shell_->ui().typing());
  pilot_.key(Key::down);
  pilot_.frames(3);
  EXPECT_FALSE(scene() == before) << "the pinned token is walked on";
}

TEST_F(Editor, ParagraphsAreSplitByEnterAndJoinedByBackspace) {
  begin();
  done(pilot_.fill(at("words 1"), "one two"));
  for (int i = 0; i < 4; ++i) pilot_.key(Key::left);
  pilot_.key(Key::enter);
  pilot_.frames(4);
  EXPECT_THAT(step().words, ElementsAre("one", " two"));
  pilot_.type("x");
  EXPECT_THAT(step().words, ElementsAre("one", "x two"));
  pilot_.key(Key::backspace);
  pilot_.key(Key::backspace);
  pilot_.frames(4);
  EXPECT_THAT(step().words, ElementsAre("one two"));
  pilot_.type("!");
  EXPECT_THAT(step().words, ElementsAre("one! two"));
}

TEST_F(Editor, PlayStartsAtTheBeginningAndEscComesBackToTheStepPlayed) {
  begin();
  done(pilot_.click("page/head 3"));
  done(pilot_.click("editor/add view"));
  pilot_.frames(3);
  const Scene second = scene();
  done(pilot_.click("editor/play"));
  pilot_.frames(20);
  ASSERT_TRUE(shell_->lessons().player().playing());
  EXPECT_EQ(shell_->lessons().player().step(), 0);
  EXPECT_FALSE(pilot_.on_screen("editor/done"));
  pilot_.key(Key::page_down);
  pilot_.frames(20);
  EXPECT_EQ(scene(), second);
  pilot_.key(Key::escape);
  pilot_.frames(4);
  EXPECT_FALSE(shell_->lessons().player().open());
  ASSERT_TRUE(editor().open());
  EXPECT_EQ(editor().draft().step(), 1);
  EXPECT_TRUE(pilot_.on_screen("editor/done"));
}

TEST_F(Editor, WhoOnlyLooksAtThePreviewIsBackWhereTheLessonWasEdited) {
  begin();
  done(pilot_.click("page/head 3"));
  done(pilot_.click("editor/add view"));
  pilot_.frames(3);
  done(pilot_.click("page/head 2"));  // not in the step yet
  pilot_.frames(3);
  const Scene there = scene();
  for (const bool button : {false, true}) {
    done(pilot_.click("editor/play"));
    pilot_.frames(20);
    ASSERT_TRUE(shell_->lessons().player().playing());
    if (button) {
      done(pilot_.click("lesson/leave lesson"));
    } else {
      pilot_.key(Key::escape);
    }
    pilot_.frames(4);
    ASSERT_TRUE(editor().open());
    EXPECT_EQ(editor().draft().step(), 1);
    EXPECT_EQ(scene(), there);
  }
}

TEST_F(Editor, TheButtonThatAddsAViewStaysUnderThePointer) {
  begin();
  const auto place = [&] { return recorder_.items.at("editor/add view").from; };
  const ImVec2 before = place();
  for (int i = 0; i < 5; ++i) {
    done(pilot_.click("editor/add view"));
    pilot_.frames(4);
    EXPECT_EQ(place().x, before.x);
    EXPECT_EQ(place().y, before.y) << i;
  }
  EXPECT_EQ(editor().draft().steps(), 6);
}

TEST_F(Editor, RunningClocksTakeNoUndoFromTheTexts) {
  Scene clocks = scene();
  clocks.page = scene::Page::position, clocks.positions.play = true;
  session_->change(clocks, "", now_);
  shell_->lessons().write("", 0, now_);
  pilot_.frames(3);
  done(pilot_.fill(at("title"), "Once"));
  pilot_.frames(90);
  done(pilot_.click("editor/steps/step 1"));
  pilot_.frames(60);
  ASSERT_NE(scene().positions.index, clocks.positions.index) << "they run";
  pilot_.key(Key::z, screen::ctrl_only);
  pilot_.frames(3);
  EXPECT_NE(step().title, "Once");
}

// By the keyboard a step can be moved whose scene is not on the page: then it is.
TEST_F(Editor, AStepThatIsMovedByTheKeyboardIsShown) {
  begin();
  done(pilot_.fill(at("title"), "First"));
  const Scene first = scene();
  done(pilot_.click("page/head 3"));
  done(pilot_.click("editor/add view"));
  pilot_.frames(3);
  done(pilot_.fill(at("title"), "Second"));
  done(pilot_.click("editor/steps/step 2"));
  pilot_.key(Key::tab, screen::shift_only);  // to the row above, which is not selected
  pilot_.frames(2);
  ASSERT_EQ(editor().draft().step(), 1);
  pilot_.key(Key::down, screen::alt_only);
  pilot_.frames(3);
  ASSERT_EQ(lesson().steps[1].title, "First");
  EXPECT_EQ(editor().draft().step(), 1);
  EXPECT_EQ(scene(), first);
}

TEST_F(Editor, TheRightAnswerCannotBeRemoved) {
  begin();
  done(pilot_.click(at("question")));
  pilot_.frames(3);
  done(pilot_.click(at("add choice")));
  pilot_.frames(3);
  done(pilot_.click(at("right 2")));
  pilot_.frames(3);
  EXPECT_TRUE(pilot_.on_screen(at("remove 1")) && pilot_.on_screen(at("remove 3"))) << pilot_.inventory();
  EXPECT_FALSE(pilot_.on_screen(at("remove 2")));
  done(pilot_.click(at("remove 1")));
  pilot_.frames(3);
  EXPECT_EQ(step().question->answer, 1) << "it is still the same one";
}

TEST_F(Editor, EveryIncludedLessonCanBeWrittenAtEverySizeAndNothingIsWrongInIt) {
  for (const auto& [w, h, scale] : {std::tuple{1280, 720, 1.0}, {1280, 720, 2.0}, {1600, 1000, 1.0}}) {
    if (tests::sanitized && scale < 2) continue;
    width_ = w, height_ = h;
    Scene next = scene();
    next.interface_scale = scale;
    session_->change(next, "", now_);
    shell_->lessons().write("clocks", 0, now_);
    settled();
    for (int i = 0; i < editor().draft().steps(); ++i) {
      ASSERT_TRUE(pilot_.on_screen("editor/done"));
      done(pilot_.click("editor/steps/step " + std::to_string(i + 1)));
      pilot_.frames(2);
      ASSERT_EQ(editor().draft().step(), i);
      settled();
      // A text that would be right is offered where one is wrong.
      EXPECT_THAT(pilot_.inventory(), Not(HasSubstr("/take "))) << editor().draft().current().title;
    }
    done(pilot_.click("editor/done"));
    pilot_.frames(2);
  }
}

}  // namespace
}  // namespace headlight::app::lesson_editor_test
