// What is remarked of a trained model and a sentence, which tokens the sentence has, and how often the layers
// before the one on view are run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene/layer_input.h"
#include "shown_model.h"

namespace headlight::scene {
namespace {

using P = nn::ModelPositions;
using tests::ShownModel;
using tests::some_model;

void computed_once(const Scene& scene) {
  base::Parallel parallel(1);
  compute_now(scene, parallel, nullptr);
}

/// What the layers before take is counted as often as they run.
TEST(ModelRemarks, EveryRunOfTheLayersBeforeIsCounted) {
  ShownModel shown(some_model(P::sinusoidal), 3);
  Scene first = shown.scene;
  first.weights_layer = 1;
  EXPECT_EQ(work_before(first, 7), 0);
  EXPECT_EQ(products_before(shown.scene, 7), 2 * (7 * (4 * 64 + 2 * 8 * 16) + 2 * 49 * 8));
  const double once = work_before(shown.scene, 7);
  EXPECT_GT(once, products_before(shown.scene, 7));
  const auto deeper = [&](Page page) {
    Scene scene = shown.scene, shallow = first;
    scene.page = shallow.page = page;
    computed_once(scene), computed_once(shallow);  // what is drawn is kept
    return work(scene, 7) - work(shallow, 7);
  };
  EXPECT_NEAR(deeper(Page::attention), once, 1e-6 * once);
  EXPECT_NEAR(deeper(Page::memory), 2 * once, 1e-6 * once);
  // As typed and in their positions, in float and in double; the parts of the scores are left out.
  Scene order = shown.scene;
  order.page = Page::order;
  EXPECT_GT(work(order, 7), 3 * once + 2 * 20 * products_before(order, 7));
  // Two sides, seven or more shifts of each; seven tokens one by one, twice.
  EXPECT_GT(deeper(Page::variants), 15 * once + 14 * work_before(shown.scene, 1));
}

TEST(ModelRemarks, WhatTheModelDoesNotKnowIsRemarked) {
  ShownModel shown(some_model(P::learned));
  EXPECT_THAT(shown.computed(Page::attention)->remarks, testing::IsEmpty());
  shown.scene.sentence = "the cat zorgon sat Ω";
  auto results = shown.computed(Page::attention);
  ASSERT_EQ(results->remarks.size(), 1u);
  EXPECT_EQ(results->remarks[0], "“zorgon”, “Ω” are not in the model’s vocabulary of " +
                                     std::to_string(shown.model.encoder->size()) +
                                     " entries: treated as <unknown>");
  shown.scene.sentence = "zorgon blick cat";
  const auto little = shown.computed(Page::attention);
  ASSERT_EQ(little->remarks.size(), 1u);
  EXPECT_EQ(little->remarks[0], "2 of 3 tokens are not in the model’s vocabulary of " +
                                    std::to_string(shown.model.encoder->size()) +
                                    " entries: to it they are one token, <unknown>. “" + any_word_model +
                                    "” accepts any word");
  EXPECT_FALSE(results->unknown(1));
  EXPECT_TRUE(results->unknown(2));
  EXPECT_TRUE(results->unknown(4));
  EXPECT_FALSE(results->unknown(5));
  for (const P positions : {P::learned, P::sinusoidal}) {
    ShownModel longer(some_model(positions));
    longer.scene.sentence = "the cat sat on the mat . the cat sat on the mat . the cat sat";
    results = longer.computed(Page::attention);
    EXPECT_EQ(results->tokens_in_sentence, 17u);
    EXPECT_EQ(results->tokens.size(), positions == P::learned ? 16u : 17u);  // a table has an end
    ASSERT_EQ(results->remarks.size(), 1u);
    EXPECT_EQ(results->remarks[0], "the model was trained on up to 16 tokens; this sentence has 17");
  }
}

TEST(ModelRemarks, TheVocabularyDecidesWhatTheTokensAre) {
  ShownModel shown(some_model(P::none));
  shown.scene.tokenizer = Tokenizer::chars;
  auto results = shown.computed(Page::attention);
  EXPECT_EQ(results->tokens_are, nn::VocabularyKind::words);
  EXPECT_EQ(results->tokens.size(), 7u);
  shown.scene.weights = WeightsSource::random;
  results = shown.computed(Page::attention);
  EXPECT_EQ(results->tokens_are, nn::VocabularyKind::chars);
  EXPECT_EQ(results->tokens.size(), shown.scene.sentence.size());
}

}  // namespace
}  // namespace headlight::scene
