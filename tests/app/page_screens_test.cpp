// Pages that are higher than their window: cut between cards, with tabs.
#include "ui/page_screens.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <tuple>

#include "program.h"
#include "ui/fitting_tabs.h"
#include "ui/fitting_words.h"
#include "ui/frame_layout.h"

namespace headlight::app {
namespace {

using Panel = draw::PickCanvas::Panel;

TEST(FittingTabs, TheOrderIsFixedAndOnlyTheTailIsFolded) {
  using Shown = std::vector<std::size_t>;
  const std::vector<float> widths = {80, 60, 70, 90, 50};
  EXPECT_EQ(fitting_tabs(widths, 3, 350, 40), (Shown{0, 1, 2, 3, 4}));
  EXPECT_EQ(fitting_tabs(widths, 0, 349, 40), (Shown{0, 1, 2, 3}));
  EXPECT_EQ(fitting_tabs(widths, 1, 260, 40), (Shown{0, 1, 2}));
  EXPECT_EQ(fitting_tabs(widths, 3, 280, 40), (Shown{0, 1, 3})) << "the open one replaces the last";
  EXPECT_EQ(fitting_tabs(widths, 4, 349, 40), (Shown{0, 1, 2, 4}));
  EXPECT_EQ(fitting_tabs(widths, 4, 60, 40), (Shown{4}));
  for (std::size_t open = 0; open < widths.size(); ++open) {
    for (float room = 220; room < 400; room += 10) {
      const Shown shown = fitting_tabs(widths, open, room, 40);
      EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end()));
      EXPECT_EQ(shown.front(), 0u);
      EXPECT_NE(std::find(shown.begin(), shown.end(), open), shown.end());
    }
  }
}

TEST(FittingWords, AreCutBetweenWordsAndListsBetweenParts) {
  const auto width = [](const std::string& words) { return static_cast<float>(words.size()); };
  const std::string probes = "55 of 100 noisy probes recovered", dots = " …";
  EXPECT_EQ(whole_words(probes, 100, width), probes);
  EXPECT_EQ(whole_words(probes, 20, width), "55 of 100 noisy" + dots);
  EXPECT_EQ(whole_words(probes, 16, width), "55 of 100" + dots);
  EXPECT_EQ(whole_words("one, two", 7, width), "one" + dots) << "no comma before the ellipsis";
  EXPECT_EQ(whole_words("one · three", 10, width), "one" + dots) << "nor a dot between parts";
  EXPECT_EQ(whole_words("unbreakable", 5, width), "");
  EXPECT_EQ(first_parts("one · two · 3", 11, width), "one · two");
  EXPECT_EQ(first_parts("one · two", 3, width), "one");
  EXPECT_EQ(first_parts("one", 2, width), "one") << "cut by whole_words()";
  const std::string model = "stories260K (Llama, 5 layers)";
  EXPECT_EQ(model.substr(0, last_part(model)), "stories260K") << "parentheses stay whole";
  EXPECT_EQ(last_part("a.json, not saved"), 6u);
  EXPECT_EQ(last_part("one part"), std::string_view::npos);
}

TEST(PageScreens, AStepShowsTheCardsOfATabAlone) {
  const std::vector<Panel> cards = {{"a", "A", {16, 60, 900, 200}},     {"b", "B", {16, 276, 440, 200}},
                                    {"part", "P", {20, 300, 100, 100}}, {"c", "C", {472, 276, 400, 200}},
                                    {"d", "D", {16, 492, 300, 200}},    {"e", "E", {332, 492, 400, 200}},
                                    {"f", "F", {748, 492, 160, 200}}};
  const auto screens = page_screens(cards, 220);
  ASSERT_EQ(screens.size(), 3u);
  using Names = std::vector<std::string>;
  EXPECT_EQ(cards_alone(screens[1], cards), (Names{"b", "c"}));
  EXPECT_EQ(cards_alone(screens[2], cards), (Names{"e"})) << "three would be small: the largest";
}

