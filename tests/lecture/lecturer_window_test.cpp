// The lecturer's window on a display: two windows of one program, with keys and pixels.
#include <gmock/gmock.h>

#include <fstream>

#include "app/real_window.h"

namespace headlight::app {
namespace {

using tests::eventually;
using tests::WindowTest;

constexpr const char* lecture = R"({"headlight_lesson": 1, "title": "Two windows", "steps": [
  {"title": "One", "words": "first words", "notes": "say it"},
  {"title": "Two", "words": "second words", "scene": {"mask": "causal"}, "notes": "say more"},
  {"title": "Three", "words": "third words", "scene": {"page": "position"}}]})";

struct Area {
  int x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Area&) const = default;
};
[[maybe_unused]] std::ostream& operator<<(std::ostream& out, const Area& a) {
  return out << a.x << ", " << a.y << ", " << a.width << " × " << a.height;
}

class LecturerWindowTest : public WindowTest {
 protected:
  LecturerWindowTest() { size_ = "3200x1000"; }
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    std::ofstream(file("lecture.json")) << lecture;
    environment_.push_back("LD_PRELOAD=" TWO_SCREENS);
    environment_.push_back("HEADLIGHT_TEST_SCREENS=" + file("screens"));
    say_screens(2);
  }
  void say_screens(int count) { ASSERT_TRUE(io::write_file(folder_ / "screens", std::to_string(count))); }
  void begin(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"--lesson", file("lecture.json")};
    words.insert(words.end(), more.begin(), more.end());
    start(words);
  }

  std::string second() { return xdotool({"search", "--onlyvisible", "--name", "notes for the lecturer"}); }
  bool opens() {
    return eventually([&] { return !(second_ = second()).empty(); });
  }
  bool closes() {
    return eventually([&] { return second().empty(); });
  }
  void press(const std::string& window, const std::string& name) {
    ASSERT_NE(xdotool({"windowfocus", window}), "");
    ASSERT_NE(xdotool({"key", name}), "");
  }

  Area area(const std::string& window) {
    XWindowAttributes attributes{};
    ::XGetWindowAttributes(display_, std::stoul(window), &attributes);
    Window child = 0;
    Area out{0, 0, attributes.width, attributes.height};
    ::XTranslateCoordinates(display_, std::stoul(window), DefaultRootWindow(display_), 0, 0, &out.x, &out.y,
                            &child);
    return out;
  }
  /// A number that stands for its pixels: equal ones look the same.
  std::size_t look(const std::string& window) {
    const Area at = area(window);
    XImage* const image = ::XGetImage(display_, std::stoul(window), 0, 0, static_cast<unsigned>(at.width),
                                      static_cast<unsigned>(at.height), AllPlanes, ZPixmap);
    if (!image) return 0;
    const std::string_view bytes(image->data, static_cast<std::size_t>(image->bytes_per_line) *
                                                  static_cast<std::size_t>(image->height));
    const std::size_t out = std::hash<std::string_view>()(bytes);
    XDestroyImage(image);
    return out;
  }
  /// Its look once it has been the same for a while.
  std::size_t settled(const std::string& window) {
    std::size_t last = look(window);
    for (int same = 0; same < 8;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
      const std::size_t now = look(window);
      same = now == last ? same + 1 : 0;
      last = now;
    }
    return last;
  }
  bool becomes(const std::string& window, std::size_t wanted) {
    return eventually([&] { return look(window) == wanted; });
  }

  std::string second_;
};

constexpr Area laptop{0, 0, 1600, 1000}, projector{1600, 0, 1600, 1000};

TEST_F(LecturerWindowTest, TheSlideFillsTheProjectorAndComesBack) {
  begin();
  ASSERT_FALSE(HasFatalFailure());
  const Area home = area(window_);
  EXPECT_LT(home.x + home.width / 2, 1600);
  const std::size_t alone = settled(window_);
  press(window_, "shift+n");
  ASSERT_TRUE(opens()) << message("program");
  EXPECT_TRUE(eventually([&] { return area(window_) == projector && area(second_) == laptop; }))
      << area(window_) << "; " << area(second_);
  // F11 there leaves the full screen, and not the screen.
  press(window_, "F11");
  EXPECT_TRUE(eventually([&] { return area(window_).width < 1600 && area(window_).x > 1600; }))
      << area(window_);
  press(window_, "F11");
  EXPECT_TRUE(eventually([&] { return area(window_) == projector; })) << area(window_);
  const std::size_t slide_1 = settled(window_);
  // Steps from either window are steps in both.
  press(second_, "Next");
  EXPECT_TRUE(eventually([&] { return look(window_) != slide_1; }));
  const std::size_t slide_2 = settled(window_);
  EXPECT_NE(slide_2, slide_1);
  press(window_, "Prior");
  EXPECT_TRUE(becomes(window_, slide_1));
  press(window_, "n");  // shows no notes
  press(second_, "Next");
  EXPECT_TRUE(becomes(window_, slide_2));
  press(second_, "Home");
  EXPECT_TRUE(becomes(window_, slide_1));
  // Esc ends the second window alone; the first one is where and what it was.
  press(second_, "Escape");
  EXPECT_TRUE(closes());
  EXPECT_TRUE(eventually([&] { return area(window_) == home; })) << area(window_);
  EXPECT_TRUE(becomes(window_, alone));
  close();
}

