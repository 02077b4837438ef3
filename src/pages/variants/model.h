// One head under one setting of the Variants page, with its positions, biases, rotation and mask, for any
// shift of the sentence and for decoding. With a trained model the setting's positions replace the model's
// own from the embedding on: the layers before the one shown run again with them, masked as they were
// trained. Tested in tests/scene/variants_sides_test.cpp and model_truth_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/attention.h"
#include "nn/relative.h"
#include "nn/rope.h"
#include "scene/model_stack.h"
#include "scene/scene.h"

namespace headlight::scene {

/// W_Q, W_K, W_V with the columns of one head, without W_O: the output is the head's context.
nn::AttentionWeights head_weights(const nn::AttentionWeights& all, int heads, int head);

/// The kind of positions that a model was trained with.
VariantPosition own_position(const nn::ModelConfig& config);

/// The model's layer; without a model, weights from the scene's seed for inputs of width d_in, kept between
/// calls.
std::shared_ptr<const nn::AttentionWeights> variant_weights(const Scene& scene, int d_in);
bool variant_weights_kept(const Scene& scene, int d_in);

/// The width of an input row: with `concat` the positions follow the embeddings.
int variant_input_width(const Scene& scene, const VariantSide& side);

/// Numbers N(0, variance) [rows, cols] from (seed, name); element (r, c) does not depend on the shape.
nn::Matrix seeded_table(int seed, const char* name, int rows, int cols, double variance);

/// The scene's T5 settings, adjusted to each other and to the mask: an even count, a maximum beyond the exact
/// buckets, one direction only with a causal mask.
nn::T5Buckets t5_buckets(const VariantsSettings& settings, bool causal);

/// [1, T, T]: which query may attend to which key.
nn::Tensor<std::uint8_t> allowed_pairs(const Scene& scene, VariantMask mask, int T);

class VariantModel {
 public:
  /// `embedded` [T, d]: the embeddings without positions, and zeros for pads. Scene, matrix and model outlive
  /// this.
  VariantModel(const Scene& scene, const VariantSide& side, int head, const nn::Matrix& embedded,
               base::Parallel& parallel);

  /// Rows first … first + count − 1 of the words, at positions from `position` on, as input of the first
  /// layer. Error: there are no such positions.
  base::Result<nn::Matrix> placed(int first, int count, long position) const;

  /// Rows of placed(…), at positions from `position` on, as input of the head: runs them through the layers
  /// before it, if any, with their own causal mask and `mask`.
  nn::Matrix read(nn::Matrix x, long position, const nn::MaskSpec& mask = {}) const;

  /// The first `count` words as input of the head.
  base::Result<nn::Matrix> encode(int count, long position, const nn::MaskSpec& mask = {}) const;

  /// Self-attention of x, whose rows are at positions from `position` on, with the scheme's rotation or
  /// tables, and the pairs of `options`.
  nn::AttentionTrace attend(const nn::Matrix& x, const nn::AttentionOptions& options, long position) const;

  /// Runs the whole sentence from position `shift` on, with scores.
  base::Result<nn::AttentionTrace> run(long shift, const nn::PairMask& pairs) const;

  /// [1, T, S] the bias of the scores, for queries from first_query on and keys 0 … S − 1; empty: none.
  nn::Matrix bias(int T, int S, int first_query) const;
  /// The same for every head, [H, T, S].
  nn::Matrix bias_of_all(int T, int S, int first_query) const;
  nn::T5Buckets buckets() const;

  /// Shaw's tables r^K and r^V, [2·clip + 1, d_k] each; empty for other schemes.
  const nn::ShawTables& shaw() const { return shaw_; }
  /// [1, T, S] what queries q [T, d_k], from first_query on, add to the scores of keys 0 … S − 1 (Shaw).
  nn::Matrix shaw_bias(const nn::Matrix& q, int S, int first_query) const;
  /// [T, 2·clip + 1] the same by the clipped distance.
  nn::Matrix by_clipped_distance(const nn::Matrix& q) const;

  /// The rows of positions from `from` on, [count, D]; empty for schemes that add no vectors.
  base::Result<nn::Matrix> position_rows(int count, long from) const;

  /// Positions in a learned table; 0 for other schemes.
  int table_rows() const { return table_.rows(); }

  bool rotates() const;
  nn::RopeSpec rope(long offset) const;
  int rotary_dim() const;

  const nn::AttentionWeights& weights() const { return weights_; }
  nn::AttentionOptions options() const;
  int tokens() const { return embedded_.rows(); }
  const TrainedModel* model() const { return model_.get(); }
  int layers_before() const { return layer_; }

 private:
  nn::Matrix by_distance(int T, int S, int first_query) const;
  float score_scale() const;

  const Scene& scene_;
  VariantSide side_;
  int head_;
  const nn::Matrix& embedded_;
  base::Parallel& parallel_;
  std::shared_ptr<const TrainedModel> model_;  // null: random weights
  int layer_ = 0;                              // 0-based
  bool own_ = false;                           // the side has the positions that the model was trained with
  nn::AttentionWeights weights_;
  nn::Matrix table_;    // learned
  nn::Matrix buckets_;  // T5, [count, heads]
  nn::ShawTables shaw_;
};

}  // namespace headlight::scene
