// The lecturer's window without a window: it is drawn and used beside the first one, each in an ImGui context
// of its own, as the two real ones are.
#include <gmock/gmock.h>

#include <fstream>

#include "app/program.h"
#include "lecture/lecturer_screen.h"

namespace headlight::app {
namespace {

using scene::Scene;
using screen::Key;
using Request = LecturerScreen::Request;

constexpr const char* lecture_file = R"({"headlight_lesson": 1, "title": "A lecture", "steps": [
  {"title": "One", "words": "w", "controls": ["temperature"], "notes": "say it"},
  {"title": "Two", "scene": {"mask": "causal"}, "predict": {"ask": "?", "hide": ["card map"]}, "reveal": "so"},
  {"title": "Three", "question": {"ask": "?", "choices": ["a", "b"], "answer": 2}},
  {"title": "Four", "scene": {"page": "position"}, "focus": ["card clocks"]}]})";

class LecturerUi : public tests::ProgramTest {
 protected:
  LecturerUi() {
    std::ofstream(folder_ / "lecture.json") << lecture_file;
    start({});
    shell_->lessons().folder = folder_.path();
    ui_.recorder = &second_recorder_;
    ui_.wake_in = [this](double seconds) { wake_in_ = seconds; };
  }

  void play() {
    shell_->lessons().open("lecture", now_);
    shell_->lessons().hall = true;
    beside_ = std::make_unique<LecturerScreen>(*session_, shell_->lessons(), second_.textures, [] {});
    second_pilot_.frames(20);
  }
  /// A frame of the first window, and one of the second.
  void both() {
    frame();
    second_.frame(1280, 800, [this] {
      ui_.begin(shell_->theme(), 1, now_);
      const Request request = beside_->frame(
          ui_, maps_, {.width = 1280, .height = 800, .clock = "14:05", .now = now_, .swaps = swaps_});
      if (request != Request::none) request_ = request;
      acted_ |= beside_->acted();
      ui_.end();
    });
  }
  LessonPlayer& player() { return shell_->lessons().player(); }

  screen::UnseenScreen second_;
  screen::TextPainter text_{second_.textures};
  screen::HeatmapPainter maps_;
  screen::Ui ui_{text_, second_.input};
  screen::Recorder second_recorder_;
  std::unique_ptr<LecturerScreen> beside_;
  screen::Pilot second_pilot_{second_.input, second_recorder_, [this] { both(); }};
  double wake_in_ = -1;
  Request request_ = Request::none;
  bool swaps_ = true, acted_ = false;
};

TEST_F(LecturerUi, StepsGoByKeysAndClicksInBothWindows) {
  play();
  EXPECT_EQ(player().step(), 0);
  second_pilot_.key(Key::page_down);
  EXPECT_EQ(player().step(), 1);
  EXPECT_TRUE(acted_);
  second_pilot_.key(Key::left);
  EXPECT_EQ(player().step(), 0);
  done(second_pilot_.click("lecturer/step 4"));
  EXPECT_EQ(player().step(), 3);
  EXPECT_EQ(scene().page, scene::Page::position);
  done(second_pilot_.click("lecturer/previous step"));
  EXPECT_EQ(player().step(), 2);
  // A button that was clicked does not keep the keys.
  second_pilot_.key(Key::home);
  EXPECT_EQ(player().step(), 0);
  done(second_pilot_.click("lecturer/next step"));
  EXPECT_EQ(player().step(), 1);
  second_pilot_.key(Key::end);
  EXPECT_EQ(player().step(), 3);
  EXPECT_FALSE(second_pilot_.on_screen("lecturer/step 5"));
  pilot_.key(Key::page_up);  // in the first window
  EXPECT_EQ(player().step(), 2);
  pilot_.key(Key::right);
  EXPECT_EQ(player().step(), 3);
}

