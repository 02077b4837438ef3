// The real interface, driven by its own names: type, drag, click, press. No window and no OpenGL: ImGui
// builds its frames and nobody renders them.
#include <gtest/gtest.h>
#include <imgui.h>

#include <filesystem>
#include <set>
#include <string>

#include "app/session.h"
#include "app/shell.h"
#include "scene/settings.h"
#include "screen/pilot.h"
#include "screen/recorder.h"

namespace headlight::app {
namespace {

using scene::IndexList;
using scene::Scene;
using screen::Key;

class Program : public ::testing::Test {
 protected:
  static constexpr int width = 1600, height = 1000;

  Program() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as the OpenGL backend does
    io.DisplaySize = ImVec2(width, height);
    unsigned char* pixels = nullptr;
    int w = 0, h = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
    screen::InputQueue::attach(io);
    static std::string clipboard;
    io.ClipboardUserData = &clipboard;
    io.SetClipboardTextFn = [](void* data, const char* text) { *static_cast<std::string*>(data) = text; };
    io.GetClipboardTextFn = [](void* data) { return static_cast<std::string*>(data)->c_str(); };
    start({});
  }
  ~Program() override {
    shell_.reset();
    session_.reset();
    ImGui::DestroyContext();
  }

  void start(const Scene& scene) {
    shell_.reset();
    session_ = std::make_unique<Session>(Session::Start{.scene = scene, .autosave = {}});
    session_->wait();
    shell_ = std::make_unique<Shell>(*session_, input_, textures_);
    shell_->ui().recorder = &recorder_;
    pilot_.frames(3);
  }

  void frame() {
    now_ += 1.0 / 60;
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = 1.f / 60;
    input_.apply(io);
    ImGui::NewFrame();
    shell_->frame({.width = width, .height = height, .display_scale = 1, .seconds = 1.f / 60, .now = now_});
    ImGui::Render();
  }

  const Scene& scene() const { return session_->scene(); }
  void done(const base::Status& status) { ASSERT_TRUE(status) << status.error(); }

