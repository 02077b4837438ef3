// The Block page's stack: what each stage is made of, the norms, the mask, and what is left out when it would
// take too long.
#include "pages/block/block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pages/compute.h"
#include "scene/settings.h"

namespace headlight::scene::block_test {
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
  return compute_now(scene, parallel, {});
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
    const BlockResults& b = *r->own_as<scene::BlockResults>();
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
  normed(pre->own_as<scene::BlockResults>()->stage(2, BlockStage::attention_input));
  normed(pre->own_as<scene::BlockResults>()->stage(2, BlockStage::ffn_input));
  normed(pre->own_as<scene::BlockResults>()->trace.output);
  normed(post->own_as<scene::BlockResults>()->stage(2, BlockStage::after_attention));
  normed(post->own_as<scene::BlockResults>()->stage(2, BlockStage::output));
  EXPECT_TRUE(pre->own_as<scene::BlockResults>()->final_norm);
  EXPECT_FALSE(post->own_as<scene::BlockResults>()->final_norm);
  // Layer norm keeps the length of a token at √d; without it after the sums the stream grows.
  EXPECT_NEAR(post->own_as<scene::BlockResults>()->stream.back().norm, std::sqrt(32), 0.01);
  const auto& stream = pre->own_as<scene::BlockResults>()->stream;
  EXPECT_GT(stream[stream.size() - 2].norm, stream.front().norm);
}

TEST(Block, ADecoderDoesNotReadAhead) {
  const auto r = results_of({"block_causal=true"});
  const auto& weights = r->own_as<scene::BlockResults>()->trace.layers[3].attention.weights;
  for (int h = 0; h < 4; ++h) {
    for (int q = 0; q < 6; ++q) {
      for (int k = q + 1; k < 6; ++k) EXPECT_EQ(weights.at(h, q, k), 0.f);
    }
  }
  // What comes later changes nothing before it.
  const auto longer = results_of({"block_causal=true", "sentence=the cat sat on the mat again"});
  for (int c = 0; c < 32; ++c) {
    EXPECT_NEAR(at(longer->own_as<scene::BlockResults>()->trace.output, 5, c),
                at(r->own_as<scene::BlockResults>()->trace.output, 5, c), 1e-4);
  }
}

TEST(Block, TheActivationIsTheOneAskedFor) {
  const auto relu = results_of({"block_activation=relu"}), gelu = results_of({"block_activation=gelu"});
  const auto& hidden = relu->own_as<scene::BlockResults>()->trace.layers[0].hidden;
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    EXPECT_EQ(relu->own_as<scene::BlockResults>()->trace.layers[0].activated.data()[i],
              std::max(0.f, hidden.data()[i]));
    const double x =
        static_cast<double>(gelu->own_as<scene::BlockResults>()->trace.layers[0].hidden.data()[i]);
    EXPECT_NEAR(static_cast<double>(gelu->own_as<scene::BlockResults>()->trace.layers[0].activated.data()[i]),
                x / 2 * (1 + std::erf(x / std::sqrt(2.0))), 1e-5);
  }
}

TEST(Block, FiguresAreThoseOfTheMatrix) {
  const auto r = results_of({});
  const BlockResults& b = *r->own_as<scene::BlockResults>();
  for (int stage = 0; stage < block_stages; ++stage) {
    const nn::Matrix& m = b.stage(1, static_cast<BlockStage>(stage));
    double sum = 0, squares = 0, largest = 0;
    for (const float v : m.values()) {
      const double x = static_cast<double>(v);
      sum += x, squares += x * x, largest = std::max(largest, std::abs(x));
    }
    const double n = static_cast<double>(m.size()), mean = sum / n;
    const ElementStatistics& f = b.statistics_of(1, static_cast<BlockStage>(stage));
    EXPECT_NEAR(f.mean, mean, 1e-9);
    EXPECT_NEAR(f.deviation, std::sqrt(squares / n - mean * mean), 1e-6);
    EXPECT_EQ(static_cast<double>(f.largest), largest);
  }
  EXPECT_EQ(b.stream.size(), 1u + 2 * 6 + 1);
  EXPECT_EQ(b.nonfinite, 0u);
}

