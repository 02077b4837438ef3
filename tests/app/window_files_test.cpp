// Files, drag and drop, and the clipboard in the real window; and what is kept when it is killed.
#include "real_window.h"
#include "scene/scene_line.h"
#include "x11_peer.h"

namespace headlight::app {
namespace {

using scene::Scene;
using tests::eventually;

class WindowFilesTest : public tests::WindowTest {
 protected:
  std::string display() const { return environment_.front().substr(std::string("DISPLAY=").size()); }
  /// Presses a key until the scene says so: the first one may come before the first frame.
  bool press_until(const std::string& name, const std::function<bool(const Scene&)>& what) {
    return eventually([&] {
      xdotool({"key", name});
      return keeps(what, std::chrono::seconds(5));
    });
  }
  void awake() {
    ASSERT_TRUE(press_until("3", [](const Scene& s) { return s.head == scene::IndexList{3}; }));
  }
  Scene sample(const std::string& sentence) const {
    Scene scene;
    scene.sentence = sentence;
    scene.seed = 11;
    return scene;
  }
  bool opened(const std::string& sentence) {
    return keeps([&](const Scene& s) { return s.sentence == sentence && s.seed == 11; });
  }
};

TEST_F(WindowFilesTest, SavedUnderATypedNameAndOpenedFromTheListByTheKeyboard) {
  start();
  ASSERT_FALSE(HasFatalFailure());
  awake();
  key("ctrl+s");
  key("ctrl+a");
  type(file("lecture"));
  key("Return");
  ASSERT_TRUE(eventually([&] { return bool(scene::load(folder_ / "lecture.json")); }));
  EXPECT_EQ(scene::load(folder_ / "lecture.json")->head, scene::IndexList{3});

  ASSERT_TRUE(scene::save(sample("another one"), folder_ / "zebra.json"));
  key("ctrl+o");
  key("ctrl+a");
  type(file("zeb"));
  key("Return");
  EXPECT_TRUE(opened("another one")) << kept().sentence;
  close();

  start();  // the next time it is among the files of last time
  ASSERT_FALSE(HasFatalFailure());
  awake();
  EXPECT_NE(message("state/headlight/recent.txt").find("zebra.json"), std::string::npos);
  key("1");
  key("ctrl+o");
  key("Return");
  EXPECT_TRUE(keeps([](const Scene& s) { return s.head == scene::IndexList{1} && s.seed == 11; }));
  close();
}

TEST_F(WindowFilesTest, FilesAreDroppedOntoIt) {
  start();
  ASSERT_FALSE(HasFatalFailure());
  awake();
  tests::X11Peer peer(display());
  const Window window = std::stoul(window_);
  ASSERT_TRUE(scene::save(sample("dropped from the desktop"), folder_ / "a scene ü.json"));
  std::string name = file("a%20scene%20%C3%BC.json");
  ASSERT_TRUE(peer.drop(window, {name}, 400, 300));
  EXPECT_TRUE(opened("dropped from the desktop")) << kept().sentence;
  ASSERT_TRUE(io::write_file(folder_ / "story.txt", "once upon a time"));
  ASSERT_TRUE(peer.drop(window, {file("story.txt")}, 400, 300));
  EXPECT_TRUE(opened("once upon a time")) << kept().sentence;
  // What is no scene changes nothing, and the window goes on.
  ASSERT_TRUE(io::write_file(folder_ / "broken.json", "{\"heads\":"));
  ASSERT_TRUE(peer.drop(window, {file("broken.json")}, 400, 300));
  key("2");
  EXPECT_TRUE(keeps([](const Scene& s) { return s.head == scene::IndexList{2}; }));
  EXPECT_TRUE(opened("once upon a time"));
  close();
}

TEST_F(WindowFilesTest, ALineTravelsByTheClipboardOfTheDesktop) {
  start();
  ASSERT_FALSE(HasFatalFailure());
  awake();
  tests::X11Peer peer(display());
  key("ctrl+l");
  std::string line;
  ASSERT_TRUE(eventually([&] {
    line = peer.clipboard();
    return scene::has_line(line);
  }));
  const auto copied = scene::from_line(line);
  ASSERT_TRUE(copied) << copied.error();
  EXPECT_EQ(copied->head, scene::IndexList{3});

  peer.offer("somebody wrote: " + scene::to_line(sample("from the chat")));
  EXPECT_TRUE(
      press_until("ctrl+v", [](const Scene& s) { return s.sentence == "from the chat" && s.seed == 11; }));
  // And into the field where a sentence is typed.
  peer.offer(scene::to_line(sample("into the sentence")));
  EXPECT_TRUE(eventually([&] {
    xdotool({"key", "slash"});
    xdotool({"key", "ctrl+a"});
    xdotool({"key", "ctrl+v"});
    return keeps([](const Scene& s) { return s.sentence == "into the sentence"; }, std::chrono::seconds(10));
  })) << kept().sentence;
  peer.stop();
  close();
}

TEST_F(WindowFilesTest, KilledWhileItIsUsedItComesBackWithWhatWasThere) {
  for (int round = 0; round < 5; ++round) {
    start();
    ASSERT_FALSE(HasFatalFailure());
    const int digit = 2 + round % 3;  // 1 is what stands there first
    ASSERT_TRUE(
        press_until(std::to_string(digit), [&](const Scene& s) { return s.head == scene::IndexList{digit}; }))
        << "round " << round;
    xdotool({"key", "ctrl+Next", "t", "ctrl+Next", "t"});
    ::kill(program_->id(), SIGKILL);
    ASSERT_TRUE(eventually([&] { return !program_->running(); }));
    const auto scene = scene::load(folder_ / "state/headlight/scene.json");
    ASSERT_TRUE(scene) << scene.error();
    EXPECT_EQ(scene->head, scene::IndexList{digit});
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "state/headlight/scene.json.damaged"));
}

TEST_F(WindowFilesTest, ThePaletteAndAHintByTheKeyboard) {
  start();
  ASSERT_FALSE(HasFatalFailure());
  awake();
  key("ctrl+k");
  type("temperature 0.5");
  key("Return");
  EXPECT_TRUE(keeps([](const Scene& s) { return s.temperature == 0.5; }));
  key("b");
  key("ctrl+k");
  type("deuter");
  key("Return");
  EXPECT_TRUE(keeps([](const Scene& s) { return s.colour_vision == scene::ColorVision::deuteranopia; }));
  close();
}

}  // namespace
}  // namespace headlight::app
