// `headlight train`: what it leaves in the file, going on with a run, and words that are no task.
#include "command/train_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/files.h"
#include "io/safetensors.h"
#include "scene/trained_model.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

using testing::HasSubstr;

TrainOptions quick(const std::filesystem::path& out) {
  TrainOptions options;
  options.settings.task = scene::TrainingTask::reverse;
  options.settings.d_model = 16, options.settings.heads = 2, options.settings.layers = 1;
  options.settings.length = 6, options.settings.steps = 12, options.settings.batch = 4;
  options.settings.compare = scene::TrainingCompare::nothing;
  options.out = out;
  options.progress = false;
  return options;
}

TEST(TrainCommand, LeavesAModelWithWhatIsToBeSeen) {
  const tests::ScratchFolder folder;
  TrainOptions options = quick(folder / "m.safetensors");
  options.first = {"f e d c b a", "a mirror", {"head=2"}};
  const auto report = train(options);
  ASSERT_TRUE(report) << report.error();
  EXPECT_THAT(report->text, HasSubstr("step 12"));
  EXPECT_THAT(report->text, HasSubstr("exact match"));
  const auto model = scene::model_at(options.out.string());
  ASSERT_TRUE(model) << model.error();
  EXPECT_EQ((*model)->sentence, "f e d c b a");
  EXPECT_EQ((*model)->look_at, "a mirror");
  EXPECT_THAT((*model)->first, testing::ElementsAre("head=2"));
}

/// A run that was stopped in the middle and resumed leaves the model of one that was not, byte for byte.
TEST(TrainCommand, GoesOnWithARunThatWasStopped) {
  const tests::ScratchFolder folder;
  const TrainOptions whole = quick(folder / "whole.safetensors");
  ASSERT_TRUE(train(whole));
  TrainOptions rest = quick(folder / "rest.safetensors");
  base::Parallel parallel(1);
  auto half = scene::start_training(rest.settings, parallel);
  ASSERT_TRUE(half) << half.error();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE((*half)->advance(parallel));
  ASSERT_TRUE(io::write_file(rest.out, *(*half)->file(0, true)));
  rest.resume = true;
  const auto report = train(rest);
  ASSERT_TRUE(report) << report.error();
  EXPECT_EQ(*io::read_file(whole.out), *io::read_file(rest.out));
}

/// A text of a few letters: its model takes any other one too, the baselines are said, and as float16 the
/// weights are those of float32 to the nearest. A vocabulary that has no room for all bytes gets it.
TEST(TrainCommand, PiecesWithAllBytesAndWeightsOfTwoBytes) {
  const tests::ScratchFolder folder;
  std::string text;
  for (int n = 0; n < 400; ++n) text += n % 3 ? "the cat sat on the mat\n" : "a dog sees the cat\n";
  ASSERT_TRUE(io::write_file(folder / "cats.txt", text));
  TrainOptions options = quick(folder / "single.safetensors");
  options.settings.task = scene::TrainingTask::text;
  options.settings.file = (folder / "cats.txt").string();
  options.settings.unit = scene::TextUnit::byte_pieces, options.settings.vocabulary = 16;
  const auto single = train(options);
  ASSERT_TRUE(single) << single.error();
  EXPECT_THAT(single->text, HasSubstr("(bigram table: "));
  EXPECT_THAT(single->text, HasSubstr(", trigram table: "));
  options.out = folder / "half.safetensors", options.stored = scene::StoredWeights::float16;
  ASSERT_TRUE(train(options));
  const auto wide = scene::model_at((folder / "single.safetensors").string()),
             half = scene::model_at(options.out.string());
  ASSERT_TRUE(wide && half);
  EXPECT_EQ((*half)->config.vocabulary, 257);
  EXPECT_THAT((*half)->title, testing::StartsWith("text cats.txt, "));
  for (const nn::ModelToken& token : (*half)->encoder->split("\xE6\x97\xA5 \xF0\x9F\x9A\x80 \xFF?"))
    EXPECT_TRUE(token.known) << token.token.text;
  const auto a = (*wide)->weights.wte.values(), b = (*half)->weights.wte.values();
  ASSERT_EQ(a.size(), b.size());
  bool other = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], b[i], std::max(std::abs(a[i]) * 0x1p-11f, 0x1p-25f));
    other = other || a[i] != b[i];
  }
  EXPECT_TRUE(other);
  EXPECT_LT(std::filesystem::file_size(options.out),
            std::filesystem::file_size(folder / "single.safetensors") - 2 * a.size());
}

