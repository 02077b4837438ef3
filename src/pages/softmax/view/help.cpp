// The mathematics of the page's panels: what is computed, what the symbols mean, and the source.
#include "kit/help.h"

#include "pages/softmax/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"From scores to weights", "w_i = exp(s_i/τ − m) / Σ_j exp(s_j/τ − m),   m = max_j s_j/τ",
     "In exact arithmetic every weight is positive, and they add up to 1. Only differences of scores count: "
     "the same number added to all of them changes no weight, so m can be subtracted to keep exponentials "
     "from overflowing. At τ = 1, a difference of 1 between two scores is a factor e = 2.718 between their "
     "weights.",
     "Bridle, Probabilistic Interpretation of Feedforward Classification Network Outputs, 1990"},
    {"Temperature and entropy", "H = −Σ_i w_i log₂ w_i",
     "τ divides the scores. As τ goes to 0, the largest score gets all the weight (tied scores share it); as "
     "τ grows, all weights approach 1/n and H approaches log₂ n bits. H never decreases as τ grows.",
     "Shannon, A Mathematical Theory of Communication, 1948, section 6"},
};

}  // namespace

std::span<const HelpEntry> softmax_help() {
  return entries;
}

}  // namespace headlight::views
