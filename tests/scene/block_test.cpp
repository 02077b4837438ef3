// The Block page's stack: what each stage is made of, the norms, the mask, and what is left out when it would
// take too long.
#include "scene/block.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scene/compute.h"
#include "scene/settings.h"

namespace headlight::scene {
namespace {

std::shared_ptr<const Results> results_of(const std::vector<std::string>& settings) {
  Scene scene;
  scene.page = Page::block;
  for (const std::string& setting : settings) {
    const base::Status status = set_field(scene, setting);
    EXPECT_TRUE(status) << setting;
  }
  repair(scene);
  static base::Parallel parallel(1);
  return compute(scene, parallel, {});
}

double at(const nn::Matrix& m, int r, int c) {
  return static_cast<double>(m.at(r, c));
}

std::string words(int count) {
  std::string out = "sentence=";
  for (int i = 0; i < count; ++i) out += "w" + std::to_string(i % 50) + " ";
  return out;
}

TEST(Block, TheStreamStartsWithTheEmbeddingsAndItsSumsAddUp) {
  for (const char* norm : {"block_norm=pre", "block_norm=post"}) {
    const auto r = results_of({norm});
    const BlockResults& b = *r->block;
    ASSERT_EQ(b.T, 6);
    ASSERT_EQ(b.layers, 6);
    for (int l = 0; l < b.layers; ++l) {
      const auto of = [&](BlockStage s) -> const nn::Matrix& { return b.stage(l, s); };
      for (int t = 0; t < b.T; ++t) {
        for (int c = 0; c < 32; ++c) {
          const double before = l == 0 ? at(r->x, t, c) : at(b.stage(l - 1, BlockStage::output), t, c);
          EXPECT_EQ(at(of(BlockStage::input), t, c), before);
          EXPECT_NEAR(at(of(BlockStage::attention_sum), t, c),
                      at(of(BlockStage::input), t, c) + at(of(BlockStage::attention_output), t, c), 1e-5);
          EXPECT_NEAR(at(of(BlockStage::ffn_sum), t, c),
                      at(of(BlockStage::after_attention), t, c) + at(of(BlockStage::ffn_output), t, c), 1e-5);
        }
      }
      EXPECT_EQ(of(BlockStage::activated).cols(), 4 * 32);
    }
  }
}

TEST(Block, WhatIsNormedHasMeanZeroAndDeviationOne) {
  const auto pre = results_of({"block_norm=pre"}), post = results_of({"block_norm=post"});
  const auto normed = [](const nn::Matrix& m) {
    for (int t = 0; t < m.rows(); ++t) {
      double sum = 0, squares = 0;
      for (const float v : m.row(t))
        sum += static_cast<double>(v), squares += std::pow(static_cast<double>(v), 2);
      EXPECT_NEAR(sum / m.cols(), 0, 1e-5);
      EXPECT_NEAR(squares / m.cols(), 1, 1e-3);
    }
  };
  normed(pre->block->stage(2, BlockStage::attention_input));
  normed(pre->block->stage(2, BlockStage::ffn_input));
  normed(pre->block->trace.output);
  normed(post->block->stage(2, BlockStage::after_attention));
  normed(post->block->stage(2, BlockStage::output));
  EXPECT_TRUE(pre->block->final_norm);
  EXPECT_FALSE(post->block->final_norm);
  // Layer norm keeps the length of a token at √d; without it after the sums the stream grows.
  EXPECT_NEAR(post->block->stream.back().norm, std::sqrt(32), 0.01);
  const auto& stream = pre->block->stream;
  EXPECT_GT(stream[stream.size() - 2].norm, stream.front().norm);
}

TEST(Block, ADecoderDoesNotReadAhead) {
  const auto r = results_of({"block_causal=true"});
  const auto& weights = r->block->trace.layers[3].attention.weights;
  for (int h = 0; h < 4; ++h) {
    for (int q = 0; q < 6; ++q) {
      for (int k = q + 1; k < 6; ++k) EXPECT_EQ(weights.at(h, q, k), 0.f);
    }
  }
  // What comes later changes nothing before it.
  const auto longer = results_of({"block_causal=true", "sentence=the cat sat on the mat again"});
  for (int c = 0; c < 32; ++c) {
    EXPECT_NEAR(at(longer->block->trace.output, 5, c), at(r->block->trace.output, 5, c), 1e-4);
  }
}

TEST(Block, TheActivationIsTheOneAskedFor) {
  const auto relu = results_of({"block_activation=relu"}), gelu = results_of({"block_activation=gelu"});
  const auto& hidden = relu->block->trace.layers[0].hidden;
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    EXPECT_EQ(relu->block->trace.layers[0].activated.data()[i], std::max(0.f, hidden.data()[i]));
    const double x = static_cast<double>(gelu->block->trace.layers[0].hidden.data()[i]);
    EXPECT_NEAR(static_cast<double>(gelu->block->trace.layers[0].activated.data()[i]),
                x / 2 * (1 + std::erf(x / std::sqrt(2.0))), 1e-5);
  }
}

TEST(Block, FiguresAreThoseOfTheMatrix) {
  const auto r = results_of({});
  const BlockResults& b = *r->block;
  for (int stage = 0; stage < block_stages; ++stage) {
    const nn::Matrix& m = b.stage(1, static_cast<BlockStage>(stage));
    double sum = 0, squares = 0, largest = 0;
    for (const float v : m.values()) {
      const double x = static_cast<double>(v);
      sum += x, squares += x * x, largest = std::max(largest, std::abs(x));
    }
    const double n = static_cast<double>(m.size()), mean = sum / n;
    const StageFigures& f = b.figures_of(1, static_cast<BlockStage>(stage));
    EXPECT_NEAR(f.mean, mean, 1e-9);
    EXPECT_NEAR(f.deviation, std::sqrt(squares / n - mean * mean), 1e-6);
    EXPECT_EQ(static_cast<double>(f.largest), largest);
  }
  EXPECT_EQ(b.stream.size(), 1u + 2 * 6 + 1);
  EXPECT_EQ(b.nonfinite, 0u);
}

TEST(Block, WhatWouldTakeTooLongIsLeftOutAndCounted) {
  const auto longer = results_of({words(500)});
  EXPECT_EQ(longer->block->T, 128);
  EXPECT_EQ(longer->block->tokens_left_out, 372);
  const auto wide = results_of({"d_model=512", "heads=8", "block_layers=12", words(40)});
  EXPECT_LT(wide->block->layers, 12);
  EXPECT_EQ(wide->block->layers + wide->block->layers_left_out, 12);
  EXPECT_EQ(wide->block->T + wide->block->tokens_left_out, 40);
  EXPECT_GE(wide->block->T, 8);
  EXPECT_EQ(static_cast<int>(wide->block->trace.layers.size()), wide->block->layers);
}

TEST(Block, FewTokensAndBothEndsOfEveryField) {
  EXPECT_EQ(results_of({"sentence="})->block->layers, 0);
  EXPECT_EQ(results_of({"sentence=one"})->block->T, 1);
  EXPECT_EQ(results_of({"sentence=one two"})->block->T, 2);
  for (const char* setting :
       {"block_layers=1", "block_layers=12", "block_widen=1", "block_widen=8", "block_init=normal",
        "block_layer=12", "block_head=1024", "d_model=1", "position=sinusoidal_concat"}) {
    const auto r = results_of({setting});
    EXPECT_GE(r->block->layers, 1) << setting;
    EXPECT_EQ(r->block->nonfinite, 0u) << setting;
  }
  EXPECT_EQ(results_of({"position=sinusoidal_concat"})->block->trace.output.cols(), 64);
}

}  // namespace
}  // namespace headlight::scene
