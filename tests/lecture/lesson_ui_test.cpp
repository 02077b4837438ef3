// A lesson in the real interface: a clicker, Space, Esc and Enter, answers, controls at hand, the list, and a
// view that becomes a step.
#include <gmock/gmock.h>

#include <fstream>

#include "app/program.h"

namespace headlight::app {
namespace {

using scene::Scene;
using screen::Key;

constexpr const char* small = R"({"headlight_lesson": 1, "title": "Small", "steps": [
  {"title": "One", "words": "w", "controls": ["temperature", "mask"], "notes": "say it"},
  {"title": "Two", "scene": {"mask": "causal"}, "predict": {"ask": "?", "hide": ["card map", "card bars"]},
   "reveal": "so"},
  {"title": "Three", "scene": {"head": [2]}, "question": {"ask": "?", "choices": ["a", "b"], "answer": 2}},
  {"title": "Four", "scene": {"page": "position"}, "highlight": ["card clocks"]}]})";

class Lessons : public tests::ProgramTest {
 protected:
  Lessons() {
    std::ofstream(folder_ / "small.json") << small;
    start({});
    shell_->lessons().folder = folder_.path();
  }

  void play() {
    shell_->lessons().open("small", now_);
    pilot_.frames(20);
  }
  LessonPlayer& player() { return shell_->lessons().player(); }
};

TEST_F(Lessons, AClickerGoesForwardsAndBack) {
  play();
  EXPECT_EQ(player().step(), 0);
  pilot_.key(Key::page_down);
  EXPECT_EQ(player().step(), 1);
  EXPECT_TRUE(player().covered());
  pilot_.key(Key::right);  // the answer of a prediction is shown before the lesson goes on
  EXPECT_EQ(player().step(), 1);
  EXPECT_FALSE(player().covered());
  pilot_.key(Key::right);
  EXPECT_EQ(player().step(), 2);
  EXPECT_EQ(scene().head, (scene::IndexList{2}));
  pilot_.key(Key::page_up);
  pilot_.key(Key::left);
  EXPECT_EQ(player().step(), 0);
  pilot_.key(Key::page_up);
  EXPECT_EQ(player().step(), 0);
  pilot_.key(Key::end);
  EXPECT_EQ(player().step(), 3);
  pilot_.key(Key::page_down);
  EXPECT_EQ(player().step(), 3);
  EXPECT_EQ(scene().page, scene::Page::position);
  pilot_.key(Key::home);
  EXPECT_EQ(scene(), player().scene_of(0));
}

TEST_F(Lessons, TheBarsAreAwayAndTheButtonsWork) {
  play();
  EXPECT_FALSE(pilot_.on_screen("top/sentence"));
  EXPECT_FALSE(pilot_.on_screen("settings/Strength"));
  done(pilot_.click("lesson/next step"));
  EXPECT_EQ(player().step(), 1);
  // The button that was clicked does not keep Space for itself.
  pilot_.key(Key::space);
  EXPECT_EQ(player().step(), 1);
  EXPECT_FALSE(player().covered());
  done(pilot_.click("lesson/step 4"));
  EXPECT_EQ(player().step(), 3);
  done(pilot_.click("lesson/previous step"));
  EXPECT_EQ(player().step(), 2);
}

TEST_F(Lessons, WhatIsCoveredCannotBeReadOrClicked) {
  play();
  pilot_.key(Key::page_down);
  pilot_.frames(20);
  ASSERT_TRUE(player().covered());
  EXPECT_TRUE(shell_->page().not_on_page().empty());
  const Scene before = scene();
  done(pilot_.click("page/map 1", 0.5f / 6, 3.5f / 6));
  EXPECT_EQ(scene(), before);
  done(pilot_.hover("page/map 1"));
  EXPECT_EQ(shell_->page().hover().mark.part, draw::Part::none);
  pilot_.key(Key::space);
  EXPECT_FALSE(player().covered());
  done(pilot_.click("page/map 1", 0.5f / 6, 3.5f / 6));
  EXPECT_NE(scene(), before);
}

TEST_F(Lessons, APredictionIsTypedBeforeTheAnswerAndStays) {
  play();
  pilot_.key(Key::page_down);
  pilot_.frames(20);
  done(pilot_.click("lesson/prediction"));
  pilot_.type("row 2 of A");  // Space and digits belong to the field
  EXPECT_TRUE(player().covered());
  EXPECT_EQ(player().step(), 1);
  pilot_.key(Key::enter);
  EXPECT_FALSE(player().covered());
  EXPECT_EQ(player().guess(), "row 2 of A");
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("lesson/prediction"));
  pilot_.key(Key::page_down);  // the keys are the lesson's again
  EXPECT_EQ(player().step(), 2);
  EXPECT_EQ(player().guess(), "");
  pilot_.key(Key::page_up);
  EXPECT_EQ(player().guess(), "row 2 of A");
}

