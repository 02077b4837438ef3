// A scene that names a model of another program: how its text and its list of tokens are cut, what is kept of
// it, layer by layer, and what pages that do not show it say.
#include "scene/other_model.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models/opened_model.h"
#include "opened_families.h"
#include "pages/compute.h"
#include "pages/opened_attention.h"
#include "pages/page.h"
#include "pages/tables.h"
#include "scene/layer_input.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/scratch_folder.h"
#include "tokenizers/open.h"

namespace headlight::scene::other_model_test {
namespace {

using nlohmann::json;
using tests::manifest;
using tests::path_of;
using tests::ReferenceData;
using tests::scene_with;

/// A tokenizer of so many letters, without one for unknown text.
std::shared_ptr<const tokenizers::Tokenizer> letters(const std::filesystem::path& folder, int count) {
  json vocabulary = json::object();
  for (int i = 0; i < count; ++i) vocabulary[std::string(1, static_cast<char>('A' + i))] = i;
  const json file = {
      {"model", {{"type", "WordLevel"}, {"vocab", vocabulary}, {"unk_token", "?"}}},
      {"pre_tokenizer",
       {{"type", "Split"}, {"pattern", {{"Regex", "."}}}, {"behavior", "Isolated"}, {"invert", false}}}};
  std::ofstream(folder / "tokenizer.json") << file.dump();
  const auto opened = tokenizers::open_tokenizer(folder);
  EXPECT_TRUE(opened) << opened.error();
  return opened ? *opened : nullptr;
}

TEST(OtherModel, AnIdBeyondTheVocabularyIsBlamedOnWhatGaveIt) {
  const tests::ScratchFolder folder;
  auto network = std::make_shared<models::OpenedModel>();
  network->network.vocabulary = 3;
  network->path = "tiny";
  const OtherModel other{network, letters(folder.path(), 4), {}};
  ASSERT_NE(other.tokenizer, nullptr);
  EXPECT_EQ(tokens_for(other, "ABC", {})->size(), 3u);
  const auto cut = tokens_for(other, "AD", {});
  ASSERT_FALSE(cut);
  EXPECT_EQ(
      cut.error(),
      "tiny: its tokenizer gives \"D\" the id 3, but the ids of the model are 0 to 2; use the tokenizer "
      "that belongs to the model, or give the numbers of the tokens as token_ids=5,17,2");
  const auto typed = tokens_for(other, "", {0, 3});
  ASSERT_FALSE(typed);
  EXPECT_EQ(typed.error(), "tiny has no token 3: its ids are 0 to 2");
}

TEST(OtherModel, AFolderOfWeightsAloneLacksItsConfig) {
  const tests::ScratchFolder folder;
  std::ofstream(folder / "model.safetensors") << "weights";
  const auto model = model_at(folder.path().string());
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().find("config.json: no such file"), std::string::npos) << model.error();
}

TEST(OtherModel, ASentenceThatItCannotCutBecomesOneOfItsTokens) {
  const tests::ScratchFolder folder;
  auto network = std::make_shared<models::OpenedModel>();
  network->network.vocabulary = 3;
  TrainedModel model;
  auto other = std::make_shared<OtherModel>(OtherModel{network, letters(folder.path(), 3), {}});
  ASSERT_NE(other->tokenizer, nullptr);
  model.other = other;
  Scene scene;
  scene.sentence = "the cat";
  adopt_model(scene, model);
  EXPECT_EQ(scene.sentence, "ABCABCAB");
  EXPECT_TRUE(scene.token_ids.empty()) << "so that it can be typed over";
  EXPECT_EQ(tokens_for(*other, scene.sentence, {})->size(), 8u);
  scene.sentence = "CAB";
  adopt_model(scene, model);
  EXPECT_EQ(scene.sentence, "CAB") << "what it can read stays";
  scene.sentence = "the cat", scene.token_ids = {2, 1};
  adopt_model(scene, model);
  EXPECT_EQ(scene.sentence, "the cat") << "the ids are what is shown";

  const std::string no_token =
      "the tokenizer’s vocabulary has no token for \"d\" and no token for unknown text; ";
  EXPECT_EQ(tokens_for(*other, "CABd", {}).error(), no_token + "write it with \"A\", \"B\" and \"C\" alone");
  const OtherModel many{network, letters(folder.path(), 20), {}};
  EXPECT_EQ(tokens_for(many, "CABd", {}).error(),
            no_token + "change the text, or give the numbers of the tokens as token_ids=5,17,2");
}

/// A list of tokens is found in the vocabulary however it was written: entries, what Headlight shows, and the
/// text of each id by itself.
TEST(OtherModel, TokensThatWereWrittenDownAreFoundInTheVocabulary) {
  int compared = 0;
  for (const char* kind :
       {"gpt2", "llama2", "llama3", "mistral", "qwen2", "unigram", "wordpiece", "roberta"}) {
    SCOPED_TRACE(kind);
    const auto tokenizer =
        tokenizers::open_tokenizer(ReferenceData::instance().on_disk(std::string("tokenizers/") + kind));
    if (!tokenizer) continue;
    auto network = std::make_shared<models::OpenedModel>();
    network->network.vocabulary = (*tokenizer)->size();
    const OtherModel model{network, *tokenizer, {}};
    const auto tokens = tokens_for(model, "The cat sat on the mat, because it was tired. Übung 42\n", {});
    ASSERT_TRUE(tokens) << tokens.error();
    std::vector<int> ids;
    std::vector<std::string> entries, shown, texts;
    for (const nn::Token& token : *tokens) {
      ids.push_back(token.piece);
      entries.push_back((*tokenizer)->entry(token.piece));
      shown.push_back(token.text);
      const int one[] = {token.piece};
      texts.push_back((*tokenizer)->decode(one));
    }
    EXPECT_EQ(ids_of_tokens(model, entries), ids);
    EXPECT_EQ(ids_of_tokens(model, shown), ids);
    // Texts of SentencePiece's tokens have lost their space, those of WordPiece their signs.
    const std::string name = kind;
    if (name == "gpt2" || name == "llama3" || name == "qwen2" || name == "roberta") {
      EXPECT_EQ(ids_of_tokens(model, texts), ids);
    }
    shown.front() = "no such token, ever";
    EXPECT_TRUE(ids_of_tokens(model, shown).empty());
    ++compared;
  }
  EXPECT_TRUE(compared >= 6 || !std::filesystem::exists(ReferenceData::instance().on_disk("tokenizers")))
      << compared;
}

class OpenedScene : public testing::Test {
 protected:
  json manifest_ = manifest("tiny-gpt2");
  std::string path_ = path_of("tiny-gpt2", manifest_["variants"][0]);
  base::Parallel parallel_{1};
};

TEST_F(OpenedScene, TheSentenceIsCutByItsOwnTokenizer) {
  const json one = manifest_["cases"][0];
  Scene scene = scene_with(path_, {});
  scene.sentence = one["text"];
  const auto results = compute_now(scene, parallel_, nullptr);
  ASSERT_EQ(results->failure, "");
  std::vector<int> ids;
  for (const nn::Token& token : results->tokens) ids.push_back(token.piece);
  EXPECT_EQ(ids, one["input_ids"].get<std::vector<int>>());
  bool blank = false;
  for (const nn::Token& token : results->tokens) blank = blank || token.text.find("␣") != std::string::npos;
  EXPECT_TRUE(blank) << "spaces are seen";
  EXPECT_EQ(count_tokens(scene), ids.size());
}

TEST_F(OpenedScene, TheModelSurvivesTheFileOfTheScene) {
  Scene scene = scene_with(path_, {1, 2, 3});
  scene.weights_layer = 2, scene.head = {2};
  repair(scene);
  const auto back = from_json(to_json(scene), "here");
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(*back, scene);
  EXPECT_TRUE(shown_other_model(*back));
}

TEST_F(OpenedScene, OneWordNamesEveryKindOfModel) {
  Scene scene;
  ASSERT_TRUE(set_field(scene, "model=pronouns-free"));
  EXPECT_EQ(scene.weights, WeightsSource::trained);
  ASSERT_TRUE(set_field(scene, "model=" + path_));
  EXPECT_EQ(scene.weights, WeightsSource::file);
  EXPECT_EQ(scene.weights_file, path_);
  ASSERT_TRUE(set_field(scene, "model=random"));
  EXPECT_EQ(scene.weights, WeightsSource::random);
  EXPECT_FALSE(set_field(scene, "model="));
}

TEST_F(OpenedScene, WhatCannotBeComputedIsOneLine) {
  const auto failure = [&](const Scene& scene) {
    const auto results = compute_now(scene, parallel_, nullptr);
    EXPECT_TRUE(results->tokens.empty());
    EXPECT_EQ(results->failure.find('\n'), std::string::npos);
    return results->failure;
  };
  EXPECT_NE(failure(scene_with(path_, {0, 99999999})).find("has no token 99999999"), std::string::npos);
  Scene scene = scene_with(path_, {});
  scene.sentence = "\xff\xfe";
  EXPECT_NE(failure(scene).find("UTF-8"), std::string::npos);
  // No text is no mistake.
  scene.sentence.clear();
  EXPECT_EQ(failure(scene), "");
}

TEST_F(OpenedScene, TextBeyondItsPositionsIsLeftOut) {
  const int most = other_model(scene_with(path_, {}))->model->network.most_tokens;
  ASSERT_GT(most, 0);
  const auto results = compute_now(scene_with(path_, std::vector<int>(static_cast<std::size_t>(most) + 3, 5)),
                                   parallel_, nullptr);
  EXPECT_EQ(results->failure, "");
  EXPECT_EQ(results->attention.T, most);
  EXPECT_EQ(results->tokens_in_sentence, static_cast<std::size_t>(most) + 3);
}

/// Every page computes something and stops nothing; those that cannot show the model say so.
TEST_F(OpenedScene, OtherPagesSayThatTheirNumbersAreNotItsOwn) {
  for (const PageRoom* room : rooms()) {
    Scene scene = scene_with(path_, {1, 2, 3});
    scene.page = room->page;
    repair(scene);
    const auto results = compute_now(scene, parallel_, nullptr);
    const bool shown = shows_other_models(room->page);
    EXPECT_EQ(results->opened != nullptr, shown) << room->title;
    if (shown || room->uses(scene).model == PageUses::Model::none) continue;
    EXPECT_EQ(results->remarks, std::vector<std::string>{results->instead}) << room->title;
    EXPECT_EQ(results->instead.find("This page shows the typed sentence with random weights, seed 7: "), 0U)
        << results->instead;
    EXPECT_NE(results->instead.find("Choose Attention, Model or Compare for "), std::string::npos);
    EXPECT_EQ(results->weights_source, "random weights, seed 7");
  }
}

TEST_F(OpenedScene, ResultsOfOneModelAreNotTakenForThoseOfAnother) {
  Scene scene = scene_with(path_, {1, 2, 3});
  const std::string opened = key(scene);
  scene.page = Page::training;
  EXPECT_NE(key(scene), opened) << "this page does not show it";
  scene.page = Page::attention, scene.token_ids = {1, 2};
  EXPECT_NE(key(scene), opened);
  // Buffers that served a capped layer serve one without a cap.
  const json gemma = manifest("models/gemma2");
  auto results =
      compute_now(scene_with(path_of("models/gemma2", gemma["variants"][0]), {1, 2, 3}), parallel_, nullptr);
  EXPECT_GT(results->attention.score_cap, 0);
  results = compute_now(Scene{}, parallel_, nullptr, std::move(results));
  EXPECT_EQ(results->attention.score_cap, 0);
  EXPECT_FALSE(results->opened);
}

/// Chosen behind another one, a layer has the bits that it has by itself, and only what is new is computed.
TEST_F(OpenedScene, AnotherLayerOfTheSameTextBeginsAtTheNearestState) {
  const auto model = model_at(path_);
  ASSERT_TRUE(model) << model.error();
  const OtherModel& other = *(*model)->other;
  const int last = layers_of(other) - 1;
  ASSERT_GT(last, 0);
  const std::vector<int> ids = {5, 1, 4, 2, 3};
  int layers = 0;
  const auto count = [&](float) { return ++layers, true; };
  const auto numbers = [&](int layer) {
    layers = 0;
    const auto pass = opened_pass(other, layer, ids, parallel_, count);
    EXPECT_TRUE(pass);
    std::vector<float> out;
    const nn::AttentionTrace& trace = (*pass)->trace;
    for (const nn::Matrix* one : {&(*pass)->x, &trace.q, &trace.k, &trace.v, &trace.weights, &trace.context,
                                  &trace.output, &trace.row_max, &trace.row_sum})
      out.insert(out.end(), one->values().begin(), one->values().end());
    return out;
  };
  std::vector<std::vector<float>> alone;
  for (int l = 0; l <= last; ++l) {
    forget_opened();
    alone.push_back(numbers(l));
    EXPECT_EQ(layers, l + 1);
  }
  forget_opened();
  EXPECT_EQ(numbers(0), alone[0]);
  EXPECT_EQ(numbers(last), alone[static_cast<std::size_t>(last)]);
  EXPECT_EQ(layers, last + 1) << "layer 0 is run once more, for what it returns";
  EXPECT_EQ(numbers(0), alone[0]);
  EXPECT_EQ(layers, 0) << "kept";
  // The page that shows every head has run them all.
  forget_opened();
  Scene scene = scene_with(path_, ids);
  scene.page = Page::model;
  compute_now(scene, parallel_, nullptr);
  EXPECT_EQ(numbers(last), alone[static_cast<std::size_t>(last)]);
  EXPECT_EQ(layers, 1);
  // Another text has nothing of this one.
  scene.token_ids.push_back(1);
  compute_now(scene, parallel_, nullptr);
  EXPECT_EQ(numbers(last), alone[static_cast<std::size_t>(last)]);
}

TEST_F(OpenedScene, TablesHoldItsNumbersAndNoneThatAreNotItsOwn) {
  const Scene scene = scene_with(path_, {1, 2, 3, 4});
  const auto results = compute_now(scene, parallel_, nullptr);
  const TableSource source{scene, *results, parallel_};
  const auto weights = numbers_of(*find_table("weights"), source);
  ASSERT_TRUE(weights);
  EXPECT_EQ(std::get<io::TensorView<float>>(weights->tensor).shape,
            (std::vector<std::size_t>{1, static_cast<std::size_t>(results->attention.heads), 4, 4}));
  for (const char* name : {"w_q", "w_k", "w_v", "w_o"})
    EXPECT_FALSE(numbers_of(*find_table(name), source)) << name;
  const auto output = numbers_of(*find_table("output"), source);
  EXPECT_EQ(std::get<io::TensorView<float>>(output->tensor).shape[1],
            static_cast<std::size_t>(results->opened->width));
}

}  // namespace
}  // namespace headlight::scene::other_model_test
