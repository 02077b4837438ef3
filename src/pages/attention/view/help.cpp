// The mathematics of the page's panels: what is computed, what the symbols mean, and the source.
#include "kit/help.h"

#include "pages/attention/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Heads and the large map", "A = softmax(Q Kᵀ / (√d_k · τ) + M)\nQ = X W_Q,  K = X W_K,  V = X W_V",
     "A row of A is one query’s weights over all keys; it adds up to 1, or to 0 where every key is masked. "
     "d_k is the width of a head, τ the "
     "temperature, M "
     "is 0 where a query may attend to a key and −∞ where a mask blocks it, so that the weight is exactly 0.",
     "Vaswani et al., Attention Is All You Need, 2017, eq. 1 and section 3.2.3"},
    {"All heads", "MultiHead(X) = [A_1 V_1, …, A_h V_h] W_O",
     "Each head has its own d_k columns. The map can also show the mean or the maximum over heads; the layer "
     "itself computes neither.",
     "Vaswani et al. 2017, section 3.2.2"},
    {"Entropy H of a head", "H = mean over i of −Σ_j A_ij log₂ A_ij",
     "The mean is over the queries that may attend to some key. Entropy in bits: 0 when a query assigns all "
     "its weight to one key, log₂ S when it assigns equal weight "
     "to S keys.",
     "Shannon, A Mathematical Theory of Communication, 1948, section 6"},
    {"The opened cell", "s = q · k / √d_k,   a = exp(s − m) / Σ_j exp(s_j − m),   m = max_j s_j",
     "The row maximum m is subtracted first, so that no exponential overflows; the weight does not change. "
     "The last line is the float32 error: the difference from the same weight computed in double precision. "
     "Share of ‖αv‖: ‖α_j v_j‖ / Σ ‖α_j v_j‖, lengths alone. Projection: α_j v_j · o / ‖o‖² on the head’s "
     "output o = Σ α_j v_j; these add up to 1. For several heads, the cell shows how their mean or largest "
     "weight is formed.",
     "Vaswani et al. 2017, eq. 1; for the maximum, Blanchard, Higham and Higham 2021"},
    {"The matrices", "Q = X W_Q,  K = X W_K,  V = X W_V\noutput = [A_1 V_1, …, A_h V_h] W_O",
     "The matrices of the layer for the current sentence. A head has its own columns of W_Q, Q and the "
     "concatenation, and its own rows of W_O; of W_K, W_V, K and V too, unless several query heads share "
     "them (grouped-query attention). Without biases, the output is the concatenation "
     "times W_O.",
     "Vaswani et al. 2017, section 3.2.2"},
    {"Weights by offset", "y_i = Σ_o κ_i(o) v_(i+o),   κ_i(o) = A_(i, i+o)",
     "A convolution has one kernel κ for all positions i. The kernel of attention depends on the content, "
     "and on how many keys the mask leaves a query: two queries can have different weights at the same "
     "offset "
     "o = j − i.",
     "Kamper, Self-attention and transformers, 2024 (“each head is similar to a different kernel in a CNN”)"},
};

}  // namespace

std::span<const HelpEntry> attention_help() {
  return entries;
}

}  // namespace headlight::views
