// A run of the Training page: reproducible, rewound, kept in a file and continued, and honest about what went
// wrong.
#include "learn/training_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numeric>

#include "io/files.h"
#include "pages/training/curve.h"
#include "pages/training/relations_words.h"
#include "pages/training/training.h"
#include "support/scratch_folder.h"

namespace headlight::scene::training_run_test {
namespace {

using testing::HasSubstr;

TrainingSettings quick(TrainingTask task) {
  TrainingSettings s;
  s.task = task;
  s.d_model = 16, s.heads = 2, s.layers = 1, s.length = 8, s.steps = 24, s.batch = 4;
  s.compare = TrainingCompare::nothing;
  return s;
}

std::unique_ptr<TrainingRun> started(const TrainingSettings& settings, base::Parallel& parallel) {
  auto run = start_training(settings, parallel);
  EXPECT_TRUE(run) << (run ? "" : run.error());
  return run ? std::move(*run) : nullptr;
}

TrainingSnapshot picture(const TrainingRun& run) {
  TrainingSnapshot snapshot;
  run.fill(snapshot);
  return snapshot;
}

std::string bytes_of(const TrainingRun& run, bool to_continue = true) {
  const auto file = run.file(0, to_continue);
  EXPECT_TRUE(file) << (file ? "" : file.error());
  return file ? *file : "";
}

class EveryTask : public testing::TestWithParam<TrainingTask> {};

TEST_P(EveryTask, RunsToItsEndAndShowsWhatItDid) {
  base::Parallel parallel(2);
  const TrainingSettings settings = quick(GetParam());
  auto run = started(settings, parallel);
  ASSERT_TRUE(run);
  while (run->advance(parallel)) {
  }
  EXPECT_EQ(run->step(), settings.steps);
  const TrainingSnapshot shown = picture(*run);
  ASSERT_EQ(shown.runs.size(), 1u);
  const RunSnapshot& r = shown.runs.front();
  EXPECT_EQ(r.step, settings.steps);
  EXPECT_EQ(r.loss.size(), static_cast<std::size_t>(settings.steps));
  ASSERT_EQ(r.film.front().step, 0);
  EXPECT_EQ(r.film.back().step, settings.steps);
  EXPECT_EQ(r.validation.size(), r.film.size());
  EXPECT_EQ(r.labels.size(), static_cast<std::size_t>(settings.layers * settings.heads));
  EXPECT_EQ(r.predicted.size(), shown.example.size());
  for (const FilmFrame& frame : r.film) {
    ASSERT_EQ(frame.maps->depth(), settings.layers * settings.heads);
    for (int plane = 0; plane < frame.maps->depth(); ++plane) {
      for (int t = 0; t < frame.maps->rows(); ++t) {
        const auto row = frame.maps->row(plane, t);
        EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-5);
      }
    }
  }
  for (const CurvePoint& p : r.validation) {
    EXPECT_LE(p.low, p.value);
    EXPECT_GE(p.high, p.value);
  }
}

TEST(ShownFrame, IsTheNearestKeptStepOrTheNewest) {
  std::vector<FilmFrame> film(3);
  EXPECT_EQ(shown_frame({}, 5), -1);
  film[0].step = 0, film[1].step = 100, film[2].step = 200;
  for (const auto& [step, frame] : {std::pair{-1, 2}, {0, 0}, {49, 0}, {51, 1}, {150, 1}, {190, 2}, {999, 2}})
    EXPECT_EQ(shown_frame(film, step), frame) << step;
}

/// The model of a kept step is the one that it was then, however far the run has gone since.
TEST(TrainingRun, AModelOfAnEarlierStepIsTheOneOfThatStep) {
  base::Parallel parallel(2);
  const TrainingSettings settings = quick(TrainingTask::reverse);
  auto run = started(settings, parallel);
  ASSERT_TRUE(run);
  std::vector<std::pair<int, std::string>> then;
  for (bool more = true; more; more = run->advance(parallel)) {
    if (picture(*run).runs.front().film.back().step == run->step())
      then.emplace_back(run->step(), bytes_of(*run, false));
  }
  ASSERT_GT(then.size(), 3u);
  for (const auto& [step, bytes] : then) {
    const auto now = run->file(0, false, {}, StoredWeights::float32, step);
    ASSERT_TRUE(now) << now.error();
    EXPECT_TRUE(*now == bytes) << step;
  }
  // What lies between two is the nearer one, as in the film.
  const int near = then[1].first + (then[2].first - then[1].first) / 2 + 1;
  ASSERT_LT(near, then[2].first + 1);
  EXPECT_TRUE(*run->file(0, false, {}, StoredWeights::float32, near) == then[2].second);
  EXPECT_FALSE(then[0].second == then[1].second);
}

/// Saved in the middle and continued: the same file at the end, byte for byte, as without a stop.
TEST_P(EveryTask, ASavedRunContinuesAsIfItHadNeverStopped) {
  base::Parallel parallel(2);
  const TrainingSettings settings = quick(GetParam());
  auto whole = started(settings, parallel), half = started(settings, parallel);
  ASSERT_TRUE(whole && half);
  while (whole->advance(parallel)) {
  }
  for (int i = 0; i < 11; ++i) ASSERT_TRUE(half->advance(parallel));
  const tests::ScratchFolder folder;
  const std::string path = (folder / "run.safetensors").string();
  ASSERT_TRUE(io::write_file(path, bytes_of(*half)));
  TrainingSettings read;
  auto rest = continue_training(path, read, parallel);
  ASSERT_TRUE(rest) << rest.error();
  EXPECT_EQ(read, settings);
  EXPECT_EQ((*rest)->step(), 11);
  while ((*rest)->advance(parallel)) {
  }
  const auto a = io::read_safetensors(bytes_of(*whole), "a"), b = io::read_safetensors(bytes_of(**rest), "b");
  ASSERT_TRUE(a && b);
  ASSERT_EQ(a->tensors.size(), b->tensors.size());
  for (const auto& [name, tensor] : a->tensors) EXPECT_EQ(tensor.values, b->tensors.at(name).values) << name;
}

TEST_P(EveryTask, RewoundItComesToTheSameEnd) {
  base::Parallel parallel(2);
  auto run = started(quick(GetParam()), parallel);
  ASSERT_TRUE(run);
  while (run->advance(parallel)) {
  }
  const std::string end = bytes_of(*run);
  const int back = picture(*run).runs.front().film[3].step;
  run->rewind(back, parallel);
  EXPECT_EQ(run->step(), back);
  const TrainingSnapshot shown = picture(*run);
  EXPECT_EQ(shown.runs.front().film.back().step, back);
  EXPECT_LE(shown.runs.front().loss.back().step, back);
  EXPECT_LE(shown.runs.front().validation.back().step, back);
  while (run->advance(parallel)) {
  }
  EXPECT_EQ(bytes_of(*run), end);
}

INSTANTIATE_TEST_SUITE_P(All, EveryTask,
                         testing::Values(TrainingTask::reverse, TrainingTask::induction,
                                         TrainingTask::english, TrainingTask::pronouns));

/// The toy has four models of eight seeds: all of them go on where they were, and back to where they had
/// been.
TEST(TrainingRun, TwoRelationsContinueAndAreGoneBackFromAFile) {
  base::Parallel parallel(2);
  TrainingSettings settings = quick(TrainingTask::two_relations);
  settings.steps = 60;
  auto whole = started(settings, parallel), half = started(settings, parallel);
  for (int i = 0; i < 31; ++i) ASSERT_TRUE(half->advance(parallel));
  while (whole->advance(parallel)) {
  }
  const tests::ScratchFolder folder;
  const std::string path = (folder / "run.safetensors").string();
  ASSERT_TRUE(io::write_file(path, bytes_of(*half)));
  TrainingSettings read;
  auto rest = continue_training(path, read, parallel);
  ASSERT_TRUE(rest) << rest.error();
  EXPECT_EQ(read, settings);
  EXPECT_EQ((*rest)->step(), 31);
  EXPECT_EQ(bytes_of(**rest), bytes_of(*half));
  while ((*rest)->advance(parallel)) {
  }
  EXPECT_EQ(bytes_of(**rest), bytes_of(*whole));
  rest = continue_training(path, read, parallel);
  (*rest)->rewind(10, parallel);
  whole->rewind(10, parallel);
  EXPECT_EQ(bytes_of(**rest), bytes_of(*whole));
  // A file of another length.
  auto file = io::read_safetensors(bytes_of(*half), "a");
  ASSERT_TRUE(file);
  std::vector<io::TensorView<float>> tensors;
  for (const auto& [name, tensor] : file->tensors) {
    const std::size_t n = tensor.values.size() - (name == "2 heads, losses" ? 1 : 0);
    tensors.push_back({name, {n}, {tensor.values.data(), n}, {}});
  }
  ASSERT_TRUE(io::write_file(path, io::write_safetensors(tensors, file->metadata)));
  rest = continue_training(path, read, parallel);
  ASSERT_FALSE(rest);
  EXPECT_THAT(rest.error(), HasSubstr("2 heads, losses"));
}

/// A large model: its file stays small, its film keeps the first step and steps from all over the run, and of
/// those the first and the newest can be gone back to.
TEST(TrainingRun, TheFilmInAFileIsThinnedToItsSize) {
  base::Parallel parallel(2);
  TrainingSettings settings = quick(TrainingTask::reverse);
  settings.d_model = 128, settings.layers = 2, settings.steps = 40, settings.batch = 1;
  auto run = started(settings, parallel);
  while (run->advance(parallel)) {
  }
  const std::string bytes = bytes_of(*run);
  const double newest = 3 * 4.0 * static_cast<double>(nn::parameters(picture(*run).runs.front().config));
  EXPECT_LT(static_cast<double>(bytes.size()), newest * 4 / 3 + 8e6);
  const tests::ScratchFolder folder;
  const std::string path = (folder / "run.safetensors").string();
  ASSERT_TRUE(io::write_file(path, bytes));
  TrainingSettings read;
  auto again = continue_training(path, read, parallel);
  ASSERT_TRUE(again) << again.error();
  (*again)->look({0, 3, -1, ""}, parallel);  // another example than the one that was looked at
  run->look({0, 3, -1, ""}, parallel);
  const auto before = picture(*run).runs.front().film, after = picture(**again).runs.front().film;
  ASSERT_GE(after.size(), 4u);
  ASSERT_LT(after.size(), before.size());
  EXPECT_EQ(after.front().step, 0);
  EXPECT_EQ(after.back().step, 40);
  EXPECT_GT(after[after.size() / 2].step, 10);
  EXPECT_LT(after[after.size() / 2].step, 30);
  for (const FilmFrame& frame : after) {
    EXPECT_EQ(frame.whole, frame.step == 0 || frame.step == 40);
    const auto same = std::find_if(before.begin(), before.end(),
                                   [&](const FilmFrame& other) { return other.step == frame.step; });
    ASSERT_NE(same, before.end());
    EXPECT_TRUE(std::equal(frame.maps->values().begin(), frame.maps->values().end(),
                           same->maps->values().begin(), same->maps->values().end()))
        << frame.step;
  }
  (*again)->rewind(after[2].step, parallel);
  EXPECT_EQ((*again)->step(), 0);
  while ((*again)->advance(parallel)) {
  }
  EXPECT_EQ(bytes_of(**again), bytes);  // the same run once more
}

TEST(TrainingRun, TwoModelsSideBySide) {
  base::Parallel parallel(1);
  TrainingSettings settings = quick(TrainingTask::reverse);
  settings.compare = TrainingCompare::no_positions;
  auto run = started(settings, parallel);
  ASSERT_TRUE(run->advance(parallel));
  TrainingSnapshot shown = picture(*run);
  ASSERT_EQ(shown.runs.size(), 2u);
  EXPECT_EQ(shown.runs[1].config.positions, nn::ModelPositions::none);
  EXPECT_THAT(shown.runs[1].name, HasSubstr("without positions"));
  // The control differs in the positions alone: the same head, as many parameters, and both counts are said.
  nn::ModelConfig with = shown.runs[0].config;
  with.positions = nn::ModelPositions::none;
  EXPECT_EQ(with, shown.runs[1].config);
  EXPECT_EQ(nn::parameters(shown.runs[0].config), nn::parameters(shown.runs[1].config));
  for (const RunSnapshot& one : shown.runs) EXPECT_THAT(one.name, HasSubstr(" parameters"));
  settings.compare = TrainingCompare::one_head;
  run = started(settings, parallel);
  shown = picture(*run);
  ASSERT_EQ(shown.runs.size(), 2u);
  EXPECT_EQ(shown.runs[1].config.heads, 1);
}

/// The number of models is known before any of them is made.
TEST(TrainingRun, HasAsManyModelsAsItsSettingsSay) {
  base::Parallel parallel(1);
  for (const TrainingTask task :
       {TrainingTask::two_relations, TrainingTask::reverse, TrainingTask::pronouns}) {
    for (std::size_t compare = 0; compare < std::size(Words<TrainingCompare>::list); ++compare) {
      for (const bool plain : {false, true}) {
        TrainingSettings settings = quick(task);
        settings.compare = static_cast<TrainingCompare>(compare);
        if (plain) {
          settings.heads = 1, settings.positions = TrainingPositions::none, settings.residual = false;
          settings.repair_places = settings.repair_bias = settings.repair_contents = false;
          settings.repair_width = false;
        } else {
          settings.dropout = 0.1, settings.guide = 0.5;
        }
        repair(settings);
        EXPECT_EQ(picture(*started(settings, parallel)).runs.size(),
                  static_cast<std::size_t>(training_runs(settings)))
            << Words<TrainingTask>::list[static_cast<std::size_t>(task)] << ", "
            << Words<TrainingCompare>::list[compare] << (plain ? ", plain" : "");
      }
    }
  }
}

/// A run that was saved when the control was another model is gone on with as it was.
TEST(TrainingRun, AnOldControlGoesOnAsItWas) {
  base::Parallel parallel(1);
  TrainingSettings settings = quick(TrainingTask::reverse);
  settings.compare = TrainingCompare::no_positions;
  auto run = started(settings, parallel);
  ASSERT_TRUE(run->advance(parallel));
  auto file = io::read_safetensors(bytes_of(*run), "a");
  ASSERT_TRUE(file);
  std::vector<io::TensorView<float>> tensors;
  for (const auto& [name, tensor] : file->tensors) {
    if (name.rfind("run2.", 0) == 0 && name.find("w_head") != std::string::npos) continue;
    tensors.push_back({name, tensor.shape, tensor.values, {}});
  }
  const tests::ScratchFolder folder;
  const std::string path = (folder / "old.safetensors").string();
  ASSERT_TRUE(io::write_file(path, io::write_safetensors(tensors, file->metadata)));
  TrainingSettings read;
  auto old = continue_training(path, read, parallel);
  ASSERT_TRUE(old) << old.error();
  const TrainingSnapshot shown = picture(**old);
  EXPECT_TRUE(shown.runs[1].config.tied);
  EXPECT_FALSE(shown.runs[0].config.tied);
  EXPECT_LT(nn::parameters(shown.runs[1].config), nn::parameters(shown.runs[0].config));
  EXPECT_TRUE((*old)->advance(parallel));
}

TEST(TrainingRun, EveryRepairOfTheTwoRelationsIsMeasured) {
  base::Parallel parallel(2);
  TrainingSettings settings = quick(TrainingTask::two_relations);
  settings.steps = 1200, settings.rate = 5e-3, settings.batch = 32;
  auto run = started(settings, parallel);
  while (run->advance(parallel)) {
  }
  const TrainingSnapshot shown = picture(*run);
  const auto of = [&](const std::string& name) {
    for (const TrainingVerdict& v : shown.verdicts) {
      if (v.what.rfind("2 heads, repaired " + name + ",", 0) == 0) return v.ours;
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_NEAR(of("none"), 0.312, 0.006);
  EXPECT_NEAR(of("width"), of("none"), 0.01);
  EXPECT_NEAR(of("bias"), 0.252, 0.006);
  EXPECT_NEAR(of("places"), 0.126, 0.006);
  EXPECT_NEAR(of("places+bias"), 0.126, 0.006);
  EXPECT_NEAR(of("bias+contents"), 0.125, 0.006);
  EXPECT_LT(of("places+contents"), 0.003);
  EXPECT_LT(of("all"), 0.003);
}

/// The two repaired models have the repairs that are chosen, and the run goes on from a file with them.
TEST(TrainingRun, TheRepairsOfTheTwoRelationsAreChosen) {
  base::Parallel parallel(2);
  TrainingSettings settings = quick(TrainingTask::two_relations);
  settings.steps = 400, settings.rate = 5e-3, settings.batch = 32;
  settings.repair_bias = settings.repair_width = false;
  EXPECT_EQ(repairs_words(settings), "repaired: position codes, contents");
  auto run = started(settings, parallel);
  while (run->advance(parallel)) {
  }
  TrainingSnapshot shown = picture(*run);
  ASSERT_EQ(shown.runs.size(), 4u);
  EXPECT_EQ(shown.runs[2].name, "1 head, repaired places+contents");
  EXPECT_EQ(shown.runs[3].name, "2 heads, repaired places+contents");
  EXPECT_EQ(shown.runs[3].config.d_model, 4);  // the width is not repaired
  EXPECT_LT(shown.runs[3].validation.back().value, 0.01f);
  EXPECT_GT(shown.runs[2].validation.back().value, 0.15f);
  // What each field's help says alone, after 400 steps.
  const auto of = [&](const std::string& name) {
    for (const TrainingVerdict& v : shown.verdicts) {
      if (v.what.rfind("2 heads, repaired " + name + ",", 0) == 0) return v.ours;
    }
    return -1.0;
  };
  EXPECT_NEAR(of("none"), 0.313, 0.004);
  EXPECT_NEAR(of("places"), 0.126, 0.004);
  EXPECT_NEAR(of("bias"), 0.252, 0.004);
  EXPECT_NEAR(of("contents"), 0.244, 0.004);
  EXPECT_NEAR(of("width"), 0.311, 0.004);
  EXPECT_NEAR(of("places+contents"), 0.003, 0.002);
  EXPECT_LT(of("all"), 0.003);

  // A choice that no entry of the list has is listed as well; no choice shows the toy of the source alone.
  settings.steps = 20;
  settings.repair_contents = false, settings.repair_bias = settings.repair_width = true;
  EXPECT_EQ(repairs_words(settings), "repaired: position codes, query bias, width");
  run = started(settings, parallel);
  shown = picture(*run);
  EXPECT_GE(of("places+bias+width"), 0);
  EXPECT_EQ(shown.runs[3].config.d_model, 8);
  for (int i = 0; i < 9; ++i) ASSERT_TRUE(run->advance(parallel));
  const tests::ScratchFolder folder;
  const std::string path = (folder / "chosen.safetensors").string();
  ASSERT_TRUE(io::write_file(path, bytes_of(*run)));
  TrainingSettings read;
  auto again = continue_training(path, read, parallel);
  ASSERT_TRUE(again) << again.error();
  EXPECT_TRUE(same_run(read, settings));
  while (run->advance(parallel)) {
  }
  while ((*again)->advance(parallel)) {
  }
  EXPECT_EQ(picture(**again).runs[3].validation.back().value, picture(*run).runs[3].validation.back().value);

  settings.repair_places = settings.repair_bias = settings.repair_width = false;
  EXPECT_EQ(repairs_words(settings), "no repairs");
  run = started(settings, parallel);
  shown = picture(*run);
  EXPECT_EQ(shown.runs.size(), 2u);
  EXPECT_GE(of("all"), 0);
  EXPECT_FALSE(training_applies(quick(TrainingTask::reverse), "training_repair_bias"));
  EXPECT_TRUE(training_applies(settings, "training_repair_bias"));
}

/// A file from before the repairs were listed has four models: they go on, without the list.
TEST(TrainingRun, AnOldFileOfTheTwoRelationsGoesOn) {
  base::Parallel parallel(1);
  TrainingSettings settings = quick(TrainingTask::two_relations);
  settings.steps = 30;
  auto run = started(settings, parallel);
  for (int i = 0; i < 9; ++i) ASSERT_TRUE(run->advance(parallel));
  auto file = io::read_safetensors(bytes_of(*run), "a");
  ASSERT_TRUE(file);
  std::vector<io::TensorView<float>> tensors;
  for (const auto& [name, tensor] : file->tensors) {
    if (name == "steps" || name.find("head") != std::string::npos)
      tensors.push_back({name, tensor.shape, tensor.values, {}});
  }
  EXPECT_EQ(tensors.size(), 1u + 4 * 3);
  const tests::ScratchFolder folder;
  const std::string path = (folder / "old.safetensors").string();
  ASSERT_TRUE(io::write_file(path, io::write_safetensors(tensors, file->metadata)));
  TrainingSettings read;
  auto old = continue_training(path, read, parallel);
  ASSERT_TRUE(old) << old.error();
  while ((*old)->advance(parallel)) {
  }
  EXPECT_EQ(picture(**old).runs.size(), 4u);
  EXPECT_EQ((*old)->step(), 30);
}

/// The guide is in the run, beside it a run without one, and in the file of its model; the same run comes
/// back.
TEST(TrainingRun, AGuidedHeadIsNamedWhereverItIsShown) {
  base::Parallel parallel(2);
  TrainingSettings settings = quick(TrainingTask::pronouns);
  settings.layers = 2, settings.guide = 0.3, settings.compare = TrainingCompare::no_guide;
  auto run = started(settings, parallel);
  while (run->advance(parallel)) {
  }
  const TrainingSnapshot shown = picture(*run);
  ASSERT_EQ(shown.runs.size(), 2u);
  EXPECT_THAT(shown.runs[0].name, HasSubstr("one head guided"));
  EXPECT_THAT(shown.runs[1].name, Not(HasSubstr("guided")));
  EXPECT_NE(shown.runs[0].validation.back().value, shown.runs[1].validation.back().value);
  for (const RunSnapshot& r : shown.runs) {
    for (const HeadLabel& label : r.labels)
      EXPECT_EQ(label.guided, &r == &shown.runs[0] && label.layer == 1 && label.head == 0);
  }
  const auto guide_of = [&](int which) {
    const auto bytes = run->file(which, false);
    const auto file = io::read_safetensors(*bytes, "m");
    const auto model = read_model(*file, "m");
    EXPECT_TRUE(model) << model.error();
    return model->guide;
  };
  EXPECT_EQ(guide_of(0), (nn::Guide{1, 0, 0.3}));
  EXPECT_EQ(guide_of(1).weight, 0);

  const tests::ScratchFolder folder;
  auto half = started(settings, parallel);
  for (int i = 0; i < 11; ++i) ASSERT_TRUE(half->advance(parallel));
  ASSERT_TRUE(io::write_file(folder / "half.safetensors", bytes_of(*half)));
  TrainingSettings read;
  auto rest = continue_training((folder / "half.safetensors").string(), read, parallel);
  ASSERT_TRUE(rest) << rest.error();
  EXPECT_EQ(read, settings);
  while ((*rest)->advance(parallel)) {
  }
  EXPECT_EQ(picture(**rest).runs[0].validation.back().value, shown.runs[0].validation.back().value);
}

/// Where no head has a goal there is nothing to guide, and nothing to compare with.
TEST(TrainingRun, OnlyPronounsHaveAGuide) {
  base::Parallel parallel(1);
  TrainingSettings settings = quick(TrainingTask::reverse);
  settings.guide = 0.3, settings.compare = TrainingCompare::no_guide;
  repair(settings);
  EXPECT_EQ(settings.compare, TrainingCompare::nothing);
  auto run = started(settings, parallel);
  ASSERT_TRUE(run->advance(parallel));
  const TrainingSnapshot shown = picture(*run);
  ASSERT_EQ(shown.runs.size(), 1u);
  for (const HeadLabel& label : shown.runs[0].labels) EXPECT_FALSE(label.guided);
  TrainingSettings pronouns;
  pronouns.task = TrainingTask::pronouns;
  suggest(pronouns);
  EXPECT_EQ(pronouns.guide, 0.3);
  EXPECT_EQ(pronouns.compare, TrainingCompare::no_guide);
  repair(pronouns);
  EXPECT_EQ(pronouns.compare, TrainingCompare::no_guide);
  pronouns.task = TrainingTask::english;
  suggest(pronouns);
  EXPECT_EQ(pronouns.guide, 0);
}

TEST(TrainingRun, AnotherExampleIsShownForEveryKeptStep) {
  base::Parallel parallel(1);
  auto run = started(quick(TrainingTask::reverse), parallel);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(run->advance(parallel));
  const TrainingSnapshot first = picture(*run);
  run->look({0, 1, -1, ""}, parallel);
  const TrainingSnapshot second = picture(*run);
  EXPECT_NE(first.example, second.example);
  run->look({0, -1, -1, "h g f e d c b a"}, parallel);
  const TrainingSnapshot typed = picture(*run);
  EXPECT_THAT(typed.example, testing::ElementsAre("h", "g", "f", "e", "d", "c", "b", "a"));
  EXPECT_EQ(typed.runs.front().film.front().maps->rows(), 8);
}

TEST(TrainingRun, TheLikeliestTokensAreThoseOfTheStepShown) {
  base::Parallel parallel(2);
  TrainingSettings settings = quick(TrainingTask::reverse);
  settings.steps = 300, settings.batch = 16;
  auto run = started(settings, parallel);
  run->look({0, 0, 0, ""}, parallel);
  const std::vector<int> untrained = picture(*run).runs.front().predicted;
  while (run->advance(parallel)) {
  }
  run->look({0, 0, -1, ""}, parallel);
  EXPECT_NE(picture(*run).runs.front().predicted, untrained);
  run->look({0, 0, 0, ""}, parallel);
  EXPECT_EQ(picture(*run).runs.front().predicted, untrained);
}

TEST(TrainingRun, TheModelAloneIsASmallerFileThatOpens) {
  base::Parallel parallel(1);
  auto run = started(quick(TrainingTask::english), parallel);
  const std::string alone = bytes_of(*run, false);
  EXPECT_LT(3 * alone.size(), bytes_of(*run).size());
  const auto file = io::read_safetensors(alone, "m");
  ASSERT_TRUE(file) << file.error();
  const auto model = read_model(*file, "m");
  ASSERT_TRUE(model) << model.error();
  EXPECT_EQ(model->task, "english");
}

TEST(TrainingRun, TwoRelationsShowAllFourWithBands) {
  base::Parallel parallel(2);
  TrainingSettings settings;
  settings.task = TrainingTask::two_relations, settings.steps = 400, settings.rate = 5e-3;
  auto run = started(settings, parallel);
  while (run->advance(parallel)) {
  }
  const TrainingSnapshot shown = picture(*run);
  ASSERT_EQ(shown.runs.size(), 4u);
  EXPECT_FALSE(shown.note.empty());
  for (const RunSnapshot& r : shown.runs) {
    EXPECT_LT(r.validation.back().value, r.validation.front().value);
    EXPECT_LT(r.validation.back().low, r.validation.back().high);
    EXPECT_EQ(r.film.back().maps->rows(), 4);
  }
  // Two heads do better than one, in the toy and repaired.
  EXPECT_LT(shown.runs[1].validation.back().high, shown.runs[0].validation.back().low);
  EXPECT_LT(shown.runs[3].validation.back().high, shown.runs[2].validation.back().low);
  int printed = 0;
  for (const TrainingVerdict& v : shown.verdicts) {
    if (!v.has_printed) continue;
    ++printed;
    EXPECT_NEAR(v.printed, v.ours, 0.02) << v.what;
  }
  EXPECT_EQ(printed, 2);
  EXPECT_FALSE(run->file(0, false));  // there is no model to be used
}

TEST(TrainingRun, BadTextsAreAnsweredInOneLine) {
  const tests::ScratchFolder folder;
  base::Parallel parallel(1);
  TrainingSettings settings = quick(TrainingTask::text);
  const auto error = [&](const std::string& path) {
    settings.file = path;
    const auto run = start_training(settings, parallel);
    EXPECT_FALSE(run);
    const std::string text = run ? "" : run.error();
    EXPECT_EQ(text.find('\n'), std::string::npos);
    return text;
  };
  EXPECT_THAT(error(""), HasSubstr("no text selected: choose any UTF-8 text"));
  EXPECT_THAT(error((folder / "none.txt").string()), HasSubstr("none.txt"));
  std::ofstream(folder / "empty.txt");
  EXPECT_THAT(error((folder / "empty.txt").string()), HasSubstr("empty"));
  std::ofstream(folder / "one.txt") << 'a';
  EXPECT_THAT(error((folder / "one.txt").string()), HasSubstr("one.txt"));
  std::ofstream(folder / "binary.bin") << std::string(4096, '\0') << "\x80\xFF";
  EXPECT_THAT(error((folder / "binary.bin").string()), HasSubstr("binary.bin"));
  EXPECT_THAT(error(folder.path().string()), HasSubstr("headlight-test"));
  std::ofstream(folder / "large.txt").close();
  std::filesystem::resize_file(folder / "large.txt", 1'000'000'000);  // sparse
  EXPECT_THAT(error((folder / "large.txt").string()), HasSubstr("large.txt"));
}

TEST(TrainingRun, DamagedFilesAreAnsweredInOneLine) {
  const tests::ScratchFolder folder;
  base::Parallel parallel(1);
  auto run = started(quick(TrainingTask::reverse), parallel);
  const std::string bytes = bytes_of(*run);
  TrainingSettings settings;
  const auto error = [&](const std::string& content) {
    EXPECT_TRUE(io::write_file(folder / "run.safetensors", content));
    const auto made = continue_training((folder / "run.safetensors").string(), settings, parallel);
    EXPECT_FALSE(made);
    return made ? std::string() : made.error();
  };
  EXPECT_THAT(error(""), HasSubstr("run.safetensors"));
  EXPECT_THAT(error(bytes.substr(0, bytes.size() / 2)), HasSubstr("run.safetensors"));
  EXPECT_THAT(error(bytes_of(*run, false)), HasSubstr("not a training run"));
}

TEST(TrainingSettings, AreMadeToGoTogether) {
  for (int d = 4; d <= 256; ++d) {
    for (int heads = 1; heads <= 16; ++heads) {
      TrainingSettings s;
      s.d_model = d, s.heads = heads, s.layer = 6, s.head = 16;
      repair(s);
      EXPECT_EQ(s.d_model % s.heads, 0);
      EXPECT_GE(s.d_model, 4);
      EXPECT_LE(s.d_model, 256);
      EXPECT_LE(std::abs(s.d_model - d), heads) << d << ' ' << heads;
      EXPECT_EQ(s.layer, 6) << "a choice of what is shown comes back with the layers";
    }
  }
}

TEST(TrainingSettings, WhatATaskSuggestsNeedsNoRepair) {
  for (int task = 0; task < 5; ++task) {
    TrainingSettings s;
    s.task = static_cast<TrainingTask>(task), s.seed = 3, s.file = "x";
    suggest(s);
    TrainingSettings repaired = s;
    repair(repaired);
    EXPECT_EQ(s, repaired) << task;
    EXPECT_EQ(s.seed, 3);
    EXPECT_EQ(s.file, "x");
  }
}

TEST(TrainingCurve, IsThinnedToMeansAndRanges) {
  std::vector<float> losses(1000);
  for (std::size_t i = 0; i < losses.size(); ++i) losses[i] = static_cast<float>(i % 10);
  const auto points = thinned(losses, 1, 100);
  ASSERT_EQ(points.size(), 100u);
  EXPECT_FLOAT_EQ(points[7].value, 4.5f);
  EXPECT_EQ(points[7].low, 0);
  EXPECT_EQ(points[7].high, 9);
  EXPECT_GT(points[7].step, 70);
  EXPECT_LE(points[7].step, 80);
  EXPECT_EQ(thinned({}, 1, 100).size(), 0u);
  EXPECT_EQ(thinned({3}, 1, 100).front().value, 3);
}

}  // namespace
}  // namespace headlight::scene::training_run_test
