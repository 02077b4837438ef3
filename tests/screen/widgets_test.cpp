// The kit, driven as a person would: by the pilot, through the input queue, without OpenGL.
#include "screen/widgets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "screen/pilot.h"
#include "screen/unseen_screen.h"

namespace headlight::screen {
namespace {

using testing::HasSubstr;

#define DONE(status)                   \
  do {                                 \
    const auto done = (status);        \
    ASSERT_TRUE(done) << done.error(); \
  } while (false)

class Widgets : public testing::Test {
 protected:
  Widgets() {
    ui.recorder = &recorder;
    ui.report = [this](const std::string& line) { reported = line; };
    ui.wake_in = [this](double seconds) { woken_in = seconds; };
    pilot.frames(3);
  }

  void frame() {
    now += UnseenScreen::seconds;
    screen.frame(800, 600, [this] {
      ui.begin(draw::theme(true), scale, now);
      if (ui.begin_panel("panel", {0, 0, 300 * scale, 400 * scale}, draw::theme(true).panel, 20)) panel();
      ui.end_panel();
      if (another_panel) {
        (void)ui.begin_panel("another", {300 * scale, 0, 100 * scale, 50 * scale}, draw::theme(true).panel,
                             0);
        ui.end_panel();
      }
      ui.end();
      painter.upload();
    });
  }

  void panel() {
    note(ui.text_field({.name = "sentence"}, sentence));
    note(ui.slider({.label = "temperature", .min = 0.01, .max = 100, .logarithmic = true, .fallback = 1},
                   temperature));
    note(ui.slider({.label = "offset", .min = 0, .max = 100000, .logarithmic = true}, offset));
    note(ui.slider({.label = "scale", .min = 0, .max = 4, .fallback = 1, .help = "factor on P"}, strength));
    note(ui.slider({.label = "heads", .allowed = divisors, .fallback = 4}, heads));
    note(ui.segmented({.name = "mask", .options = masks}, mask));
    note(ui.toggle("divide", divide));
    ui.begin_flow();
    note(ui.chip({.label = "causal"}, causal));
    pressed += ui.button({.label = "shuffle"}).changed;
    off_pressed += ui.button({.label = "nothing", .enabled = false}).changed;
    ui.end_flow();
    for (int i = 0; i < 20; ++i) {
      if (ui.button({.label = "row " + std::to_string(i), .name = names[static_cast<std::size_t>(i)]}))
        row = i;
    }
    if (ui.button({.label = "open"})) ui.open_popup("sheet");
    if (ui.begin_popup("sheet", nullptr, 200)) {
      if (ui.button({.label = "close"})) ui.close_popup();
      ui.end_popup();
    }
    if (std::exchange(wants_menu, false)) ui.open_popup("menu");
    const draw::Box below{100 * scale, 40 * scale, 80 * scale, 30 * scale};
    if (ui.begin_popup("menu", &below, 150)) {
      (void)ui.button({.label = "entry"});
      ui.end_popup();
    }
  }
  void note(const Response& response) {
    changes += response.changed;
    actives += response.active;
    submits += response.submitted;
  }

  UnseenScreen screen;
  std::string& clipboard = screen.clipboard;
  TextPainter painter{screen.textures};
  InputQueue& input = screen.input;
  Recorder recorder;
  Ui ui{painter, input};
  Pilot pilot{input, recorder, [this] { frame(); }};
  double now = 0;
  float scale = 1;

