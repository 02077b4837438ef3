// One layer of another program's model as the attention that pages show: weights, scores, q, k and v of its
// heads, computed by nn/network.h, in the form of nn/attention.h, so that maps, bars, entropies and the
// opened cell are made of them as of any other layer.
//
// q and k are those that are multiplied: after bias, norm and RoPE. Keys and values that query heads share
// are repeated for each of them. The causal mask and the window are intervals of keys. What the layer does
// between q · k and the softmax stands in the options and the trace: scale, soft cap. So softmax(cap(q · k ·
// scale) + mask) is the weight, number by number. Tested in tests/scene/other_model_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "network/network.h"
#include "nn/weights.h"
#include "scene/other_model.h"
#include "scene/progress.h"
#include "scene/results.h"

namespace headlight::scene {

/// The error of a computation that nobody wants any more.
inline constexpr const char* given_up = "cancelled";

/// A layer on some tokens, as the model has it: nothing of the scene is in it.
struct OpenedPass {
  nn::Matrix x;              // [T, D] what q, k and v are projected from
  nn::AttentionTrace trace;  // T = S, keys and values repeated for each head that shares them
  double forward_ms = 0;     // of the layers that were computed for it
};

/// NetworkTrace::states of a pass through all layers, [L + 1] of [T, D]: opened_pass() begins there. Those of
/// the text that was kept last; empty ones are not kept.
void keep_states(const OtherModel& other, std::span<const int> ids,
                 std::shared_ptr<const std::vector<nn::Matrix>> states);

/// The layer, 0-based, on these ids, the first of the text. The layers that were computed last are kept, so
/// that the same ones are not computed again, unless one has more than 16 million weights; and another layer
/// of the same text begins at the nearest state that is kept. Errors as below.
base::Result<std::shared_ptr<const OpenedPass>> opened_pass(const OtherModel& other, int layer,
                                                            std::span<const int> ids,
                                                            base::Parallel& parallel,
                                                            const Progress& progress);

/// The ids that the model has of the tokens of the results.
std::vector<int> opened_ids(const Results& results);

/// W_O and b_O of a layer as attention multiplies with them, [H·d, D] and [1, D] or empty; the other matrices
/// are left empty. Error: the weights cannot be read, one line.
base::Result<nn::AttentionWeights> opened_output_weights(const OtherModel& other, int layer);

/// W_Q, W_K, b_Q and b_K in the same way, [D, H·d] and [1, H·d] or empty: a key head that query heads share
/// is repeated for each of them.
base::Result<nn::AttentionWeights> opened_score_weights(const OtherModel& other, int layer);

/// Tokens, options, attention, x and `opened` of the results. Text beyond the model's longest, or beyond what
/// fits into the memory, is left out; `tokens_in_sentence` counts it. Errors, one line: those of tokens_for()
/// and network_forward(); given_up.
base::Status attend_opened(const Scene& scene, const OtherModel& other, base::Parallel& parallel,
                           const Progress& progress, Results& results);

/// The keys [T] that each query may attend to: the causal mask and the window of the layer.
std::vector<base::Interval> keys_of_queries(const nn::Network& network, const nn::NetworkLayer& layer, int T);

/// Maximum and sum of the exponentials of every row of the trace, from its scores [H, T, S].
void sum_rows(const nn::Matrix& scores, base::Parallel& parallel, nn::AttentionTrace& trace);

/// What the picture of a model of another program holds in memory, beside the file: the attention of its
/// layer and what the page shows, the layers that were computed last, and the hidden states of the text.
double opened_bytes(const Results& results);

/// The kept layers are freed: no model of another program is shown any more.
void forget_opened_layer();

/// What that takes, in the unit of work() in pages/compute.h.
double opened_work(const Scene& scene, const OtherModel& other, int tokens);

}  // namespace headlight::scene
