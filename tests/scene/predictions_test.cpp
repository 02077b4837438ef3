// What Headlight's own models predict, against their forward pass; and why others predict nothing.
#include "pages/model/predictions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model_page.h"
#include "pages/compute.h"
#include "pages/model/atlas.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "train/model.h"

namespace headlight::scene::predictions_test {
namespace {

using tests::ModelPage;
using tests::on_model_page;

/// The forward pass of the model, whose logits become probabilities here.
TEST(Predictions, OfSmallEnglishAreThoseOfItsForwardPass) {
  const ModelPage c = on_model_page({"weights=trained", "query=3", "model_temperature=2"});
  const Predictions& p = c.predictions();
  ASSERT_EQ(p.none, "");
  const auto model = *model_at("");
  nn::Batch batch;
  batch.B = 1, batch.T = static_cast<int>(c.results->tokens.size());
  for (const nn::Token& token : c.results->tokens) batch.tokens.push_back(token.piece);
  ASSERT_GT(batch.T, 4);
  nn::ModelTrace trace;
  base::Parallel parallel(1);
  nn::model_forward(model->config, model->weights, batch, parallel, trace);
  const int V = model->config.vocabulary;
  const auto probability = [&](int t, int id) {
    double sum = 0;
    for (int v = 0; v < V; ++v) sum += std::exp(static_cast<double>(trace.logits.at(t, v)) / 2);
    return std::exp(static_cast<double>(trace.logits.at(t, id)) / 2) / sum;
  };
  EXPECT_EQ(p.position, 3);
  EXPECT_EQ(p.vocabulary, V);
  for (std::size_t i = 0; i < p.top.size(); ++i) {
    EXPECT_NEAR(p.top[i].probability, probability(3, p.top[i].id), 1e-9);
    EXPECT_EQ(c.number("model_next_probability rank=" + std::to_string(i + 1)), p.top[i].probability);
    if (i > 0) {
      EXPECT_GE(p.top[i - 1].probability, p.top[i].probability);
    }
  }
  ASSERT_EQ(p.followers.size(), static_cast<std::size_t>(batch.T - 1));
  double sum = 0;
  for (int t = 0; t + 1 < batch.T; ++t) {
    const int next = batch.tokens[static_cast<std::size_t>(t) + 1];
    const double wanted = probability(t, next);
    int rank = 1;
    for (int v = 0; v < V; ++v) rank += trace.logits.at(t, v) > trace.logits.at(t, next);
    const std::string at = " query=" + std::to_string(t);
    EXPECT_NEAR(c.number("model_true_probability" + at), wanted, 1e-9);
    EXPECT_NEAR(c.number("model_loss" + at), -std::log(wanted), 1e-9);
    EXPECT_EQ(c.number("model_true_rank" + at), rank);
    sum -= std::log(wanted);
  }
  EXPECT_NEAR(c.number("model_mean_loss"), sum / (batch.T - 1), 1e-9);
  EXPECT_EQ(c.number("model_true_rank"), c.number("model_true_rank query=3"));
}

TEST(Predictions, TheLensEndsAtThePredictionAndBeginsAtTheInput) {
  const ModelPage c = on_model_page({"weights=trained", "query=2"});
  const Predictions& p = c.predictions();
  const auto model = *model_at("");
  ASSERT_EQ(p.lens.size(), static_cast<std::size_t>(model->config.layers) + 1);
  EXPECT_EQ(p.lens.back().top.front().id, p.top.front().id);
  EXPECT_EQ(p.lens.back().top.front().probability, p.top.front().probability);
  EXPECT_EQ(c.number("model_lens_probability"), p.top.front().probability);
  // A model of no more layers than the row says predicts that row.
  nn::Batch batch;
  batch.B = 1, batch.T = static_cast<int>(c.results->tokens.size());
  for (const nn::Token& token : c.results->tokens) batch.tokens.push_back(token.piece);
  base::Parallel parallel(1);
  for (int layers = 1; layers < model->config.layers; ++layers) {
    nn::ModelConfig config = model->config;
    nn::ModelWeights weights = model->weights;
    config.layers = layers, weights.stack.layers.resize(static_cast<std::size_t>(layers));
    nn::ModelTrace trace;
    nn::model_forward(config, weights, batch, parallel, trace);
    const auto top = nn::ranking(trace.logits.row(2), 2, 1);
    ASSERT_TRUE(top);
    EXPECT_EQ(p.lens[static_cast<std::size_t>(layers)].top[0].id, top->top[0].id);
    EXPECT_NEAR(p.lens[static_cast<std::size_t>(layers)].top[0].probability, top->top[0].probability, 1e-5);
  }
}

TEST(Predictions, TheLastTokenIsTakenWhereNoneIsPinned) {
  const ModelPage c = on_model_page({"weights=trained", "query=-1"});
  const Predictions& p = c.predictions();
  EXPECT_EQ(p.position, static_cast<int>(c.results->tokens.size()) - 1);
  EXPECT_FALSE(p.truth) << "nothing follows in the sentence";
  EXPECT_TRUE(std::isnan(c.number("model_true_rank")));
}

/// Another token is another result; the scores of heads do not change with it.
TEST(Predictions, FollowThePinnedToken) {
  const ModelPage one = on_model_page({"weights=trained", "query=1"}),
                  two = on_model_page({"weights=trained", "query=2"});
  EXPECT_NE(key(one.scene), key(two.scene));
  EXPECT_EQ(one.number("model_mean_loss"), two.number("model_mean_loss"));
  EXPECT_EQ(one.number("model_true_rank query=2"), two.number("model_true_rank"));
  EXPECT_EQ(one.number("model_previous layer=1 head=1"), two.number("model_previous layer=1 head=1"));
  // Random weights predict nothing, so that a click computes nothing.
  EXPECT_EQ(key(on_model_page({"query=1"}).scene), key(on_model_page({"query=2"}).scene));
}

TEST(Predictions, WhatPredictsNothingSaysWhy) {
  const auto why = [](const std::vector<std::string>& assignments) {
    const ModelPage c = on_model_page(assignments);
    EXPECT_TRUE(std::isnan(c.number("model_next_probability")));
    EXPECT_TRUE(std::isnan(c.number("model_mean_loss")));
    return c.predictions().none;
  };
  EXPECT_NE(why({}).find("random weights"), std::string::npos);
  EXPECT_NE(why({"model=pronouns-guided"}).find("pronouns"), std::string::npos);
}

TEST(Predictions, OneTokenHasAPredictionAndNoLoss) {
  const ModelPage c = on_model_page({"weights=trained", "sentence=the"});
  EXPECT_EQ(c.predictions().none, "");
  EXPECT_EQ(c.predictions().top.size(), static_cast<std::size_t>(most_predicted));
  EXPECT_TRUE(c.predictions().followers.empty());
  EXPECT_TRUE(std::isnan(c.number("model_mean_loss")));
}

/// The columns of all tokens are what the list of one token has when that token is shown.
TEST(Predictions, AfterEachTokenAsAfterTheOneThatIsShown) {
  const ModelPage all = on_model_page({"weights=trained"});
  const auto& each = all.predictions().after_each;
  const std::size_t T = all.results->tokens.size();
  ASSERT_EQ(each.size(), T);
  for (std::size_t t = 0; t < T; ++t) {
    const std::string query = std::to_string(t);
    const ModelPage one = on_model_page({"weights=trained", "query=" + query});
    ASSERT_EQ(each[t].size(), static_cast<std::size_t>(most_after_each));
    for (std::size_t rank = 0; rank < each[t].size(); ++rank) {
      EXPECT_EQ(each[t][rank].id, one.predictions().top[rank].id);
      EXPECT_EQ(each[t][rank].text, one.predictions().top[rank].text);
      EXPECT_DOUBLE_EQ(each[t][rank].probability, one.predictions().top[rank].probability);
      EXPECT_EQ(all.number("model_likely query=" + query + " rank=" + std::to_string(rank + 1)),
                each[t][rank].probability);
    }
  }
}

TEST(Predictions, TablesHoldThem) {
  const ModelPage c = on_model_page({"weights=trained"});
  base::Parallel parallel(1);
  const TableSource from{c.scene, *c.results, parallel};
  const auto next = numbers_of(*find_table("next_tokens"), from);
  ASSERT_TRUE(next);
  const auto& top = std::get<io::TensorView<double>>(next->tensor);
  EXPECT_EQ(top.shape, (std::vector<std::size_t>{10, 2}));
  EXPECT_EQ(top.values[1], c.predictions().top[0].probability);
  const auto losses = numbers_of(*find_table("token_losses"), from);
  ASSERT_TRUE(losses);
  EXPECT_EQ(std::get<io::TensorView<double>>(losses->tensor).shape[0], c.results->tokens.size() - 1);
  EXPECT_TRUE(numbers_of(*find_table("logit_lens"), from));
  const ModelPage random = on_model_page(Scene{});
  EXPECT_FALSE(numbers_of(*find_table("next_tokens"), {random.scene, *random.results, parallel}));
}

}  // namespace
}  // namespace headlight::scene::predictions_test
