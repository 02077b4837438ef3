// Runs of the task with two relations: four models of eight seeds, their repairs, and their files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "pages/training/relations_words.h"
#include "pages/training/training.h"
#include "training_runs.h"

namespace headlight::scene::training_run_test {
namespace {

using testing::HasSubstr;

/// The toy has four models of eight seeds: all of them go on where they were, and back to where they had
/// been.
TEST(TrainingRun, TwoRelationsContinueAndAreGoneBackFromAFile) {
  base::Parallel parallel(2);
  TrainingSettings settings = quick(TrainingTask::two_relations);
  settings.steps = 60;
  auto whole = finished(settings, parallel), half = started(settings, parallel);
  advance(*half, 31, parallel);
  OpenedRun rest = opened(bytes_of(*half), parallel);
  ASSERT_TRUE(rest.run);
  EXPECT_EQ(rest.settings, settings);
  EXPECT_EQ(rest.run->step(), 31);
  EXPECT_EQ(bytes_of(*rest.run), bytes_of(*half));
  finish(*rest.run, parallel);
  EXPECT_EQ(bytes_of(*rest.run), bytes_of(*whole));
  rest = opened(bytes_of(*half), parallel);
  rest.run->rewind(10, parallel);
  whole->rewind(10, parallel);
  EXPECT_EQ(bytes_of(*rest.run), bytes_of(*whole));
  // A file of another length.
  io::TensorFile file = tensors_of(*half);
  io::NamedTensor& losses = file.tensors.at("2 heads, losses");
  losses.values.pop_back(), losses.shape = {losses.values.size()};
  EXPECT_THAT(open_run(bytes_of(file), parallel).error, HasSubstr("2 heads, losses"));
}

/// Models with fixed contents have examples of their own: what is called the planted content is so in the
/// example of the model whose map is shown, so a head with that role attends to it.
TEST(TrainingRun, TheContentOfAnExampleIsThatOfItsOwnModel) {
  base::Parallel parallel(2);
  TrainingSettings settings = quick(TrainingTask::two_relations);
  settings.steps = 1200, settings.rate = 5e-3, settings.batch = 32;
  auto run = finished(settings, parallel);
  int checked = 0;
  for (int example = 0; example < 6; ++example) {
    TrainingLook look;
    look.example = example;
    run->look(look, parallel);
    const TrainingSnapshot snapshot = picture(*run);
    for (const RunSnapshot& one : snapshot.runs) {
      const std::vector<std::string>& names = example_of(snapshot, one);
      ASSERT_EQ(names.size(), 4u);
      const auto content = std::find_if(names.begin(), names.end(), [](const std::string& name) {
        return name.find("content") != std::string::npos;
      });
      ASSERT_NE(content, names.end());
      for (const HeadLabel& label : one.labels) {
        if (label.role != "planted content" || label.score < 0.9) continue;
        const std::span<const float> map(one.film.back().maps->plane(label.head), 16);
        for (std::size_t query = 0; query < 4; ++query) {
          EXPECT_GT(map[query * 4 + static_cast<std::size_t>(content - names.begin())], 0.5f)
              << one.name << ", example " << example << ", query " << query;
          ++checked;
        }
      }
    }
  }
  EXPECT_GE(checked, 24);
}

TEST(TrainingRun, EveryRepairOfTheTwoRelationsIsMeasured) {
  base::Parallel parallel(2);
  TrainingSettings settings = quick(TrainingTask::two_relations);
  settings.steps = 1200, settings.rate = 5e-3, settings.batch = 32;
  auto run = finished(settings, parallel);
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
  auto run = finished(settings, parallel);
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
  advance(*run, 9, parallel);
  const OpenedRun again = opened(bytes_of(*run), parallel);
  ASSERT_TRUE(again.run);
  EXPECT_TRUE(same_run(again.settings, settings));
  finish(*run, parallel);
  finish(*again.run, parallel);
  EXPECT_EQ(picture(*again.run).runs[3].validation.back().value,
            picture(*run).runs[3].validation.back().value);

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
  advance(*run, 9, parallel);
  io::TensorFile file = tensors_of(*run);
  std::erase_if(file.tensors, [](const auto& entry) {
    return entry.first != "steps" && entry.first.find("head") == std::string::npos;
  });
  EXPECT_EQ(file.tensors.size(), 1u + 4 * 3);
  const OpenedRun old = opened(bytes_of(file), parallel);
  ASSERT_TRUE(old.run);
  finish(*old.run, parallel);
  EXPECT_EQ(picture(*old.run).runs.size(), 4u);
  EXPECT_EQ(old.run->step(), 30);
}

TEST(TrainingRun, TwoRelationsShowAllFourWithBands) {
  base::Parallel parallel(2);
  TrainingSettings settings;
  settings.task = TrainingTask::two_relations, settings.steps = 400, settings.rate = 5e-3;
  auto run = finished(settings, parallel);
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

}  // namespace
}  // namespace headlight::scene::training_run_test
