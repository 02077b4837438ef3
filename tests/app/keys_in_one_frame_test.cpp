// Keys that arrive between two frames act one after the other: each finds open, closed or left what the key
// before it opened, closed or left. So it does not matter how slow a frame is.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "program.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

using screen::Key;

struct Stroke {
  const char* name;
  Key key;
  char32_t types = 0;
  bool ctrl = false;
};
constexpr Stroke escape{"Esc", Key::escape}, enter{"Enter", Key::enter}, slash{"/", Key::slash, U'/'},
    letter_m{"m", Key::m, U'm'}, letter_t{"t", Key::t, U't'}, palette{"Ctrl+K", Key::k, 0, true},
    exporter{"Ctrl+E", Key::e, 0, true}, help{"F1", Key::f1}, tab{"Tab", Key::tab},
    backspace{"Backspace", Key::backspace};
constexpr Stroke all_strokes[] = {escape,  enter,    slash, letter_m, letter_t,
                                  palette, exporter, help,  tab,      backspace};

std::vector<Stroke> letters(std::string_view words) {
  std::vector<Stroke> out;
  for (const char c : words)
    out.push_back({"letter", static_cast<Key>(static_cast<int>(Key::a) + c - 'a'), static_cast<char32_t>(c)});
  return out;
}

/// A short sentence and a window that is not large: what is drawn between two keys, and the picture that
/// Enter exports, are no part of what is compared.
scene::Scene small_scene() {
  scene::Scene scene;
  scene.sentence = "one two";
  scene.d_model = 8, scene.heads = 2;
  return scene;
}

class KeysInOneFrame : public tests::ProgramTest {
 protected:
  KeysInOneFrame() {
    width_ = 1200, height_ = 800;
    if (const char* home = std::getenv("HOME")) home_ = home;
    ::setenv("HOME", exported_.path().c_str(), 1);  // where Enter in the Export card writes
  }
  ~KeysInOneFrame() override {
    if (home_.empty())
      ::unsetenv("HOME");
    else
      ::setenv("HOME", home_.c_str(), 1);
  }

  void down(const Stroke& stroke) {
    if (stroke.ctrl) input_.key(Key::ctrl, true);
    input_.key(stroke.key, true);
    if (stroke.types != 0) input_.character(stroke.types);
  }
  void up(const Stroke& stroke) {
    input_.key(stroke.key, false);
    if (stroke.ctrl) input_.key(Key::ctrl, false);
  }
  void settle() {
    do frame();
    while (input_.pending());
    pilot_.frames(4);
  }
  enum class How { apart, together, rolling };  // rolling: a key is let go after the next one is down
  /// Is a key still down when the next one comes?
  static bool rolls(const std::vector<Stroke>& strokes) {
    for (std::size_t i = 0; i + 1 < strokes.size(); ++i)
      if (!strokes[i].ctrl && strokes[i].key != strokes[i + 1].key) return true;
    return false;
  }
  void strike(const std::vector<Stroke>& strokes, How how) {
    const Stroke* held = nullptr;
    for (const Stroke& stroke : strokes) {
      if (held && held->key == stroke.key) up(*std::exchange(held, nullptr));  // a finger cannot
      down(stroke);
      if (held) up(*held);
      held = nullptr;
      if (how == How::rolling && !stroke.ctrl) {
        held = &stroke;
      } else {
        up(stroke);
      }
      if (how == How::apart) settle();
    }
    if (held) up(*held);
    settle();
  }
  /// The program as it starts, with these keys behind it.
  void begin(const std::vector<Stroke>& first) {
    if (shell_) strike({escape, escape, escape}, How::together);  // what ImGui still has open
    start(small_scene());
    strike(first, How::apart);
  }
  /// All that the keys can change.
  struct Outcome {
    scene::Scene scene;
    std::string on_screen;
    bool typing, focus;
  };
  Outcome outcome() { return {scene(), pilot_.inventory(), shell_->ui().typing(), shell_->ui().focus.any()}; }
  void expect_same(const std::vector<Stroke>& first, const std::vector<Stroke>& strokes) {
    std::string trace;
    for (const Stroke& stroke : first) trace += std::string(stroke.name) + " ";
    trace += "|";
    for (const Stroke& stroke : strokes) trace += std::string(" ") + stroke.name;
    SCOPED_TRACE(trace);
    begin(first);
    strike(strokes, How::apart);
    const Outcome apart = outcome();
    for (const How how : {How::together, How::rolling}) {
      if (how == How::rolling && !rolls(strokes)) continue;  // the very same events
      SCOPED_TRACE(how == How::rolling ? "rolling" : "together");
      begin(first);
      strike(strokes, how);
      const Outcome now = outcome();
      EXPECT_EQ(now.scene.sentence, apart.scene.sentence);
      EXPECT_TRUE(now.scene == apart.scene);
      EXPECT_EQ(now.on_screen, apart.on_screen);
      EXPECT_EQ(now.typing, apart.typing);
      EXPECT_EQ(now.focus, apart.focus);
    }
  }

 private:
  tests::ScratchFolder exported_;
  std::string home_;
};

TEST_F(KeysInOneFrame, ASlashGoesToTheSentenceAndTheLettersBehindItAreTyped) {
  for (const How how : {How::together, How::rolling}) {
    begin({});
    scene::Scene wanted = scene();
    std::vector<Stroke> strokes = {slash};
    for (const Stroke& letter : letters("most"))
      strokes.push_back(letter);  // each means something on the page
    strike(strokes, how);
    wanted.sentence += "most";
    EXPECT_EQ(scene().sentence, wanted.sentence);
    EXPECT_TRUE(scene() == wanted) << "no letter did what it does on the page";
  }
}

TEST_F(KeysInOneFrame, EscLeavesAndASlashComesBackWithoutTypingItself) {
  for (const How how : {How::together, How::rolling}) {
    begin({slash});
    const std::string sentence = scene().sentence;
    ASSERT_TRUE(shell_->ui().typing());
    strike({escape, slash, letter_m}, how);
    EXPECT_EQ(scene().sentence, sentence + "m");
    begin({palette});
    strike({escape, slash, letter_m}, how);
    EXPECT_FALSE(pilot_.on_screen("palette/query"));
    EXPECT_EQ(scene().sentence, sentence + "m");
  }
}

TEST_F(KeysInOneFrame, ThePaletteTakesTheLettersThatCallItAndGivesBackThoseBehindEnter) {
  for (const How how : {How::together, How::rolling}) {
    begin({});
    scene::Scene wanted = scene();
    std::vector<Stroke> strokes = {palette};
    for (const Stroke& letter : letters("cost")) strokes.push_back(letter);
    strokes.push_back(enter), strokes.push_back(letter_t);
    strike(strokes, how);
    wanted.page = scene::Page::cost, wanted.theme = scene::ThemeName::light;
    EXPECT_TRUE(scene() == wanted);
  }
}

TEST_F(KeysInOneFrame, EveryPairDoesWhatItDoesOneAfterTheOther) {
  std::vector<std::vector<Stroke>> begins = {{}, {slash}, {palette}, {exporter}, {tab, tab, tab}};
  // All pairs from the first beginning, a sixth of them from each other one: all from all take three minutes.
  for (std::size_t b = 0; b < begins.size(); ++b) {
    std::size_t pair = 0;
    for (const Stroke& one : all_strokes) {
      for (const Stroke& two : all_strokes) {
        if (b > 0 && ++pair % 6 != b) continue;
        expect_same(begins[b], {one, two});
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace headlight::app
