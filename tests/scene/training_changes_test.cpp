// Settings that change while a run is trained: its learning rate at any step, and others where a new run goes
// on from it. Both are in its file, and the file continues bit for bit.
#include "pages/training/changes.h"
#include "training_runs.h"

namespace headlight::scene::training_run_test {
namespace {

using testing::HasSubstr;

/// The run in these bytes.
std::unique_ptr<TrainingRun> opened(const std::string& bytes, base::Parallel& parallel) {
  const tests::ScratchFolder folder;
  EXPECT_TRUE(io::write_file(folder / "run.safetensors", bytes));
  TrainingSettings settings;
  auto run = continue_training((folder / "run.safetensors").string(), settings, parallel);
  EXPECT_TRUE(run) << (run ? "" : run.error());
  return run ? std::move(*run) : nullptr;
}

std::vector<float> losses_of(const TrainingRun& run, std::size_t which = 0) {
  const TrainingSnapshot shown = picture(run);
  std::vector<float> out;
  for (const CurvePoint& point : shown.runs.at(which).loss) out.push_back(point.value);
  return out;
}

/// Half as many steps of the two relations, which train many models.
class ChangedRun : public testing::TestWithParam<TrainingTask> {
 protected:
  TrainingSettings settings() const {
    TrainingSettings s = quick(GetParam());
    if (s.task == TrainingTask::two_relations) s.steps /= 2;
    return s;
  }
};

TEST_P(ChangedRun, TheRateChangesAtTheNextStepAndIsInTheFile) {
  base::Parallel parallel(2);
  const TrainingSettings settings = this->settings();
  constexpr int at = 4;
  const std::vector<float> unchanged = losses_of(*finished(settings, parallel));
  const auto changed = [&] {
    auto run = started(settings, parallel);
    advance(*run, at, parallel);
    run->set_rate(0.02);
    advance(*run, 2, parallel);
    return run;
  };
  auto run = changed();
  auto from_file = opened(bytes_of(*run), parallel);
  ASSERT_TRUE(from_file);
  finish(*run, parallel);
  const std::vector<float> losses = losses_of(*run);
  ASSERT_EQ(losses.size(), unchanged.size());
  for (std::size_t i = 0; i <= at; ++i) EXPECT_EQ(losses[i], unchanged[i]) << "step " << i + 1;
  EXPECT_NE(losses[at + 1], unchanged[at + 1]) << "the weights after step 5 have the new rate";
  const std::vector<TrainingChange> expected = {{at, false, {{"training_rate", "0.003", "0.02"}}}};
  EXPECT_EQ(picture(*run).changes, expected);
  EXPECT_EQ(changes_words(run->changes()), "learning rate 0.003 → 0.02 after step 4");
  EXPECT_EQ(run->settings().rate, 0.02);
  EXPECT_EQ(from_file->changes(), expected);
  finish(*from_file, parallel);
  EXPECT_EQ(bytes_of(*from_file), bytes_of(*run));
  auto again = changed();
  finish(*again, parallel);
  EXPECT_EQ(bytes_of(*again), bytes_of(*run));
  // Before the change the rate is the one before, and the run comes to the end of the unchanged one.
  again->rewind(0, parallel);
  EXPECT_EQ(again->settings().rate, settings.rate);
  EXPECT_TRUE(again->changes().empty());
  finish(*again, parallel);
  EXPECT_EQ(losses_of(*again), unchanged);
}

TEST_P(ChangedRun, ANewRunGoesOnFromAKeptStep) {
  base::Parallel parallel(2);
  const TrainingSettings settings = this->settings();
  constexpr std::size_t at = 6;
  auto run = finished(settings, parallel);
  const std::string before = bytes_of(*run);
  TrainingSettings other = settings;
  other.rate = 0.02, other.steps = 30;
  auto made = run->forked(at, other, parallel);
  ASSERT_TRUE(made) << made.error();
  TrainingRun& next = **made;
  EXPECT_EQ(next.step(), at);
  EXPECT_EQ(origin_words(next.changes()), "from step 6, learning rate 0.02, steps 30");
  const std::vector<float> old = losses_of(*run);
  EXPECT_EQ(losses_of(next), std::vector<float>(old.begin(), old.begin() + at));
  advance(next, 2, parallel);
  const std::vector<float> losses = losses_of(next);
  EXPECT_EQ(losses[at], old[at]) << "the same weights and the same batch";
  EXPECT_NE(losses[at + 1], old[at + 1]) << "after one step with the new rate";
  const TrainingSnapshot shown = picture(next);
  for (const FilmFrame& frame : shown.runs.front().film)
    EXPECT_EQ(frame.whole, frame.step >= static_cast<int>(at)) << frame.step;
  auto from_file = opened(bytes_of(next), parallel);
  ASSERT_TRUE(from_file);
  EXPECT_EQ(from_file->changes(), next.changes());
  EXPECT_EQ(from_file->step(), at + 2);
  finish(next, parallel), finish(*from_file, parallel);
  EXPECT_EQ(next.step(), 30);
  EXPECT_EQ(losses_of(*from_file), losses_of(next));
  EXPECT_EQ(bytes_of(*from_file, GetParam() == TrainingTask::two_relations),
            bytes_of(next, GetParam() == TrainingTask::two_relations));
  next.rewind(0, parallel);
  EXPECT_EQ(next.step(), at) << "earlier steps are of the run before";
  EXPECT_EQ(bytes_of(*run), before) << "that stays as it was";
}

INSTANTIATE_TEST_SUITE_P(Tasks, ChangedRun,
                         testing::Values(TrainingTask::reverse, TrainingTask::two_relations),
                         [](const auto& info) { return std::string(word(info.param)); });

/// Batches, dropout and their seed may change; the weights at the start are still those of the first seed.
TEST(ForkedRun, HasOtherBatchesFromTheStateOnShow) {
  base::Parallel parallel(2);
  auto run = started(quick(), parallel);
  advance(*run, 9, parallel);
  run->set_rate(0.01);
  TrainingSettings other = quick();
  other.batch = 7, other.dropout = 0.2, other.seed = 11;
  auto made = run->forked(-1, other, parallel);
  ASSERT_TRUE(made) << made.error();
  EXPECT_EQ((*made)->step(), 9);
  EXPECT_EQ(origin_words((*made)->changes()), "from step 9, dropout 0.2, batch 7, seed 11");
  advance(**made, 3, parallel);
  auto from_file = opened(bytes_of(**made), parallel);
  ASSERT_TRUE(from_file);
  const auto first = [](const TrainingRun& of) { return *picture(of).runs.front().film.front().maps; };
  EXPECT_TRUE(std::ranges::equal(first(*from_file).values(), first(**made).values()));
  finish(**made, parallel), finish(*from_file, parallel);
  EXPECT_EQ(losses_of(*from_file), losses_of(**made));
}

/// A model says where its run continued from another one; no settings alone would train it again.
TEST(ForkedRun, ItsModelSaysSo) {
  base::Parallel parallel(1);
  auto run = started(quick(), parallel);
  advance(*run, 3, parallel);
  EXPECT_THAT(bytes_of(*run, false), HasSubstr("training_rate"));
  TrainingSettings other = quick();
  other.rate = 0.01;
  const auto made = run->forked(-1, other, parallel);
  ASSERT_TRUE(made) << made.error();
  const std::string model = bytes_of(**made, false);
  EXPECT_THAT(model, HasSubstr("reverse, from step 3, learning rate 0.01, 1 layer"));
  EXPECT_EQ(model.find("training_rate"), std::string::npos);
}

TEST(ForkedRun, SaysWhatNeedsARestart) {
  base::Parallel parallel(1);
  auto run = finished(quick(), parallel);
  const auto why = [&](auto change, int step = 12) {
    TrainingSettings other = quick();
    change(other);
    const auto made = run->forked(step, other, parallel);
    EXPECT_FALSE(made);
    return made ? std::string() : made.error();
  };
  EXPECT_THAT(why([](TrainingSettings& s) { s.heads = 1; }), HasSubstr("Heads changes the network"));
  EXPECT_THAT(why([](TrainingSettings& s) { s.norm = nn::NormPlace::post; }), HasSubstr("Layer norm"));
  EXPECT_THAT(why([](TrainingSettings& s) { s.steps = 12; }), HasSubstr("needs more steps"));
  EXPECT_THAT(why([](TrainingSettings& s) { s.compare = TrainingCompare::one_head; }),
              HasSubstr("second run"));
}

TEST(TrainingChanges, ARateThatGoesBackLeavesNoTrace) {
  base::Parallel parallel(1);
  auto run = started(quick(), parallel);
  advance(*run, 2, parallel);
  run->set_rate(0.01), run->set_rate(0.02);
  ASSERT_EQ(run->changes().size(), 1u);
  EXPECT_EQ(run->changes().front().settings.front().after, "0.02");
  run->set_rate(0.003);
  EXPECT_TRUE(run->changes().empty());
}

TrainingSettings beside(const std::string& set) {
  TrainingSettings s = quick();
  s.compare = TrainingCompare::other, s.compare_set = set;
  return s;
}

/// Any setting of the second run: it differs in that alone.
TEST(ComparedSetting, IsTheOnlyDifference) {
  base::Parallel parallel(2);
  const TrainingSettings settings = beside("training_rate=0.01");
  EXPECT_EQ(training_runs(settings), 2);
  auto run = finished(settings, parallel);
  const TrainingSnapshot shown = picture(*run);
  ASSERT_EQ(shown.runs.size(), 2u);
  EXPECT_THAT(shown.runs[0].name, HasSubstr("learning rate 0.003"));
  EXPECT_THAT(shown.runs[1].name, HasSubstr("learning rate 0.01"));
  const std::vector<float> first = losses_of(*run, 0), second = losses_of(*run, 1);
  EXPECT_EQ(first, losses_of(*finished(quick(), parallel)));
  TrainingSettings alone = quick();
  alone.rate = 0.01;
  EXPECT_EQ(second, losses_of(*finished(alone, parallel)));
  EXPECT_EQ(first[0], second[0]) << "the same weights and the same batch";
  // A changed rate is that of the first run; the second keeps the one that it is given.
  auto changed = started(settings, parallel);
  advance(*changed, 4, parallel);
  changed->set_rate(0.02);
  auto from_file = opened(bytes_of(*changed), parallel);
  ASSERT_TRUE(from_file);
  finish(*changed, parallel), finish(*from_file, parallel);
  EXPECT_NE(losses_of(*changed, 0), first);
  EXPECT_EQ(losses_of(*changed, 1), second);
  EXPECT_EQ(losses_of(*from_file, 0), losses_of(*changed, 0));
  EXPECT_EQ(losses_of(*from_file, 1), second);
}

TEST(ComparedSetting, IsAnySettingThatLeavesTheTask) {
  base::Parallel parallel(2);
  for (const char* set : {"training_batch=8", "batch=8", "training_heads=1", "training_layers=2",
                          "training_d=8", "training_positions=rope", "training_norm=post",
                          "training_activation=relu", "training_dropout=0.3"}) {
    const auto second = other_run(beside(set));
    ASSERT_TRUE(second) << set << ": " << second.error();
    TrainingSettings first = quick();
    EXPECT_EQ(trained_differences(first, *second).size(), 1u) << set;
    auto run = started(beside(set), parallel);
    ASSERT_TRUE(run) << set;
    advance(*run, 2, parallel);
    EXPECT_EQ(picture(*run).runs.size(), 2u) << set;
    EXPECT_NE(picture(*run).runs[0].name, picture(*run).runs[1].name) << set;
  }
}

TEST(ComparedSetting, IsCheckedAsAllSettingsAre) {
  base::Parallel parallel(1);
  const auto why = [&](const char* set) {
    EXPECT_EQ(training_runs(beside(set)), 1) << set;
    const auto run = start_training(beside(set), parallel);
    EXPECT_FALSE(run) << set;
    return run ? std::string() : run.error();
  };
  EXPECT_THAT(why(""), HasSubstr("expected name=value"));
  EXPECT_THAT(why("training_rate"), HasSubstr("expected name=value"));
  EXPECT_THAT(why("training_rate=fast"), HasSubstr("training_rate"));
  EXPECT_THAT(why("training_rate=7"), HasSubstr("0.1"));
  EXPECT_THAT(why("training_rate=0.003"), HasSubstr("also in the first run"));
  EXPECT_THAT(why("training_heads=3"), HasSubstr("multiple"));
  EXPECT_THAT(why("training_steps=99"), HasSubstr("both runs have the same training_steps"));
  EXPECT_THAT(why("training_guide=1"), HasSubstr("does not apply"));
  EXPECT_THAT(why("heads_of_hydra=9"), HasSubstr("there is no setting"));
}

}  // namespace
}  // namespace headlight::scene::training_run_test