TEST_F(LecturerUi, TheClassSeesNothingOfTheLecturers) {
  shell_->lessons().open("lecture", now_);
  pilot_.frames(5);
  for (const char* name : {"lesson/next step", "lesson/notes", "lesson/leave lesson", "lesson/lecturer"})
    EXPECT_TRUE(pilot_.on_screen(name)) << name;
  play();
  for (const char* name : {"lesson/next step", "lesson/previous step", "lesson/notes", "lesson/explore",
                           "lesson/leave lesson", "lesson/lecturer", "lesson/step 1"}) {
    pilot_.frames(2);
    EXPECT_FALSE(pilot_.on_screen(name)) << name;
  }
  EXPECT_TRUE(pilot_.on_screen("lesson/controls/Temperature"));
  pilot_.key(Key::n);
  EXPECT_FALSE(player().notes_shown);
  player().next(now_);
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("lesson/reveal"));
  // Nor while they explore.
  pilot_.key(Key::space);
  pilot_.key(Key::escape);
  EXPECT_TRUE(player().exploring());
  pilot_.frames(3);
  EXPECT_TRUE(pilot_.on_screen("top/sentence"));
  EXPECT_FALSE(pilot_.on_screen("exploring/back"));
  shell_->lessons().hall = false;
  pilot_.frames(3);
  EXPECT_TRUE(pilot_.on_screen("exploring/back"));
}

TEST_F(LecturerUi, SpaceRevealsAndTheAnswerOfTheClassIsEntered) {
  play();
  second_pilot_.key(Key::page_down);
  ASSERT_TRUE(player().covered());
  EXPECT_TRUE(second_pilot_.on_screen("lecturer/reveal"));
  second_pilot_.key(Key::space);
  EXPECT_FALSE(player().covered());
  second_pilot_.frames(2);
  EXPECT_FALSE(second_pilot_.on_screen("lecturer/reveal"));
  second_pilot_.key(Key::page_down);
  second_pilot_.frames(2);
  done(second_pilot_.click("lecturer/choice 1"));
  EXPECT_EQ(player().chosen(), 0);
  second_pilot_.key(Key::b);
  EXPECT_EQ(player().chosen(), 0);
}

TEST_F(LecturerUi, EscEndsOnlyTheSecondWindow) {
  play();
  second_pilot_.key(Key::page_down);
  EXPECT_EQ(request_, Request::none);
  second_pilot_.key(Key::escape);
  EXPECT_EQ(request_, Request::close);
  EXPECT_TRUE(player().playing());
  EXPECT_EQ(player().step(), 1);
  for (const auto& [name, request] :
       {std::pair{"lecturer/close", Request::close}, {"lecturer/swap screens", Request::swap_screens}}) {
    request_ = Request::none;
    done(second_pilot_.click(name));
    EXPECT_EQ(request_, request) << name;
  }
  request_ = Request::none;
  second_pilot_.key(Key::f11);
  EXPECT_EQ(request_, Request::fullscreen);
  second_pilot_.key(Key::n, screen::shift_only);
  EXPECT_EQ(request_, Request::close);
  swaps_ = false;
  second_pilot_.frames(2);
  EXPECT_FALSE(second_pilot_.on_screen("lecturer/swap screens"));
  // The end of the lesson ends it as well.
  request_ = Request::none;
  player().leave(now_);
  both();
  EXPECT_EQ(request_, Request::close);
}

TEST_F(LecturerUi, ExploringIsBegunAndEndedFromHere) {
  play();
  second_pilot_.key(Key::page_down);
  const Scene exact = scene();
  second_pilot_.frames(2);
  EXPECT_FALSE(second_pilot_.on_screen("lecturer/explore")) << "the class would see the answer";
  second_pilot_.key(Key::space);
  second_pilot_.frames(2);
  done(second_pilot_.click("lecturer/explore"));
  EXPECT_TRUE(player().exploring());
  second_pilot_.frames(3);
  EXPECT_FALSE(second_pilot_.on_screen("lecturer/next step"));
  open_settings();
  done(pilot_.drag("settings/Strength", 0.5f, 0.9f));
  EXPECT_NE(scene(), exact);
  second_pilot_.key(Key::enter);
  EXPECT_TRUE(player().playing());
  EXPECT_EQ(scene(), exact);
  done(second_pilot_.click("lecturer/explore"));
  done(second_pilot_.click("lecturer/back"));
  EXPECT_TRUE(player().playing());
}

