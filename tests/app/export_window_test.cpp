// Export in the real window: another program pastes the picture and the numbers, and a figure that is dropped
// opens its scene.
#include "io/gif.h"
#include "scene/figure_scene.h"
#include "screen/clipboard_image.h"

// Last: they have macros called None and Status.
#include "app/real_window.h"
#include "app/x11_peer.h"

namespace headlight::app {
namespace {

/// Asks the owner of the clipboard as any program does that pastes.
class Pasting {
 public:
  explicit Pasting(const std::string& display) : display_(::XOpenDisplay(display.c_str())) {
    window_ = ::XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 8, 8, 0, 0, 0);
  }
  ~Pasting() { ::XCloseDisplay(display_); }

  /// Empty when there is no owner, or it has no such target.
  std::string paste(const char* target) {
    const Atom into = atom("HEADLIGHT_PASTE");
    ::XConvertSelection(display_, atom("CLIPBOARD"), atom(target), into, window_, CurrentTime);
    ::XFlush(display_);
    XEvent event;
    const auto deadline = tests::Clock::now() + std::chrono::seconds(10);
    while (!::XCheckTypedWindowEvent(display_, window_, SelectionNotify, &event)) {
      if (tests::Clock::now() > deadline) return {};
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (event.xselection.property == 0) return {};
    Atom type = 0;
    int format = 0;
    unsigned long count = 0, left = 0;
    unsigned char* bytes = nullptr;
    ::XGetWindowProperty(display_, window_, into, 0, 1 << 24, True, AnyPropertyType, &type, &format, &count,
                         &left, &bytes);
    const std::size_t size = format == 32 ? sizeof(long) : 1;
    const std::string out = bytes ? std::string(reinterpret_cast<const char*>(bytes), count * size) : "";
    if (bytes) ::XFree(bytes);
    return out;
  }
  bool offers(const char* target) {
    const std::string targets = paste("TARGETS");
    const Atom wanted = atom(target);
    for (std::size_t at = 0; at + sizeof(long) <= targets.size(); at += sizeof(long)) {
      long one = 0;
      std::memcpy(&one, targets.data() + at, sizeof one);
      if (static_cast<Atom>(one) == wanted) return true;
    }
    return false;
  }

 private:
  Atom atom(const char* name) { return ::XInternAtom(display_, name, False); }
  Display* display_;
  Window window_ = 0;
};

/// The same for pictures that come in pieces (ICCCM, INCR), on a display of its own.
class PieceByPiece {
 public:
  explicit PieceByPiece(const std::string& display) : display_(::XOpenDisplay(display.c_str())) {
    window_ = ::XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 8, 8, 0, 0, 0);
    ::XSelectInput(display_, window_, PropertyChangeMask);
  }
  ~PieceByPiece() { ::XCloseDisplay(display_); }

