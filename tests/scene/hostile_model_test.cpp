// Model files that are broken, or made to do harm: sizes that a file only claims are never allocated, what is
// no number is named, and every answer is one short line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "pages/block/block.h"
#include "pages/compute.h"
#include "scene/results.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/peak_memory.h"
#include "support/scratch_folder.h"
#include "tasks/trainer.h"
#include "training_runs.h"

namespace headlight::scene {
namespace {

using testing::HasSubstr;
using tests::peak_megabytes;
using Json = nlohmann::ordered_json;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

TrainedModel model_of_shape(const nn::ModelConfig& shape) {
  TrainedModel model;
  model.title = "a model", model.task = "english";
  model.encoder =
      std::make_shared<const nn::Encoder>(nn::word_vocabulary({"the", "cat", "sat", "on", "mat", "."}));
  model.config = shape;
  model.config.vocabulary = model.encoder->size();
  model.weights = nn::random_model(model.config, 3);
  return model;
}

TrainedModel small_model() {
  nn::ModelConfig shape;
  shape.context = 16, shape.d_model = 8, shape.heads = 2, shape.layers = 2, shape.d_ff = 16;
  return model_of_shape(shape);
}

std::string bytes_of(const TrainedModel& model) {
  return io::write_safetensors(tensor_views(model.weights), {{"headlight", model_description(model)}});
}

/// The same file with its description changed.
template <class F>
std::string bytes_with(const TrainedModel& model, F&& change) {
  Json description = Json::parse(model_description(model));
  change(description);
  return io::write_safetensors(tensor_views(model.weights), {{"headlight", description.dump()}});
}

std::string write(const tests::ScratchFolder& folder, const std::string& bytes,
                  const char* name = "m.safetensors") {
  const std::filesystem::path path = folder / name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path.string();
}

std::string error_of(const std::string& path) {
  const auto model = model_at(path);
  if (model) return "";
  EXPECT_EQ(model.error().find('\n'), std::string::npos);
  EXPECT_LT(model.error().size(), 600u);
  return model.error();
}

Scene scene_of(const std::string& path) {
  Scene scene;
  scene.weights = WeightsSource::file, scene.weights_file = path;
  scene.sentence = "the cat sat on the mat .";
  adopt_model(scene);
  repair(scene);
  return scene;
}

/// Without memory for any of them; models.h promises that both are the same.
TEST(TensorShapes, AreThoseOfTheModel) {
  for (int n = 0; n < 96; ++n) {
    nn::ModelConfig config;
    config.vocabulary = 5 + n, config.context = 3, config.heads = 1 + n % 3, config.layers = n % 4;
    config.d_model = config.heads * (1 + n % 5), config.d_ff = 1 + n % 7;
    config.positions = static_cast<nn::ModelPositions>(n % 6);
    config.attention_bias = n % 2 != 0, config.tied = n % 4 < 2;
    nn::ModelWeights zeros = nn::zero_model(config);
    const std::vector<nn::TensorShape> shapes = nn::tensor_shapes(config);
    std::size_t at = 0, count = 0;
    nn::tensors(zeros, [&](const std::string& name, const nn::Matrix& m) {
      if (m.empty()) return;
      ASSERT_LT(at, shapes.size());
      EXPECT_EQ(shapes[at].name, name);
      EXPECT_EQ(shapes[at].rows, m.rows()) << name;
      EXPECT_EQ(shapes[at].cols, m.cols()) << name;
      ++at, count += m.size();
    });
    EXPECT_EQ(at, shapes.size());
    EXPECT_EQ(nn::parameters(config), count);
  }
}

/// A small file that says it is a large model: nothing of that size is made.
TEST(HostileModel, ClaimedSizesAreComparedBeforeTheyAreAllocated) {
  const tests::ScratchFolder folder;
  const std::string path = write(folder, bytes_with(small_model(), [](Json& json) {
                                   json["config"]["d_model"] = 1024, json["config"]["heads"] = 1;
                                   json["config"]["layers"] = 12, json["config"]["d_ff"] = 16384;
                                 }));
  const double before = peak_megabytes();
  EXPECT_THAT(error_of(path), HasSubstr("the tensor \"wte\" is not 7 × 1024"));
  EXPECT_LT(peak_megabytes() - before, 100);
  const std::string wide = write(folder, bytes_with(small_model(), [](Json& json) {
                                   json["config"]["layers"] = 1, json["config"]["d_ff"] = 16384;
                                 }));
  EXPECT_THAT(error_of(wide), HasSubstr("\"layer0_w_1\" is not 8 × 16384"));
}

/// Each merge joins the piece before with itself: 30 of them stand for a gigabyte.
TEST(HostileModel, MergesOfMergesAreBoundedByTheirTexts) {
  nn::ModelConfig shape;
  shape.context = 16, shape.d_model = 4, shape.heads = 1, shape.layers = 1, shape.d_ff = 4;
  TrainedModel model = model_of_shape(shape);
  const int merges = 30;
  model.config.vocabulary = 2 + merges;
  model.weights = nn::random_model(model.config, 3);
  const auto with_texts = [&](const std::string& text) {
    return bytes_with(model, [&](Json& json) {
      json["config"]["vocabulary"] = 2 + merges;
      json["vocabulary"] = {{"kind", "pieces"}, {"texts", {"\xEF\xBF\xBD", "a"}}, {"first_merge", 2}};
      for (int n = 0; n < merges; ++n) {
        json["vocabulary"]["texts"].push_back(text);
        json["vocabulary"]["merges"].push_back({n + 1, n + 1});
      }
    });
  };
  const tests::ScratchFolder folder;
  const double before = peak_megabytes();
  for (const std::string text : {"x", "aa", "aaaa"}) {
    EXPECT_THAT(error_of(write(folder, with_texts(text))), HasSubstr("the vocabulary contradicts itself"));
  }
  EXPECT_LT(peak_megabytes() - before, 100);
}

/// A piece is what its merge makes, and its text shows it.
TEST(HostileModel, APieceThatShowsAnotherTextIsRefused) {
  nn::Vocabulary pieces{nn::VocabularyKind::pieces, {"\xEF\xBF\xBD", "a", "<E4>", "a<E4>"}, {{1, 2}}, 3};
  EXPECT_TRUE(nn::is_sound(pieces));
  pieces.texts.back() = "b<E4>";
  EXPECT_FALSE(nn::is_sound(pieces));
}

/// What is no number is named when the model is opened, and where the scene is described.
TEST(HostileModel, ValuesThatAreNoNumbersAreNamedAndCounted) {
  const tests::ScratchFolder folder;
  TrainedModel model = small_model();
  EXPECT_EQ(not_finite_words(model.weights), "");
  nn::Matrix& w_q = model.weights.stack.layers[1].attention.w_q;
  w_q.at(2, 5) = nan, w_q.at(3, 0) = infinity;
  const std::string one_tensor =
      "the tensor \"layer1_w_q\" has 2 values that are not finite, the first at [2, 5]";
  EXPECT_EQ(not_finite_words(model.weights), one_tensor);
  model.weights.stack.lnf_b.at(0, 7) = -infinity;
  const std::string words = one_tensor + "; 3 in all tensors";

  const std::string path = write(folder, bytes_of(model));
  const auto read = model_at(path);
  ASSERT_TRUE(read);
  EXPECT_EQ((*read)->not_finite, words);
  base::Parallel parallel(1);
  Scene scene = scene_of(path);
  scene.weights_layer = 2;
  const auto results = compute_now(scene, parallel, nullptr);
  EXPECT_THAT(results->remarks, testing::Contains("the model: " + words));
  EXPECT_GT(results->nonfinite, 0u);
}

/// Weights of any size go through every page without stopping the program.
TEST(HostileModel, EveryPageBearsEveryNumber) {
  const tests::ScratchFolder folder;
  base::Parallel parallel(1);
  int file = 0;
  for (const float value : {3e38f, -3e38f, 1e-45f, 0.f, nan, infinity}) {
    TrainedModel model = small_model();
    nn::tensors(model.weights, [&](const std::string&, nn::Matrix& m) {
      for (std::size_t i = 0; i < m.size(); i += 3) m.data()[i] = value;
    });
    const std::string path =
        write(folder, bytes_of(model), (std::to_string(++file) + ".safetensors").c_str());
    Scene scene = scene_of(path);
    for (int page = 0; page < 11; ++page) {
      scene.page = static_cast<Page>(page);
      const auto results = compute_now(scene, parallel, nullptr);
      ASSERT_TRUE(results->model) << results->weights_problem;
      EXPECT_EQ(results->attention.T, 7);
    }
  }
}

/// A feed-forward layer of any width: the scene can be kept and opened, and says the model's own width.
TEST(HostileModel, AnyWidthOfTheFeedForwardLayerIsKeptAndToldTruly) {
  struct Case {
    int d_model, d_ff;
    const char* reported;
    int setting;
  };
  const tests::ScratchFolder folder;
  int file = 0;
  for (const Case& c : {Case{8, 128, "16", 8}, Case{8, 20, "2.5", 3}, Case{12, 16, "1.333", 1},
                        Case{8, 1, "0.125", 1}, Case{1, 64, "64", 8}, Case{8, 32, "4", 4}}) {
    nn::ModelConfig shape;
    shape.context = 16, shape.d_model = c.d_model, shape.heads = 1, shape.layers = 1, shape.d_ff = c.d_ff;
    const std::string path =
        write(folder, bytes_of(model_of_shape(shape)), (std::to_string(++file) + ".safetensors").c_str());
    const Scene scene = scene_of(path);
    const auto back = from_json(to_json(scene), "kept.json");
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(*back, scene);
    EXPECT_EQ(scene.block.widen, c.setting);
    EXPECT_EQ(value_in_words(scene, "block_widen"), c.reported);
    Scene wanted = scene;
    wanted.block.widen = c.setting == 2 ? 5 : 2;
    EXPECT_THAT(kept_by_model(scene, wanted), HasSubstr(std::string("block_widen stays ") + c.reported));
    base::Parallel parallel(1);
    Scene block = scene;
    block.page = Page::block;
    const auto results = compute_now(block, parallel, nullptr);
    ASSERT_TRUE(results->own_as<BlockResults>());
    EXPECT_EQ(results->own_as<BlockResults>()->stage(0, BlockStage::activated).cols(), c.d_ff);
  }
}

/// A run in a file after a few steps.
io::TensorFile run_file(TrainingTask task, int steps, base::Parallel& parallel) {
  const auto run = training_run_test::started(training_run_test::quick(task), parallel);
  training_run_test::advance(*run, steps, parallel);
  return training_run_test::tensors_of(*run);
}

std::string run_error(const io::TensorFile& file) {
  base::Parallel parallel(1);
  return training_run_test::open_run(training_run_test::bytes_of(file), parallel).error;
}

TEST(RunInAFile, ClaimedSizesAreComparedBeforeTheyAreAllocated) {
  base::Parallel parallel(1);
  io::TensorFile file = run_file(TrainingTask::reverse, 2, parallel);
  EXPECT_EQ(run_error(file), "");
  Json state = Json::parse(file.metadata.at(training_entry));
  state["settings"]["training_d"] = "256", state["settings"]["training_layers"] = "6";
  state["settings"]["training_heads"] = "1";
  file.metadata[training_entry] = state.dump();
  const double before = peak_megabytes();
  EXPECT_THAT(run_error(file), HasSubstr("the tensor \"run1.weights.wte\" is not"));
  EXPECT_LT(peak_megabytes() - before, 20);
}

/// A moment that is no number, or below 0, would spoil the weights at the next step.
TEST(RunInAFile, NumbersThatNoStepLeavesAreNamed) {
  base::Parallel parallel(1);
  const io::TensorFile sound = run_file(TrainingTask::reverse, 3, parallel);
  const auto with = [&](const char* tensor, float value) {
    io::TensorFile file = sound;
    file.tensors.at(tensor).values[1] = value;
    return run_error(file);
  };
  EXPECT_EQ(with("run1.adam_m.lnf_g", 0.5f), "");
  EXPECT_THAT(with("run1.weights.lnf_g", nan),
              HasSubstr("\"run1.weights.lnf_g\" has 1 value that is not finite, at [0, 1]"));
  EXPECT_THAT(with("run1.adam_v.lnf_g", infinity), HasSubstr("\"run1.adam_v.lnf_g\" has 1 value"));
  EXPECT_THAT(with("run1.adam_v.lnf_g", -0.1f), HasSubstr("moments that no run produces"));
  EXPECT_THAT(with("run1.adam_m.lnf_g", 3e38f), HasSubstr("moments that no run produces"));
}

TEST(RunInAFile, TheTwoRelationsAreCheckedLikewise) {
  base::Parallel parallel(1);
  const io::TensorFile sound = run_file(TrainingTask::two_relations, 3, parallel);
  EXPECT_EQ(run_error(sound), "");
  const char* name = "2 heads, weights and moments";
  for (const float value : {nan, infinity, 3e38f}) {
    io::TensorFile file = sound;
    file.tensors.at(name).values[5] = value;
    EXPECT_THAT(run_error(file), HasSubstr(name));
  }
}

}  // namespace
}  // namespace headlight::scene
