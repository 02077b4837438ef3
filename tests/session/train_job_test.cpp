// Training in the background: commands are answered, pictures come, nothing is lost when the program ends.
#include "session/train_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "io/files.h"
#include "io/safetensors.h"
#include "pages/training/training.h"
#include "quick_training.h"
#include "session/training_commands.h"
#include "support/sanitized.h"
#include "support/scratch_folder.h"

namespace headlight::app::train_job_test {
namespace {

using scene::TrainingState;
using testing::HasSubstr;
using tests::soon;
using namespace std::chrono_literals;

scene::TrainingSettings quick(int steps = 30) {
  return tests::quick_training(scene::TrainingTask::reverse, steps);
}

TEST(TrainJob, RunsToTheEndAndTellsOnTheWay) {
  std::atomic<int> calls{0};
  TrainJob job([&] { ++calls; }, {}, 2);
  EXPECT_EQ(job.latest(), nullptr);
  job.start(quick());
  job.wait();
  const auto end = job.latest();
  ASSERT_TRUE(end);
  EXPECT_EQ(end->state, TrainingState::finished);
  EXPECT_EQ(end->step, 30);
  EXPECT_GE(calls.load(), 2);
  EXPECT_EQ(end->runs.front().film.back().step, 30);
}

TEST(TrainJob, PausesStepsResumesAndRewinds) {
  TrainJob job([] {}, {}, 1);
  job.start(quick(100000));
  ASSERT_TRUE(soon([&] { return job.latest() && job.latest()->step > 3; }));
  job.pause();
  job.wait();
  const int at = job.latest()->step;
  EXPECT_EQ(job.latest()->state, TrainingState::paused);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(job.latest()->step, at);  // it stands still
  job.step();
  job.wait();
  EXPECT_EQ(job.latest()->step, at + 1);
  job.resume();
  ASSERT_TRUE(soon([&] { return job.latest()->step > at + 5; }));
  job.rewind(0);
  job.wait();
  EXPECT_EQ(job.latest()->step, 0);
  EXPECT_EQ(job.latest()->state, TrainingState::paused);
  EXPECT_EQ(job.latest()->message, "back at step 0");
  job.step();
  job.wait();
  EXPECT_EQ(job.latest()->message, "") << "it has moved on";
}

TEST(TrainJob, StartingAgainIsTheSameRun) {
  TrainJob job([] {}, {}, 2);
  job.start(quick());
  job.wait();
  const auto first = job.latest();
  job.start(quick());
  job.wait();
  const auto second = job.latest();
  ASSERT_EQ(first->runs.front().loss.size(), second->runs.front().loss.size());
  for (std::size_t i = 0; i < first->runs.front().loss.size(); ++i) {
    EXPECT_EQ(first->runs.front().loss[i].value, second->runs.front().loss[i].value);
  }
}

TEST(TrainJob, WhatWasTrainedIsThereAtTheNextStart) {
  const tests::ScratchFolder folder;
  const std::filesystem::path kept = folder / "training.safetensors";
  int reached = 0;
  {
    TrainJob job([] {}, kept, 1);
    job.select(scene::TrainingTask::reverse);  // nothing there yet
    job.wait();
    EXPECT_EQ(job.latest(), nullptr);
    job.start(quick(100000));
    ASSERT_TRUE(soon([&] { return job.latest() && job.latest()->step > 3; }));
    job.pause();
    job.wait();
    reached = job.latest()->step;
  }
  TrainJob next([] {}, kept, 1);
  next.select(scene::TrainingTask::reverse);
  next.wait();
  ASSERT_TRUE(next.latest());
  EXPECT_EQ(next.latest()->step, reached);
  EXPECT_EQ(next.latest()->state, TrainingState::paused);
  next.step();
  next.wait();
  EXPECT_EQ(next.latest()->step, reached + 1);
  EXPECT_EQ(next.latest()->kept_step, reached + 1);  // saved again as soon as it stands still
}

TEST(TrainJob, SavesAndOpensAndSaysWhenItCannot) {
  const tests::ScratchFolder folder;
  TrainJob job([] {}, {}, 1);
  job.save(folder / "a.safetensors");
  job.wait();
  EXPECT_THAT(job.latest()->message, HasSubstr("no run has been trained"));
  job.start(quick());
  job.save(folder / "new folder" / "a.safetensors");
  job.wait();
  EXPECT_THAT(job.latest()->message, HasSubstr("saved as"));
  job.save("/dev/full");
  job.wait();
  EXPECT_THAT(job.latest()->message, HasSubstr("/dev/full"));
  job.open(folder / "none.safetensors");
  job.wait();
  EXPECT_THAT(job.latest()->message, HasSubstr("none.safetensors"));
  EXPECT_EQ(job.latest()->step, 30);  // what was there is still there
  job.open(folder / "new folder" / "a.safetensors");
  job.wait();
  EXPECT_EQ(job.latest()->message, "");
  EXPECT_FALSE(job.latest()->runs.empty());
}

TEST(TrainJob, EndsWhileItTrains) {
  TrainJob job([] {}, {}, 2);
  job.start(quick(100000));
  ASSERT_TRUE(soon([&] { return job.latest() && job.latest()->step > 0; }));
}

/// Every task by the page's buttons: trained to its end, gone back, and on again to the same end.
TEST(TrainingCommands, EveryTaskIsTrainedAndGoneBack) {
  const tests::ScratchFolder folder;
  ::unsetenv("XDG_STATE_HOME");
  std::string text;
  for (int i = 0; i < 400; ++i) text += "the cat sat on the mat and the dog ran . ";
  ASSERT_TRUE(io::write_file(folder / "own.txt", text));
  for (const scene::TrainingTask task :
       {scene::TrainingTask::two_relations, scene::TrainingTask::reverse, scene::TrainingTask::induction,
        scene::TrainingTask::english, scene::TrainingTask::pronouns, scene::TrainingTask::text}) {
    if (tests::sanitized && (task == scene::TrainingTask::two_relations ||
                             task == scene::TrainingTask::induction || task == scene::TrainingTask::english))
      continue;
    SCOPED_TRACE(scene::word(task));
    scene::Scene scene;
    scene.page = scene::Page::training;
    scene.training = quick(12);
    scene.training.task = task, scene.training.length = 8, scene.training.vocabulary = 64;
    scene.training.file = (folder / "own.txt").string();
    Session session({.scene = scene});
    ASSERT_TRUE(training_command(session, "training start", 0));
    session.training().wait();
    const auto end = session.training().latest();
    ASSERT_TRUE(end);
    ASSERT_EQ(end->message, "");
    ASSERT_EQ(end->state, TrainingState::finished);
    const float loss = end->runs.front().validation.back().value;
    scene::Scene back = session.scene();
    back.training.shown_step = end->runs.front().film[1].step;
    session.change(back, "", 1);
    session.update(1);
    ASSERT_TRUE(training_command(session, "training rewind", 1));
    session.training().wait();
    EXPECT_EQ(session.training().latest()->step, back.training.shown_step);
    ASSERT_TRUE(training_command(session, "training step", 1));
    session.training().wait();
    EXPECT_EQ(session.training().latest()->step, back.training.shown_step + 1);
    ASSERT_TRUE(training_command(session, "training resume", 1));
    session.training().wait();
    EXPECT_EQ(session.training().latest()->step, 12);
    EXPECT_EQ(session.training().latest()->runs.front().validation.back().value, loss);
  }
}

/// Save asks for a place, with a name of its own in the folder of runs; nothing is written before. Open
/// begins where the last run was saved.
TEST(TrainingCommands, SaveAsksWhereAndOpenBeginsThere) {
  const tests::ScratchFolder folder;
  ::setenv("XDG_STATE_HOME", folder.path().c_str(), 1);
  scene::Scene scene;
  scene.page = scene::Page::training;
  scene.training = quick();
  Session session({.scene = scene});
  std::vector<FileQuestion> requested;
  session.ask_for_file = [&](const FileQuestion& question) { requested.push_back(question); };
  ASSERT_TRUE(training_command(session, "training start", 0));
  session.training().wait();
  ASSERT_TRUE(training_command(session, "training save", 1));
  session.training().wait();
  ASSERT_EQ(requested.size(), 1u);
  EXPECT_EQ(requested[0].begin_with, runs_folder() / "reverse-seed7-step30.safetensors");
  EXPECT_TRUE(std::filesystem::is_directory(runs_folder()));
  EXPECT_FALSE(std::filesystem::exists(requested[0].begin_with));
  ASSERT_TRUE(training_command(session, "training open", 1));
  ASSERT_EQ(requested.size(), 2u);
  EXPECT_EQ(requested[1].begin_with, runs_folder() / "");
  const std::filesystem::path place = folder / "mine" / "a.safetensors";
  std::filesystem::create_directory(place.parent_path());
  requested[0].save(place);
  session.training().wait();
  EXPECT_TRUE(std::filesystem::exists(place));
  ASSERT_TRUE(training_command(session, "training open", 2));
  EXPECT_EQ(requested[2].begin_with, place.parent_path() / "");
  ::unsetenv("XDG_STATE_HOME");
}

/// L, and Find: the kept step beside the lowest held-out loss.
TEST(TrainingCommands, TheBestStepIsShown) {
  scene::Scene scene;
  scene.page = scene::Page::training;
  scene.training = quick(100);
  scene.training.rate = 0.1;  // it often gets worse again; where exactly depends on the rounding
  {
    Session session({.scene = scene});
    ASSERT_TRUE(training_command(session, "training best step", 0));
    EXPECT_THAT(session.message(), HasSubstr("no held-out loss"));
  }
  int before_the_end = 0;
  for (scene.training.seed = 1; scene.training.seed <= 12 && before_the_end < 2; ++scene.training.seed) {
    Session session({.scene = scene});
    ASSERT_TRUE(training_command(session, "training start", 0));
    session.training().wait();
    const auto end = session.training().latest();
    const scene::RunSnapshot& run = end->runs.front();
    const scene::CurvePoint* lowest = scene::lowest_point(run.validation);
    ASSERT_TRUE(lowest);
    if (lowest == &run.validation.back()) continue;
    ++before_the_end;
    ASSERT_TRUE(training_command(session, "training best step", 1));
    EXPECT_EQ(session.scene().training.shown_step, lowest->step);
  }
  EXPECT_EQ(before_the_end, 2);
}

/// A changed learning rate: at the next step of a run that goes on, by Resume of a paused one, and as a new
/// run that leaves the one before in a file.
TEST(TrainingCommands, AChangedRateIsTakenOver) {
  const tests::ScratchFolder folder;
  scene::Scene scene;
  scene.page = scene::Page::training;
  scene.training = quick(100000);
  Session session({.scene = scene, .training = folder / "training.safetensors"});
  const auto with_rate = [&](double rate) {
    scene::Scene next = session.scene();
    next.training.rate = rate;
    session.change(next, "", 1);
    session.update(1);
  };
  const auto latest = [&] { return session.training().latest(); };
  ASSERT_TRUE(training_command(session, "training start", 0));
  ASSERT_TRUE(soon([&] { return latest() && latest()->step > 3; }));
  with_rate(0.01);
  ASSERT_TRUE(soon([&] { return latest()->settings.rate == 0.01; }));
  ASSERT_TRUE(training_command(session, "training pause", 1));
  session.training().wait();
  ASSERT_EQ(latest()->changes.size(), 1u);
  EXPECT_FALSE(latest()->changes.front().forked);
  with_rate(0.02);
  EXPECT_EQ(latest()->settings.rate, 0.01) << "paused, the run stands";
  ASSERT_TRUE(training_command(session, "training step", 1));
  session.training().wait();
  EXPECT_EQ(latest()->settings.rate, 0.02);
  const int at = latest()->step;
  with_rate(0.005);
  ASSERT_TRUE(training_command(session, "training fork", 1));
  ASSERT_TRUE(soon([&] { return latest()->step > at; }));
  ASSERT_TRUE(training_command(session, "training pause", 1));
  session.training().wait();
  ASSERT_FALSE(latest()->changes.empty());
  EXPECT_TRUE(latest()->changes.back().forked);
  EXPECT_EQ(latest()->changes.back().step, at);
  EXPECT_THAT(latest()->message, HasSubstr("the previous run is kept"));
  TrainJob other([] {}, {}, 1);
  other.open(folder / "training-reverse-before.safetensors");
  other.wait();
  ASSERT_TRUE(other.latest());
  EXPECT_EQ(other.latest()->step, at);
  EXPECT_EQ(other.latest()->settings.rate, 0.02);
  // A setting of the network is not taken over.
  scene::Scene next = session.scene();
  next.training.heads = 1;
  session.change(next, "", 2);
  ASSERT_TRUE(training_command(session, "training fork", 2));
  session.training().wait();
  EXPECT_THAT(latest()->message, HasSubstr("Heads changes the network"));
  EXPECT_EQ(latest()->settings.heads, 2);
}

/// The Training page by its buttons, and its model on the other pages.
TEST(TrainingCommands, TrainAndUseTheWeights) {
  const tests::ScratchFolder folder;
  ::setenv("XDG_STATE_HOME", folder.path().c_str(), 1);
  scene::Scene scene;
  scene.page = scene::Page::training;
  scene.training = quick();
  scene.sentence = "f e d c b a";
  Session session({.scene = scene});
  EXPECT_FALSE(training_command(session, "no such button", 0));
  ASSERT_TRUE(training_command(session, "training start", 0));
  session.training().wait();
  session.update(1);
  ASSERT_TRUE(training_command(session, "training save", 1));
  session.training().wait();
  session.update(1);
  EXPECT_THAT(session.message(), HasSubstr("saved as"));
  ASSERT_TRUE(training_command(session, "training use weights", 1));
  session.training().wait();
  session.update(2);
  session.wait();
  EXPECT_EQ(session.scene().page, scene::Page::attention);
  EXPECT_EQ(session.scene().weights, scene::WeightsSource::trained);
  EXPECT_EQ(session.scene().d_model, 16);
  EXPECT_EQ(session.scene().heads, 2);
  EXPECT_TRUE(session.results().model);
  EXPECT_EQ(session.results().weights_problem, "");
  EXPECT_EQ(session.results().tokens.size(), 6u);
  // One step of undo takes it back.
  session.undo(3);
  session.update(3);
  EXPECT_EQ(session.scene().weights, scene::WeightsSource::random);
  EXPECT_FALSE(session.results().model);
  // Of an earlier step where one is shown.
  scene = session.scene();
  scene.page = scene::Page::training, scene.training.shown_step = 0;
  session.change(scene, "", 4);
  ASSERT_TRUE(training_command(session, "training use weights", 4));
  session.training().wait();
  session.update(5);
  session.wait();
  ASSERT_TRUE(session.results().model);
  EXPECT_EQ(session.results().model->steps, 0);
  EXPECT_THAT(session.scene().weights_file, HasSubstr("-step0"));
  ::unsetenv("XDG_STATE_HOME");
}

}  // namespace
}  // namespace headlight::app::train_job_test