  /// Empty: it did not come in pieces, or not to its end.
  std::string paste(const char* target, int& pieces) {
    const Atom into = atom("HEADLIGHT_PIECES"), type = atom(target);
    ::XDeleteProperty(display_, window_, into);
    ::XConvertSelection(display_, atom("CLIPBOARD"), type, into, window_, CurrentTime);
    XEvent event;
    const auto deadline = tests::Clock::now() + std::chrono::seconds(30);
    const auto wait = [&](const auto& is_it) {
      while (tests::Clock::now() < deadline) {
        while (::XPending(display_) > 0) {
          ::XNextEvent(display_, &event);
          if (is_it()) return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      return false;
    };
    if (!wait([&] { return event.type == SelectionNotify; })) return {};
    Atom got = 0;
    (void)take(into, got);  // deleting it asks for the first piece
    if (got != atom("INCR")) return {};
    std::string all;
    for (pieces = 0;; ++pieces) {
      if (!wait([&] {
            return event.type == PropertyNotify && event.xproperty.atom == into &&
                   event.xproperty.state == PropertyNewValue;
          }))
        return {};
      const std::string piece = take(into, got);
      if (got != type) return {};
      if (piece.empty()) return all;
      all += piece;
    }
  }

 private:
  std::string take(Atom property, Atom& type) {
    int format = 0;
    unsigned long count = 0, left = 0;
    unsigned char* bytes = nullptr;
    ::XGetWindowProperty(display_, window_, property, 0, 1 << 24, True, AnyPropertyType, &type, &format,
                         &count, &left, &bytes);
    const std::size_t size = format == 32 ? sizeof(long) : 1;
    const std::string out = bytes ? std::string(reinterpret_cast<const char*>(bytes), count * size) : "";
    if (bytes) ::XFree(bytes);
    return out;
  }
  Atom atom(const char* name) { return ::XInternAtom(display_, name, False); }
  Display* display_;
  Window window_ = 0;
};

/// A clipboard that this program owns, on the display of the test.
class LargePictureTest : public tests::WindowTest {
 protected:
  void SetUp() override {
    tests::WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    const std::string words = environment_.front();
    display_name_ = words.substr(words.find('=') + 1);
    ::setenv("DISPLAY", display_name_.c_str(), 1);
    // Noise, which nothing can have guessed; longer than any request.
    png_.resize(40'000'003);
    std::uint32_t state = 7;
    for (char& c : png_) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    ASSERT_TRUE(clipboard_.copy(png_));
  }
  std::string display_name_, png_;
  screen::ClipboardImage clipboard_;
};

TEST_F(LargePictureTest, IsPastedPieceByPiece) {
  PieceByPiece first(display_name_), second(display_name_);
  int pieces = 0;
  EXPECT_TRUE(first.paste("image/png", pieces) == png_) << "every byte, in its order";
  EXPECT_GT(pieces, 2);
  EXPECT_TRUE(second.paste("image/png", pieces) == png_) << "as often as it is asked for";
  // Two at a time, and a small one after it.
  std::string theirs;
  std::thread other([&] {
    int count = 0;
    theirs = second.paste("image/png", count);
  });
  EXPECT_TRUE(first.paste("image/png", pieces) == png_);
  other.join();
  EXPECT_TRUE(theirs == png_);
  ASSERT_TRUE(clipboard_.copy("small"));
  EXPECT_EQ(Pasting(display_name_).paste("image/png"), "small");
}

TEST_F(LargePictureTest, XclipTakesIt) {
  if (!tests::installed("xclip")) GTEST_SKIP() << "xclip is not installed";
  const std::string to = file("pasted.png");
  tests::Child xclip({"xclip", "-selection", "clipboard", "-target", "image/png", "-out"}, environment_, to);
  ASSERT_TRUE(tests::eventually([&] { return !xclip.running(); }));
  const auto pasted = io::read_file(to);
  ASSERT_TRUE(pasted);
  EXPECT_TRUE(*pasted == png_) << pasted->size() << " bytes of " << png_.size();
}

class ExportWindowTest : public tests::WindowTest {
 protected:
  std::string display() const { return environment_.front().substr(environment_.front().find('=') + 1); }
};

/// Through the card by the keyboard: it opens on the path; Tab leads on to the buttons.
TEST_F(ExportWindowTest, APictureAndNumbersArePastedElsewhere) {
  environment_.push_back("HOME=" + folder_.path().string());
  scene::Scene before;
  before.sentence = "pasted elsewhere";
  ASSERT_TRUE(scene::save_state(before, folder_ / "state" / "headlight" / "scene.json"));
  start();
  ASSERT_FALSE(HasFatalFailure());
  Pasting peer(display());
  // The first key may come before the first frame.
  ASSERT_TRUE(tests::eventually([&] {
    xdotool({"key", "--delay", "60", "Escape", "Escape", "ctrl+e"});
    xdotool({"key", "--delay", "60", "Tab", "Tab", "Return"});
    return tests::eventually([&] { return peer.offers("image/png"); }, std::chrono::seconds(4));
  })) << message("program");
  const std::string png = peer.paste("image/png");
  const auto scene = scene::scene_in_bytes(png, "pasted");
  ASSERT_TRUE(scene) << scene.error();
  EXPECT_EQ(scene->sentence, "pasted elsewhere");
  const auto picture = io::decode_png(png, "pasted");
  ASSERT_TRUE(picture);
  EXPECT_GT(picture->image.width, 800);
  EXPECT_EQ(peer.paste("image/jpeg"), "");
  EXPECT_TRUE(peer.offers("TIMESTAMP"));

  ASSERT_TRUE(tests::eventually([&] {
    xdotool({"key", "--delay", "60", "Escape", "Escape", "ctrl+e"});
    xdotool({"key", "--delay", "60", "Tab", "Tab", "Tab", "Return"});
    return tests::eventually(
        [&] { return peer.paste("UTF8_STRING").find("query \\ key\tpasted\telsewhere\n") == 0; },
        std::chrono::seconds(4));
  })) << peer.paste("UTF8_STRING");
  EXPECT_FALSE(peer.offers("image/png")) << "the numbers took the picture's place";
  close();
}

/// The close button and Ctrl + Q ask while an animation is written; nothing unfinished is left.
TEST_F(ExportWindowTest, ClosingAsksWhileAnAnimationIsWritten) {
  environment_.push_back("HOME=" + folder_.path().string());
  scene::Scene before;
  before.page = scene::Page::position, before.positions.count = 2000;
  ASSERT_TRUE(scene::save_state(before, folder_ / "state" / "headlight" / "scene.json"));
  // 200 frames of a GIF, at three pixels per unit.
  ASSERT_TRUE(io::write_file(folder_ / "state" / "headlight" / "window.txt",
                             "1400 900\nexport 7 2 0 3 2 1 0 1 1 1 1 0\n"));
  start();
  ASSERT_FALSE(HasFatalFailure());
  const auto written = [&] { return std::filesystem::exists(folder_ / "headlight-positions.gif"); };
  ASSERT_TRUE(tests::eventually([&] {
    xdotool({"key", "--delay", "80", "Escape", "Escape", "ctrl+e", "Return", "Escape"});
    return tests::eventually([&] { return used() > 3; }, std::chrono::seconds(20));
  })) << message("program");
  ASSERT_FALSE(written());
  for (int round = 0; round < 2; ++round) {
    if (round == 0) press_close(window_);
    if (round == 1) key("ctrl+q");
    std::this_thread::sleep_for(std::chrono::seconds(2));
    ASSERT_TRUE(program_->running()) << "it asks";
    key("Escape");
  }
  ASSERT_FALSE(written()) << "too quick to be asked about";
  press_close(window_);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  xdotool({"key", "--delay", "80", "Tab", "Tab", "Return"});
  ASSERT_TRUE(tests::eventually([&] { return !program_->running(); })) << "it stays open";
  EXPECT_EQ(program_->exit_status(), 0) << message("program");
  EXPECT_FALSE(written());
}

TEST_F(ExportWindowTest, AnAnimationThatIsDroppedOpensItsScene) {
  scene::Scene other;
  other.sentence = "a film remembers";
  const std::vector<io::RunImage> frames(2, io::RunImage(io::Image{1, 1, 4, {9, 9, 9, 255}}));
  ASSERT_TRUE(io::write_file(folder_ / "a.gif", *io::encode_gif(frames, 1, scene::gif_comment(other))));
  start();
  ASSERT_FALSE(HasFatalFailure());
  tests::X11Peer peer(display());
  ASSERT_TRUE(tests::eventually([&] {
    peer.drop(std::stoul(window_), {file("a.gif")}, 500, 400);
    return keeps([&](const scene::Scene& s) { return s.sentence == other.sentence; },
                 std::chrono::seconds(10));
  })) << message("program");
  close();
}

TEST_F(ExportWindowTest, AFigureThatIsDroppedOpensItsScene) {
  scene::Scene other;
  other.sentence = "a figure remembers";
  other.page = scene::Page::order;
  const io::Image dot{1, 1, 4, {9, 9, 9, 255}};
  ASSERT_TRUE(io::write_file(folder_ / "figure.png", *io::encode_png(dot, scene::png_metadata(other))));
  start();
  ASSERT_FALSE(HasFatalFailure());
  tests::X11Peer peer(display());
  ASSERT_TRUE(tests::eventually([&] {
    peer.drop(std::stoul(window_), {file("figure.png")}, 500, 400);
    return keeps([&](const scene::Scene& s) { return s.sentence == other.sentence && s.page == other.page; },
                 std::chrono::seconds(10));
  })) << message("program");
  close();
}

}  // namespace
}  // namespace headlight::app
