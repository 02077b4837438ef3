// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/worked/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Steps", "Q = X W_Q,  K = X W_K,  V = X W_V\nS = Q Kᵀ / √d_k,   A = softmax(S),   output = A V",
     "Every number of X and W can be edited. The card Where a number comes from shows how the selected entry "
     "is computed.",
     "Vaswani et al., Attention Is All You Need, 2017, eq. 1"},
    {"The soft dictionary",
     "exact: v of the key that equals q\nsoft: Σ_j softmax(q · k_j / (√d_k · τ)) v_j, with ÷ √d_k on",
     "As the temperature τ goes to 0, the soft result becomes the value of the key with the highest score, "
     "or the mean of the values of tied keys. With the division by √d_k switched off, the products are "
     "divided by τ alone.",
     "Graves, Wayne and Danihelka, Neural Turing Machines, 2014, section 3.3.1 (there with a cosine and a "
     "key "
     "strength β)"},
    {"The plane", "q · k = ‖q‖ ‖k‖ cos θ",
     "With d_k = 2, queries and keys are arrows in a plane. Drag one to recompute every number.",
     "the dot product"},
};

}  // namespace

std::span<const HelpEntry> worked_help() {
  return entries;
}

}  // namespace headlight::views
