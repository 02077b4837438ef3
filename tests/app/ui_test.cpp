// The window around the page, driven by the names of its parts: type, drag, click, press. No window and no
// OpenGL: ImGui builds its frames and nobody renders them.
#include <set>
#include <string>

#include "pages/page.h"
#include "program.h"
#include "scene/settings.h"

namespace headlight::app {
namespace {

using scene::IndexList;
using scene::Scene;
using screen::Key;

class Program : public tests::ProgramTest {
 protected:
  Program() { start({}); }
};

TEST_F(Program, TypingChangesTheResultsAtEachKeystroke) {
  done(pilot_.fill("top/sentence", "Привет, 猫 😀!"));
  EXPECT_EQ(scene().sentence, "Привет, 猫 😀!");
  EXPECT_EQ(session_->results().tokens.size(), 5u);
  pilot_.key(Key::backspace);
  EXPECT_EQ(scene().sentence, "Привет, 猫 😀");
  pilot_.key(Key::backspace);
  EXPECT_EQ(scene().sentence, "Привет, 猫 ");
  EXPECT_EQ(session_->results().tokens.size(), 3u);
}

TEST_F(Program, AnEmptySentenceIsAPictureToo) {
  done(pilot_.fill("top/sentence", "x"));
  pilot_.key(Key::backspace);
  EXPECT_EQ(scene().sentence, "");
  EXPECT_EQ(session_->results().attention.T, 0);
  pilot_.frames(3);
  pilot_.type("one");
  EXPECT_EQ(session_->results().attention.T, 1);
}

/// Whether a field may stand in the panel of this page; labels repeat from page to page.
bool stands_on(const scene::Field& field, scene::Page page) {
  using G = scene::Group;
  if (field.group == G::none || field.group == G::interface ||
      std::string_view(field.name).starts_with("block_encdec_"))
    return false;  // the encoder–decoder is not on show
  if (field.group == G::model)
    return page != scene::Page::training;  // which has a width, heads and a seed of its own
  if (const auto own = scene::own_page(field)) return *own == page;
  return page == scene::Page::attention || page == scene::Page::position;
}

/// One page each, so that the pages run beside each other.
class ProgramPages : public Program, public testing::WithParamInterface<int> {};

TEST_P(ProgramPages, EverySliderGoesToBothEnds) {
  const auto page = static_cast<scene::Page>(GetParam());
  Scene start_scene;
  start_scene.mask = {.causal = true, .window = true, .valid_length = true};
  start_scene.page = page;
  start_scene.training.steps = 12, start_scene.training.batch = 8;  // the page has a run
  start(start_scene);
  open_settings();
  std::set<std::string> moved;
  scene::fields(start_scene, [&](const scene::Field& field, auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, int> ||
                  std::is_same_v<std::decay_t<decltype(value)>, double>) {
      const std::string path = std::string("settings/") + field.label;
      if (!stands_on(field, page) || !pilot_.on_screen(path)) return;
      done(pilot_.drag(path, 0.5f, 1.f));
      const std::string high = scene::get_field(scene(), field.name);
      done(pilot_.drag(path, 0.9f, 0.f));
      const std::string low = scene::get_field(scene(), field.name);
      EXPECT_NE(high, low) << path << " on " << scene::word(page);
      moved.insert(field.name);
      // Others can go no further than these: a stack of one layer has one to show.
      const std::string_view name = field.name;
      if (name == "d_model" || name == "positions" || name == "block_layers") {
        pilot_.key(Key::z, screen::ctrl_only);
        pilot_.key(Key::z, screen::ctrl_only);
        pilot_.frames(2);
      }
    }
  });
  EXPECT_GE(moved.size(), page == scene::Page::attention  ? 9u
                          : page == scene::Page::position ? 6u
                          : page == scene::Page::presets  ? 0u
                                                          : 1u);
  while (session_->can_undo()) pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene().temperature, start_scene.temperature);
  EXPECT_EQ(scene(), start_scene);
}

INSTANTIATE_TEST_SUITE_P(Every, ProgramPages,
                         testing::Range(0, static_cast<int>(std::size(scene::Words<scene::Page>::list))),
                         [](const auto& parameter) {
                           return scene::word(static_cast<scene::Page>(parameter.param));
                         });

