// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/model/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Every head of every layer", "pixel = max of the weights under it",
     "Each picture is one head’s weights for this sentence: rows are queries, columns are keys. Longer "
     "sentences have several weights under one pixel, and the largest of them is shown, so a single strong "
     "weight stays visible. With a Headlight model the mask, temperature and √d_k of the scene apply to the "
     "layer that is shown, as on the Attention page; the layers before it are as they were trained.",
     "Vig, A Multiscale Visualization of Attention in the Transformer Model, 2019"},
    {"Scores of a head",
     "previous = mean_i α(i, i − 1),   first = mean_{i>0} α(i, 0),   itself = mean_i α(i, i)",
     "Mean weights over the queries that have such a key, masked or not. Same token: the weight on all other "
     "positions of "
     "the query’s token together. Induction: the weight on the key after the last earlier position of the "
     "query’s token, also called prefix matching; a query that is that key itself is left out. The last two "
     "need a token that occurs twice. A score "
     "describes the weights on this sentence; it does not say what the head is for.",
     "Clark et al. 2019; Voita et al. 2019; Olsson et al., In-context Learning and Induction Heads, 2022"},
    {"Entropy of a head", "H = mean_i −Σ_j α(i, j) log₂ α(i, j)",
     "In bits, over the queries that may attend to something. 0: each query attends to one key. log₂ n: "
     "all n keys have the same weight.",
     "Shannon, A Mathematical Theory of Communication, 1948, section 6"},
    {"What comes next?", "p_i = exp(l_i/τ) / Σ_j exp(l_j/τ),   loss = −ln p of the token that follows",
     "l are the logits at the chosen token, one for each token of the vocabulary. A causal model predicts "
     "the token after it; a masked language model the token in its place. The loss of a token is in nats and "
     "is that of "
     "the "
     "position before it. For Headlight’s own models the predictions are those of the trained model: masks "
     "and scaling of the scene do not change them. For models from other programs `headlight next` prints "
     "the same numbers.",
     "Shannon, A Mathematical Theory of Communication, 1948; the temperature: Ackley, Hinton, Sejnowski "
     "1985"},
    {"Heads switched off or scaled", "output = Σ_h f_h W_O^h head_h + b_O,   f_h = 0: off",
     "The output of a head is multiplied by a factor from 0 to 2 before W_O, in every token position, and "
     "all "
     "layers after it are computed again. The card shows the probabilities of the model as it is, those with "
     "the heads changed, their difference, and the change of every token’s loss. This measures what the "
     "head’s "
     "output does in this model on this sentence. It does not show what the head is for: other heads may "
     "take its place, or depend on it.",
     "Michel, Levy, Neubig, Are Sixteen Heads Really Better than One?, 2019"},
    {"Top-k, top-p and continuing the text",
     "kept: the k most probable; of them the smallest set that reaches p together",
     "What is kept is divided by its sum, and one token is sampled from it with the random number that the "
     "seed gives to its position. Sample one token and Continue append it to the sentence; the page then "
     "shows the "
     "longer sentence. Models from other programs keep the keys and values of earlier tokens.",
     "Fan, Lewis, Dauphin 2018; Holtzman et al., The Curious Case of Neural Text Degeneration, 2020"},
    {"q × k, component by component", "q_i · k_j = Σ_c q_ic k_jc",
     "Each row is a key, each strip a component of the head. Components are sorted by what they add to q·k "
     "of "
     "the opened key: the pinned one, or the one with the largest weight. A component that adds the same to "
     "all keys changes no weight: the softmax takes out what they have in common.",
     "Vig, A Multiscale Visualization of Attention in the Transformer Model, 2019"},
    {"Queries and keys in a plane", "C = Σ (x − x̄)(x − x̄)ᵀ / n,   axes: its two largest eigenvectors",
     "The queries and keys of the head, all together, in the plane in which they vary most. The variance "
     "explained is the share of it along each axis: what is near in it need not be near in all components. "
     "q·k is not a distance: a long key far away can have the largest weight.",
     "Pearson 1901; Yeh et al., AttentionViz, 2023"},
    {"Most similar heads", "cosine = Σ A∘B / (‖A‖ ‖B‖), maps as vectors",
     "The heads of all layers whose maps have the largest cosine with the map of the chosen head, as on the "
     "page Compare. 1: the same map up to a factor. In a causal model the first query always attends to the "
     "first key, so that no cosine over all queries is 0. For many heads and tokens, the cosine is over one "
     "query in two, three or more; the tooltip of a head tells.",
     "computed here"},
    {"After each token", "p(v | t₀ … t_i) = softmax(l_i / τ)_v",
     "For every token of the sentence, up to four tokens that the model predicts with the largest "
     "probability "
     "to follow it, at the temperature of the predictions and with all heads on. A tick marks the one with "
     "which the sentence continues; without a tick it is not among them.",
     "computed here"},
    {"Logit lens", "l^(n) = W_U norm(x^(n))",
     "The final norm and the output head (the unembedding), applied to the hidden state after n layers as if "
     "the "
     "remaining layers were not there. Row 0 is the input of the first layer; the last row is the "
     "prediction. The number at the right is the rank of the token that follows in the sentence. "
     "Earlier rows are not predictions of the model: their layers were not trained for the output head.",
     "nostalgebraist, interpreting GPT: the logit lens, 2020"},
};

}  // namespace

std::span<const HelpEntry> model_help() {
  return entries;
}

}  // namespace headlight::views
