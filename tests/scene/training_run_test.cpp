// A run of the Training page: reproducible, rewound, continued, compared with others, and what its settings
// make of it.
#include "learn/training_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "pages/training/curve.h"
#include "pages/training/given.h"
#include "pages/training/training.h"
#include "training_runs.h"

namespace headlight::scene::training_run_test {
namespace {

using testing::HasSubstr;

class EveryTask : public testing::TestWithParam<TrainingTask> {};

TEST_P(EveryTask, RunsToItsEndAndShowsWhatItDid) {
  base::Parallel parallel(2);
  const TrainingSettings settings = quick(GetParam());
  auto run = finished(settings, parallel);
  ASSERT_TRUE(run);
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
  auto whole = finished(settings, parallel), half = started(settings, parallel);
  ASSERT_TRUE(whole && half);
  advance(*half, 11, parallel);
  const OpenedRun rest = opened(bytes_of(*half), parallel);
  ASSERT_TRUE(rest.run);
  EXPECT_EQ(rest.settings, settings);
  EXPECT_EQ(rest.run->step(), 11);
  finish(*rest.run, parallel);
  const io::TensorFile a = tensors_of(*whole), b = tensors_of(*rest.run);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const auto& [name, tensor] : a.tensors) EXPECT_EQ(tensor.values, b.tensors.at(name).values) << name;
}

TEST_P(EveryTask, RewoundItComesToTheSameEnd) {
  base::Parallel parallel(2);
  auto run = finished(quick(GetParam()), parallel);
  ASSERT_TRUE(run);
  const std::string end = bytes_of(*run);
  const int back = picture(*run).runs.front().film[3].step;
  run->rewind(back, parallel);
  EXPECT_EQ(run->step(), back);
  const TrainingSnapshot shown = picture(*run);
  EXPECT_EQ(shown.runs.front().film.back().step, back);
  EXPECT_LE(shown.runs.front().loss.back().step, back);
  EXPECT_LE(shown.runs.front().validation.back().step, back);
  finish(*run, parallel);
  EXPECT_EQ(bytes_of(*run), end);
}

INSTANTIATE_TEST_SUITE_P(All, EveryTask,
                         testing::Values(TrainingTask::reverse, TrainingTask::induction,
                                         TrainingTask::english, TrainingTask::pronouns));

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
        if (settings.compare == TrainingCompare::other) settings.compare_set = "training_rate=0.01";
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

/// The guide is in the run, beside it a run without one, and in the file of its model; the same run comes
/// back.
TEST(TrainingRun, AGuidedHeadIsNamedWhereverItIsShown) {
  base::Parallel parallel(2);
  TrainingSettings settings = quick(TrainingTask::pronouns);
  settings.layers = 2, settings.guide = 0.3, settings.compare = TrainingCompare::no_guide;
  auto run = finished(settings, parallel);
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

  auto half = started(settings, parallel);
  advance(*half, 11, parallel);
  const OpenedRun rest = opened(bytes_of(*half), parallel);
  ASSERT_TRUE(rest.run);
  EXPECT_EQ(rest.settings, settings);
  finish(*rest.run, parallel);
  EXPECT_EQ(picture(*rest.run).runs[0].validation.back().value, shown.runs[0].validation.back().value);
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
  advance(*run, 4, parallel);
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
  finish(*run, parallel);
  run->look({0, 0, -1, ""}, parallel);
  EXPECT_NE(picture(*run).runs.front().predicted, untrained);
  run->look({0, 0, 0, ""}, parallel);
  EXPECT_EQ(picture(*run).runs.front().predicted, untrained);
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

TEST(TrainingSettings, WhatARunDoesNotTakeIsNamed) {
  TrainingSettings settings = quick(TrainingTask::reverse);
  EXPECT_EQ(not_of_run(settings, "training_steps"), "");
  EXPECT_EQ(not_of_run(settings, "training_guide"), "the task reverse has no such setting");
  EXPECT_EQ(not_of_run(settings, "training_rope_pairs"),
            "the task reverse, without RoPE, has no such setting");
  settings.residual = false, settings.compare = TrainingCompare::no_residuals;
  repair(settings);
  const std::string same = "training_compare=no_residuals", none = "training_compare=nothing";
  EXPECT_EQ(lost_comparison(settings, std::vector{none, same}), same);
  EXPECT_EQ(lost_comparison(settings, std::vector{same, none}), "");
  EXPECT_EQ(lost_comparison(settings, {}), "");
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
