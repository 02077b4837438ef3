// Padding in a batch, a second sentence, decoding and the products behind √d_k, by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "pages/variants/variants.h"
#include "scene/settings.h"
#include "variants_by_hand.h"

namespace headlight::scene::by_hand {
namespace {

TEST(Variants, ABatchDoesNotNoticeItsPads) {
  Scene scene = variants_scene();
  scene.sentence = "a b c d", scene.variants.sentence_kv = "e f";
  scene.variants.batch_lengths = {3, 2};
  const auto results = computed(scene);
  const auto& batch = results->own_as<VariantsResults>()->batch;
  ASSERT_EQ(batch.size(), 2u);
  EXPECT_EQ(results->own_as<VariantsResults>()->batch_width, 4);
  const int lengths[] = {3, 2};
  for (std::size_t n = 0; n < 2; ++n) {
    EXPECT_EQ(batch[n].length, lengths[n]);
    EXPECT_EQ(batch[n].tokens.size(), static_cast<std::size_t>(lengths[n]));
    EXPECT_LE(batch[n].residual, 1e-6);
    EXPECT_GT(batch[n].pad_share, 0);
    EXPECT_LT(batch[n].pad_share, 1);
    for (int i = 0; i < 4; ++i) {
      double sum = 0;
      for (int j = 0; j < 4; ++j) {
        if (j >= lengths[n]) {
          EXPECT_EQ(batch[n].weights.at(i, j), 0);
        }
        sum += static_cast<double>(batch[n].weights.at(i, j));
      }
      EXPECT_NEAR(sum, 1, 1e-6);
    }
  }
  // Without a mask a valid row gives pads 1 − Σ; with it the valid weights are those, made to add up to 1: so
  // the first sentence with all four tokens valid has no pads at all.
  scene.variants.batch_lengths = {4, 0};
  const auto whole = computed(scene);
  EXPECT_EQ(whole->own_as<VariantsResults>()->batch[0].pad_share, 0);
  EXPECT_EQ(whole->own_as<VariantsResults>()->batch[1].length, 0);
  for (const float weight : whole->own_as<VariantsResults>()->batch[1].weights.values()) EXPECT_EQ(weight, 0);
}

TEST(Variants, ThePadsShareIsThatOfTheSoftmaxWithoutAMask) {
  Scene scene = variants_scene();
  scene.sentence = "a b c", scene.variants.sentence_kv = "e";
  scene.variants.batch_lengths = {2, 1};
  const auto results = computed(scene);
  // By hand: two embeddings with positions and one row that is nothing but its position.
  const int D = scene.d_model, d = D / scene.heads;
  const auto w = nn::random_attention_weights(D, D, static_cast<std::uint64_t>(scene.seed));
  const nn::Matrix e = nn::embed(results->tokens, D, static_cast<std::uint64_t>(scene.seed));
  double share = 0;
  for (int i = 0; i < 2; ++i) {
    double sum = 0, pad = 0;
    for (int j = 0; j < 3; ++j) {
      double dot = 0;
      for (int c = 0; c < d; ++c) {
        double q = 0, k = 0;
        for (int n = 0; n < D; ++n) {
          q += (static_cast<double>(e.at(i, n)) + p_at(i, n, D, 10000)) * static_cast<double>(w.w_q.at(n, c));
          k += ((j < 2 ? static_cast<double>(e.at(j, n)) : 0) + p_at(j, n, D, 10000)) *
               static_cast<double>(w.w_k.at(n, c));
        }
        dot += q * k;
      }
      const double exponential = std::exp(dot / std::sqrt(static_cast<double>(d)));
      sum += exponential;
      if (j == 2) pad = exponential;
    }
    share += pad / sum / 2;
  }
  EXPECT_NEAR(results->own_as<VariantsResults>()->batch[0].pad_share, share, 1e-5);
}

TEST(Variants, CrossAttentionReadsTheSecondSentence) {
  Scene scene = variants_scene();
  const auto results = computed(scene);
  const CrossAttention& cross = results->own_as<VariantsResults>()->cross;
  EXPECT_EQ(cross.weights.rows(), 6);
  EXPECT_EQ(cross.weights.cols(), 7);
  double entropy = 0;
  for (int i = 0; i < 6; ++i) {
    double sum = 0;
    for (const float weight : cross.weights.row(i)) {
      sum += static_cast<double>(weight);
      entropy -= static_cast<double>(weight) * std::log2(static_cast<double>(weight)) / 6;
    }
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  EXPECT_NEAR(cross.entropy_bits, entropy, 1e-9);
  // The same sentence twice is self-attention.
  scene.variants.sentence_kv = scene.sentence;
  const auto same = computed(scene);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j)
      EXPECT_NEAR(same->own_as<VariantsResults>()->cross.weights.at(i, j),
                  same->own_as<VariantsResults>()->b.weights.at(i, j), 1e-6f);
  }
  EXPECT_EQ(same->own_as<VariantsResults>()->cross.unknown, 0) << "without a model there is no vocabulary";
  scene.variants.sentence_kv.clear();
  EXPECT_TRUE(computed(scene)->own_as<VariantsResults>()->cross.weights.empty());
}

/// A model has one embedding for all words that it does not know: how many there are is counted.
TEST(Variants, UnknownKeysAreCounted) {
  Scene scene;
  scene.page = Page::variants;
  ASSERT_TRUE(set_field(scene, "model=pronouns-guided"));
  repair(scene);
  scene.sentence = "the animal was tired", scene.variants.sentence_kv = "the chat animal est assis";
  EXPECT_EQ(computed(scene)->own_as<VariantsResults>()->cross.unknown, 3);
  scene.variants.sentence_kv = "the animal";
  EXPECT_EQ(computed(scene)->own_as<VariantsResults>()->cross.unknown, 0);
}

TEST(Variants, DecodingWithAGrowingOffsetGivesTheSameRows) {
  Scene scene = variants_scene();
  for (int n = 0; n < 9; ++n) {
    for (const Mask mask : {Mask::none, Mask::causal}) {
      scene.variants.a = {mask, static_cast<Position>(n), true};
      SCOPED_TRACE(word(scene.variants.a.position));
      const auto results = computed(scene);
      const auto& steps = results->own_as<VariantsResults>()->decoding.steps;
      ASSERT_EQ(steps.size(), 6u);
      double forgotten = 0;
      for (const auto& step : steps) {
        EXPECT_LE(step.input_residual, 1e-6);
        EXPECT_LE(step.context_residual, 1e-5);
        forgotten = std::max(forgotten, step.forgotten_residual);
      }
      EXPECT_EQ(steps[0].forgotten_residual, steps[0].context_residual);
      // Without positions there is nothing to forget.
      EXPECT_EQ(forgotten > 1e-3, scene.variants.a.position != Position::none);
    }
  }
}

/// Shaw's rows go to the values, too: what decoding compares is softmax(…) (v + r^V), by hand.
TEST(Variants, ShawsValuesAreInTheOutput) {
  Scene scene = variants_scene();
  scene.variants.a = {Mask::none, Position::shaw, true};
  scene.variants.clip = 2;
  const auto results = computed(scene);
  const int D = scene.d_model, d = D / scene.heads, T = results->own_as<VariantsResults>()->T;
  const auto w = nn::random_attention_weights(D, D, static_cast<std::uint64_t>(scene.seed));
  const nn::Matrix e = nn::embed(results->tokens, D, static_cast<std::uint64_t>(scene.seed));
  const nn::Matrix keys = seeded_table(scene.seed, "relative keys", 5, d, 1),
                   values = seeded_table(scene.seed, "relative values", 5, d, 1);
  const auto project = [&](int t, const nn::Matrix& m, int c) {
    double sum = 0;
    for (int n = 0; n < D; ++n) sum += static_cast<double>(e.at(t, n)) * static_cast<double>(m.at(n, c));
    return sum;
  };
  // The last of t + 1 tokens; `first`: the position that its query is taken for.
  const auto output = [&](int t, int first) {
    std::vector<double> sum(static_cast<std::size_t>(d));
    double total = 0;
    for (int j = 0; j <= t; ++j) {
      const int row = std::min(std::max(j - first, -2), 2) + 2;
      double score = 0;
      for (int c = 0; c < d; ++c)
        score += project(t, w.w_q, c) * (project(j, w.w_k, c) + static_cast<double>(keys.at(row, c)));
      const double weight = std::exp(score / std::sqrt(static_cast<double>(d)));
      total += weight;
      for (int c = 0; c < d; ++c)
        sum[static_cast<std::size_t>(c)] +=
            weight * (project(j, w.w_v, c) + static_cast<double>(values.at(row, c)));
    }
    for (double& value : sum) value /= total;
    return sum;
  };
  for (int t = 0; t < T; ++t) {
    const std::vector<double> right = output(t, t), forgotten = output(t, 0);
    double most = 0;
    for (std::size_t c = 0; c < right.size(); ++c) most = std::max(most, std::abs(right[c] - forgotten[c]));
    EXPECT_NEAR(
        results->own_as<VariantsResults>()->decoding.steps[static_cast<std::size_t>(t)].forgotten_residual,
        most, 2e-5);
  }
}

TEST(Variants, TheVarianceOfDotProductsGrowsAsTheirWidth) {
  const std::vector<DotProducts> dots = dot_products(7);
  ASSERT_EQ(dots.size(), 10u);
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const DotProducts& d = dots[i];
    EXPECT_EQ(d.d_k, 1 << i);
    EXPECT_NEAR(d.variance / d.d_k, 1, 0.5);
    EXPECT_NEAR(d.scaled_variance, d.variance / d.d_k, 1e-12);
    if (i == 0) continue;
    EXPECT_GT(d.raw.largest, dots[i - 1].raw.largest - 0.02);
    EXPECT_LT(d.raw.entropy_bits, dots[i - 1].raw.entropy_bits + 0.05);
  }
  EXPECT_GT(dots.back().raw.largest, 0.9);
  EXPECT_LT(dots.back().raw.gradient, 0.3 * dots.back().scaled.gradient);

