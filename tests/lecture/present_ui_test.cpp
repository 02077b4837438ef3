// One card alone in the window, by scripts: in by key, button, corner and palette, through the cards, with
// the pin and the head, and out again to exactly where one was.
#include <map>
#include <string>

#include "app/program.h"
#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "kit/selection.h"
#include "pictures/pages.h"
#include "pictures/present_picture.h"

namespace headlight::app {
namespace {

using scene::Scene;
using screen::Key;

class PresentUi : public tests::ProgramTest {
 protected:
  PresentUi() { start({}); }
  bool presenting() const { return shell_->presenter().open() && pilot_.on_screen("present/card"); }
  const std::string& card() const { return shell_->presenter().card(); }
  /// Everything on the screen with its place, what is scrolled and what has the focus among it.
  std::map<std::string, std::pair<float, float>> places() const {
    std::map<std::string, std::pair<float, float>> out;
    for (const auto& [name, item] : recorder_.items) {
      if (pilot_.on_screen(name)) out[name] = {item.from.x, item.from.y};
    }
    return out;
  }
};

TEST_F(PresentUi, TheKeyShowsTheLargeCardAndEscapeReturns) {
  const Scene before = scene();
  const auto there = places();
  pilot_.key(Key::f5);
  EXPECT_TRUE(presenting()) << pilot_.inventory();
  EXPECT_EQ(card(), "map");
  EXPECT_FALSE(pilot_.on_screen("top/find"));
  pilot_.key(Key::escape);
  EXPECT_FALSE(presenting());
  EXPECT_EQ(scene(), before);
  EXPECT_EQ(places(), there);
  pilot_.key(Key::f5);
  pilot_.key(Key::f5);
  EXPECT_FALSE(presenting());
  EXPECT_EQ(places(), there);
}

TEST_F(PresentUi, ASmallWindowHasTheButtonToo) {
  width_ = 640, height_ = 360;
  pilot_.frames(3);
  done(pilot_.click("top/present"));
  EXPECT_TRUE(presenting());
}

TEST_F(PresentUi, TheListOfLessonsIsNoPicture) {
  done(pilot_.click("rail/Learn"));
  ASSERT_TRUE(shell_->lessons().listing());
  pilot_.key(Key::f5);
  EXPECT_FALSE(presenting());
  EXPECT_NE(session_->message().find("the list has no picture"), std::string::npos) << session_->message();
  done(pilot_.click("top/export"));
  pilot_.frames(3);
  EXPECT_FALSE(pilot_.on_screen("export/write")) << pilot_.inventory();
}

TEST_F(PresentUi, TheCardUnderThePointerIsTheOneThatIsShown) {
  done(pilot_.hover("page/bars sorted"));
  pilot_.key(Key::f5);
  EXPECT_EQ(card(), "bars");
}

TEST_F(PresentUi, TheButtonAndThePaletteShowIt) {
  done(pilot_.click("top/present"));
  EXPECT_TRUE(presenting());
  EXPECT_EQ(card(), "map");
  pilot_.key(Key::escape);
  pilot_.key(Key::k, screen::ctrl_only);
  pilot_.type("present this card");
  pilot_.key(Key::enter);
  EXPECT_TRUE(presenting());
}

TEST_F(PresentUi, TheSignAtTheCornerOfACardShowsThatCard) {
  EXPECT_FALSE(pilot_.on_screen("page/corner sign"));
  done(pilot_.hover("page/bars sorted"));
  ASSERT_TRUE(pilot_.on_screen("page/corner sign")) << pilot_.inventory();
  const Scene before = scene();
  const screen::Recorder::Item sign = recorder_.items.at("page/corner sign");
  for (const auto& [name, item] : recorder_.items) {  // no segment lies under it
    if (!name.starts_with("page/bars")) continue;
    const bool apart = item.to.x <= sign.from.x || sign.to.x <= item.from.x || item.to.y <= sign.from.y ||
                       sign.to.y <= item.from.y;
    EXPECT_TRUE(apart) << name;
  }
  done(pilot_.click("page/corner sign"));
  EXPECT_TRUE(presenting());
  EXPECT_EQ(card(), "bars");
  EXPECT_EQ(scene(), before);
}

TEST_F(PresentUi, ArrowsDigitsAndSpaceChangeTheSceneAndUndoTakesItBack) {
  pilot_.key(Key::f5);
  const Scene before = scene();
  pilot_.key(Key::down);
  EXPECT_EQ(scene().query, (scene::IndexList{2}));
  pilot_.key(Key::digit_3);
  EXPECT_EQ(scene().head, (scene::IndexList{3}));
  pilot_.key(Key::space);
  EXPECT_EQ(scene().attention.view, scene::AttentionView::ribbons);
  EXPECT_TRUE(presenting());
  for (int i = 0; i < 3; ++i) pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene().query, before.query);
  EXPECT_EQ(scene().head, before.head);
}

TEST_F(PresentUi, EscapeReturnsToExactlyWhereOneWas) {
  const Scene before = scene();
  pilot_.key(Key::f5);
  pilot_.key(Key::down);
  pilot_.key(Key::digit_3);
  pilot_.key(Key::space);
  EXPECT_NE(scene(), before);
  pilot_.key(Key::escape);
  EXPECT_EQ(scene(), before);
  // Another sentence is another place: its pins stay.
  pilot_.key(Key::f5);
  Scene other = scene();
  other.sentence = "a dog barked", other.query = {0};
  session_->change(other, "", now_);
  pilot_.key(Key::escape);
  EXPECT_EQ(scene(), other);
}

TEST_F(PresentUi, AClickPinsTheCellUnderThePointer) {
  pilot_.key(Key::f5);
  const Scene before = scene();
  done(pilot_.click("present/card", 0.5f, 0.55f));
  EXPECT_NE(scene(), before);
  EXPECT_TRUE(presenting());
}

TEST_F(PresentUi, ThePointerHidesWhenItRestsAndComesBack) {
  pilot_.key(Key::f5);
  done(pilot_.hover("present/card", 0.4f, 0.5f));
  EXPECT_NE(ImGui::GetMouseCursor(), ImGuiMouseCursor_None);
  pilot_.frames(150);
  EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_None);
  done(pilot_.hover("present/card", 0.5f, 0.5f));
  EXPECT_NE(ImGui::GetMouseCursor(), ImGuiMouseCursor_None);
}