TEST(Block, TheStreamsFiguresAreThoseOfItsMatrices) {
  for (const char* norm : {"block_norm=pre", "block_norm=post"}) {
    const auto r = results_of({norm, "block_layers=3"});
    const BlockResults& b = *r->own_as<scene::BlockResults>();
    std::vector<const nn::Matrix*> stages = {&r->x};
    for (int l = 0; l < 3; ++l) {
      stages.push_back(&b.stage(l, BlockStage::after_attention));
      stages.push_back(&b.stage(l, BlockStage::output));
    }
    if (b.final_norm) stages.push_back(&b.trace.output);
    ASSERT_EQ(b.stream.size(), stages.size());
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const nn::Matrix& m = *stages[i];
      double norms = 0, variance = 0, mean = 0;
      for (int t = 0; t < m.rows(); ++t) {
        double sum = 0, squares = 0;
        for (const float v : m.row(t))
          sum += static_cast<double>(v), squares += static_cast<double>(v) * static_cast<double>(v);
        norms += std::sqrt(squares) / m.rows();
        variance += (squares / 32 - sum / 32 * sum / 32) / m.rows();
        mean += sum / 32 / m.rows();
      }
      EXPECT_NEAR(b.stream[i].norm, norms, 1e-5 * norms) << norm << i;
      EXPECT_NEAR(b.stream[i].variance, variance, 1e-5) << norm << i;
      EXPECT_NEAR(b.stream[i].mean, mean, 1e-6) << norm << i;
    }
    double largest = 0;
    for (const float v : b.trace.output.values())
      largest = std::max(largest, std::abs(static_cast<double>(v)));
    EXPECT_EQ(static_cast<double>(b.final_statistics.largest), largest);
    EXPECT_NEAR(b.final_statistics.mean, b.stream.back().mean, 1e-6);
    EXPECT_NEAR(b.final_statistics.deviation * b.final_statistics.deviation, b.stream.back().variance + 0.0,
                b.final_norm ? 1e-4 : 1e-2);
  }
}

TEST(Block, AHeadsWeightsAreTheSoftmaxOfItsNormedInput) {
  const auto r = results_of({"block_layers=4", "block_causal=true"});
  const BlockResults& b = *r->own_as<scene::BlockResults>();
  const auto weights = stack_weights(r->scene, b);
  const nn::Matrix& x = b.stage(2, BlockStage::attention_input);
  const nn::AttentionWeights& w = weights->layers[2].attention;
  const int head = 3, d = 8;
  const auto projected = [&](const nn::Matrix& m, int t, int c) {
    double sum = 0;
    for (int n = 0; n < 32; ++n) sum += at(x, t, n) * at(m, n, head * d + c);
    return sum;
  };
  for (int q = 0; q < b.T; ++q) {
    std::vector<double> exponentials;
    double total = 0;
    for (int k = 0; k <= q; ++k) {
      double dot = 0;
      for (int c = 0; c < d; ++c) dot += projected(w.w_q, q, c) * projected(w.w_k, k, c);
      exponentials.push_back(std::exp(dot / std::sqrt(8.0)));
      total += exponentials.back();
    }
    for (int k = 0; k <= q; ++k)
      EXPECT_NEAR(static_cast<double>(b.trace.layers[2].attention.weights.at(head, q, k)),
                  exponentials[static_cast<std::size_t>(k)] / total, 1e-5);
  }
}