  double now_ = 0;
  screen::InputQueue input_;
  screen::NumberedTextures textures_;
  screen::Recorder recorder_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Shell> shell_;
  screen::Pilot pilot_{input_, recorder_, [this] { frame(); }};
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

/// Whether a field of this group may stand in the panel of this page; labels repeat from page to page.
bool stands_on(scene::Group group, scene::Page page) {
  using G = scene::Group;
  if (group == G::none) return false;
  if (group == G::interface || group == G::model) return true;
  if (group < G::worked) return page == scene::Page::attention || page == scene::Page::position;
  return static_cast<int>(group) - static_cast<int>(scene::Group::worked) ==
         static_cast<int>(page) - static_cast<int>(scene::Page::worked);
}

TEST_F(Program, EverySliderGoesToBothEndsOnEveryPage) {
  Scene start_scene;
  start_scene.mask = {.causal = true, .window = true, .valid_length = true};
  for (int number = 0; number < static_cast<int>(std::size(scene::Words<scene::Page>::list)); ++number) {
    const auto page = static_cast<scene::Page>(number);
    start_scene.page = page;
    start(start_scene);
    std::set<std::string> moved;
    scene::fields(start_scene, [&](const scene::Field& field, auto& value) {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, int> ||
                    std::is_same_v<std::decay_t<decltype(value)>, double>) {
        const std::string path = std::string("settings/") + field.label;
        if (!stands_on(field.group, page) || !pilot_.on_screen(path)) return;
        done(pilot_.drag(path, 0.5f, 1.f));
        const std::string high = scene::get_field(scene(), field.name);
        // The interface is at its largest or smallest now; that is a page like any other.
        done(pilot_.drag(path, 0.9f, 0.f));
        const std::string low = scene::get_field(scene(), field.name);
        EXPECT_NE(high, low) << path << " on " << scene::word(page);
        moved.insert(field.name);
        if (std::string(field.name) == "interface_scale") {
          pilot_.key(Key::digit_0, screen::ctrl_only);
          pilot_.frames(3);
        }
        if (std::string(field.name) == "d_model" || std::string(field.name) == "positions") {
          pilot_.key(Key::z, screen::ctrl_only);
          pilot_.key(Key::z, screen::ctrl_only);
          pilot_.frames(2);
        }
      }
    });
    EXPECT_GE(moved.size(), page == scene::Page::attention ? 9u : page == scene::Page::position ? 6u : 1u);
    while (session_->can_undo()) {
      pilot_.key(Key::z, screen::ctrl_only);
    }
    EXPECT_EQ(scene().temperature, start_scene.temperature);
    EXPECT_EQ(scene(), start_scene);
  }
}

TEST_F(Program, DoubleClickBringsTheDefaultBack) {
  done(pilot_.drag("settings/temperature", 0.5f, 0.8f));
  EXPECT_NE(scene().temperature, 1);
  done(pilot_.double_click("settings/temperature"));
  EXPECT_DOUBLE_EQ(scene().temperature, 1);
}

TEST_F(Program, HeadsAreSoloedComparedAndFreed) {
  done(pilot_.click("page/head 2"));
  EXPECT_EQ(scene().head, (IndexList{2}));
  pilot_.key(Key::digit_3);
  EXPECT_EQ(scene().head, (IndexList{3}));
  pilot_.key(Key::digit_0);
  EXPECT_TRUE(scene().head.empty());
  done(pilot_.click("page/head 1"));
  done(pilot_.click("page/head 1"));
  EXPECT_TRUE(scene().head.empty());
}

TEST_F(Program, CellsArePinnedByPointerAndArrowsAndFreedByEsc) {
  done(pilot_.click("page/head 2"));
  done(pilot_.click("page/map 2", 0.5f / 6, 3.5f / 6));  // column 0, row 3
  EXPECT_EQ(scene().query, (IndexList{3}));
  EXPECT_EQ(scene().key, 0);
  ASSERT_NE(session_->cell(), nullptr);
  EXPECT_EQ(session_->cell()->head, 1);
  pilot_.key(Key::right);
  pilot_.key(Key::down);
  EXPECT_EQ(scene().query, (IndexList{4}));
  EXPECT_EQ(scene().key, 1);
  pilot_.key(Key::escape);
  EXPECT_EQ(scene().key, -1);
  pilot_.key(Key::escape);
  EXPECT_TRUE(scene().query.empty());
}

TEST_F(Program, TheSelectionIsOneOnChipsMapAndBars) {
  done(pilot_.click("page/query 5"));
  EXPECT_EQ(scene().query, (IndexList{5}));
  EXPECT_EQ(session_->cell()->query, 5);
}

TEST_F(Program, ControlsOfThePageAct) {
  done(pilot_.click("page/ribbons"));
  EXPECT_EQ(scene().attention_view, scene::AttentionView::ribbons);
  done(pilot_.click("page/matrix"));
  EXPECT_EQ(scene().attention_view, scene::AttentionView::matrix);
  pilot_.key(Key::m);
  EXPECT_EQ(scene().attention_view, scene::AttentionView::ribbons);
}

TEST_F(Program, TheArithmeticIsCopied) {
  done(pilot_.click("page/copy numpy"));
  const std::string copied = ImGui::GetClipboardText();
  EXPECT_NE(copied.find("import numpy"), std::string::npos) << copied;
  done(pilot_.click("page/copy latex"));
  EXPECT_NE(std::string(ImGui::GetClipboardText()).find("\\"), std::string::npos);
}

TEST_F(Program, TheWheelEnlargesTheMapAndBringsItBack) {
  done(pilot_.wheel("page/map 1", 3));
  EXPECT_GT(shell_->page().map_view().w, 0);
  EXPECT_LT(shell_->page().map_view().w, 6);
  done(pilot_.wheel("page/map 1", -6));
  EXPECT_EQ(shell_->page().map_view(), draw::Box{});
}

TEST_F(Program, TabsChangeThePageAndTheKeyboardDoesToo) {
  done(pilot_.click("tabs/Position"));
  EXPECT_EQ(scene().page, scene::Page::position);
  pilot_.key(Key::right);
  EXPECT_EQ(scene().position_index, 11);
  pilot_.key(Key::page_up, screen::ctrl_only);
  EXPECT_EQ(scene().page, scene::Page::attention);
}

TEST_F(Program, APositionRunsByItselfAndWrapsAround) {
  Scene next;
  next.page = scene::Page::position;
  next.positions = 12;
  next.position_index = 10;
  next.play_speed = 60;
  start(next);
  pilot_.key(Key::space);
  EXPECT_TRUE(scene().play);
  std::set<int> seen;
  for (int i = 0; i < 30; ++i) {
    pilot_.frames(1);
    seen.insert(scene().position_index);
  }
  EXPECT_EQ(seen.size(), 12u);
  pilot_.key(Key::space);
  EXPECT_FALSE(scene().play);
}

TEST_F(Program, ClocksAreChosenByAClick) {
  Scene next;
  next.page = scene::Page::position;
  start(next);
  done(pilot_.click("page/clock 5"));
  EXPECT_EQ(scene().position_pair, 5);
}

TEST_F(Program, TheCardOfKeysOpensByButtonAndKeyAndEscClosesIt) {
  const auto open = [] {
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  };
  const Scene before = scene();
  done(pilot_.click("top/help"));
  EXPECT_TRUE(open());
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_FALSE(open());
  pilot_.key(Key::f1);
  pilot_.frames(3);
  EXPECT_TRUE(open());
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_FALSE(open());
  EXPECT_EQ(scene(), before);
}

TEST_F(Program, KeysThatMeanNothingOnAPageChangeNothing) {
  for (scene::Page page : {scene::Page::worked, scene::Page::cost, scene::Page::presets}) {
    Scene next;
    next.page = page;
    start(next);
    for (Key key : {Key::left, Key::right, Key::up, Key::down, Key::escape}) pilot_.key(key);
    EXPECT_EQ(scene(), next) << scene::word(page);
    EXPECT_FALSE(session_->can_undo());
  }
}

TEST_F(Program, ATokenIsDraggedToAnotherSeat) {
  Scene next;
  next.page = scene::Page::order;
  start(next);
  const auto& items = recorder_.items;
  const auto seat = [&](int n) { return items.find("page/order_permutation " + std::to_string(n) + ",-1"); };
  ASSERT_NE(seat(0), items.end()) << pilot_.inventory();
  ASSERT_NE(seat(5), items.end());
  const auto middle = [](const screen::Recorder::Item& item) {
    return ImVec2((item.from.x + item.to.x) / 2, (item.from.y + item.to.y) / 2);
  };
  const ImVec2 from = middle(seat(0)->second), to = middle(seat(5)->second);
  input_.mouse_move(from.x, from.y);
  pilot_.frames(3);
  input_.mouse_button(0, true);
  pilot_.frames(3);
  for (int i = 1; i <= 10; ++i) {
    const float t = static_cast<float>(i) / 10;
    input_.mouse_move(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t);
    pilot_.frames(2);
  }
  input_.mouse_button(0, false);
  pilot_.frames(5);
  EXPECT_EQ(scene::get_field(scene(), "order_permutation"), "1,2,3,4,5,0");
  pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene::get_field(scene(), "order_permutation"), scene::get_field(next, "order_permutation"));
}

