// The common parts of the forward and backward passes through an encoder–decoder. Only encoder_decoder*.cpp
// include this file.
#pragma once

#include <algorithm>
#include <vector>

#include "train/encoder_decoder.h"

namespace headlight::nn {

/// One of the three attentions: B sequences of T queries and S keys.
struct AttentionPlace {
  int B = 0, T = 0, S = 0;
  bool causal = false;
  const std::vector<int>* lengths = nullptr;  // [B] keys from here on are masked; null: no keys
};

/// Returns the heads, the scale and the causal mask. The valid length depends on the sequence and is not set.
AttentionOptions attention_options(const EncoderDecoderConfig& config, const AttentionPlace& at);

/// rows = all[from … from + count − 1], and the inverse.
template <class E>
void take_rows(const Tensor<E>& all, int from, int count, Tensor<E>& rows) {
  rows.resize(count, all.cols());
  std::copy_n(all.row(from).data(), rows.size(), rows.data());
}
template <class E>
void put_rows(const Tensor<E>& rows, int from, Tensor<E>& all) {
  std::copy_n(rows.data(), rows.size(), all.row(from).data());
}

/// Overwrites the gradient of every weight, from the trace of a whole batch and d loss / d logits.
template <class E>
void encoder_decoder_backward(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& weights,
                              const SequencePairs& batch, const EncoderDecoderTrace<E>& trace,
                              const Tensor<E>& d_logits, base::Parallel& parallel,
                              EncoderDecoderWeightsOf<E>& gradients);

}  // namespace headlight::nn
