// What the cards of the Training page say: the names of runs, printed numbers, findings, the large map and
// its answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "page_checks.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"
#include "training_fixture.h"

namespace headlight::views::test::training_cards_test {
namespace {

TEST(TrainingCards, ARunIsCalledWhatTellsItFromTheOthersAndTheOutcomeIsASentence) {
  TrainingCase two;
  two.state = scene::TrainingState::finished;
  TrainingScene s(two);
  auto& runs = s.snapshot->runs;
  runs[0].name = "2 layers, 4 heads, sinusoidal positions, 27,200 parameters";
  runs[1].name =
      "2 layers, 4 heads, RoPE, pairs (j, j + d_k/2), output head initialized as with sinusoids, 27,200 "
      "parameters";
  runs[0].score.back().value = 1, runs[1].score.back().value = 0.125f;
  draw::RecordCanvas canvas;
  const PageInput in = s.input();
  const TrainingView view(canvas, in);
  EXPECT_EQ(run_name(view, runs[0]), "sinusoidal positions");
  EXPECT_EQ(run_name(view, runs[1]), "RoPE, pairs (j, j + d_k/2)");
  EXPECT_EQ(run_name(view, runs[0], 1), "sinusoidal");
  EXPECT_EQ(run_name(view, runs[1], 1), "RoPE");
  EXPECT_EQ(
      outcome_words(view),
      "With sinusoidal positions 100 % of held-out sequences are right; with RoPE, pairs (j, j + d_k/2) "
      "12.5 %");
  s.snapshot->settings.compare = scene::TrainingCompare::no_residuals;
  runs[1].name = "2 layers, 4 heads, sinusoidal positions, no residuals, 27,200 parameters";
  EXPECT_EQ(run_name(view, runs[0]), "with residuals");
  EXPECT_EQ(run_name(view, runs[1]), "no residuals");
  const auto kept = runs;
  runs.push_back(runs[0]);
  runs[0].name = "1 head", runs[1].name = "repaired, 1 head", runs[2].name = "repaired, 2 heads";
  EXPECT_EQ(run_name(view, runs[1], 1), "repaired, 1") << "as narrow as it is, it is not the name of two";
  EXPECT_EQ(run_name(view, runs[2], 1), "repaired, 2");
  runs = kept;
  runs.pop_back();
  EXPECT_EQ(run_name(view, runs[0]), runs[0].name);
  EXPECT_EQ(run_name(view, runs[0], 1), "2 layers");
  s.snapshot->state = scene::TrainingState::running;
  EXPECT_EQ(outcome_words(view), "");
}

TEST(TrainingCards, PrintedNumbersStandBesideOurs) {
  const Page drawn = page(relations());
  for (const char* words : {"0.3505", "0.3512", "+0.0007", "0.3196", "0.3201", "+0.0005", "0.2034", "0.0004",
                            "printed 0.3505", "printed 0.3196", "The printed toy cannot reach 0"})
    EXPECT_TRUE(says(drawn.canvas, words)) << words;
  // A row whose words are cut says them in full.
  const TrainingScene s = relations();
  for (const scene::TrainingVerdict& v : s.snapshot->verdicts) {
    const draw::Mark mark = control(drawn.canvas, "loss of " + v.what);
    EXPECT_EQ(mark.note.rfind(v.what, 0), 0u) << mark.note;
    EXPECT_GT(mark.area.w, 100);
  }
}

/// What the rows share is said once above them, and the printed losses are those of their runs.
TEST(TrainingCards, PrintedLossesAreThoseOfTheirRuns) {
  TrainingScene s = relations();
  auto& runs = s.snapshot->runs;
  const std::array<const char*, 4> names = {"1 head", "2 heads", "1 head, repaired", "2 heads, repaired"};
  for (std::size_t r = 0; r < names.size(); ++r) runs[r].name = names[r];
  s.snapshot->verdicts = {
      {"1 head, last batch of 400 steps, mean of 8 seeds", 0.3505, 0.3483, true},
      {"2 heads, last batch of 400 steps, mean of 8 seeds", 0.3196, 0.3184, true},
      {"2 heads, repaired none, held out: position 0.1 + content 0.2", 0, 0.3124, false},
      {"2 heads, repaired places+contents, held out: position 0 + content 0", 0, 0.001, false}};
  const Page drawn = page(s);
  for (const char* words :
       {"last batch of 400 steps, mean of 8 seeds", "held-out loss of 2 heads, repaired:", "none",
        "position codes + contents", "printed", "1 head 0.3505", "2 heads 0.3196", "−0.0022"})
    EXPECT_TRUE(says(drawn.canvas, words)) << words;
  EXPECT_FALSE(says(drawn.canvas, "printed 0.3505"));
  draw::RecordCanvas canvas;
  const PageInput in = s.input();
  const TrainingView view(canvas, in);
  EXPECT_EQ(run_name(view, runs[2], 1), "1 head, repaired");
  EXPECT_EQ(run_name(view, runs[3], 1), "2 heads, repaired");
  runs[2].name = "1 head, repaired places+contents", runs[3].name = "2 heads, repaired places+contents";
  EXPECT_EQ(run_name(view, runs[3]), "2 heads, repaired places+contents");
  EXPECT_EQ(run_name(view, runs[3], 1), "2 heads, repaired");
  EXPECT_EQ(training_finding(in, "printed"),
            "Last batch, 1 head and 2 heads: the source prints 0.3505 and 0.3196; computed here: 0.3483 and "
            "0.3184");
}

TEST(TrainingCards, EveryCardHasItsOwnFinding) {
  const TrainingScene s = relations();
  const PageInput in = s.input();
  std::set<std::string> found;
  for (const char* card : {"printed", "map", "film", "loss"}) {
    const std::string words = training_finding(in, card);
    EXPECT_NE(words, "") << card;
    EXPECT_TRUE(found.insert(words).second) << words;
  }
}

TEST(TrainingCards, KeptStepsAnswerAClick) {
  TrainingScene s(TrainingCase{});
  const Page drawn = page(s);
  float right = 0;
  for (const scene::FilmFrame& frame : s.snapshot->runs[0].film) {
    const draw::Mark mark = control(drawn.canvas, "curves at " + std::to_string(frame.step));
    EXPECT_TRUE(mark.scrubs) << frame.step;
    const bool newest = frame.step == 480;
    EXPECT_EQ(mark.set, "training_shown_step=" + std::to_string(newest ? -1 : frame.step));
    EXPECT_LE(mark.from, static_cast<float>(frame.step));
    EXPECT_GE(mark.to, static_cast<float>(frame.step));
    if (right > 0) {
      EXPECT_NEAR(mark.area.x, right, 0.6f);  // no gap between them
    }
    right = mark.area.right();
  }
  hover(s, control(drawn.canvas, "curves at 120").area.centre());
  const std::string words = training_tooltip(s.input(), s.hover);
  EXPECT_NE(words.find("step 120\n"), std::string::npos) << words;
  for (const scene::RunSnapshot& run : s.snapshot->runs) EXPECT_NE(words.find(run.name), std::string::npos);
  const auto& point = s.snapshot->runs[0].validation[6];
  ASSERT_EQ(point.step, 120);
  char number[32];
  std::snprintf(number, sizeof number, "held-out %.4f", static_cast<double>(point.value));
  EXPECT_NE(words.find(number), std::string::npos) << words;
  EXPECT_TRUE(says(page(s).canvas, "nearest to step 120"));
  EXPECT_NE(training_words(s.input()).find("step 120"), std::string::npos);
}

/// One statement: what the head was at the step shown, and what it became by the latest.
TEST(TrainingCards, TheTitleOfTheMapAndItsWordsAreAboutOneStepOrNameBoth) {
  TrainingScene s(TrainingCase{});
  s.scene.training.layer = 2, s.scene.training.shown_step = 120;
  for (const bool role : {true, false}) {
    s.scene.training.head = role ? 4 : 1;
    if (!role) s.change().runs[0].labels[4].role.clear();
    const Page drawn = page(s);
    EXPECT_TRUE(says(drawn.canvas, "at step 120"));
    EXPECT_TRUE(says(drawn.canvas, role ? " by step 480" : "no simple role by step 480"));
    EXPECT_FALSE(says(drawn.canvas, "latest step"));
  }
  s.scene.training.shown_step = -1;
  EXPECT_FALSE(says(page(s).canvas, "by step"));
  EXPECT_TRUE(says(page(s).canvas, "head 1 now"));
  // The run has gone on since the newest step was kept, whose map and roles are shown.
  s.change().runs[0].step = 500;
  EXPECT_TRUE(says(page(s).canvas, "head 1 at step 480"));
  EXPECT_FALSE(says(page(s).canvas, "by step"));
  s.change().step = 500;
  for (scene::RunSnapshot& run : s.change().runs) run.step = 500;
  EXPECT_TRUE(says(page(s).canvas, "training: step 500, held-out: step 480"));
  const Page flagged = page(s);
  EXPECT_TRUE(std::any_of(flagged.canvas.texts.begin(), flagged.canvas.texts.end(), [](const auto& text) {
    return text.words == "step 480";
  })) << "the flag of the step on show";
  EXPECT_FALSE(says(page(s).canvas, "now 480"));
  s.scene.training.shown_step = 120;
  EXPECT_TRUE(says(page(s).canvas, "roles: at step 480"));
}

/// "Repaired" is explained where it stands: at the run's name, above the list of losses, at the settings.
TEST(TrainingCards, WhatRepairedMeansIsTold) {
  TrainingScene s = relations();
  s.change().runs[2].name = "1 head, repaired", s.change().runs[3].name = "2 heads, repaired";
  s.change().verdicts.push_back({"2 heads, repaired places, held out: position codes", 0, 0.1, false});
  s.change().message.clear(), s.change().settings.task = scene::TrainingTask::two_relations;
  const auto note = [&](const std::string& name) {
    const Page drawn = page(s);
    for (const draw::Mark& mark : drawn.canvas.marks)
      if (mark.name == name) return mark.note;
    return std::string();
  };
  for (const char* name : {"run 3", "run 4", "film run 4", "what repaired means"}) {
    const std::string reported = note(name);
    EXPECT_NE(reported.find("repaired: the source’s model"), std::string::npos) << name << ": " << reported;
    EXPECT_EQ(reported.find("a code of its own for each position") == std::string::npos,
              name == std::string("what repaired means"))
        << name << ": the rows of the list have one change, several or none";
  }
  EXPECT_EQ(note("run 1").find("repaired"), std::string::npos);
  s.change().settings.repair_places = false;
  EXPECT_EQ(note("run 3").find("a code of its own"), std::string::npos) << "of the run's repairs alone";
}

TEST(TrainingCards, TheLargeMapIsTheChosenHeadAtTheStepShown) {
  TrainingScene s(TrainingCase{});
  s.scene.training.layer = 2, s.scene.training.head = 3, s.scene.training.shown_step = 120;
  s.scene.training.run = 2;
  const auto& frame = s.snapshot->runs[1].film[6];
  ASSERT_EQ(frame.step, 120);
  const float* plane = frame.maps->plane(1 * 4 + 2);
  const Page drawn = page(s);
  draw::RecordCanvas::Map large;
  for (const auto& map : drawn.canvas.maps) {
    if (map.map.rows == 12 && map.box.w * map.box.h > large.box.w * large.box.h) large = map;
  }
  EXPECT_EQ(large.map.values, plane);
  EXPECT_EQ(large.map.lo, 0);
  EXPECT_EQ(large.map.hi, 1);
  EXPECT_TRUE(says(drawn.canvas, "Layer 2, head 3 at step 120"));
  hover(s, {large.box.x + large.box.w * 2.5f / 12, large.box.y + large.box.h * 4.5f / 12});
  char number[32];
  std::snprintf(number, sizeof number, ": %.2f", static_cast<double>(frame.maps->at(6, 4, 2)));
  const std::string pair = "“" + s.snapshot->example[4] + "” 4 → “" + s.snapshot->example[2] + "” 2";
  EXPECT_NE(training_tooltip(s.input(), s.hover).find(pair + number), std::string::npos)
      << training_tooltip(s.input(), s.hover);
  EXPECT_EQ(training_words(s.input()), "layer 2, head 3 at step 120: " + pair + number);
}

TEST(TrainingCards, WhatComesLaterIsMasked) {
  TrainingScene s = english(4, 8, false);
  const Page drawn = page(s);
  const auto& map = drawn.canvas.maps;
  const auto large = std::max_element(map.begin(), map.end(), [](const auto& a, const auto& b) {
    return a.box.w * a.box.h < b.box.w * b.box.h;
  });
  ASSERT_EQ(large->map.rows, 8);
  hover(s, {large->box.x + large->box.w * 6.5f / 8, large->box.y + large->box.h * 2.5f / 8});
  EXPECT_NE(training_tooltip(s.input(), s.hover).find("masked"), std::string::npos);
}

TEST(TrainingCards, RightAndWrongAreCountedAndNamed) {
  TrainingScene s(TrainingCase{});
  int judged = 0, right = 0;
  for (std::size_t t = 0; t < s.snapshot->wanted.size(); ++t) {
    if (s.snapshot->wanted[t].empty()) continue;
    ++judged;
    const int id = s.snapshot->runs[0].predicted[t];
    right += s.snapshot->vocabulary[static_cast<std::size_t>(id)] == s.snapshot->wanted[t] ? 1 : 0;
  }
  ASSERT_GT(right, 0);
  ASSERT_LT(right, judged);
  EXPECT_TRUE(says(page(s).canvas, std::to_string(right) + " of " + std::to_string(judged) + " right"));
  // Without the texts of a vocabulary nothing is judged.
  s.snapshot->vocabulary.clear();
  EXPECT_FALSE(says(page(s).canvas, "right"));
  EXPECT_TRUE(says(page(s).canvas, "#"));
}

}  // namespace
}  // namespace headlight::views::test::training_cards_test