/// Nobody has to click into the field; and a space is no prediction.
TEST_F(Lessons, APredictionIsTypedWithoutAClickAndNoKeyDoesAnythingElse) {
  play();
  pilot_.key(Key::page_down);
  pilot_.frames(20);
  const Scene before = scene();
  pilot_.type("3 of b");
  EXPECT_EQ(player().guess(), "3 of b");
  EXPECT_EQ(scene(), before);
  EXPECT_TRUE(player().covered());
  EXPECT_EQ(player().step(), 1);
  pilot_.key(Key::enter);
  EXPECT_FALSE(player().covered());
  pilot_.key(Key::page_up);
  play();  // again from the start
  pilot_.key(Key::page_down);
  pilot_.frames(20);
  done(pilot_.click("lesson/prediction"));
  pilot_.type(" ");
  pilot_.frames(2);
  EXPECT_FALSE(player().covered());
  EXPECT_EQ(player().guess(), "");
}

TEST_F(Lessons, APointerThatRestsMarksNothingOnTheSlide) {
  play();
  done(pilot_.hover("page/map 1", 0.3f, 0.3f));
  pilot_.frames(2);
  EXPECT_NE(shell_->page().hover().mark.part, draw::Part::none);
  now_ += 3;
  pilot_.frames(2);
  EXPECT_EQ(shell_->page().hover().mark.part, draw::Part::none);
  done(pilot_.hover("page/map 1", 0.6f, 0.6f));
  pilot_.frames(2);
  EXPECT_NE(shell_->page().hover().mark.part, draw::Part::none) << "it moves again";
}

TEST_F(Lessons, EscExploresAndEnterComesBackExactly) {
  play();
  pilot_.key(Key::page_down);
  const Scene exact = scene();
  pilot_.key(Key::escape);
  EXPECT_FALSE(player().exploring()) << "the laboratory would show the answer";
  pilot_.key(Key::space);
  pilot_.key(Key::escape);
  EXPECT_TRUE(player().exploring());
  open_settings();
  done(pilot_.drag("settings/Strength", 0.5f, 0.9f));
  done(pilot_.click("rail/Theory"));
  EXPECT_EQ(scene().page, scene::Page::cost);
  pilot_.key(Key::enter);
  EXPECT_TRUE(player().playing());
  EXPECT_EQ(player().step(), 1);
  EXPECT_EQ(scene(), exact);
}

TEST_F(Lessons, EscClosesOneThingAtATimeAndNeverLeavesTheLesson) {
  width_ = 1280, height_ = 720;
  play();
  pilot_.key(Key::escape);
  ASSERT_TRUE(player().exploring());
  pilot_.frames(3);
  Scene with_cell = scene();
  with_cell.query = {2}, with_cell.key = 1;
  session_->change(with_cell, "", now_);
  done(pilot_.click("tabs/scene mask"));
  pilot_.frames(3);
  pilot_.key(Key::k, screen::ctrl_only);
  pilot_.frames(3);
  ASSERT_TRUE(pilot_.on_screen("palette/query"));
  // What was opened last is closed first: the card, the settings, then the cell, then its query.
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("palette/query"));
  EXPECT_EQ(shell_->escape_does(), Escape::settings);
  EXPECT_EQ(scene().key, 1);
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("settings/Strength"));
  EXPECT_EQ(scene().key, 1);
  EXPECT_EQ(shell_->escape_does(), Escape::selection);
  pilot_.key(Key::escape);
  EXPECT_EQ(scene().key, -1);
  EXPECT_EQ(scene().query, (scene::IndexList{2}));
  for (int i = 0; i < 6; ++i) pilot_.key(Key::escape);
  EXPECT_EQ(shell_->escape_does(), Escape::nothing);
  EXPECT_TRUE(player().exploring()) << "only its button leaves a lesson";
  pilot_.key(Key::f5);
  pilot_.key(Key::escape);
  EXPECT_FALSE(shell_->presenter().open());
  EXPECT_TRUE(player().exploring());
}

