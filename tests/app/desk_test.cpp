// The cards around the page, used by the keyboard alone.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "app/kept_window.h"
#include "app/palette_words.h"
#include "draw/record_canvas.h"
#include "io/files.h"
#include "kit/page_input.h"
#include "program.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "support/scratch_folder.h"
#include "ui/folder_rows.h"

namespace headlight::app {
namespace {

using scene::IndexList;
using scene::Page;
using scene::Scene;
using screen::ctrl_only;
using screen::ctrl_shift;
using screen::Key;
using testing::HasSubstr;
using testing::Not;

class DeskTest : public tests::ProgramTest {
 protected:
  DeskTest() { start({}); }
  void press(Key key, screen::Mods mods = {}) {
    pilot_.key(key, mods);
    pilot_.frames(2);
  }
  void find(const std::string& words) {
    press(Key::k, ctrl_only);
    pilot_.type(words);
    press(Key::enter);
  }
};

TEST_F(DeskTest, ThePaletteFindsPagesSettingsAndActions) {
  find("cost");
  EXPECT_EQ(scene().page, Page::cost);
  find("heads 8");
  EXPECT_EQ(scene().heads, 8);
  EXPECT_EQ(scene().page, Page::attention) << "where it is to be seen";
  find("mask causal");
  EXPECT_TRUE(scene().mask.causal);
  find("undo");
  EXPECT_FALSE(scene().mask.causal);
  find("light");
  EXPECT_EQ(scene().theme, scene::ThemeName::light);
  find("sentence The dog, it slept");
  EXPECT_EQ(scene().sentence, "The dog, it slept");
  EXPECT_FALSE(pilot_.on_screen("palette/query"));
}

TEST_F(DeskTest, TheAnswerToAQuestionIsOutlinedForTwoSeconds) {
  find("why is this weight so large");
  pilot_.frames(5);
  const auto outlined = [&] {
    const auto& names = shell_->page().overlay.highlight;
    return std::find(names.begin(), names.end(), "card cell") != names.end();
  };
  EXPECT_TRUE(outlined());
  EXPECT_TRUE(shell_->moving());
  pilot_.frames(140);
  EXPECT_FALSE(outlined());
  EXPECT_FALSE(shell_->moving());
  // With reduced motion it rests until something is pressed.
  Scene still = scene();
  still.reduced_motion = true;
  session_->change(still, "", now_);
  find("why is this weight so large");
  pilot_.frames(200);
  EXPECT_TRUE(outlined());
  EXPECT_FALSE(shell_->moving()) << "at rest no frames are drawn";
  press(Key::down);
  pilot_.frames(2);
  EXPECT_FALSE(outlined());
}

TEST_F(DeskTest, EveryQuestionHasItsPlaceOnThePage) {
  for (const PaletteQuestion& one : palette_questions()) {
    const auto set = scene::with_fields(Scene(), one.set);
    ASSERT_TRUE(set) << one.set;
    Scene there = *set;
    if (there.query.empty()) there.query = {0};
    there.training.steps = 12, there.training.batch = 8;
    start(there);
    const std::string_view place = one.asked.place;
    ASSERT_TRUE(place.starts_with("card ")) << one.asked.question;
    const auto& cards = shell_->page().cards();
    EXPECT_NE(std::find(cards.begin(), cards.end(), place.substr(5)), cards.end())
        << one.asked.question << ": " << place;
  }
}

/// As the palette sets it, several settings at once.
TEST_F(DeskTest, TheAverageIsShownByItsQuestion) {
  Scene one_head;
  one_head.head = {2}, one_head.combine = scene::Combine::max;
  start(one_head);
  find("what is the average over all heads");
  EXPECT_TRUE(scene().head.empty());
  EXPECT_EQ(scene().combine, scene::Combine::mean);
}

TEST_F(DeskTest, ThePaletteStepsFillsAndLetsGo) {
  press(Key::k, ctrl_only);
  ASSERT_TRUE(pilot_.on_screen("palette/query"));
  for (int i = 0; i < 3; ++i) press(Key::down);  // the fourth page
  press(Key::enter);
  EXPECT_EQ(scene().page, Page::position);
  const Scene before = scene();
  press(Key::k, ctrl_only);
  pilot_.type("temperature");
  press(Key::enter);  // a number is wanted: it stays, and says what can be typed
  EXPECT_TRUE(pilot_.on_screen("palette/query"));
  pilot_.type("0.25");
  press(Key::enter);
  EXPECT_EQ(scene().temperature, 0.25);
  press(Key::k, ctrl_only);
  pilot_.type("heads 7");
  press(Key::escape);
  EXPECT_EQ(scene().heads, before.heads);
  EXPECT_FALSE(pilot_.on_screen("palette/query"));
  press(Key::m);
  EXPECT_EQ(scene().attention_view, scene::AttentionView::ribbons) << "the keys are the page's again";
}

TEST_F(DeskTest, WhatThePaletteListsIsAskedForOnceEachTimeItOpens) {
  const auto list = shell_->desk().more_entries;
  int asked = 0;
  shell_->desk().more_entries = [&] {
    ++asked;
    return list();
  };
  pilot_.frames(20);
  EXPECT_EQ(asked, 0) << "it reads files";
  for (int times = 1; times <= 2; ++times) {
    press(Key::k, ctrl_only);
    pilot_.type("soft");
    pilot_.frames(20);
    EXPECT_TRUE(pilot_.on_screen("palette/query"));
    EXPECT_EQ(asked, times);
    press(Key::escape);
  }
  find("soft dictionary");
  EXPECT_TRUE(shell_->lessons().player().playing());
}

TEST_F(DeskTest, TheMouseChoosesToo) {
  done(pilot_.click("top/find"));
  pilot_.frames(2);
  done(pilot_.click("palette/found/Memory"));
  pilot_.frames(2);
  EXPECT_EQ(scene().page, Page::memory);
}

TEST_F(DeskTest, SaveAsksForANameOnceAndBeforeItReplaces) {
  const tests::ScratchFolder folder;
  press(Key::s, ctrl_only);
  ASSERT_TRUE(pilot_.on_screen("files/path"));
  done(pilot_.fill("files/path", (folder / "lecture").string()));
  press(Key::enter);
  EXPECT_FALSE(pilot_.on_screen("files/path"));
  ASSERT_TRUE(scene::load(folder / "lecture.json")) << session_->message();
  pilot_.key(Key::t);
  pilot_.key(Key::digit_3);
  press(Key::s, ctrl_only);
  EXPECT_FALSE(pilot_.on_screen("files/path")) << "the name is known";
  EXPECT_EQ(scene::load(folder / "lecture.json")->head, IndexList{3});

  ASSERT_TRUE(io::write_file(folder / "other.json", "precious"));
  press(Key::s, ctrl_shift);
  done(pilot_.fill("files/path", (folder / "other.json").string()));
  press(Key::enter);
  EXPECT_EQ(*io::read_file(folder / "other.json"), "precious") << "asked first";
  EXPECT_TRUE(pilot_.on_screen("files/path"));
  press(Key::enter);
  EXPECT_TRUE(scene::load(folder / "other.json"));

  press(Key::s, ctrl_shift);
  done(pilot_.fill("files/path", "/proc/lecture.json"));
  press(Key::enter);
  ASSERT_TRUE(pilot_.on_screen("files/path")) << "what was typed still stands there";
  press(Key::escape);
}

TEST_F(DeskTest, TheNameIsSelectedAndAWholePathIsTakenAsOne) {
  const tests::ScratchFolder folder;
  press(Key::s, ctrl_only);
  done(pilot_.fill("files/path", (folder / "lecture.json").string()));
  press(Key::enter);
  press(Key::s, ctrl_shift);
  pilot_.frames(3);
  pilot_.type("week 2");  // in place of the name, before its extension
  press(Key::enter);
  EXPECT_TRUE(scene::load(folder / "week 2.json")) << session_->message();
  press(Key::s, ctrl_shift);
  pilot_.frames(3);
  pilot_.type((folder / "other").string());
  press(Key::enter);
  EXPECT_TRUE(scene::load(folder / "other.json")) << session_->message();
}

TEST(TypedPath, BeginsAnewWhereAWholePathWasTyped) {
  EXPECT_EQ(typed_path("maps/a.json"), "maps/a.json");
  EXPECT_EQ(typed_path("/users/ada/a.json"), "/users/ada/a.json");
  EXPECT_EQ(typed_words("/users/ada//tmp/a.json", "/users/ada/b.json"), "/tmp/a.json");
  EXPECT_EQ(typed_words("/users/ada/~/a.json", "/users/ada/"), "~/a.json");
  EXPECT_EQ(typed_words("/users/ada/~ada", "/users/ada/"), "/users/ada/~ada");
  // A script's path is what it says.
  EXPECT_EQ(typed_words("/users/ada//work/a.json", "/users/"), "/users/ada//work/a.json");
  EXPECT_EQ(typed_words("a.json", ""), "a.json");
  EXPECT_EQ(typed_path("/users/ada/~ada"), "/users/ada/~ada");
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return;
  EXPECT_EQ(typed_path("~/a.json"), std::filesystem::path(home) / "a.json");
}

TEST(KeptWindow, IsReadAsItWasWrittenAndOtherwiseNotAtAll) {
  const tests::ScratchFolder folder;
  EXPECT_EQ(kept_window(folder.path()), std::nullopt);
  keep_window(folder / "new", {1180, 760});
  EXPECT_EQ(kept_window(folder / "new"), (KeptWindow{1180, 760}));
  keep_window(folder / "new", {0, 0});  // iconified: what was kept stays
  EXPECT_EQ(kept_window(folder / "new"), (KeptWindow{1180, 760}));
  for (const char* text : {"", "1180", "wide high", "-5 700", "99999 99999", "10 10"}) {
    ASSERT_TRUE(io::write_file(folder / "window.txt", text));
    EXPECT_EQ(kept_window(folder.path()), std::nullopt) << text;
  }
  EXPECT_EQ(kept_window({}), std::nullopt);
  keep_window(folder / "new", {1180, 760, true});
  EXPECT_EQ(kept_window(folder / "new"), (KeptWindow{1180, 760, true}));
  keep_window(folder / "new", {0, 0});  // iconified, without the list
  EXPECT_EQ(kept_window(folder / "new"), (KeptWindow{1180, 760}));
  for (const bool open : {true, false}) {
    for (const bool lessons : {true, false}) {
      keep_window(folder / "new", {1180, 760, lessons, open});
      EXPECT_EQ(kept_window(folder / "new"), (KeptWindow{1180, 760, lessons, open}));
    }
  }
  KeptWindow more{1180, 760, false, std::nullopt, true, "/users/ada/my lesson.json", 3, {}, {}};
  more.pages = {scene::Page::order, scene::Page::memory};
  more.view = {{{scene::Page::model, "next"}, {scene::Page::compare, "off"}},
               {10.5f, 0, 40.25f, 500},
               500,
               500,
               false};
  more.answers = {{}, {true, false, -1, "the cat, “on” it", 7}, {}, {false, true, 2, "", 1ull << 63}};
  more.view.scroll = 340;
  more.exported = {
      .format = 2, .scale = 3, .width = 1, .light = false, .parts = {.title = false, .square = true}};
  keep_window(folder / "new", more);
  EXPECT_EQ(kept_window(folder / "new"), more);
  KeptWindow longer = more;
  longer.answers[1].guess = std::string(399, 'a') + "é" + std::string(9000, 'b');
  keep_window(folder / "new", longer);
  longer.answers[1].guess = std::string(399, 'a');
  EXPECT_EQ(kept_window(folder / "new"), longer);
  // Answers without the fingerprint of what was asked, as they were written before.
  ASSERT_TRUE(
      io::write_file(folder / "new/window.txt", "1180 760\nlesson 0 three\nanswer 1 1 0 -1 a guess\n"));
  EXPECT_EQ(kept_window(folder / "new").value_or(KeptWindow{}).answers,
            (std::vector<StepAnswer>{{}, {true, false, -1, "a guess", 0}}));
  // What does not fit, and lines of another version, are left out.
  ASSERT_TRUE(io::write_file(folder / "new/window.txt",
                             "1180 760 sideways\nmap 10 5 40 40 20 20 0\nmap 0 0 nan 2 20 20 0\n"
                             "tab nowhere next\ntab model\npage nowhere\nlesson three\nanything 7\n"));
  EXPECT_EQ(kept_window(folder / "new"), (KeptWindow{1180, 760}));
  keep_window(folder / "full", {0, 0, true});  // it was never anything but the whole screen
  EXPECT_EQ(kept_window(folder / "full"), (KeptWindow{KeptWindow{}.width, KeptWindow{}.height, true}));
}

TEST_F(DeskTest, OpenByLettersArrowsAndEnter) {
  const tests::ScratchFolder folder;
  std::filesystem::create_directory(folder / "week 1");
  Scene saved;
  saved.sentence = "from week 1";
  ASSERT_TRUE(scene::save(saved, folder.path() / "week 1" / "b.json"));
  ASSERT_TRUE(scene::save(Scene{}, folder.path() / "week 1" / "a.json"));
  press(Key::o, ctrl_only);
  done(pilot_.fill("files/path", folder.path().string() + "/we"));
  press(Key::enter);  // into the folder
  ASSERT_TRUE(pilot_.on_screen("files/list/b.json")) << pilot_.inventory();
  press(Key::down);
  press(Key::down);
  press(Key::down);  // "..", a, b
  press(Key::enter);
  EXPECT_EQ(scene().sentence, "from week 1");
  EXPECT_EQ(shell_->desk().document().path(), folder.path() / "week 1" / "b.json");

  press(Key::o, ctrl_only);
  done(pilot_.fill("files/path", (folder / "none.json").string()));
  press(Key::enter);
  EXPECT_TRUE(pilot_.on_screen("files/path")) << "there is no such file, and the card says so";
  press(Key::escape);
  EXPECT_EQ(scene().sentence, "from week 1");
}

TEST_F(DeskTest, ALineGoesOutByTheClipboardAndComesBackAnywhere) {
  Scene other;
  other.sentence = "from the chat";
  other.heads = 2;
  press(Key::l, ctrl_only);
  EXPECT_EQ(clipboard_, scene::to_line(scene()));
  clipboard_ = "see: " + scene::to_line(other);
  press(Key::v, ctrl_only);
  EXPECT_EQ(scene().sentence, "from the chat");
  EXPECT_EQ(scene().heads, 2);
  press(Key::z, ctrl_only);
  EXPECT_EQ(scene().heads, 4);

  done(pilot_.click("top/sentence"));
  press(Key::a, ctrl_only);
  press(Key::v, ctrl_only);
  EXPECT_EQ(scene().sentence, "from the chat") << "not the letters of the line";
  EXPECT_EQ(scene().heads, 2);

  clipboard_ = "just words";
  press(Key::escape);
  press(Key::v, ctrl_only);
  EXPECT_EQ(scene().sentence, "from the chat");
  EXPECT_THAT(session_->message(), HasSubstr("no scene line"));
  clipboard_ = scene::to_line(other).substr(0, 30);
  press(Key::v, ctrl_only);
  EXPECT_THAT(session_->message(), HasSubstr("incomplete scene line"));
}

TEST_F(DeskTest, BeforeAndAfterOnEveryPage) {
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
TEST_F(DeskTest, BeforeShowsItsOwnSentenceTokensAndSettings) {
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

TEST_F(DeskTest, WhatIsSaidOfACopyFadesOnEitherSide) {
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

TEST_F(DeskTest, ASideIsLeftWhileItIsShown) {
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

TEST_F(DeskTest, HelpShowsKeysAndTheMathematicsOfThePage) {
  press(Key::f1);
  ASSERT_TRUE(pilot_.on_screen("keys/part/mathematics"));
  done(pilot_.click("keys/part/mathematics"));
  pilot_.frames(2);
  EXPECT_TRUE(pilot_.on_screen("keys/Memory"));
  press(Key::down);
  press(Key::page_down);
  press(Key::f1);
  EXPECT_FALSE(pilot_.on_screen("keys/part/mathematics"));
}

TEST_F(DeskTest, AHintIsClosedOnceAndForAll) {
  const tests::ScratchFolder folder;
  EXPECT_FALSE(pilot_.on_screen("hint/got it")) << "without a folder there are none";
  start({}, {.folder = folder.path()});
  ASSERT_TRUE(pilot_.on_screen("hint/got it"));
  // What is to be said has its place, and the page keeps its own.
  press(Key::z, ctrl_only);  // "nothing to undo"
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("hint/got it"));
  pilot_.frames(13 * 60);  // it is said for twelve seconds
  ASSERT_TRUE(pilot_.on_screen("hint/got it"));
  // It speaks of the cards of the first tab.
  pilot_.frames(2);
  done(pilot_.click("page/screens/Matrices"));
  pilot_.frames(4);
  EXPECT_FALSE(pilot_.on_screen("hint/got it"));
  done(pilot_.click("page/screens/Attention map"));
  pilot_.frames(4);
  done(pilot_.click("hint/got it"));
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("hint/got it"));
  start({}, {.folder = folder.path()});
  EXPECT_FALSE(pilot_.on_screen("hint/got it"));
  press(Key::page_down, ctrl_only);
  EXPECT_TRUE(pilot_.on_screen("hint/got it")) << "another page has its own";
}

/// A map of unknown words looks like any other; what can be done about it is one click away.
TEST_F(DeskTest, WhereTheModelKnowsFewWordsAnotherIsOffered) {
  const tests::ScratchFolder folder;
  scene::Scene scene;
  done(scene::set_field(scene, "model=pronouns-guided"));
  scene::repair(scene);
  scene.sentence = "my brother plays the piano every evening";
  start(scene);
  EXPECT_FALSE(pilot_.on_screen("hint/use dictionary")) << "a picture says nothing";
  start(scene, {.folder = folder.path()});
  ASSERT_TRUE(pilot_.on_screen("hint/use dictionary"));
  done(pilot_.click("hint/keep model"));
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("hint/use dictionary"));
  start(scene, {.folder = folder.path()});
  done(pilot_.click("hint/use dictionary"));
  session_->wait();
  pilot_.frames(2);
  EXPECT_EQ(session_->scene().weights_file, "dictionary");
  EXPECT_EQ(session_->scene().sentence, scene.sentence);
  EXPECT_FALSE(pilot_.on_screen("hint/use dictionary")) << "it reads any text";
  scene.sentence = "the animal did not cross the piano";
  start(scene, {.folder = folder.path()});
  EXPECT_FALSE(pilot_.on_screen("hint/use dictionary")) << "one word is underlined, and said on the page";
}

/// What cannot be drawn is not left to look like a fault: the line says what to install, once.
TEST_F(DeskTest, AScriptWithoutAFontIsSaidWithThePackage) {
  const tests::ScratchFolder folder;
  scene::Scene scene;
  scene.sentence = "the cat sat";
  start(scene, {.folder = folder.path()});
  EXPECT_FALSE(pilot_.on_screen("hint/font noted"));
  scene.sentence = "the \U000DFFFD sat";  // which nobody has assigned
  start(scene);
  EXPECT_FALSE(pilot_.on_screen("hint/font noted")) << "a picture says nothing";
  start(scene, {.folder = folder.path()});
  ASSERT_TRUE(pilot_.on_screen("hint/font noted"));
  done(pilot_.click("hint/font noted"));
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("hint/font noted"));
  scene.sentence = "the cat sat \U000DFFFD";
  session_->change(scene, "", now_);
  session_->wait();
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("hint/font noted")) << "it was noted";
}

TEST_F(DeskTest, AReportOfThePageIsCopied) {
  press(Key::r, ctrl_shift);
  EXPECT_THAT(clipboard_, HasSubstr("6 tokens, d_model 32"));
  find("cost");
  press(Key::r, ctrl_shift);
  EXPECT_THAT(clipboard_, HasSubstr("self-attention"));
}

TEST_F(DeskTest, ReducedMotionLeavesNothingMoving) {
  const auto permuted = [&](bool reduced) {
    Scene scene;
    scene.page = Page::order;
    scene.reduced_motion = reduced;
    start(scene);
    scene.order.permutation = {5, 4, 3, 2, 1, 0}, scene.order.step = 1;
    session_->change(scene, "", now_);
    frame();
    frame();
    return shell_->moving();
  };
  EXPECT_FALSE(permuted(true)) << "no transition";
  EXPECT_TRUE(permuted(false)) << "the test would not notice a transition";
}

}  // namespace
}  // namespace headlight::app