TEST(PageScreens, RowsOfCardsStayTogetherAndEachCardIsSeenWhole) {
  const std::vector<Panel> cards = {{"a", "A", {16, 60, 300, 200}},
                                    {"b", "B", {332, 60, 600, 240}},
                                    {"c", "C", {16, 316, 300, 150}},
                                    {"d", "D", {332, 316, 600, 150}},
                                    {"e", "E", {16, 482, 916, 400}}};
  for (const float room : {320.f, 490.f, 700.f, 900.f}) {
    const auto screens = page_screens(cards, room);
    ASSERT_FALSE(screens.empty());
    EXPECT_EQ(screens.front().top, 0);
    for (const Panel& card : cards) {
      const auto has = std::count_if(screens.begin(), screens.end(), [&](const PageScreen& s) {
        return card.box.y >= s.top && card.box.bottom() <= s.bottom;
      });
      EXPECT_EQ(has, 1) << card.title << " at " << room;
    }
    for (std::size_t i = 1; i < screens.size(); ++i) EXPECT_GE(screens[i].top, screens[i - 1].bottom - 1);
  }
  EXPECT_EQ(page_screens(cards, 320).size(), 3u);
  EXPECT_EQ(page_screens(cards, 490).size(), 2u);
  EXPECT_EQ(page_screens(cards, 900).size(), 1u);
  EXPECT_EQ(page_screens(cards, 490)[0].title, "B");  // the largest card
  EXPECT_EQ(page_screens(cards, 490)[1].title, "E");
  std::vector<Panel> more = cards;
  more.push_back({"f", "F", {16, 898, 916, 30}});
  EXPECT_EQ(page_screens(more, 490)[1].title, "E");  // of two rows
  EXPECT_TRUE(page_screens({}, 500).empty());
  // A low card above a high one is not alone.
  const std::vector<Panel> low = {{"a", "A", {16, 60, 900, 60}}, {"b", "B", {16, 136, 900, 700}}};
  ASSERT_EQ(page_screens(low, 500).size(), 1u);
  EXPECT_EQ(page_screens(low, 500)[0].bottom, 836);
  // Nor is one that fills half a screen: the tokens of a long sentence on the Order page.
  const std::vector<Panel> half = {{"a", "A", {16, 60, 900, 200}}, {"b", "B", {16, 276, 900, 700}}};
  EXPECT_EQ(page_screens(half, 500).size(), 1u);
  // A tab of two rows has the names of both.
  const views::TabName tabs[] = {{"e", "Five"}, {"f", "Six"}};
  std::vector<Panel> two = cards;
  two.push_back({"f", "F", {16, 898, 916, 30}});
  EXPECT_EQ(screen_name(page_screens(two, 490)[1], tabs, "Page", true), "Five · Six");
  EXPECT_EQ(screen_name(page_screens(two, 490)[1], tabs, "Page"), "Five")
      << "where there is no room for both";
  EXPECT_EQ(screen_name(page_screens(cards, 490)[1], tabs, "Page", true), "Five");
  // One with the names of all its cards, the largest first.
  const views::TabName all[] = {{"a", "One"}, {"b", "Two"}, {"c", "Three"}, {"d", "Two"}, {"e", "Five"}};
  EXPECT_EQ(all_names(page_screens(cards, 490)[0], all, "Page"), "Two · One · Three");
  EXPECT_EQ(all_names(page_screens(cards, 490)[1], all, "Page"), "Five");
  // Above the screens after the first one the question takes its part.
  const std::vector<Panel> rows = {
      {"a", "A", {16, 60, 900, 440}}, {"b", "B", {16, 516, 900, 230}}, {"c", "C", {16, 762, 900, 230}}};
  EXPECT_EQ(page_screens(rows, 510, 0).size(), 2u);
  EXPECT_EQ(page_screens(rows, 510, 44).size(), 3u);
  EXPECT_EQ(screen_at(page_screens(cards, 320), 0), 0);
  EXPECT_EQ(screen_at(page_screens(cards, 320), 400), 1);
  EXPECT_EQ(screen_at(page_screens(cards, 320), 5000), 2);
}

TEST(PageScreens, APageIsDrawnSmallerUntilItsPictureIsWhole) {
  // A card that needs 400 units, below one of 50, in a window of 316.
  const auto cards = [](draw::Box area) {
    return std::vector<Panel>{{"a", "A", {16, 16, area.w - 32, 50}}, {"b", "B", {16, 82, area.w - 32, 320}}};
  };
  const draw::Box room{0, 0, 592, 316};
  const float size = fitting_size(cards, room, "b", 0.65f);
  EXPECT_LT(size, 1);
  EXPECT_GE(room.h / size, 402);
  EXPECT_LT(room.h / (size + 0.08f), 402) << "and no smaller than it has to be";
  EXPECT_EQ(fitting_size(cards, room, "a", 0.65f), 1);
  EXPECT_EQ(fitting_size(cards, room, "b", 0.9f), 0.9f) << "it is cut, and still as large as is asked for";
  EXPECT_EQ(fitting_size(cards, {0, 0, 592, 160}, "b", 0.65f), 1) << "much of it is cut anyway";
  EXPECT_EQ(fitting_size(cards, {0, 0, 592, 500}, "", 0.65f), 1);
}

