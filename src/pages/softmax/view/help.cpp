// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/softmax/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"From scores to weights", "w_i = exp(s_i/τ − m) / Σ_j exp(s_j/τ − m),   m = max_j s_j/τ",
     "In exact arithmetic every weight is positive, and they add up to 1. Only differences of scores count: "
     "the same number added "
     "to all of them changes no weight, which is why m can be taken out, so that no exponential overflows. A "
     "difference of 1 at τ = 1 is a factor e = 2.718 between two weights.",
     "Bridle, Probabilistic Interpretation of Feedforward Classification Network Outputs, 1990"},
    {"Temperature and entropy", "H = −Σ_i w_i log₂ w_i",
     "τ divides the scores. As τ goes to 0 the largest score takes everything (equal largest ones share it); "
     "as τ grows all weights go to 1/n and H to log₂ n bits. Between the two H never falls as τ grows.",
     "Shannon, A Mathematical Theory of Communication, 1948, section 6"},
};

}  // namespace

std::span<const HelpEntry> softmax_help() {
  return entries;
}

}  // namespace headlight::views
