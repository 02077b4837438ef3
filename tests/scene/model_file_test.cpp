// The file of a model as the program reads it: once, again when it is another file, and no more of it than
// the model; what it says of itself is shown on one line.
#include "scene/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "io/files.h"
#include "scene/figure_scene.h"
#include "scene/layer_input.h"
#include "shown_model.h"

namespace headlight::scene::model_file_test {
namespace {

using testing::HasSubstr;
using tests::scene_with_model;
using tests::write_model;

TrainedModel small_model(int layers = 2) {
  nn::ModelConfig shape;
  shape.layers = layers, shape.positions = nn::ModelPositions::none;
  return tests::seeded_model(shape);
}

/// Everything that the window does with a scene between two frames asks for the model.
void use(const Scene& requested) {
  Scene scene = requested;
  adopt_model(scene);
  repair(scene);
  (void)given_by_model(scene, "heads");
  (void)kept_by_model(requested, scene);
  (void)usable_model(scene);
  (void)count_tokens(scene);
}

io::ReadCount read_since(const io::ReadCount& before) {
  const io::ReadCount now = io::read_count();
  return {now.opened - before.opened, now.bytes - before.bytes};
}

/// Another program's weights, of many megabytes: refused after their header, once, whatever is changed after.
TEST(ModelFile, AForeignFileIsRefusedAfterItsHeaderAndNotReadAgain) {
  const tests::ScratchFolder folder;
  const std::vector<float> weights(1 << 22, 0.5f);
  std::ofstream(folder / "foreign.safetensors", std::ios::binary)
      << io::write_safetensors({{"w", {1u << 22}, weights, {}}}, {{"format", "pt"}});
  Scene scene;
  scene.weights = WeightsSource::file, scene.weights_file = (folder / "foreign.safetensors").string();
  const io::ReadCount before = io::read_count();
  use(scene);
  EXPECT_LT(read_since(before).bytes, 65536u) << "16 MiB of weights that are of no use";
  const io::ReadCount refused = io::read_count();
  for (int i = 0; i < 10; ++i) {
    scene.temperature += 0.1;
    use(scene);
  }
  EXPECT_EQ(read_since(refused).opened, 0u);
  EXPECT_THAT(model_of(scene).error(), AllOf(HasSubstr("not a Headlight model"),
                                             HasSubstr("put the model’s config.json into the same folder")));
}

/// So is one that is ours and damaged: what was said of it stays true until the file is another one.
TEST(ModelFile, AFileIsReadAgainWhenItIsAnotherOne) {
  const tests::ScratchFolder folder;
  const auto path = folder / "m.safetensors";
  write_model(path, small_model());
  const std::string bytes = *io::read_file(path);
  ASSERT_TRUE(io::write_file(path, bytes.substr(0, bytes.size() - 40)));
  Scene scene;
  scene.weights = WeightsSource::file, scene.weights_file = path.string();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the clock has moved since it was written
  use(scene);
  io::ReadCount before = io::read_count();
  use(scene);
  EXPECT_EQ(read_since(before).opened, 0u);
  EXPECT_FALSE(model_of(scene));
  // The same size and the same time of writing: another file all the same.
  const auto time = std::filesystem::last_write_time(path);
  ASSERT_TRUE(io::write_file(path, bytes));
  std::filesystem::last_write_time(path, time);
  ASSERT_TRUE(model_of(scene)) << model_of(scene).error();
  const auto first = *model_of(scene);
  before = io::read_count();
  use(scene);
  EXPECT_EQ(read_since(before).opened, 0u);
  EXPECT_EQ(*model_of(scene), first);
  write_model(path, small_model(1));
  EXPECT_EQ((*model_of(scene))->config.layers, 1);
}

/// In place, of the same size, within one tick of the clock: nothing tells the two files apart but their
/// bytes.
TEST(ModelFile, AFileThatWasRefusedAndIsMendedAtOnceIsRead) {
  const tests::ScratchFolder folder;
  const auto path = folder / "m.safetensors";
  write_model(path, small_model());
  const std::string whole = *io::read_file(path);
  std::string damaged = whole;
  damaged[9] = '!';  // in the header
  FileIdentity seen = *identity_of(path.string());
  ModelFiles files([&](const std::string&) { return seen; });  // always the same
  const auto written = [&](std::chrono::nanoseconds ago) {
    const auto at = std::chrono::system_clock::now().time_since_epoch() - ago;
    seen.changed_s = std::chrono::duration_cast<std::chrono::seconds>(at).count();
    seen.changed_ns = (at - std::chrono::seconds(seen.changed_s)).count();
  };
  written(std::chrono::hours(1));
  std::ofstream(path, std::ios::binary) << damaged;
  ASSERT_FALSE(files.load(path.string()));
  std::ofstream(path, std::ios::binary) << whole;
  EXPECT_FALSE(files.load(path.string())) << "an hour later it would not look the same";
  std::ofstream(path, std::ios::binary) << damaged;
  written(std::chrono::nanoseconds(0));
  ASSERT_FALSE(files.load(path.string()));
  std::ofstream(path, std::ios::binary) << whole;
  EXPECT_TRUE(files.load(path.string()));
}

/// What a file says of itself may be anything; what is shown of it is one line.
TEST(ModelFile, ItsTextsAreShownOnOneLine) {
  const tests::ScratchFolder folder;
  TrainedModel model = small_model();
  model.title = "a\nb\x1b[31m";
  for (int i = 0; i < 1000; ++i) model.title += "é";
  model.sentence = "the cat\nsat";
  write_model(folder / "m.safetensors", model);
  base::Parallel parallel(1);
  const std::string shown =
      compute_now(scene_with_model(folder / "m.safetensors"), parallel, nullptr)->weights_source;
  EXPECT_EQ(shown.substr(0, 10), "a b [31mé");
  EXPECT_LT(shown.size(), 130u);
  EXPECT_EQ(shown.substr(shown.size() - 5), "é…");
  const auto opened = scene_in_file(folder / "m.safetensors");
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(opened->sentence, "the cat sat");
}

/// Of a file that holds more than its model, only the model is read.
TEST(ModelFile, WhatElseStandsInAFileCostsNothing) {
  const tests::ScratchFolder folder;
  const TrainedModel model = small_model();
  auto tensors = tensor_views(model.weights);
  const std::vector<float> rest(1 << 22, 0.5f);
  tensors.push_back({"optimizer", {1u << 22}, rest, {}});
  std::ofstream(folder / "m.safetensors", std::ios::binary)
      << io::write_safetensors(tensors, {{"headlight", model_description(model)}});
  const io::ReadCount before = io::read_count();
  ASSERT_TRUE(model_at((folder / "m.safetensors").string()));
  EXPECT_LT(read_since(before).bytes, 100'000u) << "16 MiB of an optimizer";
}

/// Two pictures side by side, each with its model, do not read them in turn.
TEST(ModelFile, TwoModelsInTurnAreReadOnce) {
  const tests::ScratchFolder folder;
  write_model(folder / "a.safetensors", small_model(1));
  write_model(folder / "b.safetensors", small_model(2));
  const Scene a = scene_with_model(folder / "a.safetensors"), b = scene_with_model(folder / "b.safetensors");
  const io::ReadCount before = io::read_count();
  for (int i = 0; i < 3; ++i) use(a), use(b);
  EXPECT_EQ(read_since(before).opened, 0u);
}

}  // namespace
}  // namespace headlight::scene::model_file_test