  std::string sentence = "hi 😀 猫", reported;
  double temperature = 1, strength = 1, woken_in = -1;
  int offset = 0, heads = 4, mask = 0, pressed = 0, off_pressed = 0, row = -1;
  bool divide = true, causal = false, wants_menu = false, another_panel = false;
  int changes = 0, actives = 0, submits = 0;
  std::vector<int> divisors = {1, 2, 4, 8, 16, 32};
  std::array<std::string_view, 3> masks = {"none", "causal", "window"};
  std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (int i = 0; i < 20; ++i) out.push_back("row " + std::to_string(i));
    return out;
  }();
};

TEST_F(Widgets, TypingIntoTheSentenceKeepsEmojiAndChinese) {
  DONE(pilot.click("panel/sentence", 0.9f));
  EXPECT_TRUE(ui.typing());
  pilot.key(Key::end);
  pilot.type(" ok 🚀");
  EXPECT_EQ(sentence, "hi 😀 猫 ok 🚀");
  pilot.key(Key::backspace);
  pilot.key(Key::backspace, ctrl_only);
  EXPECT_EQ(sentence, "hi 😀 猫 ");
  EXPECT_EQ(submits, 0);
  pilot.key(Key::enter);
  EXPECT_EQ(submits, 1);
  pilot.key(Key::escape);
  EXPECT_FALSE(ui.typing());
  pilot.type("x");
  EXPECT_EQ(sentence, "hi 😀 猫 ") << "nobody types into a field that was left";
}

TEST_F(Widgets, FillReplacesAndTheClipboardCarriesEverything) {
  DONE(pilot.fill("panel/sentence", "мир 😀 שלום"));
  EXPECT_EQ(sentence, "мир 😀 שלום");
  pilot.key(Key::a, ctrl_only);
  pilot.key(Key::x, ctrl_only);
  EXPECT_EQ(sentence, "");
  EXPECT_EQ(clipboard, "мир 😀 שלום");
  pilot.key(Key::v, ctrl_only);
  pilot.key(Key::v, ctrl_only);
  EXPECT_EQ(sentence, "мир 😀 שלוםмир 😀 שלום");
  DONE(pilot.fill("panel/sentence", ""));
  EXPECT_EQ(sentence, "");
}

TEST_F(Widgets, TextSetFromElsewhereShowsWhileTheFieldIsInUseAndTheCaretStays) {
  sentence = "the cat";
  DONE(pilot.click("panel/sentence", 0.9f));
  pilot.key(Key::left);
  pilot.key(Key::left);
  sentence = "the dog";  // as undo does
  pilot.frames(2);
  pilot.type("_");
  EXPECT_EQ(sentence, "the d_og");
  DONE(pilot.click("panel/shuffle"));
  for (int i = 0; i < 20 && !ui.typing(); ++i) pilot.key(Key::tab, shift_only);
  ASSERT_TRUE(ui.typing());
  pilot.type("^");
  EXPECT_EQ(sentence, "the d_^og") << "the caret is where it was left";
}

TEST_F(Widgets, ADoubleClickSelectsAWord) {
  sentence = "attention";
  DONE(pilot.double_click("panel/sentence", 0.15f));
  pilot.type("one");
  EXPECT_EQ(sentence, "one");
}

TEST_F(Widgets, SlidersReachBothEndsExactly) {
  DONE(pilot.drag("panel/temperature", 0.5f, 1.2f));
  EXPECT_EQ(temperature, 100);
  DONE(pilot.drag("panel/temperature", 1, 0));
  EXPECT_EQ(temperature, 0.01);
  DONE(pilot.drag("panel/offset", 0, 1));
  EXPECT_EQ(offset, 100000);
  DONE(pilot.drag("panel/offset", 1, 0));
  EXPECT_EQ(offset, 0);
  DONE(pilot.drag("panel/heads", 0.3f, 1));
  EXPECT_EQ(heads, 32);
  DONE(pilot.drag("panel/heads", 1, 0));
  EXPECT_EQ(heads, 1);
  EXPECT_GT(actives, 10) << "a drag is one step of undo";
}

TEST_F(Widgets, AClickOnTheTrackJumpsToARoundValue) {
  DONE(pilot.click("panel/scale", 0.75f));
  EXPECT_NEAR(strength, 3, 0.03);
  EXPECT_NEAR(strength * 100, std::round(strength * 100), 1e-9);
  const double before = strength;
  DONE(pilot.click("panel/scale", 0.75f));  // on the knob now
  EXPECT_EQ(strength, before);
}

TEST_F(Widgets, ADoubleClickReturnsToTheDefault) {
  strength = 3;
  DONE(pilot.double_click("panel/scale", 0.3f));
  EXPECT_EQ(strength, 1);
  heads = 32;
  DONE(pilot.double_click("panel/heads", 0.9f));
  EXPECT_EQ(heads, 4);
  // Two slow clicks are no double click.
  DONE(pilot.click("panel/scale", 0.1f));
  DONE(pilot.click("panel/scale", 0.1f));
  EXPECT_LT(strength, 0.6);
}

TEST_F(Widgets, ValuesCanBeTyped) {
  DONE(pilot.fill("panel/temperature/value", "2.5"));
  EXPECT_EQ(temperature, 1) << "not before it is entered";
  pilot.key(Key::enter);
  EXPECT_EQ(temperature, 2.5);
  EXPECT_EQ(reported, "");
  EXPECT_FALSE(ui.typing());

  DONE(pilot.fill("panel/temperature/value", "warm"));
  pilot.key(Key::enter);
  EXPECT_EQ(temperature, 2.5);
  EXPECT_THAT(reported, HasSubstr("temperature"));
  EXPECT_THAT(reported, HasSubstr("warm"));

  DONE(pilot.fill("panel/temperature/value", "1e9"));
  DONE(pilot.click("panel/shuffle"));  // a click elsewhere enters it too
  EXPECT_EQ(temperature, 100);
  EXPECT_EQ(pressed, 1);

  DONE(pilot.fill("panel/heads/value", "7"));
  pilot.key(Key::tab);
  EXPECT_EQ(heads, 8);
  EXPECT_THAT(reported, HasSubstr("1, 2, 4, 8, 16, 32"));

  DONE(pilot.fill("panel/offset/value", "123"));
  pilot.key(Key::escape);
  EXPECT_EQ(offset, 0);
  DONE(pilot.fill("panel/offset/value", "55"));
  DONE(pilot.fill("panel/temperature/value", "3"));  // straight from one value to another
  pilot.key(Key::enter);
  EXPECT_EQ(offset, 55);
  EXPECT_EQ(temperature, 3);
}

TEST_F(Widgets, ThousandsMayHaveCommas) {
  for (const auto& [typed, value] :
       {std::pair{"10,000", 10000.0}, {" 1,234 ", 1234.0}, {"100,000", 100000.0}}) {
    DONE(pilot.fill("panel/offset/value", typed));
    pilot.key(Key::enter);
    EXPECT_EQ(offset, value) << typed;
    EXPECT_EQ(reported, "") << typed;
  }
  for (const char* typed : {"1,5", "10,00", ",100", "1.0,000", "1,0000"}) {
    reported.clear();
    DONE(pilot.fill("panel/offset/value", typed));
    pilot.key(Key::enter);
    EXPECT_EQ(offset, 100000) << typed;
    EXPECT_THAT(reported, HasSubstr(typed));
  }
}

TEST_F(Widgets, TabGoesThroughEverythingAndRound) {
  pilot.key(Key::tab);
  EXPECT_TRUE(ui.typing()) << "the sentence comes first";
  pilot.key(Key::tab);
  EXPECT_FALSE(ui.typing());
  EXPECT_TRUE(ui.focus.uses_arrows());
  pilot.key(Key::right);
  EXPECT_NEAR(temperature, 1.1, 1e-12);
  pilot.key(Key::left, shift_only);
  EXPECT_NEAR(temperature, 0.1, 1e-12);
  pilot.key(Key::end);
  EXPECT_EQ(temperature, 100);
  pilot.key(Key::tab);
  pilot.key(Key::up);
  EXPECT_EQ(offset, 1);
  pilot.key(Key::right, shift_only);
  EXPECT_EQ(offset, 11);
  pilot.key(Key::tab);
  pilot.key(Key::tab);
  pilot.key(Key::right);
  EXPECT_EQ(heads, 8);
  pilot.key(Key::enter);
  EXPECT_TRUE(ui.typing());
  pilot.type("16");
  pilot.key(Key::enter);
  EXPECT_EQ(heads, 16);
  pilot.key(Key::tab);
  pilot.key(Key::right);
  EXPECT_EQ(mask, 1);
  pilot.key(Key::tab);
  EXPECT_FALSE(ui.focus.uses_arrows()) << "a toggle leaves the arrows to the page";
  pilot.key(Key::space);
  EXPECT_FALSE(divide);
  pilot.key(Key::tab);
  pilot.key(Key::enter);
  EXPECT_TRUE(causal);
  pilot.key(Key::tab);
  pilot.key(Key::space);
  EXPECT_EQ(pressed, 1);
  pilot.key(Key::tab);
  pilot.key(Key::space);
  EXPECT_EQ(row, 0) << "what is disabled is passed over";
  for (int i = 0; i < 19; ++i) pilot.key(Key::tab);
  pilot.key(Key::space);
  EXPECT_EQ(row, 19);
  EXPECT_EQ(off_pressed, 0);
  pilot.key(Key::tab);
  pilot.key(Key::tab);
  EXPECT_TRUE(ui.typing()) << "round to the first";
  pilot.key(Key::tab, shift_only);
  pilot.key(Key::tab, shift_only);
  row = -1;
  pilot.key(Key::space);
  EXPECT_EQ(row, 19);
  pilot.key(Key::escape);
  EXPECT_FALSE(ui.focus.any());
}

TEST_F(Widgets, FocusScrollsIntoViewAndAClickOnNothingDropsIt) {
  pilot.key(Key::tab, shift_only);
  pilot.frames(3);
  const auto& open = recorder.items.at("panel/open");
  EXPECT_GE(open.from.y, open.clip_from.y);
  EXPECT_LE(open.to.y, open.clip_to.y);
  EXPECT_TRUE(ui.focus.any());
  input.mouse_move(700, 500);
  pilot.frames(2);
  input.mouse_button(0, true);
  input.mouse_button(0, false);
  pilot.frames(4);
  EXPECT_FALSE(ui.focus.any());
}

TEST_F(Widgets, AClickLeavesSpaceToTheRestAndTabDoesNot) {
  DONE(pilot.click("panel/shuffle"));
  EXPECT_EQ(pressed, 1);
  EXPECT_FALSE(ui.focus.presses());
  pilot.key(Key::space);
  pilot.key(Key::enter);
  EXPECT_EQ(pressed, 1) << "nothing shows that the button has the keyboard";
  DONE(pilot.click("panel/mask/window"));
  pilot.key(Key::space);
  EXPECT_EQ(mask, 2);
  pilot.key(Key::left);
  EXPECT_EQ(mask, 1) << "arrows are still those of what was clicked";
  pilot.key(Key::tab);
  EXPECT_TRUE(ui.focus.presses());
  pilot.key(Key::space);
  EXPECT_FALSE(divide);
}

TEST_F(Widgets, ClicksReachWhatIsScrolledAway) {
  DONE(pilot.click("panel/row 17"));
  EXPECT_EQ(row, 17);
  DONE(pilot.click("panel/mask/window"));
  EXPECT_EQ(mask, 2);
  DONE(pilot.click("panel/divide"));
  EXPECT_FALSE(divide);
  DONE(pilot.click("panel/nothing"));
  EXPECT_EQ(off_pressed, 0);
}

TEST_F(Widgets, ThePilotSaysWhatIsThere) {
  const auto status = pilot.click("panel/tempreature");
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error(), HasSubstr("\"panel/tempreature\""));
  EXPECT_THAT(status.error(), HasSubstr("panel/temperature/value"));
}