class LowWindow : public tests::ProgramTest {};

/// Clocks that run are stopped on any tab of their page, and do not run behind a card.
TEST_F(LowWindow, WhatRunsCanBeStoppedOnEveryTab) {
  width_ = 1280, height_ = 720;
  scene::Scene clocks;
  clocks.page = scene::Page::position, clocks.positions.play = true;
  start(clocks);
  pilot_.frames(6);
  EXPECT_TRUE(pilot_.on_screen("page/pause")) << pilot_.inventory();
  done(pilot_.click("page/screens", 0.3f));
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("page/pause")) << "the card has its own";
  done(pilot_.click("page/screens", 0.02f));
  pilot_.frames(3);
  const int before = scene().positions.index;
  pilot_.frames(60);
  EXPECT_NE(scene().positions.index, before);
  done(pilot_.click("top/export"));
  pilot_.frames(3);
  const int behind = scene().positions.index;
  pilot_.frames(60);
  EXPECT_EQ(scene().positions.index, behind);
  done(pilot_.click("export/Cancel"));
  pilot_.frames(3);
  done(pilot_.click("page/pause"));
  pilot_.frames(3);
  EXPECT_FALSE(scene().positions.play);
  EXPECT_FALSE(pilot_.on_screen("page/pause"));
}

TEST_F(LowWindow, TabsLeadToTheCardsThatDoNotFit) {
  width_ = 1280, height_ = 720;
  scene::Scene cost;
  cost.page = scene::Page::cost;
  start(cost);
  pilot_.frames(6);
  ASSERT_TRUE(pilot_.on_screen("page/screens/Operations")) << pilot_.inventory();
  ASSERT_TRUE(pilot_.on_screen("page/screens/Cost by length")) << pilot_.inventory();
  EXPECT_EQ(shell_->page().first_line(), 0);
  done(pilot_.click("page/screens/Operations"));
  pilot_.frames(3);
  const float second = shell_->page().first_line();
  EXPECT_GT(second, 300);
  // The wheel goes back, and on again.
  input_.mouse_move(600, 300);
  input_.wheel(0, 1);
  pilot_.frames(30);
  EXPECT_EQ(shell_->page().first_line(), 0);
  input_.wheel(0, -1);
  pilot_.frames(30);
  EXPECT_EQ(shell_->page().first_line(), second);
  // A large window has room for all: no tabs.
  width_ = 2400, height_ = 1800;
  pilot_.frames(6);
  EXPECT_FALSE(pilot_.on_screen("page/screens/Operations"));
}

/// The status has no line of its own below the tabs.
TEST_F(LowWindow, TheTabsStandInTheLineOfTheStatus) {
  scene::Scene cost;
  cost.page = scene::Page::cost;
  for (const auto& [width, height] : {std::pair{1280, 720}, {960, 560}, {1600, 800}}) {
    width_ = width, height_ = height;
    start(cost);
    pilot_.frames(6);
    const draw::Box tabs = shell_->page().tabs_box();
    EXPECT_EQ(tabs.bottom(), static_cast<float>(height));
    EXPECT_EQ(tabs.h, page_tabs_height);
    EXPECT_GT(tabs.w, 100);
    EXPECT_LT(tabs.right(), static_cast<float>(width) - 200) << "what is said has room beside them";
  }
  width_ = 2400, height_ = 1800;
  pilot_.frames(6);
  EXPECT_EQ(shell_->page().tabs_box().w, 0);
}

/// A message that has no room beside the tabs is shown above them.
TEST_F(LowWindow, AMessageIsWholeBesideTheTabsOrAboveThem) {
  width_ = 1280, height_ = 720;
  start({});
  const auto above = [&](const std::string& message) {
    session_->say(message, now_);
    pilot_.frames(3);
    const ImGuiWindow* toast = ImGui::FindWindowByName("toast");
    return toast && toast->WasActive;
  };
  pilot_.frames(6);
  EXPECT_FALSE(above("nothing to undo"));
  std::string path = "cannot write";
  for (int i = 0; i < 12; ++i) path += " /a/long/path";
  EXPECT_TRUE(above(path));
  EXPECT_FALSE(above("nothing to redo"));
}

