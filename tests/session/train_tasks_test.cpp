// One run for each task: looking at another task loses nothing, one of them is trained at a time, and what
// was trained before comes back, from memory or from the files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "io/files.h"
#include "pages/training/training.h"
#include "quick_training.h"
#include "session/session.h"
#include "session/train_job.h"
#include "session/training_commands.h"
#include "support/scratch_folder.h"

namespace headlight::app::train_tasks_test {
namespace {

using scene::TrainingState;
using scene::TrainingTask;
using testing::HasSubstr;
using tests::soon;
using namespace std::chrono_literals;

scene::TrainingSettings quick(TrainingTask task, int steps = 20) {
  return tests::quick_training(task, steps);
}

std::shared_ptr<const scene::TrainingSnapshot> shown(TrainJob& job, TrainingTask task) {
  job.select(task);
  job.wait();
  return job.latest();
}

TEST(TrainTasks, EveryTaskHasARunOfItsOwn) {
  TrainJob job([] {}, {}, 1);
  job.start(quick(TrainingTask::reverse));
  job.wait();
  const float loss = job.latest()->runs.front().validation.back().value;
  EXPECT_EQ(shown(job, TrainingTask::two_relations), nullptr);  // and nothing of the other
  job.start(quick(TrainingTask::two_relations));
  job.wait();
  EXPECT_EQ(job.latest()->settings.task, TrainingTask::two_relations);
  EXPECT_EQ(job.latest()->runs.size(), 4u);
  const auto back = shown(job, TrainingTask::reverse);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->settings, quick(TrainingTask::reverse));
  EXPECT_EQ(back->state, TrainingState::finished);
  EXPECT_EQ(back->step, 20);
  EXPECT_EQ(back->runs.front().validation.back().value, loss);
}

/// A picture of a task that was shown before does not wait for its run to be trained anew.
TEST(TrainTasks, APictureOfATaskThatWasShownBeforeIsOfTheRunThatIsThere) {
  scene::Scene reversal, relations;
  reversal.page = relations.page = scene::Page::training;
  reversal.training = quick(TrainingTask::reverse), relations.training = quick(TrainingTask::two_relations);
  Session session({.scene = reversal, .autosave = {}, .threads = 1});
  session.update(0);
  session.wait();
  session.training().rewind(0);
  session.training().wait();
  for (const scene::Scene& next : {relations, reversal}) {
    session.restore(next, 0);
    session.update(0);
    session.wait();
    ASSERT_TRUE(session.training().latest());
    EXPECT_EQ(session.training().latest()->settings.task, next.training.task);
  }
  EXPECT_EQ(session.training().latest()->step, 0) << "it was trained again";
}

/// −1: nothing that can be gone on with.
int step_in(const std::filesystem::path& path) {
  scene::TrainingSettings settings;
  base::Parallel parallel(1);
  const auto run = scene::continue_training(path.string(), settings, parallel);
  return run ? (*run)->step() : -1;
}

TEST(TrainTasks, AFinishedRunThatIsRewoundStaysAsAFile) {
  const tests::ScratchFolder folder;
  TrainJob job([] {}, folder / "training.safetensors", 1);
  job.start(quick(TrainingTask::reverse));
  job.wait();
  ASSERT_EQ(job.latest()->state, TrainingState::finished);
  const auto& film = job.latest()->runs.front().film;
  ASSERT_GT(film.size(), 2u);
  const int early = film[1].step, between = film[film.size() - 2].step;
  job.rewind(between);
  job.wait();
  EXPECT_EQ(job.latest()->step, between);
  const std::filesystem::path aside = folder / "training-reverse-before.safetensors";
  EXPECT_THAT(job.latest()->message, HasSubstr("kept: Open, " + aside.string()));
  EXPECT_EQ(step_in(aside), 20);
  job.rewind(early);  // of a run that is not finished
  job.wait();
  EXPECT_EQ(job.latest()->step, early);
  EXPECT_EQ(job.latest()->message.find("kept"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "training-reverse-before-2.safetensors"));
}

TEST(TrainTasks, ARunGoesOnWhileAnotherTaskIsLookedAtUntilThatIsTrained) {
  TrainJob job([] {}, {}, 1);
  job.start(quick(TrainingTask::reverse, 100000));
  ASSERT_TRUE(soon([&] { return job.latest() && job.latest()->step > 3; }));
  job.select(TrainingTask::induction);
  ASSERT_TRUE(soon([&] { return job.latest() && job.latest()->elsewhere; }));
  const auto first = job.latest();
  EXPECT_TRUE(first->runs.empty());
  EXPECT_EQ(first->state, TrainingState::idle);  // nothing to be paused or resumed here
  EXPECT_EQ(first->elsewhere->task, TrainingTask::reverse);
  ASSERT_TRUE(soon([&] { return job.latest()->elsewhere->step > first->elsewhere->step; }));
  const int reached = job.latest()->elsewhere->step;
  job.start(quick(TrainingTask::induction, 10));
  job.wait();
  EXPECT_EQ(job.latest()->state, TrainingState::finished);
  EXPECT_FALSE(job.latest()->elsewhere);
  const auto back = shown(job, TrainingTask::reverse);
  EXPECT_EQ(back->state, TrainingState::paused);
  EXPECT_GE(back->step, reached);
}

TEST(TrainTasks, AFinishedRunIsInItsFileAtOnceAndComesBackWithItsFilm) {
  const tests::ScratchFolder folder;
  for (const TrainingTask task : {TrainingTask::reverse, TrainingTask::two_relations}) {
    SCOPED_TRACE(scene::word(task));
    const auto kept = folder / (std::string(scene::word(task)) + ".safetensors");
    TrainJob job([] {}, kept, 1);  // lives on: nothing is written because it ends
    job.start(quick(task));
    job.wait();
    const auto before = job.latest();
    EXPECT_EQ(before->kept_step, 20);
    TrainJob next([] {}, kept, 1);
    EXPECT_EQ(shown(next, TrainingTask::english), nullptr);
    const auto after = shown(next, task);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->settings, before->settings);
    EXPECT_EQ(after->state, TrainingState::finished);
    ASSERT_EQ(after->runs.size(), before->runs.size());
    for (std::size_t r = 0; r < after->runs.size(); ++r) {
      const scene::RunSnapshot &a = after->runs[r], &b = before->runs[r];
      ASSERT_EQ(a.film.size(), b.film.size());
      for (std::size_t f = 0; f < a.film.size(); ++f) {
        EXPECT_EQ(a.film[f].step, b.film[f].step);
        const auto x = a.film[f].maps->values(), y = b.film[f].maps->values();
        EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end())) << f;
      }
      ASSERT_EQ(a.validation.size(), b.validation.size());
      for (std::size_t i = 0; i < a.validation.size(); ++i)
        EXPECT_EQ(a.validation[i].value, b.validation[i].value);
      ASSERT_EQ(a.loss.size(), b.loss.size());
      EXPECT_EQ(a.loss.back().low, b.loss.back().low);
    }
  }
}

