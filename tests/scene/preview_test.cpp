// What is shown of a long sentence before it is computed is what will be computed.
#include "scene/preview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pages/compute.h"
#include "scene/layer_input.h"
#include "scene/model_file.h"
#include "scene/settings.h"
#include "scene/shown.h"
#include "support/model_files.h"
#include "support/scratch_folder.h"

namespace headlight::scene {
namespace {

const std::string sentence = "the cat sat on the mat . on the mat the cat sat . the end";

/// The row of every query is that of compute(), but for rounding.
void expect_same_rows(Scene scene, const std::string& what) {
  repair(scene);
  base::Parallel parallel(1);
  scene.query = {0};
  const auto results = compute_now(scene, parallel, nullptr);
  const nn::AttentionTrace& whole = results->attention;
  ASSERT_GT(whole.T, 10) << what;
  for (int query = 0; query < whole.T; ++query) {
    scene.query = {1, query};
    const auto preview = compute_preview({scene, OneModel(scene)}, parallel);
    ASSERT_EQ(preview->query, query) << what;
    ASSERT_EQ(preview->why, "") << what;
    ASSERT_EQ(preview->tokens.size(), results->tokens.size()) << what;
    ASSERT_EQ(preview->known, results->known) << what;
    ASSERT_EQ(preview->allowed, whole.allowed[static_cast<std::size_t>(query)]) << what;
    ASSERT_EQ(preview->rows.rows(), whole.heads) << what;
    for (int head = 0; head < whole.heads; ++head) {
      for (int key = 0; key < whole.S; ++key) {
        ASSERT_NEAR(preview->rows.at(head, key), whole.weights.at(head, query, key), 2e-6)
            << what << ": head " << head << ", query " << query << ", key " << key;
      }
    }
  }
}

TEST(Preview, RowsAreThoseOfTheComputationWhateverIsSet) {
  const char* const sets[] = {"seed=3",
                              "heads=1",
                              "d_model=12",
                              "scale=false",
                              "temperature=0.2",
                              "temperature=7.5",
                              "position=none",
                              "position=sinusoidal",
                              "position=sinusoidal_concat",
                              "position_scale=0.3",
                              "position_offset=500",
                              "position_base=12.5",
                              "tokenizer=chars",
                              "mask=causal",
                              "mask=window",
                              "mask=valid_length",
                              "mask=causal+window",
                              "mask=window+valid_length",
                              "mask=causal+window+valid_length"};
  for (const char* const set : sets) {
    Scene scene;
    scene.sentence = sentence, scene.window = 3, scene.valid_length = 9;
    ASSERT_TRUE(set_field(scene, set)) << set << ": " << set_field(scene, set).error();
    expect_same_rows(scene, set);
  }
}

TEST(Preview, SoAreThoseOfAModelWithAnyPositions) {
  const tests::ScratchFolder folder;
  using P = nn::ModelPositions;
  for (const P positions : {P::none, P::sinusoidal, P::learned, P::rope, P::t5, P::alibi}) {
    for (const bool pre : {true, false}) {
      TrainedModel model = tests::small_model("m");
      model.config.positions = positions, model.config.context = 32;
      model.config.norm = pre ? nn::NormPlace::pre : nn::NormPlace::post;
      model.config.rope_pairs = pre ? nn::RopePairs::half : nn::RopePairs::interleaved;
      model.weights = nn::random_model(model.config, 5);
      int n = 0;
      nn::tensors(model.weights, [&](const std::string&, nn::Matrix& m) {
        for (float& w : m.values()) w = w * 1.5f + 0.1f * std::sin(static_cast<float>(++n));
      });
      const auto path =
          folder / (std::to_string(static_cast<int>(positions)) + (pre ? "pre" : "post") + ".safetensors");
      tests::write_model(path, model);
      Scene scene;
      scene.weights = WeightsSource::file, scene.weights_file = path.string(), scene.sentence = sentence;
      adopt_model(scene);
      scene.temperature = 0.7;
      expect_same_rows(scene, path.filename().string());
      scene.mask = {}, scene.mask.window = true;
      expect_same_rows(scene, path.filename().string() + ", window");
    }
  }
}

TEST(Preview, BehindTheFirstLayerThereAreTokensAndAReason) {
  const tests::ScratchFolder folder;
  tests::write_model(folder / "m.safetensors", tests::small_model("m"));
  Scene scene;
  scene.weights = WeightsSource::file, scene.weights_file = (folder / "m.safetensors").string();
  scene.sentence = sentence, scene.weights_layer = 2;
  adopt_model(scene);
  scene.weights_layer = 2;
  repair(scene);
  base::Parallel parallel(1);
  const auto preview = compute_preview({scene, OneModel(scene)}, parallel);
  EXPECT_FALSE(preview->tokens.empty());
  EXPECT_TRUE(preview->rows.empty());
  EXPECT_EQ(preview->why, "layer 2 needs the layers before it for every token");
}

TEST(EarlyMap, IsTheMapOfTheHeadsOnShowAndComesBeforeTheRest) {
  for (const char* const set : {"head=3", "head=1", "head=4,2", "head="}) {
    for (const Combine combine : {Combine::mean, Combine::max}) {
      Scene scene;
      scene.sentence = sentence, scene.heads = 4, scene.combine = combine, scene.mask.causal = true;
      ASSERT_TRUE(set_field(scene, set)) << set;
      base::Parallel parallel(3);
      std::shared_ptr<const EarlyMap> map;
      float done = 0, at = -1;
      const auto results = compute_now(
          scene, parallel,
          [&](float fraction) {
            done = fraction;
            return true;
          },
          nullptr,
          [&](std::shared_ptr<const EarlyMap> early) {
            EXPECT_EQ(map, nullptr) << "once";
            map = std::move(early), at = done;
          });
      ASSERT_NE(map, nullptr) << set;
      EXPECT_LT(at, 0.7f) << "before anything is summed up";
      EXPECT_EQ(map->heads, heads_on_show(scene, 4)) << set;
      EXPECT_EQ(map->allowed, results->attention.allowed) << set;
      EXPECT_NE(map->version, results->version);
      const nn::Matrix whole = map_on_show(scene, results->attention);
      ASSERT_EQ(map->weights.values().size(), whole.values().size()) << set;
      for (std::size_t i = 0; i < whole.size(); ++i)
        ASSERT_EQ(map->weights.data()[i], whole.data()[i]) << set;
    }
  }
}

TEST(EarlyMap, TheOrderOfTheHeadsChangesNothing) {
  Scene scene;
  scene.sentence = sentence, scene.heads = 4;
  base::Parallel parallel(2);
  const auto plain = compute_now(scene, parallel, nullptr);
  scene.head = {4, 2};
  const auto ordered = compute_now(scene, parallel, nullptr, nullptr, [](std::shared_ptr<const EarlyMap>) {});
  for (std::size_t i = 0; i < plain->attention.weights.size(); ++i)
    ASSERT_EQ(plain->attention.weights.data()[i], ordered->attention.weights.data()[i]);
  for (std::size_t i = 0; i < plain->attention.output.size(); ++i)
    ASSERT_EQ(plain->attention.output.data()[i], ordered->attention.output.data()[i]);
}

TEST(Preview, AtTheEndsThereIsLessAndNothingBreaks) {
  base::Parallel parallel(1);
  Scene scene;
  scene.sentence = "";
  EXPECT_TRUE(compute_preview({scene, OneModel(scene)}, parallel)->tokens.empty());
  scene.sentence = sentence, scene.query = {};
  EXPECT_EQ(compute_preview({scene, OneModel(scene)}, parallel)->why, "no query is pinned");
  scene.query = {1000};
  const auto last = compute_preview({scene, OneModel(scene)}, parallel);
  EXPECT_EQ(last->query, static_cast<int>(last->tokens.size()) - 1);
  scene.heads = 32;
  scene.sentence.clear();
  for (int i = 0; i < max_tokens(32) + 10; ++i) scene.sentence += "a ";
  const auto cut = compute_preview({scene, OneModel(scene)}, parallel);
  EXPECT_EQ(static_cast<int>(cut->tokens.size()), max_tokens(32));
  EXPECT_EQ(static_cast<int>(cut->tokens_in_sentence), max_tokens(32) + 10);
}

}  // namespace
}  // namespace headlight::scene
