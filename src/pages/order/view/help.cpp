// The mathematics of the page's panels: what is computed, what the symbols mean, and the source.
#include "kit/help.h"

#include "pages/order/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Output rows", "A(πX) = π A(X)",
     "Without positions, permuted tokens give permuted outputs: attention treats them as a bag of words, and "
     "the largest difference is 0 up to rounding. With positions, or with a mask that depends on position, "
     "it is not 0 in general. A single permutation can still leave it 0: one that leaves every query the "
     "same keys, or, without positions, one of equal tokens.",
     "Lee et al., Set Transformer, 2019, property 1"},
    {"Content and position apart", "(x_i + p_i) W_Q W_Kᵀ (x_j + p_j)ᵀ = xx + xp + px + pp",
     "Four maps that add up to the score: content with content, content with position, position with "
     "content, position with position. A model with RoPE adds no p but rotates queries and keys. A fifth map "
     "then shows what the rotation changes: q · R(j − i) k − q · k. Where a norm precedes the "
     "projections, both parts are divided by the deviation of their sum.",
     "Dai et al., Transformer-XL, 2019, section 3.3"},
    {"Share of the variance", "cov(s, z) / var(z)",
     "z is the score, s one of its parts; the mean of every row is subtracted, because adding one number to "
     "all scores of a row changes no weight. The shares add up to 1. A share exceeds 1 when the other parts "
     "together "
     "covary negatively with the score. The share explained by the offset is the R² of the best fit f(j − "
     "i) + g(i) to pp. A large share does not "
     "show that a layer was trained: compare it with the same layer whose entries of W_Q and W_K are in "
     "random places.",
     "Ke, He and Liu, Rethinking Positional Encoding in Language Pre-training, 2021, section 3.1"},
};

}  // namespace

std::span<const HelpEntry> order_help() {
  return entries;
}

}  // namespace headlight::views
