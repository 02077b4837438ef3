// What is said of the model that comes with the program, measured on sentences that it was never trained on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <string>
#include <vector>

#include "base/embedded.h"
#include "pages/compute.h"
#include "scene/results.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/baseline_loss.h"
#include "tasks/task.h"

namespace headlight::scene {
namespace {

std::shared_ptr<const TrainedModel> shipped() {
  const auto model = model_at("");
  EXPECT_TRUE(model) << (model ? "" : model.error());
  return model ? *model : nullptr;
}

TEST(ShippedModel, IsSmallAndKnowsItsWords) {
  EXPECT_LE(base::embedded("models/small-english.safetensors").size(), 4u << 20);
  const auto model = shipped();
  ASSERT_TRUE(model);
  EXPECT_EQ(model->task, "english");
  EXPECT_EQ(model->encoder->vocabulary(), nn::english_task(model->config.context, 1)->encoding());
}

/// Other values for a field, as they are written.
template <class V>
std::vector<std::string> other_values(const Field& field, [[maybe_unused]] const V& value) {
  if constexpr (std::same_as<V, bool>) return {"true", "false"};
  if constexpr (std::same_as<V, int>)
    return {std::to_string(static_cast<int>(field.min)), std::to_string(static_cast<int>(field.max))};
  if constexpr (std::same_as<V, Word>) return {value.list().begin(), value.list().end()};
  return {};
}

TEST(ShippedModel, WhatItGivesIsWhatCannotBeChanged) {
  std::string unused;
  const Scene scene = first_scene(unused);
  ASSERT_EQ(scene.weights, WeightsSource::trained);
  int given = 0;
  fields(scene, [&](const Field& field, const auto& member) {
    const std::string_view name = field.name;
    if (name == "weights" || name == "seed") return;  // the seed is kept, and nothing is drawn with it
    if (!given_by_model(scene, name)) {
      EXPECT_NE(name, "d_model");
      return;
    }
    ++given;
    for (const std::string& value : other_values(field, member)) {
      Scene next = scene;
      ASSERT_TRUE(set_field(next, std::string(name) + "=" + value)) << name;
      repair(next);
      EXPECT_EQ(get_field(next, name), get_field(scene, name)) << name << "=" << value;
    }
  });
  EXPECT_GE(given, 7);
  EXPECT_TRUE(given_by_model(scene, "seed"));
  EXPECT_FALSE(given_by_model(scene, "temperature"));
  EXPECT_FALSE(given_by_model(scene, "no such setting"));
  Scene random = scene;
  random.weights = WeightsSource::random;
  EXPECT_FALSE(given_by_model(random, "heads"));
}

TEST(ShippedModel, PredictsHeldOutTextFarBetterThanABigramTable) {
  const auto model = shipped();
  ASSERT_TRUE(model);
  base::Parallel parallel(2);
  for (const std::uint64_t seed : {1, 77}) {  // other texts than those of its own seed too
    const auto task = nn::english_task(model->config.context, seed);
    const nn::TaskScore score = task->evaluate(model->config, model->weights, parallel);
    EXPECT_LT(score.validation_loss, 2.35) << seed;
    EXPECT_GT(tests::baseline_loss(*task), score.validation_loss + 0.7) << seed;
    EXPECT_GT(score.score, 0.98) << seed;  // the right form of the verb, across a noun of the other number
  }
}

TEST(ShippedModel, ItsHeadsHaveRoles) {
  const auto model = shipped();
  ASSERT_TRUE(model);
  base::Parallel parallel(2);
  const auto task = nn::english_task(model->config.context, 77);
  const nn::HeadScores scores = nn::head_scores(*task, model->config, model->weights, parallel, 128);
  const auto best = [&](const std::string& role) {
    const auto at = std::find(scores.roles.begin(), scores.roles.end(), role);
    EXPECT_NE(at, scores.roles.end()) << role;
    double most = 0;
    const int r = static_cast<int>(at - scores.roles.begin());
    for (int l = 0; l < model->config.layers; ++l) {
      for (int h = 0; h < model->config.heads; ++h) most = std::max(most, scores.mean.at(l, h, r));
    }
    return most;
  };
  EXPECT_GT(best("subject of the verb"), 0.8);
  EXPECT_GT(best("antecedent of the pronoun"), 0.6);
  EXPECT_GT(best("the name before"), 0.35);
  EXPECT_GT(best("previous token"), 0.3);
}

/// A subject head, not coreference: the sentences that tell the two apart.
TEST(ShippedModel, ItsHeadAttendsToTheSubjectAgainstNumberAndSense) {
  struct Try {
    const char* sentence;
    int pronoun;
  };
  for (const Try& one : {Try{"the animal does not cross the street because it is too tired .", 8},
                         Try{"the animals do not cross the street because it is small .", 8},
                         Try{"the animal does not cross the streets because they are small .", 8},
                         Try{"the boy opens the box because it is small .", 6}}) {
    Scene scene;
    scene.weights = WeightsSource::trained, scene.weights_file = "small-english";
    adopt_model(scene);
    scene.sentence = one.sentence, scene.weights_layer = 2;
    repair(scene);
    base::Parallel parallel(1);
    const auto results = compute_now(scene, parallel, nullptr);
    EXPECT_GT(results->attention.weights.at(2, one.pronoun, 1), 0.9f) << one.sentence;
  }
}

/// Where the subject is a pronoun itself, the head need not attend to it.
TEST(ShippedModel, ItsSubjectHeadFailsWhereTheSubjectIsAPronoun) {
  Scene scene;
  scene.weights = WeightsSource::trained, scene.weights_file = "small-english";
  adopt_model(scene);
  scene.sentence = "it is small because it is old .", scene.weights_layer = 2;
  repair(scene);
  base::Parallel parallel(1);
  const auto results = compute_now(scene, parallel, nullptr);
  const nn::Matrix& weights = results->attention.weights;
  EXPECT_GT(weights.at(2, 4, 3), 0.7f) << "the second it attends to because";
  EXPECT_LT(weights.at(2, 4, 0), 0.1f) << "not to the first";
}

/// "the keys to the old cabinet": about to write the verb, the last noun reads its subject across the other
/// one.
TEST(ShippedModel, TheVerbsNumberComesFromItsSubject) {
  const auto model = shipped();
  ASSERT_TRUE(model);
  base::Parallel parallel(1);
  const auto likelier = [&](const std::string& text, const std::string& a, const std::string& b) {
    nn::Batch batch;
    batch.tokens = model->encoder->encode(text);
    batch.B = 1, batch.T = static_cast<int>(batch.tokens.size());
    nn::ModelTrace trace;
    nn::model_forward(model->config, model->weights, batch, parallel, trace);
    const auto row = trace.logits.row(batch.T - 1);
    return row[static_cast<std::size_t>(model->encoder->encode(a).front())] >
           row[static_cast<std::size_t>(model->encoder->encode(b).front())];
  };
  EXPECT_TRUE(likelier("the keys to the old cabinet", "are", "is"));
  EXPECT_TRUE(likelier("the key to the old cabinets", "is", "are"));
}

}  // namespace
}  // namespace headlight::scene