/// The files of a folder are the text that they are one after the other.
TEST(TrainCommand, AFolderOfTexts) {
  const tests::ScratchFolder folder;
  std::string first, second;
  for (int n = 0; n < 200; ++n) first += "the cat sat on the mat\n", second += "a dog sees the cat\n";
  std::filesystem::create_directories(folder / "texts/more");
  ASSERT_TRUE(io::write_file(folder / "texts/a.txt", first));
  ASSERT_TRUE(io::write_file(folder / "texts/more/b.md", second));
  ASSERT_TRUE(io::write_file(folder / "texts/c.png", "no text"));
  ASSERT_TRUE(io::write_file(folder / "whole.txt", first + second));
  const auto trained = [&](const std::string& file) {
    TrainOptions options = quick(folder / "m.safetensors");
    options.settings.task = scene::TrainingTask::text;
    options.settings.file = file;
    options.settings.unit = scene::TextUnit::byte_pieces, options.settings.vocabulary = 300;
    const auto report = train(options);
    if (!report) throw std::runtime_error(report.error());
    const auto model = scene::model_at(options.out.string());
    if (!model) throw std::runtime_error(model.error());
    return *model;
  };
  const auto whole = trained((folder / "whole.txt").string()), parts = trained((folder / "texts/").string());
  EXPECT_THAT(parts->title, testing::StartsWith("text texts, "));
  const auto a = whole->weights.wte.values(), b = parts->weights.wte.values();
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  std::filesystem::create_directory(folder / "empty");
  TrainOptions options = quick(folder / "none.safetensors");
  options.settings.task = scene::TrainingTask::text, options.settings.file = (folder / "empty").string();
  const auto report = train(options);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error(), HasSubstr("empty: the folder has no file that ends in .txt"));
}

TEST(TrainCommand, SaysWhatItCannotDo) {
  const tests::ScratchFolder folder;
  const auto nowhere = train(quick("/dev/full"));
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error(), HasSubstr("/dev/full"));
  ASSERT_TRUE(io::write_file(folder / "x.safetensors", "no run"));
  TrainOptions damaged = quick(folder / "x.safetensors");
  damaged.resume = true;
  const auto report = train(damaged);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error(), HasSubstr("x.safetensors"));
  EXPECT_EQ(*io::read_file(damaged.out), "no run");
}

/// A place that cannot be written is said before the first step: this run would take a day.
TEST(TrainCommand, SaysAtOnceWhereItCannotWrite) {
  const tests::ScratchFolder folder;
  for (const std::filesystem::path& out : {folder / "nope" / "a.safetensors", folder.path()}) {
    TrainOptions options = quick(out);
    options.settings.steps = 100000, options.settings.d_model = 256, options.settings.batch = 256;
    options.settings.layers = 6, options.settings.length = 64;
    const auto report = train(options);
    ASSERT_FALSE(report);
    EXPECT_THAT(report.error(), HasSubstr(out.string()));
  }
  TrainOptions fits = quick(folder / "b.safetensors");
  ASSERT_TRUE(train(fits));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);  // nothing beside it
}

/// The two relations make no model, but losses, and a run that can be gone on with.
TEST(TrainCommand, TwoRelationsPrintTheirLossesAndGoOn) {
  const tests::ScratchFolder folder;
  TrainOptions options = quick(folder / "two.safetensors");
  options.settings.task = scene::TrainingTask::two_relations;
  options.settings.steps = 400, options.settings.batch = 32, options.settings.rate = 5e-3;
  const auto whole = train(options);
  ASSERT_TRUE(whole) << whole.error();
  for (const char* words :
       {"1 head, step 400", "2 heads, step 400", "held-out loss 0.3", "2 heads, repaired, step 400",
        "printed 0.3505, here 0.3", "2 heads, repaired places+contents"})
    EXPECT_THAT(whole->text, HasSubstr(words));
  const std::string bytes = *io::read_file(options.out);
  // Stopped at step 100 and resumed: the same file in the end.
  base::Parallel parallel(1);
  auto part = scene::start_training(options.settings, parallel);
  ASSERT_TRUE(part);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE((*part)->advance(parallel));
  ASSERT_TRUE(io::write_file(options.out, *(*part)->file(0, true)));
  options.resume = true;
  const auto resumed = train(options);
  ASSERT_TRUE(resumed) << resumed.error();
  EXPECT_EQ(*io::read_file(options.out), bytes);
  EXPECT_EQ(resumed->text, whole->text);
  // Without a file: printed alone.
  options.resume = false, options.out.clear();
  const auto printed = train(options);
  ASSERT_TRUE(printed) << printed.error();
  EXPECT_EQ(whole->text.rfind(printed->text, 0), 0u);
}

TEST(TrainCommand, KnowsItsTasks) {
  EXPECT_EQ(*task_named("small-english"), scene::TrainingTask::english);
  EXPECT_EQ(*task_named("pronouns"), scene::TrainingTask::pronouns);
  EXPECT_EQ(*task_named("copy"), scene::TrainingTask::induction);
  EXPECT_EQ(*task_named("two_relations"), scene::TrainingTask::two_relations);
  const auto wrong = task_named("revers");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error(), HasSubstr("Did you mean \"reverse\"?"));
}

}  // namespace
}  // namespace headlight::app