TEST(Block, ATileIsTheLargestWeightUnderEachPixel) {
  for (const char* tokens : {"sentence=one", "sentence=the cat sat on the mat", ""}) {
    for (const char* causal : {"block_causal=false", "block_causal=true"}) {
      const auto r = results_of({*tokens == 0 ? words(130) : tokens, causal, "d_model=80", "heads=40",
                                 "block_layers=2", "position=none"});
      const BlockResults& b = *r->own_as<scene::BlockResults>();
      const int side = b.tiles.side;
      ASSERT_EQ(side, std::min(b.T, most_tile_side(80)));
      ASSERT_EQ(b.tiles.sheets.size(), 2u);
      float largest = 0;
      for (std::size_t l = 0; l < 2; ++l) {
        ASSERT_EQ(b.tiles.sheets[l].size(), 2u);  // 32 heads and 8
        EXPECT_EQ(b.tiles.sheets[l][1].rows(), 8 * side);
        const nn::Tensor<float>& weights = b.trace.layers[l].attention.weights;
        for (int h = 0; h < 40; ++h) {
          const nn::Matrix& sheet = b.tiles.sheets[l][static_cast<std::size_t>(h / 32)];
          // Every weight is under its pixel, and every pixel is the weight of one of its cells.
          nn::Matrix want(side, side);
          for (int q = 0; q < b.T; ++q) {
            for (int k = 0; k < b.T; ++k) {
              int row = 0, col = 0;
              while ((row + 1) * b.T / side <= q) ++row;
              while ((col + 1) * b.T / side <= k) ++col;
              want.at(row, col) = std::max(want.at(row, col), weights.at(h, q, k));
              largest = std::max(largest, weights.at(h, q, k));
              if (weights.at(h, q, k) > 0) {
                EXPECT_TRUE(b.tiles.allowed[l][static_cast<std::size_t>(h % 32 * side + row)].has(col));
              }
            }
          }
          for (int row = 0; row < side; ++row) {
            for (int col = 0; col < side; ++col)
              ASSERT_EQ(sheet.at(h % 32 * side + row, col), want.at(row, col)) << h << row << col;
          }
        }
      }
      EXPECT_EQ(b.largest_weight, largest);
      std::uint64_t points = 0, allowed = 0;
      for (const std::uint64_t count : b.counts.in) points += count;
      for (int row = 0; row < b.tiles.side; ++row)
        allowed += static_cast<std::uint64_t>(b.tiles.allowed[0][static_cast<std::size_t>(row)].size());
      EXPECT_EQ(points, allowed * static_cast<std::uint64_t>(b.layers) * 40);
      if (b.T == 6 && std::string(causal) == "block_causal=true") {
        EXPECT_FALSE(b.tiles.allowed[0][1].has(2));
      }
    }
  }
}

TEST(Block, WhatWouldTakeTooLongIsLeftOutAndCounted) {
  const auto longer = results_of({words(600)});
  EXPECT_EQ(longer->own_as<scene::BlockResults>()->T, 512);
  EXPECT_EQ(longer->own_as<scene::BlockResults>()->tokens_left_out, 88);
  const auto wide = results_of({"d_model=1024", "heads=8", "block_layers=12", words(40)});
  EXPECT_LT(wide->own_as<scene::BlockResults>()->layers, 12);
  EXPECT_EQ(
      wide->own_as<scene::BlockResults>()->layers + wide->own_as<scene::BlockResults>()->layers_left_out, 12);
  EXPECT_EQ(wide->own_as<scene::BlockResults>()->T, 40);
  EXPECT_EQ(static_cast<int>(wide->own_as<scene::BlockResults>()->trace.layers.size()),
            wide->own_as<scene::BlockResults>()->layers);
  // Of many heads fewer tokens, so that their maps fit into memory.
  const auto maps = results_of({"d_model=128", "heads=128", "block_layers=12", words(400)});
  EXPECT_EQ(maps->own_as<scene::BlockResults>()->layers, 12);
  EXPECT_LT(maps->own_as<scene::BlockResults>()->T, 400);
  EXPECT_GT(maps->own_as<scene::BlockResults>()->T, 100);
  EXPECT_EQ(maps->own_as<scene::BlockResults>()->T + maps->own_as<scene::BlockResults>()->tokens_left_out,
            400);
  // The Compare page, which answers within a frame, takes less.
  base::Parallel parallel(1);
  const auto quick = compute_stack(longer->scene, longer->x, parallel);
  EXPECT_EQ(quick->T, 128);
}