/// A list of heads has a control, too: a chip for each head that there is.
TEST_F(Lessons, AStepCanGiveTheChoiceOfAHead) {
  std::ofstream(folder_ / "small.json") << R"({"headlight_lesson": 1, "title": "Small", "steps": [
    {"title": "One", "scene": {"heads": 4, "head": [1]}, "controls": ["head"]}]})";
  play();
  EXPECT_TRUE(pilot_.on_screen("lesson/controls/head 4"));
  EXPECT_FALSE(pilot_.on_screen("lesson/controls/head 5"));
  done(pilot_.click("lesson/controls/head 3"));
  EXPECT_EQ(scene().head, (scene::IndexList{3}));
}

TEST_F(Lessons, TheControlsOfAStepAreAtHandAndArrowsStayTheSteps) {
  play();
  EXPECT_TRUE(pilot_.on_screen("lesson/controls/Temperature"));
  EXPECT_TRUE(pilot_.on_screen("lesson/controls/mask causal"));
  EXPECT_FALSE(pilot_.on_screen("lesson/controls/Heads"));
  done(pilot_.drag("lesson/controls/Temperature", 0.5f, 0.9f));
  EXPECT_NE(scene().temperature, 1);
  // A slider that was dragged has the focus; the arrow is still the lecture's.
  pilot_.key(Key::right);
  EXPECT_EQ(player().step(), 1);
  pilot_.key(Key::left);
  EXPECT_EQ(scene().temperature, 1);
  pilot_.frames(3);
  // By the keyboard the slider has it.
  for (int i = 0; i < 40 && !shell_->ui().focus.uses_arrows(); ++i) pilot_.key(Key::tab);
  ASSERT_TRUE(shell_->ui().focus.uses_arrows());
  pilot_.key(Key::right);
  EXPECT_EQ(player().step(), 0);
  EXPECT_NE(scene().temperature, 1);
  pilot_.key(Key::page_down);
  EXPECT_EQ(player().step(), 1);
}

TEST_F(Lessons, QuestionsAreAnsweredByClickOrLetter) {
  play();
  pilot_.key(Key::page_down);
  pilot_.key(Key::page_down);  // reveals
  pilot_.key(Key::page_down);
  pilot_.frames(20);
  pilot_.key(Key::b);
  EXPECT_EQ(player().chosen(), 1);
  done(pilot_.click("lesson/choice 1"));
  EXPECT_EQ(player().chosen(), 1);
}

TEST_F(Lessons, NotesAreShownOnDemand) {
  play();
  EXPECT_FALSE(player().notes_shown);
  pilot_.key(Key::n);
  EXPECT_TRUE(player().notes_shown);
  done(pilot_.click("lesson/notes"));
  EXPECT_FALSE(player().notes_shown);
}

/// The lecturer's notes tell the answer: in the window of the class they wait for it.
TEST_F(Lessons, NotesWaitWhileAnAnswerIsCovered) {
  play();
  for (int i = 0; i < 12 && !player().covered(); ++i) pilot_.key(Key::page_down);
  ASSERT_TRUE(player().covered());
  pilot_.key(Key::n);
  EXPECT_FALSE(player().notes_shown);
  EXPECT_NE(session_->message().find("covered"), std::string::npos);
  pilot_.key(Key::space);
  EXPECT_FALSE(player().covered());
  pilot_.key(Key::n);
  EXPECT_TRUE(player().notes_shown);
}

TEST_F(Lessons, UndoStaysWithinTheStep) {
  play();
  pilot_.key(Key::page_down);
  const Scene exact = scene();
  pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene(), exact);
  pilot_.key(Key::space);
  done(pilot_.click("page/query 5"));
  EXPECT_NE(scene(), exact);
  pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene(), exact);
}

TEST_F(Lessons, TheListOpensLessonsAndLeavingBringsOnesOwnSceneBack) {
  done(pilot_.fill("top/sentence", "my own words"));
  const Scene own = scene();
  done(pilot_.click("rail/Learn"));
  pilot_.frames(3);
  EXPECT_TRUE(pilot_.on_screen("lessons/Small")) << pilot_.inventory();
  done(pilot_.click("lessons/Small"));
  EXPECT_TRUE(player().playing());
  pilot_.frames(3);
  EXPECT_EQ(scene().sentence, Scene{}.sentence);
  done(pilot_.click("lesson/leave lesson"));
  EXPECT_FALSE(player().open());
  Scene before = own;
  before.page = scene::Page::worked;  // which the rail opened under the list
  EXPECT_EQ(scene(), before);
  pilot_.frames(3);
  EXPECT_TRUE(pilot_.on_screen("lessons/Small")) << "it was chosen there";
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("lessons/Small"));
}

