// Lessons played by script: every shipped lesson forwards and back, its numbers and claims against its
// scenes; exploring and coming back; the user’s own scene kept.
#include <gmock/gmock.h>

#include <cctype>
#include <cmath>
#include <regex>
#include <set>

#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "pictures/pages.h"
#include "played_lessons.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "session/lesson_player.h"
#include "support/scratch_folder.h"
#include "ui/page_overlay.h"

namespace headlight::app::lesson_test {
namespace {

using scene::Scene;
using testing::IsEmpty;

TEST_F(Player, TheLessonsComeInTheirOrder) {
  const auto lessons = list_lessons({});
  ASSERT_EQ(lessons.size(), 14u);
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    EXPECT_EQ(lessons[i].number, static_cast<int>(i) + 1);
    EXPECT_THAT(lessons[i].problem, IsEmpty());
    EXPECT_FALSE(lessons[i].about.empty());
  }
}

TEST_F(Player, ForwardsAndBackEveryStepHasExactlyItsScene) {
  for (const std::string& name : shipped()) {
    player_.start(opened(name), 0);
    const std::vector<Scene> scenes = scene::lesson_scenes(player_.lesson(), session_.scene());
    double now = 0;
    const auto at = [&](int step) {
      EXPECT_EQ(player_.step(), step) << name;
      EXPECT_EQ(session_.scene(), scenes[static_cast<std::size_t>(step)])
          << name << " step " << step + 1 << ": "
          << scene::difference(session_.scene(), scenes[static_cast<std::size_t>(step)]);
      // Somebody plays with it before going on.
      Scene played = session_.scene();
      played.d_model = 30, played.heads = 5, played.query = {3}, played.temperature = 7,
      played.worked.row = 1;
      session_.change(played, "", now += 1);
      session_.update(now);
    };
    for (int step = 0; step < player_.steps(); ++step) at(step), player_.next(now += 1);
    for (int step = player_.steps() - 1; step >= 0; --step) {
      player_.go(step, now += 1);
      at(step);
    }
  }
}

/// Digits that stand outside of braces and of mathematics: a number that nobody checks.
std::string loose_digits(const std::string& words) {
  bool braces = false, maths = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == '$') maths = !maths;
    if (words[i] == '{') braces = true;
    if (words[i] == '}') braces = false;
    const bool of_a_name = i > 0 && std::isalpha(static_cast<unsigned char>(words[i - 1]));  // T5
    if (!braces && !maths && !of_a_name && std::isdigit(static_cast<unsigned char>(words[i])))
      return words.substr(i, 20);
  }
  return {};
}

/// Of notes, which are plain text with years and numbers of heads: a decimal or a share outside of braces.
std::string loose_measure(const std::string& notes) {
  static const std::regex braces("\\{[^}]*\\}"), measured("[0-9]\\.[0-9]|[0-9] %");
  const std::string plain = std::regex_replace(notes, braces, "");
  std::smatch found;
  return std::regex_search(plain, found, measured)
             ? plain.substr(static_cast<std::size_t>(found.position()), 20)
             : std::string();
}

/// A number that is rounded has the digits of its quantity, as on the page and in its description. Excepted
/// are shares in whole per cent, weights, which have the digits of the map beside them, and powers of ten.
std::string other_digits(const scene::Claim& claim, const scene::QuantitySource& from) {
  static const std::set<std::string> excepted = {"setting", "weight",        "map_weight",
                                                 "largest", "capacity_2017", "capacity_2020"};
  const double value = scene::quantity_value(claim.left, from);
  if (!claim.number || claim.relation != scene::Relation::equal || std::isnan(value)) return {};
  const scene::QuantityInfo& info = *claim.left.info;
  const bool exact = std::abs(value - claim.number->value) <= 1e-6 * std::max(1.0, std::abs(value));
  if (exact || excepted.contains(info.name)) return {};
  if (claim.number->percent && info.form.style != base::NumberStyle::percent) return {};
  std::string own = base::written(value, info.form), reported = claim.number->text;
  if (own.starts_with('+')) own.erase(0, 1);
  if (info.form.style == base::NumberStyle::significant)  // 1.70 is written as 1.7
    while (reported.find('.') < reported.size() - 1 && reported.ends_with('0')) reported.pop_back();
  return own == reported ? "" : claim.left.text() + " is " + own + ", not " + claim.number->text;
}

