// One head under one setting of the Variants page: positions, biases, rotation and mask put together from the
// core, for any shift of the sentence and for decoding. With a trained model the setting's positions take the
// place of the model's own from the embedding on: the layers before the one shown are run again with them,
// masked as they were trained. Tested in tests/scene/variants_sides_test.cpp and model_truth_test.cpp.
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

/// W_Q, W_K, W_V with the columns of one head, no W_O: the output is the head's context.
nn::AttentionWeights head_weights(const nn::AttentionWeights& all, int heads, int head);

/// The scheme that a model was trained with.
VariantPosition own_position(const nn::ModelConfig& config);

/// The model's layer, or of the scene's seed and width for inputs of width d_in, kept from call to call.
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
  /// `embedded` [T, d]: the words alone, and zeros for pads. Scene, matrix and model outlive this.
  VariantModel(const Scene& scene, const VariantSide& side, int head, const nn::Matrix& embedded,
               base::Parallel& parallel);

  /// Rows first … first + count − 1 of the words at positions `position` …, as they enter the first layer. An
  /// error when there are no such positions.
  base::Result<nn::Matrix> placed(int first, int count, long position) const;

  /// Rows of placed(…) at `position` … as the head reads them: through the layers before, where there are
  /// any, with their own causal mask and `mask`.
  nn::Matrix read(nn::Matrix x, long position, const nn::MaskSpec& mask = {}) const;

  /// The first `count` words.
  base::Result<nn::Matrix> encode(int count, long position, const nn::MaskSpec& mask = {}) const;

  /// x over itself, its rows at positions `position` …: with the scheme's rotation or tables, and the pairs
  /// of `options`.
  nn::AttentionTrace attend(const nn::Matrix& x, const nn::AttentionOptions& options, long position) const;

  /// The whole sentence from position `shift` on, with scores.
  base::Result<nn::AttentionTrace> run(long shift, const nn::PairMask& pairs) const;

  /// [1, T, S] what is added to the scores of queries first_query … over keys 0 … S − 1; empty: nothing.
  nn::Matrix bias(int T, int S, int first_query) const;
  /// The same for every head, [H, T, S].
  nn::Matrix bias_of_all(int T, int S, int first_query) const;
  nn::T5Buckets buckets() const;

  /// Shaw's tables r^K and r^V, [2·clip + 1, d_k] each; empty for other schemes.
  const nn::ShawTables& shaw() const { return shaw_; }
  /// [1, T, S] what queries q [T, d_k] at first_query … add to the scores of keys 0 … S − 1, by Shaw.
  nn::Matrix shaw_bias(const nn::Matrix& q, int S, int first_query) const;
  /// [T, 2·clip + 1] the same by the clipped distance.
  nn::Matrix by_clipped_distance(const nn::Matrix& q) const;

  /// Positions `from` … as rows, [count, D]; empty for schemes that add no vectors.
  base::Result<nn::Matrix> position_rows(int count, long from) const;

  /// Positions that a learned table has; 0 for other schemes.
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
  bool own_ = false;                           // the side's scheme is the one that the model was trained with
  nn::AttentionWeights weights_;
  nn::Matrix table_;    // learned
  nn::Matrix buckets_;  // T5, [count, heads]
  nn::ShawTables shaw_;
};

}  // namespace headlight::scene
