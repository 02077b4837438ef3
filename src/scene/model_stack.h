// What is the input of a layer of a model? The model's layers before it are run on the whole sentence at
// once, or one token at a time with cached keys and values. The caller decides how position is encoded: with
// the model's own positions or with others in their place. Tested in tests/scene/model_truth_test.cpp.
#pragma once

#include <functional>
#include <vector>

#include "base/parallel.h"
#include "nn/attention.h"
#include "scene/trained_model.h"

namespace headlight::scene {

/// x [T, D] after the model's first `layers` layers, all with the same attention options. E is float or
/// double.
template <class E>
nn::Tensor<E> through_layers(const TrainedModel& model, int layers, nn::Tensor<E> x,
                             const nn::AttentionOptions& attention, base::Parallel& parallel);

/// x [T, D] after one layer (0-based).
nn::Matrix through_layer(const TrainedModel& model, int layer, const nn::Matrix& x,
                         const nn::AttentionOptions& attention, base::Parallel& parallel);

/// x [T, D] as it enters the attention of `layer` (0-based): after the layer norm that a pre-norm model has
/// there.
template <class E>
nn::Tensor<E> as_read(const TrainedModel& model, int layer, nn::Tensor<E> x);

/// The same rows one by one: each token passes through the layers once, and attends to the cached keys and
/// values of the tokens before it. Causal, whatever the model was trained with.
class LayersByToken {
 public:
  /// The numbers added to the scores of one query over the first `keys` keys, [H, 1, keys]; empty: none.
  using Bias = std::function<nn::Matrix(int keys)>;

  LayersByToken(const TrainedModel& model, int layers, int most_tokens);
  /// x [1, D] of the next token after the layers. `rope` rotates its query and key; the offset of `rope` is
  /// the token's position.
  nn::Matrix next(nn::Matrix x, const std::optional<nn::RopeSpec>& rope, const Bias& bias,
                  base::Parallel& parallel);

 private:
  struct Cache {
    nn::Matrix keys, values;  // [most, D], filled up to tokens_
  };
  const TrainedModel& model_;
  std::vector<Cache> layers_;
  int tokens_ = 0;
};

}  // namespace headlight::scene
