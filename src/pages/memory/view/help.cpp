// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/memory/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Linear attention", "y_i = Σ_j (φ(q_i) · φ(k_j)) v_j / Σ_j φ(q_i) · φ(k_j),   φ(x) = elu(x) + 1",
     "Without the exponential, one running sum serves every later query, and each token is added to it once: "
     "memory does not grow with the text. A query attends to itself and to earlier tokens. With elu + 1 the "
     "weights are usually less sharp; without φ they can be negative. On this page q and k "
     "of a word exclude its position, so that a repeated word has the same key again; v includes it. After a "
     "model’s first layer all three are the model’s own.",
     "Katharopoulos et al., Transformers are RNNs, 2020"},
    {"Random features",
     "φ(x)_i = exp(ω_i·x′ − ‖x′‖²/2) / √m,   x′ = x / d_k^(1/4),   ω_i ~ N(0, I),   i = 1 … m\n"
     "E[φ(q)·φ(k)] = exp(q·k / √d_k)",
     "For one query and one key the mean over ω is the softmax’s exponential, and the standard deviation "
     "falls as 1/√m; relative to that mean it grows with ‖q′ + k′‖. A weight is a ratio of two such "
     "estimates, so it is biased; the bias vanishes as m grows. With the random q and k of this page, the "
     "error of the outputs falls more slowly than 1/√m. All features are positive, so no sum of weights can "
     "cancel to nearly 0. Here the ω_i are independent; the Performer makes them orthogonal, which lowers "
     "the variance. The fast weight matrix then has m columns.",
     "Choromanski et al., Rethinking Attention with Performers, 2021, lemma 1"},
    {"Fast weight programmer",
     "sum: W ← W + v φ(k)ᵀ,   y = W φ(q)\ndelta: W ← W + (v − W k̂) k̂ᵀ,   k̂ = φ(k)/‖φ(k)‖,   y = W q̂",
     "The same sums as a matrix that is written step by step. The delta rule replaces the value stored at a "
     "key instead of adding to it. It normalizes φ(k) to length 1: without that, a write of strength 1 "
     "overshoots where ‖φ(k)‖² > 1, and where it exceeds 2, repeated writes to the same key make W diverge. "
     "The errors of reading back compare both rules at length 1.",
     "Schmidhuber 1992; Schlag, Irie and Schmidhuber, Linear Transformers Are Secretly Fast Weight "
     "Programmers, 2021"},
    {"State-space recurrence",
     "W_t = γ W_(t−1) + v_t φ(k_t)ᵀ,   y_t = W_t φ(q_t) = Σ_(s ≤ t) γ^(t−s) (φ(q_t)·φ(k_s)) v_s\n"
     "h_t = a h_(t−1) + B x_t,   y_t = C h_t,   with h = W, a = γ, B = φ(k_t), C = φ(q_t), x = v_t",
     "γ = 1 is linear attention before its normaliser. Below 1, a write has the factor γ^δ after δ more "
     "steps. B and C depend on the token, a does not. In a selective model (Mamba), a depends on the input "
     "of each step, so that the model can keep one token and drop another; in Mamba-2 it is one number per "
     "head and step. Retention (RetNet) has a constant γ per head, and also rotates q and k. With the delta "
     "rule, W decays before each write, so a write still replaces exactly. Linear attention on this page has "
     "no decay.",
     "Sun et al., Retentive Network, 2023; Gu and Dao, Mamba, 2023; Dao and Gu, Transformers are SSMs "
     "(Mamba-2), 2024"},
    {"Hopfield retrieval", "E(ξ) = −lse(β, Xξ) + ½ ξᵀξ + const\nξ ← Xᵀ softmax(β X ξ)",
     "No update raises the energy E. One update with β = 1/√d_k is attention, with the patterns as keys and "
     "values.",
     "Ramsauer et al., Hopfield Networks is All You Need, 2021"},
    {"The network of 1982",
     "W = (1/D) Σ_n ξ_n ξ_nᵀ,   W_ii = 0,   E(s) = −½ sᵀ W s\n"
     "s_i ← sign(Σ_j W_ij s_j),   one neuron at a time",
     "States and patterns are ±1. A flip changes E by −2 |Σ_j W_ij s_j|, so no update raises it, and the "
     "network reaches a fixed point. It does not follow a gradient: one bit at a time takes the sign that "
     "lowers E. With many bits, each of N random patterns has a fixed point close to it while N is below "
     "about 0.138 D; a probe with many wrong bits reaches it only at a smaller load. E(−s) = E(s): the "
     "inverse of a pattern is stored with it, and a probe with more than half of its bits flipped tends to "
     "end there. Overlap is (1/D) Σ_i s_i ξ_i; recovered means 0.9 or more, at most one bit in twenty wrong.",
     "Hopfield, Neural networks and physical systems with emergent collective computational abilities, 1982; "
     "Amit, Gutfreund and Sompolinsky 1985"},
    {"Capacity",
     "1982: about 0.14 d binary patterns · 2017: exp(α d) for every α < ln(2)/2, so 2^(d/2)\n"
     "2020: N ≥ √p c^((d−1)/4),   c = b / W₀(exp(a + ln b)),   b = 2K²β/5\n"
     "a = 2/(d−1) · (1 + ln(2βK²p(d−1)))",
     "These hold for random patterns. 2020: continuous patterns on a sphere of radius K√(d−1), all stored "
     "with probability 1 − p, where c ≥ (2/√p)^(4/(d−1)); W₀ is Lambert’s function. For β = 1, K = 3, d = "
     "20, p = 0.001 it gives c = 3.1546.",
     "Hopfield 1982; Demircigil et al. 2017; Ramsauer et al. 2020, theorem 3"},
    {"2017 and 1991", "W_t = W_(t−1) + v_t φ(k_t)ᵀ,   y_t = W_t φ(q_t)",
     "Query, key and value are the retrieval signal, the storage key and the storage value of a fast weight "
     "programmer; Kᵀ V is its fast weight matrix. Linear attention then divides by Σ φ(k)·φ(q), which 1991 "
     "leaves out, with φ = identity.",
     "Schmidhuber 1992; Schlag, Irie and Schmidhuber 2021"},
    {"The error of linear attention", "mean over i of ‖y_i linear − y_i softmax‖ / ‖y_i softmax‖",
     "Random q, k and v from the seed, one draw for each T; scores ÷ √d, no mask, one head. 2 T² d "
     "multiply-adds against 2 T d².",
     "Katharopoulos et al. 2020"},
    {"Projected keys", "y = softmax(Q (E K)ᵀ / √d) (E V),   E: r × T",
     "Softmax attention over r keys and values, each a mix of tokens, so that time and memory grow with T r. "
     "It keeps the softmax and has no causal mask. How tokens are mixed depends on their positions, not on "
     "their keys. Row j of E averages the tokens t with ⌊t r / T⌋ = j; the Linformer learns E, one for keys "
     "and one for values. With r = T, E is the identity and the error is 0. Compared with softmax attention "
     "without a mask, T = 64.",
     "Wang et al., Linformer: Self-Attention with Linear Complexity, 2020, eq. 7"},
    {"Influence and distance", "‖∂h_T / ∂h_(T−δ)‖_F / √d,   ∂h_t / ∂h_(t−1) = W_hᵀ diag(1 − h_t²)",
     "In a recurrence, the influence is a product over every step in between. With these weights, untrained "
     "and uniform within ± 1/√d, it falls with the distance, apart from small rises; with larger ones it can "
     "also grow. For attention the curve is the mean weight α_(T, T−δ): ∂y_T / ∂v_(T−δ) = α I, one factor at "
     "any distance. "
     "Means of 16 draws; at large distances a few draws dominate the mean.",
     "Hochreiter et al., Gradient flow in recurrent nets, 2001"},
};

}  // namespace

std::span<const HelpEntry> memory_help() {
  return entries;
}

}  // namespace headlight::views