TEST_F(Program, TheRailOpensGroupsWhereTheyWereLeft) {
  done(pilot_.click("tabs/Compare"));
  EXPECT_EQ(scene().page, scene::Page::compare);
  done(pilot_.click("rail/Theory"));
  EXPECT_EQ(scene().page, scene::Page::cost);
  EXPECT_TRUE(pilot_.on_screen("tabs/Memory"));
  EXPECT_FALSE(pilot_.on_screen("tabs/Compare"));
  done(pilot_.click("tabs/Memory"));
  done(pilot_.click("rail/Train"));
  EXPECT_EQ(scene().page, scene::Page::training);
  done(pilot_.click("rail/Theory"));
  EXPECT_EQ(scene().page, scene::Page::memory);
  done(pilot_.click("rail/Explore"));
  EXPECT_EQ(scene().page, scene::Page::compare);
  done(pilot_.click("rail/Learn"));
  EXPECT_EQ(scene().page, scene::Page::worked);
  pilot_.frames(3);
  EXPECT_TRUE(pilot_.on_screen("lessons/add view")) << "with the list of lessons: " << pilot_.inventory();
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("lessons/add view"));
  done(pilot_.click("tabs/References"));
  EXPECT_EQ(scene().page, scene::Page::presets);
  EXPECT_FALSE(pilot_.on_screen("settings/pin")) << "nothing can be set there";
}

TEST_F(Program, EveryPageIsInTheTabsOfItsGroup) {
  constexpr const char* groups[] = {"rail/Explore", "rail/Learn", "rail/Train", "rail/Theory"};
  for (const scene::PageRoom* room : scene::rooms()) {
    done(pilot_.click(groups[static_cast<int>(room->group)]));
    pilot_.key(Key::escape);
    pilot_.frames(3);
    done(pilot_.click(std::string("tabs/") + room->title));
    EXPECT_EQ(scene().page, room->page) << room->title;
  }
}

TEST_F(Program, AChipOpensTheSettingsAndEscBringsTheCardsBack) {
  width_ = 1280, height_ = 720;
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("settings/Strength")) << "no room for three columns";
  ASSERT_TRUE(pilot_.on_screen("page/copy numpy"));
  done(pilot_.click("tabs/scene mask"));
  pilot_.frames(3);
  EXPECT_TRUE(shell_->page().column == false);
  for (const char* name : {"settings/Model width d", "settings/Heads", "settings/Seed", "settings/Strength",
                           "settings/First position", "settings/Base", "settings/mask causal"}) {
    ASSERT_TRUE(pilot_.on_screen(name)) << name;
    const auto& item = recorder_.items.find(name)->second;
    EXPECT_LE(item.to.y, item.clip_to.y) << name << " is seen without scrolling";
    EXPECT_LE(item.to.y, 698) << name;
  }
  done(pilot_.drag("settings/Strength", 0.5f, 0.8f));
  EXPECT_GT(scene().position_scale, 1);
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("settings/Strength"));
  EXPECT_TRUE(shell_->page().column);
  done(pilot_.click("tabs/scene mask"));
  done(pilot_.click("settings/pin"));
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_TRUE(pilot_.on_screen("settings/Strength")) << "pinned";
  done(pilot_.click("tabs/scene mask"));
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("settings/Strength")) << "the chip that opened it closes it";
}

TEST_F(Program, TheDivisionAndTheTemperatureAreOnTheirLinesOrInTheSettingsThatReplaceThem) {
  for (const auto& [width, height] : {std::pair{1280, 720}, {1600, 1000}}) {
    width_ = width, height_ = height;
    for (const char* query : {"2", ""}) {  // a cell is open, and none is
      scene::Scene next;
      ASSERT_TRUE(scene::set_field(next, std::string("query=") + query));
      start(next);
      open_settings();
      EXPECT_TRUE(pilot_.on_screen("settings/Strength"));
      const bool replaced = shell_->settings().place() == SettingsPlace::replaces_cards;
      EXPECT_EQ(replaced, width < 1440);
      EXPECT_EQ(pilot_.on_screen("settings/Temperature"), replaced) << "the card with it makes way";
      EXPECT_EQ(pilot_.on_screen("settings/Divide by √d_k"), replaced);
      shell_->settings().hold(false);
      pilot_.frames(3);
      done(pilot_.click("page/divide by √d_k"));
      EXPECT_FALSE(scene().scale);
      done(pilot_.drag("page/temperature", 0.5f, 0.9f));
      EXPECT_GT(scene().temperature, 1);
    }
  }
}

