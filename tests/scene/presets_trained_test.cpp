// The presets whose numbers were measured by training: the training is done again with their scenes'
// settings, and the numbers that they say are those that it gives.
#include <gmock/gmock.h>

#include <algorithm>

#include "pages/compute.h"
#include "pages/presets/presets.h"
#include "scene/settings.h"
#include "training_runs.h"

namespace headlight::scene {
namespace {

const Preset& titled(const std::string& title) {
  static const std::shared_ptr<const PresetsResults> kept = [] {
    base::Parallel parallel(1);
    return compute_presets(Scene{}, Results{}, parallel);
  }();
  for (const Preset& preset : kept->presets) {
    if (preset.title == title) return preset;
  }
  ADD_FAILURE() << title;
  return kept->presets.front();
}

TrainingSnapshot trained(const Preset& preset) {
  Scene scene;
  for (std::size_t from = 0; from < preset.set.size();) {
    const std::size_t end = std::min(preset.set.find(';', from), preset.set.size());
    const base::Status status = set_field(scene, preset.set.substr(from, end - from));
    EXPECT_TRUE(status) << status.error();
    from = end + 1;
  }
  repair(scene);
  base::Parallel parallel;
  return training_run_test::picture(*training_run_test::finished(scene.training, parallel));
}

double score(const RunSnapshot& run) {
  return static_cast<double>(run.score.back().value);
}

TEST(PresetsTrained, AttentionAloneReversesWithPositionsOnly) {
  const Preset& preset = titled("Reversal by attention alone");
  const TrainingSnapshot t = trained(preset);
  ASSERT_EQ(t.runs.size(), 2u);
  EXPECT_FALSE(t.runs[0].config.residual || t.runs[0].config.feed_forward);
  EXPECT_EQ(score(t.runs[0]), 1);
  EXPECT_LT(t.runs[0].validation.back().value, 0.001f);
  EXPECT_NEAR(t.runs[0].labels[0].score, 0.96, 0.02);
  EXPECT_EQ(t.runs[0].labels[0].role, "mirror");
  EXPECT_EQ(score(t.runs[1]), 0);
  EXPECT_NEAR(t.runs[1].validation.back().value, 2.76f, 0.03f);
  EXPECT_NEAR(t.baselines.at(0).loss, 3.26, 0.005);
  EXPECT_THAT(preset.lines[0].here, testing::HasSubstr("0.0 % of strings reversed, held-out loss 2.76"));
  EXPECT_THAT(preset.lines[1].here, testing::HasSubstr("100.0 % of strings reversed, held-out loss 0.0002"));
  EXPECT_THAT(preset.lines[2].here, testing::HasSubstr("0.96"));
}

TEST(PresetsTrained, EightHeadsDoTheSameJob) {
  const Preset& preset = titled("Reversal with eight heads");
  const TrainingSnapshot t = trained(preset);
  ASSERT_EQ(t.runs.size(), 1u);
  EXPECT_EQ(score(t.runs[0]), 1);
  ASSERT_EQ(t.runs[0].labels.size(), 16u);
  double least = 1, most = 0, end = 0;
  for (const HeadLabel& label : t.runs[0].labels) {
    if (label.layer == 0) {
      EXPECT_TRUE(label.role.empty() || label.role == "end token") << label.role;
      if (label.role == "end token") end = std::max(end, label.score);
      continue;
    }
    EXPECT_EQ(label.role, "mirror");
    least = std::min(least, label.score), most = std::max(most, label.score);
  }
  EXPECT_NEAR(least, 0.87, 0.03);
  EXPECT_NEAR(most, 0.92, 0.03);
  EXPECT_NEAR(end, 0.55, 0.1);
  EXPECT_THAT(preset.lines[0].here, testing::HasSubstr("8 of 8, with 0.87 to 0.92"));
  EXPECT_THAT(preset.lines[1].here, testing::HasSubstr("0.55"));
}

}  // namespace
}  // namespace headlight::scene