TEST_F(LecturerWindowTest, ItsCloseButtonEndsItAloneAndItOpensAgain) {
  begin();
  ASSERT_FALSE(HasFatalFailure());
  for (int round = 0; round < 3; ++round) {
    press(window_, "shift+n");
    ASSERT_TRUE(opens()) << round << ": " << message("program");
    press_close(second_);
    EXPECT_TRUE(closes());
    EXPECT_TRUE(program_->running());
  }
  press(window_, "shift+n");
  ASSERT_TRUE(opens());
  close();  // the first one, with both open
}

TEST_F(LecturerWindowTest, ASlideThatFillsTheLaptopGoesBeforeTheClass) {
  begin();
  ASSERT_FALSE(HasFatalFailure());
  press(window_, "F11");
  ASSERT_TRUE(eventually([&] { return area(window_) == laptop; })) << area(window_);
  press(window_, "shift+n");
  ASSERT_TRUE(opens()) << message("program");
  EXPECT_TRUE(eventually([&] { return area(second_) == laptop && area(window_) == projector; }))
      << area(window_) << "; " << area(second_);
  // The two change places, and at the end the slide is where it was.
  for (int i = 0; i < 5; ++i) press(second_, "Tab");
  press(second_, "Return");  // on "Swap screens"
  EXPECT_TRUE(eventually([&] { return area(window_) == laptop && area(second_) == projector; }))
      << area(window_) << "; " << area(second_);
  press(second_, "Tab");
  press(second_, "shift+n");
  EXPECT_TRUE(closes());
  EXPECT_TRUE(eventually([&] { return area(window_) == laptop; })) << area(window_);
  close();
}

TEST_F(LecturerWindowTest, AScreenThatIsUnpluggedTakesNothingWithIt) {
  begin();
  ASSERT_FALSE(HasFatalFailure());
  const Area home = area(window_);
  press(window_, "shift+n");
  ASSERT_TRUE(opens()) << message("program");
  ASSERT_TRUE(eventually([&] { return area(window_) == projector; }));
  say_screens(1);
  EXPECT_TRUE(closes());
  EXPECT_TRUE(eventually([&] { return area(window_) == home; })) << area(window_);
  EXPECT_TRUE(program_->running());
  // With one screen it stays off; the other one is there again, and so is the window.
  press(window_, "shift+n");
  EXPECT_FALSE(eventually([&] { return !second().empty(); }, std::chrono::milliseconds(1500)));
  say_screens(2);
  press(window_, "shift+n");
  EXPECT_TRUE(opens());
  close();
}

TEST_F(LecturerWindowTest, OnOneScreenItOpensWhenToldTo) {
  say_screens(1);
  begin();
  ASSERT_FALSE(HasFatalFailure());
  const std::size_t silent = settled(window_);
  press(window_, "shift+n");
  EXPECT_TRUE(eventually([&] { return look(window_) != silent; })) << "it says nothing";
  EXPECT_EQ(second(), "");
  close();
  begin({"--lecturer"});
  ASSERT_FALSE(HasFatalFailure());
  ASSERT_TRUE(opens()) << message("program");
  // Beside each other, so that neither hides the other.
  ASSERT_NE(xdotool({"windowmove", second_, "1650", "0"}), "");
  const std::size_t slide_1 = settled(window_);
  press(second_, "Right");
  EXPECT_TRUE(eventually([&] { return look(window_) != slide_1; }));
  // The clock goes on: the second window changes, the first one rests.
  // On a loaded machine the change of slides may take longer than settled() waits: then once more.
  EXPECT_TRUE(eventually([&] {
    const std::size_t slide_2 = settled(window_), second_now = look(second_);
    return eventually([&] { return look(second_) != second_now; }) && look(window_) == slide_2;
  })) << "the first window does not rest";
  EXPECT_TRUE(eventually([&] {
    const double before = used();
    std::this_thread::sleep_for(std::chrono::seconds(2));
    const double after = used();
    return before > 0 && after - before <= 0.6;  // two drawings with software OpenGL; without rest it is 2
  })) << "it works although only the clock goes on";
  close();
}

}  // namespace
}  // namespace headlight::app
