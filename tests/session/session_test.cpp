#include "session/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <new>
#include <thread>

#include "pages/compute.h"
#include "pages/cost/cost.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "scene/trained_model.h"
#include "support/sanitized.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

using scene::Scene;

Scene with(Scene scene, int heads) {
  scene.heads = heads;
  return scene;
}

TEST(Session, AConfirmationIsGoneAfterFourSecondsAndAWarningStays) {
  Session session({.autosave = {}});
  session.wait();
  session.say("saved", 10);
  session.update(13.9);
  EXPECT_EQ(session.message(), "saved");
  session.update(14.1);
  EXPECT_EQ(session.message(), "");
  session.warn("cannot open a.json: it is a folder; choose a file in it", 20);
  session.update(31);
  EXPECT_NE(session.message(), "") << "a sentence with a problem and its fix takes longer to read";
  session.update(32.1);
  EXPECT_EQ(session.message(), "");
}

TEST(Session, AChangeShowsInTheNextFrame) {
  Session session({.scene = {}});
  EXPECT_EQ(session.results().attention.heads, 4);
  session.change(with(session.scene(), 8), "heads", 1);
  session.update(1);
  EXPECT_EQ(session.results().attention.heads, 8);
  EXPECT_EQ(session.busy(), -1);
}

TEST(Session, WhatATrainedModelGivesIsKeptAndSaid) {
  std::string unused;
  Session session({.scene = scene::first_scene(unused)});
  ASSERT_EQ(session.scene().weights, scene::WeightsSource::trained);
  const Scene before = session.scene();
  Scene next = before;
  next.d_model = 2 * before.d_model, next.heads = before.heads;
  session.change(next, "width", 1);
  EXPECT_EQ(session.scene(), before);
  EXPECT_EQ(session.message(), "d_model stays " + std::to_string(before.d_model) +
                                   ": set by the trained model; change it with weights=random");
  next = before;
  next.temperature = 2;  // free
  next.weights = scene::WeightsSource::random;
  EXPECT_EQ(scene::kept_by_model(before, next), "");
  next = before;
  next.temperature = 2;
  EXPECT_EQ(scene::kept_by_model(before, next), "");
}

TEST(Session, SelectionExplainsTheCellWithoutComputingAnew) {
  Session session({.scene = {}});
  const auto version = session.results().version;
  Scene next = session.scene();
  next.query = {2};
  next.key = 4;
  session.change(next, "", 1);
  session.update(1);
  EXPECT_EQ(session.results().version, version);
  ASSERT_NE(session.cell(), nullptr);
  EXPECT_EQ(session.cell()->query, 2);
  EXPECT_EQ(session.cell()->key, 4);
}

TEST(Session, UndoGoesAllTheWayBackAndRedoAllTheWayForward) {
  Session session({.scene = {}});
  const Scene start = session.scene();
  double now = 1;
  for (int heads : {1, 2, 8, 16, 32}) session.change(with(session.scene(), heads), "heads", now += 5);
  const Scene end = session.scene();
  while (session.can_undo()) session.undo(now += 5);
  EXPECT_EQ(session.scene(), start);
  while (session.can_redo()) session.redo(now += 5);
  EXPECT_EQ(session.scene(), end);
}

TEST(Session, OneDragIsOneStep) {
  Session session({.scene = {}});
  const Scene start = session.scene();
  for (int seed = 8; seed < 60; ++seed) {
    Scene next = session.scene();
    next.seed = seed;
    session.change(next, "seed", 1 + 0.01 * seed);
  }
  session.undo(5);
  EXPECT_EQ(session.scene(), start);
}