TEST_F(PresentUi, SpacePlaysThePositions) {
  Scene next;
  next.page = scene::Page::position;
  start(next);
  pilot_.key(Key::f5);
  pilot_.key(Key::space);
  EXPECT_TRUE(scene().positions.play);
  const int index = scene().positions.index;
  pilot_.frames(120);
  EXPECT_NE(scene().positions.index, index);
}

TEST_F(PresentUi, ACardThatIsNoSlideHasNoSign) {
  Scene worked;
  worked.page = scene::Page::worked;
  start(worked);
  done(pilot_.hover("page/one-hot keys"));
  EXPECT_FALSE(pilot_.on_screen("page/corner sign"));
}

TEST_F(PresentUi, TabGoesThroughTheCardsOfEveryPageAndEscapeLeavesThePageAsItWas) {
  for (const auto& size : {std::pair{1280, 720}, std::pair{1600, 1000}}) {
    width_ = size.first, height_ = size.second;
    for (const PageInfo& info : pages()) {
      Scene next;
      next.page = info.page();
      next.training.steps = 12, next.training.batch = 8;
      start(next);
      const Scene before = scene();
      const auto there = places();
      pilot_.key(Key::f5);
      ASSERT_TRUE(presenting()) << info.room.title;
      const std::string first = card();
      int seen = 0;
      do {
        pilot_.key(seen % 2 == 0 ? Key::tab : Key::page_down);
        ASSERT_TRUE(presenting()) << info.room.title << ", " << card();
        ++seen;
      } while (card() != first && seen < 20);
      EXPECT_LT(seen, 20) << info.room.title;
      EXPECT_GE(seen, 1) << info.room.title;
      pilot_.key(Key::tab, screen::shift_only);
      pilot_.key(Key::page_down);
      EXPECT_EQ(card(), first) << info.room.title;
      pilot_.key(Key::escape);
      EXPECT_EQ(scene(), before) << info.room.title;
      EXPECT_EQ(places(), there) << info.room.title;
    }
  }
}