TEST_F(Widgets, APopupKeepsTheFocusAndEscapeClosesIt) {
  DONE(pilot.click("panel/open"));
  ASSERT_TRUE(pilot.on_screen("panel/sheet/close")) << pilot.inventory();
  const std::string before = sentence;
  for (int i = 0; i < 3; ++i) pilot.key(Key::tab);
  pilot.type("x");
  EXPECT_EQ(sentence, before);
  pilot.key(Key::escape);
  pilot.frames(2);
  EXPECT_FALSE(pilot.on_screen("panel/sheet/close"));
  DONE(pilot.click("panel/open"));
  DONE(pilot.click("panel/sheet/close"));
  EXPECT_FALSE(pilot.on_screen("panel/sheet/close"));
}

/// A message that goes away brings another panel back: what is open stays open.
TEST_F(Widgets, AMenuOutlivesAPanelThatAppears) {
  wants_menu = true;
  pilot.frames(3);
  ASSERT_TRUE(pilot.on_screen("panel/menu/entry")) << pilot.inventory();
  another_panel = true;
  pilot.frames(3);
  EXPECT_TRUE(pilot.on_screen("panel/menu/entry"));
  pilot.key(Key::escape);
  pilot.frames(2);
  EXPECT_FALSE(pilot.on_screen("panel/menu/entry"));
}

