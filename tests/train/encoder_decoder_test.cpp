#include "train/encoder_decoder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <set>

#include "nn/small_random.h"

namespace headlight::nn {
namespace {

EncoderDecoderConfig small(ModelPositions positions) {
  EncoderDecoderConfig config;
  config.vocabulary = 6, config.context = 5;
  config.d_model = 4, config.heads = 2, config.layers = 2, config.d_ff = 6;
  config.positions = positions;
  config.activation = Activation::gelu_tanh;  // relu has a corner
  return config;
}

/// Two sources of different length and two targets, one of them filled up.
SequencePairs pairs() {
  SequencePairs batch;
  batch.B = 2, batch.S = 4, batch.T = 3;
  batch.source = {2, 3, 5, 1, 4, 1, 1, 1};
  batch.lengths = {4, 2};
  batch.target = {0, 5, 3, 0, 4, 1};
  batch.wanted = {5, 3, 2, 4, 1, no_target};
  return batch;
}

/// 18 sequences: two tasks.
SequencePairs many_pairs() {
  SequencePairs batch;
  batch.B = 18, batch.S = 5, batch.T = 4;
  const Random random(3, 1);
  for (int i = 0; i < batch.B * batch.S; ++i)
    batch.source.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(i), 6)));
  for (int i = 0; i < batch.B * batch.T; ++i) {
    batch.target.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(1000 + i), 6)));
    batch.wanted.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(2000 + i), 6)));
  }
  for (int b = 0; b < batch.B; ++b) batch.lengths.push_back(1 + b % 5);
  return batch;
}