TEST(Session, ALongSentenceIsComputedBehindTheOldPictureAndTheNewestWins) {
  std::atomic<int> woken{0};
  Scene start;
  start.tokenizer = scene::Tokenizer::chars;
  Session session({.scene = start, .wake = [&] { ++woken; }});
  Scene next = session.scene();
  next.d_model = 128;
  for (int length : {2500, 2600, 2700}) {
    next.sentence.assign(static_cast<std::size_t>(length), 'a');
    session.change(next, "sentence", 1);
    session.update(1);
    EXPECT_EQ(session.results().tokens.size(), 22u) << "the old picture stays";
    EXPECT_GE(session.busy(), 0);
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (session.results().tokens.size() == 22u && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    session.update(2);
  }
  EXPECT_EQ(session.results().tokens.size(), 2700u);
  EXPECT_GT(woken, 0);
}

TEST(Session, WhatIsPinnedStaysOnItsWordWhileTheSentenceIsTyped) {
  Scene start;
  start.tokenizer = scene::Tokenizer::words;
  start.sentence = "the bag fell because it was wide", start.query = {1, 4}, start.key = 6;
  Session session({.scene = start});
  const auto pinned = [&] {
    std::string words;
    for (const int query : session.scene().query)
      words += session.results().tokens[static_cast<std::size_t>(query)].text + " ";
    return words + "| " + session.results().tokens[static_cast<std::size_t>(session.scene().key)].text;
  };
  ASSERT_EQ(pinned(), "bag it | wide");
  double now = 1;
  const auto type = [&](const std::string& sentence) {  // letter by letter, behind what is the same
    const std::string before = session.scene().sentence;
    const auto same = std::mismatch(before.begin(), before.end(), sentence.begin(), sentence.end()).first;
    const auto kept = static_cast<std::size_t>(same - before.begin());
    for (std::size_t end = kept; end <= sentence.size(); ++end) {
      Scene next = session.scene();
      next.sentence = sentence.substr(0, end);
      session.change(next, "sentence", now += 0.01);
      session.update(now);
    }
  };
  type("the bag fell off the shelf because it was wide");
  EXPECT_EQ(pinned(), "bag it | wide");
  type("so the wide bag fell because she was wide");
  EXPECT_EQ(pinned(), "bag she | wide");
  session.undo(now);
  session.update(now);
  EXPECT_EQ(pinned(), "bag it | wide") << "all of the typing is one step";
  EXPECT_EQ(session.scene().query, start.query);

  // A query that is chosen in between stays chosen.
  type("the bag fell because it was wide and old");
  Scene next = session.scene();
  next.query = {0};
  session.change(next, "query", now);
  type("the bag fell");
  EXPECT_EQ(session.scene().query, scene::IndexList{0});
}

TEST(Session, WhatIsPinnedStaysOnItsWordInAnotherModel) {
  std::string unused;
  Scene start = scene::first_scene(unused);
  start.sentence = "the animal did not cross the street because it was tired";
  Session session({.scene = start});
  const auto requested = [&] {
    const std::string text =
        session.results().tokens[static_cast<std::size_t>(session.scene().query.back())].text;
    return text.substr(text.find_first_not_of(" "));
  };
  ASSERT_EQ(requested(), "it");
  double now = 1;
  const auto choose = [&](const char* model) {
    Scene next = session.scene();
    ASSERT_TRUE(scene::set_field(next, std::string("model=") + model));
    session.change(std::move(next), "", now += 1);
    session.update(now);
    session.wait();
  };
  const int before = session.scene().query.back();
  choose("dictionary");
  EXPECT_EQ(requested(), "it");
  EXPECT_NE(session.scene().query.back(), before) << "its words are pieces";
  choose("pronouns-guided");
  EXPECT_EQ(requested(), "it");
}

TEST(Session, TimesThatCannotBeTakenAreSaid) {
  Session session(
      {.scene = {},
       .measure = [](int, int, base::Parallel&, const std::function<bool()>&) -> scene::CostMeasurement {
         throw std::bad_alloc();
       }});
  session.timing().start(8);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (session.message().empty() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    session.update(1);
  }
  EXPECT_EQ(session.message().find("no more lengths were timed: "), 0u) << session.message();
}

TEST(Session, OfALongSentenceTheNewestWordsShowBeforeTheRest) {
  constexpr int many = tests::sanitized ? 1500 : 2500;
  Scene start;
  start.tokenizer = scene::Tokenizer::words;
  start.d_model = 48, start.heads = 12;
  Session session({.scene = start});
  Scene next = session.scene();
  next.sentence.clear();
  for (int i = 0; i < many; ++i) next.sentence += i % 3 == 0 ? "the " : "cat ";
  next.sentence += "newest";
  next.query = {many}, next.head = {5};
  session.change(next, "sentence", 1);
  session.update(1);
  const auto frames_until = [&](auto&& holds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!holds() && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      session.update(2);
    }
    return holds();
  };
  ASSERT_TRUE(
      frames_until([&] { return session.preview() || session.results().tokens.size() == many + 1u; }));
  ASSERT_NE(session.preview(), nullptr) << "the whole was there first";
  EXPECT_EQ(session.preview()->tokens.back().text, "newest");
  EXPECT_EQ(session.preview()->query, many);
  const scene::Preview early = *session.preview();
  // The map of the heads on show follows, and then the other heads.
  bool mapped = false;
  std::vector<float> of_map;
  ASSERT_TRUE(frames_until([&] {
    if (const scene::EarlyMap* map = session.early_map(); map && !mapped) {
      mapped = true;
      const auto row = map->weights.row(many);
      of_map.assign(row.begin(), row.end());
      EXPECT_EQ(map->heads, (std::vector<int>{4}));
    }
    return mapped || session.results().tokens.size() == many + 1u;
  }));
  EXPECT_TRUE(mapped) << "the whole was there first";
  // Another query of the same sentence: another row, without a computation anew.
  next = session.scene();
  next.query = {7};
  session.change(next, "", 3);
  ASSERT_TRUE(frames_until(
      [&] { return !session.preview() || session.preview()->query == 7 || session.busy() < 0; }));
  ASSERT_TRUE(frames_until([&] { return session.results().tokens.size() == many + 1u; }));
  EXPECT_EQ(session.preview(), nullptr) << "the results have it all";
  EXPECT_EQ(session.early_map(), nullptr);
  for (std::size_t key = 0; key < of_map.size(); ++key)
    ASSERT_EQ(of_map[key], session.results().attention.weights.row(4, many)[key]);
  for (int head = 0; head < 12; ++head) {
    for (int key = 0; key < many + 1; ++key) {
      ASSERT_NEAR(early.rows.at(head, key), session.results().attention.weights.at(head, many, key), 2e-6);
    }
  }
}

