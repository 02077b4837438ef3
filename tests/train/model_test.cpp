// The fast model against its double twin, against block.h, on any number of threads, and learning.
#include "train/model.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "kernels/kernels.h"
#include "nn/positional.h"
#include "nn/reference_variants.h"
#include "nn/relative.h"
#include "nn/rope.h"
#include "nn/small_random.h"
#include "support/reference_model.h"
#include "train/optimizer.h"

namespace headlight::nn {
namespace {

constexpr std::array all_positions = {ModelPositions::none,    ModelPositions::sinusoidal,
                                      ModelPositions::learned, ModelPositions::t5,
                                      ModelPositions::alibi,   ModelPositions::rope};

ModelConfig small(ModelPositions positions) {
  ModelConfig config;
  config.vocabulary = 37, config.context = 20, config.d_model = 24, config.heads = 3, config.d_ff = 40;
  config.positions = positions;
  return config;
}

/// Weights large enough that every stage matters.
ModelWeights lively(const ModelConfig& config) {
  ModelWeights w = random_model(config, 11);
  std::uint64_t stream = 100;
  tensors(w, [&](const std::string&, Matrix& m) {
    const Matrix more = random_matrix(m.rows(), m.cols(), stream++, 0.2f);
    for (std::size_t i = 0; i < m.size(); ++i) m.data()[i] += more.data()[i];
  });
  return w;
}

Batch random_batch(const ModelConfig& config, int B, int T, std::uint64_t seed, int without_target = 4) {
  Batch batch;
  batch.B = B, batch.T = T;
  const Random random(seed, 1);
  const auto V = static_cast<std::uint32_t>(config.vocabulary);
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(B * T); ++i) {
    batch.tokens.push_back(static_cast<int>(random.below(2 * i, V)));
    const bool none = without_target > 0 && i % static_cast<std::uint64_t>(without_target) == 1;
    batch.targets.push_back(none ? no_target : static_cast<int>(random.below(2 * i + 1, V)));
  }
  return batch;
}

/// Some queries of a head should attend to a certain key.
Batch with_guide(const ModelConfig& config, Batch batch, std::uint64_t seed) {
  const Random random(seed, 2);
  for (std::uint64_t i = 0; i < batch.tokens.size(); ++i) {
    const auto keys =
        config.causal ? i % static_cast<std::uint64_t>(batch.T) + 1 : static_cast<std::uint64_t>(batch.T);
    batch.goals.push_back(random.below(2 * i, 3) == 0
                              ? static_cast<int>(random.below(2 * i + 1, static_cast<std::uint32_t>(keys)))
                              : -1);
  }
  batch.guide = {config.layers - 1, config.heads / 2, 0.6};
  return batch;
}

void expect_like_the_twin(const ModelConfig& config, const Batch& batch) {
  const ModelWeights weights = lively(config);
  ModelTrace trace;
  ModelWeights gradients;
  model_forward(config, weights, batch, threads(), trace);
  model_backward(config, weights, batch, trace, threads(), gradients);
  MatrixF64 logits;
  ModelWeightsF64 want;
  const double loss = model_f64(config, widened(weights), batch, &logits, &want);
  EXPECT_NEAR(trace.loss + batch.guide.weight * trace.guide_loss, loss, 2e-6 * (1 + loss));
  EXPECT_LT(largest_difference(trace.logits, logits), 1e-4);
  std::vector<const MatrixF64*> list;
  tensors(std::as_const(want), [&](const std::string&, const MatrixF64& m) { list.push_back(&m); });
  std::size_t n = 0;
  tensors(gradients, [&](const std::string& name, const Matrix& m) {
    double largest = 0;
    for (double g : list[n]->values()) largest = std::max(largest, std::fabs(g));
    EXPECT_LT(largest_difference(m, *list[n]), 1e-6 + 2e-5 * largest)
        << name << ", gradients up to " << largest;
    ++n;
  });
  EXPECT_EQ(n, list.size());
}

TEST(Model, AgreesWithItsTwinForEveryScheme) {
  for (ModelPositions positions : all_positions) {
    for (NormPlace norm : {NormPlace::pre, NormPlace::post}) {
      for (bool causal : {true, false}) {
        ModelConfig config = small(positions);
        config.norm = norm, config.causal = causal;
        config.tied = causal, config.attention_bias = norm == NormPlace::pre;
        config.activation = causal ? Activation::gelu_tanh : Activation::gelu_erf;
        SCOPED_TRACE(testing::Message() << "positions " << static_cast<int>(positions) << ", norm "
                                        << static_cast<int>(norm) << ", causal " << causal);
        expect_like_the_twin(config, random_batch(config, 5, 13, 3));
        expect_like_the_twin(config, with_guide(config, random_batch(config, 5, 13, 3), 3));
      }
    }
  }
}

TEST(Model, AgreesWithItsTwinAtOddSizes) {
  ModelConfig tiny = small(ModelPositions::learned);
  tiny.vocabulary = 2, tiny.d_model = 1, tiny.heads = 1, tiny.d_ff = 1, tiny.layers = 1;
  tiny.activation = Activation::relu;
  expect_like_the_twin(tiny, random_batch(tiny, 1, 1, 4, 0));
  ModelConfig flat = small(ModelPositions::sinusoidal);
  flat.layers = 0;
  expect_like_the_twin(flat, random_batch(flat, 3, 7, 5));
  ModelConfig wide = small(ModelPositions::rope);
  wide.vocabulary = 130, wide.d_model = 66, wide.heads = 2, wide.d_ff = 70, wide.layers = 1,
  wide.tied = false;
  expect_like_the_twin(wide, random_batch(wide, 2, 100, 6));
  expect_like_the_twin(wide, with_guide(wide, random_batch(wide, 2, 100, 6), 6));
}

/// Without residual connections, layer norms or feed-forward layers, in every combination, and with dropout.
TEST(Model, AgreesWithItsTwinWhateverIsLeftOut) {
  for (const NormPlace norm : {NormPlace::pre, NormPlace::post, NormPlace::none}) {
    for (const bool residual : {true, false}) {
      for (const bool fed : {true, false}) {
        for (const double rate : {0.0, 0.4}) {
          SCOPED_TRACE(testing::Message() << "norm " << static_cast<int>(norm) << ", residual " << residual
                                          << ", feed-forward " << fed << ", dropout " << rate);
          ModelConfig config = small(fed ? ModelPositions::t5 : ModelPositions::rope);
          config.norm = norm, config.residual = residual, config.feed_forward = fed;
          config.causal = residual, config.tied = fed;
          Batch batch = random_batch(config, 7, 13, 3);
          batch.dropout = {rate, 21};
          expect_like_the_twin(config, batch);
          expect_like_the_twin(config, with_guide(config, batch, 3));
          std::size_t count = 0, there = 0;
          for (const TensorShape& shape : tensor_shapes(config)) ++count, there += shape.rows > 0;
          const ModelWeights zeros = zero_model(config), drawn = random_model(config, 1);
          std::vector<std::size_t> sizes;
          tensors(zeros, [&](const std::string&, const Matrix& m) { sizes.push_back(m.size()); });
          std::size_t n = 0, filled = 0;
          tensors(drawn, [&](const std::string& name, const Matrix& m) {
            EXPECT_EQ(m.size(), sizes[n++]) << name;
            filled += !m.empty();
            const bool of_norm = name.find("ln") != std::string::npos;
            const bool of_ffn = name.find("_1") != std::string::npos || name.find("_2") != std::string::npos;
            if (of_norm && norm == NormPlace::none) {
              EXPECT_TRUE(m.empty()) << name;
            }
            if (!of_norm && of_ffn && !fed) {
              EXPECT_TRUE(m.empty()) << name;
            }
          });
          EXPECT_EQ(filled, there);
          EXPECT_EQ(count, there);
        }
      }
    }
  }
}

/// What is left of a model are the same numbers at the start: tensors are drawn one by one.
TEST(Model, WhatIsLeftOutMovesNothingElse) {
  const ModelConfig whole = small(ModelPositions::learned);
  ModelConfig bare = whole;
  bare.norm = NormPlace::none, bare.residual = bare.feed_forward = false;
  const ModelWeights a = random_model(whole, 3), b = random_model(bare, 3);
  EXPECT_EQ(largest_difference(a.wte, b.wte), 0);
  EXPECT_EQ(largest_difference(a.stack.layers[1].attention.w_o, b.stack.layers[1].attention.w_o), 0);
  EXPECT_LT(parameters(bare), parameters(whole));
}

/// Each instruction set in turn.
TEST(Model, AgreesWithItsTwinOnEveryInstructionSet) {
  for (const char* level : {"generic", "v2", "v3", "v4"}) {
    const Kernels* found = kernels_of(level);
    if (found == nullptr) continue;
    SCOPED_TRACE(level);
    use_kernels(*found);
    for (Activation activation : {Activation::relu, Activation::gelu_erf, Activation::gelu_tanh}) {
      ModelConfig config = small(ModelPositions::t5);
      config.activation = activation;
      expect_like_the_twin(config, random_batch(config, 3, 20, 7));
      expect_like_the_twin(config, with_guide(config, random_batch(config, 3, 20, 7), 7));
    }
  }
  use_kernels(choose_kernels(nullptr));
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

/// Without goals, without weight: the same bits as without a guide.
TEST(Model, AGuideOfNoWeightChangesNothing) {
  const ModelConfig config = small(ModelPositions::t5);
  const ModelWeights weights = lively(config);
  const Batch plain = random_batch(config, 4, 9, 8);
  Batch idle = with_guide(config, plain, 8), nowhere = plain;
  idle.guide.weight = 0;
  nowhere.goals.assign(plain.tokens.size(), -1), nowhere.guide = {1, 2, 0.5};
  const auto gradients_of = [&](const Batch& batch) {
    ModelTrace trace;
    ModelWeights gradients;
    model_forward(config, weights, batch, threads(), trace);
    EXPECT_EQ(trace.guide_loss, 0);
    EXPECT_EQ(trace.goals, 0);
    model_backward(config, weights, batch, trace, threads(), gradients);
    return gradients;
  };
  const ModelWeights want = gradients_of(plain);
  for (const Batch* batch : {&idle, &nowhere}) {
    const ModelWeights got = gradients_of(*batch);
    std::vector<const Matrix*> list;
    tensors(want, [&](const std::string&, const Matrix& m) { list.push_back(&m); });
    std::size_t n = 0;
    tensors(got,
            [&](const std::string& name, const Matrix& m) { EXPECT_TRUE(same_bits(m, *list[n++])) << name; });
  }
}

/// A weight that is too small for float32 still has a finite loss, and a slope that brings it back.
TEST(Model, AGuidedHeadThatWasFarAwayComesBack) {
  ModelConfig config = small(ModelPositions::none);
  config.causal = false, config.layers = 1;
  ModelWeights weights = lively(config), gradients;
  for (float& w : weights.stack.layers[0].attention.w_q.values()) w *= 200;
  Batch batch = with_guide(config, random_batch(config, 6, 13, 9), 9);
  batch.guide.weight = 1;
  ModelTrace trace;
  AdamState state;
  model_forward(config, weights, batch, threads(), trace);
  const float least =
      *std::min_element(trace.layers[0].weights.values().begin(), trace.layers[0].weights.values().end());
  ASSERT_EQ(least, 0.0f);
  const double before = trace.guide_loss;
  EXPECT_TRUE(std::isfinite(before));
  for (int step = 0; step < 60; ++step) {
    model_forward(config, weights, batch, threads(), trace);
    model_backward(config, weights, batch, trace, threads(), gradients);
    tensors(gradients, [&](const std::string& name, const Matrix& m) {
      for (float g : m.values()) ASSERT_TRUE(std::isfinite(g)) << name;
    });
    adam_step({}, 0.05, gradients, threads(), state, weights);
  }
  EXPECT_LT(trace.guide_loss, before / 4);
}

/// Some steps of training.
ModelWeights trained(const ModelConfig& config, int thread_count, int steps) {
  base::Parallel parallel(thread_count);
  ModelWeights weights = lively(config), gradients;
  AdamState state;
  ModelTrace trace;
  AdamOptions options;
  options.weight_decay = 0.01;
  for (int step = 1; step <= steps; ++step) {
    const Batch batch = random_batch(config, 19, 20, static_cast<std::uint64_t>(step));
    model_forward(config, weights, batch, parallel, trace);
    model_backward(config, weights, batch, trace, parallel, gradients);
    clip_gradients(0.5, gradients);
    adam_step(options, 1e-3, gradients, parallel, state, weights);
  }
  return weights;
}

TEST(Model, TrainsToTheSameBitsOnAnyNumberOfThreads) {
  for (ModelPositions positions : all_positions) {
    const ModelConfig config = small(positions);
    const ModelWeights alone = trained(config, 1, 4);
    for (int count : {2, 7}) {
      const ModelWeights many = trained(config, count, 4);
      std::vector<const Matrix*> list;
      tensors(many, [&](const std::string&, const Matrix& m) { list.push_back(&m); });
      std::size_t n = 0;
      tensors(alone, [&](const std::string& name, const Matrix& m) {
        EXPECT_TRUE(same_bits(m, *list[n++])) << name << " on " << count << " threads";
      });
    }
  }
}

/// One sequence through block.h's stack, with what the positions add.
TEST(Model, IsEncoderStackForOneSequence) {
  for (ModelPositions positions : all_positions) {
    for (const int parts : {0, 1, 2, 3, 4, 5}) {
      const NormPlace norm = static_cast<NormPlace>(parts % 3);
      ModelConfig config = small(positions);
      config.norm = norm;
      config.residual = parts < 3, config.feed_forward = parts != 5;
      config.rope_pairs = norm == NormPlace::pre ? RopePairs::half : RopePairs::interleaved;
      const ModelWeights weights = lively(config);
      const Batch batch = random_batch(config, 1, 18, 8);
      ModelTrace trace;
      model_forward(config, weights, batch, threads(), trace);

      const int T = batch.T, D = config.d_model;
      Matrix x(T, D), p;
      if (positions == ModelPositions::sinusoidal) sinusoidal({T, D, config.position_base, 0}, threads(), p);
      if (positions == ModelPositions::learned) p = weights.wpe;
      for (int t = 0; t < T; ++t) {
        for (int c = 0; c < D; ++c) {
          const float place = p.empty() ? 0 : p.at(t, c);
          x.at(t, c) = weights.wte.at(batch.tokens[static_cast<std::size_t>(t)], c) + place;
        }
      }
      BlockOptions options;
      options.norm = norm, options.activation = config.activation, options.eps = config.eps;
      options.residual = config.residual, options.feed_forward = config.feed_forward;
      options.attention.heads = config.heads, options.attention.mask.causal = config.causal;
      PairMask pairs;
      T5Buckets buckets;
      buckets.bidirectional = false;
      if (positions == ModelPositions::t5) pairs.add = spread(t5_bias(buckets, weights.t5_table, T, T), T, T);
      if (positions == ModelPositions::alibi) pairs.add = spread(alibi_bias<float>(config.heads, T, T), T, T);
      if (!pairs.add.empty()) options.attention.pairs = &pairs;
      if (positions == ModelPositions::rope) {
        options.attention.rope.emplace().pairs = config.rope_pairs;
      }
      StackTrace<float> stack;
      encoder_stack(x, weights.stack, options, threads(), stack);
      SCOPED_TRACE(testing::Message() << "positions " << static_cast<int>(positions));
      for (int l = 0; l < config.layers; ++l) {
        const BlockTrace<float>& block = stack.layers[static_cast<std::size_t>(l)];
        const ModelTrace::Layer& mine = trace.layers[static_cast<std::size_t>(l)];
        EXPECT_LT(largest_difference(mine.weights, block.attention.weights), 2e-6);
        EXPECT_LT(largest_difference(trace.input(l), block.input), 1e-5);
        EXPECT_LT(largest_difference(trace.attention_input(l), block.attention_input), 1e-5);
        EXPECT_LT(largest_difference(mine.q, block.attention.q), 1e-5);
        EXPECT_LT(largest_difference(mine.attention_sum, block.attention_sum), 1e-5);
        EXPECT_LT(largest_difference(trace.after_attention(l), block.after_attention), 1e-5);
        EXPECT_LT(largest_difference(trace.output(l), block.output), 1e-5);
        EXPECT_EQ(mine.activated.empty(), !config.feed_forward);
        EXPECT_EQ(block.activated.empty(), !config.feed_forward);
        if (!config.feed_forward) continue;
        EXPECT_LT(largest_difference(trace.ffn_input(l), block.ffn_input), 1e-5);
        EXPECT_LT(largest_difference(mine.activated, block.activated), 1e-5);
      }
      EXPECT_LT(largest_difference(trace.last(), stack.output), 1e-5);
      EXPECT_EQ(trace.final.empty(), norm == NormPlace::none);
    }
  }
}

TEST(Model, LearnsABatchByHeart) {
  for (ModelPositions positions : {ModelPositions::learned, ModelPositions::t5, ModelPositions::rope}) {
    ModelConfig config = small(positions);
    config.d_model = 32, config.heads = 4, config.d_ff = 64;
    config.causal = false;  // two sequences may begin alike
    const Batch batch = random_batch(config, 4, 12, 9);
    ModelWeights weights = random_model(config, 2), gradients;
    ModelTrace trace;
    AdamState state;
    model_forward(config, weights, batch, threads(), trace);
    EXPECT_NEAR(trace.loss, std::log(37.0), 0.5);  // nothing known yet: all tokens alike
    for (int step = 0; step < 150; ++step) {
      model_backward(config, weights, batch, trace, threads(), gradients);
      adam_step({}, 5e-3, gradients, threads(), state, weights);
      model_forward(config, weights, batch, threads(), trace);
    }
    EXPECT_LT(trace.loss, 0.05) << "positions " << static_cast<int>(positions);
  }
}

TEST(Model, NothingIsLearnedWhereNothingIsAsked) {
  const ModelConfig config = small(ModelPositions::learned);
  Batch batch = random_batch(config, 2, 5, 10);
  for (int& target : batch.targets) target = no_target;
  const ModelWeights weights = lively(config);
  ModelTrace trace;
  ModelWeights gradients;
  model_forward(config, weights, batch, threads(), trace);
  EXPECT_EQ(trace.loss, 0);
  EXPECT_EQ(trace.targets, 0);
  model_backward(config, weights, batch, trace, threads(), gradients);
  EXPECT_EQ(gradient_norm(gradients), 0);
  batch.targets.clear();
  model_forward(config, weights, batch, threads(), trace);
  EXPECT_TRUE(trace.probabilities.empty());
}

TEST(Model, BuffersAreReused) {
  const ModelConfig config = small(ModelPositions::sinusoidal);
  const ModelWeights weights = lively(config);
  const Batch batch = random_batch(config, 3, 16, 12);
  ModelTrace trace;
  ModelWeights gradients;
  model_forward(config, weights, batch, threads(), trace);
  model_backward(config, weights, batch, trace, threads(), gradients);
  const float* logits = trace.logits.data();
  const float* weights_of_heads = trace.layers[1].weights.data();
  const float* gradient = gradients.wte.data();
  const Matrix first = gradients.wte;
  model_forward(config, weights, batch, threads(), trace);
  model_backward(config, weights, batch, trace, threads(), gradients);
  EXPECT_EQ(trace.logits.data(), logits);
  EXPECT_EQ(trace.layers[1].weights.data(), weights_of_heads);
  EXPECT_EQ(gradients.wte.data(), gradient);
  EXPECT_TRUE(same_bits(first, gradients.wte)) << "gradients are overwritten, not added to";
}

TEST(Model, ShapesCountAndStart) {
  ModelConfig config = small(ModelPositions::learned);
  config.tied = false;
  const std::size_t block = 4u * 24 * 24 + 4u * 24 + 2u * 24 * 40 + 40 + 24 + 4u * 24;
  EXPECT_EQ(parameters(config), 37u * 24 + 20u * 24 + 2 * block + 2u * 24 + 24u * 37);
  const ModelWeights zero = zero_model(config), a = random_model(config, 3), b = random_model(config, 3),
                     c = random_model(config, 4);
  std::vector<const Matrix*> zeros, same, other;
  tensors(zero, [&](const std::string&, const Matrix& m) { zeros.push_back(&m); });
  tensors(b, [&](const std::string&, const Matrix& m) { same.push_back(&m); });
  tensors(c, [&](const std::string&, const Matrix& m) { other.push_back(&m); });
  std::size_t n = 0;
  tensors(a, [&](const std::string& name, const Matrix& m) {
    EXPECT_EQ(m.rows(), zeros[n]->rows()) << name;
    EXPECT_EQ(m.cols(), zeros[n]->cols()) << name;
    EXPECT_TRUE(same_bits(m, *same[n])) << name;
    double square = 0;
    for (float value : m.values()) square += static_cast<double>(value) * static_cast<double>(value);
    const bool matrix = m.rows() > 1;
    const bool shrunk = name.find("w_o") != std::string::npos || name.find("w_2") != std::string::npos;
    const double sigma = 0.02 * std::sqrt(768.0 / 24) / (shrunk ? 2 : 1);  // √(2 · 2 layers) = 2
    if (matrix) {
      EXPECT_FALSE(same_bits(m, *other[n])) << name;
      EXPECT_NEAR(std::sqrt(square / static_cast<double>(m.size())), sigma, 0.15 * sigma) << name;
    } else if (!m.empty()) {
      const float constant = name.find("_g") != std::string::npos ? 1.0f : 0.0f;
      for (float value : m.values()) EXPECT_EQ(value, constant) << name;
    }
    ++n;
  });
}

}  // namespace
}  // namespace headlight::nn