TEST_F(Player, EveryNumberOfEveryLessonIsThatOfItsScene) {
  int numbers = 0, claims = 0;
  for (const std::string& name : shipped()) {
    auto& [session, player] = played(name);
    for (int step = 0; step < player.steps(); ++step) {
      player.go(step, step);
      player.settle();
      EXPECT_THAT(player.untrue(), IsEmpty()) << name << ", step " << step + 1;
      const scene::LessonStep& s = player.current();
      claims += static_cast<int>(s.facts.size());
      std::vector<std::string> words = s.words;
      words.insert(words.end(), s.reveal.begin(), s.reveal.end());
      words.push_back(s.title);
      if (s.task) words.push_back(s.task->ask);
      const auto noted = scene::numbers_of_notes(s.notes);
      ASSERT_TRUE(noted) << name << ", step " << step + 1;
      EXPECT_EQ(loose_measure(s.notes), "") << name << ", step " << step + 1 << ": of the notes";
      if (s.predict) words.push_back(s.predict->ask);
      if (s.question) words.push_back(s.question->ask), words.push_back(s.question->why);
      for (const std::string& one : words) {
        EXPECT_EQ(loose_digits(one), "") << name << ", step " << step + 1 << ": a number that is not checked";
        const auto parts = scene::parse_words(one);
        ASSERT_TRUE(parts);
        for (const auto& part : *parts) {
          if (!part.number || !part.number->claim) continue;
          ++numbers;
          EXPECT_EQ(other_digits(*part.number->claim, {session.scene(), session.results(), nullptr}), "")
              << name << ", step " << step + 1;
        }
      }
    }
  }
  EXPECT_GT(numbers, 150);
  EXPECT_GT(claims, 60);
}

/// Not after some seconds, which are few steps on a busy machine: the words name losses of the last step.
TEST(Settled, TheRunOfAStepIsTrainedToItsEnd) {
  Session session({.scene = {}, .autosave = {}});
  LessonPlayer player(session);
  player.start(opened("learned"), 0);
  player.go(2, 0);
  player.settle();
  const auto run = session.training().latest();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->step, session.scene().training.steps);
  EXPECT_EQ(run->state, scene::TrainingState::finished);
  EXPECT_THAT(player.untrue(), IsEmpty());
}

TEST_F(Player, NoTaskIsDoneBeforeItIsTried) {
  for (const std::string& name : shipped()) {
    player_.start(opened(name), 0);
    for (int step = 0; step < player_.steps(); ++step) {
      player_.go(step, step);
      session_.update(step);
      // A run is not started by itself.
      if (session_.scene().page != scene::Page::training) session_.wait();
      player_.update();
      EXPECT_FALSE(player_.task_done()) << name << ", step " << step + 1;
    }
  }
}

TEST_F(Player, WhatIsHiddenOrOutlinedIsOnThePage) {
  for (const std::string& name : shipped()) {
    auto& [session, player] = played(name);
    for (int step = 0; step < player.steps(); ++step) {
      player.go(step, step);
      session.update(step);
      session.wait();
      for (const float width : {500.f, 1050.f, 1700.f}) {
        views::PageInput in = page_input(session, draw::theme(true));
        PageOverlay overlay;
        overlay.highlight = player.current().highlight, overlay.focus = player.current().focus;
        overlay.without = player.current().without;
        keep_covered(in, overlay);
        draw::RecordCanvas measure;
        draw::PickCanvas pick({-1, -1}, measure);
        page_info(session.scene().page).view.draw(pick, {0, 0, width, 900}, in);
        if (player.current().predict) overlay.hide = player.current().predict->hide;
        const auto& trace = session.results().attention;
        EXPECT_THAT(overlay_boxes(overlay, {pick.targets(), pick.panels(), trace.T, trace.S}).missing,
                    IsEmpty())
            << name << ", step " << step + 1 << ", width " << width;
      }
    }
  }
}

TEST_F(Player, ExploringChangesTheSceneAndComingBackRestoresIt) {
  player_.start(small_lesson(), 1);
  player_.go(1, 2);
  const Scene exact = session_.scene();
  player_.explore(3);
  EXPECT_TRUE(player_.exploring());
  EXPECT_FALSE(player_.covered());
  Scene next = session_.scene();
  next.page = scene::Page::cost, next.d_model = 64, next.heads = 64, next.sentence = "else";
  session_.change(next, "", 4);
  session_.update(4);
  player_.come_back(5);
  EXPECT_TRUE(player_.playing());
  EXPECT_EQ(player_.step(), 1);
  EXPECT_EQ(session_.scene(), exact);
  EXPECT_TRUE(player_.covered());
}

TEST_F(Player, WhatWasAskedForBeforeDoesNotComeIntoAStep) {
  player_.start(small_lesson(), 1);
  // 5 heads do not divide 32: there are 4, and 5 once the width is 30. A step says 3.
  Scene next = session_.scene();
  next.heads = 5;
  session_.change(next, "heads", 2);
  player_.next(3);
  EXPECT_EQ(session_.scene().heads, 3);
  EXPECT_EQ(session_.scene().d_model, 30);
}