/// With other settings another run takes the place of one: that one stays, as a file that opens.
TEST(TrainTasks, TheRunBeforeIsKeptBeside) {
  const tests::ScratchFolder folder;
  const auto kept = folder / "training.safetensors", beside = folder / "training-reverse-before.safetensors";
  TrainJob job([] {}, kept, 1);
  job.start(quick(TrainingTask::reverse));
  job.start(quick(TrainingTask::reverse));  // the same once more
  job.wait();
  EXPECT_FALSE(std::filesystem::exists(beside));
  scene::TrainingSettings other = quick(TrainingTask::reverse, 12);
  other.rate = 1e-3;
  job.start(other);
  job.wait();
  EXPECT_THAT(job.latest()->message, HasSubstr(beside.string()));
  EXPECT_EQ(job.latest()->step, 12);
  job.open(beside);
  job.wait();
  EXPECT_EQ(job.latest()->settings, quick(TrainingTask::reverse));
  EXPECT_EQ(job.latest()->step, 20);
  const auto opened = job.take_opened();
  ASSERT_TRUE(opened);
  EXPECT_EQ(*opened, quick(TrainingTask::reverse));
  EXPECT_FALSE(job.take_opened());
  // The run that made room for it is a file, too, and so is the one after that.
  EXPECT_EQ(step_in(folder / "training-reverse-before-2.safetensors"), 12);
  other.steps = 11;
  job.start(other);
  job.wait();
  EXPECT_EQ(step_in(folder / "training-reverse-before-3.safetensors"), 20);
  EXPECT_EQ(step_in(beside), 20);
  EXPECT_EQ(step_in(folder / "training-reverse.safetensors"), 11);
}

