// Runs of models that do without a part, with dropout, with every positional scheme beside each other; and
// what is measured at their end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "io/files.h"
#include "pages/training/training.h"
#include "scene/field_values.h"
#include "scene/trained_model.h"
#include "support/scratch_folder.h"
#include "training_runs.h"

namespace headlight::scene::training_run_test {
namespace {

using testing::HasSubstr;

TrainingSettings two_layers() {
  TrainingSettings s = quick();
  s.layers = 2;
  return s;
}

TrainingSnapshot at_end(const TrainingSettings& settings) {
  base::Parallel parallel(2);
  return picture(*finished(settings, parallel));
}

std::vector<TrainingSettings> every_switch() {
  std::vector<TrainingSettings> all(6, two_layers());
  all[0].residual = false;
  all[1].norm = nn::NormPlace::none;
  all[2].norm = nn::NormPlace::post, all[2].feed_forward = false;
  all[3].dropout = 0.2;
  all[4].residual = all[4].feed_forward = false, all[4].norm = nn::NormPlace::none, all[4].dropout = 0.1;
  all[5].end_token = true, all[5].dropout = 0.3, all[5].positions = TrainingPositions::t5;
  return all;
}

/// Stopped, saved and continued, the run ends with the same numbers as one that was not; the model is used
/// with the switches that it was trained with, and its file says how to train it again.
TEST(TrainingParts, ASavedRunContinuesAsIfItHadNeverStopped) {
  base::Parallel parallel(2);
  for (const TrainingSettings& settings : every_switch()) {
    auto whole = finished(settings, parallel), half = started(settings, parallel);
    advance(*half, 11, parallel);
    const OpenedRun rest = opened(bytes_of(*half), parallel);
    ASSERT_TRUE(rest.run);
    EXPECT_EQ(rest.settings, settings);
    finish(*rest.run, parallel);
    const std::string end = bytes_of(*whole, false);
    EXPECT_EQ(end, bytes_of(*rest.run, false));

    const auto model = read_model(*io::read_safetensors(end, "m"), "m");
    ASSERT_TRUE(model) << model.error();
    EXPECT_EQ(model->config.residual, settings.residual);
    EXPECT_EQ(model->config.feed_forward, settings.feed_forward);
    EXPECT_EQ(model->config.norm, settings.norm);
    EXPECT_EQ(model->dropout, settings.dropout);
    EXPECT_EQ(model->steps, 24);
    TrainingSettings again;
    for (const auto& [name, value] : model->training) EXPECT_TRUE(find_setting(name)->read(again, value));
    EXPECT_TRUE(same_run(again, settings));
    EXPECT_EQ(bytes_of(*finished(again, parallel), false), end);
  }
}

/// An older program would run such a model with residual connections and be wrong: it has to refuse it.
TEST(TrainingParts, AModelWithoutAPartHasANewerFormat) {
  base::Parallel parallel(1);
  for (const TrainingSettings& settings : every_switch()) {
    const auto file = io::read_safetensors(*started(settings, parallel)->file(0, false), "m");
    const bool old = settings.residual && settings.feed_forward;
    EXPECT_THAT(file->metadata.at("headlight"), HasSubstr(old ? "\"format\":1" : "\"format\":2"));
  }
}

TEST(TrainingParts, TheRunBesideItLacksThePart) {
  const auto beside = [](TrainingCompare compare, auto change) {
    TrainingSettings s = two_layers();
    s.steps = 10, s.compare = compare;
    change(s);
    base::Parallel parallel(1);
    return picture(*started(s, parallel)).runs;
  };
  const auto nothing = [](TrainingSettings&) {};
  auto runs = beside(TrainingCompare::no_residuals, nothing);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_FALSE(runs[1].config.residual);
  EXPECT_THAT(runs[1].name, HasSubstr("no residuals"));
  runs = beside(TrainingCompare::no_norms, nothing);
  EXPECT_EQ(runs[1].config.norm, nn::NormPlace::none);
  EXPECT_THAT(runs[1].name, HasSubstr("no layer norm"));
  runs = beside(TrainingCompare::no_feed_forward, nothing);
  EXPECT_FALSE(runs[1].config.feed_forward);
  runs = beside(TrainingCompare::no_dropout, [](TrainingSettings& s) { s.dropout = 0.1; });
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_THAT(runs[0].name, HasSubstr("dropout 0.1"));
  EXPECT_THAT(runs[1].name, testing::Not(HasSubstr("dropout")));
  // Where the run has no such part itself, nothing is beside it.
  EXPECT_EQ(beside(TrainingCompare::no_dropout, nothing).size(), 1u);
  EXPECT_EQ(beside(TrainingCompare::no_residuals, [](TrainingSettings& s) { s.residual = false; }).size(),
            1u);
}

/// One run for each scheme, that differ in their positions alone: the head and the embedding are those beside
/// sinusoids, and only a table of its own adds to the count. "Without positions" is one model.
TEST(TrainingParts, EveryPositionDiffersInItsPositionsAlone) {
  TrainingSettings settings = two_layers();
  settings.compare = TrainingCompare::every_position, settings.positions = TrainingPositions::rope;
  const TrainingSnapshot all = at_end(settings);
  ASSERT_EQ(all.runs.size(), 6u);
  EXPECT_EQ(all.runs[0].config.positions, nn::ModelPositions::rope);
  TrainingSettings beside = two_layers();
  beside.compare = TrainingCompare::no_positions, beside.positions = TrainingPositions::sinusoidal;
  const TrainingSnapshot pair = at_end(beside);  // sinusoidal as it is trained alone, and its control
  ASSERT_EQ(pair.runs.size(), 2u);
  for (const RunSnapshot& run : all.runs) {
    nn::ModelConfig config = run.config;
    config.positions = nn::ModelPositions::sinusoidal;
    EXPECT_EQ(config, pair.runs[0].config) << run.name;
    const bool table = run.config.positions == nn::ModelPositions::learned,
               t5 = run.config.positions == nn::ModelPositions::t5;
    EXPECT_EQ(nn::parameters(run.config), nn::parameters(config) + (table ? 8 * 16 : t5 ? 32 * 2 : 0));
    EXPECT_THAT(run.name, HasSubstr(" parameters"));
    for (const RunSnapshot& same : pair.runs) {
      if (same.config.positions != run.config.positions) continue;
      EXPECT_EQ(same.name, run.name);
      EXPECT_EQ(same.validation.back().value, run.validation.back().value) << run.name;
    }
    EXPECT_EQ(run.name.find("output head initialized as with sinusoids") == std::string::npos,
              run.config.positions == nn::ModelPositions::sinusoidal)
        << run.name;
    for (const LengthPoint& p : run.lengths) EXPECT_EQ(p.possible, !table || p.length <= 8);
  }
  // Alone it is another model, of another name.
  TrainingSettings alone = two_layers();
  alone.positions = TrainingPositions::none, alone.steps = 1;
  EXPECT_THAT(at_end(alone).runs[0].name, testing::Not(testing::AnyOf(all.runs[1].name, pair.runs[1].name)));
}

TEST(TrainingParts, OtherLengthsAreMeasuredAtTheEnd) {
  base::Parallel parallel(1);
  const TrainingSettings settings = two_layers();
  auto run = started(settings, parallel);
  advance(*run, 12, parallel);
  EXPECT_TRUE(picture(*run).runs[0].lengths.empty());
  finish(*run, parallel);
  const RunSnapshot end = picture(*run).runs[0];
  std::vector<int> lengths;
  for (const LengthPoint& p : end.lengths) {
    lengths.push_back(p.length);
    if (p.length != settings.length) continue;
    EXPECT_EQ(static_cast<float>(p.loss), end.validation.back().value);
    EXPECT_EQ(static_cast<float>(p.score), end.score.back().value);
  }
  EXPECT_THAT(lengths, testing::ElementsAre(4, 6, 8, 10, 12, 16, 24, 32));
  run->rewind(0, parallel);
  EXPECT_TRUE(picture(*run).runs[0].lengths.empty());
}

TEST(TrainingParts, HeadsAreRemovedWhereThatIsLookedAt) {
  base::Parallel parallel(2);
  TrainingSettings settings = two_layers();
  settings.steps = 200, settings.rate = 0.01, settings.batch = 16;
  auto run = finished(settings, parallel);
  EXPECT_EQ(picture(*run).runs[0].pruning.step, -1);
  run->look({.plot = TrainingPlot::pruning}, parallel);
  const RunSnapshot shown = picture(*run).runs[0];
  EXPECT_EQ(shown.pruning.step, 200);
  EXPECT_EQ(static_cast<float>(shown.pruning.score), shown.score.back().value);
  ASSERT_EQ(shown.pruning.alone.size(), 4u);
  ASSERT_EQ(shown.pruning.greedy.size(), 4u);
  double best = 0;
  for (const PrunedHead& head : shown.pruning.alone) best = std::max(best, head.score);
  EXPECT_EQ(shown.pruning.greedy[0].score, best);
  EXPECT_LT(shown.pruning.greedy[3].score, 0.1);  // without any attention nothing is reversed
}

TEST(TrainingParts, ASettingThatTheTaskDoesNotHaveIsKnown) {
  TrainingSettings s;
  s.task = TrainingTask::induction;
  EXPECT_FALSE(training_applies(s, "training_end_token"));
  EXPECT_TRUE(training_applies(s, "training_dropout"));
  EXPECT_FALSE(training_applies(s, "training_guide"));
  s.task = TrainingTask::two_relations;
  EXPECT_FALSE(training_applies(s, "training_residual"));
  s.task = TrainingTask::reverse;
  EXPECT_TRUE(training_applies(s, "training_end_token"));
}

/// A model's file may claim any number of pieces: all bytes have room nevertheless.
TEST(TrainingParts, AVocabularyOfAllBytesHasRoomForThem) {
  const tests::ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 400; ++i) text += "the cat sat on mat " + std::to_string(i) + "\n";
  ASSERT_TRUE(io::write_file(folder / "text.txt", text));
  TrainingSettings s;
  s.task = TrainingTask::text, s.file = (folder / "text.txt").string();
  s.unit = TextUnit::byte_pieces, s.vocabulary = 16;
  const auto task = training_task(s);
  ASSERT_TRUE(task) << task.error();
  EXPECT_EQ((*task)->encoder().size(), 257);
}

TEST(Film, TheShareThatMovesIsThatOfHandAndOfTheLaw) {
  // Two heads of two rows each: one row keeps its weights, one moves all, one a half, one a tenth.
  nn::Matrix before(2, 2, 2), after(2, 2, 2);
  const std::array<float, 8> a = {1, 0, 0, 1, 0.5f, 0.5f, 0.3f, 0.7f}, b = {1, 0, 1, 0, 0, 1, 0.4f, 0.6f};
  std::copy(a.begin(), a.end(), before.values().begin());
  std::copy(b.begin(), b.end(), after.values().begin());
  EXPECT_NEAR(share_moved(before, after), (0 + 1 + 0.5 + 0.1) / 4, 1e-7);
  EXPECT_EQ(share_moved(before, after), share_moved(after, before));
  EXPECT_EQ(share_moved(before, before), 0);
  EXPECT_EQ(share_moved(before, nn::Matrix(1, 2, 2)), 1);  // another shape has nothing in common
  // Only frames that are not measured yet are measured.
  const auto first = std::make_shared<const nn::Matrix>(before),
             second = std::make_shared<const nn::Matrix>(after);
  std::vector<FilmFrame> film = {{0, first}, {5, second}, {9, second}};
  film[2].moved = 0.25;
  measure_film(film);
  EXPECT_EQ(film[0].moved, 0);
  EXPECT_NEAR(film[1].moved, 0.4, 1e-7);
  EXPECT_EQ(film[2].moved, 0.25);
}

}  // namespace
}  // namespace headlight::scene::training_run_test
