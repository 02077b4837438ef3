// The list of lessons: its pictures, minutes and progress, and the page that was left for it.
#include <gmock/gmock.h>

#include "lesson_editor_program.h"

namespace headlight::app::lesson_editor_test {
namespace {

/// The list is in the place of a page of its own group: a lesson begins with the page that was left for it,
/// and its end is the list, with the new lesson in it.
TEST_F(Editor, ALessonThatIsBegunInTheListHasThePageThatWasLeft) {
  from_compare_to_list();
  ASSERT_TRUE(pilot_.on_screen("lessons/new lesson")) << pilot_.inventory();
  done(pilot_.click("lessons/new lesson"));
  pilot_.frames(3);
  ASSERT_TRUE(editor().open());
  EXPECT_EQ(scene().page, scene::Page::compare);
  done(pilot_.click("editor/done"));
  pilot_.frames(3);
  EXPECT_FALSE(editor().open());
  EXPECT_TRUE(pilot_.on_screen("lessons/new lesson")) << "back in the list";
  EXPECT_NE(scene().page, scene::Page::compare) << "which is under Learn";
  done(pilot_.click("lessons/add view"));
  pilot_.frames(3);
  EXPECT_EQ(scene().page, scene::Page::compare) << "this is the view that is meant";
}

/// A step opens its page at the first tab: a view of another one becomes a step with the cards of that tab.
TEST_F(Editor, AViewOfALaterTabBecomesAStepWithItsCards) {
  width_ = 1280, height_ = 720;
  for (const scene::Page page : {scene::Page::compare, scene::Page::variants, scene::Page::memory}) {
    Scene next = scene();
    next.page = page;
    session_->change(next, "", now_);
    pilot_.frames(6);
    if (!editor().open()) begin_here();
    pilot_.frames(6);
    done(pilot_.click("page/screens", 0.95f));
    pilot_.frames(6);
    const std::vector<std::string> cards = shell_->page().tab_cards(page);
    ASSERT_FALSE(cards.empty()) << pilot_.inventory();
    done(pilot_.click("editor/add view"));
    pilot_.frames(3);
    EXPECT_EQ(step().focus, focus_on(cards));
  }
}

/// The same for a lesson that is begun in the list, in which the page is not on view.
TEST_F(Editor, ALessonBegunInTheListHasTheTabThatWasLeft) {
  width_ = 1280, height_ = 720;
  Scene next = scene();
  next.page = scene::Page::compare;
  session_->change(next, "", now_);
  pilot_.frames(6);
  done(pilot_.click("page/screens", 0.95f));
  pilot_.frames(6);
  const std::vector<std::string> cards = shell_->page().tab_cards(scene::Page::compare);
  ASSERT_FALSE(cards.empty()) << pilot_.inventory();
  done(pilot_.click("rail/Learn"));
  pilot_.frames(6);
  done(pilot_.click("lessons/new lesson"));
  pilot_.frames(6);
  ASSERT_TRUE(editor().open());
  EXPECT_EQ(step().focus, focus_on(cards));
}

/// The card of a new step has one's own lessons by their titles, whatever their files are called.
TEST_F(Editor, AViewIsAddedToALessonByItsTitle) {
  begin();
  done(pilot_.fill("editor/lesson title", "What is it"));
  saved();
  done(pilot_.click("editor/done"));
  pilot_.frames(3);
  shell_->lessons().open_add();
  pilot_.frames(3);
  EXPECT_TRUE(pilot_.on_screen("add view/lessons/What is it")) << pilot_.inventory();
  done(pilot_.click("add view/add"));
  pilot_.frames(3);
  EXPECT_THAT(session_->message(), testing::HasSubstr("step 2 of “What is it”"));
  shell_->lessons().open_add();
  pilot_.frames(3);
  done(pilot_.click("add view/lessons/A new lesson"));
  pilot_.frames(3);
  done(pilot_.click("add view/add"));
  pilot_.frames(3);
  EXPECT_THAT(session_->message(), testing::HasSubstr("step 1 of “My lesson”"));
}

/// The page that was left is remembered while one is in the list, through a lesson that is played from there;
/// a page of the list's own group that is opened takes its place.
TEST_F(Editor, ThePageThatWasLeftIsRememberedOnlyWhileInTheList) {
  from_compare_to_list();
  done(pilot_.click("lessons/7   Masking the future"));
  pilot_.frames(3);
  ASSERT_TRUE(shell_->lessons().player().playing());
  done(pilot_.click("lesson/leave lesson"));
  pilot_.frames(4);
  ASSERT_TRUE(pilot_.on_screen("lessons/new lesson")) << pilot_.inventory();
  done(pilot_.click("lessons/new lesson"));
  pilot_.frames(3);
  EXPECT_EQ(scene().page, scene::Page::compare);
  done(pilot_.click("editor/done"));
  pilot_.frames(3);
  from_compare_to_list();
  done(pilot_.click("tabs/Worked example"));
  pilot_.frames(3);
  done(pilot_.click("tabs/Lessons"));
  pilot_.frames(3);
  done(pilot_.click("lessons/new lesson"));
  pilot_.frames(3);
  ASSERT_TRUE(editor().open());
  EXPECT_EQ(scene().page, scene::Page::worked) << "the page as it is now";
}

TEST_F(Editor, TheListHasPicturesMinutesAndProgressAndResumes) {
  done(pilot_.click("rail/Learn"));
  pilot_.frames(3);
  settled();
  EXPECT_TRUE(pilot_.on_screen("lessons/1   A soft dictionary, by hand")) << pilot_.inventory();
  done(pilot_.click("lessons/7   Masking the future"));
  pilot_.frames(3);
  LessonPlayer& player = shell_->lessons().player();
  if (!player.playing()) GTEST_FAIL() << pilot_.inventory();
  player.go(2, now_);
  pilot_.frames(2);
  done(pilot_.click("lesson/leave lesson"));
  const LessonProgress progress = read_progress(folder_.path());
  EXPECT_EQ(progress.at("masking"), 3);
  done(pilot_.click("rail/Learn"));
  pilot_.frames(3);
  done(pilot_.click("lessons/7   Masking the future"));
  pilot_.frames(3);
  EXPECT_EQ(player.step(), 2);
  // After the last step comes the next lesson.
  player.go(player.steps() - 1, now_);
  pilot_.frames(20);
  ASSERT_TRUE(pilot_.on_screen("lesson/next lesson")) << pilot_.inventory();
  done(pilot_.click("lesson/next lesson"));
  pilot_.frames(3);
  EXPECT_EQ(player.entry().name, "cost");
  EXPECT_EQ(player.step(), 0);
  // A clicker that is pressed once too often leaves the class where it is.
  player.go(player.steps() - 1, now_);
  pilot_.frames(3);
  for (int press = 0; press < 3; ++press) pilot_.key(screen::Key::right);
  EXPECT_EQ(player.entry().name, "cost");
  EXPECT_EQ(player.step(), player.steps() - 1);
}

}  // namespace
}  // namespace headlight::app::lesson_editor_test
