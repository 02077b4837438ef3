// Runs of the Training page as files: their size, the model alone, old files, and those that are refused in
// one line; texts to train on that are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "pages/training/training.h"
#include "support/scratch_folder.h"
#include "training_runs.h"

namespace headlight::scene::training_run_test {
namespace {

using testing::HasSubstr;

/// A large model: its file stays small, its film keeps the first step and steps from all over the run, and of
/// those the first and the newest can be gone back to.
TEST(TrainingRun, TheFilmInAFileIsThinnedToItsSize) {
  base::Parallel parallel(2);
  TrainingSettings settings = quick(TrainingTask::reverse);
  settings.d_model = 128, settings.layers = 2, settings.steps = 40, settings.batch = 1;
  auto run = finished(settings, parallel);
  const std::string bytes = bytes_of(*run);
  const double newest = 3 * 4.0 * static_cast<double>(nn::parameters(picture(*run).runs.front().config));
  EXPECT_LT(static_cast<double>(bytes.size()), newest * 4 / 3 + 8e6);
  const OpenedRun again = opened(bytes, parallel);
  ASSERT_TRUE(again.run);
  again.run->look({0, 3, -1, ""}, parallel);  // another example than the one that was looked at
  run->look({0, 3, -1, ""}, parallel);
  const auto before = picture(*run).runs.front().film, after = picture(*again.run).runs.front().film;
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
  again.run->rewind(after[2].step, parallel);
  EXPECT_EQ(again.run->step(), 0);
  finish(*again.run, parallel);
  EXPECT_EQ(bytes_of(*again.run), bytes);  // the same run once more
}

/// A run that was saved when the control was another model is gone on with as it was.
TEST(TrainingRun, AnOldControlGoesOnAsItWas) {
  base::Parallel parallel(1);
  TrainingSettings settings = quick(TrainingTask::reverse);
  settings.compare = TrainingCompare::no_positions;
  auto run = started(settings, parallel);
  ASSERT_TRUE(run->advance(parallel));
  io::TensorFile file = tensors_of(*run);
  std::erase_if(file.tensors, [](const auto& entry) {
    return entry.first.starts_with("run2.") && entry.first.find("w_head") != std::string::npos;
  });
  const OpenedRun old = opened(bytes_of(file), parallel);
  ASSERT_TRUE(old.run);
  const TrainingSnapshot shown = picture(*old.run);
  EXPECT_TRUE(shown.runs[1].config.tied);
  EXPECT_FALSE(shown.runs[0].config.tied);
  EXPECT_LT(nn::parameters(shown.runs[1].config), nn::parameters(shown.runs[0].config));
  EXPECT_TRUE(old.run->advance(parallel));
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
  base::Parallel parallel(1);
  auto run = started(quick(TrainingTask::reverse), parallel);
  const std::string bytes = bytes_of(*run);
  const auto error = [&](const std::string& content) { return open_run(content, parallel).error; };
  EXPECT_THAT(error(""), HasSubstr("run.safetensors"));
  EXPECT_THAT(error(bytes.substr(0, bytes.size() / 2)), HasSubstr("run.safetensors"));
  EXPECT_THAT(error(bytes_of(*run, false)), HasSubstr("not a training run"));
}

}  // namespace
}  // namespace headlight::scene::training_run_test