TEST_F(PresentUi, FocusAndScrollAreAsBefore) {
  Scene next;
  next.page = scene::Page::memory;
  width_ = 760, height_ = 620;  // a page that is not cut into screens
  start(next);
  pilot_.key(Key::tab);
  pilot_.key(Key::tab);
  ASSERT_TRUE(shell_->ui().focus.any());
  const float top = places().at("page/preset close").second;
  done(pilot_.wheel("page/preset close", -4));
  const auto there = places();
  ASSERT_NE(there.at("page/preset close").second, top) << "it has not scrolled";
  pilot_.key(Key::f5);
  pilot_.frames(30);
  pilot_.key(Key::escape);
  EXPECT_EQ(places(), there);
  EXPECT_TRUE(shell_->ui().focus.any());
}

TEST_F(PresentUi, WhatIsTypedGoesOnAfterwards) {
  done(pilot_.click("top/sentence"));
  pilot_.key(Key::f5);
  EXPECT_TRUE(presenting());
  pilot_.key(Key::escape);
  pilot_.type("x");
  EXPECT_NE(scene().sentence.find('x'), std::string::npos);
}

TEST_F(PresentUi, TheCardThatASettingTakesAwayGivesItsPlaceToTheLargeOne) {
  done(pilot_.hover("page/bars sorted"));
  pilot_.key(Key::f5);
  ASSERT_EQ(card(), "bars");
  Scene empty = scene();
  empty.sentence.clear();
  session_->change(empty, "", now_);
  pilot_.frames(5);
  EXPECT_TRUE(shell_->presenter().open());
  pilot_.key(Key::escape);
  EXPECT_TRUE(pilot_.on_screen("top/find"));
}

/// What the foot of the open slide says of the keys.
std::string stated_keys(const views::PageInput& in, const std::string& card) {
  draw::RecordCanvas canvas;
  present_frame(canvas, {0, 0, 1600, 900}, page_info(in.scene.page).view, in, {"", 0, 2, true, card});
  for (const auto& text : canvas.texts) {
    if (text.words.ends_with("Esc leave")) return text.words;
  }
  return "";
}

TEST_F(PresentUi, OnTheCardOfHeadsArrowsWalkTokensAndHeads) {
  const Scene before = scene();
  pilot_.key(Key::f5);
  EXPECT_EQ(stated_keys(page_input(*session_, draw::theme(true)), card()),
            "← ↑ ↓ → cell · 1–9 head · Space view · Tab card · Esc leave");
  for (int i = 0; i < 8 && card() != "heads"; ++i) pilot_.key(Key::tab);
  ASSERT_EQ(card(), "heads");
  EXPECT_EQ(stated_keys(page_input(*session_, draw::theme(true)), card()),
            "← → token · ↑ ↓ 1–9 head · Tab card · Esc leave");
  pilot_.key(Key::digit_2);
  pilot_.key(Key::down);
  EXPECT_EQ(scene().head, (scene::IndexList{3}));
  pilot_.key(Key::up);
  pilot_.key(Key::up);
  pilot_.key(Key::up);
  EXPECT_EQ(scene().head, (scene::IndexList{1})) << "there is none above the first";
  const int key = scene().key;
  const scene::IndexList query = {views::select(page_input(*session_, draw::theme(true))).detail_query};
  pilot_.key(Key::right);
  EXPECT_EQ(scene().query.back(), query.back() + 1);
  pilot_.key(Key::left);
  EXPECT_EQ(scene().query.back(), query.back());
  EXPECT_EQ(scene().key, key);
  pilot_.key(Key::escape);
  EXPECT_EQ(scene(), before);
}