/// Such as a run whose text was moved: it may be read again one day.
TEST(TrainTasks, AFileThatCannotBeReadIsNotWrittenOver) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(io::write_file(folder / "training-reverse.safetensors", "precious"));
  TrainJob job([] {}, folder / "training.safetensors", 1);
  job.start(quick(TrainingTask::reverse));
  job.wait();
  EXPECT_EQ(job.latest()->step, 20);
  EXPECT_EQ(*io::read_file(folder / "training-reverse-before.safetensors"), "precious");
  EXPECT_EQ(step_in(folder / "training-reverse.safetensors"), 20);
}

TEST(TrainTasks, TheOneRunOfEarlierVersionsIsTakenOver) {
  const tests::ScratchFolder folder;
  const auto kept = folder / "training.safetensors";
  {
    TrainJob job([] {}, kept, 1);
    job.start(quick(TrainingTask::induction));
    job.wait();
  }
  std::filesystem::rename(folder / "training-induction.safetensors", kept);
  TrainJob next([] {}, kept, 1);
  const auto there = shown(next, TrainingTask::induction);
  ASSERT_TRUE(there);
  EXPECT_EQ(there->step, 20);
  EXPECT_FALSE(std::filesystem::exists(kept));
}

TEST(TrainTasks, ARunOfLastTimeBringsItsSettings) {
  const tests::ScratchFolder folder;
  const auto kept = folder / "training.safetensors";
  {
    TrainJob job([] {}, kept, 1);
    job.start(quick(TrainingTask::induction));
    job.wait();
  }
  scene::Scene scene;
  scene.page = scene::Page::training;
  scene.training = quick(TrainingTask::reverse);
  Session session({.scene = scene, .training = kept});
  session.update(0);
  scene.training.task = TrainingTask::induction;
  session.change(scene, "", 1);
  session.update(1);
  session.training().wait();
  session.update(2);
  EXPECT_EQ(session.scene().training, quick(TrainingTask::induction));
}

/// Also where the program was started anew, and the run of last time was never looked at.
TEST(TrainTasks, TheRunOfLastTimeIsKeptBesideToo) {
  const tests::ScratchFolder folder;
  const auto kept = folder / "training.safetensors";
  {
    TrainJob job([] {}, kept, 1);
    job.start(quick(TrainingTask::reverse));
    job.wait();
  }
  TrainJob next([] {}, kept, 1);
  next.start(quick(TrainingTask::reverse, 10));
  next.wait();
  scene::TrainingSettings settings;
  base::Parallel parallel(1);
  const auto before =
      scene::continue_training((folder / "training-reverse-before.safetensors").string(), settings, parallel);
  ASSERT_TRUE(before) << before.error();
  EXPECT_EQ((*before)->step(), 20);
}

TEST(TrainTasks, ThePageIsAboutTheRunThatIsOpened) {
  const tests::ScratchFolder folder;
  const auto path = folder / "a.safetensors";
  {
    TrainJob job([] {}, {}, 1);
    job.start(quick(TrainingTask::induction));
    job.save(path);
    job.wait();
  }
  scene::Scene scene;
  scene.page = scene::Page::training;
  scene.training = quick(TrainingTask::reverse);
  Session session({.scene = scene});
  session.update(0);
  session.training().open(path);
  session.training().wait();
  session.update(1);
  EXPECT_EQ(session.scene().training, quick(TrainingTask::induction));
  session.training().wait();
  ASSERT_TRUE(session.training().latest());
  EXPECT_EQ(session.training().latest()->settings.task, TrainingTask::induction);
  session.undo(2);
  session.update(2);
  session.training().wait();
  EXPECT_EQ(session.training().latest(), nullptr);  // nothing was trained of this one
}

/// What a run was made with is what stands in the settings when one comes back to it.
TEST(TrainTasks, ComingBackBringsTheSettingsOfTheRun) {
  scene::Scene scene;
  scene.page = scene::Page::training;
  scene.training = quick(TrainingTask::reverse);
  Session session({.scene = scene});
  ASSERT_TRUE(training_command(session, "training start", 0));
  session.training().wait();
  const auto choose = [&](TrainingTask task, double now) {
    scene::Scene next = session.scene();
    next.training.task = task;
    session.change(next, "", now);
    session.update(now);
    session.training().wait();
  };
  choose(TrainingTask::induction, 1);
  scene::TrainingSettings suggested;
  suggested.task = TrainingTask::induction;
  suggest(suggested);
  EXPECT_EQ(session.scene().training, suggested);
  EXPECT_EQ(session.training().latest(), nullptr);
  choose(TrainingTask::reverse, 2);
  EXPECT_EQ(session.scene().training, quick(TrainingTask::reverse));
  ASSERT_TRUE(session.training().latest());
  EXPECT_EQ(session.training().latest()->step, 20);
}