  // The same samples once more, with the whole Jacobian.
  const nn::Random random(7, nn::hash_text("dot products", 12));
  const int width = 16, level = 4;
  double largest = 0, entropy = 0, gradient = 0, sum = 0, squares = 0;
  std::uint64_t index = 0;
  for (int query = 0; query < dot_queries; ++query) {
    const std::uint64_t q = index;
    index += most_dot_width;
    std::vector<double> a;
    double total = 0;
    for (int key = 0; key < dot_keys; ++key, index += most_dot_width) {
      double dot = 0;
      for (std::uint64_t c = 0; c < width; ++c)
        dot += static_cast<double>(random.normal(q + c)) * static_cast<double>(random.normal(index + c));
      sum += dot, squares += dot * dot;
      a.push_back(std::exp(dot / 4));  // √16
      total += a.back();
    }
    double norm = 0, most = 0;
    for (double& weight : a) {
      weight /= total;
      most = std::max(most, weight);
      entropy -= weight * std::log2(weight) / dot_queries;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < a.size(); ++j) {
        const double derivative = (i == j ? a[i] : 0) - a[i] * a[j];
        norm += derivative * derivative;
      }
    }
    largest += most / dot_queries, gradient += std::sqrt(norm) / dot_queries;
  }
  const double n = dot_queries * dot_keys;
  EXPECT_NEAR(dots[level].variance, squares / n - sum / n * sum / n, 1e-9);
  EXPECT_NEAR(dots[level].scaled.largest, largest, 1e-12);
  EXPECT_NEAR(dots[level].scaled.entropy_bits, entropy, 1e-12);
  EXPECT_NEAR(dots[level].scaled.gradient, gradient, 1e-12);
}