TEST(Session, WhatWasAskedForComesBackWhenItFitsAgain) {
  Session session({.scene = {}});
  const auto width = [&](int d) {
    Scene next = session.scene();
    next.d_model = d;
    session.change(next, "d_model", 1);
  };
  for (const int d : {33, 34, 35, 36, 7, 1, 31}) width(d);
  EXPECT_EQ(session.scene().heads, 1);
  EXPECT_FALSE(session.scene().positions.columns.empty());
  width(32);
  EXPECT_EQ(session.scene().heads, 4);
  EXPECT_EQ(session.scene().positions.columns, Scene{}.positions.columns);
  EXPECT_EQ(session.scene().positions.pair, Scene{}.positions.pair);
  // A new wish takes the place of the old one.
  session.change(with(session.scene(), 8), "heads", 2);
  width(20);
  EXPECT_EQ(session.scene().heads, 10);  // 8 lies between 5 and 10
  width(64);
  EXPECT_EQ(session.scene().heads, 8);
  // And a scene that is put together is taken as it is.
  Scene other;
  other.d_model = 12, other.heads = 6, other.seed = 3;
  session.change(other, "", 3);
  EXPECT_EQ(session.scene(), other);
}

TEST(Session, AWidthThatChangesTheNumberOfHeadsSaysSo) {
  Scene start;
  start.d_model = 32, start.heads = 8;
  Session session({.scene = start});
  const auto width = [&](int d) {
    Scene next = session.scene();
    next.d_model = d;
    session.change(next, "", 1);
    return session.message();
  };
  EXPECT_EQ(width(30), "heads: 8 → 6, since heads must divide d = 30");
  EXPECT_EQ(session.scene().heads, 6);
  EXPECT_EQ(width(64), "heads: 6 → 8, as chosen before");
  EXPECT_EQ(session.scene().heads, 8);
  session.undo(2);
  EXPECT_EQ(session.scene().d_model, 30);
  EXPECT_EQ(session.scene().heads, 6);
  session.say("", 3);
  EXPECT_EQ(width(36), "") << "6 divides it";
  // A number of heads that is chosen is the one that remains.
  session.change(with(session.scene(), 3), "", 4);
  EXPECT_EQ(width(96), "");
  EXPECT_EQ(session.scene().heads, 3);
}

TEST(Session, UndoLeavesThePageAndTheLookAlone) {
  Session session({.scene = {}});
  session.change(with(session.scene(), 8), "heads", 1);
  Scene next = session.scene();
  next.page = scene::Page::memory, next.theme = scene::ThemeName::light, next.interface_scale = 1.5;
  next.reduced_motion = true;
  session.change(next, "", 10);
  session.undo(20);
  EXPECT_EQ(session.scene().heads, 4);
  EXPECT_EQ(session.scene().page, scene::Page::memory);
  EXPECT_EQ(session.scene().interface_scale, 1.5);
  EXPECT_FALSE(session.can_undo());
  EXPECT_EQ(session.message(), "undone: Heads");
}

