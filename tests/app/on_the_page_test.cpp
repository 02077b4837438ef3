// Clicks, drags, the wheel and keys on the cards of the open page, by their names in the real interface.
#include <set>
#include <string>

#include "program.h"
#include "scene/pinned.h"

namespace headlight::app {
namespace {

using scene::IndexList;
using scene::Scene;
using screen::Key;

class OnThePage : public tests::ProgramTest {
 protected:
  OnThePage() { start({}); }
};

TEST_F(OnThePage, HeadsAreSoloedComparedAndFreed) {
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

TEST_F(OnThePage, CellsArePinnedByPointerAndArrowsAndFreedByEsc) {
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

TEST_F(OnThePage, TheSelectionIsOneOnChipsMapAndBars) {
  done(pilot_.click("page/query 5"));
  EXPECT_EQ(scene().query, (IndexList{5}));
  EXPECT_EQ(session_->cell()->query, 5);
}

TEST_F(OnThePage, ControlsOfThePageAct) {
  done(pilot_.click("page/ribbons"));
  EXPECT_EQ(scene().attention.view, scene::AttentionView::ribbons);
  done(pilot_.click("page/matrix"));
  EXPECT_EQ(scene().attention.view, scene::AttentionView::matrix);
  pilot_.key(Key::m);
  EXPECT_EQ(scene().attention.view, scene::AttentionView::ribbons);
  done(pilot_.click("page/beams chosen"));
  EXPECT_EQ(scene().attention.beams, scene::BeamsShown::chosen);
  pilot_.key(Key::m);
  EXPECT_EQ(scene().attention.view, scene::AttentionView::arcs);
  done(pilot_.click("page/arcs attended by"));
  EXPECT_EQ(scene().attention.arcs, scene::ArcsShown::attended_by);
  // All words are in one line: the arrows to the left and right walk them.
  const int before =
      scene::pinned(scene(), session_->results().attention.T, session_->results().attention.S).detail_query;
  pilot_.key(Key::right);
  EXPECT_EQ(scene().query.back(), before + 1);
  pilot_.key(Key::m);
  EXPECT_EQ(scene().attention.view, scene::AttentionView::matrix);
}

TEST_F(OnThePage, TheDividerIsSwitchedOnItsLine) {
  EXPECT_TRUE(scene().scale);
  done(pilot_.click("page/divide by √d_k"));
  EXPECT_FALSE(scene().scale);
}

TEST_F(OnThePage, ADoubleClickOnASliderBringsTheDefault) {
  done(pilot_.drag("page/temperature", 0.5f, 0.9f));
  ASSERT_GT(scene().temperature, 2);
  session_->wait();
  pilot_.frames(60);
  done(pilot_.double_click("page/temperature", 0.8f));
  EXPECT_EQ(scene().temperature, scene::Scene().temperature);
}

/// As on the sliders of the panel: a click on its number, or Enter on the slider, types a value.
TEST_F(OnThePage, TheTemperatureIsTyped) {
  shell_->settings().hold(false);  // whose sliders would take the arrows first
  pilot_.frames(3);
  done(pilot_.click("page/temperature 0,0"));
  pilot_.frames(3);
  pilot_.type("2.5");
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_EQ(scene().temperature, 2.5);
  const scene::Scene before = scene();
  for (int i = 0; i < 80 && scene() == before; ++i) {
    pilot_.key(Key::tab);
    pilot_.key(Key::right);
    if (scene().temperature == before.temperature && scene() != before) {
      pilot_.key(Key::z, screen::ctrl_only);  // another control has the arrows
    }
    pilot_.frames(2);
  }
  ASSERT_GT(scene().temperature, 2.5) << "the slider has the focus";
  pilot_.key(Key::enter);
  pilot_.frames(4);
  pilot_.type("20");
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_EQ(scene().temperature, 20);
}

TEST_F(OnThePage, TheArithmeticIsCopied) {
  done(pilot_.click("page/copy numpy"));
  const std::string copied = ImGui::GetClipboardText();
  EXPECT_NE(copied.find("import numpy"), std::string::npos) << copied;
  done(pilot_.click("page/copy latex"));
  EXPECT_NE(std::string(ImGui::GetClipboardText()).find("\\"), std::string::npos);
}

TEST_F(OnThePage, TheWheelEnlargesTheMapAndBringsItBack) {
  done(pilot_.wheel("page/map 1", 3));
  EXPECT_GT(shell_->page().map_view().w, 0);
  EXPECT_LT(shell_->page().map_view().w, 6);
  done(pilot_.wheel("page/map 1", -6));
  EXPECT_EQ(shell_->page().map_view(), draw::Box{});
}

TEST_F(OnThePage, TheOverviewMovesThePartOfALongMap) {
  scene::Scene longer = scene();
  longer.sentence.clear();
  for (int i = 0; i < 160; ++i) longer.sentence += "w" + std::to_string(i % 20) + " ";
  longer.head = {1};
  session_->change(longer, "", now_);
  session_->wait();
  pilot_.frames(3);
  const auto middle = [&] { return shell_->page().map_view().centre(); };
  done(pilot_.click("page/overview", 0.25f, 0.5f));
  const draw::Box part = shell_->page().map_view();
  EXPECT_FLOAT_EQ(part.w, 40) << "a quarter of each side";
  constexpr float pixel = 2;  // that many tokens are half a pixel of the small map
  EXPECT_NEAR(middle().x, 40, pixel);
  EXPECT_NEAR(middle().y, 80, pixel);
  pilot_.frames(60);
  done(pilot_.click("page/overview", 0.75f, 0.75f));
  EXPECT_NEAR(middle().x, 120, pixel);
  EXPECT_NEAR(middle().y, 120, pixel);
  EXPECT_EQ(shell_->page().map_view().w, part.w);
  pilot_.frames(60);
  done(pilot_.drag("page/overview", 0.3f, 0.6f));
  EXPECT_NEAR(middle().x, 96, 2);
  EXPECT_EQ(scene(), longer) << "nothing else changes";
  pilot_.frames(60);
  done(pilot_.double_click("page/overview"));
  EXPECT_EQ(shell_->page().map_view(), draw::Box{});
}

TEST_F(OnThePage, TheWheelEnlargesBeamsAndArcsAlike) {
  for (const char* view : {"page/ribbons", "page/arcs"}) {
    done(pilot_.click(view));
    done(pilot_.wheel("page/map 1", 3));
    const draw::Box part = shell_->page().map_view();
    EXPECT_GT(part.w, 0);
    EXPECT_LT(part.w, 6);
    EXPECT_FLOAT_EQ(part.w, part.h) << "queries and keys together";
    done(pilot_.wheel("page/map 1", -6));
    EXPECT_EQ(shell_->page().map_view(), draw::Box{});
  }
}

TEST_F(OnThePage, APositionRunsByItselfAndWrapsAround) {
  Scene next;
  next.page = scene::Page::position;
  next.positions.count = 12;
  next.positions.index = 10;
  next.positions.play_speed = 60;
  start(next);
  pilot_.key(Key::space);
  EXPECT_TRUE(scene().positions.play);
  std::set<int> seen;
  for (int i = 0; i < 30; ++i) {
    pilot_.frames(1);
    seen.insert(scene().positions.index);
  }
  EXPECT_EQ(seen.size(), 12u);
  pilot_.key(Key::space);
  EXPECT_FALSE(scene().positions.play);
}

TEST_F(OnThePage, SpaceRunsThePositionRightAfterItsTabWasClicked) {
  done(pilot_.click("tabs/Positions"));
  pilot_.key(Key::space);
  EXPECT_TRUE(scene().positions.play);
  done(pilot_.click("page/true speed"));
  pilot_.key(Key::space);
  EXPECT_FALSE(scene().positions.play) << "as with a button of a card";
}

TEST_F(OnThePage, EveryChipOfAQueryIsAStopOfTab) {
  const auto stops = [this](const char* sentence) {
    Scene next;
    next.sentence = sentence;
    start(next);
    open_settings();
    pilot_.key(Key::tab);
    EXPECT_TRUE(shell_->ui().typing()) << "the sentence comes first";
    int count = 0;
    // Round once: past the other text that is typed, the filter of tokens, back to the sentence.
    for (int typed = 0; typed < 2 && count < 200; ++count) {
      pilot_.key(Key::tab);
      typed += shell_->ui().typing();
    }
    return count;
  };
  EXPECT_EQ(stops("a b c d e f") - stops("a b c"), 3);
}

TEST_F(OnThePage, ClocksAreChosenByAClick) {
  Scene next;
  next.page = scene::Page::position;
  start(next);
  done(pilot_.click("page/clock 6"));
  EXPECT_EQ(scene().positions.pair, 6);
}

TEST_F(OnThePage, KeysThatMeanNothingOnAPageChangeNothing) {
  for (scene::Page page : {scene::Page::worked, scene::Page::cost, scene::Page::presets}) {
    Scene next;
    next.page = page;
    start(next);
    for (Key key : {Key::left, Key::right, Key::up, Key::down, Key::escape}) pilot_.key(key);
    EXPECT_EQ(scene(), next) << scene::word(page);
    EXPECT_FALSE(session_->can_undo());
  }
}

}  // namespace
}  // namespace headlight::app
