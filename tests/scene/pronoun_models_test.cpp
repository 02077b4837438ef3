// The two models of pronoun sentences that come with the program, and what is said of them: measured on
// sentences that they were never trained on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/embedded.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "scene/model_answers.h"
#include "scene/results.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/baseline_loss.h"
#include "tasks/task.h"

namespace headlight::scene {
namespace {

using testing::HasSubstr;

std::shared_ptr<const TrainedModel> included(const std::string& name) {
  const auto model = model_at(name);
  EXPECT_TRUE(model) << (model ? "" : model.error());
  return model ? *model : nullptr;
}

Scene scene_with(const std::string& name, const std::string& sentence) {
  Scene scene;
  scene.weights = WeightsSource::trained, scene.weights_file = name;
  adopt_model(scene);
  scene.sentence = sentence, scene.weights_layer = 2;
  repair(scene);
  return scene;
}

std::shared_ptr<Results> computed(const Scene& scene) {
  base::Parallel parallel(1);
  auto results = compute_now(scene, parallel, nullptr);
  EXPECT_EQ(results->weights_problem, "");
  return results;
}

TEST(IncludedModels, HaveNamesAndAreSmall) {
  for (const char* name : included_models()) EXPECT_TRUE(included(name)) << name;
  EXPECT_EQ(included(""), included("small-english"));
  std::size_t bytes = 0;
  for (const std::string name : {"pronouns-guided", "pronouns-free"}) {
    const auto model = included(name);
    ASSERT_TRUE(model);
    EXPECT_EQ(model->task, "pronouns");
    EXPECT_FALSE(model->config.causal);
    EXPECT_EQ(model->encoder->vocabulary(), nn::pronoun_task(1)->encoding());
    bytes += base::embedded("models/" + name + ".safetensors").size();
  }
  EXPECT_LE(bytes, 1'000'000u);
  EXPECT_EQ(included("pronouns-guided")->guide, (nn::Guide{1, 0, 0.3}));
  EXPECT_EQ(included("pronouns-free")->guide.weight, 0);
  EXPECT_FALSE(model_at("pronouns"));
}

/// By name in a scene, whichever way its weights are asked for, and through a file of the scene.
TEST(IncludedModels, AreChosenByNameInAScene) {
  for (const WeightsSource source : {WeightsSource::trained, WeightsSource::file}) {
    Scene scene;
    scene.weights = source, scene.weights_file = "pronouns-free";
    adopt_model(scene);
    repair(scene);
    EXPECT_EQ(scene.d_model, 48);
    EXPECT_FALSE(scene.mask.causal);
    EXPECT_EQ(computed(scene)->model, included("pronouns-free"));
  }
}

TEST(PronounModels, AnswerHeldOutCombinations) {
  base::Parallel parallel(2);
  for (const char* name : {"pronouns-guided", "pronouns-free"}) {
    const auto model = included(name);
    ASSERT_TRUE(model);
    for (const std::uint64_t seed : {2, 77}) {  // other sentences than those of its own seed, too
      const auto task = nn::pronoun_task(seed);
      const nn::TaskScore score = task->evaluate(model->config, model->weights, parallel);
      EXPECT_GE(score.score, 0.95) << name << ' ' << seed;
      EXPECT_LT(score.validation_loss, tests::baseline_loss(*task) / 4) << name << ' ' << seed;
    }
  }
}

/// The guided head shows the answer; without a guide no head does in more than half of the sentences or so,
/// though the answers are as good.
TEST(PronounModels, OnlyTheGuidedHeadShowsTheAnswer) {
  const auto guided = pronoun_measure(included("pronouns-guided")),
             free = pronoun_measure(included("pronouns-free"));
  ASSERT_TRUE(guided && free);
  EXPECT_GE(guided->sentences, 300);
  EXPECT_GE(guided->right, 0.95);
  EXPECT_GE(free->right, 0.95);
  EXPECT_GE(guided->heads.at(1, 0), 0.9);
  EXPECT_LT(*std::max_element(free->heads.values().begin(), free->heads.values().end()), 0.6);
  for (const auto& measure : {guided, free}) {  // the same sentences
    EXPECT_LT(measure->subject, 0.6);
    EXPECT_LT(measure->nearest, 0.6);
  }
  EXPECT_EQ(pronoun_measure(included("small-english")), nullptr);
  EXPECT_EQ(pronoun_measure(nullptr), nullptr);
}

/// What a first start shows and says: a guided head; and what to type does what it says.
TEST(PronounModels, TheFirstSceneIsWhatItsLineSays) {
  std::string look_at;
  Scene scene = first_scene(look_at);
  EXPECT_THAT(look_at, testing::AllOf(HasSubstr("guided"), HasSubstr("animal"), HasSubstr("street"),
                                      HasSubstr("wide"), HasSubstr("tired")));
  EXPECT_EQ(scene.weights_file, "pronouns-guided");
  EXPECT_EQ(scene.sentence, "the animal did not cross the street because it was too tired");
  ASSERT_TRUE(check(scene));
  const auto attended = [&] {
    const auto results = computed(scene);
    const int query = scene.query.back(), head = scene.head.front() - 1;
    EXPECT_EQ(results->tokens[static_cast<std::size_t>(query)].text, "it");
    EXPECT_TRUE(results->guided(head));
    EXPECT_EQ(std::count(results->known.begin(), results->known.end(), 0), 0);
    const auto row = results->attention.weights.row(head, query);
    const auto most = std::max_element(row.begin(), row.end());
    EXPECT_GT(*most, 0.9f);
    const std::string key = results->tokens[static_cast<std::size_t>(most - row.begin())].text;
    EXPECT_EQ(results->answers.at(0).text, key);
    EXPECT_GT(results->answers.at(0).probability, 0.9);
    return key;
  };
  EXPECT_EQ(attended(), "animal");
  scene.sentence = "the animal did not cross the street because it was too wide";
  EXPECT_EQ(attended(), "street");
  scene.sentence += " .";
  EXPECT_EQ(attended(), "street");
  scene.sentence = "The animal did not cross the street because it was too tired.";
  EXPECT_EQ(attended(), "animal");
}

/// Sentences as a person would try them, with what is meant.
TEST(PronounModels, NaturalSentences) {
  const std::vector<std::pair<std::string, std::string>> tries = {
      {"the animals did not cross the street because it was too wide", "street"},
      {"the animals did not cross the street because they were too tired", "animals"},
      {"the animal does not cross the streets because they are small .", "streets"},
      {"the boy opens the box because it is small .", "box"},
      {"the boy opens the box because he is small .", "boy"},
      {"the girl did not lift the boy because she was tired", "girl"},
      {"the street was not crossed by the animal because it was too tired", "animal"},
      {"because it was too wide , the animal did not cross the street", "street"},
      {"the dog ate the cake because it was hungry", "dog"},
      {"the dog ate the cake because it was sweet", "cake"},
      {"the man helped the woman because she was tired", "woman"}};
  for (const auto& [sentence, meant] : tries) {
    const auto results = computed(scene_with("pronouns-guided", sentence));
    ASSERT_EQ(results->answers.size(), 1u) << sentence;
    EXPECT_EQ(results->answers[0].text, meant) << sentence;
    const auto row = results->attention.weights.row(0, results->answers[0].query);
    const auto most = std::max_element(row.begin(), row.end());
    EXPECT_EQ(results->tokens[static_cast<std::size_t>(most - row.begin())].text, meant) << sentence;
    EXPECT_GT(*most, 0.8f) << sentence;
  }
}

TEST(PronounModels, TheGuideAndTheAnswerAreRemarked) {
  Scene scene = scene_with("pronouns-guided", "the dog ate the cake because it was hungry");
  auto results = computed(scene);
  EXPECT_TRUE(results->guided(0));
  EXPECT_FALSE(results->guided(1));
  EXPECT_THAT(results->remarks,
              testing::ElementsAre("head 1 of layer 2 was guided during training (weight 0.3)",
                                   testing::StartsWith("the model’s answer at “it” 6: “dog”, probability ")));
  EXPECT_THAT(results->remarks.back(), testing::Not(HasSubstr("not in the sentence")));
  // It chooses among all nouns that it knows.
  const auto elsewhere = computed(scene_with("pronouns-guided", "it slept because the old robot was tired"));
  ASSERT_FALSE(elsewhere->answers.empty());
  const std::string answer = elsewhere->answers.front().text;
  ASSERT_TRUE(std::none_of(elsewhere->tokens.begin(), elsewhere->tokens.end(), [&](const nn::Token& token) {
    return token.text == answer;
  })) << answer;
  EXPECT_THAT(elsewhere->remarks,
              testing::Contains(testing::EndsWith(", a word that is not in the sentence")));
  scene.weights_layer = 1;
  EXPECT_FALSE(computed(scene)->guided(0));
  scene = scene_with("pronouns-free", scene.sentence);
  results = computed(scene);
  EXPECT_FALSE(results->guided(0));
  EXPECT_THAT(results->remarks, testing::ElementsAre(HasSubstr("answer at “it”")));
  // Another model answers nothing at a pronoun, and nothing of the one before stays.
  scene = scene_with("small-english", "the dog is old because it works .");
  base::Parallel parallel(1);
  results = compute_now(scene, parallel, nullptr, results);
  EXPECT_THAT(results->remarks, testing::IsEmpty());
  EXPECT_THAT(results->answers, testing::IsEmpty());
}

TEST(PronounModels, UnknownWordsAreNamed) {
  const auto results =
      computed(scene_with("pronouns-guided", "the zebra did not cross the canal because it was too wide"));
  EXPECT_THAT(results->remarks,
              testing::Contains(HasSubstr("“zebra”, “canal” are not in the model’s vocabulary")));
  EXPECT_TRUE(results->unknown(1));
  EXPECT_FALSE(results->unknown(0));
}

/// The whole model answers as it was trained, whatever the scene does to the layer that is shown.
TEST(PronounModels, AnswersDoNotDependOnWhatIsShown) {
  Scene scene = scene_with("pronouns-free", "the dog ate the cake because it was hungry");
  const double before = computed(scene)->answers.at(0).probability;
  scene.mask.causal = true, scene.temperature = 3, scene.weights_layer = 1;
  EXPECT_EQ(computed(scene)->answers.at(0).probability, before);
  scene.sentence = "the dog ate the cake";
  EXPECT_THAT(computed(scene)->answers, testing::IsEmpty());
  scene.sentence = "";
  EXPECT_THAT(computed(scene)->answers, testing::IsEmpty());
}

TEST(PronounModels, AreQuantities) {
  Scene scene = scene_with("pronouns-guided", "the dog ate the cake because it was hungry");
  const auto results = computed(scene);
  const auto value = [&](const char* text) {
    const auto quantity = parse_quantity(text);
    EXPECT_TRUE(quantity) << text;
    return quantity_value(*quantity, {scene, *results});
  };
  EXPECT_GT(value("answer query=6 key=1"), 0.9);
  EXPECT_LT(value("answer query=6 key=4"), 0.1);
  EXPECT_TRUE(std::isnan(value("answer query=5 key=1")));
  EXPECT_TRUE(std::isnan(value("answer query=6 key=99")));
  EXPECT_EQ(value("held_out_shown layer=2 head=1"), pronoun_measure(results->model)->heads.at(1, 0));
  EXPECT_TRUE(std::isnan(value("held_out_shown layer=3 head=1")));
  EXPECT_EQ(value("held_out_right"), pronoun_measure(results->model)->right);
  scene = scene_with("small-english", scene.sentence);
  const auto other = computed(scene);
  const auto right = parse_quantity("held_out_right");
  EXPECT_TRUE(std::isnan(quantity_value(*right, {scene, *other})));
}

}  // namespace
}  // namespace headlight::scene