TEST_F(Widgets, ACardOutlivesAFrameThatWasDropped) {
  DONE(pilot.click("panel/open"));
  ASSERT_TRUE(pilot.on_screen("panel/sheet/close")) << pilot.inventory();
  pilot.frames(2);
  ImGui::GetCurrentContext()->NavWindow = nullptr;  // else ImGui closes the card with the lost focus
  screen.frame(800, 600, [this] {
    ui.begin(draw::theme(true), scale, now);
    ui.abandon();
  });
  pilot.frames(2);  // the panel comes back before the card
  EXPECT_TRUE(pilot.on_screen("panel/sheet/close"));
  DONE(pilot.click("panel/sheet/close"));
  EXPECT_FALSE(pilot.on_screen("panel/sheet/close"));
}

TEST_F(Widgets, TheWheelScrollsAndWithCtrlItChangesTheSliderBeneath) {
  DONE(pilot.wheel("panel/scale", -2));
  EXPECT_EQ(strength, 1);
  DONE(pilot.hover("panel/scale"));
  input.key(Key::ctrl, true);
  DONE(pilot.wheel("panel/scale", 1));
  input.key(Key::ctrl, false);
  EXPECT_NEAR(strength, 1.01, 1e-12);
}

TEST_F(Widgets, HelpComesAfterAMomentAndAsksForAWakeUp) {
  DONE(pilot.hover("panel/scale"));
  EXPECT_GT(woken_in, 0);
  EXPECT_LT(woken_in, 0.5);
  EXPECT_EQ(ImGui::GetForegroundDrawList()->VtxBuffer.Size, 0);
  pilot.frames(40);
  EXPECT_GT(ImGui::GetForegroundDrawList()->VtxBuffer.Size, 0);
}

TEST_F(Widgets, EveryScaleLeavesEverythingInItsPanel) {
  for (const float s : {0.5f, 1.5f, 2.f, 3.f}) {
    scale = s;
    pilot.frames(3);
    for (const auto& [path, item] : recorder.items) {
      if (item.frame < ImGui::GetFrameCount() - 1) continue;
      EXPECT_GE(item.from.x, 19 * s) << path;
      EXPECT_LE(item.to.x, 281 * s) << path;
    }
  }
}

TEST(ValueText, HasAboutThreeDigits) {
  EXPECT_EQ(value_text(1, false), "1.00");
  EXPECT_EQ(value_text(0.05, false), "0.05");
  EXPECT_EQ(value_text(123.456, false), "123.5");
  EXPECT_EQ(value_text(10000, false), "10000");
  EXPECT_EQ(value_text(-3, true), "-3");
}

}  // namespace
}  // namespace headlight::screen