TEST(Block, WhatTakesLongIsSaidToAndCanBeStopped) {
  Scene scene;
  scene.page = Page::block;
  base::Parallel parallel(1);
  const auto known = compute_now(scene, parallel, {});
  EXPECT_LT(work(scene, 6), work_in_a_frame);
  scene.page = Page::attention;
  EXPECT_LT(work(scene, 6), block_work(scene, 6) + work(scene, 6));
  scene.page = Page::block;
  // A stack that is not drawn yet costs its random numbers; once drawn, no more.
  scene.d_model = 512, scene.block.layers = 2, scene.seed = 77;
  EXPECT_GT(work(scene, 6), work_in_a_frame);
  const double before = block_work(scene, 6);
  compute_now(scene, parallel, {});
  EXPECT_LT(block_work(scene, 6), 0.5 * before);
  EXPECT_GT(block_work(scene, 500), 10 * block_work(scene, 6));
  EXPECT_EQ(block_work(scene, 0), 0);
  // It is asked before each layer, of the stack and of the one that its depth is compared with, and stops
  // when it is told to.
  scene = known->scene;
  const int layers = 2 * scene.block.layers;
  for (int stop = 0; stop <= layers; ++stop) {
    int calls = 0;
    float last = -1;
    const auto stack = compute_block(scene, *known, parallel, [&](float done) {
      EXPECT_GT(done, last);
      EXPECT_LT(done, 1);
      last = done;
      return calls++ < stop;
    });
    EXPECT_EQ(stack != nullptr, stop == layers);
    EXPECT_EQ(calls, std::min(stop + 1, layers));
  }
}

TEST(Block, FewTokensAndBothEndsOfEveryField) {
  EXPECT_EQ(results_of({"sentence="})->own_as<scene::BlockResults>()->layers, 0);
  EXPECT_EQ(results_of({"sentence=one"})->own_as<scene::BlockResults>()->T, 1);
  EXPECT_EQ(results_of({"sentence=one two"})->own_as<scene::BlockResults>()->T, 2);
  for (const char* setting :
       {"block_layers=1", "block_layers=12", "block_widen=1", "block_widen=8", "block_init=normal",
        "block_layer=12", "block_head=1024", "d_model=1", "position=sinusoidal_concat"}) {
    const auto r = results_of({setting});
    EXPECT_GE(r->own_as<scene::BlockResults>()->layers, 1) << setting;
    EXPECT_EQ(r->own_as<scene::BlockResults>()->nonfinite, 0u) << setting;
  }
  EXPECT_EQ(results_of({"position=sinusoidal_concat"})->own_as<scene::BlockResults>()->trace.output.cols(),
            64);
  // The weights of a wide layer take the time, whatever the tokens are: each width and number of heads has
  // one sentence of two tokens, and none or one token is had by the narrowest and by one of the widest.
  for (const std::string width : {"d_model=1", "d_model=1023", "d_model=1024"}) {
    for (const std::string heads : {"heads=1", "heads=1024"}) {  // the divisor of d next to it
      for (const std::string sentence : {"sentence=one two", "sentence=", "sentence=one"}) {
        if (sentence != "sentence=one two" && width != "d_model=1" &&
            width + heads != "d_model=1024heads=1024")
          continue;
        const auto r = results_of({width, heads, sentence, "block_layers=2"});
        EXPECT_EQ(r->own_as<scene::BlockResults>()->T, static_cast<int>(r->tokens.size()))
            << width << heads << sentence;
        EXPECT_EQ(r->own_as<scene::BlockResults>()->nonfinite, 0u) << width << heads << sentence;
      }
    }
  }
}

}  // namespace
}  // namespace headlight::scene::block_test