TEST_F(Program, TheSliderOfALineMovesWithTheArrows) {
  int presses = 0;
  const auto at = [&] { return scene().temperature; };
  done(pilot_.click("page/divide by √d_k"));
  pilot_.key(Key::tab);
  for (; presses < 80 && at() == 1; ++presses) {
    pilot_.key(Key::right);
    if (at() == 1) pilot_.key(Key::tab);
  }
  EXPECT_GT(at(), 1) << "Tab does not reach it";
  pilot_.key(Key::left);
  EXPECT_NEAR(at(), 1, 0.011);
}

TEST_F(Program, TheGearHasWhatBelongsToTheWindow) {
  done(pilot_.click("rail/gear"));
  pilot_.frames(3);
  done(pilot_.click("rail/interface/theme/light"));
  EXPECT_EQ(scene().theme, scene::ThemeName::light);
  done(pilot_.drag("rail/interface/Interface scale", 0.2f, 0.4f));
  EXPECT_NE(scene().interface_scale, 1);
  EXPECT_FALSE(session_->can_undo()) << "the look of the interface is no step";
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("rail/interface/theme"));
}

TEST_F(Program, ASmallWindowHasOneRowAndTheSettingsOverThePage) {
  width_ = 640, height_ = 360;
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("tabs/Attention"));
  done(pilot_.click("top/page"));
  pilot_.frames(3);
  done(pilot_.click("top/pages/Compare"));
  EXPECT_EQ(scene().page, scene::Page::compare);
  done(pilot_.click("top/scene"));
  pilot_.frames(3);
  done(pilot_.drag("settings/Heads", 0.f, 1.f));
  EXPECT_EQ(scene().heads, scene().d_model);
  EXPECT_TRUE(shell_->page().column) << "the page keeps its place";
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("settings/Heads"));
  done(pilot_.fill("top/sentence", "a b c"));
  EXPECT_EQ(scene().sentence, "a b c");
}

TEST_F(Program, EscThatClosesACardOfTheRailLeavesTheSelection) {
  scene::Scene pinned;
  pinned.query = scene::IndexList{1}, pinned.key = 3;
  start(pinned);
  const scene::Scene before = scene();
  done(pilot_.click("rail/gear"));
  pilot_.frames(3);
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_EQ(scene(), before);
  pilot_.key(Key::escape);
  EXPECT_NE(scene(), before) << "without a card, Esc clears the key";
}

TEST_F(Program, DoubleClickBringsTheDefaultBack) {
  open_settings();
  done(pilot_.drag("settings/Strength", 0.5f, 0.8f));
  EXPECT_NE(scene().position_scale, 1);
  done(pilot_.double_click("settings/Strength"));
  EXPECT_DOUBLE_EQ(scene().position_scale, 1);
}

TEST_F(Program, TabsChangeThePageAndTheKeyboardDoesToo) {
  done(pilot_.click("tabs/Positions"));
  EXPECT_EQ(scene().page, scene::Page::position);
  pilot_.key(Key::right);
  EXPECT_EQ(scene().positions.index, 11);
  pilot_.key(Key::page_up, screen::ctrl_only);
  EXPECT_EQ(scene().page, scene::Page::compare);
}

TEST_F(Program, TheCardOfKeysOpensByButtonAndKeyAndEscClosesIt) {
  const auto open = [] {
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  };
  const Scene before = scene();
  done(pilot_.click("rail/help"));
  EXPECT_TRUE(open());
  for (const Key key : {Key::escape, Key::f1, Key::escape, Key::f1, Key::f1}) {
    const bool opens = !open();
    pilot_.key(key);
    pilot_.frames(3);
    EXPECT_EQ(open(), opens);
  }
  EXPECT_FALSE(open());
  EXPECT_EQ(scene(), before);
}

