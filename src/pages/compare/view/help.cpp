// The mathematics of the page's panels: what is computed, what the symbols mean, and the source.
#include "kit/help.h"

#include "pages/compare/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Two heads", "cosine = Σ A∘B / (‖A‖ ‖B‖), maps as vectors",
     "1: the same map; 0: no pair has weight in both. The difference A − B keeps its sign; the colour bar "
     "shows which side is larger.",
     "computed here"},
    {"Largest differences", "the five pairs (i, j) with the largest |A_ij − B_ij|",
     "A bar to the right: A assigns more weight to this key; to the left: B does. All bars have one scale. "
     "Pairs that both masks exclude have no difference.",
     "computed here"},
    {"Roles of a head", "mean over i of A_i,i−1 (previous), A_i,i+1 (next), A_i,0 (first), A_ii (itself)",
     "A head is named after the relation whose mean weight, over the queries that have it, is furthest above "
     "that of uniform attention over the allowed keys, by at least a tenth of what is left to 1. The label "
     "is "
     "only as strong as that difference: among many random heads, some get a label by chance. The same token "
     "means the same word: two unknown words are two tokens.",
     "Clark et al. 2019; Voita et al. 2019"},
    {"Heads off",
     "output without head h = output − A_h V_h W_O,h;   relative change = ‖change‖ / ‖output‖, b_O included",
     "A head that is switched off contributes 0 on this card; maps and other pages keep it. The Model page "
     "has its own switch, for its predictions. A large change shows that the output depends on the head, "
     "not that the head is right.",
     "Michel, Levy and Neubig, Are Sixteen Heads Really Better than One?, 2019"},
};

}  // namespace

std::span<const HelpEntry> compare_help() {
  return entries;
}

}  // namespace headlight::views