TEST(Variants, TheSoftmaxOfRawProductsIsTakenOfThemUndivided) {
  const nn::Random random(7, nn::hash_text("dot products", 12));
  const DotProducts widest = dot_products(7).back();
  double largest = 0, entropy = 0, gradient = 0;
  std::uint64_t index = 0;
  for (int query = 0; query < dot_queries; ++query) {
    const std::uint64_t q = index;
    index += most_dot_width;
    std::vector<double> dots;
    for (int key = 0; key < dot_keys; ++key, index += most_dot_width) {
      double dot = 0;
      for (std::uint64_t c = 0; c < most_dot_width; ++c)
        dot += static_cast<double>(random.normal(q + c)) * static_cast<double>(random.normal(index + c));
      dots.push_back(dot);
    }
    const double top = *std::max_element(dots.begin(), dots.end());
    double total = 0, squares = 0, cubes = 0;
    for (double& dot : dots) total += dot = std::exp(dot - top);
    for (const double dot : dots) {
      const double a = dot / total;
      if (a > 0) entropy -= a * std::log2(a) / dot_queries;
      squares += a * a, cubes += a * a * a;
    }
    largest += 1 / total / dot_queries;
    gradient += std::sqrt(std::max(0.0, squares - 2 * cubes + squares * squares)) / dot_queries;
  }
  EXPECT_NEAR(widest.raw.largest, largest, 1e-9);
  EXPECT_NEAR(widest.raw.entropy_bits, entropy, 1e-9);
  EXPECT_NEAR(widest.raw.gradient, gradient, 1e-9);
}

