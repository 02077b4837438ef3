// The file that keeps what the window showed last.
#include "app/kept_window.h"

#include <gtest/gtest.h>

#include "io/files.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

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

}  // namespace
}  // namespace headlight::app