TEST_F(Player, RevealAnswersAndTasksAreKept) {
  player_.start(small_lesson(), 0);
  EXPECT_FALSE(player_.reveal(0));
  player_.next(1);
  EXPECT_TRUE(player_.covered());
  EXPECT_TRUE(player_.reveal(1));
  EXPECT_FALSE(player_.covered());
  EXPECT_FALSE(player_.reveal(1));
  player_.next(2);
  player_.choose(7);
  EXPECT_EQ(player_.chosen(), -1);
  player_.choose(1);
  player_.choose(0);  // the first answer counts
  EXPECT_EQ(player_.chosen(), 1);
  player_.next(3);
  player_.update();
  EXPECT_FALSE(player_.task_done());
  Scene next = session_.scene();
  next.temperature = 0.4;
  session_.change(next, "", 4);
  session_.update(4);
  player_.update();
  EXPECT_TRUE(player_.task_done());
  player_.next(5);  // there is none
  EXPECT_EQ(player_.step(), 3);
  player_.go(0, 6);
  player_.previous(6);
  EXPECT_EQ(player_.step(), 0);
  player_.go(1, 7);
  EXPECT_FALSE(player_.covered());
  player_.go(3, 8);
  EXPECT_TRUE(player_.task_done());
  EXPECT_EQ(session_.scene().temperature, 1);
  // After a restart of the program too; a lesson that has changed takes what fits.
  std::vector<StepAnswer> kept = player_.answers();
  player_.leave(9);
  kept[0].revealed = true, kept[0].chosen = 1, kept.resize(kept.size() + 2);
  player_.start(small_lesson(), 10);
  player_.bring_back(kept);
  kept[0] = {.of = kept[0].of}, kept.resize(kept.size() - 2);
  EXPECT_EQ(player_.answers(), kept);
  player_.go(1, 11);
  EXPECT_FALSE(player_.covered());
  // Answers belong to what was asked, not to the number of a step.
  OpenedLesson edited = small_lesson();
  edited.lesson.steps[1].predict->ask = "something else?";
  std::swap(edited.lesson.steps[2], edited.lesson.steps[3]);
  player_.start(std::move(edited), 12);
  const std::vector<StepAnswer> none = player_.answers();
  player_.bring_back(kept);
  EXPECT_EQ(player_.answers(), none);
  player_.go(1, 13);
  EXPECT_TRUE(player_.covered());
  std::vector<StepAnswer> unknown = kept;
  for (StepAnswer& one : unknown) one.of = 0;
  player_.bring_back(unknown);
  EXPECT_FALSE(player_.covered()) << "of a version that did not know what was asked";
}

TEST_F(Player, TransitionsAreShortAndCanBeSwitchedOff) {
  player_.start(small_lesson(), 10);
  EXPECT_LT(player_.appeared(10), 0.01f);
  EXPECT_GT(player_.appeared(10.1), 0.2f);
  EXPECT_EQ(player_.appeared(10.3), 1);
  EXPECT_GE(LessonPlayer::transition_seconds, 0.15);
  EXPECT_LE(LessonPlayer::transition_seconds, 0.3);
  Scene still = session_.scene();
  still.reduced_motion = true;
  session_.change(still, "", 11);
  player_.next(20);
  EXPECT_EQ(player_.appeared(20), 1);
  EXPECT_TRUE(session_.scene().reduced_motion);
}

TEST_F(Player, TheLookOfTheInterfaceStaysTheReaders) {
  player_.start(small_lesson(), 0);
  Scene next = session_.scene();
  next.theme = scene::ThemeName::light, next.interface_scale = 2;
  session_.change(next, "", 1);
  for (int step = 0; step < player_.steps(); ++step) {
    player_.go(step, step + 2);
    EXPECT_EQ(session_.scene().theme, scene::ThemeName::light);
    EXPECT_EQ(session_.scene().interface_scale, 2);
  }
}

TEST(LessonSession, OnesOwnSceneIsKeptAndComesBack) {
  tests::ScratchFolder folder;
  const auto file = folder / "scene.json";
  Scene own;
  own.sentence = "my own words";
  own.heads = 8;
  {
    Session session({.scene = own, .autosave = file});
    LessonPlayer player(session);
    player.start(small_lesson(), 1);
    Scene next = session.scene();
    next.seed = 99;
    session.change(next, "", 2);
    session.update(60);  // it is time to save
    EXPECT_TRUE(session.save(60));
  }
  auto kept = scene::load(file);
  ASSERT_TRUE(kept) << kept.error();
  EXPECT_EQ(kept->sentence, "my own words");
  EXPECT_EQ(kept->heads, 8);
  {
    Session session({.scene = own, .autosave = file});
    LessonPlayer player(session);
    player.start(small_lesson(), 1);
    player.start(small_lesson(), 2);  // another lesson: still the same own scene
    player.explore(3);
    player.leave(4);
    EXPECT_EQ(session.scene(), own);
    EXPECT_FALSE(player.open());
  }
}

}  // namespace
}  // namespace headlight::app::lesson_test