/// Tab and scroll position are those of before the lesson, whatever its steps showed.
TEST_F(Lessons, LeavingReturnsToTheTabAndTheLineOfThePage) {
  width_ = 1280, height_ = 640;
  scene::Scene cost;
  cost.page = scene::Page::cost;
  start(cost);
  shell_->lessons().folder = folder_.path();
  pilot_.frames(6);
  done(pilot_.click("page/screens", 0.9f));
  pilot_.frames(6);
  const float line = shell_->page().first_line();
  ASSERT_GT(line, 100);
  const KeptView view = shell_->kept_view();
  play();
  pilot_.key(Key::end);
  pilot_.frames(6);
  EXPECT_EQ(shell_->kept_view(), view) << "what the next start brings back";
  done(pilot_.click("lesson/leave lesson"));
  pilot_.frames(12);
  EXPECT_EQ(scene(), session_->scene());
  EXPECT_EQ(scene().page, scene::Page::cost);
  EXPECT_EQ(shell_->page().first_line(), line);
  EXPECT_EQ(shell_->kept_view(), view);
  // The same where the lesson goes on after a restart of the program.
  start(cost);
  shell_->lessons().folder = folder_.path();
  play();
  shell_->bring_back(view);
  pilot_.frames(6);
  EXPECT_EQ(shell_->kept_view(), view);
  done(pilot_.click("lesson/leave lesson"));
  pilot_.frames(12);
  EXPECT_EQ(shell_->page().first_line(), line);
  EXPECT_FALSE(pilot_.on_screen("lessons/Small"));
  // Another page that is opened at once is at its own top.
  start(cost);
  shell_->lessons().folder = folder_.path();
  shell_->bring_back(view);
  scene::Scene other = cost;
  other.page = scene::Page::order;
  pilot_.frames(1);
  session_->change(other, "", now_);
  session_->wait();
  pilot_.frames(12);
  EXPECT_EQ(shell_->page().first_line(), 0);
  // A lesson that was chosen in the list is left to it, after a restart, too.
  start(cost);
  shell_->lessons().folder = folder_.path();
  play();
  shell_->lessons().leave_to_list(true);
  EXPECT_TRUE(shell_->lessons().chosen_in_list());
  done(pilot_.click("lesson/leave lesson"));
  pilot_.frames(3);
  EXPECT_TRUE(pilot_.on_screen("lessons/Small"));
}

TEST_F(Lessons, AHiddenCellCoversTheOtherCardsOfItsWeight) {
  std::ofstream(folder_ / "cell.json") << R"({"headlight_lesson": 1, "title": "Cell", "steps": [
    {"title": "1", "predict": {"ask": "?", "hide": ["cell 2 1"]}, "reveal": "so"}]})";
  shell_->lessons().open("cell", now_);
  pilot_.frames(3);
  const std::vector<std::string> also = shell_->lessons().overlay(now_).hide_with;
  EXPECT_THAT(also, testing::IsSupersetOf({"card bars", "card cell", "card heads"}));
  EXPECT_THAT(also, testing::Not(testing::Contains("card map")));
}

TEST_F(Lessons, TheListIsInThePlaceOfThePageUntilOneIsOpened) {
  const auto listed = [&] { return pilot_.on_screen("lessons/Small"); };
  const auto open = [&] {
    done(pilot_.click("rail/Learn"));
    pilot_.frames(3);
    EXPECT_TRUE(listed());
  };
  open();
  EXPECT_FALSE(pilot_.on_screen("page/step 1")) << "the page itself is not drawn";
  EXPECT_FALSE(pilot_.on_screen("settings/pin")) << "nothing is set there";
  const Scene before = scene();
  for (const Key key : {Key::left, Key::right, Key::space, Key::v, Key::digit_1}) pilot_.key(key);
  EXPECT_EQ(scene(), before) << "keys do not act on a page that is not seen";
  done(pilot_.click("tabs/Worked example"));  // the page that was open already
  pilot_.frames(3);
  EXPECT_FALSE(listed());
  EXPECT_TRUE(pilot_.on_screen("page/step 1")) << pilot_.inventory();
  open();
  pilot_.key(Key::f, screen::ctrl_only);  // as does what is chosen in the palette
  pilot_.frames(3);
  pilot_.type("worked example");
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_FALSE(listed());
  open();
  done(pilot_.click("rail/Explore"));
  pilot_.frames(3);
  EXPECT_FALSE(listed());
  open();
  // A copy is made by the button on the tile, and the tile is not pressed with it.
  done(pilot_.click("lessons/edit small"));
  pilot_.frames(3);
  EXPECT_TRUE(shell_->lessons().writing());
  EXPECT_FALSE(player().open());
  EXPECT_FALSE(listed());
}

