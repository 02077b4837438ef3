// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/head_bench/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Two heads", "cosine = Σ A∘B / (‖A‖ ‖B‖), maps as vectors",
     "1 the same map, 0 nothing in common. The difference A − B keeps its sign; the colour bar "
     "says which side is larger.",
     "counted here"},
    {"What a head is like", "mean over i of A_i,i−1 (previous), A_i,i+1 (next), A_i,0 (first), A_ii (itself)",
     "A label is a number: the mean weight on that relation, over the queries that have it. Compare it with "
     "the weight that an even head would assign. A single untrained head can lie far from that: among many "
     "random heads some get a label by chance.",
     "Clark et al. 2019; Voita et al. 2019"},
    {"Heads off",
     "output without head h = output − A_h V_h W_O,h;   share = ‖change‖ / ‖output‖, b_O included",
     "A head that is switched off counts as 0. A large share says that the output needs it, not that it is "
     "right.",
     "Michel, Levy and Neubig, Are Sixteen Heads Really Better than One?, 2019"},
};

}  // namespace

std::span<const HelpEntry> bench_help() {
  return entries;
}

}  // namespace headlight::views
