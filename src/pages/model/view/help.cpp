// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/model/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Every head of every layer", "pixel = max of the weights under it",
     "Each picture is one head's weights for this sentence: rows are queries, columns are keys. Longer "
     "sentences have several weights under one pixel, and the largest of them is shown, so a single strong "
     "weight stays visible. With a Headlight model the mask, temperature and √d_k of the scene apply to the "
     "layer that is shown, as on the Attention page; the layers before it are as they were trained.",
     "Vig, A Multiscale Visualization of Attention in the Transformer Model, 2019"},
    {"Scores of a head",
     "previous = mean_i α(i, i − 1),   first = mean_{i>0} α(i, 0),   itself = mean_i α(i, i)",
     "Mean weights over the queries that have such a key. Same token: the weight on all other positions of "
     "the query's token together. Induction: the weight on the key after the last earlier position of the "
     "query's token, also called prefix matching. The last two need a token that occurs twice. A score "
     "describes the weights on this sentence; it does not say what the head is for.",
     "Clark et al. 2019; Voita et al. 2019; Olsson et al., In-context Learning and Induction Heads, 2022"},
    {"Entropy of a head", "H = mean_i −Σ_j α(i, j) log₂ α(i, j)",
     "In bits, over the queries that may attend to something. 0: each query attends to one key. log₂ n: "
     "all n keys have the same weight.",
     "Shannon, A Mathematical Theory of Communication, 1948, section 6"},
};

}  // namespace

std::span<const HelpEntry> model_help() {
  return entries;
}

}  // namespace headlight::views