TEST_F(Program, ANumberOfAMatrixIsTypedInPlace) {
  Scene next;
  next.page = scene::Page::worked;
  start(next);
  done(pilot_.click("page/worked_x 0,1"));
  pilot_.key(Key::a, screen::ctrl_only);
  pilot_.type("2.5");
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_EQ(scene::get_field(scene(), "worked_x"), "1,2.5;0,1;1,1");
  done(pilot_.click("page/worked_x 0,1"));
  pilot_.key(Key::a, screen::ctrl_only);
  pilot_.type("7");
  EXPECT_EQ(scene::get_field(scene(), "worked_x"), "1,7;0,1;1,1");
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_EQ(scene::get_field(scene(), "worked_x"), "1,2.5;0,1;1,1");
}

TEST_F(Program, ThemeScaleAndUndoByKeys) {
  pilot_.key(Key::t);
  EXPECT_EQ(scene().theme, scene::ThemeName::light);
  pilot_.key(Key::plus, screen::ctrl_only);
  EXPECT_GT(scene().interface_scale, 1);
  pilot_.key(Key::digit_0, screen::ctrl_only);
  EXPECT_EQ(scene().interface_scale, 1);
  while (session_->can_undo()) pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene(), Scene{});
  while (session_->can_redo()) pilot_.key(Key::z, screen::ctrl_shift);
  EXPECT_EQ(scene().theme, scene::ThemeName::light);
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

TEST_F(Program, AwkwardSentencesAreShownAndNothingHangs) {
  for (const std::string& sentence :
       {std::string(""), std::string("one"), std::string("      "), std::string("\xff\xfe broken \xc3"),
        std::string("שלום עולם مرحبا"), std::string("👩‍👩‍👧 🇫🇷 👍🏽"),
        std::string(1 << 20, 'a'), std::string(300, '\n')}) {
    for (scene::Tokenizer tokenizer : {scene::Tokenizer::chars, scene::Tokenizer::words}) {
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