TEST_F(PresentUi, TheKeyStaysAmongThoseThatTheMaskAllowsTheWalkedToken) {
  Scene causal = scene();
  causal.mask.causal = true, causal.query = {4}, causal.key = 4;
  session_->change(causal, "", now_);
  pilot_.frames(3);
  pilot_.key(Key::f5);
  for (int i = 0; i < 8 && card() != "heads"; ++i) pilot_.key(Key::tab);
  ASSERT_EQ(card(), "heads");
  pilot_.key(Key::left);
  pilot_.key(Key::left);
  EXPECT_EQ(scene().query, (scene::IndexList{2}));
  EXPECT_EQ(scene().key, 2);
  pilot_.key(Key::right);
  EXPECT_EQ(scene().key, 2);
}

TEST_F(PresentUi, InTheAtlasOfAModelTheyDoToo) {
  Scene model;
  model.page = scene::Page::model;
  start(model);
  pilot_.key(Key::f5);
  for (int i = 0; i < 8 && card() != "atlas"; ++i) pilot_.key(Key::tab);
  ASSERT_EQ(card(), "atlas");
  EXPECT_EQ(stated_keys(page_input(*session_, draw::theme(true)), card()),
            "← → token · ↑ ↓ head · Tab card · Esc leave");
  const Scene before = scene();
  pilot_.key(Key::down);
  pilot_.key(Key::down);
  EXPECT_NE(scene().head, before.head);
  const scene::IndexList head = scene().head;
  pilot_.key(Key::right);
  EXPECT_EQ(scene().head, head);
  EXPECT_NE(scene().query, before.query);
}

TEST_F(PresentUi, OnTheFilmArrowsWalkStepsAndHeads) {
  Scene training;
  training.page = scene::Page::training;
  training.training.steps = 40, training.training.batch = 2, training.training.d_model = 16;
  training.training.heads = 2, training.training.layers = 1, training.training.length = 6;
  training.training.compare = scene::TrainingCompare::nothing;
  start(training);
  session_->training().start(scene().training);
  session_->wait();
  pilot_.frames(3);
  pilot_.key(Key::f5);
  for (int i = 0; i < 8 && card() != "film"; ++i) pilot_.key(Key::tab);
  ASSERT_EQ(card(), "film");
  EXPECT_EQ(stated_keys(page_input(*session_, draw::theme(true)), card()),
            "← → step · ↑ ↓ head · Tab card · Esc leave");
  const auto run = session_->training().latest();
  ASSERT_TRUE(run);
  const auto& film = run->runs.front().film;
  ASSERT_GT(film.size(), 3U);
  const Scene before = scene();
  EXPECT_EQ(before.training.shown_step, -1);
  pilot_.key(Key::left);
  EXPECT_EQ(scene().training.shown_step, film[film.size() - 2].step);
  pilot_.key(Key::left);
  EXPECT_EQ(scene().training.shown_step, film[film.size() - 3].step);
  pilot_.key(Key::right);
  pilot_.key(Key::right);
  pilot_.key(Key::right);
  EXPECT_EQ(scene().training.shown_step, -1) << "the newest";
  pilot_.key(Key::down);
  EXPECT_EQ(scene().training.head, 2);
  pilot_.key(Key::left);
  pilot_.key(Key::escape);
  EXPECT_EQ(scene(), before) << "the page is as it was";
}

/// Esc takes the walk back; quitting does not.
TEST_F(PresentUi, QuittingKeepsTheCellThatWasWalkedTo) {
  bool quits = false;
  shell_->quit = [&quits] { quits = true; };
  pilot_.key(Key::f5);
  const int from = views::select(page_input(*session_, draw::theme(true))).detail_query;
  pilot_.key(Key::down);
  pilot_.key(Key::q, screen::ctrl_only);
  EXPECT_TRUE(quits);
  EXPECT_EQ(scene().query.back(), from + 1);
}

TEST_F(PresentUi, ALessonHasItsOwnWayToShowCards) {
  shell_->lessons().open("order", now_);
  pilot_.frames(5);
  pilot_.key(Key::f5);
  EXPECT_FALSE(shell_->presenter().open());
}

}  // namespace
}  // namespace headlight::app