TEST_F(Lessons, AViewBecomesAStep) {
  done(pilot_.click("page/head 3"));
  open_settings();
  done(pilot_.drag("settings/Strength", 0.5f, 0.9f));
  const Scene seen = scene();
  pilot_.key(Key::k, screen::ctrl_only);
  pilot_.frames(3);
  pilot_.type("add this view");
  pilot_.key(Key::enter);
  pilot_.frames(3);
  done(pilot_.click("add view/lessons/A new lesson"));
  pilot_.frames(2);
  done(pilot_.fill("add view/lesson", "Mine"));
  done(pilot_.fill("add view/title", "Look at head 3"));
  done(pilot_.fill("add view/words", "It is [special]."));
  done(pilot_.click("add view/add"));
  pilot_.frames(3);
  shell_->lessons().open("mine", now_);
  pilot_.frames(5);
  ASSERT_TRUE(player().playing()) << session_->message();
  EXPECT_EQ(player().lesson().title, "Mine");
  EXPECT_EQ(player().current().title, "Look at head 3");
  EXPECT_EQ(scene(), seen);
  EXPECT_TRUE(pilot_.on_screen("lesson/controls/Strength"));
}

TEST_F(Lessons, ALessonThatCannotBeReadIsSaidAndNothingElseHappens) {
  std::ofstream(folder_ / "bad.json") << R"({"headlight_lesson": 1, "title": "B", "steps": [{"title": 3}]})";
  const Scene before = scene();
  shell_->lessons().open("bad", now_);
  EXPECT_FALSE(player().open());
  EXPECT_THAT(session_->message(), testing::HasSubstr("bad.json: step 1: title: expected text, found 3"));
  EXPECT_EQ(scene(), before);
}

/// The picture is of a kept step, and the slider goes from one to the next.
TEST_F(Lessons, TheSliderOfTheStepShownStopsAtKeptSteps) {
  std::ofstream(folder_ / "film.json") << R"({"headlight_lesson": 1, "title": "Film", "steps": [
    {"title": "One", "controls": ["training_shown_step"], "scene": {"page": "training",
     "training_steps": 200, "training_batch": 2, "training_d": 16, "training_heads": 2, "training_layers": 1,
     "training_length": 6, "training_compare": "nothing", "training_shown_step": 102}}]})";
  shell_->lessons().open("film", now_);
  pilot_.frames(5);
  session_->training().start(scene().training);
  session_->wait();
  pilot_.frames(5);
  const auto run = session_->training().latest();
  ASSERT_TRUE(run);
  std::vector<int> kept;
  for (const scene::FilmFrame& frame : run->runs.front().film) kept.push_back(frame.step);
  ASSERT_EQ(kept.back(), 200);
  ASSERT_THAT(kept, testing::Not(testing::Contains(101))) << "not every step is kept";
  const std::string slider = "lesson/controls/Step shown";
  for (const float to : {0.21f, 0.5f, 0.83f, 1.f}) {
    done(pilot_.drag(slider, 0.4f, to));
    EXPECT_THAT(kept, testing::Contains(scene().training.shown_step)) << to;
  }
  EXPECT_EQ(scene().training.shown_step, 200);
  done(pilot_.drag(slider, 1.f, 0.f));
  EXPECT_EQ(scene().training.shown_step, -1) << "the newest";
}

TEST_F(Lessons, TheWindowDrawsOnWhileAStepComesInAndThenRests) {
  play();
  pilot_.frames(30);
  EXPECT_FALSE(shell_->moving());
  shell_->lessons().player().next(now_);
  frame();
  EXPECT_TRUE(shell_->moving());
  pilot_.frames(30);
  EXPECT_FALSE(shell_->moving());
}

TEST_F(Lessons, SmallWindowsAndLargeScalesPlayEveryStep) {
  for (const auto& [w, h, scale] :
       {std::tuple{640, 400, 1.0}, {1280, 720, 2.0}, {1600, 1000, 2.0}, {3840, 2160, 1.0}}) {
    width_ = w, height_ = h;
    Scene next = scene();
    next.interface_scale = scale;
    session_->change(next, "", now_);
    play();
    for (int step = 0; step < player().steps(); ++step) {
      pilot_.frames(3);
      EXPECT_TRUE(pilot_.on_screen("lesson/next step")) << w << " " << scale;
      pilot_.key(Key::page_down);
    }
    player().leave(now_);
  }
}

}  // namespace
}  // namespace headlight::app