TEST(ComputeJob, WantOfMemoryIsSaidAndTheNextRequestIsServed) {
  base::Parallel parallel(1);
  std::atomic<bool> enough{false};
  ComputeJob job(
      parallel, [] {},
      [&](const scene::Inputs& inputs, base::Parallel& cores, const scene::Progress& progress,
          std::shared_ptr<scene::Results>, const scene::ShowEarly&) {
        if (!enough) throw std::bad_alloc();
        return scene::compute(inputs, cores, progress);
      });
  const auto wait = [&] {
    while (job.busy()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  job.submit(with({}, 8));
  wait();
  EXPECT_EQ(job.take(), nullptr);
  const std::string problem = job.take_problem();
  EXPECT_NE(problem.find("not enough memory for 6 tokens and 8 heads"), std::string::npos) << problem;
  EXPECT_EQ(job.take_problem(), "");
  enough = true;
  job.submit({});
  wait();
  EXPECT_NE(job.take(), nullptr);
  EXPECT_EQ(job.take_problem(), "");
}

TEST(Session, AComputationThatWasStoppedIsNotBegunAgainByItself) {
  constexpr std::size_t many = tests::sanitized ? 1500 : 3000;
  Session session({.scene = {}});
  const auto settle = [&](const std::function<bool()>& reached) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!reached() && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      session.update(2);
    }
    EXPECT_TRUE(reached());
  };
  const Scene before = session.scene();
  const std::size_t tokens = session.results().tokens.size();
  session.stop_computing(1);
  EXPECT_FALSE(session.stopped()) << "nothing was computed";
  Scene next = before;
  next.tokenizer = scene::Tokenizer::chars, next.d_model = 128;
  next.sentence.assign(many, 'a');
  session.change(next, "", 1);
  session.update(1);
  ASSERT_GE(session.busy(), 0);
  session.stop_computing(1);
  EXPECT_TRUE(session.stopped());
  EXPECT_EQ(session.message(), "computing was stopped: the last picture is shown");
  settle([&] { return session.busy() < 0; });
  for (int i = 0; i < 50; ++i) session.update(2);
  EXPECT_TRUE(session.stopped());
  EXPECT_LT(session.busy(), 0);
  EXPECT_EQ(session.results().tokens.size(), tokens) << "the last picture is shown";
  EXPECT_EQ(session.scene().sentence.size(), many) << "and the settings are kept";
  // Asked for again, all of it.
  session.compute_again();
  settle([&] { return session.results().tokens.size() == many; });
  EXPECT_FALSE(session.stopped());
  // Another setting is another request; so is the way back.
  next.sentence.assign(3100, 'a');
  session.change(next, "", 3);
  session.update(3);
  session.stop_computing(3);
  EXPECT_TRUE(session.stopped());
  session.undo(3);
  session.update(3);
  EXPECT_FALSE(session.stopped());
  settle([&] { return session.busy() < 0; });
  EXPECT_EQ(session.results().tokens.size(), many);
}

TEST(Session, ClosesAtOnceWhileAComputationRuns) {
  Scene start;
  Session session({.scene = start});
  Scene next = start;
  next.tokenizer = scene::Tokenizer::chars;
  next.sentence.assign(3000, 'b');
  next.d_model = 256;
  session.change(next, "", 1);
  session.update(1);
  ASSERT_GE(session.busy(), 0) << "nothing is computed";
}  // the destructor cancels and joins

TEST(Session, KeepsTheSceneByItselfAndSaysSoWhenItCannot) {
  const auto folder = std::filesystem::temp_directory_path() / "headlight-session-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto file = folder / "state" / "headlight" / "scene.json";  // folders that are not there yet
  {
    Session session({.scene = {}, .autosave = file});
    session.change(with(session.scene(), 16), "heads", 1);
    session.update(1.1);
    EXPECT_FALSE(std::filesystem::exists(file)) << "not at every keystroke";
    session.update(2);
    session.wait_until_saved();
    const auto kept = scene::load(file);
    ASSERT_TRUE(kept) << kept.error();
    EXPECT_EQ(kept->heads, 16);
  }
  std::filesystem::create_directories(folder / "blocked");
  Session blocked({.scene = {}, .autosave = folder / "blocked"});  // a folder cannot be replaced by a file
  blocked.change(with(blocked.scene(), 8), "heads", 1);
  blocked.update(3);
  blocked.wait_until_saved();
  blocked.update(3);
  EXPECT_NE(blocked.message().find("not being saved"), std::string::npos);
  std::filesystem::remove_all(folder);
}

/// What was opened and never changed is the scene of next time, too; and so is what changed by itself.
TEST(Session, AtItsEndTheSceneIsWrittenWhetherItChangedOrNot) {
  const tests::ScratchFolder folder;
  const auto file = folder / "scene.json";
  Session session({.scene = with({}, 16), .autosave = file});
  EXPECT_TRUE(session.save(1));
  EXPECT_EQ(scene::load(file)->heads, 16);
  scene::Scene next = session.scene();
  next.positions.index = 17;
  session.advance(next);
  EXPECT_TRUE(session.save(2));
  EXPECT_EQ(scene::load(file)->positions.index, 17);
}

}  // namespace
}  // namespace headlight::app
