// The real window: typed into, resized, left alone.
#include <fstream>

#include "real_window.h"

namespace headlight::app {
namespace {

using tests::eventually;
using tests::WindowTest;

TEST_F(WindowTest, ASentenceIsTypedKeptAndBackAtTheNextStart) {
  start();
  ASSERT_FALSE(HasFatalFailure());
  // The first click may come before the first frame; the field is found again by its key.
  ASSERT_TRUE(eventually([&] {
    xdotool({"mousemove", "--window", window_, "500", "28", "click", "1"});
    xdotool({"key", "ctrl+a"});
    xdotool({"type", "--delay", "20", "bright lamps show 7 roads"});
    return keeps([](const scene::Scene& s) { return s.sentence == "bright lamps show 7 roads"; },
                 std::chrono::seconds(10));
  })) << "kept: \""
      << kept().sentence << "\"; " << message("program");

  key("Escape");  // out of the field: letters are keys now
  key("t");
  EXPECT_TRUE(keeps([](const scene::Scene& s) { return s.theme == scene::ThemeName::light; }));
  key("3");
  EXPECT_TRUE(keeps([](const scene::Scene& s) { return s.head == scene::IndexList{3}; }));
  key("ctrl+Next");
  EXPECT_TRUE(keeps([](const scene::Scene& s) { return s.page != scene::Page::attention; }));
  key("ctrl+Prior");
  EXPECT_TRUE(keeps([](const scene::Scene& s) { return s.page == scene::Page::attention; }));
  key("t");  // changed and closed at once: this is kept too
  close();
  ASSERT_FALSE(HasFatalFailure());
  const scene::Scene left = kept();
  EXPECT_EQ(left.theme, scene::ThemeName::dark);

  start();
  ASSERT_FALSE(HasFatalFailure());
  key("m");
  EXPECT_TRUE(keeps([](const scene::Scene& s) { return s.attention.view == scene::AttentionView::ribbons; }));
  EXPECT_EQ(kept().sentence, "bright lamps show 7 roads");
  EXPECT_EQ(kept().head, left.head);
  close();
}

TEST_F(WindowTest, TheFirstStartIsLeftOnceAndDoesNotComeBack) {
  const std::filesystem::path left = folder_ / "state" / "headlight/first-start.txt";
  std::filesystem::remove(left);
  start();
  ASSERT_FALSE(HasFatalFailure());
  key("m");  // a key of the Attention page, which is not there yet
  std::error_code missing;
  ASSERT_TRUE(eventually([&] {
    xdotool({"key", "Escape"});
    return std::filesystem::exists(left, missing);
  })) << message("program");
  key("t");
  EXPECT_TRUE(keeps([](const scene::Scene& s) { return s.theme == scene::ThemeName::light; }));
  EXPECT_EQ(kept().attention.view, scene::AttentionView::matrix);
  key("m");
  EXPECT_TRUE(keeps([](const scene::Scene& s) { return s.attention.view == scene::AttentionView::ribbons; }));
  close();
  // Neither the scene that is kept nor its loss brings it back.
  for (const bool lost : {false, true}) {
    if (lost) std::filesystem::remove(folder_ / "state" / "headlight/scene.json");
    start();
    ASSERT_FALSE(HasFatalFailure());
    const auto before = kept().attention.view;
    key("m");
    EXPECT_TRUE(keeps([&](const scene::Scene& s) { return s.attention.view != before; })) << lost;
    close();
  }
}

TEST_F(WindowTest, ItOpensAsLargeAsItWasClosed) {
  start();
  ASSERT_FALSE(HasFatalFailure());
  ASSERT_NE(xdotool({"windowsize", window_, "1180", "760"}), "");
  key("t");
  EXPECT_TRUE(keeps([](const scene::Scene& s) { return s.theme == scene::ThemeName::light; }));
  const auto size = [&] {
    XWindowAttributes attributes{};
    ::XGetWindowAttributes(display_, std::stoul(window_), &attributes);
    return std::pair{attributes.width, attributes.height};
  };
  ASSERT_TRUE(eventually([&] { return size() == std::pair{1180, 760}; }));
  close();
  start();
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_EQ(size(), (std::pair{1180, 760}));
  close();
  // The list of lessons, which is no page, is open again, too.
  const std::filesystem::path state = folder_ / "state" / "headlight/window.txt";
  const auto written = [&] {
    std::ifstream in(state);
    std::string line;
    std::getline(in, line);
    return line;
  };
  EXPECT_EQ(written(), "1180 760");
  std::ofstream(state) << "1180 760 lessons settings-closed\n";
  start();
  ASSERT_FALSE(HasFatalFailure());
  quit();
  EXPECT_EQ(written(), "1180 760 lessons settings-closed");
}

TEST_F(WindowTest, ItFollowsItsSizeAndRestsWhenNothingHappens) {
  start();
  ASSERT_FALSE(HasFatalFailure());
  ASSERT_NE(xdotool({"windowsize", window_, "1300", "800"}), "");
  key("t");
  EXPECT_TRUE(keeps([](const scene::Scene& s) { return s.theme == scene::ThemeName::light; }));
  ASSERT_NE(xdotool({"windowsize", window_, "1580", "980"}), "");
  key("2");
  EXPECT_TRUE(keeps([](const scene::Scene& s) { return s.head == scene::IndexList{2}; }));
  // Everything is drawn and saved: from some second on, a second costs nothing.
  EXPECT_TRUE(eventually([&] {
    const double before = used();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const double after = used();
    return before > 0 && after - before <= 0.03;
  })) << "it works although nothing happens";
  close();
}

}  // namespace
}  // namespace headlight::app