/// Random numbers of size 1 in every tensor, biases and norms too.
EncoderDecoderWeights noisy(const EncoderDecoderConfig& config) {
  EncoderDecoderWeights weights = random_encoder_decoder(config, 5);
  std::uint64_t stream = 0;
  tensors(weights, [&](const std::string&, Matrix& tensor) {
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data()[i] += 0.3f * Random(8, stream).normal(i);
    ++stream;
  });
  return weights;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// f'(x) ≈ (f(x − 2h) − 8 f(x − h) + 8 f(x + h) − f(x + 2h)) / 12 h, for every element of every tensor.
TEST(EncoderDecoder, EveryGradientIsTheSlope) {
  constexpr double h = 2e-4;  // norms of four numbers bend sharply
  for (const ModelPositions positions : {ModelPositions::learned, ModelPositions::sinusoidal}) {
    const EncoderDecoderConfig config = small(positions);
    const SequencePairs batch = pairs();
    EncoderDecoderWeightsOf<double> weights = widened(noisy(config)), gradients;
    EncoderDecoderWorkspace<double> work;
    const auto loss = [&] {
      return encoder_decoder_loss<double>(config, weights, batch, threads(), work, nullptr);
    };
    encoder_decoder_loss(config, weights, batch, threads(), work, &gradients);
    std::vector<const MatrixF64*> all;
    tensors(gradients, [&](const std::string&, const MatrixF64& tensor) { all.push_back(&tensor); });
    std::size_t n = 0;
    int without = 0;
    tensors(weights, [&](const std::string& name, MatrixF64& w) {
      const MatrixF64& gradient = *all[n++];
      ASSERT_EQ(w.size(), gradient.size()) << name;
      double largest = 0;
      for (const double g : gradient.values()) largest = std::max(largest, std::fabs(g));
      without += !w.empty() && largest < 1e-12;
      for (std::size_t i = 0; i < w.size(); ++i) {
        const double at = w.data()[i];
        const auto moved = [&](double by) {
          w.data()[i] = at + by;
          return loss();
        };
        const double slope = (moved(-2 * h) - 8 * moved(-h) + 8 * moved(h) - moved(2 * h)) / (12 * h);
        w.data()[i] = at;
        ASSERT_NEAR(gradient.data()[i], slope, 2e-8 * (1 + largest)) << name << ", element " << i;
      }
    });
    // A key's bias adds the same to all scores of a query: three attentions, two layers each.
    EXPECT_EQ(without, 6);
    EXPECT_EQ(weights.source_wpe.empty(), positions == ModelPositions::sinusoidal);
  }
}

TEST(EncoderDecoder, FloatFollowsItsTwin) {
  const EncoderDecoderConfig config = small(ModelPositions::sinusoidal);
  const SequencePairs batch = many_pairs();
  const EncoderDecoderWeights weights = noisy(config);
  EncoderDecoderWorkspace<float> work;
  EncoderDecoderWorkspace<double> wide_work;
  EncoderDecoderWeights gradients;
  EncoderDecoderWeightsOf<double> wide;
  const double loss = encoder_decoder_loss(config, weights, batch, threads(), work, &gradients);
  EXPECT_NEAR(loss, encoder_decoder_loss(config, widened(weights), batch, threads(), wide_work, &wide), 2e-6);
  std::vector<const MatrixF64*> all;
  tensors(wide, [&](const std::string&, const MatrixF64& tensor) { all.push_back(&tensor); });
  std::size_t n = 0;
  tensors(gradients, [&](const std::string& name, const Matrix& tensor) {
    EXPECT_LT(largest_difference(tensor, *all[n++]), 2e-6) << name;
  });
}

/// The mean over all targets, however the batch is cut: one sequence after the other gives the same.
TEST(EncoderDecoder, TheLossIsTheMeanOverAllTargets) {
  const EncoderDecoderConfig config = small(ModelPositions::sinusoidal);
  const EncoderDecoderWeightsOf<double> weights = widened(noisy(config));
  const SequencePairs batch = pairs();
  EncoderDecoderWorkspace<double> work;
  double sum = 0;
  for (int b = 0; b < 2; ++b) {
    SequencePairs one = batch;
    one.B = 1;
    const auto keep = [&](std::vector<int>& list, int size) {
      list = {list.begin() + b * size, list.begin() + (b + 1) * size};
    };
    keep(one.source, 4), keep(one.lengths, 1), keep(one.target, 3), keep(one.wanted, 3);
    sum += (b == 0 ? 3 : 2) * encoder_decoder_loss<double>(config, weights, one, threads(), work, nullptr);
  }
  EXPECT_NEAR(encoder_decoder_loss<double>(config, weights, batch, threads(), work, nullptr), sum / 5, 1e-12);
}

EncoderDecoderTrace<float> traced(const EncoderDecoderConfig& config, const EncoderDecoderWeights& weights,
                                  const SequencePairs& batch) {
  EncoderDecoderTrace<float> trace;
  encode(config, weights, batch, threads(), trace);
  decode(config, weights, batch, threads(), trace);
  return trace;
}

TEST(EncoderDecoder, LaterTargetTokensChangeNothingEarlier) {
  const EncoderDecoderConfig config = small(ModelPositions::sinusoidal);
  const EncoderDecoderWeights weights = noisy(config);
  const SequencePairs batch = many_pairs();
  const EncoderDecoderTrace<float> before = traced(config, weights, batch);
  for (int changed = 1; changed < batch.T; ++changed) {
    SequencePairs other = batch;
    for (int b = 0; b < batch.B; ++b) {
      int& token = other.target[static_cast<std::size_t>(b * batch.T + changed)];
      token = (token + 1) % 6;
    }
    const EncoderDecoderTrace<float> after = traced(config, weights, other);
    for (int b = 0; b < batch.B; ++b) {
      for (int t = 0; t < batch.T; ++t) {
        const auto a = before.logits.row(b * batch.T + t), z = after.logits.row(b * batch.T + t);
        EXPECT_EQ(std::equal(a.begin(), a.end(), z.begin()), t < changed)
            << "sequence " << b << ", row " << t;
      }
    }
  }
}

TEST(EncoderDecoder, MasksAndRowsOfTheThreeAttentions) {
  const EncoderDecoderConfig config = small(ModelPositions::sinusoidal);
  const SequencePairs batch = many_pairs();
  const EncoderDecoderTrace<float> trace = traced(config, noisy(config), batch);
  for (int b = 0; b < batch.B; ++b) {
    const int own = batch.lengths[static_cast<std::size_t>(b)];
    for (int l = 0; l < config.layers; ++l) {
      const auto at = static_cast<std::size_t>(l), of = static_cast<std::size_t>(b);
      const Matrix& encoder = trace.encoder[at].self.sequence[of].weights;
      const Matrix& masked = trace.decoder[at].self.sequence[of].weights;
      const Matrix& cross = trace.decoder[at].cross.sequence[of].weights;
      EXPECT_TRUE(trace.encoder[at].cross.sequence.empty());
      ASSERT_TRUE(encoder.rows() == 5 && encoder.cols() == 5 && masked.rows() == 4 && masked.cols() == 4);
      ASSERT_TRUE(cross.rows() == 4 && cross.cols() == 5 && cross.depth() == 2);
      for (int head = 0; head < config.heads; ++head) {
        const auto expect_row = [&](const Matrix& weights, int row, int keys) {
          double sum = 0;
          for (int j = 0; j < weights.cols(); ++j) {
            const float weight = weights.at(head, row, j);
            sum += static_cast<double>(weight);
            if (j < keys) {
              EXPECT_GT(weight, 0) << "a key after the query may be attended to where nothing is masked";
            } else {
              EXPECT_EQ(weight, 0);
            }
          }
          EXPECT_NEAR(sum, 1, 1e-6);
        };
        for (int i = 0; i < 5; ++i) expect_row(encoder, i, own);  // both ways: no causal mask
        for (int t = 0; t < 4; ++t) expect_row(masked, t, t + 1), expect_row(cross, t, own);
      }
    }
  }
}

/// What fills up a shorter source changes nothing.
TEST(EncoderDecoder, TokensBeyondTheLengthChangeNothing) {
  const EncoderDecoderConfig config = small(ModelPositions::learned);
  const EncoderDecoderWeights weights = noisy(config);
  SequencePairs batch = pairs();
  const EncoderDecoderTrace<float> before = traced(config, weights, batch);
  batch.source[6] = 3, batch.source[7] = 2;  // the second source has two tokens of its own
  EXPECT_TRUE(same_bits(before.logits, traced(config, weights, batch).logits));
  batch.source[5] = 3;
  EXPECT_FALSE(same_bits(before.logits, traced(config, weights, batch).logits));
}

TEST(EncoderDecoder, TheSameBitsOnAnyNumberOfThreads) {
  const EncoderDecoderConfig config = small(ModelPositions::learned);
  const EncoderDecoderWeights weights = noisy(config);
  const SequencePairs batch = many_pairs();
  EncoderDecoderWeights first;
  std::set<double> losses;
  std::set<std::vector<std::vector<int>>> decoded;
  for (const int count : {1, 2, 7}) {
    base::Parallel parallel(count);
    EncoderDecoderWorkspace<float> work;
    EncoderDecoderWeights gradients;
    losses.insert(encoder_decoder_loss(config, weights, batch, parallel, work, &gradients));
    decoded.insert(decode_greedily(config, weights, batch, 0, 1, 5, parallel));
    if (count == 1) first = gradients;
    std::vector<const Matrix*> all;
    tensors(first, [&](const std::string&, const Matrix& tensor) { all.push_back(&tensor); });
    std::size_t n = 0;
    tensors(gradients, [&](const std::string& name, const Matrix& tensor) {
      EXPECT_TRUE(same_bits(tensor, *all[n++])) << name << ", " << count << " threads";
    });
  }
  EXPECT_EQ(losses.size(), 1u);
  EXPECT_EQ(decoded.size(), 1u);
}

/// Greedy decoding is teacher forcing with its own output: every token is the likeliest after those before.
TEST(EncoderDecoder, DecodingStepByStepIsTeacherForcingOnItsOwnOutput) {
  EncoderDecoderConfig config = small(ModelPositions::sinusoidal);
  config.context = 10;
  constexpr int begin = 0, most = 9;
  const EncoderDecoderWeights weights = noisy(config);
  const SequencePairs sources = many_pairs();
  std::set<std::size_t> lengths;
  for (int n = 0; n < 6 * sources.B; ++n) {
    const int end = n / sources.B, b = n % sources.B;
    const std::vector<int> tokens =
        decode_greedily(config, weights, sources, begin, end, most, threads())[static_cast<std::size_t>(b)];
    lengths.insert(tokens.size());
    ASSERT_TRUE(!tokens.empty() && tokens.size() <= most);
    EXPECT_TRUE(tokens.back() == end || tokens.size() == most);
    SequencePairs one;
    one.B = 1, one.S = sources.S, one.T = static_cast<int>(tokens.size());
    one.lengths = {sources.lengths[static_cast<std::size_t>(b)]};
    one.source = {sources.source.begin() + b * one.S, sources.source.begin() + (b + 1) * one.S};
    one.target = {begin};
    one.target.insert(one.target.end(), tokens.begin(), tokens.end() - 1);
    const EncoderDecoderTrace<float> trace = traced(config, weights, one);
    for (int t = 0; t < one.T; ++t) {
      const auto logits = trace.logits.row(t);
      EXPECT_EQ(std::max_element(logits.begin(), logits.end()) - logits.begin(),
                tokens[static_cast<std::size_t>(t)]);
    }
  }
  EXPECT_GT(lengths.size(), 1u) << "some end, some do not";
}

TEST(EncoderDecoder, WeightsFollowTheSeedAlone) {
  const EncoderDecoderConfig config = small(ModelPositions::learned);
  const EncoderDecoderWeights a = random_encoder_decoder(config, 5), b = random_encoder_decoder(config, 5),
                              other = random_encoder_decoder(config, 6);
  EXPECT_TRUE(same_bits(a.wte, b.wte) && same_bits(a.decoder[1].cross.w_k, b.decoder[1].cross.w_k));
  EXPECT_FALSE(same_bits(a.wte, other.wte));
  // No two matrices are drawn alike.
  EXPECT_FALSE(same_bits(a.encoder[0].attention.w_q, a.decoder[0].block.attention.w_q));
  EXPECT_FALSE(same_bits(a.decoder[0].cross.w_q, a.decoder[1].cross.w_q));
  EXPECT_FALSE(same_bits(a.decoder[0].cross.w_q, a.decoder[0].block.attention.w_q));
  std::set<std::string> names;
  std::size_t elements = 0;
  tensors(a, [&](const std::string& name, const Matrix& tensor) {
    EXPECT_TRUE(names.insert(name).second) << name;
    elements += tensor.size();
  });
  EXPECT_EQ(elements, parameters(a));
  EXPECT_TRUE(names.contains("decoder1_cross_w_v") && names.contains("encoder0_b_o"));
}

}  // namespace
}  // namespace headlight::nn
