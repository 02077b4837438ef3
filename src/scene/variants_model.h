// One head under one setting of the Variants page: positions, biases, rotation and mask put together from the
// core, for any shift of the sentence and for decoding. Tested in tests/scene/variants_sides_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/attention.h"
#include "nn/relative.h"
#include "nn/rope.h"
#include "scene/scene.h"

namespace headlight::scene {

/// W_Q, W_K, W_V with the columns of one head, no W_O: the output is the head's context.
nn::AttentionWeights head_weights(const nn::AttentionWeights& all, int heads, int head);

/// Of the scene's seed and width for inputs of width d_in, kept from call to call.
std::shared_ptr<const nn::AttentionWeights> variant_weights(const Scene& scene, int d_in);
bool variant_weights_kept(const Scene& scene, int d_in);

/// Numbers in an input row: with `concat` the positions stand behind the embeddings.
int variant_input_width(const Scene& scene, const VariantSide& side);

/// Numbers N(0, variance) [rows, cols] by (seed, name); element (r, c) depends on no size.
nn::Matrix seeded_table(int seed, const char* name, int rows, int cols, double variance);

/// The scene's T5 settings made to fit each other and the mask: an even count, a maximum beyond the exact
/// buckets, one direction only under a causal mask.
nn::T5Buckets t5_buckets(const VariantsSettings& settings, bool causal);

/// [1, T, T]: who may read whom.
nn::Tensor<std::uint8_t> allowed_pairs(const Scene& scene, VariantMask mask, int T);

class VariantModel {
 public:
  VariantModel(const Scene& scene, const VariantSide& side, int head, const nn::Matrix& embedded,
               base::Parallel& parallel);

  /// Rows first … first + count − 1 of the embeddings, encoded at positions `position` …. An error when the
  /// learned table has no such position.
  base::Result<nn::Matrix> encode(int first, int count, long position) const;

  /// The whole sentence from position `shift` on, with scores.
  base::Result<nn::AttentionTrace> run(long shift, const nn::PairMask& pairs) const;

  /// [1, T, S] what is added to the scores of queries first_query … over keys 0 … S − 1; empty: nothing.
  nn::Matrix bias(int T, int S, int first_query) const;

  /// Positions `from` … as rows, [count, D]; empty for schemes that add no vectors.
  base::Result<nn::Matrix> position_rows(int count, long from) const;

  bool rotates() const;
  nn::RopeSpec rope(long offset) const;
  int rotary_dim() const;

  const nn::AttentionWeights& weights() const { return weights_; }
  nn::AttentionOptions options() const;
  int tokens() const { return embedded_.rows(); }

 private:
  const Scene& scene_;
  VariantSide side_;
  int head_;
  const nn::Matrix& embedded_;
  base::Parallel& parallel_;
  nn::AttentionWeights weights_;
  nn::Matrix table_;    // learned
  nn::Matrix buckets_;  // T5, [count, heads]
};

}  // namespace headlight::scene