TEST_F(Program, ThemeScaleAndUndoByKeys) {
  pilot_.key(Key::t);
  EXPECT_EQ(scene().theme, scene::ThemeName::light);
  pilot_.key(Key::plus, screen::ctrl_only);
  EXPECT_GT(scene().interface_scale, 1);
  pilot_.key(Key::digit_0, screen::ctrl_only);
  EXPECT_EQ(scene().interface_scale, 1);
  EXPECT_FALSE(session_->can_undo()) << "the look of the interface is no step";
  pilot_.key(Key::digit_2);
  pilot_.key(Key::page_down, screen::ctrl_only);
  ASSERT_EQ(scene().page, scene::Page::model);
  pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene().head, Scene{}.head);
  EXPECT_EQ(scene().page, scene::Page::model);
  EXPECT_EQ(scene().theme, scene::ThemeName::light);
  EXPECT_NE(session_->message().find("undone: Heads shown"), std::string::npos) << session_->message();
  pilot_.key(Key::z, screen::ctrl_shift);
  EXPECT_EQ(scene().head, (IndexList{2}));
}

TEST_F(Program, LettersAreTextWhileASentenceIsTyped) {
  done(pilot_.fill("top/sentence", ""));
  pilot_.type("most 0 t");
  EXPECT_EQ(scene().sentence, "most 0 t");
  EXPECT_EQ(scene().theme, scene::ThemeName::dark);
}

TEST_F(Program, TabReachesEveryControlAndComesRound) {
  std::set<std::string> names;
  for (int i = 0; i < 80; ++i) pilot_.key(Key::tab);
  EXPECT_TRUE(shell_->ui().focus.any());
}

/// What takes long is stopped and begun again with the pointer and with the key, with a status line and
/// without.
TEST_F(Program, AComputationIsStoppedAndBegunAgain) {
  for (const bool compact : {false, true}) {
    start({});
    const std::size_t tokens = session_->results().tokens.size();
    if (compact) width_ = 640, height_ = 360;
    Scene next = scene();
    next.tokenizer = scene::Tokenizer::chars, next.d_model = 512, next.heads = 8;
    next.sentence.assign(12000, 'a');
    session_->change(next, "", now_);
    frame();
    ASSERT_GE(session_->busy(), 0);
    const std::string bar = compact ? "toast/" : "status/";
    EXPECT_FALSE(pilot_.on_screen(bar + "stop computing")) << "what is over at once is not spoken of";
    for (int i = 0; i < 600 && !pilot_.on_screen(bar + "stop computing"); ++i) frame();
    done(pilot_.click(bar + "stop computing"));
    EXPECT_TRUE(session_->stopped());
    EXPECT_EQ(session_->results().tokens.size(), tokens);
    now_ += 20;  // what was said is over
    frame();
    done(pilot_.click(bar + "compute again"));
    EXPECT_FALSE(session_->stopped());
    frame();
    EXPECT_GE(session_->busy(), 0);
    pilot_.key(Key::period, screen::ctrl_only);
    EXPECT_TRUE(session_->stopped());
    pilot_.key(Key::period, screen::ctrl_only);
    EXPECT_FALSE(session_->stopped());
  }
}

TEST_F(Program, AwkwardSentencesAreShownAndNothingHangs) {
  for (const scene::Tokenizer tokenizer : {scene::Tokenizer::chars, scene::Tokenizer::words}) {
    // A megabyte is cut into the tokens that are shown; as one word, all of it is measured each time it is
    // drawn.
    const std::size_t longest = tokenizer == scene::Tokenizer::words ? 1 << 16 : 1 << 20;
    for (const std::string& sentence :
         {std::string(""), std::string("one"), std::string("      "), std::string("\xff\xfe broken \xc3"),
          std::string("שלום עולם مرحبا"), std::string("👩‍👩‍👧 🇫🇷 👍🏽"),
          std::string(longest, 'a'), std::string(300, '\n')}) {
      Scene next;
      next.sentence = sentence;
      next.tokenizer = tokenizer;
      next.d_model = 8;
      next.heads = 1;
      start(next);
      EXPECT_EQ(scene().sentence, sentence);
    }
  }
}

}  // namespace
}  // namespace headlight::app
