#include "network/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models/model_case.h"

namespace headlight::tests {
namespace {

using testing::HasSubstr;

std::shared_ptr<const models::OpenedModel> packed(const std::string& name) {
  const std::string folder = ReferenceData::instance().models() + name;
  if (!ReferenceData::instance().bytes(folder + "/config.json")) return nullptr;
  const auto model = models::open_model(ReferenceData::instance().on_disk(folder));
  EXPECT_TRUE(model) << model.error();
  return model ? *model : nullptr;
}

class OfGpt2 : public testing::Test {
 protected:
  void SetUp() override {
    model_ = packed("tiny-gpt2/f16-transformer");
    if (!model_) HEADLIGHT_LACKS("tiny-gpt2");
  }
  base::Status forward(const std::vector<int>& ids, const nn::NetworkKeeps& keeps = {},
                       const std::function<bool(float)>& keep_going = {}) {
    return nn::network_forward(model_->network, model_->weights, {.ids = ids}, parallel_, trace_, keeps,
                               keep_going);
  }
  std::shared_ptr<const models::OpenedModel> model_;
  base::Parallel parallel_;
  nn::NetworkTrace trace_;
};

TEST_F(OfGpt2, TextsThatItCannotReadAreRefusedInOneLine) {
  EXPECT_THAT(forward({}).error(), HasSubstr("no token"));
  EXPECT_THAT(forward(std::vector<int>(65, 1)).error(), HasSubstr("65 tokens"));
  EXPECT_THAT(forward({1, 383}).error(), HasSubstr("token 2 has id 383"));
  EXPECT_THAT(forward({-1}).error(), HasSubstr("ids 0 to 382"));
  EXPECT_TRUE(forward(std::vector<int>(64, 1)));
}

TEST_F(OfGpt2, WhatIsNotWantedIsNotKept) {
  ASSERT_TRUE(
      forward({1, 2, 3}, {.attentions = false, .states = false, .projections = false, .logits = false}));
  EXPECT_TRUE(trace_.attentions.empty() && trace_.states.empty() && trace_.q.empty() &&
              trace_.logits.empty());
  ASSERT_TRUE(forward({1, 2, 3}, {.scores = true}));
  ASSERT_EQ(trace_.scores.size(), 2u);
  EXPECT_EQ(trace_.q.size(), 2u);
  // Weights are the softmax of the visible scores.
  const nn::Matrix &scores = trace_.scores[1], &weights = trace_.attentions[1];
  for (int head = 0; head < 4; ++head) {
    const double a = std::exp(scores.at(head, 1, 0)), b = std::exp(scores.at(head, 1, 1));
    EXPECT_NEAR(weights.at(head, 1, 0), a / (a + b), 1e-6);
    EXPECT_EQ(weights.at(head, 1, 2), 0);
  }
}

TEST_F(OfGpt2, ItCanBeGivenUp) {
  int reported = 0;
  const base::Status status = forward({1, 2}, {}, [&](float) { return ++reported < 2; });
  EXPECT_EQ(status.error(), "cancelled");
  EXPECT_EQ(reported, 2);
}

/// Type 1 begins behind the first separator, and only where there is anything.
TEST(TokenTypes, BeginBehindTheFirstSeparator) {
  nn::Network net;
  net.token_types = 2, net.separator = 3, net.padding_id = 0;
  const auto types = [&](const std::vector<int>& ids, const std::vector<int>& before = {}) {
    return nn::token_types_of(net, ids, before);
  };
  EXPECT_EQ(types({2, 7, 8}), (std::vector{0, 0, 0}));
  EXPECT_EQ(types({2, 7, 3}), (std::vector{0, 0, 0}));
  EXPECT_EQ(types({2, 7, 3, 8, 3}), (std::vector{0, 0, 0, 1, 1}));
  EXPECT_EQ(types({2, 7, 3, 8, 3, 9, 3}), (std::vector{0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(types({2, 7, 3, 0, 0}), (std::vector{0, 0, 0, 0, 0})) << "padding is of no sentence";
  EXPECT_EQ(types({2, 7, 3, 8, 3, 0}), (std::vector{0, 0, 0, 1, 1, 0}));
  EXPECT_EQ(types({}), std::vector<int>());
  EXPECT_EQ(types({8, 3}, {2, 7, 3}), (std::vector{1, 1}));
  EXPECT_EQ(types({3, 8}, {2, 7}), (std::vector{0, 1}));
  net.padding_id = -1;
  EXPECT_EQ(types({2, 3, 0}), (std::vector{0, 0, 1}));
  net.separator = -1;
  EXPECT_EQ(types({2, 7, 3, 8, 3}), (std::vector{0, 0, 0, 0, 0})) << "no separator is known";
  net.separator = 3, net.token_types = 1;
  EXPECT_EQ(types({2, 7, 3, 8, 3}), (std::vector{0, 0, 0, 0, 0})) << "there is one type";
}

/// The pairs and the batch of the reference: without types given, the ids alone lead to its numbers, all at
/// once and, of the same weights with a causal mask, token by token.
TEST(TokenTypes, OfPairsAreThoseOfTheReference) {
  const ReferenceData& all = ReferenceData::instance();
  const std::string folder = all.models() + "tiny-bert";
  if (!all.bytes(folder + "/manifest.json")) HEADLIGHT_LACKS("tiny-bert");
  const ModelData data(all.on_disk(folder));
  const nlohmann::json& variant = data.manifest.at("variants").front();
  const auto model = models::open_model(data.path(variant));
  ASSERT_TRUE(model) << model.error();
  nn::Network net = (*model)->network;
  EXPECT_EQ(net.separator, -1) << "config.json does not say it";
  base::Parallel parallel(1);
  int pairs = 0;
  for (const nlohmann::json& one : data.manifest.at("cases")) {
    const std::string set = variant.at("expected");
    if (!one.at("expected").contains(set)) continue;
    SCOPED_TRACE(one.at("id").get<std::string>());
    const bool batch = one.at("input_ids").front().is_array();
    const nlohmann::json texts = batch ? one.at("input_ids") : nlohmann::json::array({one.at("input_ids")}),
                         types = batch ? one.at("token_type_ids")
                                       : nlohmann::json::array({one.at("token_type_ids")});
    net.separator = texts.front().back().get<int>();
    for (std::size_t i = 0; i < texts.size(); ++i)
      EXPECT_EQ(nn::token_types_of(net, whole_numbers(texts[i])), whole_numbers(types[i]));
    if (batch || one.at("token_type_ids").back() != 1) continue;
    ++pairs;
    const std::vector<int> ids = whole_numbers(one.at("input_ids"));
    nn::NetworkTrace trace;
    ASSERT_TRUE(nn::network_forward(net, (*model)->weights, {.ids = ids}, parallel, trace));
    const nlohmann::json& entry = one.at("expected").at(set).at("attentions");
    std::vector<double> got;
    for (const nn::Matrix& layer : trace.attentions)
      got.insert(got.end(), layer.values().begin(), layer.values().end());
    compare("attentions", got, data.array(entry).values, entry);
    nn::Network causal = net;
    causal.causal = true;
    ASSERT_TRUE(nn::network_forward(causal, (*model)->weights, {.ids = ids}, parallel, trace));
    const std::vector<float> whole(trace.states.back().values().begin(), trace.states.back().values().end());
    nn::NetworkCache cache;
    std::vector<float> stepped;
    for (std::size_t t = 0; t < ids.size(); ++t) {
      ASSERT_TRUE(
          nn::network_step(causal, (*model)->weights, std::span(ids).subspan(t, 1), parallel, cache, trace));
      stepped.insert(stepped.end(), trace.states.back().values().begin(), trace.states.back().values().end());
    }
    ASSERT_EQ(stepped.size(), whole.size());
    for (std::size_t n = 0; n < whole.size(); ++n)
      ASSERT_NEAR(static_cast<double>(stepped[n]), static_cast<double>(whole[n]), 1e-5) << n;
  }
  EXPECT_GT(pairs, 0);
}

TEST_F(OfGpt2, AStepThatFailsLeavesTheCacheAsItWas) {
  nn::NetworkCache cache;
  const std::vector<int> first{5, 6, 7}, wrong{999}, next{8};
  ASSERT_TRUE(nn::network_step(model_->network, model_->weights, first, parallel_, cache, trace_));
  EXPECT_FALSE(nn::network_step(model_->network, model_->weights, wrong, parallel_, cache, trace_));
  ASSERT_TRUE(nn::network_step(model_->network, model_->weights, next, parallel_, cache, trace_));
  EXPECT_EQ(trace_.S, 4);
  const std::vector<float> stepped(trace_.logits.values().begin(), trace_.logits.values().end());
  ASSERT_TRUE(forward({5, 6, 7, 8}));
  for (std::size_t i = 0; i < stepped.size(); ++i) EXPECT_NEAR(stepped[i], trace_.logits.row(3)[i], 1e-4);
}

TEST_F(OfGpt2, SizesAreToldBeforehand) {
  const nn::NetworkKeeps attentions{.states = false, .projections = false, .logits = false};
  EXPECT_EQ(nn::trace_bytes(model_->network, 10, attentions), 2 * 4 * 100 * 4);
  // 383·32 + 64·32 + 2 layers of 12·32² + 13·32, and the last norm.
  EXPECT_EQ(model_->parameters, 383 * 32 + 64 * 32 + 2 * (12 * 32 * 32 + 13 * 32) + 64);
}

TEST(RopeFrequencies, TheFiveKinds) {
  nn::NetworkRope rope;
  rope.rotary_dim = 8, rope.base = 10000;
  const std::vector<double> plain = nn::rope_frequencies(rope, 100);
  ASSERT_EQ(plain.size(), 4u);
  for (int j = 0; j < 4; ++j) EXPECT_NEAR(plain[static_cast<std::size_t>(j)], std::pow(10.0, -j), 1e-12);

  rope.scaling.kind = nn::RopeScalingKind::linear, rope.scaling.factor = 4;
  EXPECT_NEAR(nn::rope_frequencies(rope, 100)[1], 0.1 / 4, 1e-12);

  rope.scaling.kind = nn::RopeScalingKind::dynamic, rope.scaling.factor = 2, rope.scaling.original = 50;
  EXPECT_NEAR(nn::rope_frequencies(rope, 50)[1], 0.1, 1e-12);
  const double base = 10000 * std::pow(2 * 100.0 / 50 - 1, 8.0 / 6);
  EXPECT_NEAR(nn::rope_frequencies(rope, 100)[3], std::pow(base, -0.75), 1e-12);

  rope.scaling.kind = nn::RopeScalingKind::llama3, rope.scaling.factor = 8, rope.scaling.original = 64;
  const std::vector<double> bands = nn::rope_frequencies(rope, 100);
  EXPECT_EQ(bands[0], plain[0]);               // wavelength 6.3, below 64 / 4
  EXPECT_NEAR(bands[3], plain[3] / 8, 1e-15);  // 6283, beyond 64
  const double t = (64 / (2 * std::numbers::pi / plain[1]) - 1) / 3;
  EXPECT_NEAR(bands[1], t > 0 ? (1 - t) * plain[1] / 8 + t * plain[1] : plain[1] / 8, 1e-12);

  rope.scaling.kind = nn::RopeScalingKind::yarn, rope.scaling.original = 640, rope.scaling.beta_fast = 8;
  const std::vector<double> ramp = nn::rope_frequencies(rope, 100);
  EXPECT_EQ(ramp[0], plain[0]);
  EXPECT_NEAR(ramp[3], plain[3] / 8, 1e-12);
}

}  // namespace
}  // namespace headlight::tests
