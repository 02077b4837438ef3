// A model in a file and out of it; a scene that shows it; what is wrong with a file is said.
#include "scene/trained_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "nn/reference.h"
#include "scene/compute.h"
#include "scene/layer_input.h"
#include "scene/results.h"
#include "scene/settings.h"
#include "support/scratch_folder.h"

namespace headlight::scene {
namespace {

using testing::HasSubstr;

TrainedModel small_model(nn::ModelPositions positions, int layers = 2) {
  TrainedModel model;
  model.title = "a model", model.task = "english";
  model.encoder =
      std::make_shared<const nn::Encoder>(nn::word_vocabulary({"the", "cat", "sat", "on", "mat", "."}));
  model.config.vocabulary = model.encoder->size();
  model.config.context = 16, model.config.d_model = 8, model.config.heads = 2, model.config.layers = layers;
  model.config.d_ff = 16, model.config.positions = positions;
  model.weights = nn::random_model(model.config, 3);
  // Larger than at a start, so that every part matters.
  int n = 0;
  nn::tensors(model.weights, [&](const std::string&, nn::Matrix& m) {
    for (float& w : m.values()) w = w * 1.5f + 0.1f * std::sin(static_cast<float>(++n));
  });
  return model;
}

void write(const std::filesystem::path& path, const TrainedModel& model) {
  std::ofstream out(path, std::ios::binary);
  out << io::write_safetensors(tensor_views(model.weights), {{"headlight", model_description(model)}});
}

Scene scene_of(const std::filesystem::path& path) {
  Scene scene;
  scene.weights = WeightsSource::file, scene.weights_file = path.string();
  scene.sentence = "the cat sat on the mat .";
  adopt_model(scene);
  repair(scene);
  return scene;
}

class EveryPosition : public testing::TestWithParam<nn::ModelPositions> {};

/// The layers that the pages show are those of the model: the same weights as its own forward pass has.
TEST_P(EveryPosition, ThePagesShowTheModelsOwnAttention) {
  const tests::ScratchFolder folder;
  const TrainedModel model = small_model(GetParam());
  write(folder / "m.safetensors", model);
  Scene scene = scene_of(folder / "m.safetensors");
  EXPECT_EQ(scene.d_model, 8);
  EXPECT_EQ(scene.heads, 2);
  EXPECT_TRUE(scene.mask.causal);

  base::Parallel parallel(1);
  nn::Batch batch;
  batch.tokens = model.encoder->encode(scene.sentence);
  batch.B = 1, batch.T = static_cast<int>(batch.tokens.size());
  nn::ModelTrace trace;
  nn::model_forward(model.config, model.weights, batch, parallel, trace);
  for (int layer = 1; layer <= 2; ++layer) {
    scene.weights_layer = layer;
    const auto results = compute(scene, parallel, nullptr);
    ASSERT_EQ(results->weights_problem, "");
    ASSERT_EQ(results->attention.T, batch.T);
    const nn::ModelTrace::Layer& own = trace.layers[static_cast<std::size_t>(layer - 1)];
    ASSERT_EQ(own.weights.size(), results->attention.weights.size());
    for (std::size_t i = 0; i < own.weights.size(); ++i) {
      ASSERT_NEAR(own.weights.data()[i], results->attention.weights.data()[i], 2e-5) << layer << ' ' << i;
    }
    // Both norms stand before a sublayer here, so the sum shows what the attention gave.
    for (std::size_t i = 0; i < own.attention_sum.size(); ++i) {
      ASSERT_NEAR(own.attention_sum.data()[i] - trace.input(layer - 1).data()[i],
                  results->attention.output.data()[i], 5e-5);
    }
  }
}

/// Content and position add up to what enters, also behind a layer norm.
TEST_P(EveryPosition, PartsAddUp) {
  const tests::ScratchFolder folder;
  write(folder / "m.safetensors", small_model(GetParam()));
  Scene scene = scene_of(folder / "m.safetensors");
  base::Parallel parallel(1);
  for (int layer = 1; layer <= 2; ++layer) {
    scene.weights_layer = layer;
    const LayerInput input = layer_input(scene, tokens_of(scene), parallel);
    const nn::Matrix x = joined(input);
    const nn::MatrixF64 wide = joined_f64(input);
    const LayerInput parts = linear_parts(input);
    ASSERT_FALSE(x.empty());
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(parts.content.data()[i] + parts.position.data()[i], x.data()[i], 1e-5);
      EXPECT_NEAR(wide.data()[i], static_cast<double>(x.data()[i]), 1e-5);
    }
  }
}

/// Every page takes the model: what it shows adds up and comes from the model's own layers.
TEST_P(EveryPosition, EveryPageTakesTheModel) {
  const tests::ScratchFolder folder;
  const TrainedModel model = small_model(GetParam());
  write(folder / "m.safetensors", model);
  Scene scene = scene_of(folder / "m.safetensors");
  base::Parallel parallel(1);
  for (int layer = 1; layer <= 2; ++layer) {
    scene.weights_layer = layer;
    scene.page = Page::order;
    const auto order = compute(scene, parallel, nullptr);
    ASSERT_TRUE(order->order);
    EXPECT_LT(order->order->parts.residual, 1e-4) << layer;
    scene.page = Page::block;
    const auto block = compute(scene, parallel, nullptr);
    ASSERT_TRUE(block->block);
    ASSERT_EQ(block->block->layers, 2);
    const nn::Matrix& stack =
        block->block->trace.layers[static_cast<std::size_t>(layer - 1)].attention.weights;
    ASSERT_EQ(stack.size(), block->attention.weights.size());
    for (std::size_t i = 0; i < stack.size(); ++i) {
      ASSERT_NEAR(stack.data()[i], block->attention.weights.data()[i], 2e-5);
    }
    scene.page = Page::bench;
    scene.bench.from = BenchFrom::stack, scene.bench.layer_a = layer, scene.bench.a = 2;
    const auto bench = compute(scene, parallel, nullptr);
    ASSERT_TRUE(bench->bench);
    ASSERT_TRUE(bench->bench->stack);
    for (const Page page :
         {Page::variants, Page::memory, Page::cost, Page::worked, Page::presets, Page::position}) {
      scene.page = page;
      EXPECT_EQ(compute(scene, parallel, nullptr)->weights_problem, "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryPosition,
                         testing::Values(nn::ModelPositions::none, nn::ModelPositions::sinusoidal,
                                         nn::ModelPositions::learned, nn::ModelPositions::t5,
                                         nn::ModelPositions::alibi, nn::ModelPositions::rope));

TEST(TrainedModel, ComesBackWithEveryField) {
  TrainedModel model = small_model(nn::ModelPositions::learned);
  model.sentence = "the cat", model.look_at = "ψ";
  const auto file = io::read_safetensors(
      io::write_safetensors(tensor_views(model.weights), {{"headlight", model_description(model)}}), "x");
  ASSERT_TRUE(file) << file.error();
  const auto back = read_model(*file, "x");
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->config, model.config);
  EXPECT_EQ(back->encoder->vocabulary(), model.encoder->vocabulary());
  EXPECT_EQ(back->sentence, "the cat");
  EXPECT_EQ(back->look_at, "ψ");
  nn::tensors(model.weights, [&](const std::string& name, const nn::Matrix& m) {
    nn::tensors(back->weights, [&](const std::string& other, const nn::Matrix& n) {
      if (name == other) {
        EXPECT_TRUE(std::equal(m.values().begin(), m.values().end(), n.values().begin(), n.values().end()))
            << name;
      }
    });
  });
}

TEST(TrainedModel, TextsThatAreNoUtf8ComeBack) {
  TrainedModel model = small_model(nn::ModelPositions::none);
  nn::Vocabulary vocabulary = model.encoder->vocabulary();
  vocabulary.texts.back() = std::string("\xFF\x00z", 3);
  model.encoder = std::make_shared<const nn::Encoder>(vocabulary);
  const auto file = io::read_safetensors(
      io::write_safetensors(tensor_views(model.weights), {{"headlight", model_description(model)}}), "x");
  ASSERT_TRUE(file) << file.error();
  const auto back = read_model(*file, "x");
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->encoder->vocabulary().texts.back(), vocabulary.texts.back());
}

TEST(TrainedModel, WhatIsWrongWithAFileIsSaid) {
  const TrainedModel model = small_model(nn::ModelPositions::none);
  const auto error_with = [&](auto change) {
    std::string description = model_description(model);
    auto views = tensor_views(model.weights);
    change(description, views);
    const auto file = io::read_safetensors(io::write_safetensors(views, {{"headlight", description}}), "m");
    EXPECT_TRUE(file);
    const auto back = read_model(*file, "m");
    EXPECT_FALSE(back);
    return back ? std::string() : back.error();
  };
  const auto replace = [](std::string& text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  };
  EXPECT_THAT(error_with([&](std::string& text, auto&) { replace(text, "\"heads\":2", "\"heads\":3"); }),
              HasSubstr("\"heads\""));
  EXPECT_THAT(error_with([&](std::string& text, auto&) { replace(text, "\"layers\":2", "\"layers\":0"); }),
              HasSubstr("\"layers\""));
  EXPECT_THAT(error_with([&](std::string& text, auto&) { replace(text, "\"none\"", "\"spiral\""); }),
              HasSubstr("\"positions\""));
  EXPECT_THAT(error_with([&](std::string& text, auto&) { replace(text, "\"format\":1", "\"format\":2"); }),
              HasSubstr("newer"));
  EXPECT_THAT(
      error_with([&](std::string& text, auto&) { replace(text, "\"texts\":[", "\"texts\":[\"x\","); }),
      HasSubstr("vocabulary"));
  EXPECT_THAT(error_with([&](std::string& text, auto&) { text = "{"; }), HasSubstr("JSON"));
  EXPECT_THAT(error_with([&](std::string&, auto& views) { views.erase(views.begin()); }),
              HasSubstr("\"wte\" is missing"));
  EXPECT_THAT(
      error_with([&](std::string&, auto& views) { views[1].name = "wte", views.erase(views.begin()); }),
      HasSubstr("wte"));
}

TEST(TrainedModel, AFileThatCannotBeUsedLeavesRandomWeightsAndSaysSo) {
  Scene scene;
  scene.weights = WeightsSource::file, scene.weights_file = "/nowhere/m.safetensors";
  repair(scene);
  base::Parallel parallel(1);
  const auto results = compute(scene, parallel, nullptr);
  EXPECT_THAT(results->weights_problem, HasSubstr("/nowhere/m.safetensors"));
  EXPECT_GT(results->attention.T, 0);
  EXPECT_EQ(results->model, nullptr);
}

TEST(TrainedModel, UnknownWordsAreMarked) {
  const tests::ScratchFolder folder;
  write(folder / "m.safetensors", small_model(nn::ModelPositions::sinusoidal));
  Scene scene = scene_of(folder / "m.safetensors");
  scene.sentence = "the xy cat";
  base::Parallel parallel(1);
  const auto results = compute(scene, parallel, nullptr);
  ASSERT_EQ(results->known.size(), results->tokens.size());
  EXPECT_EQ(results->known.front(), 1);
  EXPECT_EQ(results->known.back(), 1);
  EXPECT_EQ(std::count(results->known.begin(), results->known.end(), 0),
            static_cast<long>(results->tokens.size()) - 2);
  EXPECT_GT(results->tokens.size(), 2u);
}

/// A change of weights that another program wrote into the same file is seen.
TEST(TrainedModel, AChangedFileIsReadAgain) {
  const tests::ScratchFolder folder;
  TrainedModel model = small_model(nn::ModelPositions::none);
  write(folder / "m.safetensors", model);
  const auto first = model_at((folder / "m.safetensors").string());
  ASSERT_TRUE(first);
  model.title = "another";
  write(folder / "m.safetensors", model);
  std::filesystem::last_write_time(folder / "m.safetensors",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
  const auto second = model_at((folder / "m.safetensors").string());
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)->title, "another");
}

}  // namespace
}  // namespace headlight::scene
