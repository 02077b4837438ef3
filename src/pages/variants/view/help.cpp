// The mathematics of the page's panels: what is computed, what the symbols mean, and the source.
#include "kit/help.h"

#include "pages/variants/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"A, B and A − B", "moved = mean over i of ½ Σ_j |A_ij − B_ij|",
     "The share of a row’s weight that moves between A and B (total variation distance), over the queries "
     "that "
     "have weights in both. 0: the same weights; 1: no key has weight in both.",
     "computed here"},
    {"Positions by a bias",
     "T5: s_ij + b[bucket(j − i)]\nALiBi: s_ij − m_h |i − j|,   m_h = 2^(−8h/H) for H a power of 2",
     "Both add a number that depends on j − i alone, whatever the tokens are. T5 learns one for each bucket "
     "of j − i (before and after are different buckets, unless the model is causal). ALiBi uses |i − j| and "
     "a fixed slope for each head. For other H, as in the authors’ code: the slopes of the next lower power "
     "of 2, then every other slope of the next higher one. ALiBi was published for causal models; here it "
     "applies in both directions.",
     "Raffel et al., T5, 2020, section 2.1; Press, Smith and Lewis, ALiBi, 2022"},
    {"Positions by relative keys and values",
     "s_ij = q_i · (k_j + r^K_c) / √d_k,   y_i = Σ_j A_ij (v_j + r^V_c),   c = clip(j − i, −k … k)",
     "A learned row for each relative position from −k to k, the clip distance; keys further away share the "
     "last one. The term added to a score, q_i · r^K_c / √d_k, depends on the relative position and on the "
     "query; the bias of T5 depends on j − i and the head alone, that of ALiBi on |i − j| and the head. The "
     "rows are the same for all heads; here they are seeded.",
     "Shaw, Uszkoreit and Vaswani, 2018, equations 3 and 4"},
    {"Positions by a rotation",
     "RoPE: q_i → R(i) q_i,  k_j → R(j) k_j,   so (R(i)q) · (R(j)k) = q · R(j − i) k",
     "A score depends on the content of both tokens and on the signed relative position j − i: a shift of "
     "all tokens changes no score. R rotates pairs of components: (2j, 2j + 1), interleaved, as in RoFormer "
     "and Meta’s LLaMA code, or (j, j + d_k/2), rotate-half, as in the Hugging Face version of LLaMA. "
     "GPT-NeoX rotates only part of a head: with r of d_k components, the pairs are (j, j + r/2). Weights "
     "trained with one pairing do not fit the other; a model file names its own.",
     "Su et al., RoFormer, 2021, section 3.2"},
    {"Sparse masks",
     "window |i − j| ≤ w · dilated |i − j| ≤ w l, i − j divisible by l · strided: the last l, and every l-th "
     "· "
     "fixed · blocks · random",
     "Each omits pairs unless it covers the whole sentence; omitted pairs have weight exactly 0. Strided and "
     "fixed are causal.",
     "Child et al. 2019 (strided, fixed); Beltagy, Peters and Cohan 2020 (window, dilated, global); Zaheer "
     "et al. 2020"},
    {"Why divide by √d_k", "var(q · k) = d_k for q, k of independent N(0, 1) numbers",
     "Without the division, wide heads have large scores, the softmax saturates, and its gradient approaches "
     "0.",
     "Vaswani et al. 2017, footnote 4"},
    {"Second sentence", "Q from X, K and V from the other sentence",
     "Cross-attention: a row still adds up to 1, over the keys of the other sentence.",
     "Vaswani et al. 2017, section 3.2.3"},
    {"One token at a time", "y_t = Σ_{j ≤ t} a_tj v_j, with k_j and v_j kept",
     "Decoding with a cache gives the same rows as one pass over the sentence, as long as each new token "
     "gets its own position.",
     "Shazeer, Fast Transformer Decoding, 2019"},
};

}  // namespace

std::span<const HelpEntry> variants_help() {
  return entries;
}

}  // namespace headlight::views
