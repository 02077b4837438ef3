// The Training page: it fits at every size and in every state, its controls are real, its numbers and maps
// are those of the snapshot. HEADLIGHT_UPDATE=1 writes the recordings anew.
#include <gtest/gtest.h>

#include <set>

#include "draw/record_canvas.h"
#include "page_checks.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"
#include "pages/training/view/page.h"
#include "training_fixture.h"

namespace headlight::views::training_page_test {
namespace {

using draw::Box;
using scene::TrainingState;
using scene::TrainingTask;
using test::control;
using test::english;
using test::failed;
using test::hover;
using test::Page;
using test::page;
using test::relations;
using test::says;
using test::TrainingCase;
using test::TrainingScene;

struct Size {
  float w, h;
};
constexpr Size sizes[] = {{1340, 850}, {1050, 590}, {640, 360},   {480, 700},  {900, 800},
                          {960, 900},  {1684, 920}, {2400, 1400}, {3590, 2010}};
const std::set<std::string> commands = {"training start",  "training pause",       "training resume",
                                        "training step",   "training rewind",      "training restart",
                                        "training cancel", "training use weights", "training save",
                                        "training fork",   "training open",        "training choose file"};

std::vector<TrainingScene> scenes() {
  std::vector<TrainingScene> all;
  for (int task = 0; task < 5; ++task) {
    all.emplace_back();
    all.back().scene.training.task = static_cast<TrainingTask>(task);
  }
  all.emplace_back(TrainingCase{});
  all.back().scene.theme = scene::ThemeName::light;
  all.emplace_back(TrainingCase{});
  all.back().scene.training.shown_step = 120, all.back().scene.training.run = 2;
  all.back().scene.training.rate = 0.01;  // the settings were changed
  all.push_back(all.back());
  all.back().snapshot = std::make_shared<scene::TrainingSnapshot>(*all.back().snapshot);
  all.back().snapshot->state = TrainingState::paused;
  all.back().snapshot->changes = {{120, true, {{"training_rate", "0.002", "0.003"}}}};
  all.push_back(test::trained());
  all.push_back(failed());
  all.push_back(relations());
  all.push_back(english(16, 48, true));
  all.push_back(english(8, 20, true));
  all.back().scene.training.head = 7, all.back().scene.training.example = -1;
  TrainingCase one;
  one.runs = one.layers = one.heads = 1, one.step = 0, one.frames = 1, one.state = TrainingState::idle;
  all.emplace_back(one);
  one.step = one.steps = 100000, one.frames = 200, one.state = TrainingState::finished, one.layers = 6;
  all.emplace_back(one);
  all.back().snapshot->message = "saved as a-rather-long-name-of-a-run-with-positions.safetensors";
  all.emplace_back(TrainingCase{});
  all.back().snapshot->runs.clear(), all.back().snapshot->preparing = 0.42f;
  all.back().scene.training.task = TrainingTask::text;
  all.back().scene.training.file = "/somewhere/a very long name of a file that has to be shortened.txt";
  all.emplace_back(TrainingCase{});
  for (scene::RunSnapshot& run : all.back().snapshot->runs)
    run.film.clear(), run.loss.clear(), run.validation.clear(), run.score.clear(), run.predicted.clear();
  return all;
}

std::set<std::string> offered(const TrainingScene& s) {
  std::set<std::string> out;
  for (const draw::Mark& mark : page(s).canvas.marks) {
    if (commands.count(mark.name)) out.insert(mark.name);
  }
  return out;
}

TEST(TrainingPage, FitsAtEverySize) {
  int n = 0;
  for (const TrainingScene& s : scenes()) {
    for (const Size size : sizes) {
      SCOPED_TRACE("scene " + std::to_string(n) + " at " + std::to_string(size.w));
      draw::RecordCanvas canvas;
      const Box area{100, 50, size.w, size.h};
      const float height = training_page(canvas, area, s.input());
      EXPECT_GE(height, size.h);
      test::expect_texts_apart(canvas, area, height);
      test::expect_controls_real(canvas, area, height, commands);
    }
    ++n;
  }
}

/// The bodies of windows of 853 × 480 and 800 × 500, which have tabs below them.
TEST(TrainingPage, EveryHeadIsInViewInASmallWindow) {
  TrainingScene s(TrainingCase{});
  for (const Size size : {Size{803, 360}, Size{750, 380}}) {
    draw::RecordCanvas canvas;
    draw::PickCanvas pick({-1, -1}, canvas);
    PageInput in = s.input();
    in.compact = true;
    training_page(pick, {0, 0, size.w, size.h}, in);
    bool found = false;
    for (const auto& panel : pick.panels()) {
      if (panel.name != "film") continue;
      found = true;
      EXPECT_LE(panel.box.bottom(), size.h) << size.w;
    }
    EXPECT_TRUE(found);
  }
}

TEST(TrainingPage, TheFirstScreenHoldsEverything) {
  EXPECT_EQ(page(TrainingScene()).height, 1100);
  EXPECT_EQ(page(TrainingScene(TrainingCase{})).height, 1100);
  EXPECT_EQ(page(relations()).height, 1100);
  // In a low window the film and the map are on the first screen, or the film and the losses.
  TrainingScene s(TrainingCase{});
  const Page low = page(s, 1340, 640);
  EXPECT_EQ(control(low.canvas, "beside losses").set, "training_beside=losses");
  const auto top = [](const Page& drawn, const char* name) { return control(drawn.canvas, name).area.y; };
  EXPECT_LT(top(low, "map head 1"), 640);
  EXPECT_GT(top(low, "plot curves"), 600);
  s.scene.training.beside = scene::TrainingBeside::losses;
  const Page losses = page(s, 1340, 640);
  EXPECT_LT(top(losses, "plot curves"), 640);
  EXPECT_GT(top(losses, "map head 1"), 600);
}

TEST(TrainingPage, TheNumbersAreTheNewestOrThoseOfTheStepShown) {
  TrainingScene s(TrainingCase{});
  const auto expect = [&](int step) {
    const Page drawn = page(s);
    for (const scene::RunSnapshot& run : s.snapshot->runs) {
      // The nearest point, found by looking at all of them.
      const auto at = [&](const std::vector<scene::CurvePoint>& curve) {
        const scene::CurvePoint* best = &curve.front();
        for (const scene::CurvePoint& p : curve) {
          if (std::abs(p.step - step) < std::abs(best->step - step)) best = &p;
        }
        return static_cast<double>(best->value);
      };
      char words[32];
      std::snprintf(words, sizeof words, "%.4f", at(run.loss));
      EXPECT_TRUE(says(drawn.canvas, words)) << words;
      std::snprintf(words, sizeof words, "%.4f", at(run.validation));
      EXPECT_TRUE(says(drawn.canvas, words)) << words;
      std::snprintf(words, sizeof words, "%.1f %%", 100 * at(run.score));
      EXPECT_TRUE(says(drawn.canvas, words)) << words;
      EXPECT_TRUE(says(drawn.canvas, run.name));
    }
  };
  expect(480);
  EXPECT_TRUE(says(page(s).canvas, "step 480 / 1,000   48 %"));
  EXPECT_TRUE(says(page(s).canvas, "412,000 tokens/s   2.1 s left"));
  EXPECT_TRUE(says(page(s).canvas, "chance 2.485"));
  s.scene.training.shown_step = 120;
  expect(120);
  EXPECT_TRUE(says(page(s).canvas, "at step 120"));
}

TEST(TrainingPage, EveryStateOffersWhatMakesSense) {
  using Set = std::set<std::string>;
  TrainingScene s;
  EXPECT_EQ(offered(s), (Set{"training start", "training open"}));
  s.scene.training.task = TrainingTask::text;
  EXPECT_EQ(offered(s), (Set{"training choose file", "training open"}));
  s.scene.training.file = "/texts/verse.txt";
  EXPECT_EQ(offered(s), (Set{"training choose file", "training start", "training open"}));
  EXPECT_TRUE(says(page(s).canvas, "verse.txt"));
  EXPECT_FALSE(says(page(s).canvas, "/texts"));

  s = TrainingScene(TrainingCase{});
  const Set kept = {"training use weights", "training save", "training restart"};
  const auto with = [&](Set more) {
    more.insert(kept.begin(), kept.end());
    return more;
  };
  EXPECT_EQ(offered(s), with({"training pause"}));
  s.snapshot->state = TrainingState::paused;
  EXPECT_EQ(offered(s), with({"training resume", "training step", "training open"}));
  s.scene.training.shown_step = 120;
  EXPECT_EQ(offered(s), with({"training resume", "training step", "training open", "training rewind"}));
  s.scene.training.shown_step = -1;
  s.snapshot->state = TrainingState::finished;
  EXPECT_EQ(offered(s), with({"training open"}));
  EXPECT_TRUE(says(page(s).canvas, "Train again"));
  s.snapshot->state = TrainingState::idle;
  EXPECT_EQ(offered(s), with({"training start", "training open"}));
  s.snapshot->runs.clear(), s.snapshot->preparing = 0.42f;
  EXPECT_EQ(offered(s), (Set{"training cancel"}));
  EXPECT_TRUE(says(page(s).canvas, "42 %"));
  EXPECT_FALSE(offered(relations()).count("training use weights"));  // those have no model to be used
  for (const draw::Mark& mark : page(TrainingScene(TrainingCase{})).canvas.marks) {
    if (commands.count(mark.name)) {
      EXPECT_TRUE(mark.set.empty()) << mark.name;
    }
  }
}

TEST(TrainingPage, OtherSettingsThanThoseOfTheRunAreSaid) {
  TrainingScene s(TrainingCase{});
  const std::string words = "settings changed (Learning rate 0.003 → 0.01) — the next step applies it";
  EXPECT_FALSE(says(page(s).canvas, "settings changed"));
  s.scene.training.head = 3, s.scene.training.example = 5, s.scene.training.shown_step = 40;
  s.scene.training.vocabulary = 99;  // of a text that this task does not read
  EXPECT_FALSE(says(page(s).canvas, "settings changed"));
  s.scene.training.rate = 0.01;
  EXPECT_TRUE(says(page(s).canvas, words));
  // A finished run has no button "Restart".
  s.snapshot->state = TrainingState::finished;
  EXPECT_TRUE(says(page(s).canvas,
                   "(Learning rate 0.003 → 0.01) — Continue from here or Train again to train with them"));
  s.scene.training.batch = 64, s.scene.training.positions = scene::TrainingPositions::rope;
  EXPECT_EQ(difference_words(s.snapshot->settings, s.scene.training),
            "Positions sinusoidal → rope and 2 more");
}

/// A run that stands goes on from the step on show with other settings, unless they change the network.
TEST(TrainingPage, OffersToContinueWithOtherSettings) {
  TrainingScene s(TrainingCase{});
  s.snapshot->state = TrainingState::paused;
  EXPECT_FALSE(offered(s).count("training fork")) << "nothing was changed";
  s.scene.training.rate = 0.01;
  EXPECT_TRUE(offered(s).count("training fork"));
  EXPECT_TRUE(says(page(s, 1900, 1000).canvas,
                   "settings changed (Learning rate 0.003 → 0.01) — Resume applies it; Continue from here "
                   "also keeps this run"));
  TrainingScene unchanged = s;
  unchanged.scene.training.rate = 0.003;
  for (const float width : {1184.f, 1340.f, 1684.f})
    EXPECT_EQ(control(page(s, width, 850).canvas, "training open").area.y,
              control(page(unchanged, width, 850).canvas, "training open").area.y)
        << width;
  s.scene.training.shown_step = 120;
  const std::string note = control(page(s).canvas, "training fork").note;
  EXPECT_NE(note.find("from step 120"), std::string::npos) << note;
  EXPECT_NE(note.find("Learning rate 0.003 → 0.01"), std::string::npos) << note;
  s.scene.training.heads = 2;
  EXPECT_FALSE(offered(s).count("training fork"));
  EXPECT_NE(control(page(s).canvas, "why not training fork").note.find("Heads changes the network"),
            std::string::npos);
  s.scene.training.heads = 4;
  s.snapshot->changes = {{120, true, {{"training_rate", "0.003", "0.01"}}}};
  s.snapshot->settings.rate = 0.01;
  EXPECT_TRUE(says(page(s).canvas, "reverse, from step 120, learning rate 0.01: step 480 / 1,000"));
  EXPECT_EQ(control(page(s).canvas, "change at step 120").note,
            "learning rate 0.003 → 0.01: a new run from step 120");
  s.scene.training.shown_step = 40, s.snapshot->runs[0].film[2].whole = false;
  EXPECT_FALSE(says(page(s, 1900, 1000).canvas, "steps kept in the file"));
  EXPECT_NE(control(page(s).canvas, "why not training rewind").note.find("continues from its step 120"),
            std::string::npos);
}

/// The run of another task is never taken for that of the chosen one.
TEST(TrainingPage, AnotherTaskShowsNothingOfThisRun) {
  TrainingScene s(TrainingCase{});
  EXPECT_TRUE(says(page(s).canvas, "reverse: step 480 / 1,000"));
  EXPECT_TRUE(says(page(s).canvas, "2 layers of 4 heads, width 32"));
  for (const TrainingState state : {TrainingState::running, TrainingState::paused, TrainingState::finished}) {
    s.snapshot->state = state;
    s.scene.training.task = TrainingTask::induction;
    EXPECT_EQ(offered(s), (std::set<std::string>{"training start", "training open"}));
    const Page drawn = page(s);
    EXPECT_TRUE(says(drawn.canvas, "Which letter followed the first time?"));
    EXPECT_FALSE(says(drawn.canvas, s.snapshot->runs[0].name));
    EXPECT_EQ(training_words(s.input()), "no run has been trained yet");
    s.scene.training.task = TrainingTask::reverse;
    EXPECT_TRUE(says(page(s).canvas, s.snapshot->runs[0].name));
  }
  // While that one goes on behind, the page says so.
  TrainingScene other;
  other.scene.training.task = TrainingTask::induction;
  other.snapshot = std::make_shared<scene::TrainingSnapshot>();
  other.snapshot->settings.task = TrainingTask::induction;
  other.snapshot->elsewhere = {TrainingTask::reverse, 320, 1000};
  EXPECT_EQ(offered(other), (std::set<std::string>{"training start", "training open"}));
  EXPECT_TRUE(says(page(other).canvas, "reverse continues training: step 320 / 1,000"));
}

/// A head that was guided is named as one where its role is.
TEST(TrainingPage, AGuidedHeadIsNamed) {
  TrainingScene s(TrainingCase{});
  EXPECT_FALSE(says(page(s).canvas, "guided"));
  s.snapshot->runs[0].labels[1].guided = true, s.snapshot->runs[0].labels[2].guided = true;
  draw::RecordCanvas none;
  const PageInput in = s.input();
  const TrainingView view(none, in);
  EXPECT_EQ(role_words(view, s.snapshot->runs[0], {0, 0}), "mirrored place: 0.94");
  EXPECT_EQ(role_words(view, s.snapshot->runs[0], {0, 1}), "guided, previous token: 0.87");
  EXPECT_EQ(role_words(view, s.snapshot->runs[0], {0, 2}), "guided during training");
  const auto drawn_page = page(s);
  EXPECT_TRUE(says(drawn_page.canvas, "guided, prev"));
  EXPECT_TRUE(std::any_of(drawn_page.canvas.texts.begin(), drawn_page.canvas.texts.end(),
                          [](const auto& text) { return text.words == "0.87"; }))
      << "a role that is too long is cut before its number";
  scene::TrainingSettings settings;
  settings.task = TrainingTask::pronouns, settings.guide = 0.3;
  settings.compare = scene::TrainingCompare::no_guide;
  EXPECT_NE(settings_words(settings).find("head 1 of layer 2 is guided"), std::string::npos);
  EXPECT_NE(settings_words(settings).find("also without a guide"), std::string::npos);
  scene::TrainingSettings free = settings;
  free.guide = 0, free.length = 40;
  EXPECT_EQ(difference_words(settings, free), "Guide one head 0.3 → 0");
}

/// What a click would not do, the button says why.
TEST(TrainingPage, ButtonsThatDoNothingSayWhy) {
  const auto why = [](const TrainingScene& s, const std::string& command) {
    const draw::Mark mark = control(page(s).canvas, "why not " + command);
    EXPECT_EQ(mark.part, mark.name.empty() ? draw::Part::none : draw::Part::note);
    EXPECT_TRUE(mark.set.empty());
    return mark.note;
  };
  TrainingScene s(TrainingCase{});
  EXPECT_NE(why(s, "training step").find("pause the run first"), std::string::npos);
  EXPECT_NE(why(s, "training rewind").find("latest step"), std::string::npos);
  EXPECT_NE(why(s, "training open").find("pause the run first"), std::string::npos);
  s.snapshot->state = TrainingState::finished;
  EXPECT_NE(why(s, "training step").find("finished"), std::string::npos);
  EXPECT_NE(why(relations(), "training use weights").find("no model"), std::string::npos);
  s.scene.training.shown_step = 120;
  EXPECT_EQ(why(s, "training rewind"), "");
  EXPECT_TRUE(offered(s).count("training rewind"));
  s.snapshot->runs[0].film[6].whole = false;
  EXPECT_NE(why(s, "training rewind").find("comes from a file"), std::string::npos);
  EXPECT_FALSE(offered(s).count("training rewind"));
  EXPECT_TRUE(says(page(s, 1900, 1000).canvas, "steps kept in the file"));
  // Each button is there once: to be pressed, or with its reason.
  for (const TrainingScene& each : scenes()) {
    const Page drawn = page(each);
    for (const std::string& command : commands) {
      EXPECT_FALSE(!control(drawn.canvas, command).name.empty() &&
                   !control(drawn.canvas, "why not " + command).name.empty() && command != "training start")
          << command;
    }
  }
}

TEST(TrainingPage, WhatWentWrongIsSaid) {
  const TrainingScene s = failed();
  EXPECT_TRUE(says(page(s).canvas, "without positions: layer0_w_q is NaN after step 300; step 299 is kept"));
}

TEST(TrainingPage, TwoRunsStandSideBySideOrOneBelowTheOtherWhereThereIsRoom) {
  TrainingScene s(TrainingCase{});
  const auto maps_of_runs = [&](float w, float h) {
    int count = 0;
    for (const draw::Mark& mark : page(s, w, h).canvas.marks)
      count += mark.name.rfind("training map ", 0) == 0;
    return count;
  };
  EXPECT_EQ(maps_of_runs(1340, 640), 1);
  EXPECT_EQ(maps_of_runs(1340, 850), 2);
  EXPECT_EQ(maps_of_runs(1800, 1000), 2);
  EXPECT_EQ(control(page(s).canvas, "run 2").set, "training_run=2");
  EXPECT_EQ(control(page(s).canvas, "film run 2").set, "training_run=2");
  // A run with fewer heads shows the last that it has.
  s.snapshot->runs[1].config.heads = 1;
  s.scene.training.run = 2, s.scene.training.head = 4;
  EXPECT_TRUE(says(page(s).canvas, "Layer 1, head 1 now"));
}

TEST(TrainingPage, ExamplesAndTheSentence) {
  TrainingScene s(TrainingCase{});
  s.scene.training.example = 3;
  const Page drawn = page(s);
  EXPECT_EQ(control(drawn.canvas, "example before").set, "training_example=2");
  EXPECT_EQ(control(drawn.canvas, "example after").set, "training_example=4");
  EXPECT_EQ(control(drawn.canvas, "example sentence").set, "training_example=-1");
  EXPECT_TRUE(says(drawn.canvas, "example 4"));
  EXPECT_TRUE(control(page(relations()).canvas, "example sentence").name.empty());
}

TEST(TrainingPage, BeforeAnythingIsTrainedItSaysWhatWillBeLearned) {
  const char* expected[] = {
      "Can one head learn two relations at once?", "How are letters reversed?",
      "Which letter followed the first time?",     "sleep or sleeps?",
      "It was too tired: which of the two nouns?", "Predict the next piece of your own text"};
  for (int task = 0; task < 6; ++task) {
    TrainingScene s;
    s.scene.training.task = static_cast<TrainingTask>(task);
    const Page drawn = page(s);
    EXPECT_TRUE(says(drawn.canvas, expected[task])) << task;
    EXPECT_TRUE(says(drawn.canvas, "drawn by hand, not learned"));
    EXPECT_EQ(training_words(s.input()), "no run has been trained yet");
  }
}

TEST(TrainingPage, WordsSayHowFarItIs) {
  TrainingScene s(TrainingCase{});
  const auto& run = s.snapshot->runs[0];
  char words[64];
  std::snprintf(words, sizeof words, "loss %.4f", static_cast<double>(run.loss.back().value));
  EXPECT_NE(training_words(s.input()).find("step 480 / 1,000"), std::string::npos);
  EXPECT_NE(training_words(s.input()).find(words), std::string::npos) << training_words(s.input());
  EXPECT_EQ(left_words(0), "");
  EXPECT_EQ(left_words(2.13), "2.1 s left");
  EXPECT_EQ(left_words(61), "61 s left");
  EXPECT_EQ(left_words(600), "10 min left");
  EXPECT_EQ(left_words(7500), "2 h 5 min left");
  EXPECT_EQ(file_name("/home/me/verse.txt"), "verse.txt");
  EXPECT_EQ(file_name("verse.txt"), "verse.txt");
}

TEST(TrainingPage, EveryMarkAnswersThePointer) {
  for (TrainingScene s : scenes()) {
    for (const draw::Mark& mark : page(s).canvas.marks) {
      s.hovering = true;
      s.hover = {};
      s.hover.mark = mark;
      s.hover.at = mark.area.centre();
      training_page(*std::make_unique<draw::RecordCanvas>(), {0, 0, 1340, 850}, s.input());
      training_words(s.input());
      EXPECT_FALSE(training_tooltip(s.input(), s.hover).empty()) << mark.name;
    }
  }
}

TEST(TrainingPage, SaysWhichStepIsKeptAnyway) {
  TrainingScene s{TrainingCase{}};
  const std::string without = control(page(s).canvas, "training save").note;
  s.snapshot->kept_step = 1200;
  EXPECT_EQ(control(page(s).canvas, "training save").note,
            without + "\nstep 1,200 is also saved automatically");
}

TEST(TrainingPage, AsRecorded) {
  TrainingCase c;
  c.T = 6, c.frames = 5, c.step = 120, c.layers = 1, c.heads = 2;
  test::expect_recorded("training_running.txt", page(TrainingScene(c)).canvas);
}

TEST(TrainingPage, AsRecordedBeforeAnythingIsTrained) {
  TrainingScene s;
  s.scene.theme = scene::ThemeName::light;
  test::expect_recorded("training_empty_small.txt", page(s, 640, 360).canvas);
}

}  // namespace
}  // namespace headlight::views::training_page_test
