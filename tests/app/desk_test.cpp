// The palette and the help, used by the keyboard alone.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/palette_words.h"
#include "desk_program.h"
#include "scene/settings.h"

namespace headlight::app {
namespace {

using scene::Page;
using scene::Scene;
using screen::ctrl_only;
using screen::ctrl_shift;
using screen::Key;
using testing::HasSubstr;
using tests::DeskTest;

/// Each occurrence by its position, on the page that is open or on Attention.
TEST_F(DeskTest, ThePaletteFindsTheWordsOfTheSentence) {
  scene::Scene given;
  given.sentence = "the street crossed the street, it seems";
  start(given);
  press(Key::k, ctrl_only);
  EXPECT_FALSE(pilot_.on_screen("palette/found/query “street” (position 1)")) << "nothing is typed yet";
  pilot_.type("street");
  pilot_.frames(2);
  for (const char* role : {"query", "key"}) {
    for (const char* at : {"1", "4"}) {
      EXPECT_TRUE(pilot_.on_screen("palette/found/" + std::string(role) + " “street” (position " + at + ")"))
          << role << " " << at << " of: " << pilot_.inventory();
    }
  }
  press(Key::enter);
  EXPECT_EQ(scene().query, scene::IndexList{1}) << "the first of them";
  EXPECT_EQ(scene().page, Page::attention);
  press(Key::k, ctrl_only);
  pilot_.type("key str 4");
  press(Key::enter);
  EXPECT_EQ(scene().key, 4);
  EXPECT_EQ(scene().query, scene::IndexList{1});
  press(Key::k, ctrl_only);
  pilot_.type("query crossed");
  pilot_.frames(2);
  EXPECT_THAT(pilot_.inventory(), Not(HasSubstr("whole numbers"))) << "no value of the setting was meant";
  press(Key::escape);
  find("order");  // a page that selects queries keeps them
  find("query crossed");
  EXPECT_EQ(scene().page, Page::order);
  EXPECT_EQ(scene().query, scene::IndexList{2});
  EXPECT_EQ(scene().key, -1);
  find("cost");
  find("it");
  EXPECT_EQ(scene().page, Page::attention) << "Cost selects no query";
  EXPECT_EQ(scene().query, scene::IndexList{6});
}

/// "key mat" is no wrong value of the setting key, although other entries have "key" and "mat" in their
/// words.
TEST_F(DeskTest, AWordBehindKeyIsThatWord) {
  scene::Scene given;
  given.sentence = "the cat sat on the mat", given.query.clear();
  start(given);
  press(Key::k, ctrl_only);
  pilot_.type("key mat");
  pilot_.frames(2);
  EXPECT_THAT(pilot_.inventory(), Not(HasSubstr("whole number")));
  press(Key::enter);
  EXPECT_EQ(scene().key, 5);
  EXPECT_EQ(scene().query, scene::IndexList{5}) << "the last one";
  press(Key::k, ctrl_only);
  pilot_.type("key nonsense");
  pilot_.frames(2);
  EXPECT_THAT(pilot_.inventory(), HasSubstr("whole number"));
}

TEST_F(DeskTest, APieceIsFoundByItsWord) {
  scene::Scene given;
  given.sentence = "so odd, no?";
  given.tokenizer = scene::Tokenizer::chars;
  start(given);
  find("odd");
  EXPECT_EQ(scene().query, scene::IndexList{3}) << "its first letter";
  press(Key::k, ctrl_only);
  pilot_.type("odd");
  pilot_.frames(2);
  EXPECT_TRUE(pilot_.on_screen("palette/found/key “d” (position 5)")) << pilot_.inventory();
  EXPECT_FALSE(pilot_.on_screen("palette/found/key “s” (position 0)"));
}

TEST_F(DeskTest, AWordOfAModelOfAnotherProgramIsFound) {
  const char* models = std::getenv("HEADLIGHT_MODELS");
  const std::filesystem::path file =
      (models != nullptr ? std::filesystem::path(models)
                         : std::filesystem::path(HEADLIGHT_SOURCE_DIR) / ".." / "shared" / "models") /
      "stories260K" / "stories260K.bin";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  scene::Scene given;
  given.sentence = "once upon a time there was a cat";
  given.weights = scene::WeightsSource::file, given.weights_file = file.string();
  start(given);
  const auto& tokens = session_->results().tokens;
  const auto at = std::find_if(tokens.begin(), tokens.end(),
                               [](const nn::Token& token) { return token.text.starts_with("␣up"); });
  ASSERT_NE(at, tokens.end());
  find("query upon");
  EXPECT_EQ(scene().query, scene::IndexList{static_cast<int>(at - tokens.begin())});
  press(Key::k, ctrl_only);
  pilot_.type("upon");
  pilot_.frames(2);
  EXPECT_THAT(pilot_.inventory(), Not(HasSubstr("once␣upon")));
}

TEST_F(DeskTest, ThePaletteFindsPagesSettingsAndActions) {
  find("cost");
  EXPECT_EQ(scene().page, Page::cost);
  find("heads 8");
  EXPECT_EQ(scene().heads, 8);
  EXPECT_EQ(scene().page, Page::attention) << "where it is to be seen";
  find("mask causal");
  EXPECT_TRUE(scene().mask.causal);
  find("undo");
  EXPECT_FALSE(scene().mask.causal);
  find("light");
  EXPECT_EQ(scene().theme, scene::ThemeName::light);
  find("sentence The dog, it slept");
  EXPECT_EQ(scene().sentence, "The dog, it slept");
  EXPECT_FALSE(pilot_.on_screen("palette/query"));
}

TEST_F(DeskTest, TheAnswerToAQuestionIsOutlinedForTwoSeconds) {
  find("why is this weight so large");
  pilot_.frames(5);
  const auto outlined = [&] {
    const auto& names = shell_->page().overlay.highlight;
    return std::find(names.begin(), names.end(), "card cell") != names.end();
  };
  EXPECT_TRUE(outlined());
  EXPECT_TRUE(shell_->moving());
  pilot_.frames(140);
  EXPECT_FALSE(outlined());
  EXPECT_FALSE(shell_->moving());
  // With reduced motion it rests until something is pressed.
  Scene still = scene();
  still.reduced_motion = true;
  session_->change(still, "", now_);
  find("why is this weight so large");
  pilot_.frames(200);
  EXPECT_TRUE(outlined());
  EXPECT_FALSE(shell_->moving()) << "at rest no frames are drawn";
  press(Key::down);
  pilot_.frames(2);
  EXPECT_FALSE(outlined());
}

TEST_F(DeskTest, EveryQuestionHasItsPlaceOnThePage) {
  for (const PaletteQuestion& one : palette_questions()) {
    const auto set = scene::with_fields(Scene(), one.set);
    ASSERT_TRUE(set) << one.set;
    Scene there = *set;
    if (there.query.empty()) there.query = {0};
    there.training.steps = 12, there.training.batch = 8;
    const std::string_view place = one.page_question.place;
    // Random weights predict nothing: the page says so in the card's place.
    if (place == "card next") there.weights = scene::WeightsSource::trained;
    start(there);
    ASSERT_TRUE(place.starts_with("card ")) << one.page_question.question;
    const auto& cards = shell_->page().cards();
    EXPECT_NE(std::find(cards.begin(), cards.end(), place.substr(5)), cards.end())
        << one.page_question.question << ": " << place;
  }
}

/// As the palette sets it, several settings at once.
TEST_F(DeskTest, TheAverageIsShownByItsQuestion) {
  Scene one_head;
  one_head.head = {2}, one_head.combine = scene::Combine::max;
  start(one_head);
  find("what is the average over all heads");
  EXPECT_TRUE(scene().head.empty());
  EXPECT_EQ(scene().combine, scene::Combine::mean);
}

TEST_F(DeskTest, ThePaletteStepsFillsAndLetsGo) {
  press(Key::k, ctrl_only);
  ASSERT_TRUE(pilot_.on_screen("palette/query"));
  for (int i = 0; i < 3; ++i) press(Key::down);  // the fourth page
  press(Key::enter);
  EXPECT_EQ(scene().page, Page::position);
  const Scene before = scene();
  press(Key::k, ctrl_only);
  pilot_.type("temperature");
  press(Key::enter);  // a number is wanted: it stays, and says what can be typed
  EXPECT_TRUE(pilot_.on_screen("palette/query"));
  pilot_.type("0.25");
  press(Key::enter);
  EXPECT_EQ(scene().temperature, 0.25);
  press(Key::k, ctrl_only);
  pilot_.type("heads 7");
  press(Key::escape);
  EXPECT_EQ(scene().heads, before.heads);
  EXPECT_FALSE(pilot_.on_screen("palette/query"));
  press(Key::m);
  EXPECT_EQ(scene().attention.view, scene::AttentionView::ribbons) << "the keys are the page's again";
}

TEST_F(DeskTest, WhatThePaletteListsIsAskedForOnceEachTimeItOpens) {
  const auto list = shell_->desk().more_entries;
  int page_question = 0;
  shell_->desk().more_entries = [&] {
    ++page_question;
    return list();
  };
  pilot_.frames(20);
  EXPECT_EQ(page_question, 0) << "it reads files";
  for (int times = 1; times <= 2; ++times) {
    press(Key::k, ctrl_only);
    pilot_.type("soft");
    pilot_.frames(20);
    EXPECT_TRUE(pilot_.on_screen("palette/query"));
    EXPECT_EQ(page_question, times);
    press(Key::escape);
  }
  find("soft dictionary");
  EXPECT_TRUE(shell_->lessons().player().playing());
}

TEST_F(DeskTest, TheMouseChoosesToo) {
  done(pilot_.click("top/find"));
  pilot_.frames(2);
  done(pilot_.click("palette/found/Memory"));
  pilot_.frames(2);
  EXPECT_EQ(scene().page, Page::memory);
}

TEST_F(DeskTest, HelpShowsKeysAndTheMathematicsOfThePage) {
  press(Key::f1);
  ASSERT_TRUE(pilot_.on_screen("keys/part/mathematics"));
  done(pilot_.click("keys/part/mathematics"));
  pilot_.frames(2);
  EXPECT_TRUE(pilot_.on_screen("keys/Memory"));
  press(Key::down);
  press(Key::page_down);
  press(Key::f1);
  EXPECT_FALSE(pilot_.on_screen("keys/part/mathematics"));
}

TEST_F(DeskTest, AReportOfThePageIsCopied) {
  press(Key::r, ctrl_shift);
  EXPECT_THAT(clipboard_, HasSubstr("6 tokens, d_model 32"));
  find("cost");
  press(Key::r, ctrl_shift);
  EXPECT_THAT(clipboard_, HasSubstr("self-attention"));
}

TEST_F(DeskTest, ReducedMotionLeavesNothingMoving) {
  const auto permuted = [&](bool reduced) {
    Scene scene;
    scene.page = Page::order;
    scene.reduced_motion = reduced;
    start(scene);
    scene.order.permutation = {5, 4, 3, 2, 1, 0}, scene.order.step = 1;
    session_->change(scene, "", now_);
    frame();
    frame();
    return shell_->moving();
  };
  EXPECT_FALSE(permuted(true)) << "no transition";
  EXPECT_TRUE(permuted(false)) << "the test would not notice a transition";
}

}  // namespace
}  // namespace headlight::app
