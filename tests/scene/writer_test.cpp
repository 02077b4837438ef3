// Writing on: each token is what the model's whole pass over the text so far gives, and the scene with it is
// cut into just these tokens.
#include "pages/model/writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "models/opened_model.h"
#include "pages/model/changed_run.h"
#include "scene/layer_input.h"
#include "scene/other_model.h"
#include "scene/settings.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "support/whole_model.h"
#include "train/model.h"

namespace headlight::scene::writer_test {
namespace {

int largest(std::span<const float> logits) {
  return static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

std::vector<int> ids_of(const Scene& scene) {
  std::vector<int> ids;
  for (const nn::Token& token : tokens_of(scene)) ids.push_back(token.piece);
  return ids;
}

Scene scene_of(const std::string& model, const std::string& sentence) {
  Scene scene;
  scene.page = Page::model;
  EXPECT_TRUE(set_field(scene, "model=" + model));
  scene.sentence = sentence;
  repair(scene);
  return scene;
}

TEST(Writer, AnOwnModelWritesItsMostProbableTokens) {
  base::Parallel parallel(1);
  for (const char* name : {"small-english", "dictionary"}) {
    SCOPED_TRACE(name);
    Scene scene = scene_of(name, "the cat");
    scene.model.top_k = 1;
    const auto model = *model_of(scene);
    Writer writer(model, *write_rules(scene, *model));
    for (int n = 0; n < 8; ++n) {
      nn::Batch batch;
      batch.tokens = ids_of(scene), batch.B = 1, batch.T = static_cast<int>(batch.tokens.size());
      nn::ModelTrace trace;
      nn::model_forward(model->config, model->weights, batch, parallel, trace);
      const auto id = writer.next(batch.tokens, parallel);
      ASSERT_TRUE(id) << id.error();
      EXPECT_EQ(*id, largest(trace.logits.row(batch.T - 1)));
      const Scene next = written_on(scene, *model, batch.tokens, *id);
      std::vector<int> wanted = batch.tokens;
      wanted.push_back(*id);
      EXPECT_EQ(ids_of(next), wanted) << next.sentence;
      EXPECT_TRUE(next.sentence.starts_with(scene.sentence)) << next.sentence;
      EXPECT_EQ(next.query, (IndexList{batch.T}));
      scene = next;
    }
  }
}

TEST(Writer, DrawsDependOnSeedAndPositionAlone) {
  base::Parallel parallel(1);
  Scene scene = scene_of("dictionary", "a large animal");
  const auto model = *model_of(scene);
  const auto written = [&](const Scene& from, bool anew) {
    Scene now = from;
    Writer one(model, *write_rules(now, *model));
    for (int n = 0; n < 6; ++n) {
      if (anew) one = Writer(model, *write_rules(now, *model));
      const std::vector<int> ids = ids_of(now);
      now = written_on(now, *model, ids, *one.next(ids, parallel));
    }
    return now.sentence;
  };
  const std::string first = written(scene, false);
  EXPECT_EQ(first, written(scene, true)) << "one step at a time is the same";
  scene.model.seed = 2;
  EXPECT_NE(first, written(scene, false));
}

TEST(Writer, HeadsThatAreOffWriteAnotherText) {
  base::Parallel parallel(1);
  Scene scene = scene_of("dictionary", "a large animal");
  scene.model.off = "1.1";
  const auto model = *model_of(scene);
  const std::vector<int> ids = ids_of(scene);
  nn::Batch batch;
  batch.tokens = ids, batch.B = 1, batch.T = static_cast<int>(ids.size());
  scene.model.top_k = 1;
  nn::ModelTrace trace;
  nn::model_forward(model->config, with_factors(*model, {{0, 0, 0}}), batch, parallel, trace);
  EXPECT_EQ(*Writer(model, *write_rules(scene, *model)).next(ids, parallel),
            largest(trace.logits.row(batch.T - 1)));
  scene.model.off = "9.9";
  const auto wrong = write_rules(scene, *model);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().find("model_off 9.9: there "), 0u);
}

TEST(Writer, AnOpenedModelWritesWithItsCacheWhatItsWholePassGives) {
  const tests::ReferenceData& data = tests::ReferenceData::instance();
  const tests::ScratchFolder folder;
  base::Parallel parallel(1);
  for (const std::string family : {"tiny-gpt2", "models/llama"}) {
    SCOPED_TRACE(family);
    const nlohmann::json manifest = data.json(data.models() + family + "/manifest.json");
    Scene scene;
    scene.page = Page::model;
    ASSERT_TRUE(set_field(
        scene,
        "model=" + tests::whole_model(family, manifest["variants"][0]["dir"], folder.path()).string()));
    scene.token_ids = manifest["cases"][0]["input_ids"].get<std::vector<int>>();
    repair(scene);
    scene.model.top_k = 1;
    const auto model = *model_of(scene);
    const models::OpenedModel& opened = *model->other->model;
    Writer writer(model, *write_rules(scene, *model));
    for (int n = 0; n < 4; ++n) {
      const std::vector<int> ids = ids_of(scene);
      nn::NetworkTrace trace;
      ASSERT_TRUE(nn::network_forward(opened.network, opened.weights, {.ids = ids}, parallel, trace));
      const auto id = writer.next(ids, parallel);
      ASSERT_TRUE(id) << id.error();
      const int wanted = largest(trace.logits.row(trace.logits.rows() - 1));
      if (*id < 0) {  // it ended the text
        EXPECT_NE(std::find(opened.eos.begin(), opened.eos.end(), wanted), opened.eos.end());
        break;
      }
      EXPECT_EQ(*id, wanted);
      scene = written_on(scene, *model, ids, *id);
      std::vector<int> all = ids;
      all.push_back(*id);
      EXPECT_EQ(ids_of(scene), all);
    }
  }
}

TEST(Writer, ATrainedModelTellsTheStoryOfTheReference) {
  const char* models = std::getenv("HEADLIGHT_MODELS");
  const std::filesystem::path stories =
      (models && *models ? std::filesystem::path(models)
                         : std::filesystem::path(HEADLIGHT_SOURCE_DIR) / ".." / "shared" / "models") /
      "stories260K";
  if (!std::filesystem::exists(stories / "hf")) GTEST_SKIP() << stories << " is not there";
  Scene scene = scene_of((stories / "hf").string(), "Once upon a time");
  scene.model.top_k = 1;
  const auto model = *model_of(scene);
  Writer writer(model, *write_rules(scene, *model));
  base::Parallel parallel(1);
  for (int n = 0; n < 30; ++n) {
    const std::vector<int> ids = ids_of(scene);
    const auto id = writer.next(ids, parallel);
    ASSERT_TRUE(id) << id.error();
    scene = written_on(scene, *model, ids, *id);
  }
  EXPECT_TRUE(
      scene.sentence.starts_with("Once upon a time, there was a little girl named Lily. She loved to play"))
      << scene.sentence;
}

TEST(Writer, WherePositionsChangeWithTheLengthTheWholeTextIsComputedAnew) {
  base::Parallel parallel(1);
  const tests::ReferenceData& data = tests::ReferenceData::instance();
  const auto folder = data.on_disk(data.models() + "models/llama-dynamic") / "f32-old-key";
  const auto other = open_other_model(folder);
  ASSERT_TRUE(other) << other.error();
  const models::OpenedModel& opened = *other->model;
  ASSERT_FALSE(nn::has_steps(opened.network))
      << "a text beyond 12 tokens changes the frequencies of its RoPE";
  TrainedModel of;
  of.other = std::make_shared<const OtherModel>(*other);
  const auto model = std::make_shared<const TrainedModel>(std::move(of));
  for (const std::vector<nn::HeadFactor>& factors :
       {std::vector<nn::HeadFactor>{}, {{0, 1, 0.0}, {1, 2, 0.0}}}) {
    Writer writer(model, {{.temperature = 0}, 1, factors});
    std::vector<int> ids{1, 142, 102, 87, 161, 151, 324, 447, 377, 440};  // 10; beyond 12 RoPE changes
    for (int n = 0; n < 8; ++n) {
      nn::NetworkTrace trace;
      ASSERT_TRUE(nn::network_forward(opened.network, opened.weights, {.ids = ids, .factors = factors},
                                      parallel, trace));
      const int wanted = largest(trace.logits.row(trace.logits.rows() - 1));
      const auto id = writer.next(ids, parallel);
      ASSERT_TRUE(id) << id.error();
      ASSERT_EQ(*id, wanted) << n;
      ids.push_back(wanted);
    }
  }
}

TEST(Writer, WhatCannotBeContinuedSaysWhy) {
  base::Parallel parallel(1);
  const tests::ReferenceData& data = tests::ReferenceData::instance();
  const tests::ScratchFolder folder;
  const nlohmann::json manifest = data.json(data.models() + "tiny-bert/manifest.json");
  Scene bert;
  bert.page = Page::model;
  ASSERT_TRUE(set_field(
      bert,
      "model=" + tests::whole_model("tiny-bert", manifest["variants"][0]["dir"], folder.path()).string()));
  const auto masked = *model_of(bert);
  const auto no = Writer(masked, *write_rules(bert, *masked)).next({1, 2}, parallel);
  ASSERT_FALSE(no);
  EXPECT_NE(no.error().find("is not causal, so it cannot continue a text"), std::string::npos) << no.error();
  const Scene pronouns = scene_of("pronouns-guided", "the cat");
  const auto model = *model_of(pronouns);
  const auto other = Writer(model, *write_rules(pronouns, *model)).next({1, 2}, parallel);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().find("does not predict the next token"), std::string::npos);
}

}  // namespace
}  // namespace headlight::scene::writer_test