TEST_F(LecturerUi, TheSettingsAtHandAreHereToo) {
  play();
  EXPECT_TRUE(second_pilot_.on_screen("lecturer/controls/Temperature"));
  done(second_pilot_.drag("lecturer/controls/Temperature", 0.5f, 0.9f));
  EXPECT_NE(scene().temperature, 1);
  EXPECT_TRUE(acted_);
  // The arrows stay the lecture's.
  second_pilot_.key(Key::right);
  EXPECT_EQ(player().step(), 1);
  second_pilot_.frames(3);
  EXPECT_FALSE(second_pilot_.on_screen("lecturer/controls/Temperature"));
}

TEST_F(LecturerUi, TheTimeCountsFromTheLessonAndFromTheReset) {
  now_ = 1000;
  play();
  now_ += 75 - beside_->elapsed(now_);
  EXPECT_NEAR(beside_->elapsed(now_), 75, 1e-6);
  second_pilot_.frames(3);
  EXPECT_GT(wake_in_, 0);
  EXPECT_LE(wake_in_, 1.01);
  now_ += 0.7;  // the next second is nearer now
  const double before = wake_in_;
  both();
  EXPECT_LT(wake_in_, before);
  done(second_pilot_.click("lecturer/reset clock"));
  EXPECT_LT(beside_->elapsed(now_), 1);
  EXPECT_EQ(player().step(), 0);
  now_ += 20;
  // Another lesson begins at nought.
  shell_->lessons().open("lecture", now_);
  EXPECT_LT(beside_->elapsed(now_), 1);
}

TEST_F(LecturerUi, LongNotesScrollByWheelAndKeys) {
  std::string notes;
  for (int i = 0; i < 420; ++i) notes += "word ";
  std::ofstream(folder_ / "lecture.json")
      << R"({"headlight_lesson": 1, "title": "L", "steps": [{"title": "One", "words": "w", "notes": ")" +
             notes + R"("}, {"title": "Two", "words": "w"}]})";
  play();
  second_pilot_.frames(3);
  ASSERT_TRUE(second_pilot_.on_screen("lecturer/more"));
  int presses = 0;
  for (; presses < 200 && second_pilot_.on_screen("lecturer/more"); ++presses) {
    second_pilot_.key(Key::down);
    second_pilot_.frames(2);
  }
  EXPECT_GT(presses, 2);
  EXPECT_LT(presses, 200);
  second_pilot_.key(Key::up);
  second_pilot_.frames(2);
  EXPECT_TRUE(second_pilot_.on_screen("lecturer/more"));
  done(second_pilot_.click("lecturer/more"));
  EXPECT_EQ(player().step(), 0);
}

TEST_F(LecturerUi, WithoutALessonOrASecondScreenItSaysWhy) {
  pilot_.key(Key::n, screen::shift_only);
  EXPECT_THAT(session_->message(), testing::HasSubstr("belongs to a lesson"));
  shell_->lessons().open("lecture", now_);
  pilot_.frames(5);
  done(pilot_.click("lesson/lecturer"));
  EXPECT_THAT(session_->message(), testing::HasSubstr("needs a second screen"));
  EXPECT_FALSE(shell_->lessons().hall);
  int toggled = 0;
  shell_->toggle_lecturer = [&] { ++toggled; };
  done(pilot_.click("lesson/lecturer"));
  EXPECT_EQ(toggled, 1);
  pilot_.key(Key::n, screen::shift_only);
  EXPECT_EQ(toggled, 2);
  pilot_.key(Key::k, screen::ctrl_only);
  pilot_.frames(3);
  pilot_.type("lecturer's window");
  pilot_.key(Key::enter);
  EXPECT_EQ(toggled, 3);
  pilot_.frames(3);
  EXPECT_FALSE(player().notes_shown);
}

}  // namespace
}  // namespace headlight::app
