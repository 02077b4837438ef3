// A model in a file and out of it; a scene that shows it; what is wrong with a file is said.
#include "scene/trained_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "nn/reference.h"
#include "pages/block/block.h"
#include "pages/compare/compare.h"
#include "pages/compute.h"
#include "pages/order/order.h"
#include "scene/layer_input.h"
#include "scene/results.h"
#include "scene/settings.h"
#include "shown_model.h"
#include "support/scratch_folder.h"

namespace headlight::scene {
namespace {

using testing::HasSubstr;
using tests::scene_with_model;
using tests::write_model;

TrainedModel small_model(nn::ModelPositions positions, int layers = 2) {
  nn::ModelConfig shape;
  shape.layers = layers, shape.positions = positions;
  TrainedModel model = tests::seeded_model(shape);
  model.task = "english";
  return model;
}

class EveryPosition : public testing::TestWithParam<nn::ModelPositions> {};

/// The layers that the pages show are those of the model: the same weights as its own forward pass has.
TEST_P(EveryPosition, ThePagesShowTheModelsOwnAttention) {
  const tests::ScratchFolder folder;
  const TrainedModel model = small_model(GetParam());
  write_model(folder / "m.safetensors", model);
  Scene scene = scene_with_model(folder / "m.safetensors");
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
    const auto results = compute_now(scene, parallel, nullptr);
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

/// A rotation is no content: the same token at two places has the same part of content, and another rotation.
TEST(TrainedModel, ARotationIsNotCountedAsContent) {
  const tests::ScratchFolder folder;
  for (const nn::RopePairs pairs : {nn::RopePairs::half, nn::RopePairs::interleaved}) {
    TrainedModel model = small_model(nn::ModelPositions::rope);
    model.config.rope_pairs = pairs;
    write_model(folder / "m.safetensors", model);
    Scene scene = scene_with_model(folder / "m.safetensors");
    scene.page = Page::order, scene.mask = {};
    base::Parallel parallel(1);
    const auto results = compute_now(scene, parallel, nullptr);
    ASSERT_EQ(results->weights_problem, "");
    EXPECT_EQ(results->options.rope->pairs, pairs);
    const OrderParts& parts = results->own_as<OrderResults>()->parts;
    ASSERT_EQ(parts.count, 5);
    double apart = 0;
    for (int query = 0; query < 7; ++query) {  // “the” is token 0 and token 4
      EXPECT_NEAR(parts.part[0].at(0, query, 0), parts.part[0].at(0, query, 4), 1e-9);
      apart = std::max(apart, std::abs(parts.part[4].at(0, query, 0) - parts.part[4].at(0, query, 4)));
      EXPECT_NEAR(parts.part[4].at(0, query, query), 0, 1e-9);
    }
    EXPECT_GT(apart, 0.01);
    EXPECT_LT(parts.residual, 1e-4);
  }
}

/// Which components RoPE turns together is the model's, and its file says so; files from before there was a
/// choice were trained with halves.
TEST(TrainedModel, AFileNamesItsRopePairsAndItsActivation) {
  TrainedModel model = small_model(nn::ModelPositions::rope);
  model.config.rope_pairs = nn::RopePairs::interleaved;
  model.config.activation = nn::Activation::gelu_erf;
  const std::string description = model_description(model);
  const auto read = [&](const std::string& text) {
    const std::string bytes = io::write_safetensors(tensor_views(model.weights), {{"headlight", text}});
    return read_model(*io::read_safetensors(bytes, "m"), "m");
  };
  const auto same = read(description);
  ASSERT_TRUE(same) << same.error();
  EXPECT_EQ(same->config.rope_pairs, nn::RopePairs::interleaved);
  EXPECT_EQ(same->config.activation, nn::Activation::gelu_erf);
  std::string old = description;
  const std::string entry = "\"rope_pairs\":\"interleaved\",";
  ASSERT_NE(old.find(entry), std::string::npos) << old;
  old.erase(old.find(entry), entry.size());
  const auto before = read(old);
  ASSERT_TRUE(before) << before.error();
  EXPECT_EQ(before->config.rope_pairs, nn::RopePairs::half);
  std::string wrong = description;
  wrong.replace(wrong.find("interleaved"), 11, "twisted");
  EXPECT_THAT(read(wrong).error(), HasSubstr("rope_pairs"));
}

/// Content and position add up to what enters, also behind a layer norm.
TEST_P(EveryPosition, PartsAddUp) {
  const tests::ScratchFolder folder;
  write_model(folder / "m.safetensors", small_model(GetParam()));
  Scene scene = scene_with_model(folder / "m.safetensors");
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
  write_model(folder / "m.safetensors", model);
  Scene scene = scene_with_model(folder / "m.safetensors");
  base::Parallel parallel(1);
  for (int layer = 1; layer <= 2; ++layer) {
    scene.weights_layer = layer;
    scene.page = Page::order;
    const auto order = compute_now(scene, parallel, nullptr);
    ASSERT_TRUE(order->own_as<OrderResults>());
    EXPECT_LT(order->own_as<OrderResults>()->parts.residual, 1e-4) << layer;
    scene.page = Page::block;
    const auto block = compute_now(scene, parallel, nullptr);
    ASSERT_TRUE(block->own_as<BlockResults>());
    ASSERT_EQ(block->own_as<BlockResults>()->layers, 2);
    const nn::Matrix& stack =
        block->own_as<BlockResults>()->trace.layers[static_cast<std::size_t>(layer - 1)].attention.weights;
    ASSERT_EQ(stack.size(), block->attention.weights.size());
    for (std::size_t i = 0; i < stack.size(); ++i) {
      ASSERT_NEAR(stack.data()[i], block->attention.weights.data()[i], 2e-5);
    }
    scene.page = Page::compare;
    scene.compare.from = CompareFrom::stack, scene.compare.layer_a = layer, scene.compare.a = 2;
    const auto compared = compute_now(scene, parallel, nullptr);
    ASSERT_TRUE(compared->own_as<CompareResults>());
    ASSERT_TRUE(compared->own_as<CompareResults>()->stack);
    for (const Page page :
         {Page::variants, Page::memory, Page::cost, Page::worked, Page::presets, Page::position}) {
      scene.page = page;
      EXPECT_EQ(compute_now(scene, parallel, nullptr)->weights_problem, "");
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
  model.guide = {1, 0, 0.25};
  const auto file = io::read_safetensors(
      io::write_safetensors(tensor_views(model.weights), {{"headlight", model_description(model)}}), "x");
  ASSERT_TRUE(file) << file.error();
  const auto back = read_model(*file, "x");
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->config, model.config);
  EXPECT_EQ(back->encoder->vocabulary(), model.encoder->vocabulary());
  EXPECT_EQ(back->sentence, "the cat");
  EXPECT_EQ(back->look_at, "ψ");
  EXPECT_EQ(back->guide, model.guide);
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
  EXPECT_THAT(error_with([&](std::string& text, auto&) { replace(text, "\"format\":1", "\"format\":3"); }),
              HasSubstr("newer"));
  EXPECT_THAT(
      error_with([&](std::string& text, auto&) { replace(text, "\"texts\":[", "\"texts\":[\"x\","); }),
      HasSubstr("vocabulary"));
  for (const char* guided : {"{\"layer\":3,\"head\":1,\"weight\":1}", "{\"layer\":1,\"head\":0,\"weight\":1}",
                             "{\"layer\":1,\"head\":1}", "7", "{\"layer\":1,\"head\":1,\"weight\":-1}"}) {
    EXPECT_THAT(error_with([&](std::string& text, auto&) {
                  replace(text, "\"task\"", "\"guided\":" + std::string(guided) + ",\"task\"");
                }),
                HasSubstr("\"guided\" does not name a head"))
        << guided;
  }
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
  const auto results = compute_now(scene, parallel, nullptr);
  EXPECT_THAT(results->weights_problem, HasSubstr("/nowhere/m.safetensors"));
  EXPECT_GT(results->attention.T, 0);
  EXPECT_EQ(results->model, nullptr);
}

TEST(TrainedModel, UnknownWordsAreMarked) {
  const tests::ScratchFolder folder;
  write_model(folder / "m.safetensors", small_model(nn::ModelPositions::sinusoidal));
  Scene scene = scene_with_model(folder / "m.safetensors");
  scene.sentence = "the xy cat";
  base::Parallel parallel(1);
  const auto results = compute_now(scene, parallel, nullptr);
  ASSERT_EQ(results->known.size(), results->tokens.size());
  EXPECT_EQ(results->known.front(), 1);
  EXPECT_EQ(results->known.back(), 1);
  EXPECT_EQ(std::count(results->known.begin(), results->known.end(), 0),
            static_cast<long>(results->tokens.size()) - 2);
  EXPECT_GT(results->tokens.size(), 2u);
}

/// All that a computation depends on is what it is given: neither the file nor what the thread knows.
TEST(TrainedModel, AComputationHasTheModelThatItIsGiven) {
  const tests::ScratchFolder folder;
  const auto file = folder.path() / "model.safetensors";
  write_model(file, small_model(nn::ModelPositions::sinusoidal));
  const Scene scene = scene_with_model(file);
  base::Parallel parallel(1);
  const ModelsOnce models;
  ASSERT_TRUE(models.find(scene.weights_file));
  const auto weights = [&](const Inputs& inputs) {
    const auto results = compute(inputs, parallel, nullptr);
    const auto values = results->attention.weights.values();
    return std::vector<float>(values.begin(), values.end());
  };
  const std::vector<float> before = weights({scene, models});
  TrainedModel other = small_model(nn::ModelPositions::sinusoidal);
  nn::tensors(other.weights, [](const std::string&, nn::Matrix& m) {
    for (float& w : m.values()) w *= 0.5f;
  });
  write_model(file, other);
  EXPECT_EQ(weights({scene, models}), before);
  const ModelsOnce none;  // that knows the new file
  const UseModels bound(&none);
  EXPECT_EQ(weights({scene, models}), before);
  EXPECT_NE(weights({scene, none}), before);
  std::filesystem::remove(file);
  EXPECT_EQ(weights({scene, models}), before);
  const auto without = compute({scene, NoModels()}, parallel, nullptr);
  EXPECT_THAT(without->weights_problem, testing::HasSubstr("model.safetensors was not loaded"));
}

/// A change of weights that another program wrote into the same file is seen.
TEST(TrainedModel, AChangedFileIsReadAgain) {
  const tests::ScratchFolder folder;
  TrainedModel model = small_model(nn::ModelPositions::none);
  write_model(folder / "m.safetensors", model);
  const auto first = model_at((folder / "m.safetensors").string());
  ASSERT_TRUE(first);
  model.title = "another";
  write_model(folder / "m.safetensors", model);
  std::filesystem::last_write_time(folder / "m.safetensors",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
  const auto second = model_at((folder / "m.safetensors").string());
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)->title, "another");
}

}  // namespace
}  // namespace headlight::scene
