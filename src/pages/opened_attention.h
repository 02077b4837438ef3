// One layer of another program's model in the form of nn/attention.h: the weights, scores, q, k and v of
// its heads, computed by network/network.h. Pages make maps, bars, entropies and the opened cell of it as
// of any other layer.
//
// q and k are the vectors that are multiplied: after bias, norm and RoPE. Keys and values that query heads
// share are repeated for each of them. The causal mask and the window are intervals of keys. The options
// and the trace hold what the layer does between q · k and the softmax: scale and soft cap. So every weight
// is softmax(cap(q · k · scale) + mask). Tested in tests/scene/other_model_reference_test.cpp.
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

/// The error of a cancelled computation.
inline constexpr const char* given_up = "cancelled";

/// A layer of the model on some tokens; it does not depend on the scene.
struct OpenedPass {
  nn::Matrix x;              // [T, D] the input of the projections to q, k and v
  nn::AttentionTrace trace;  // T = S; keys and values are repeated for each head that shares them
  double forward_ms = 0;     // for the layers that were computed
};

/// Keeps NetworkTrace::states of a pass through all layers, [L + 1] of [T, D], so that opened_pass() can
/// begin there. Only the states of the last text are kept; empty states are not kept.
void keep_states(const OtherModel& other, std::span<const int> ids,
                 std::shared_ptr<const std::vector<nn::Matrix>> states);

/// The pass of a layer, counted from 0, on these ids, the first of the text. The last
/// layers are kept, so that they are not computed again, unless one has more than 16 million weights.
/// Another layer of the same text begins at the nearest kept state. Errors are those of attend_opened().
base::Result<std::shared_ptr<const OpenedPass>> opened_pass(const OtherModel& other, int layer,
                                                            std::span<const int> ids,
                                                            base::Parallel& parallel,
                                                            const Progress& progress);

/// The model's ids of the tokens of the results.
std::vector<int> opened_ids(const std::vector<nn::Token>& tokens);

/// W_O and b_O of a layer in the form that attention multiplies with, [H·d, D] and [1, D] or empty; the
/// other matrices are empty. Error, one line: the weights cannot be read.
base::Result<nn::AttentionWeights> opened_output_weights(const OtherModel& other, int layer);

/// W_Q, W_K, b_Q and b_K in the same way, [D, H·d] and [1, H·d] or empty: a key head that query heads share
/// is repeated for each of them.
base::Result<nn::AttentionWeights> opened_score_weights(const OtherModel& other, int layer);

/// Most tokens that attend_opened() uses for the scene's layer.
int most_opened_tokens(const OtherModel& other, const Scene& scene);

/// Sets tokens, options, attention, x and `opened` of the results. Text beyond the model's limit, or beyond
/// what fits into memory, is left out; `tokens_in_sentence` counts it. Errors, one line: those of
/// tokens_for() and network_forward(); given_up.
base::Status attend_opened(const Scene& scene, const OtherModel& other, base::Parallel& parallel,
                           const Progress& progress, Results& results);

/// The keys [T] that each query may attend to under the layer's causal mask and window.
std::vector<base::Interval> keys_of_queries(const nn::Network& network, const nn::NetworkLayer& layer, int T);

/// Sets the maximum and the sum of the exponentials of every row of the trace, from its scores [H, T, S].
void sum_rows(const nn::Matrix& scores, base::Parallel& parallel, nn::AttentionTrace& trace);

/// Bytes in memory for a model of another program, beside its file: the attention of its layer and what the
/// page shows, the layers that were computed last, and the hidden states of the text.
double opened_bytes(const Results& results);

/// Frees the kept layers, when no model of another program is shown any more.
void forget_opened_layer();

/// The time that attend_opened() takes, in the unit of work() in pages/compute.h.
double opened_work(const Scene& scene, const OtherModel& other, int tokens);

}  // namespace headlight::scene
