// With a trained model every page speaks of that model: what the Order, Variants and Memory pages compute is
// held to the trainer's own forward pass, which is written apart from theirs, on other words, other positions
// and other orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "pages/block/block.h"
#include "pages/memory/memory.h"
#include "pages/order/order.h"
#include "pages/variants/cards.h"
#include "pages/variants/variants.h"
#include "scene/layer_input.h"
#include "shown_model.h"

namespace headlight::scene {
namespace {

using P = nn::ModelPositions;
using tests::largest_gap;
using tests::ShownModel;
using tests::some_model;

/// The trainer's forward pass over tokens, perhaps of a model with other positions.
nn::ModelTrace forward(const nn::ModelConfig& config, const nn::ModelWeights& weights,
                       std::vector<int> tokens) {
  base::Parallel parallel(1);
  nn::Batch batch;
  batch.B = 1, batch.T = static_cast<int>(tokens.size()), batch.tokens = std::move(tokens);
  nn::ModelTrace trace;
  nn::model_forward(config, weights, batch, parallel, trace);
  return trace;
}

class EveryScheme : public testing::TestWithParam<P> {};

/// The words permuted, through every layer up to the one shown: what attention adds to the stream is
/// what the trainer's forward pass adds for the sentence written in that order.
TEST_P(EveryScheme, OrderPermutesTheWordsAndRunsTheLayersAgain) {
  for (const int layer : {1, 2, 3}) {
    ShownModel shown(some_model(GetParam()), layer);
    const std::vector<int> order = {5, 0, 3, 6, 2, 1, 4};
    shown.scene.order.permutation = order;
    const auto results = shown.computed(Page::order);
    const OrderResults& r = *results->own_as<OrderResults>();
    EXPECT_EQ(r.layer, layer);
    std::vector<int> typed = shown.model.encoder->encode(shown.scene.sentence), permuted;
    for (const int token : order) permuted.push_back(typed[static_cast<std::size_t>(token)]);
    const auto attended = [&](const std::vector<int>& tokens) {
      const nn::ModelTrace trace = forward(shown.model.config, shown.model.weights, tokens);
      nn::Matrix out = trace.layers[static_cast<std::size_t>(layer - 1)].attention_sum;
      for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] -= trace.input(layer - 1).data()[i];
      return out;
    };
    const nn::Matrix straight = attended(typed), moved = attended(permuted);
    ASSERT_EQ(moved.size(), r.moved.size());
    EXPECT_LT(largest_gap(moved.data(), r.moved.data(), moved.size()), 5e-5) << layer;
    EXPECT_LT(largest_gap(straight.data(), r.original.data(), straight.size()), 5e-5) << layer;
    double apart = 0;
    for (int position = 0; position < 7; ++position) {
      apart = std::max(apart, largest_gap(moved.row(position).data(),
                                          straight.row(order[static_cast<std::size_t>(position)]).data(), 8));
    }
    EXPECT_NEAR(r.float32.output, apart, 1e-4);
    ASSERT_TRUE(r.has_double);
    EXPECT_NEAR(r.float64.output, r.float32.output, 1e-5) << layer;
    EXPECT_GT(apart, 0.01);  // it is causal: it knows order
    EXPECT_TRUE(r.mask_knows_order);
    EXPECT_EQ(r.mask_before, layer > 1);
    EXPECT_EQ(r.learned_positions, GetParam() == P::learned);
    EXPECT_EQ(r.relative_positions, GetParam() == P::t5 || GetParam() == P::alibi || GetParam() == P::rope);
    EXPECT_EQ(r.parts.mixed, layer > 1);
    EXPECT_EQ(r.parts.tokens, layer > 1 ? 0 : 7);
  }
}

/// Without the mask of the scene the layers before still have theirs, and positions are in the words already.
TEST_P(EveryScheme, ADeeperLayerIsNotOrderBlindForLackOfAMask) {
  ShownModel shown(some_model(GetParam()), 2);
  shown.scene.mask = {};
  shown.scene.order.permutation = {1, 2, 3, 4, 5, 0, 6};
  const auto results = shown.computed(Page::order);
  EXPECT_GT(results->own_as<OrderResults>()->float32.output, 0.01);
  EXPECT_NEAR(results->own_as<OrderResults>()->float64.output,
              results->own_as<OrderResults>()->float32.output, 1e-5);
}

/// The plain variant is the layer of the Attention page, head by head.
TEST_P(EveryScheme, TheModelsOwnVariantIsAttention) {
  for (const int layer : {1, 2, 3}) {
    for (const bool causal : {false, true}) {
      ShownModel shown(some_model(GetParam()), layer);
      shown.scene.mask.causal = causal;
      const VariantPosition own = own_position(shown.model.config);
      shown.scene.variants.a = {causal ? VariantMask::causal : VariantMask::none, own, true};
      for (const int head : {1, 2}) {
        shown.scene.variants.head = head;
        const auto results = shown.computed(Page::variants);
        const VariantSideResults& a = results->own_as<VariantsResults>()->a;
        ASSERT_EQ(a.error, "");
        EXPECT_EQ(results->own_as<VariantsResults>()->own, own);
        EXPECT_EQ(results->own_as<VariantsResults>()->layer, layer);
        EXPECT_LT(largest_gap(a.weights.data(), results->attention.weights.plane(head - 1), a.weights.size()),
                  1e-6)
            << layer << ' ' << head << ' ' << causal;
        if (causal) continue;
        // The second sentence is cut by the model too: asked about itself, it is the same map.
        shown.scene.variants.sentence_kv = shown.scene.sentence;
        const auto across = shown.computed(Page::variants);
        EXPECT_LT(largest_gap(across->own_as<VariantsResults>()->cross.weights.data(), a.weights.data(),
                              a.weights.size()),
                  1e-6);
      }
    }
  }
}

/// Other positions: a model that has them instead, run by the trainer's forward pass.
TEST_P(EveryScheme, OtherPositionsRunTheLayersAgain) {
  const struct {
    VariantPosition side;
    P positions;
  } others[] = {{VariantPosition::none, P::none},       {VariantPosition::sinusoidal, P::sinusoidal},
                {VariantPosition::learned, P::learned}, {VariantPosition::t5, P::t5},
                {VariantPosition::alibi, P::alibi},     {VariantPosition::rope_half, P::rope}};
  for (const int layer : {1, 3}) {
    ShownModel shown(some_model(GetParam()), layer);
    for (const auto& other : others) {
      shown.scene.variants.b = {VariantMask::causal, other.side, true};
      shown.scene.variants.head = 2;
      const auto results = shown.computed(Page::variants);
      const VariantSideResults& b = results->own_as<VariantsResults>()->b;
      ASSERT_EQ(b.error, "");
      nn::ModelConfig config = shown.model.config;
      nn::ModelWeights weights = shown.model.weights;
      if (config.positions != other.positions) {
        config.positions = other.positions;
        weights.wpe = seeded_table(shown.scene.seed, "learned positions", config.context, 8, 0.5);
        weights.t5_table = seeded_table(shown.scene.seed, "relative bias", 32, 2, 1);
        if (other.positions != P::learned) weights.wpe = {};
        if (other.positions != P::t5) weights.t5_table = {};
      }
      const nn::ModelTrace trace =
          forward(config, weights, shown.model.encoder->encode(shown.scene.sentence));
      const nn::Matrix& own = trace.layers[static_cast<std::size_t>(layer - 1)].weights;
      EXPECT_LT(largest_gap(own.plane(1), b.weights.data(), b.weights.size()), 2e-5)
          << layer << ' ' << word(other.side);
    }
  }
}

/// With caches in every layer, a token at a time gives what all at once gives.
TEST_P(EveryScheme, DecodingGivesTheSameTokenByToken) {
  for (const nn::NormPlace norm : {nn::NormPlace::pre, nn::NormPlace::post}) {
    for (const int layer : {1, 2, 3}) {
      ShownModel shown(some_model(GetParam(), true, norm), layer);
      for (const VariantPosition position :
           {VariantPosition::none, VariantPosition::sinusoidal, VariantPosition::learned, VariantPosition::t5,
            VariantPosition::alibi, VariantPosition::rope, VariantPosition::rope_half}) {
        shown.scene.variants.a = {VariantMask::none, position, true};
        const auto results = shown.computed(Page::variants);
        ASSERT_EQ(results->own_as<VariantsResults>()->decoding.steps.size(), 7u);
        double forgotten = 0;
        for (const Decoding::Step& step : results->own_as<VariantsResults>()->decoding.steps) {
          EXPECT_LT(step.input_residual, 5e-6) << layer << ' ' << word(position);
          EXPECT_LT(step.context_residual, 5e-6) << layer << ' ' << word(position);
          forgotten = std::max(forgotten, step.forgotten_residual);
        }
        if (position != VariantPosition::none) {
          EXPECT_GT(forgotten, 1e-4) << layer << ' ' << word(position);
        }
      }
    }
  }
}

TEST_P(EveryScheme, PadsChangeNothing) {
  for (const bool causal : {true, false}) {
    ShownModel shown(some_model(GetParam(), causal), 3);
    shown.scene.variants.sentence_kv = "the mat";
    shown.scene.variants.batch_lengths = {5, 2};
    const auto results = shown.computed(Page::variants);
    ASSERT_EQ(results->own_as<VariantsResults>()->batch.size(), 2u);
    for (const BatchSentence& sentence : results->own_as<VariantsResults>()->batch) {
      EXPECT_LT(sentence.residual, 2e-6);
      EXPECT_GT(sentence.pad_share, 0);
    }
    // The words of the second sentence are the model's, too.
    EXPECT_EQ(results->own_as<VariantsResults>()->cross.keys[1].piece, shown.model.encoder->id_of("mat"));
  }
}

/// The shown head's own columns; behind the first layer nothing but them.
TEST_P(EveryScheme, MemoryReadsTheHeadThatIsShown) {
  for (const int layer : {1, 2}) {
    ShownModel shown(some_model(GetParam()), layer);
    for (const int head : {1, 2}) {
      shown.scene.head = {head};
      const auto results = shown.computed(Page::memory);
      const SentenceMemory& memory = *results->own_as<MemoryResults>()->sentence;
      EXPECT_EQ(memory.head, head);
      EXPECT_EQ(memory.layer, layer);
      const nn::AttentionTrace& trace = results->attention;
      for (int t = 0; t < 7; ++t) {
        EXPECT_LT(largest_gap(memory.v.row(t).data(), trace.value(head - 1, t), 4), 2e-6);
        if (layer == 1 || GetParam() == P::rope) continue;  // rotated in the trace
        EXPECT_LT(largest_gap(memory.q.row(t).data(), trace.query(head - 1, t), 4), 2e-6);
        EXPECT_LT(largest_gap(memory.k.row(t).data(), trace.key(head - 1, t), 4), 2e-6);
      }
      // In the first layer a word that comes back has its key again: “the” stands at 0 and 4.
      if (layer == 1) {
        EXPECT_EQ(largest_gap(memory.k.row(0).data(), memory.k.row(4).data(), 4), 0);
      }
    }
    Scene other = shown.scene;
    other.head = {1};
    EXPECT_NE(key(other), key(shown.scene)) << "another head is another memory";
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryScheme,
                         testing::Values(P::none, P::sinusoidal, P::learned, P::t5, P::alibi, P::rope));

/// Without residual connections, layer norms or feed-forward layers, in every combination: Attention, Block,
/// Order and Variants compute what the trainer's forward pass does.
TEST(ModelTruth, PagesHaveTheModelsParts) {
  for (const nn::NormPlace norm : {nn::NormPlace::pre, nn::NormPlace::post, nn::NormPlace::none}) {
    for (const bool residual : {true, false}) {
      for (const bool fed : {true, false}) {
        for (const int layer : {1, 2, 3}) {
          SCOPED_TRACE(testing::Message() << "norm " << static_cast<int>(norm) << ", residual " << residual
                                          << ", feed-forward " << fed << ", layer " << layer);
          ShownModel shown(some_model(P::learned, true, norm, residual, fed), layer);
          const nn::ModelConfig& config = shown.model.config;
          const auto at = static_cast<std::size_t>(layer - 1);
          const std::vector<int> typed = shown.model.encoder->encode(shown.scene.sentence);
          const nn::ModelTrace trace = forward(config, shown.model.weights, typed);

          const auto attended = shown.computed(Page::attention);
          const nn::Matrix& weights = attended->attention.weights;
          EXPECT_LT(largest_gap(weights.data(), trace.layers[at].weights.data(), weights.size()), 2e-5);

          const auto block = shown.computed(Page::block);
          ASSERT_EQ(block->own_as<BlockResults>()->layers, 3);
          EXPECT_EQ(block->scene.block.residual, residual);
          EXPECT_EQ(block->scene.block.feed_forward, fed);
          EXPECT_EQ(word(block->scene.block.norm), std::string(word(norm)));
          for (int l = 0; l < 3; ++l) {
            const nn::Matrix& output = block->own_as<BlockResults>()->stage(l, BlockStage::output);
            EXPECT_LT(largest_gap(output.data(), trace.output(l).data(), output.size()), 5e-5);
          }
          const nn::Matrix& end = block->own_as<BlockResults>()->trace.output;
          EXPECT_LT(largest_gap(end.data(), trace.last().data(), end.size()), 5e-5);
          EXPECT_EQ(block->own_as<BlockResults>()->final_norm, norm != nn::NormPlace::none);

          const std::vector<int> order = {5, 0, 3, 6, 2, 1, 4};
          shown.scene.order.permutation = order;
          std::vector<int> permuted;
          for (const int token : order) permuted.push_back(typed[static_cast<std::size_t>(token)]);
          const nn::ModelTrace other = forward(config, shown.model.weights, permuted);
          nn::Matrix out = other.layers[at].attention_sum;
          for (std::size_t i = 0; residual && i < out.size(); ++i)
            out.data()[i] -= other.input(layer - 1).data()[i];
          const auto moved = shown.computed(Page::order);
          EXPECT_LT(largest_gap(out.data(), moved->own_as<OrderResults>()->moved.data(), out.size()), 5e-5);

          shown.scene.variants.a = {VariantMask::causal, own_position(config), true};
          shown.scene.mask.causal = true;
          const auto variants = shown.computed(Page::variants);
          const nn::Matrix& map = variants->own_as<VariantsResults>()->a.weights;
          EXPECT_LT(largest_gap(map.data(), trace.layers[at].weights.data(), map.size()), 2e-5);
          for (const Decoding::Step& step : variants->own_as<VariantsResults>()->decoding.steps) {
            EXPECT_LT(step.input_residual, 1e-5);
            EXPECT_LT(step.context_residual, 1e-5);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace headlight::scene
