// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/training/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Loss", "L = −mean over asked places of log p(target)",
     "Cross-entropy in nats; a guess among V tokens costs log V. Bands are ± one standard error.",
     "Shannon 1948"},
    {"Steps", "m ← β₁m + (1 − β₁)g,  v ← β₂v + (1 − β₂)g²\nw ← w(1 − ηλ) − η m̂ / (√v̂ + ε)",
     "AdamW, with gradients clipped to norm 1, a linear warm-up and a cosine decay of the rate η. All "
     "gradients are derived "
     "by hand and checked against finite differences.",
     "Kingma and Ba 2015; Loshchilov and Hutter 2019"},
    {"Two relations", "L = mean (A_first − target)² + mean (A_last − target)²",
     "One head has one map for two different targets; two heads have one each. As printed, two heads do not "
     "reach 0: places 2 and 3 share a code, and among random contents a dot product cannot single out (1, "
     "0). The "
     "repaired models have the repairs that are chosen: a code for each place, a query bias, fixed contents, "
     "wider "
     "projections. The list of repairs has the held-out loss with each.",
     "the sources' own toy task"},
    {"A control", "the same model without positions",
     "It differs from the model beside it in its positions alone: the same head, as many parameters (but for "
     "learned rows and T5's table), and the same numbers at the start. Beside sinusoids of size 1 embeddings "
     "are drawn with a deviation of 0.5 and the head has weights of its own; alone, a model with another "
     "scheme has a head tied to its embeddings. With every position beside each other all are as beside "
     "sinusoids.",
     "how the runs are made here"},
    {"Dropout", "x ← x / (1 − p) with probability 1 − p, else 0",
     "In training only: on the embeddings with their positions, on the attention weights, and on what each "
     "sublayer adds. Held-out losses and scores are measured without it. Which numbers are dropped follows "
     "from "
     "the seed and the step.",
     "Srivastava et al. 2014; Vaswani et al. 2017, 5.4; d2l's PositionalEncoding and DotProductAttention"},
    {"Attention alone", "x ← softmax(Q Kᵀ / √d_k) V W_O",
     "No residuals, no layer norm, no feed-forward layers. One such layer without positions cannot reverse "
     "letters: the outputs are permuted as the inputs are. With learned positions it can.",
     "the chapter on self-attention, 39.8 and exercise 39.4"},
    {"Other lengths", "score of the task with T' ≠ T tokens",
     "From half of the trained length to four times it. A table of learned positions has no rows beyond its "
     "length. Sinusoidal rows exist for every position, but the model has not been trained on them. The "
     "rounds of "
     "the copying task grow with the length, up to 26 letters; in the reversal task every position means "
     "another place.",
     "the note's “does not enable extrapolation”; Press, Smith and Lewis, ALiBi, 2022"},
    {"Heads removed", "rows h·d_k … (h + 1)·d_k − 1 of W_O ← 0",
     "The score that is left, with nothing trained again. One after the other: each time the head whose "
     "removal "
     "leaves the largest score. With more than 16 heads only each by itself is measured.",
     "Michel, Levy and Neubig 2019; Voita et al. 2019"},
    {"A guided head", "L + λ · mean −log A[q, goal]",
     "The second loss teaches one head where its queries should attend; λ is its weight, 0 leaves every head "
     "free. "
     "Without it a model can be right while no head shows why: attention is not an explanation by itself.",
     "Strubell et al. 2018; Jain and Wallace 2019; Wiegreffe and Pinter 2019"},
    {"Roles", "mean weight on the relation, on held-out sequences",
     "An induction head looks at the token behind the last occurrence of the present one.",
     "Olsson et al., In-context Learning and Induction Heads, 2022"},
};

}  // namespace

std::span<const HelpEntry> training_help() {
  return entries;
}

}  // namespace headlight::views