/// Pronouns have a run and suggestions of their own: one head guided, and beside it the same without a guide.
TEST(TrainTasks, PronounsAreTrainedWithAGuideAndWithout) {
  const tests::ScratchFolder folder;
  TrainJob job([] {}, folder / "training.safetensors", 1);
  scene::TrainingSettings settings = quick(TrainingTask::pronouns);
  settings.guide = 0.3, settings.compare = scene::TrainingCompare::no_guide;
  job.start(settings);
  job.wait();
  ASSERT_TRUE(job.latest());
  ASSERT_EQ(job.latest()->runs.size(), 2u);
  EXPECT_THAT(job.latest()->runs[0].name, HasSubstr("one head guided"));
  EXPECT_EQ(job.latest()->score_name, "right noun");
  EXPECT_EQ(job.latest()->baselines.at(0).name, "either noun");
  EXPECT_THAT(job.latest()->note, HasSubstr("no training sentence has"));
  EXPECT_EQ(step_in(folder / "training-pronouns.safetensors"), 20);
}

TEST(TrainTasks, AFolderThatCannotBeWrittenIsSaidAndTheRunIsThere) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(io::write_file(folder / "file", "no folder"));
  {
    TrainJob job([] {}, folder / "file" / "training.safetensors", 1);
    job.start(quick(TrainingTask::reverse));
    job.wait();
    EXPECT_THAT(job.latest()->message, HasSubstr("could not be saved"));
    EXPECT_EQ(job.latest()->step, 20);
    EXPECT_EQ(job.latest()->kept_step, -1);
    // It does not make room for another one until that is said twice.
    job.start(quick(TrainingTask::reverse, 7));
    job.wait();
    EXPECT_EQ(job.latest()->step, 20);
    EXPECT_THAT(job.latest()->message, HasSubstr("save it elsewhere, or repeat the action"));
    std::filesystem::remove(folder / "file");
  }
  EXPECT_EQ(step_in(folder / "file" / "training-reverse.safetensors"), 20) << "tried again at the end";
}

/// A file that no run can have written is said in one line and stays as it is; other tasks are untouched, and
/// a new run of the task puts it aside.
TEST(TrainTasks, ABadFileIsSaidAndKeptAndOtherRunsAreUntouched) {
  const tests::ScratchFolder folder;
  const auto kept = folder / "training.safetensors", reverse = folder / "training-reverse.safetensors";
  {
    TrainJob job([] {}, kept, 1);
    for (const TrainingTask task : {TrainingTask::induction, TrainingTask::reverse}) {
      job.start(quick(task));
      job.wait();
    }
  }
  std::string bad = *io::read_file(reverse);
  const std::string induction = *io::read_file(folder / "training-induction.safetensors");
  // Both of the run's own words for its first step, in the curves, as a number that is none of its steps.
  const std::size_t curve = bad.find("\\\"validation\\\":[[[0,");
  ASSERT_NE(curve, std::string::npos);
  bad[bad.find("[[[0,", curve) + 3] = '9';
  for (const std::string& bytes : {bad, induction, std::string("no file of tensors"), std::string()}) {
    ASSERT_TRUE(io::write_file(reverse, bytes));
    {
      TrainJob job([] {}, kept, 1);
      const auto snapshot = shown(job, TrainingTask::reverse);
      ASSERT_TRUE(snapshot);
      EXPECT_TRUE(snapshot->runs.empty());
      EXPECT_THAT(snapshot->message, HasSubstr("training-reverse.safetensors"));
      EXPECT_EQ(snapshot->settings.task, TrainingTask::reverse);
      const auto other = shown(job, TrainingTask::induction);
      ASSERT_TRUE(other);
      EXPECT_EQ(other->step, 20);
    }
    EXPECT_EQ(*io::read_file(reverse), bytes);
    EXPECT_EQ(*io::read_file(folder / "training-induction.safetensors"), induction);
  }
  ASSERT_TRUE(io::write_file(reverse, bad));
  {
    TrainJob job([] {}, kept, 1);
    (void)shown(job, TrainingTask::reverse);
    job.start(quick(TrainingTask::reverse));
    job.wait();
  }
  EXPECT_EQ(step_in(reverse), 20);
  EXPECT_EQ(*io::read_file(folder / "training-reverse-before.safetensors"), bad);
}

}  // namespace
}  // namespace headlight::app::train_tasks_test