TEST_F(LowWindow, APageHasTheTabThatItHadWhenItWasLeft) {
  width_ = 1280, height_ = 720;
  scene::Scene cost;
  cost.page = scene::Page::cost;
  start(cost);
  pilot_.frames(6);
  EXPECT_EQ(shell_->page().kept_view(), KeptView{});
  done(pilot_.click("page/screens/Operations"));
  pilot_.frames(3);
  const float second = shell_->page().first_line();
  ASSERT_GT(second, 300);
  const auto open = [&](scene::Page page) {
    scene::Scene next = scene();
    next.page = page;
    session_->change(next, "", now_);
    session_->wait();
    pilot_.frames(6);
  };
  open(scene::Page::compare);
  EXPECT_EQ(shell_->page().first_line(), 0);
  open(scene::Page::cost);
  EXPECT_EQ(shell_->page().first_line(), second);
  // The same at the next start; another window's height cuts the page elsewhere.
  const KeptView left = shell_->page().kept_view();
  EXPECT_EQ(left.tabs.size(), 1U);
  for (const int height : {720, 640}) {
    height_ = height;
    start(cost);
    shell_->page().bring_back(left);
    pilot_.frames(6);
    EXPECT_GT(shell_->page().first_line(), 300) << height;
    done(pilot_.click("page/screens/Cost by length"));
    pilot_.frames(3);
    EXPECT_EQ(shell_->page().first_line(), 0);
    EXPECT_EQ(shell_->page().kept_view(), KeptView{});
  }
}

TEST_F(LowWindow, TheShownPartOfAMapIsBackAtTheNextStart) {
  scene::Scene map;
  start(map);
  pilot_.frames(3);
  EXPECT_EQ(shell_->page().kept_view(), KeptView{});
  const nn::AttentionTrace& trace = session_->results().attention;
  const KeptView left{.map = {1, 2, 3, 3}, .queries = trace.T, .keys = trace.S};
  start(map);
  shell_->page().bring_back(left);
  pilot_.frames(3);
  EXPECT_EQ(shell_->page().kept_view(), left);
  map.sentence = "another sentence";
  start(map);
  shell_->page().bring_back(left);
  pilot_.frames(3);
  EXPECT_EQ(shell_->page().map_view().w, 0) << "another map is shown whole";
}

TEST_F(LowWindow, ThePageKnowsACompactWindow) {
  for (const auto& [width, height, compact] :
       {std::tuple{640, 360, true}, {1280, 559, true}, {960, 560, false}, {1280, 720, false}}) {
    width_ = width, height_ = height;
    start(scene::Scene());
    pilot_.frames(2);
    EXPECT_EQ(shell_->page().input(*session_, draw::theme(true)).compact, compact)
        << width << " x " << height;
  }
}

/// The contradictions have a tab of their own; the example that a click chooses is on the other one.
TEST_F(LowWindow, AClickWhoseEffectIsOnAnotherTabShowsThatTab) {
  width_ = 1280, height_ = 720;
  scene::Scene references;
  references.page = scene::Page::presets;
  start(references);
  pilot_.frames(6);
  done(pilot_.click("page/screens/Contradictions"));
  pilot_.frames(3);
  ASSERT_EQ(shell_->page().screen(), 1);
  done(pilot_.click("page/contradiction 20"));
  pilot_.frames(10);
  EXPECT_EQ(scene().presets.shown, 20);
  EXPECT_EQ(shell_->page().screen(), 0) << "its numbers are there";
  done(pilot_.click("page/preset 3"));
  pilot_.frames(10);
  EXPECT_EQ(shell_->page().screen(), 0);
}

/// The chips and the sentence follow the tab in view.
TEST_F(LowWindow, TheChipsAreThoseOfTheTab) {
  width_ = 1280, height_ = 720;
  scene::Scene memory;
  memory.page = scene::Page::memory;
  start(memory);
  pilot_.frames(6);
  EXPECT_TRUE(pilot_.on_screen("tabs/scene memory_patterns")) << pilot_.inventory();
  EXPECT_FALSE(pilot_.on_screen("tabs/scene memory_decay"));
  done(pilot_.click("page/screens/Fast weights"));
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("tabs/scene memory_patterns"));
  EXPECT_TRUE(pilot_.on_screen("tabs/scene memory_decay")) << pilot_.inventory();
}

TEST_F(LowWindow, TheWheelScrollsWithinAScreenThatIsHigherThanTheWindow) {
  width_ = 1280, height_ = 600;
  scene::Scene memory;
  memory.page = scene::Page::memory;
  start(memory);
  pilot_.frames(6);
  input_.mouse_move(200, 130);  // the question, which is no map
  input_.wheel(0, -1);
  pilot_.frames(30);
  const float once = shell_->page().first_line();
  EXPECT_GT(once, 10);
  EXPECT_LT(once, 120);
  input_.wheel(0, 1);
  pilot_.frames(30);
  EXPECT_EQ(shell_->page().first_line(), 0);
}

}  // namespace
}  // namespace headlight::app
