#include "nn/network.h"

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
    if (!model_) GTEST_SKIP() << "no tiny-gpt2";
  }
  base::Status forward(const std::vector<int>& ids, const nn::NetworkKeeps& keeps = {},
                       const std::function<bool(float)>& goes_on = {}) {
    return nn::network_forward(model_->network, model_->weights, {.ids = ids}, parallel_, trace_, keeps,
                               goes_on);
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
  int told = 0;
  const base::Status status = forward({1, 2}, {}, [&](float) { return ++told < 2; });
  EXPECT_EQ(status.error(), "cancelled");
  EXPECT_EQ(told, 2);
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