TEST(Variants, WhatAForgottenOffsetChangesByHand) {
  Scene scene = variants_scene();
  scene.variants.a = {Mask::none, Position::sinusoidal, true};
  const auto results = computed(scene);
  const int D = scene.d_model, d = D / scene.heads, T = results->own_as<VariantsResults>()->T;
  const auto w = nn::random_attention_weights(D, D, static_cast<std::uint64_t>(scene.seed));
  const nn::Matrix e = nn::embed(results->tokens, D, static_cast<std::uint64_t>(scene.seed));
  // The head's output of the last of t + 1 tokens, token i at position step · i.
  const auto output = [&](int t, int step) {
    const auto row = [&](int i, const nn::Matrix& m) {
      std::vector<double> out(static_cast<std::size_t>(d));
      for (int c = 0; c < d; ++c) {
        for (int n = 0; n < D; ++n)
          out[static_cast<std::size_t>(c)] +=
              (static_cast<double>(e.at(i, n)) + p_at(step * i, n, D, scene.position_base)) *
              static_cast<double>(m.at(n, c));
      }
      return out;
    };
    const std::vector<double> q = row(t, w.w_q);
    std::vector<double> sum(static_cast<std::size_t>(d));
    double total = 0;
    for (int i = 0; i <= t; ++i) {
      const std::vector<double> k = row(i, w.w_k), v = row(i, w.w_v);
      const double weight = std::exp(std::inner_product(q.begin(), q.end(), k.begin(), 0.0) / std::sqrt(d));
      total += weight;
      for (std::size_t c = 0; c < v.size(); ++c) sum[c] += weight * v[c];
    }
    for (double& value : sum) value /= total;
    return sum;
  };
  for (int t = 0; t < T; ++t) {
    const std::vector<double> right = output(t, 1), forgotten = output(t, 0);
    double most = 0;
    for (std::size_t c = 0; c < right.size(); ++c) most = std::max(most, std::abs(right[c] - forgotten[c]));
    EXPECT_NEAR(
        results->own_as<VariantsResults>()->decoding.steps[static_cast<std::size_t>(t)].forgotten_residual,
        most, 1e-5);
  }
}

}  // namespace
}  // namespace headlight::scene::by_hand
